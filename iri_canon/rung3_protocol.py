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
_SCHEMES = ("http:", "https:")


class Equivalences(Protocol):
    """What was observed, as the ladder needs it; the stores of `iri_canon.equivalence` have this method."""

    def representative(self, key: str) -> str | None:
        """The key that *key* was observed to redirect to for good, at the end of its chain; None if none."""
        ...


def conventions_for(key: str, assumed: Assumed) -> tuple[Convention, ...]:
    """The assumed conventions that apply to a key of the scheme rung, in the order of their application.

    >>> [convention.name for convention in conventions_for("http://h/", Assumed(["www", "https"]))]
    ['https', 'www']
    >>> conventions_for("urn:a:b", Assumed(["www"]))
    ()
    """
    if not assumed or not key.startswith(_SCHEMES):
        return ()
    return assumed.for_host(parse(key).host or "")


def project(iri: IRI, conventions: tuple[Convention, ...]) -> IRI:
    """*iri* through each convention in turn; the same object where none of them changes it."""
    for convention in conventions:
        iri = convention.project(iri)
    return iri
