"""A difference is explained by the fewest conventions that make it go away, or it is not explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from iri_canon.conventions.catalogue import CONVENTIONS, WEB_SCHEMES, Convention
from iri_canon.iri import IRI

_COMPONENTS = ("scheme", "host", "path", "query")
_UNTOUCHED = ("userinfo", "port", "fragment")


def explaining(source: IRI, target: IRI) -> tuple[str, ...] | None:
    """The smallest set of conventions that joins two canonical IRIs, in order of application.

    () where they are equal; None where no set joins them. Raises nothing.

    >>> a = IRI("http", None, "www.example.com", None, "/a/", "utm_source=x", None)
    >>> explaining(a, a.replace(host="example.com", path="/a", query=None))
    ('tracking-params', 'trailing-slash', 'www')
    >>> explaining(a, a.replace(path="/b")) is None
    True
    """
    if source == target:
        return ()
    if not {source.scheme, target.scheme} <= WEB_SCHEMES:
        return None
    if any(getattr(source, name) != getattr(target, name) for name in _UNTOUCHED):
        return None
    differing = [name for name in _COMPONENTS if getattr(source, name) != getattr(target, name)]

    @cache
    def joined(component: str, conventions: tuple[Convention, ...]) -> bool:
        one, other = target.replace(**{component: getattr(source, component)}), target
        for convention in conventions:
            one, other = convention.project(one), convention.project(other)
        return bool(getattr(one, component) == getattr(other, component))

    # A component that no set joins settles the matter soon: no component has many conventions of its own.
    if not all(any(joined(name, some) for some in _subsets(_touching([name]))) for name in differing):
        return None
    for some in _subsets(_touching(differing)):
        if all(joined(name, tuple(c for c in some if name in c.components)) for name in differing):
            return tuple(convention.name for convention in some)
    return None


def _touching(components: Iterable[str]) -> list[Convention]:
    return [each for each in CONVENTIONS.values() if not each.components.isdisjoint(components)]


def _subsets(conventions: list[Convention]) -> Iterator[tuple[Convention, ...]]:
    """All subsets, small ones first, each in order of application."""
    for size in range(1, len(conventions) + 1):
        yield from combinations(conventions, size)
