"""A crawl.log of Heritrix has a line a URI; a hop path that ends in R says that its via redirected to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from iri_canon.logs.records import Bad, Hop, Line, Outcome, Place, Record, number, time_in

#: Time, status, size, URI, hop path, via, MIME type, thread, begin and duration, digest; the source's tag and
#: annotations, which may have spaces, follow.
_COLUMNS: Final = 10
_STAMP: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z\s+-?[0-9]")
_HOP_PATH: Final = re.compile(r"[A-Z]+|(?:[0-9]+\+)[A-Z]+|-")
_NONE: Final = "-"


def records(lines: Iterable[Line]) -> Iterator[Outcome]:
    """The records of a crawl.log. The status of a redirect is that of the line of its via.

    >>> text = "2026-12-01T06:10:35.000Z 200 9 http://h/b LR http://h/a text/html #001 20261201061034000+9 sha1:A - -"
    >>> [each.hops() for each in records([Line(Place("crawl.log", 1, 0), text)])]
    [(Hop(source='http://h/a', target='http://h/b', status=None),)]
    """
    for place, text in lines:
        if text is None:
            yield Bad(place, "longer than a line may be")
        elif text.strip():
            yield _record(place, text.split(None, _COLUMNS))


def is_one(text: str) -> bool:
    """Whether a line looks like one of a crawl.log."""
    return _STAMP.match(text) is not None


def _record(place: Place, fields: list[str]) -> Outcome:
    if len(fields) < _COLUMNS:
        return Bad(place, "not as many columns as there should be")
    stamp, status, _, url, path, via, mime, _, _, digest = fields[:_COLUMNS]
    time = time_in(stamp)
    if time is None:
        return Bad(place, "the time is none")
    negative = status.startswith("-")
    code = number(status[negative:])
    if code is None:
        return Bad(place, "the status is no number")
    if not _HOP_PATH.fullmatch(path):
        return Bad(place, "the hop path is none")
    led_by = (Hop(via, url, None),) if path.endswith("R") and via != _NONE else ()
    return Record(
        place=place,
        url=url,
        status=-code if negative else code,
        digest=None if digest == _NONE else digest,
        time=time,
        mime="" if mime == _NONE else mime,
        led_by=led_by,
    )
