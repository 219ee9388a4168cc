"""A link that cannot be used costs itself: it is skipped and counted, and the crawl goes on."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

from iri_canon import key
from scrapy_plugin import CanonicalDupeFilter, iri_request, prepare_href
from scrapy_plugin.options import Options
from tests.scrapy_plugin.conftest import ADDON, Crawl
from tests.scrapy_plugin.site import Answer, Route, page

UNUSABLE = ["http://[::1/", "http://a]b/", "http://[x]/", "foo://[x/"]


def test_malformed_links_are_skipped_and_counted(crawl: Crawl) -> None:
    anchors = "".join(f'<a data-verbatim="{url}">x</a>' for url in UNUSABLE)
    routes: dict[str, Route] = {"/": Answer(f"<p id=name>home</p>{anchors}<a href=/p>p</a>"), "/p": page("p")}
    crawled = crawl(routes, ADDON, start=["/"])
    assert sorted(crawled.got) == ["home", "p"]
    assert crawled.stat("iri_canon/malformed") == len(UNUSABLE)
    assert crawled.stat("spider_exceptions/count") == 0
    assert not crawled.said("ERROR")


def test_bad_seed_does_not_end_the_crawl(crawl: Crawl) -> None:
    routes: dict[str, Route] = {"/": page("home", "/p"), "/p": page("p")}
    seeds = {"verbatim": [*UNUSABLE, "/"]}
    crawled = crawl(routes, ADDON, **seeds)
    assert sorted(crawled.got) == ["home", "p"]
    assert crawled.stat("iri_canon/malformed/start") == len(UNUSABLE)
    assert crawled.stats["finish_reason"] == "finished"
    # Without the plug-in the first of them ends it.
    assert crawl(routes, {}, **seeds).got == []


HREFS = [
    ("http://example.com/a", "http://example.com/a"),
    (" http://example.com\\a\tb ", "http://example.com/ab"),
    ("http://faß.de/", "http://xn--fa-hia.de/"),
    ("http://fass.de/", "http://fass.de/"),
    ("http://example.com/é", "http://example.com/é"),
    ("http://example.com/?a=1&amp;b=2", "http://example.com/?a=1&amp;b=2"),
    ("http://[::1/", None),
    ("http://a:99999999/", None),
    ("javascript:void(0)", None),
    ("mailto:a@b.example", None),
    ("", None),
    ("#top", None),
    ("http://", None),
    ("http://\udc80/", "http://%80/"),
    ("//host/path", None),
]


@pytest.mark.parametrize(("href", "expected"), HREFS)
def test_prepare_href(href: str, expected: str | None) -> None:
    assert prepare_href(href) == expected


def test_prepare_href_in_a_link_extractor() -> None:
    hrefs = ["/a", "http://faß.de/x", "http://[::1/", "javascript:x()", "/b\\c"]
    body = "".join(f'<a href="{href}">x</a>' for href in hrefs)
    response = HtmlResponse("http://example.com/", body=body.encode(), encoding="utf-8")
    links = LinkExtractor(process_value=prepare_href).extract_links(response)
    assert [link.url for link in links] == [
        "http://example.com/a",
        "http://xn--fa-hia.de/x",
        "http://example.com/b/c",
    ]


def test_references_are_undone_once() -> None:
    hrefs = ["/s?a=1&amp;copy", "/s?a=1&amp;amp;b", "/s?a&amp;reg&amp;b=2", "/&amp;#65;"]
    body = "".join(f'<a href="{href}">x</a>' for href in hrefs)
    response = HtmlResponse("http://example.com/", body=body.encode(), encoding="utf-8")
    with_us = LinkExtractor(process_value=prepare_href).extract_links(response)
    assert [link.url for link in with_us] == [
        "http://example.com/s?a=1&copy",
        "http://example.com/s?a=1&amp;b",
        "http://example.com/s?a&reg&b=2",
        "http://example.com/&#65;",
    ]


def test_iri_request_keeps_what_was_found() -> None:
    request = iri_request("http://user@faß.de:8080/a%2f?b#c", method="POST", meta={"x": 1})
    assert request.url == "http://user@xn--fa-hia.de:8080/a%2f?b#c"
    assert (request.method, request.meta) == ("POST", {"x": 1})
    assert iri_request("http://fass.de/").url != iri_request("http://faß.de/").url
    for url in ("http://[::1/", "x", ""):
        with pytest.raises(ValueError, match=r"."):
            iri_request(url)


HOSTILE = [
    "http://a/" + "%" * 10_000,
    "http://a/" + "/.." * 5_000,
    "http://a/\udcff",
    "http://[" * 100,
    "x:\x00://",
    "a" * 50_000 + "://",
]


@pytest.mark.parametrize("url", HOSTILE)
@pytest.mark.parametrize("redirect_urls", [None, [], ["\udcff"], [None], "x", ["http://[::1/", "http://a/"]])
def test_no_url_and_no_meta_raises(url: str, redirect_urls: Any) -> None:
    meta = {"verbatim_url": True, "redirect_urls": redirect_urls, "retry_times": "x", "redirect_times": None}
    request = Request(url if "://" in url else "http://" + url, meta=meta)
    other = Request("http://example.com/", meta=meta)
    duplicates = CanonicalDupeFilter(Options(http_cache=True))
    for one in (request, other):
        duplicates.request_scheduled(one)
        assert not duplicates.request_seen(one)
        assert duplicates.request_seen(one.copy())
        one.dont_filter = True
        duplicates.request_scheduled(one)
    duplicates.close("finished")


@pytest.mark.parametrize("href", [*HOSTILE, "http://℀/", "\\\\" * 10_000])
def test_no_href_raises(href: str) -> None:
    prepare_href(href)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://a.example/caf\udce9?q=\udcff", "http://a.example/caf%E9?q=%FF"),
        ("http://a.example/caf\u00e9", "http://a.example/caf%C3%A9"),
        ("http://a.example/\ud800", "http://a.example/%EF%BF%BD"),
    ],
)
def test_octets_that_are_no_utf_8_are_asked_for_as_they_are(url: str, asked: str) -> None:
    """Lists of URLs are read with surrogateescape; the key of both is the same."""
    request = iri_request(url)
    assert (request.url, key(request.url)) == (asked, key(url))
    prepared = prepare_href(url)
    assert prepared is not None
    assert iri_request(prepared).url == asked


def test_octets_of_a_host_are_what_their_triplets_are() -> None:
    assert prepare_href("http://a\udce9.example/") == prepare_href("http://a%E9.example/")
    assert prepare_href("http://a\udce9.example/") != prepare_href("http://a\u00e9.example/")
