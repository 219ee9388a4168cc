"""One row a scheme, each fact from the specification named in it; `docs/schemes.md` is made from these rows.

All that the IANA registry listed as permanent on 2022-11-18, those of RFC 9393 since, and some that crawls meet
besides. A default port is one that a
specification states in so many words; where a URI without a port is looked up in another way (SRV records), or
where the specification compares ports as written, a port written out is another identifier.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

HostKind = Literal["opaque", "dns", "web"]
Authority = Literal["required", "optional", "forbidden"]


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a scheme says of a component that the generic syntax allows: the clause, and why it may not be there."""

    component: str
    clause: str
    reason: str


@dataclass(frozen=True, slots=True)
class Scheme:
    """One row of the table.

    ``host`` is "dns" where the host is a domain name (IDNs become A-labels), "web" where numbers are read as
    IPv4 addresses besides (as URL parsers of the http family do), else "opaque". ``port_counts`` says why the
    default port written out is another identifier; empty: it goes without saying. ``default_host`` is what
    an empty host stands for (RFC 3986 3.2.2). ``source`` is the clause that defines the syntax.
    """

    name: str
    default_port: str | None = None
    host: HostKind = "opaque"
    needs_host: bool = False
    authority: Authority = "optional"
    source: str = ""
    restrictions: tuple[Restriction, ...] = ()
    port_counts: str = ""
    default_host: str | None = None

    @property
    def elided_port(self) -> str | None:
        """RFC 3986 6.2.3: the port that may be left out without a difference."""
        return None if self.port_counts or self.authority == "forbidden" else self.default_port


def _server(
    name: str,
    port: int | None,
    source: str,
    *restrictions: Restriction,
    host: HostKind = "dns",
    port_counts: str = "",
) -> Scheme:
    """A scheme that begins with "//" and a host that must be there."""
    default_port = None if port is None else str(port)
    return Scheme(name, default_port, host, True, "required", source, restrictions, port_counts)


def _opaque(name: str, source: str, *restrictions: Restriction, port: int | None = None) -> Scheme:
    """A scheme without "//": what looks like a host in it is part of the path."""
    default_port = None if port is None else str(port)
    return Scheme(name, default_port, authority="forbidden", source=source, restrictions=restrictions)


def _lacks(clause: str, *components: str) -> Iterator[Restriction]:
    """Components that the syntax of the scheme has no place for."""
    for component in components:
        yield Restriction(component, clause, f"the syntax of the scheme has no {component}")


_HTTP_USERINFO = Restriction(
    "userinfo", "RFC 9110 4.2.4", "deprecated: it is mistaken for the host, and passwords leak with the URL"
)
_BY_SRV = "without a port the server is looked up by SRV records"

_WEB = (
    _server("http", 80, "RFC 9110 4.2.1", _HTTP_USERINFO, host="web"),
    _server("https", 443, "RFC 9110 4.2.2", _HTTP_USERINFO, host="web"),
    _server("ws", 80, "RFC 6455 3", *_lacks("RFC 6455 3", "userinfo", "fragment"), host="web"),
    _server("wss", 443, "RFC 6455 3", *_lacks("RFC 6455 3", "userinfo", "fragment"), host="web"),
    _server("ftp", 21, "RFC 1738 3.2", host="web"),
    _server("shttp", None, "RFC 2660"),
)

