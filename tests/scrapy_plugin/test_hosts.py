"""http to https and www redirects: other hosts, other schemes, and what may be assumed or was observed of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.scrapy_plugin.conftest import ADDON, Crawl, Crawled
from tests.scrapy_plugin.https import ANY_HOST
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect, serving


def hosts(by_site: dict[str, dict[str, Route]]) -> Callable[[Asked], Answer]:
    def answer(asked: Asked) -> Answer:
        route = by_site.get(asked.headers["x-site"], {}).get(asked.target)
        if route is None:
            return Answer("<p id=name>none</p>", 404)
        return route(asked) if callable(route) else route

    return answer


def crawled(
    crawl: Crawl, settings: dict[str, Any], by_site: dict[str, dict[str, Route]], **job: Any
) -> Crawled:
    route = hosts(by_site)
    targets = {target: route for routes in by_site.values() for target in routes}
    with serving(targets) as site:
        return crawl(site, {**settings, **ANY_HOST, "TEST_PORT": site.port}, **job)


def sites(done: Crawled) -> list[str]:
    return [one.headers["x-site"] + one.target for one in done.site.asked]


@pytest.mark.parametrize("assumed", [[], ["https"], ["https", "www"]])
def test_http_to_https(crawl: Crawl, plugin: dict[str, Any], assumed: list[str]) -> None:
    by_site: dict[str, dict[str, Route]] = {
        "http://a.example": {
            "/": redirect("https://a.example/", 301),
            "/p": redirect("https://a.example/p", 301),
        },
        "https://a.example": {
            "/": page("home", "http://a.example/p", "/p"),
            "/p": page("p", "http://a.example/"),
        },
    }
    settings = {**plugin, "IRI_CANON_CONVENTIONS": assumed}
    done = crawled(crawl, settings, by_site, start=["http://a.example/"])
    assert sorted(done.got) == ["home", "p"]
    assert sites(done).count("https://a.example/p") == 1
    if assumed:
        assert len(sites(done)) <= 4


@pytest.mark.parametrize("assumed", [[], ["www"], {"*.b.example": ["www"]}, {"b.example": ["www"]}])
def test_www(crawl: Crawl, plugin: dict[str, Any], assumed: Any) -> None:
    by_site: dict[str, dict[str, Route]] = {
        "http://b.example": {
            "/": redirect("http://www.b.example/", 301),
            "/p": redirect("http://www.b.example/p", 301),
        },
        "http://www.b.example": {
            "/": page("home", "http://b.example/p", "/p"),
            "/p": page("p", "http://b.example/"),
        },
    }
    settings = {**plugin, "IRI_CANON_CONVENTIONS": assumed}
    done = crawled(crawl, settings, by_site, seeds=["http://b.example/"])
    assert sorted(done.got) == ["home", "p"]
    assert sites(done).count("http://www.b.example/p") == 1


def test_two_hosts_that_differ_by_www_are_two(crawl: Crawl, plugin: dict[str, Any]) -> None:
    by_site: dict[str, dict[str, Route]] = {
        "http://c.example": {"/": page("bare", "http://www.c.example/", "https://c.example/")},
        "http://www.c.example": {"/": page("www")},
        "https://c.example": {"/": page("secure")},
    }
    done = crawled(crawl, plugin, by_site, start=["http://c.example/"])
    assert sorted(done.got) == ["bare", "secure", "www"]


def test_observed_pair_spares_the_spelling_in_one_direction_only(crawl: Crawl) -> None:
    settings = {**ADDON, "CONCURRENT_REQUESTS": 1, "DUPEFILTER_DEBUG": True, "IRI_CANON_CONVENTIONS": []}
    by_site: dict[str, dict[str, Route]] = {
        "http://d.example": {"/p": redirect("https://d.example/p", 301)},
        "https://d.example": {"/": page("home", "http://d.example/p", "/p"), "/p": page("p")},
    }
    done = crawled(crawl, settings, by_site, start=["https://d.example/"])
    assert sorted(done.got) == ["home", "p"]
    # /p came first (last in, first out), so the redirect found it done: observed, and recorded.
    assert done.stat("iri_canon/redirects/recorded") == 1


@pytest.mark.parametrize(
    ("status", "final", "option", "outcome"),
    [
        (301, 200, False, "recorded"),
        (308, 200, False, "recorded"),
        (302, 200, False, "temporary"),
        (302, 200, True, "recorded"),
        (303, 200, True, "status"),
        (301, 404, False, "final-status"),
    ],
)
def test_evidence(crawl: Crawl, status: int, final: int, option: bool, outcome: str) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/d"),
        "/d": redirect("/d/", status),
        "/d/": Answer("<p id=name>d</p>", final),
    }
    done = crawl(routes, {**ADDON, "IRI_CANON_TEMPORARY_REDIRECTS": option}, start=["/"])
    assert done.stat(f"iri_canon/redirects/{outcome}") == 1
    off = crawl(routes, {**ADDON, "IRI_CANON_LEARN": "off"}, start=["/"])
    assert not [name for name in off.stats if name.startswith("iri_canon/redirects/")]
    assert off.got == done.got


def test_evidence_is_complete_when_another_request_got_the_page(crawl: Crawl) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/d", "/D", "/d/"),
        "/d": redirect("/d/", 301),
        "/D": redirect("/d/", 301),
        "/d/": page("d"),
    }
    done = crawl(routes, ADDON, start=["/"])
    assert sorted(done.got) == ["d", "home"]
    assert done.site.times("/d/") == 1
    assert done.stat("iri_canon/redirects/recorded") == 2


def test_meta_refresh_and_two_locations_are_no_evidence(crawl: Crawl) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/d", "/e"),
        "/d": page("no", head='<meta http-equiv="refresh" content="0;url=/d/">'),
        "/d/": page("d"),
        "/e": Answer(status=301, headers=(("Location", "/x"), ("Location", "/e/"))),
        "/e/": page("e"),
    }
    done = crawl(routes, ADDON, start=["/"])
    assert sorted(done.got) == ["d", "e", "home"]
    assert done.stat("iri_canon/redirects/recorded") == 0
    assert done.stat("iri_canon/redirects/location") == 1
