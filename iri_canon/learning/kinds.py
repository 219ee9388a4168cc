"""A kind of difference is a set of names: of conventions, and of single parameters; none is joined with a list of them.

The conventions are those of `iri_canon.conventions`, but that parameters are learned one by one: `tracking-params` is
no kind, and `session-ids` stands for what stands in a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

from iri_canon.conventions import paths, queries
from iri_canon.conventions.hosts import without_www
from iri_canon.conventions.lists import names
from iri_canon.learning.parts import Parts

PARAMETER: Final = "param:"
"""Before the name of a parameter, where a kind is one."""

MOST_PARAMETERS: Final = 3
"""Parameters that two queries may differ in, so that the pair is of a kind."""

MOST_PAIRS: Final = 200
"""Parameters of a query; a longer one is of no kind but its own."""

Kind: TypeAlias = tuple[str, ...]
"""Names in the order of their application; () for no difference."""

_IN_PATH: Final[dict[str, Callable[[str], str]]] = {
    "encoded-delims": paths.decode_delimiters,
    "path-case": paths.lower_case,
    "session-ids": paths.without_session,
    "duplicate-slashes": paths.single_slashes,
    "default-document": paths.without_default_document,
    "trailing-slash": paths.without_trailing_slash,
}
_SPELT: Final[dict[str, Callable[[str], str]]] = {
    "encoded-delims": queries.decode_delimiters,
    "form-encoding": queries.as_form,
}
_IN_QUERY: Final[dict[str, Callable[[str], str | None]]] = {
    **_SPELT,
    "empty-query": queries.without_empty,
    "query-order": queries.by_name,
}
LEARNABLE: Final = tuple(dict.fromkeys([*_SPELT, *_IN_PATH, *_IN_QUERY, "https", "www"]))
"""The conventions that can be learned: with parameters, in order of their application within each part."""


class Projection:
    """What conventions and parameters of these names make of a key: idempotent, as each of them is.

    >>> from iri_canon.learning.parts import split
    >>> str(Projection(["trailing-slash", "param:sid", "https"])(split("http://a.example/b/?sid=1&c=2")))
    'https://a.example/b?c=2'
    """

    __slots__ = (
        "_after",
        "_before",
        "_in_path",
        "_secure",
        "_without_www",
        "moves",
        "parameters",
        "reads_names",
        "reads_queries",
        "reads_slash",
    )

    def __init__(self, kind: Iterable[str]) -> None:
        chosen = frozenset(kind)
        self._in_path = [change for name, change in _IN_PATH.items() if name in chosen]
        self._before = [change for name, change in _SPELT.items() if name in chosen]
        self.parameters = frozenset(
            name.removeprefix(PARAMETER) for name in chosen if name.startswith(PARAMETER)
        )
        self._after = [change for name, change in _IN_QUERY.items() if name in chosen and name not in _SPELT]
        self._secure = "https" in chosen
        self._without_www = "www" in chosen
        # What may change is seen without a call where nothing does: most keys are as they should be.
        self.reads_names = not chosen.isdisjoint(("path-case", "default-document"))
        """Whether a path may change that has no ``%``, ``;``, ``//`` or ``/(``, and no slash at its end."""
        self.reads_slash = "trailing-slash" in chosen
        """Whether that slash goes, but at the root and behind a name with a dot: only ``path`` can tell there."""
        self.reads_queries = bool(self._before or self._after)
        """Whether a query may change that has none of the ``parameters``."""
        self.moves = self._secure or self._without_www
        """Whether it may change what stands before the path."""

    def __call__(self, parts: Parts) -> Parts:
        """The parts of the projected key; equal ones where nothing changes."""
        scheme, userinfo, host, port, path, query = parts
        path = self.path(path)
        if query is not None:
            query = self.query(query)
        # Another port is another server, so the scheme alone is a custom only where no port is named.
        if self._secure and not port:
            scheme = "https"
        if self._without_www:
            host = without_www(host)
        return Parts(scheme, userinfo, host, port, path, query)

    def path(self, path: str) -> str:
        """The same of a path alone."""
        for change in self._in_path:
            path = change(path)
        return path

    def query(self, query: str) -> str | None:
        """The same of a query alone; None where nothing is left of it."""
        for change in self._before:
            query = change(query) or ""
        found: str | None = query
        for name in self.parameters:
            if name in query:
                found = without(query, self.parameters)
                break
        for shorten in self._after:
            if found is not None:
                found = shorten(found)
        return found


@lru_cache(4096)
def projection(kind: Kind) -> Projection:
    """The projection of a kind."""
    return Projection(kind)


def without(query: str, unwanted: Iterable[str]) -> str | None:
    """The query without the parameters of these names; None where only separators are left of it.

    >>> without("a=1&sid=2&b", {"sid"}), without("sid=2", {"sid"}), without("a&&b", {"c"})
    ('a=1&b', None, 'a&&b')
    """
    if "&" not in query:
        return None if query.partition("=")[0] in unwanted else query
    pairs = query.split("&")
    kept = [pair for pair in pairs if pair.partition("=")[0] not in unwanted]
    if len(kept) == len(pairs):
        return query
    return "&".join(kept) if any(kept) else None