_SERVERS = (
    _server("aaa", 3868, "RFC 6733 4.3.1", *_lacks("RFC 6733 4.3.1", "userinfo", "query", "fragment")),
    _server("aaas", 5658, "RFC 6733 4.3.1", *_lacks("RFC 6733 4.3.1", "userinfo", "query", "fragment")),
    _server("acap", 674, "RFC 2244"),
    Scheme("cap", "1026", "dns", source="RFC 4324"),
    _server("coap", 5683, "RFC 7252 6.1", *_lacks("RFC 7252 6.1", "userinfo")),
    _server("coaps", 5684, "RFC 7252 6.2", *_lacks("RFC 7252 6.2", "userinfo")),
    _server("coap+tcp", 5683, "RFC 8323 8.1", *_lacks("RFC 8323 8.1", "userinfo")),
    _server("coaps+tcp", 5684, "RFC 8323 8.2", *_lacks("RFC 8323 8.2", "userinfo")),
    _server("coap+ws", 80, "RFC 8323 8.3", *_lacks("RFC 8323 8.3", "userinfo")),
    _server("coaps+ws", 443, "RFC 8323 8.4", *_lacks("RFC 8323 8.4", "userinfo")),
    _server("crid", None, "RFC 4078", *_lacks("RFC 4078", "userinfo", "port")),
    _server("dict", 2628, "RFC 2229 5"),
    Scheme("dns", None, "dns", source="RFC 4501 3", restrictions=tuple(_lacks("RFC 4501 3", "userinfo"))),
    Scheme("dtn", authority="optional", source="RFC 9171 4.2.5.1.1"),
    Scheme(
        "go",
        "1096",
        "dns",
        source="RFC 3368 3.2",
        port_counts="the default is for clients that know of no other port",
        default_host="localhost",
    ),
    _server("gopher", 70, "RFC 4266 2"),
    _server("icap", 1344, "RFC 3507 4.2"),
    _server("imap", 143, "RFC 5092 3"),
    _server("ipp", 631, "RFC 3510 4", *_lacks("RFC 3510 4", "userinfo")),
    _server("ipps", 631, "RFC 7472 4", *_lacks("RFC 7472 4", "userinfo")),
    Scheme(
        "ldap",
        "389",
        "dns",
        authority="required",
        source="RFC 4516 2",
        restrictions=tuple(_lacks("RFC 4516 2", "userinfo")),
    ),
    _server("msrp", 2855, "RFC 4975 6", port_counts="ports are compared as they are written (6.1)"),
    _server("msrps", 2855, "RFC 4975 6", port_counts="ports are compared as they are written (6.1)"),
    _server("mtqp", 1038, "RFC 3887", port_counts=_BY_SRV),
    _server("mupdate", 3905, "RFC 3656"),
    Scheme("news", None, "dns", source="RFC 5538 2"),
    Scheme("nfs", "2049", "dns", source="RFC 2224 2", restrictions=tuple(_lacks("RFC 2224 2", "userinfo"))),
    Scheme("ni", None, "dns", source="RFC 6920 3"),
    _server("nntp", 119, "RFC 5538 2"),
    _server("pop", 110, "RFC 2384 4", *_lacks("RFC 2384 4", "query")),
    _server("reload", None, "RFC 6940 14.15", *_lacks("RFC 6940 14.15", "port")),
    _server("rtsp", 554, "RFC 7826 4.2"),
    _server("rtsps", 322, "RFC 7826 4.2"),
    _server("rtspu", 554, "RFC 2326 3.2"),
    _server("sieve", 4190, "RFC 5804 3", port_counts=f"{_BY_SRV} (1.8)"),
    _server("snmp", 161, "RFC 4088"),
    _server("soap.beep", 605, "RFC 4227", port_counts=_BY_SRV),
    _server("soap.beeps", 605, "RFC 4227", port_counts=_BY_SRV),
    _server("telnet", 23, "RFC 4248 2"),
    _server("tftp", None, "RFC 3617", *_lacks("RFC 3617", "userinfo", "port")),
    _server("tip", 3372, "RFC 2371"),
    _server("tn3270", 23, "RFC 6270 2"),
    _server("vemmi", 575, "RFC 2122"),
    Scheme("vnc", "5900", "dns", authority="required", source="RFC 7869 2"),
    _server("xmlrpc.beep", 602, "RFC 3529", port_counts=_BY_SRV),
    _server("xmlrpc.beeps", 602, "RFC 3529", port_counts=_BY_SRV),
    Scheme("xmpp", None, "dns", source="RFC 5122 2.2", restrictions=tuple(_lacks("RFC 5122 2.2", "port"))),
    _server("z39.50r", 210, "RFC 2056"),
    _server("z39.50s", 210, "RFC 2056"),
)

