"""RFC 3987 5.3.4: what the servers showed, and what the user asked for by name; nothing else joins here.

Both work on keys of the scheme rung. Observed pairs come first: a source becomes its representative, as the
redirects had it. Then the assumed conventions of the host are projected.
"""

from typing import Protocol

from iri_canon.conventions import Assumed, Convention
from iri_canon.iri import IRI
from iri_canon.parse import parse

#: The clause that licenses an observed pair, and the one that an assumed convention lacks.
OBSERVED_CLAUSE = "RFC 3987 5.3.4: observed permanent redirect to it"
ASSUMED_CLAUSE = "convention, assumed by the user"


class Equivalences(Protocol):
    """What was observed, as the ladder needs it; the stores of `iri_canon.equivalence` have this method."""

    def representative(self, key: str) -> str | None:
        """The key that *key* was observed to redirect to for good, at the end of its chain; None if none."""
        ...


def conventions_for(iri: IRI, assumed: Assumed) -> tuple[Convention, ...]:
    """The assumed conventions that apply to a value of the scheme rung, in the order of their application.

    >>> iri = parse("http://h/")
    >>> [convention.name for convention in conventions_for(iri, Assumed(["www", "https"]))]
    ['https', 'www']
    >>> conventions_for(parse("urn:a:b"), Assumed(["www"]))
    ()
    """
    if not assumed or iri.scheme not in ("http", "https"):
        return ()
    return assumed.for_host(iri.host or "")


def climb(key: str, assumed: Assumed, equivalences: Equivalences | None) -> str:
    """The key of the protocol rung for a key of the scheme rung: `observed`, then each assumed convention.

    >>> climb("http://www.example.com/a/", Assumed(["www", "trailing-slash"]), None)
    'http://example.com/a'
    """
    key = observed(key, equivalences)
    if not assumed:
        return key
    iri = projected = parse(key)
    for convention in conventions_for(iri, assumed):
        projected = convention.project(projected)
    return key if projected is iri else str(projected)


def observed(key: str, equivalences: Equivalences | None) -> str:
    """The representative of a key of the scheme rung, with the key's own fragment; the key where there is none.

    >>> observed("http://example.com/a", None)
    'http://example.com/a'
    """
    if equivalences is None:
        return key
    resource, hash_sign, fragment = key.partition("#")
    representative = equivalences.representative(resource)
    return key if representative is None else f"{representative}{hash_sign}{fragment}"
