"""The key decides, the spelling that was found goes on the wire; the HTTP cache serves each page its own answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.scrapy_plugin.conftest import ADDON, Crawl
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect
from tests.scrapy_plugin.test_redirects import walled


def test_each_octet_of_the_spelling_found_is_sent(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B014, B224."""
    spellings = ["/pkg_1%3a2.tar", "/%7Ea", "/a//b", "/a/./b/../c", "/q?b=2&a=1", "/%c3%a9", "/x;p?=%2f"]
    routes: dict[str, Route] = {"/": page("home", *spellings)}
    crawled = crawl(routes, {**plugin, "HTTPERROR_ALLOW_ALL": True}, start=["/"])
    # urljoin in the spider removes dot segments; nothing else may change.
    expected = [f"GET {one} HTTP/1.1" for one in ["/", *spellings] if one != "/a/./b/../c"]
    sent = [line.decode() for line in crawled.site.lines]
    assert sorted(sent) == sorted([*expected, "GET /a/c HTTP/1.1"])


def test_only_the_first_spelling_is_sent(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {"/": page("home", "/pkg_1%3a2", "/pkg_1%3A2")}
    crawled = crawl(routes, {**plugin, "CONCURRENT_REQUESTS": 1, "HTTPERROR_ALLOW_ALL": True}, start=["/"])
    assert len(crawled.site.lines) == 2
    assert crawled.stat("iri_canon/filtered/syntax") == 1


DISTINCT = [
    "/a",
    "/a/",
    "/A",
    "/a?",
    "/a?x=1&y=2",
    "/a?y=2&x=1",
    "/a%2Fb",
    "/a/b",
    "/%E9",
    "/%C3%A9",
    "/e%CC%81",
    "/a%252F",
]


def named(asked: Asked) -> Answer:
    return page(f"page {asked.target}")


def test_the_cache_never_serves_another_page(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path) -> None:
    found = [target for target in DISTINCT if target != "/a?"]  # Request drops a bare "?"
    routes: dict[str, Route] = {"/": page("home", *found), **dict.fromkeys(found, named), "/a": named}
    settings = {
        **plugin,
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_DIR": str(tmp_path),
        # The filter may join what it was told to join, the cache may not.
        "IRI_CANON_CONVENTIONS": [],
    }
    for turn in range(2):
        crawled = crawl(routes, settings, start=["/"])
        assert sorted(crawled.got) == sorted(["home", *(f"page {target}" for target in found)]), turn
        assert all(
            name == "home" or url.endswith(name[5:])
            for name, url in zip(crawled.got, crawled.urls, strict=True)
        )
    joining = {**settings, "IRI_CANON_CONVENTIONS": ["trailing-slash", "path-case"]}
    for start in found:
        crawled = crawl(routes, joining, start=[start])
        assert crawled.got == [f"page {start}"]


@pytest.mark.parametrize("seeds", ["start", "seeds"])
def test_cookie_wall_with_the_cache(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path, seeds: str) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/p", "/q", "/r"),
        "/p": walled("p", cookie="p=1"),
        "/q": lambda asked: page("q") if "gate=1" in asked.cookie else redirect("/gate"),
        "/gate": redirect("/q", cookie="gate=1"),
        "/r": redirect("/s"),
        "/s": page("s"),
    }
    settings = {**plugin, "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    first = crawl(routes, settings, **{seeds: ["/", "/p", "/q"]})
    assert set(first.got) == {"home", "p", "q", "s"}
    assert first.failed == []
    second = crawl(first.site, settings, **{seeds: ["/", "/p", "/q"]})
    assert set(second.got) == {"home", "p", "q", "s"}
    # What was not behind a wall came from the cache, also behind the wall's chain.
    assert first.site.times("/s") == 1
    assert first.site.times("/") == 1


def test_dont_cache_ends_with_the_visit(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path) -> None:
    """The request after the revisit, and what a spider that copies meta asks, are cached again."""
    routes: dict[str, Route] = {
        "/": page("home", "/p"),
        "/p": lambda asked: redirect("/end") if "p=1" in asked.cookie else redirect("/p", cookie="p=1"),
        "/end": page("end", "/next"),
        "/next": page("next"),
    }
    settings = {**plugin, "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    for copy_meta in (False, True):
        crawled = crawl(routes, settings, start=["/"], copy_meta=copy_meta)
        assert crawled.got == ["home", "end", "next"]
        again = crawl(crawled.site, settings, start=["/"], copy_meta=copy_meta)
        assert again.got == ["home", "end", "next"]
        assert again.site.times("/end") <= 1
        assert again.site.times("/next") <= 1


def test_user_set_dont_cache_stays(crawl: Crawl, tmp_path: Path) -> None:
    routes: dict[str, Route] = {"/": walled("p")}
    settings = {**ADDON, "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    for _ in range(2):
        crawled = crawl(routes, settings, start=["/"], meta={"dont_cache": True})
        assert crawled.got == ["p"]
        assert crawled.stat("httpcache/store") == 0


def test_log_in_with_the_cache_shows_the_page_behind(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    form = '<form action="/" method="post"></form>'
    routes: dict[str, Route] = {
        "GET /": lambda asked: (
            page("members") if "in=1" in asked.cookie else Answer(f"<p id=name>door</p>{form}")
        ),
        "POST /": redirect("/", cookie="in=1"),
    }
    settings = {**plugin, "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    for _ in range(2):
        assert crawl(routes, settings, start=["/"]).got == ["door", "members"]