def parameters(query: str | None) -> dict[str, list[str]]:
    """The parameters of a query with all that each name has, in order.

    >>> parameters("a=1&b&a=2")
    {'a': ['a=1', 'a=2'], 'b': ['b']}
    """
    found: dict[str, list[str]] = {}
    for pair in (query or "").split("&"):
        if pair:
            found.setdefault(pair.partition("=")[0], []).append(pair)
    return found


def is_listed(name: str) -> bool:
    """Whether a parameter is known to be for statistics or for a session, so that a redirect may drop it.

    >>> is_listed("utm_source"), is_listed("PHPSESSID"), is_listed("id")
    (True, True, False)
    """
    return name in names("tracking-params") or name.lower() in names("session-ids")


def kind_of(one: Parts, other: Parts) -> Kind | None:
    """The fewest names that make two keys one; () where they are, None where no names do.

    >>> from iri_canon.learning.parts import split
    >>> kind_of(split("http://a.example/b/?sid=1"), split("https://a.example/b?sid=2"))
    ('trailing-slash', 'param:sid', 'https')
    >>> kind_of(split("http://a.example/b"), split("http://a.example/c")) is None
    True
    """
    if one.userinfo != other.userinfo or one.port != other.port:
        return None
    found: set[str] = set()
    if one.scheme != other.scheme:
        if one.port:
            return None
        found.add("https")
    if one.host != other.host:
        if without_www(one.host) != without_www(other.host):
            return None
        found.add("www")
    for difference in (_in_paths(one.path, other.path), _in_queries(one.query, other.query)):
        if difference is None:
            return None
        found.update(difference)
    return ordered(found)


def ordered(kind: Iterable[str]) -> Kind:
    """The names of a kind in their one order: conventions of the path and the query, parameters, scheme and host."""
    chosen = frozenset(kind)
    single = sorted(name for name in chosen if name.startswith(PARAMETER))
    before = [name for name in LEARNABLE if name in chosen and name not in ("https", "www")]
    return (*before, *single, *(name for name in ("https", "www") if name in chosen))


def _in_paths(one: str, other: str) -> Iterable[str] | None:
    if one == other:
        return ()
    return next((some for some in _subsets(_IN_PATH) if _path(one, some) == _path(other, some)), None)


def _path(path: str, chosen: Iterable[str]) -> str:
    for name in chosen:
        path = _IN_PATH[name](path)
    return path


def _in_queries(one: str | None, other: str | None) -> Iterable[str] | None:
    if one == other:
        return ()
    if any(query is not None and query.count("&") > MOST_PAIRS for query in (one, other)):
        return None
    # What some conventions join all of them join, so most pairs are settled before any subset is tried.
    if _query(one, _IN_QUERY) == _query(other, _IN_QUERY):
        return next(some for some in _subsets(_IN_QUERY) if _query(one, some) == _query(other, some))
    least = _differing(_query(one, _SPELT), _query(other, _SPELT))
    if not 1 <= len(least) <= MOST_PARAMETERS:
        return None
    if _query(one, _IN_QUERY, least) != _query(other, _IN_QUERY, least):
        return None
    found: list[set[str]] = []
    for spelt in ((), *_subsets(_SPELT)):
        single = _differing(_query(one, spelt), _query(other, spelt))
        # Spelling alike costs a name at least, and leaves `least` to differ.
        if found and len(spelt) + len(least) >= len(found[0]):
            break
        rest = [name for name in _IN_QUERY if name not in _SPELT]
        for some in ((), *_subsets(rest)):
            if _query(one, (*spelt, *some), single) == _query(other, (*spelt, *some), single):
                found.append({*spelt, *some, *(PARAMETER + name for name in single)})
                break
    return min(found, key=len, default=None)


def _query(query: str | None, conventions: Iterable[str], single: Iterable[str] = ()) -> str | None:
    """What conventions, in order of application, make of a query without some parameters."""
    dropped = not single
    for name in conventions:
        if not dropped and name not in _SPELT:
            query, dropped = None if query is None else without(query, single), True
        if query is not None:
            query = _IN_QUERY[name](query)
    return query if dropped or query is None else without(query, single)


def _differing(one: str | None, other: str | None) -> set[str]:
    here, there = parameters(one), parameters(other)
    return {name for name in {*here, *there} if here.get(name) != there.get(name)}


def sign(source: Parts, target: Parts, name: str) -> str:
    """On which side of a pair a convention finds something to change.

    ``+``: at the source only; ``-``: at the target only; ``?``: at both or none, so that it has no direction.

    >>> from iri_canon.learning.parts import split
    >>> pair = split("http://a.example/b/"), split("https://www.a.example/b")
    >>> [sign(*pair, name) for name in kind_of(*pair)]
    ['+', '+', '-']
    """
    change = projection((name,))
    in_source, in_target = change(source) != source, change(target) != target
    if in_source == in_target:
        return "?"
    return "+" if in_source else "-"


def _subsets(of: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """All subsets but the empty one, small ones first, each in the order given."""
    every = tuple(of)
    for size in range(1, len(every) + 1):
        yield from combinations(every, size)
