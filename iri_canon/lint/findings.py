"""A finding says what, where and how bad, by which clause, and what to do; it changes nothing."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from iri_canon import percent
from iri_canon.lint.subject import Subject

_RAW_OCTET: Final = re.compile("[\udc80-\udcff]")  # as `percent.octets` reads them


class Severity(IntEnum):
    """How bad a finding is.

    >>> Severity.INFO < Severity.WARNING < Severity.ERROR
    True
    """

    INFO = 1
    WARNING = 2
    ERROR = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: ``offset`` counts code points of the text that was given, ``component`` is a field of `IRI`."""

    rule: str
    component: str
    offset: int
    severity: Severity
    clause: str
    message: str
    remedy: str


class Hit(NamedTuple):
    """What a check gives: where, what is wrong there, and clause and remedy where they are not the rule's."""

    component: str
    offset: int
    message: str
    clause: str = ""
    remedy: str = ""


Check = Callable[[Subject], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table: how bad, by which clause, the check, and what to do about a hit."""

    severity: Severity
    clause: str
    check: Check
    remedy: str


def quoted(text: str) -> str:
    """A piece of text for a message: what is not printable or orders its neighbours by number, what is long cut.

    Raw octets are triplets, as in a URI.

    >>> print(quoted("a\\u200bb"), quoted("\\u05d0-\\udce9"), quoted("a" * 90)[-8:])
    'a\\u200bb' '\\u05d0-%E9' aaaa'...
    """
    seen = unambiguous(repr(_RAW_OCTET.sub(lambda match: percent.triplets(match[0]), text[:40])))
    return seen if len(text) <= 40 else f"{seen}..."


def unambiguous(text: str) -> str:
    """A message with right-to-left characters by number: they would show in another order than they stand in.

    >>> print(unambiguous("1-\\u05d0\\u0662"))
    1-\\u05d0\\u0662
    """
    if text.isascii():
        return text
    from unicodedata import bidirectional

    return "".join(
        each.encode("unicode_escape").decode("ascii") if bidirectional(each) in ("R", "AL", "AN") else each
        for each in text
    )


def octet_in(text: str, offset: int) -> str | None:
    """RFC 3987 3.1 step 1c: the raw octet (surrogateescape) at an offset, as two digits; None where none is.

    >>> octet_in("a\\udce9", 1), octet_in("a\\udce9", 0), octet_in("a", 1)
    ('E9', None, None)
    """
    found = _RAW_OCTET.match(text, offset)
    return f"{ord(found[0]) - 0xDC00:02X}" if found else None
