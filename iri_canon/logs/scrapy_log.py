"""Scrapy's log in text says "Crawled" of each answer that a callback got, and "Redirecting" of each redirect.

Source: the messages of Scrapy 1.0 to 2.19 in the default ``LOG_FORMAT``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from iri_canon.logs.records import Bad, Line, Outcome, Place, Record, time_in

_STAMP: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
_ENTRY: Final = re.compile(rf"({_STAMP}) \[([^\]\s]+)\] [A-Z]+: (.*)", re.DOTALL)
_BY_ANY_LOGGER: Final = re.compile(rf"{_STAMP} \[[^\]]+\] [A-Z]+: ")
_REQUEST: Final = r"<([^\s<>]+) (\S+)>"
_CRAWLED: Final = re.compile(rf"Crawled \(([0-9]{{3}})\) {_REQUEST}(?: \[.*\])? \(referer: .*", re.DOTALL)
_REDIRECTING: Final = re.compile(rf"Redirecting \(([^)]+)\) to {_REQUEST} from {_REQUEST}")
_STATUS: Final = re.compile("3[0-9]{2}")
#: All loggers are called "scrapy" before version 1.1, and with LOG_SHORT_NAMES.
_OF_RECORDS: Final = frozenset({"scrapy", "scrapy.core.engine", "scrapy.downloadermiddlewares.redirect"})
_OF_MENTIONS: Final = _OF_RECORDS | {
    "scrapy.core.scraper",
    "scrapy.downloadermiddlewares.retry",
    "scrapy.downloadermiddlewares.robotstxt",
    "scrapy.dupefilters",
    "scrapy.spidermiddlewares.httperror",
    "scrapy_plugin.dupefilter",
}
#: What is said again of a request that there was. One that was kept from being made (off the site, forbidden by
#: robots.txt, too deep) is no URL of the crawl.
_MENTION: Final = re.compile(
    "(?:Filtered duplicate request:|Retrying|Gave up retrying|Discarding|Ignoring response"
    "|Error downloading|Spider error processing|Scraper bug processing) <"
)
_MENTIONED: Final = re.compile(r"([^\s<>]+) (\S+)>(?=[:\s]|\Z)")


def records(lines: Iterable[Line]) -> Iterator[Outcome]:
    """The answers and the redirects of a log; what else it says, tracebacks too, is passed over.

    A request that is only mentioned (filtered as a duplicate, tried again, given up, ignored, failed) is a record that
    does not count. The times of a log have no zone, and are taken for UTC.

    >>> text = "2026-12-01 06:10:35 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://h/a> (referer: None)"
    >>> [(each.url, each.status) for each in records([Line(Place("a.log", 1, 0), text)])]
    [('http://h/a', 200)]
    >>> text = "2026-12-01 06:10:35 [scrapy.dupefilters] DEBUG: Filtered duplicate request: <GET http://h/A> - no more"
    >>> [(each.url, each.counts) for each in records([Line(Place("a.log", 1, 0), text)])]
    [('http://h/A', False)]
    """
    for place, text in lines:
        if text is None:
            yield Bad(place, "longer than a line may be")
        elif found := _ENTRY.fullmatch(text):
            stamp, logger, message = found.groups()
            if logger in _OF_RECORDS and message.startswith("Crawled ("):
                yield _crawled(place, stamp, message)
            elif logger in _OF_RECORDS and message.startswith("Redirecting ("):
                yield _redirecting(place, stamp, message)
            elif logger in _OF_MENTIONS and (mention := _MENTION.match(message)):
                yield _mentioned(place, stamp, message, mention.end())


def is_one(text: str) -> bool:
    """Whether a line looks like one of a log of Scrapy, by whatever logger: the first ones have no request."""
    return _BY_ANY_LOGGER.match(text) is not None


def _crawled(place: Place, stamp: str, message: str) -> Outcome:
    found = _CRAWLED.fullmatch(message)
    if found is None:
        return Bad(place, "no request in a Crawled line")
    status, method, url = found.groups()
    return Record(place=place, url=url, status=int(status), time=time_in(stamp), method=method)


def _redirecting(place: Place, stamp: str, message: str) -> Outcome:
    found = _REDIRECTING.fullmatch(message)
    if found is None:
        return Bad(place, "no requests in a Redirecting line")
    reason, _, target, method, source = found.groups()
    time = time_in(stamp)
    if not _STATUS.fullmatch(reason):  # a refresh: the page answered, with what is not told
        return Record(place=place, url=source, time=time, method=method)
    return Record(place=place, url=source, status=int(reason), location=target, time=time, method=method)


def _mentioned(place: Place, stamp: str, message: str, start: int) -> Outcome:
    found = _MENTIONED.match(message, start)
    if found is None:
        return Bad(place, "no request in a line that mentions one")
    method, url = found.groups()
    if method.isdigit():  # a response is shown by its status, which its Crawled line has told
        method = "GET"
    return Record(place=place, url=url, time=time_in(stamp), method=method, counts=False)
