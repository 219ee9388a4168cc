"""Right-to-left text: RFC 3987 4.1 and 4.2, UAX #9."""

import re
from collections.abc import Iterator
from typing import Final

from iri_canon import bidi
from iri_canon.lint.findings import Hit, quoted
from iri_canon.lint.subject import Subject
from iri_canon.naming import named

_FORMATTING: Final = re.compile(f"[{bidi.FORMATTING}]")
_LATER_FORMATTING: Final = re.compile(f"[{bidi.LATER_FORMATTING}]")


def bidi_formatting(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 4.1: the formatting characters that an IRI must not contain."""
    return _formatting(subject, _FORMATTING)


def later_bidi_formatting(subject: Subject) -> Iterator[Hit]:
    """UAX #9 2: formatting characters that are younger than RFC 3987."""
    return _formatting(subject, _LATER_FORMATTING)


def _formatting(subject: Subject, pattern: re.Pattern[str]) -> Iterator[Hit]:
    for found in subject.beyond_ascii(pattern):
        yield Hit(found.component, found.offset, f"{named(found.text)} changes the order on display")


def bidi_structure(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 4.2: a component of both directions, or a right-to-left one whose ends are not."""
    if not subject.text.isascii():
        for breach in bidi.breaches(subject.iri):
            yield Hit(breach.component, breach.offset, f"{quoted(breach.text)} has {breach.reason}")


def number_beside_rtl(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 4.4: numbers that show in another place than they stand in."""
    if bidi.is_bidirectional(subject.text):
        for found in bidi.numbers_beside_rtl(subject.iri):
            yield Hit(found.component, found.offset, f"{quoted(found.text)}: {found.reason}")
