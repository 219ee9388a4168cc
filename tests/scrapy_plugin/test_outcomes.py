"""What fails, what is retried, what never reaches a callback: known in time, and never taken for a page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scrapy_plugin.conftest import ALONE, Crawl
from tests.scrapy_plugin.site import Answer, Route, page, redirect

ONE_AT_A_TIME = {"CONCURRENT_REQUESTS": 1}


def failing_first(name: str, status: int = 404) -> Route:
    return lambda asked: Answer(status=status) if asked.visit == 1 else page(name)


def linked_again(route: Route) -> dict[str, Route]:
    """/x is linked by the home page, and later by a page that comes after it."""
    return {"/": page("home", "/later", "/x"), "/later": page("later", "/x"), "/x": route}


@pytest.mark.parametrize("retry", [False, True])
def test_failed_page_that_is_linked_again(crawl: Crawl, plugin: dict[str, Any], retry: bool) -> None:
    """B194."""
    settings = {**plugin, **ONE_AT_A_TIME, "IRI_CANON_RETRY_FAILED": retry}
    crawled = crawl(linked_again(failing_first("x")), settings, start=["/"])
    assert crawled.got == (["home", "later", "x"] if retry else ["home", "later"])
    assert crawled.site.times("/x") == (2 if retry else 1)
    assert crawled.stat("iri_canon/failed") == 1


@pytest.mark.parametrize("retry", [False, True])
def test_failed_download_that_is_linked_again(crawl: Crawl, plugin: dict[str, Any], retry: bool) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/later", "http://127.0.0.1:1/x"),
        "/later": page("later", "http://127.0.0.1:1/x"),
    }
    settings = {**plugin, **ONE_AT_A_TIME, "IRI_CANON_RETRY_FAILED": retry, "RETRY_ENABLED": False}
    crawled = crawl(routes, settings, start=["/"])
    assert crawled.got == ["home", "later"]
    assert len(crawled.failed) == (2 if retry else 1)
    assert crawled.stat("iri_canon/failed") == (2 if retry else 1)


def test_failed_download_is_free_for_the_next_run(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Any
) -> None:
    """B194, with a JOBDIR."""
    settings = {**plugin, "JOBDIR": str(tmp_path), "RETRY_ENABLED": False}
    routes: dict[str, Route] = {"/": page("home", "http://127.0.0.1:1/x")}
    for _ in range(2):
        crawled = crawl(routes, settings, seeds=["/"])
        assert len(crawled.failed) == 1


def test_retries_of_one_request_are_one_claim(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/x"),
        "/x": lambda asked: Answer(status=503) if asked.visit < 3 else page("x", "/x", "/"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["home", "x"]
    assert crawled.site.times("/x") == 3
    assert crawled.stat("iri_canon/failed") == 0


def test_retry_in_a_callback_is_the_users_own(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """`get_retry_request` sets dont_filter; what the retry redirects to is fetched though it was seen."""
    routes: dict[str, Route] = {
        "/": page("home", "/p", "/x"),
        "/p": lambda asked: page(f"p{asked.visit}"),
        "/x": lambda asked: page("empty") if asked.visit == 1 else redirect("/p"),
    }
    spider = "tests.scrapy_plugin.spiders.RetriesEmpty"
    crawled = crawl(routes, plugin, start=["/"], spider=spider)
    assert sorted(crawled.got) == ["empty", "home", "p1", "p2"]
    assert crawled.stat("iri_canon/retry/dont_filter_reset") == 0


def test_retry_in_an_errback(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/x", "/y"),
        "/x": failing_first("x"),
        "/y": page("y", "/x"),
    }
    spider = "tests.scrapy_plugin.spiders.RetriesFailed"
    crawled = crawl(routes, plugin, start=["/"], spider=spider)
    assert sorted(crawled.got) == ["home", "x", "y"]
    assert crawled.site.times("/x") == 2


def test_robots_txt_is_no_page(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """robots.txt is fetched outside the scheduler; a link to it is a link like any other."""
    routes: dict[str, Route] = {
        "/robots.txt": Answer("User-agent: *\nDisallow: /no\n<p id=name>robots</p>"),
        "/": page("home", "/robots.txt", "/no", "/yes"),
        "/yes": page("yes", "/no"),
    }
    crawled = crawl(routes, {**plugin, "ROBOTSTXT_OBEY": True}, start=["/"])
    assert sorted(crawled.got) == ["home", "robots", "yes"]
    assert crawled.site.times("/robots.txt") == 2
    assert crawled.stats["finish_reason"] == "finished"


def test_response_that_a_callback_downloads_itself(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """`engine.download_async` passes the filter by: it neither claims nor finishes anything."""
    routes: dict[str, Route] = {"/": page("home", "/x"), "/x": page("x"), "/inline": page("inline")}
    spider = "tests.scrapy_plugin.spiders.Inline"
    crawled = crawl(routes, plugin, start=["/"], spider=spider)
    assert sorted(crawled.got) == ["home", "inline", "inline", "x"]
    assert crawled.site.times("/inline") == 2


def test_callback_that_raises_got_its_page(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {"/": page("home", "/x", "/y"), "/x": page("raise"), "/y": page("y", "/x")}
    settings = {**plugin, **ONE_AT_A_TIME, "IRI_CANON_RETRY_FAILED": True}
    crawled = crawl(routes, settings, start=["/"], spider="tests.scrapy_plugin.spiders.Raises")
    assert sorted(crawled.got) == ["home", "raise", "y"]
    assert crawled.site.times("/x") == 1


def test_a_chain_that_waits_for_what_never_ends_goes_on_when_all_else_is_done(crawl: Crawl) -> None:
    """A middleware swallows the request for /t without a trace; the redirect that waits for it gets the page."""
    routes: dict[str, Route] = {"/": page("home", "/t", "/r"), "/r": redirect("/t"), "/t": page("t")}
    middleware = {"tests.scrapy_plugin.spiders.Swallows": 50}
    settings = {**ALONE, "DOWNLOADER_MIDDLEWARES": middleware}
    crawled = crawl(routes, settings, start=["/"])
    assert crawled.got == ["home", "t"]
    assert crawled.stat("iri_canon/chain/released") == 1


@pytest.mark.parametrize("handled", [301, 404])
def test_status_that_the_spider_handles_is_a_page(crawl: Crawl, plugin: dict[str, Any], handled: int) -> None:
    answer = Answer("<p id=name>x</p>", handled, (("Location", "/elsewhere"),) if handled == 301 else ())
    settings = {**plugin, **ONE_AT_A_TIME, "IRI_CANON_RETRY_FAILED": True}
    meta = {"handle_httpstatus_list": [handled]}
    crawled = crawl(linked_again(answer), settings, start=["/"], meta=meta, copy_meta=True)
    assert sorted(crawled.got) == ["home", "later", "x"]
    assert crawled.site.times("/x") == 1
