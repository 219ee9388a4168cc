"""What a scheme says of its authority: the default port, the kind of host, whether a host must be there."""

import re
from dataclasses import replace
from typing import Final

from iri_canon import grammar
from iri_canon.arguments import require
from iri_canon.errors import IriError
from iri_canon.scheme_table import TABLE, Authority, HostKind, Restriction, Scheme

__all__ = ["Authority", "HostKind", "Restriction", "Scheme", "lookup", "register"]

_UNKNOWN: Final = Scheme("")
_ROWS = dict(TABLE)
_NAME = re.compile(grammar.SCHEME)


def lookup(name: str | None) -> Scheme:
    """The row of a scheme in lower case; an unknown scheme knows no port and reads no meaning into hosts.

    >>> lookup("https").default_port, lookup("x-unknown").default_port
    ('443', None)
    >>> lookup("ldap").authority, lookup("ldap").source, lookup("urn").authority
    ('required', 'RFC 4516 2', 'forbidden')
    """
    return _ROWS.get(name or "", _UNKNOWN)


def register(
    name: str, *, default_port: int | None = None, host: HostKind = "opaque", needs_host: bool = False
) -> Scheme:
    """RFC 3987 5.3.3: add a scheme to the table; one that needs a host needs an authority.

    Raises `IriError` for a name that is no scheme, a port out of range, an unknown kind of host, or a scheme
    that is there already with other rules, which the message names; `TypeError` for a port that is no int.
    """
    require(name, str, "a scheme")
    if default_port is not None and type(default_port) is not int:
        raise TypeError(f"the default port of {name!r} is an int, not {default_port!r}")
    if not _NAME.fullmatch(name):
        raise IriError(f"{name!r} is no scheme (RFC 3986 3.1)")
    if default_port is not None and not 0 <= default_port <= 65535:
        raise IriError(f"default port {default_port} of {name!r} is not from 0 to 65535")
    if host not in ("opaque", "dns", "web"):
        raise IriError(f"host kind {host!r} of {name!r} is none of opaque, dns, web")
    port = None if default_port is None else str(default_port)
    authority: Authority = "required" if needs_host else "optional"
    new = Scheme(name.lower(), port, host, needs_host, authority)
    row = _ROWS.setdefault(new.name, new)
    if replace(new, authority=row.authority) != _rules(row):
        there = f"default_port={row.elided_port}, host={row.host!r}, needs_host={row.needs_host}"
        raise IriError(f"scheme {row.name!r} is registered already, with other rules: {there}")
    return row


def _rules(row: Scheme) -> Scheme:
    """The row without what nobody can register: where it comes from, and what only `lint` looks at."""
    bare = replace(row, default_port=row.elided_port, source="", restrictions=())
    return replace(bare, port_counts="", default_host=None)
