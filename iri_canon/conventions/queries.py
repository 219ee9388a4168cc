"""A query is a list of parameters between "&", each known by its whole name.

Source: WHATWG URL section 5.1 (application/x-www-form-urlencoded).
"""

from __future__ import annotations

from collections.abc import Callable

from iri_canon import percent
from iri_canon.conventions.lists import names

#: Triplets of delimiters that carry no structure in a query. Not among them: / ? # % [ ], the & and = of
#: parameters, the + of forms, and the ; that once stood between parameters.
_decode_delimiters = percent.decoder("!$'()*,:@")


def decode_delimiters(query: str) -> str:
    """RFC 3986 2.2 keeps them apart, servers seldom do: a delimiter without a role in the query.

    >>> decode_delimiters("a=%40%2C%26%3D%2B%3B%2F")
    'a=@,%26%3D%2B%3B%2F'
    """
    return _decode_delimiters(query) if "%" in query else query


def as_form(query: str) -> str:
    """WHATWG URL 5.1: ``+`` is a space, and a parameter without ``=`` has an empty value.

    >>> as_form("a+b=c%20d&e"), as_form("a%2Bb="), as_form("")
    ('a%20b=c%20d&e=', 'a%2Bb=', '')
    """
    spaced = query.replace("+", "%20")
    return "&".join([f"{pair}=" if pair and "=" not in pair else pair for pair in spaced.split("&")])


def by_name(query: str) -> str:
    """Custom of servers that look parameters up by name: their order is free, that of repeated names is not.

    >>> by_name("b=1&a=2&b=0"), by_name("a=2&a=1")
    ('a=2&b=1&b=0', 'a=2&a=1')
    """
    return "&".join(sorted(query.split("&"), key=_name)) if "&" in query else query


def without_tracking(query: str) -> str | None:
    """Custom of campaigns: a parameter that is for statistics only (names: data/tracking-params.txt).

    >>> without_tracking("a=1&utm_source=w"), without_tracking("x_utm_source=w"), without_tracking("gclid=1")
    ('a=1', 'x_utm_source=w', None)
    """
    known = names("tracking-params")
    return _without(query, lambda name: name in known)


def without_session(query: str) -> str | None:
    """Custom of sites without cookies: a parameter that holds the session's id (names: data/session-ids.txt).

    >>> without_session("PHPSESSID=9f&a=1"), without_session("a=1&sid=0&b=2"), without_session("sid=0")
    ('a=1', 'a=1&b=2', None)
    """
    known = names("session-ids")
    return _without(query, lambda name: name.lower() in known)


def without_empty(query: str) -> str | None:
    """Custom of browsers' forms: a ``?`` with nothing behind it asks for nothing.

    >>> without_empty(""), without_empty("a")
    (None, 'a')
    """
    return query or None


def _without(query: str, unwanted: Callable[[str], bool]) -> str | None:
    """The query without parameters of unwanted names; None where only separators are left of it."""
    pairs = query.split("&")
    kept = [pair for pair in pairs if not unwanted(_name(pair))]
    if len(kept) == len(pairs):
        return query
    return "&".join(kept) if any(kept) else None


def _name(pair: str) -> str:
    return pair.partition("=")[0]
