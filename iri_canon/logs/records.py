"""A record is a line with a URL; what a reader makes of a line is a record, or why it is none."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias

_DIGITS: Final = re.compile(r"[0-9]+")
_ISO: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
#: Seconds since 1970 have no more digits for the next 3,000 years: a larger number counts milliseconds.
MOST_SECONDS: Final = 1e11


class Place(NamedTuple):
    """Where a line stands: its number from 1, its offset in octets of the decompressed data."""

    file: str
    line: int
    offset: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: byte {self.offset}"


class Hop(NamedTuple):
    """One redirect. ``target`` is as found, to be resolved against ``source``; ``status`` is None where not told.

    Where it is not told, the answer to ``source`` has it, which is another record. A status that is no redirect (0)
    says that it was none of the protocol (a refresh by the page).
    """

    source: str
    target: str
    status: int | None


@dataclass(frozen=True, slots=True)
class Record:
    """One request and its answer, as a log has it. ``time`` is in seconds since 1970, None where not told."""

    place: Place
    url: str
    status: int | None = None
    location: str | None = None
    """Where the answer redirects to, as found."""
    digest: str | None = None
    """Of the answer's body, as found: ``sha1:ABC``, or hexadecimal digits."""
    time: float | None = None
    method: str = "GET"
    mime: str = ""
    led_by: tuple[Hop, ...] = ()
    """The redirects that led to this request, in order; an earlier record may have shown them as well."""
    counts: bool = True
    """Whether it is a request of its own; what a line only mentions (a retry, a filtered link) adds a spelling."""

    def hops(self) -> tuple[Hop, ...]:
        """All redirects that the record shows."""
        if self.location is None:
            return self.led_by
        return (*self.led_by, Hop(self.url, self.location, self.status))


class WithoutUrl(NamedTuple):
    """A line that is as it should be and has no URL."""

    place: Place


class Bad(NamedTuple):
    """A line that cannot be read; the reason has no part of the line in it, so that reasons can be counted."""

    place: Place
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


Outcome: TypeAlias = Record | WithoutUrl | Bad


class Line(NamedTuple):
    """A line without its end, octets that are no UTF-8 as surrogates; None: it is too long to be one."""

    place: Place
    text: str | None


def number(text: str) -> int | None:
    """The number that ASCII digits write; None for anything else, and for more than a status may have.

    >>> number("200"), number("-"), number("٣")
    (200, None, None)
    """
    return int(text) if len(text) <= 9 and _DIGITS.fullmatch(text) else None


def time_in(value: object) -> float | None:
    """Seconds since 1970 of a number of seconds or milliseconds, ISO 8601, or 14 digits; None for what is none.

    A time without a zone is in UTC.

    >>> time_in("2026-12-01T07:10:35.5+01:00"), time_in("20261201061035"), time_in(1796105435500), time_in("now")
    (1796105435.5, 1796105435.0, 1796105435.5, None)
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _seconds(value)
    if not isinstance(value, str):
        return None
    if _DIGITS.fullmatch(value) and len(value) == 14:
        return _at(value[:4], *(value[start : start + 2] for start in range(4, 14, 2)))
    if found := _ISO.fullmatch(value):
        *parts, fraction, zone = found.groups("")
        time = _at(*parts)
        return None if time is None else time + float(fraction or 0) - _offset(zone)
    try:
        return _seconds(float(value)) if len(value) <= 20 else None
    except ValueError:
        return None


def _seconds(value: float) -> float | None:
    if not 0 <= value < math.inf or value >= MOST_SECONDS * 1000:
        return None
    return float(value) if value < MOST_SECONDS else value / 1000


def _at(*parts: str) -> float | None:
    year, month, day, hour, minute, second = map(int, parts)
    try:  # a leap second is the last one of its minute
        return datetime(
            year, month, day, hour, minute, min(second, 59) if second == 60 else second, tzinfo=UTC
        ).timestamp()
    except ValueError:
        return None


def _offset(zone: str) -> int:
    if zone in {"", "Z"}:
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return minutes * 60 if zone[0] == "+" else -minutes * 60
