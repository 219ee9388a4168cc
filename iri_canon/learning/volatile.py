"""What changes from one answer to the next though the page is the same: tokens, and the time of day.

Everything else stays: prices, other numbers, page numbers, names, codes of products. What is left out is left out of
the text alone, never out of the name of a page or an image, where a hash or a date is a name.
"""

from __future__ import annotations

import re
from typing import Final

FEW: Final = 3
"""Days and times of minutes in a page: so many are the date of today and the like, more are a timetable: content."""

_MONTHS: Final = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    "|januar|februar|märz|mai|juni|juli|oktober|dezember"
    "|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    "|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
)
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
_TOKEN_SIZE: Final = 16
_TOKEN: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    r"|(?=[A-Za-z]*+[0-9])(?=[0-9]*+[A-Za-z])[A-Za-z0-9]{16,}+"  # `_TOKEN_SIZE`
    r")(?![A-Za-z0-9])"
)
_NO_BREAK_SPACE: Final = re.compile(r"&(?:nbsp|#160|#[xX][aA]0);")


def folded(text: str) -> str:
    """White space, no-break spaces and their references too, as one space.

    >>> folded(" 1&nbsp; December  2026 ")
    '1 December 2026'
    """
    return " ".join(_NO_BREAK_SPACE.sub(" ", text).split())


def without_stamps(text: str) -> str:
    """A folded text without times with seconds (and their day), and without days and other times if they are few.

    Seconds and milliseconds since 1970 are times with seconds.

    >>> without_stamps("built Tue, 01 Dec 2026 07:10:35 GMT, 1796109035; 3:16, 12 EUR, v1.2.3, 1234567890")
    'built , ; , 12 EUR, v1.2.3, 1234567890'
    >>> without_stamps("trains: 8:15 9:15 10:15 11:15")
    'trains: 8:15 9:15 10:15 11:15'
    """
    found: list[re.Match[str]] = []
    end = 0
    for start in _START.finditer(text):
        if start.start() >= end and (time := _TIME.match(text, start.start())):
            found.append(time)
            end = time.end()
    others = sum(time["stamp"] is None for time in found)
    gone = [time.span() for time in found if others <= FEW or time["stamp"] is not None]
    ends = [0, *(end for _, end in gone)]
    starts = [*(start for start, _ in gone), len(text)]
    return "".join(text[start:end] for start, end in zip(ends, starts, strict=True))


def without_tokens(text: str) -> str:
    """A text without UUIDs, and without runs of at least 16 letters and digits that mix both.

    >>> without_tokens("a 0123456789abcdef b 0123456789abcde c 01234567890123456789 incomprehensibility")
    'a  b 0123456789abcde c 01234567890123456789 incomprehensibility'
    """
    return " ".join(word if len(word) < _TOKEN_SIZE else _TOKEN.sub("", word) for word in text.split(" "))
