"""Scrapy's text log: the lines that its engine and its redirect middleware write, and no others."""

import pytest

from iri_canon.logs import Hop
from logs.reading import outcomes, reasons, records

ENGINE = "2026-12-01 06:10:35 [scrapy.core.engine] DEBUG: "
REDIRECT = "2026-12-01 06:10:35 [scrapy.downloadermiddlewares.redirect] DEBUG: "
SHORT = "2026-12-01 06:10:35 [scrapy] DEBUG: "


@pytest.mark.parametrize("begin", [ENGINE, SHORT])
@pytest.mark.parametrize(
    "end", [" (referer: None)", " (referer: http://h/) ['cached']", " ['partial'] (referer: None)"]
)
def test_crawled(begin: str, end: str) -> None:
    (found,) = records("scrapy-log", f"{begin}Crawled (200) <GET http://h/a>{end}")
    assert (found.url, found.status, found.method, found.time) == ("http://h/a", 200, "GET", 1796105435.0)
    assert found.hops() == ()


@pytest.mark.parametrize("begin", [REDIRECT, SHORT])
def test_redirecting_is_a_record_of_its_source(begin: str) -> None:
    (found,) = records("scrapy-log", f"{begin}Redirecting (301) to <GET http://h/b> from <POST http://h/a>")
    assert (found.url, found.status, found.method) == ("http://h/a", 301, "POST")
    assert found.hops() == (Hop("http://h/a", "http://h/b", 301),)


def test_a_refresh_is_a_record_and_no_redirect() -> None:
    (found,) = records(
        "scrapy-log", f"{REDIRECT}Redirecting (meta refresh) to <GET http://h/b> from <GET http://h/a>"
    )
    assert (found.url, found.status, found.hops()) == ("http://h/a", None, ())


@pytest.mark.parametrize(
    "line",
    [
        f"{ENGINE}Spider opened",
        f"{ENGINE}Crawling is fun",
        "Crawled (200) <GET http://h/a> (referer: None)",
        " 2026-12-01 06:10:35 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://h/a> (referer: None)",
        "2026-12-01 06:10:35 [myspider] DEBUG: Crawled (200) <GET http://h/a> (referer: None)",
        "2026-12-01 06:10:35 [scrapy.core.scraper] DEBUG: Crawled (200) <GET http://h/a> (referer: None)",
        "2026-12-01 06:10:35 [scrapy.dupefilters] DEBUG: Filtered duplicate request: <GET http://h/a>",
        "Traceback (most recent call last):",
        '  File "a.py", line 1, in parse',
        "",
    ],
)
def test_any_other_line_is_passed_over(line: str) -> None:
    assert outcomes("scrapy-log", line) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"{ENGINE}Crawled (200) <GET http://h/a>", "no request in a Crawled line"),
        (f"{ENGINE}Crawled (200) <GET http://h/a b> (referer: None)", "no request in a Crawled line"),
        (f"{ENGINE}Crawled (20) <GET http://h/a> (referer: None)", "no request in a Crawled line"),
        (f"{REDIRECT}Redirecting (301) to <GET http://h/b> from <GET", "no requests in a Redirecting line"),
    ],
)
def test_a_bad_line_costs_itself(line: str, reason: str) -> None:
    assert reasons("scrapy-log", line) == [reason]


def test_a_message_cannot_pass_for_another() -> None:
    forged = "http://h/a>%20Crawled%20(200)%20<GET%20http://h/b>"
    (found,) = records(
        "scrapy-log",
        f"{ENGINE}Crawled (200) <GET {forged}> (referer: Crawled (200) <GET http://h/c> (referer: None))",
    )
    assert found.url == forged
