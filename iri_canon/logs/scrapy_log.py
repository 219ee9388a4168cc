"""Scrapy's log in text says "Crawled" of each answer that a callback got, and "Redirecting" of each redirect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from iri_canon.logs.records import Bad, Line, Outcome, Place, Record, time_in

_STAMP: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
_LOGGERS: Final = r"scrapy(?:\.core\.engine|\.downloadermiddlewares\.redirect)?"
_RECORD: Final = re.compile(rf"({_STAMP}) \[{_LOGGERS}\] [A-Z]+: (.*)", re.DOTALL)
_BY_ANY_LOGGER: Final = re.compile(rf"{_STAMP} \[[^\]]+\] [A-Z]+: ")
_REQUEST: Final = r"<([^\s<>]+) (\S+)>"
_CRAWLED: Final = re.compile(rf"Crawled \(([0-9]{{3}})\) {_REQUEST}(?: \[.*\])? \(referer: .*", re.DOTALL)
_REDIRECTING: Final = re.compile(rf"Redirecting \(([^)]+)\) to {_REQUEST} from {_REQUEST}")
_STATUS: Final = re.compile("3[0-9]{2}")


def records(lines: Iterable[Line]) -> Iterator[Outcome]:
    """The answers and the redirects of a log; what else it says, tracebacks too, is passed over.

    The times of a log have no zone, and are taken for UTC.

    >>> text = "2026-12-01 06:10:35 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://h/a> (referer: None)"
    >>> [(each.url, each.status) for each in records([Line(Place("a.log", 1, 0), text)])]
    [('http://h/a', 200)]
    """
    for place, text in lines:
        if text is None:
            yield Bad(place, "longer than a line may be")
        elif found := _RECORD.fullmatch(text):
            stamp, message = found.groups()
            if message.startswith("Crawled ("):
                yield _crawled(place, stamp, message)
            elif message.startswith("Redirecting ("):
                yield _redirecting(place, stamp, message)


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
