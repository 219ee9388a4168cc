"""A finding says what, where and how bad, by which clause, and what to do; it changes nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from iri_canon.lint.subject import Subject


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
    """What the check of a rule gives: where, what is wrong there, and the clause where it is not the rule's own."""

    component: str
    offset: int
    message: str
    clause: str = ""


Check = Callable[[Subject], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table: how bad, by which clause, the check, and what to do about a hit."""

    severity: Severity
    clause: str
    check: Check
    remedy: str


def quoted(text: str) -> str:
    """A piece of text for a message: what is not printable escaped, what is long cut.

    >>> quoted("a\\u200bb"), quoted("a" * 90)[-8:]
    ("'a\\\\u200bb'", "aaaa'...")
    """
    return repr(text) if len(text) <= 40 else f"{text[:40]!r}..."


def named(character: str) -> str:
    """A character by number and name, as Unicode writes it.

    >>> named("\\u200b"), named("\\x07")
    ('U+200B ZERO WIDTH SPACE', 'U+0007')
    """
    from unicodedata import name

    return f"U+{ord(character):04X} {name(character, '')}".rstrip()
