"""A feed has an object a line (RFC 8259), or an array of them with one a line, as Scrapy writes both."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from iri_canon.logs.records import Bad, Hop, Line, Outcome, Place, Record, WithoutUrl, number, time_in

STATUSES: Final = ("status", "fetch_status")
DIGESTS: Final = ("digest", "content_digest")
LOCATIONS: Final = ("location", "redirect", "fetch_redirect")
"""The fields of a record that have several names."""

CHAIN: Final = ("redirect_urls", "redirect_reasons")
"""The two lists that Scrapy keeps of a chain of redirects."""

KEYS: Final = (STATUSES, DIGESTS, LOCATIONS, (" with ".join(CHAIN),))
"""What a record can teach by; of each the first that is there counts."""
MOST: Final = 10**9
"""A status is less, and above its negative: a column has no room for more."""
_REFRESH: Final = 0
_SPACE: Final = " \t\r"
#: Lines of an array, also of several behind each other.
_BRACKETS: Final = frozenset({"", "[", "]", "][", ","})


def records(lines: Iterable[Line]) -> Iterator[Outcome]:
    """The records of a feed: ``url``, and where there are any ``status`` or ``fetch_status``, ``digest`` or
    ``content_digest``, ``method``, ``time``, ``mime``; ``location``, ``redirect`` or ``fetch_redirect``; or else
    ``redirect_urls`` with their ``redirect_reasons``.

    >>> line = Line(Place("a.jsonl", 1, 0), '{"url": "http://h/a", "status": 301, "location": "/b"}')
    >>> [each.hops() for each in records([line])]
    [(Hop(source='http://h/a', target='/b', status=301),)]
    """
    for place, text in lines:
        if text is None:
            yield Bad(place, "longer than a line may be")
        elif not is_empty(text):
            yield _record(place, text.strip(_SPACE))


def is_empty(text: str) -> bool:
    """Whether a line has nothing but space, or a bracket of an array."""
    return text.strip(_SPACE) in _BRACKETS


def is_one(text: str) -> bool:
    """Whether a line is one of a feed.

    >>> is_one('[{"url": "http://h/"},'), is_one("{'lxml': '6.1.3',"), is_one("[]")
    (True, False, False)
    """
    stripped = text.strip(_SPACE)
    if not stripped.startswith(("{", "[{")):
        return False
    try:
        return isinstance(json.loads(_without_commas(stripped)), dict)
    except (ValueError, RecursionError):
        return False


def _record(place: Place, text: str) -> Outcome:
    try:
        row = json.loads(_without_commas(text))
    except ValueError:
        return Bad(place, "not JSON")
    except RecursionError:
        return Bad(place, "nested too deeply")
    return record_of(place, row) if isinstance(row, dict) else Bad(place, "not an object")


def _without_commas(text: str) -> str:
    """A row of an array on its own."""
    if text.startswith("[{"):
        text = text[1:]
    text = text.removesuffix(",")
    return text.removesuffix("]") if text.endswith("}]") else text


def record_of(place: Place, row: Mapping[str, Any]) -> Outcome:
    """The record that an object holds."""
    url = row.get("url")
    if url is None or url == "":
        return WithoutUrl(place)
    if not isinstance(url, str):
        return Bad(place, "url is no text")
    return Record(
        place=place,
        url=url,
        status=_status(_first(row, *STATUSES)),
        location=_text(_first(row, *LOCATIONS)),
        digest=_text(_first(row, *DIGESTS)),
        time=time_in(row.get("time")),
        method=_text(row.get("method")) or "GET",
        mime=_text(row.get("mime")) or "",
        led_by=led_by(row, url),
    )


def led_by(row: Mapping[str, Any], url: str) -> tuple[Hop, ...]:
    """The chain that ended at the record, as Scrapy keeps it in ``response.meta``."""
    urls, reasons = map(row.get, CHAIN)
    if not isinstance(urls, list) or not isinstance(reasons, list) or len(urls) != len(reasons):
        return ()
    if not all(isinstance(each, str) for each in urls):
        return ()
    # a refresh has a reason in words
    statuses = [_status(reason) or _REFRESH for reason in reasons]
    return tuple(map(Hop, urls, [*urls[1:], url], statuses))


def _first(row: Mapping[str, Any], *names: str) -> object:
    for name in names:
        value: object = row.get(name)
        if value is not None:
            return value
    return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value not in {"", "-"} else None


def _status(value: object) -> int | None:
    if isinstance(value, str):
        return number(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and -MOST < value < MOST else None