_LOCAL = (
    Scheme(
        "file",
        None,
        "dns",
        source="RFC 8089 2",
        restrictions=tuple(_lacks("RFC 8089 2", "userinfo", "port", "query")),
        default_host="localhost",
    ),
    Scheme("example", source="RFC 7595 8"),
)

_WITHOUT_AUTHORITY = (
    _opaque("about", "RFC 6694 2.1"),
    _opaque("acct", "RFC 7565"),
    _opaque("cid", "RFC 2392 2"),
    _opaque("data", "RFC 2397 3"),
    _opaque("dav", "RFC 4918 21.1"),
    _opaque("geo", "RFC 5870 3.3", *_lacks("RFC 5870 3.3", "query")),
    _opaque("h323", "RFC 3508", port=1720),
    _opaque("iax", "RFC 5456 5", port=4569),
    _opaque("im", "RFC 3860"),
    _opaque("info", "RFC 4452"),
    _opaque("ipn", "RFC 9171 4.2.5.1.2"),
    _opaque("iris", "RFC 3981 7"),
    _opaque("iris.beep", "RFC 3983", port=702),
    _opaque("iris.lwz", "RFC 4993", port=715),
    _opaque("iris.xpc", "RFC 4992", port=713),
    _opaque("iris.xpcs", "RFC 4992", port=714),
    _opaque("jabber", "IANA registration of jabber"),
    _opaque("leaptofrogans", "RFC 8589"),
    _opaque("mailto", "RFC 6068 2"),
    _opaque("mid", "RFC 2392 2"),
    _opaque("nih", "RFC 6920 7"),
    _opaque("opaquelocktoken", "RFC 4918 appendix C"),
    _opaque("pkcs11", "RFC 7512 2.3"),
    _opaque("pres", "RFC 3859"),
    _opaque("service", "RFC 2609"),
    _opaque("session", "RFC 6787"),
    _opaque("sip", "RFC 3261 19.1.1", port=5060),
    _opaque("sips", "RFC 3261 19.1.1", port=5061),
    _opaque("sms", "RFC 5724 2.2"),
    _opaque("stun", "RFC 7064 3.1", *_lacks("RFC 7064 3.1", "query", "fragment"), port=3478),
    _opaque("stuns", "RFC 7064 3.1", *_lacks("RFC 7064 3.1", "query", "fragment"), port=5349),
    _opaque("swid", "RFC 9393"),
    _opaque("swidpath", "RFC 9393"),
    _opaque("tag", "RFC 4151 2.1"),
    _opaque("tel", "RFC 3966 3", *_lacks("RFC 3966 3", "query")),
    _opaque("thismessage", "RFC 2557 5"),
    _opaque("turn", "RFC 7065 3.1", *_lacks("RFC 7065 3.1", "fragment"), port=3478),
    _opaque("turns", "RFC 7065 3.1", *_lacks("RFC 7065 3.1", "fragment"), port=5349),
    _opaque("tv", "RFC 2838"),
    _opaque("urn", "RFC 8141 2"),
    _opaque("xcon", "RFC 6501"),
    _opaque("xcon-userid", "RFC 6501"),
)

# Not registered as permanent. The ports of these are in the registry of service names.
_OTHERS = (
    Scheme("ftps", "990", "dns", source="IANA service ftps"),
    Scheme("git", "9418", "dns", source="IANA service git"),
    _opaque("javascript", "WHATWG HTML"),
    Scheme("ldaps", "636", "dns", source="IANA service ldaps"),
    Scheme("redis", "6379", "dns", source="IANA registration of redis"),
    Scheme("rediss", "6379", "dns", source="IANA registration of rediss"),
    _server("rsync", 873, "RFC 5781 2"),
    Scheme("sftp", "22", "dns", source="IANA service ssh"),
    Scheme("ssh", "22", "dns", source="IANA service ssh"),
    Scheme("svn", "3690", "dns", source="IANA service svn"),
)

TABLE: Final = {
    row.name: row for rows in (_WEB, _SERVERS, _LOCAL, _WITHOUT_AUTHORITY, _OTHERS) for row in rows
}
