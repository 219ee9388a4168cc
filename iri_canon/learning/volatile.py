"""The moment of asking, where a text may tell it: what else a clock or a calendar says is content, and stays."""

from __future__ import annotations

import re
from time import gmtime
from typing import Final

NEAR: Final = 180
"""Seconds that a clock may differ from that of the client, whole quarters of an hour of a time zone aside."""

FEW: Final = 3
"""Times of minutes that are left out of a page: so many may be the moment of asking, more are a timetable."""

_QUARTER: Final = 900
_DAY_SECONDS: Final = 86_400
_LOOK_BACK: Final = 40
"""Characters before a time in which its day stands."""

_CLOCK: Final = re.compile(r"\d{1,2}:([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,9})?)?")
_EPOCH: Final = re.compile(r"1[5-9]\d{8}(?:\d{3})?")
_PART_OF_A_NUMBER: Final = frozenset("0123456789:.,")

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
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBER: Final = re.compile(r"\d{1,9}")
_WORD: Final = re.compile(r"[^\W\d_]{3,12}")
_NO_BREAK_SPACE: Final = re.compile(r"&(?:nbsp|#160|#[xX][aA]0);")


def folded(text: str) -> str:
    """White space, no-break spaces and their references too, as one space.

    >>> folded(" 1&nbsp; December  2026 ")
    '1 December 2026'
    """
    if "&" in text:
        text = _NO_BREAK_SPACE.sub(" ", text)
    return " ".join(text.split())


def without_stamps(text: str, time: float | None) -> str:
    """A text without the time at which it was asked for (seconds since 1970; None: not known).

    That is a time of day within ``NEAR`` seconds of it, in whatever time zone, unless a day of another time stands
    before it; and seconds or milliseconds since 1970. Days stay: at the same moment they are the same.

    >>> without_stamps("built Tue, 01 Dec 2026 07:10:35 GMT, 1796109035; 3:16, 12 EUR, v1.2.3, 1234567890", 1796109036)
    'built Tue, 01 Dec 2026  GMT, ; 3:16, 12 EUR, v1.2.3, 1234567890'
    >>> without_stamps("Tue, 01 Dec 2026 07:10:35 GMT", 1796109036 + 7 * 86400)
    'Tue, 01 Dec 2026 07:10:35 GMT'
    """
    if time is None:
        return text
    clocks = [found for found in _CLOCK.finditer(text) if _is_of(found, text, time)]
    of_minutes = sum(found[2] is None for found in clocks)
    gone = [found.span() for found in clocks if of_minutes <= FEW or found[2] is not None]
    gone += [found.span() for found in _EPOCH.finditer(text) if _is_epoch_of(found, text, time)]
    gone.sort()
    ends = [0, *(end for _, end in gone)]
    starts = [*(start for start, _ in gone), len(text)]
    return "".join(text[start:end] for start, end in zip(ends, starts, strict=True))


def _is_whole(found: re.Match[str], text: str) -> bool:
    """Whether digits are no part of a longer number."""
    before, after = text[max(found.start() - 1, 0) : found.start()], text[found.end() : found.end() + 1]
    return before not in _PART_OF_A_NUMBER and not after.isdigit() and after != ":"


def _is_of(clock: re.Match[str], text: str, time: float) -> bool:
    """Whether a time of day may be that of a moment."""
    apart = (int(clock[1]) * 60 + int(clock[2] or 0) - int(time)) % _QUARTER
    if min(apart, _QUARTER - apart) > NEAR or not _is_whole(clock, text):
        return False
    return _is_near(text[max(clock.start() - _LOOK_BACK, 0) : clock.start()], time)


def _is_epoch_of(found: re.Match[str], text: str, time: float) -> bool:
    seconds = int(found[0]) / (1000 if len(found[0]) > 10 else 1)
    return abs(seconds - time) <= NEAR and _is_whole(found, text)


def _is_near(day: str, time: float) -> bool:
    """Whether a day in a text is one of those that it may be anywhere at a moment; no day is."""
    if not _YEAR.search(day):
        return True
    numbers = {int(number) for number in _NUMBER.findall(day)}
    months = {_MONTH_NUMBERS.get(word.lower()) for word in _WORD.findall(day)}
    near = (gmtime(time + shift * _DAY_SECONDS) for shift in (-1, 0, 1))
    return any({then.tm_year, then.tm_mday} <= numbers and then.tm_mon in numbers | months for then in near)
