"""The moment of asking, where a text may tell it: what else a clock or a calendar says is content, and stays."""

from __future__ import annotations

import re
from time import gmtime
from typing import Final

FEW: Final = 3
"""Times of minutes in a page: so many may be the time of asking and the like, more are a timetable."""

NEAR: Final = 180
"""Seconds that a clock may differ from that of the client, whole quarters of an hour of a time zone aside."""

_QUARTER: Final = 900
_DAY_SECONDS: Final = 86_400

_MONTHS_BY_NUMBER: Final = (
    "january jan januar janvier enero",
    "february feb februar février febrero",
    "march mar märz mars marzo",
    "april apr avril abril",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet julio",
    "august aug août agosto",
    "september sept sep septembre septiembre",
    "october oct oktober octobre octubre",
    "november nov novembre noviembre",
    "december dec dezember décembre diciembre",
)
_MONTH_NUMBERS: Final = {
    name: number for number, names in enumerate(_MONTHS_BY_NUMBER, 1) for name in names.split()
}
_MONTHS: Final = "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True))
_WEEKDAYS: Final = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu(?:rs)?|fri|sat|sun"
    "|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
    "|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    "|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
)
_MINUTES: Final = r"(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)"
_HALF: Final = r"(?: ?[ap]\.?m\b\.?)?"
_SECONDS: Final = (
    rf"{_MINUTES}:[0-5]\d(?!\d)(?:[.,]\d{{1,9}}(?!\d))?{_HALF}(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)\b)?"
)
_YEAR: Final = r"(?:19|20)\d\d"
_DAY: Final = (
    rf"(?:(?:{_WEEKDAYS})\.?,? )?(?:"
    rf"{_YEAR}(?P<dash>[-/.])[01]?\d(?P=dash)[0-3]?\d"  # 2026-12-01
    rf"|[0-3]?\d(?P<dot>[-/.])[0-3]?\d(?P=dot){_YEAR}"  # 1.12.2026, 12/1/2026
    rf"|[0-3]?\d(?:\.|st|nd|rd|th|er)?[ -](?:de )?(?:{_MONTHS})\.?,?[ -](?:de )?{_YEAR}"  # 1 December 2026
    rf"|(?:{_MONTHS})\.? [0-3]?\d(?:st|nd|rd|th)?,? {_YEAR}"  # December 1, 2026
    r")"
)
# Where a time may begin: at a number that goes on like one, or a name; with a capital, or each word would be tried.
_START: Final = re.compile(
    r"[0-9A-Z](?<![\w./-].)(?<!\d:.)(?=[^\W\d]{2,9}+\.?,? [0-9A-Z]|\d?[:./ -]|\d{3}[./-]|\d{9}|\d?(?:st|nd|rd|th|er) )"
)
_END: Final = r"(?![\w/]|[.:-]\d)"
_BETWEEN: Final = "(?:T|,? (?:at )?)"
_DAY_AGAIN: Final = _DAY.replace("dash", "slash").replace("dot", "point")  # a group has one name
_TIME: Final = re.compile(
    rf"(?:(?P<stamp>(?:{_DAY}{_BETWEEN})?{_SECONDS}"
    r"|1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?)"  # seconds or milliseconds since 1970, of 2017 to 2033
    rf"|{_DAY_AGAIN}(?:{_BETWEEN}{_MINUTES}{_HALF})?|{_MINUTES}{_HALF}){_END}",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(r"(?<!\d)\d{1,2}:([0-5]\d)(?::([0-5]\d))?")
_NUMBER: Final = re.compile(r"\d{1,9}")
_WORD: Final = re.compile(r"[^\W\d_]{2,12}")
_NO_BREAK_SPACE: Final = re.compile(r"&(?:nbsp|#160|#[xX][aA]0);")


def folded(text: str) -> str:
    """White space, no-break spaces and their references too, as one space.

    >>> folded(" 1&nbsp; December  2026 ")
    '1 December 2026'
    """
    return " ".join(_NO_BREAK_SPACE.sub(" ", text).split())


def without_stamps(text: str, time: float | None) -> str:
    """A folded text without the time at which it was asked for (seconds since 1970; None: not known).

    That is a time of day within ``NEAR`` seconds of it, in whatever time zone, with a day of about then or without one;
    and seconds or milliseconds since 1970. A day alone stays: on the same day it is the same.

    >>> without_stamps("built Tue, 01 Dec 2026 07:10:35 GMT, 1796109035; 3:16, 12 EUR, v1.2.3, 1234567890", 1796109036)
    'built , ; 3:16, 12 EUR, v1.2.3, 1234567890'
    >>> without_stamps("Tue, 01 Dec 2026 07:10:35 GMT", 1796109036 + 7 * 86400)
    'Tue, 01 Dec 2026 07:10:35 GMT'
    """
    if time is None:
        return text
    found: list[re.Match[str]] = []
    end = 0
    for start in _START.finditer(text):
        if start.start() >= end and (stamp := _TIME.match(text, start.start())):
            end = stamp.end()
            if _is_of(stamp[0], time):
                found.append(stamp)
    others = sum(stamp["stamp"] is None for stamp in found)
    gone = [stamp.span() for stamp in found if others <= FEW or stamp["stamp"] is not None]
    ends = [0, *(end for _, end in gone)]
    starts = [*(start for start, _ in gone), len(text)]
    return "".join(text[start:end] for start, end in zip(ends, starts, strict=True))


def _is_of(stamp: str, time: float) -> bool:
    """Whether a stamp may be that of a time."""
    clock = _CLOCK.search(stamp)
    if clock is None:
        return stamp.replace(".", "").isdecimal() and _is_epoch_of(stamp, time)
    seconds = int(clock[1]) * 60 + int(clock[2] or 0)
    apart = (seconds - int(time)) % _QUARTER
    return min(apart, _QUARTER - apart) <= NEAR and _is_near(stamp[: clock.start()], time)


def _is_epoch_of(stamp: str, time: float) -> bool:
    whole = stamp.partition(".")[0]
    seconds = int(whole) / (1000 if len(whole) > 10 else 1)
    return abs(seconds - time) <= NEAR


def _is_near(day: str, time: float) -> bool:
    """Whether a day is one of those that it may be anywhere then; no day is."""
    numbers = {int(number) for number in _NUMBER.findall(day)}
    if not any(number > 99 for number in numbers):
        return True
    months = {_MONTH_NUMBERS.get(word.lower()) for word in _WORD.findall(day)}
    near = (gmtime(time + shift * _DAY_SECONDS) for shift in (-1, 0, 1))
    return any({then.tm_year, then.tm_mday} <= numbers and then.tm_mon in numbers | months for then in near)
