"""What a scheme says of its authority: the default port, the kind of host, whether a host must be there."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from iri_canon import grammar
from iri_canon.errors import IriError

HostKind = Literal["opaque", "dns", "web"]


@dataclass(frozen=True, slots=True)
class Scheme:
    """One row of the table.

    ``host`` is "dns" where the host is a domain name (IDNs become A-labels), "web" where numbers are read as
    IPv4 addresses besides (as URL parsers of the http family do), else "opaque".
    """

    name: str
    default_port: str | None = None
    host: HostKind = "opaque"
    needs_host: bool = False


_UNKNOWN: Final = Scheme("")

# Ports: the IANA service name registry, and the RFC that defines each scheme.
_TABLE: Final = {
    row.name: row
    for row in (
        Scheme("http", "80", "web", needs_host=True),  # RFC 9110 4.2.1
        Scheme("https", "443", "web", needs_host=True),  # RFC 9110 4.2.2
        Scheme("ws", "80", "web", needs_host=True),  # RFC 6455 3
        Scheme("wss", "443", "web", needs_host=True),  # RFC 6455 3
        Scheme("ftp", "21", "web"),  # RFC 1738 3.2
        Scheme("ftps", "990", "dns"),
        Scheme("sftp", "22", "dns"),
        Scheme("ssh", "22", "dns"),
        Scheme("git", "9418", "dns"),
        Scheme("svn", "3690", "dns"),
        Scheme("ldap", "389", "dns"),  # RFC 4516 2
        Scheme("ldaps", "636", "dns"),
        Scheme("gopher", "70", "dns"),  # RFC 4266 2
        Scheme("telnet", "23", "dns"),  # RFC 4248 2
        Scheme("imap", "143", "dns"),  # RFC 5092 3
        Scheme("pop", "110", "dns"),  # RFC 2384 4
        Scheme("nntp", "119", "dns"),  # RFC 5538 2
        Scheme("rtsp", "554", "dns"),  # RFC 7826 4.2
        Scheme("sip"),  # RFC 3261 19.1.4: a default port written out is another URI
        Scheme("sips"),
        Scheme("file", None, "dns"),  # RFC 8089
        Scheme("urn"),  # RFC 8141
        Scheme("mailto"),  # RFC 6068
        Scheme("news"),
        Scheme("tel"),
        Scheme("data"),
        Scheme("javascript"),
    )
}
_NAME = re.compile(grammar.SCHEME)


def lookup(name: str | None) -> Scheme:
    """The row of a scheme in lower case; an unknown scheme knows no port and reads no meaning into hosts.

    >>> lookup("https").default_port, lookup("x-unknown").default_port
    ('443', None)
    """
    return _TABLE.get(name or "", _UNKNOWN)


def register(
    name: str, *, default_port: int | None = None, host: HostKind = "opaque", needs_host: bool = False
) -> Scheme:
    """RFC 3987 5.3.3: add a scheme to the table.

    Raises `IriError` for a name that is no scheme, a port out of range, an unknown kind of host, or a scheme
    that is there already with other rules.
    """
    if not _NAME.fullmatch(name):
        raise IriError(f"{name!r} is no scheme (RFC 3986 3.1)")
    is_port = type(default_port) is int and 0 <= default_port <= 65535
    if default_port is not None and not is_port:
        raise IriError(f"default port {default_port} of {name!r} is not from 0 to 65535")
    if host not in ("opaque", "dns", "web"):
        raise IriError(f"host kind {host!r} of {name!r} is none of opaque, dns, web")
    row = Scheme(name.lower(), None if default_port is None else str(default_port), host, needs_host)
    if _TABLE.setdefault(row.name, row) != row:
        raise IriError(f"scheme {row.name!r} is registered already, with other rules")
    return row
