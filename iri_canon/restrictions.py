"""RFC 3987 3.1: a scheme may restrict the generic syntax; which of its restrictions does a value break?"""

from collections.abc import Iterator

from iri_canon.iri import IRI
from iri_canon.schemes import Restriction, Scheme, lookup


def broken(iri: IRI) -> Iterator[Restriction]:
    """RFC 3987 3.1, RFC 7595 3.2: the restrictions of the scheme that *iri* breaks, component by component.

    Each names the component ("authority" as a whole, or one of its parts), the clause and the reason. Nothing
    for a relative reference or a scheme that the table lacks.

    >>> from iri_canon.parse import parse
    >>> [(found.component, found.clause) for found in broken(parse("ws://u@example.com/#a"))]
    [('userinfo', 'RFC 6455 3'), ('fragment', 'RFC 6455 3')]
    >>> [found.reason for found in broken(parse("mailto://example.com/"))]
    ['mailto has no authority: "//" does not belong behind the colon']
    >>> list(broken(parse("http://example.com/")))
    []
    """
    row = lookup(iri.scheme.lower() if iri.scheme is not None else None)
    yield from _of_authority(iri, row)
    for restriction in row.restrictions:
        if getattr(iri, restriction.component) is not None:
            yield restriction


def _of_authority(iri: IRI, row: Scheme) -> Iterator[Restriction]:
    if iri.host is None:
        if row.authority == "required":
            yield Restriction(
                "authority", row.source, f'{row.name} needs an authority: "//" and a host behind the colon'
            )
    elif row.authority == "forbidden":
        yield Restriction(
            "authority", row.source, f'{row.name} has no authority: "//" does not belong behind the colon'
        )
    elif iri.host == "" and row.needs_host:
        yield Restriction("host", row.source, f"{row.name} needs a host, and it is empty")
