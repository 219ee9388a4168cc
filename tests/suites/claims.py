"""A claim is two texts, ours and theirs, that must be the same, or must differ."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import iri_canon
from iri_canon import IriError, Rung
from iri_canon.rung2_scheme import reaches
from suites.reader import Row

#: What stands for an answer where there is none.
REFUSED = "(refused)"
#: What this library has no function for.
NO_COUNTERPART = "(no counterpart)"
#: What another test shows.
SHOWN_ELSEWHERE = "(shown by another test)"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a row says of one thing: ``ours`` is computed here, ``theirs`` is the row's."""

    about: str
    ours: str
    theirs: str
    same: bool = True

    @property
    def holds(self) -> bool:
        return (self.ours == self.theirs) is self.same


#: What a kind of row is compared with.
Check = Callable[[Row], Iterator[Claim]]


def canonical(text: str, rung: Rung = Rung.SCHEME) -> str:
    """The canonical form with its fragment; the text itself where it does not parse, as `key` has it."""
    try:
        return iri_canon.canonicalize(text, rung)
    except IriError:
        return text


def alike(about: str, ours: str, theirs: str) -> Claim:
    """That two texts are one up to the scheme rung; where they are not, both in canonical form."""
    return Claim(about, canonical(ours), theirs if canonical(ours) == theirs else canonical(theirs))


def validity(text: str) -> str:
    """ "valid", or where it fails: the parser, the grammar of 2.2, or what the scheme wants of its host."""
    try:
        iri = iri_canon.parse(canonical(text))
        if not iri_canon.is_valid(text, "IRI-reference"):
            return "no IRI reference"
    except IriError:
        return REFUSED
    return "valid" if reaches(iri) or iri.scheme is None else "no host of the scheme"


def valid(text: str, production: str) -> str:
    """What the grammar says, as a text."""
    return str(iri_canon.is_valid(text, production)).lower()


def no_counterpart(row: Row) -> Iterator[Claim]:
    """A function that this library does not have."""
    yield Claim("counterpart", NO_COUNTERPART, str(row.get("expected")))
