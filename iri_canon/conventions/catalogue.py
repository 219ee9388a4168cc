"""A convention is a named, idempotent projection; applied in the one order of this list, none undoes another.

Source: RFC 3987 section 5.3.4 (common conventions).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from iri_canon.conventions import hosts, paths, queries
from iri_canon.errors import ConventionError
from iri_canon.iri import IRI

WEB_SCHEMES: Final = frozenset({"http", "https"})


@dataclass(frozen=True, slots=True)
class Convention:
    """A merge by name. ``project`` takes and gives a canonical IRI: the same object where nothing changed.

    ``components`` are those that it may change.
    """

    name: str
    summary: str
    project: Callable[[IRI], IRI] = field(repr=False)
    components: frozenset[str]


def _in_host(change: Callable[[str], str]) -> Callable[[IRI], IRI]:
    def project(iri: IRI) -> IRI:
        if iri.scheme not in WEB_SCHEMES or iri.host is None:
            return iri
        host = change(iri.host)
        return iri if host == iri.host else iri.replace(host=host)

    return project


def _in_path(change: Callable[[str], str]) -> Callable[[IRI], IRI]:
    def project(iri: IRI) -> IRI:
        if iri.scheme not in WEB_SCHEMES or not iri.host or not iri.path:
            return iri
        path = change(iri.path)
        return iri if path == iri.path else iri.replace(path=path)

    return project


def _in_query(change: Callable[[str], str | None]) -> Callable[[IRI], IRI]:
    def project(iri: IRI) -> IRI:
        if iri.query is None or iri.scheme not in WEB_SCHEMES or not iri.host:
            return iri
        query = change(iri.query)
        return iri if query == iri.query else iri.replace(query=query)

    return project


def _in_both(path: Callable[[str], str], query: Callable[[str], str | None]) -> Callable[[IRI], IRI]:
    in_path, in_query = _in_path(path), _in_query(query)
    return lambda iri: in_query(in_path(iri))


def _secure(iri: IRI) -> IRI:
    # Another port is another server, so the scheme alone is a custom only where no port is named.
    if iri.scheme != "http" or iri.port is not None or not iri.host:
        return iri
    return iri.replace(scheme="https")


_HOST, _PATH, _QUERY = frozenset({"host"}), frozenset({"path"}), frozenset({"query"})

# The order: what uncovers a name comes before what looks for it. Delimiters and spaces first, then case, then
# what is removed from within, then slashes and what ends a path; the order of parameters is last in a query.
_IN_ORDER: Final = (
    Convention(
        "encoded-delims",
        "%40 = @ and other delimiters without a role where they stand",
        _in_both(paths.decode_delimiters, queries.decode_delimiters),
        _PATH | _QUERY,
    ),
    Convention("form-encoding", "+ = %20 in the query, ?a = ?a=", _in_query(queries.as_form), _QUERY),
    Convention("path-case", "/A = /a", _in_path(paths.lower_case), _PATH),
    Convention(
        "session-ids",
        "/a;jsessionid=1 = /a, /(S(1))/a = /a, ?sid=1&a = ?a",
        _in_both(paths.without_session, queries.without_session),
        _PATH | _QUERY,
    ),
    Convention("tracking-params", "?utm_source=x&a = ?a", _in_query(queries.without_tracking), _QUERY),
    Convention("empty-query", "/? = /", _in_query(queries.without_empty), _QUERY),
    Convention("query-order", "?b&a = ?a&b, by name", _in_query(queries.by_name), _QUERY),
    Convention("duplicate-slashes", "//a///b = /a/b", _in_path(paths.single_slashes), _PATH),
    Convention("default-document", "/a/index.html = /a/", _in_path(paths.without_default_document), _PATH),
    Convention("trailing-slash", "/a/ = /a", _in_path(paths.without_trailing_slash), _PATH),
    Convention("https", "http = https, where no port is named", _secure, frozenset({"scheme"})),
    Convention("www", "www.example.com = example.com", _in_host(hosts.without_www), _HOST),
)

CONVENTIONS: Final[Mapping[str, Convention]] = MappingProxyType({each.name: each for each in _IN_ORDER})
"""All conventions by name, in the order of application."""

PRESETS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        # What w3lib.url.canonicalize_url joins beyond RFC 3986. It sorts values too, and reads %2F %3D %3F in a query
        # as the delimiters, which may be other pages and stay apart here.
        "scrapy": ("encoded-delims", "form-encoding", "empty-query", "query-order"),
        # What the keys of web archives (surt) join. They drop userinfo, www with digits and the case of queries too.
        "archive": (
            "path-case",
            "session-ids",
            "empty-query",
            "query-order",
            "duplicate-slashes",
            "trailing-slash",
            "https",
            "www",
        ),
    }
)
"""Sets of conventions by name."""


def select(names: Iterable[str]) -> tuple[Convention, ...]:
    """The conventions of these names, presets expanded, in the order of application.

    Raises ``ConventionError`` for a name that is neither.

    >>> [convention.name for convention in select(["https", "empty-query", "https"])]
    ['empty-query', 'https']
    >>> select(["slash"])
    Traceback (most recent call last):
    iri_canon.errors.ConventionError: unknown convention 'slash'; known are ...
    """
    if isinstance(names, str):
        # A text is a sequence of texts too; its letters are never meant.
        names = (names,)
    chosen: set[str] = set()
    for name in names:
        if name not in CONVENTIONS and name not in PRESETS:
            known = ", ".join([*CONVENTIONS, *PRESETS])
            raise ConventionError(f"unknown convention {name!r}; known are {known}")
        chosen.update(PRESETS.get(name, (name,)))
    return tuple(convention for convention in _IN_ORDER if convention.name in chosen)
