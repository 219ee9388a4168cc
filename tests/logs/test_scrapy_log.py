"""Scrapy's text log: answers and redirects count, what is said of them again does not, and the rest is passed over."""

import pytest

from iri_canon.logs import Hop
from logs.reading import outcomes, reasons, records

ENGINE = "2026-12-01 06:10:35 [scrapy.core.engine] DEBUG: "
REDIRECT = "2026-12-01 06:10:35 [scrapy.downloadermiddlewares.redirect] DEBUG: "
SCRAPER = "2026-12-01 06:10:35 [scrapy.core.scraper] ERROR: "
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
        "2026-12-01 06:10:35 [myspider] DEBUG: Retrying <GET http://h/a> (failed 1 times): 503 Service Unavailable",
        "2026-12-01 06:10:35 [scrapy.core.scraper] DEBUG: Scraped from <200 http://h/a>",
        "2026-12-01 06:10:35 [scrapy.core.scraper] ERROR: Error processing {'url': '<GET http://h/a>'}",
        "2026-12-01 06:10:35 [scrapy.core.scraper] ERROR: Error downloading all",
        f"{SHORT}Filtered offsite request to 'i': <GET http://i/a>",
        f"{SHORT}Forbidden by robots.txt: <GET http://h/a>",
        f"{SHORT}Ignoring link (depth > 3): http://h/a - no more ignored links will be shown",
        f"{SHORT}Ignoring link (url length > 2083): http://h/a ",
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
        (f"{SHORT}Retrying <GET http://h/", "no request in a line that mentions one"),
        (f"{SHORT}Filtered duplicate request: <http://h/a>", "no request in a line that mentions one"),
        (f"{SHORT}Retrying <GET http://h/a>b", "no request in a line that mentions one"),
        (f"{SHORT}Error downloading <GET http://h/a b>", "no request in a line that mentions one"),
    ],
)
def test_a_bad_line_costs_itself(line: str, reason: str) -> None:
    assert reasons("scrapy-log", line) == [reason]


MENTIONS = [
    ("scrapy.dupefilters", "Filtered duplicate request: <GET http://h/a> (referer: http://h/)"),
    (
        "scrapy.dupefilters",
        (
            "Filtered duplicate request: <GET http://h/a> - no more duplicates will be shown"
            " (see DUPEFILTER_DEBUG to show all duplicates)"
        ),
    ),
    (
        "scrapy_plugin.dupefilter",
        "Filtered duplicate request: <GET http://h/a> - as http://h/A (referer: None)",
    ),
    (
        "scrapy.downloadermiddlewares.retry",
        "Retrying <GET http://h/a> (failed 1 times): 503 Service Unavailable",
    ),
    (
        "scrapy.downloadermiddlewares.retry",
        "Retrying <GET http://h/a> (failed 2 times): [<twisted.python.failure.Failure ConnectionLost: <a>: (b>)>]",
    ),
    (
        "scrapy.downloadermiddlewares.retry",
        "Gave up retrying <GET http://h/a> (failed 3 times): User timeout",
    ),
    ("scrapy.downloadermiddlewares.redirect", "Discarding <GET http://h/a>: max redirections reached"),
    (
        "scrapy.spidermiddlewares.httperror",
        "Ignoring response <404 http://h/a>: HTTP status code is not handled or not allowed",
    ),
    ("scrapy.core.scraper", "Error downloading <GET http://h/a>"),
    ("scrapy.core.scraper", "Error downloading <GET http://h/a>: An error occurred: <h> (x): y."),
    ("scrapy.downloadermiddlewares.robotstxt", "Error downloading <GET http://h/a>: DNS lookup failed: h."),
    ("scrapy.core.scraper", "Spider error processing <GET http://h/a> (referer: None)"),
    ("scrapy.core.engine", "Scraper bug processing <GET http://h/a>"),
]


@pytest.mark.parametrize(("logger", "message"), MENTIONS)
def test_what_is_mentioned_again_is_a_spelling_and_does_not_count(logger: str, message: str) -> None:
    for name in {logger, logger if logger == "scrapy_plugin.dupefilter" else "scrapy"}:
        text = f"2026-12-01 06:10:35 [{name}] ERROR: {message}"
        trace = "Traceback (most recent call last):\n  File 'a.py', line 1, in <module>\nValueError: <GET http://h/b>"
        (found,) = records("scrapy-log", f"{text}\n{trace}\n")
        assert (found.url, found.counts, found.method, found.time) == (
            "http://h/a",
            False,
            "GET",
            1796105435.0,
        )
        assert (found.status, found.hops()) == (None, ())


def test_a_mention_has_its_method() -> None:
    (found,) = records("scrapy-log", f"{SHORT}Retrying <POST http://h/a> (failed 1 times): 503")
    assert (found.method, found.counts) == ("POST", False)
    assert all(
        each.counts
        for each in records("scrapy-log", f"{ENGINE}Crawled (200) <GET http://h/a> (referer: None)")
    )


def test_the_messages_are_those_of_scrapy_as_installed() -> None:
    from scrapy import Request, Spider
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatter
    from twisted.python.failure import Failure

    request, formatter, spider = Request("http://h/a"), LogFormatter(), Spider("a")
    response, failure = Response("http://h/a", request=request), Failure(ValueError("<GET http://h/b>"))
    said = [
        (ENGINE, formatter.crawled(request, response, spider), True),
        (SCRAPER, formatter.download_error(failure, request, spider), False),
        (SCRAPER, formatter.download_error(failure, request, spider, "<x>: y"), False),
        (SCRAPER, formatter.spider_error(failure, request, response, spider), False),
    ]
    for begin, message, counts in said:
        (found,) = records("scrapy-log", f"{begin}{message['msg'] % message['args']}")
        assert (found.url, found.counts) == ("http://h/a", counts)


def test_a_message_cannot_pass_for_another() -> None:
    forged = "http://h/a>%20Crawled%20(200)%20<GET%20http://h/b>"
    (found,) = records(
        "scrapy-log",
        f"{ENGINE}Crawled (200) <GET {forged}> (referer: Crawled (200) <GET http://h/c> (referer: None))",
    )
    assert found.url == forged
