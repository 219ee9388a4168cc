"""RFC 3987 5.3.4: what the servers showed, and what the user asked for by name; nothing else joins here.

Both work on keys of the scheme rung. The assumed conventions of the host come first, so that what they join stays
joined; then a source becomes its representative, as the redirects had it, and so on until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from iri_canon.iri import IRI
from iri_canon.parse import parse

if TYPE_CHECKING:
    from iri_canon.conventions import Assumed, Convention

#: The clause that licenses an observed pair, and the one that an assumed convention lacks.
OBSERVED_CLAUSE = "RFC 3987 5.3.4: observed permanent redirect to it"
ASSUMED_CLAUSE = "convention, assumed by the user"


class Equivalences(Protocol):
    """What was observed, as the ladder needs it; the stores of `iri_canon.equivalence` have this method."""

    def representative(self, key: str) -> str | None:
        """The key that *key* was observed to redirect to for good, at the end of its chain; None if none."""
        ...


def conventions_for(iri: IRI, assumed: Assumed | None) -> tuple[Convention, ...]:
    """The assumed conventions that apply to a value of the scheme rung, in the order of their application.

    >>> from iri_canon.conventions import Assumed
    >>> iri = parse("http://h/")
    >>> [convention.name for convention in conventions_for(iri, Assumed(["www", "https"]))]
    ['https', 'www']
    >>> conventions_for(parse("urn:a:b"), Assumed(["www"]))
    ()
    """
    if not assumed or iri.scheme not in ("http", "https"):
        return ()
    return assumed.for_host(iri.host or "")


class Change(NamedTuple):
    """One change on this rung: its name, what licenses it, the key that it gives."""

    name: str
    clause: str
    after: str


def changes(key: str, assumed: Assumed | None, equivalences: Equivalences | None) -> Iterator[Change]:
    """The changes of a key of the scheme rung, in order; a fragment stays with it.

    >>> from iri_canon.conventions import Assumed
    >>> [change.name for change in changes("http://www.example.com/a/", Assumed(["www", "trailing-slash"]), None)]
    ['trailing-slash', 'www']
    """
    resource, hash_sign, fragment = key.partition("#")
    passed: list[str] = []
    while True:
        for name, projected in _projections(resource, assumed):
            resource = projected
            yield Change(name, ASSUMED_CLAUSE, f"{resource}{hash_sign}{fragment}")
        if resource in passed:
            # Pairs and conventions contradict each other: one key of the circle stands for it, from wherever.
            first = min(passed[passed.index(resource) :])
            if first != resource:
                yield Change("observed-redirect", OBSERVED_CLAUSE, f"{first}{hash_sign}{fragment}")
            return
        passed.append(resource)
        representative = None if equivalences is None else equivalences.representative(resource)
        if representative is None:
            return
        resource = representative
        yield Change("observed-redirect", OBSERVED_CLAUSE, f"{resource}{hash_sign}{fragment}")


def _projections(key: str, assumed: Assumed | None) -> Iterator[tuple[str, str]]:
    """The conventions that change a key, by name, each with the key that it gives."""
    if not assumed:
        return
    iri = parse(key)
    for convention in conventions_for(iri, assumed):
        before, iri = iri, convention.project(iri)
        if iri is not before:
            yield convention.name, str(iri)


def climb(key: str, assumed: Assumed | None, equivalences: Equivalences | None) -> str:
    """The key of the protocol rung for a key of the scheme rung.

    >>> from iri_canon.conventions import Assumed
    >>> climb("http://www.example.com/a/", Assumed(["www", "trailing-slash"]), None)
    'http://example.com/a'
    """
    for change in changes(key, assumed, equivalences):
        key = change.after
    return key
