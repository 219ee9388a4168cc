"""RFC 3987 5.3.3: what the scheme's own rules add, step by step, on a value that has climbed the syntax rung.

A value climbs only if its scheme can have its host; else it keeps the syntax form, whole (`reaches`).
"""

import re
from collections.abc import Callable
from typing import Final

from iri_canon import grammar, host
from iri_canon.errors import HostError
from iri_canon.iri import IRI
from iri_canon.path import remove_dot_segments
from iri_canon.schemes import lookup

_MAIL_DOMAIN = re.compile(r"@[^,@]*+(?=,|\Z)")
_URN_NID = re.compile(rf"\A[{grammar.ALPHA}{grammar.DIGIT}\-]++(?=:)")


def reaches(iri: IRI) -> bool:
    """RFC 9110 4.2.1, RFC 3987 5.3.3: whether the scheme is known and can have this host.

    >>> from iri_canon.parse import parse
    >>> reaches(parse("http://example.com")), reaches(parse("http:///x")), reaches(parse("//example.com/"))
    (True, False, False)
    """
    if iri.scheme is None:
        return False
    scheme = lookup(iri.scheme)
    if not iri.host:
        return not scheme.needs_host
    if scheme.host == "opaque" or iri.host.startswith("["):
        return True
    try:
        host.to_ascii(iri.host)
    except HostError:
        return False
    return True


def map_host(iri: IRI) -> IRI:
    """RFC 3987 3.1: the host as it is looked up, labels as A-labels (UTS #46)."""
    if not iri.host or iri.host.startswith("[") or lookup(iri.scheme).host == "opaque":
        return iri
    return iri.replace(host=host.to_ascii(iri.host))


def spell_ipv4_address(iri: IRI) -> IRI:
    """RFC 3986 7.4: a host of numbers is an IPv4 address in the http family, in dotted decimal."""
    if not iri.host or lookup(iri.scheme).host != "web":
        return iri
    return iri.replace(host=host.dotted_decimal(iri.host))


def spell_ipv6_address(iri: IRI) -> IRI:
    """RFC 5952 4: one spelling of an IPv6 address."""
    return iri.replace(host=host.compress_ipv6(iri.host)) if iri.host else iri


def drop_local_host(iri: IRI) -> IRI:
    """RFC 3986 3.2.2: where the scheme says that an empty host is "localhost", both are one.

    In a file URI no authority is the machine itself, too (RFC 8089 2); in a go URI it is another form.
    """
    if iri.userinfo is not None or iri.port is not None:
        return iri
    if iri.host is None:
        if iri.scheme != "file" or not iri.path.startswith("/"):
            return iri
    elif not iri.host or iri.host != lookup(iri.scheme).default_host:
        return iri
    # Behind an authority "/." need not keep "//" from being one (RFC 3986 3.3).
    return iri.replace(host="", path=remove_dot_segments(iri.path))


def drop_empty_port(iri: IRI) -> IRI:
    """RFC 3986 6.2.3: ":" without a port is no port."""
    return iri.replace(port=None) if iri.port == "" else iri


def drop_zeros_of_port(iri: IRI) -> IRI:
    """RFC 3986 3.2.3: a port is a decimal number, its leading zeros say nothing."""
    return iri.replace(port=iri.port.lstrip("0") or "0") if iri.port else iri


def drop_default_port(iri: IRI) -> IRI:
    """RFC 3986 6.2.3: the scheme's default port goes without saying."""
    return iri.replace(port=None) if iri.port and iri.port == lookup(iri.scheme).elided_port else iri


def root_empty_path(iri: IRI) -> IRI:
    """RFC 3986 6.2.3: behind an authority an empty path is "/"."""
    return iri.replace(path="/") if iri.host is not None and iri.path == "" else iri


def lowercase_urn_namespace(iri: IRI) -> IRI:
    """RFC 8141 3.1: the namespace identifier of a URN in lower case."""
    if iri.scheme != "urn" or iri.host is not None:
        return iri
    return iri.replace(path=_URN_NID.sub(lambda nid: nid[0].lower(), iri.path))


def lowercase_mail_domain(iri: IRI) -> IRI:
    """RFC 3986 6.2.3: the domain of each address of a mailto URI in lower case (RFC 6068 2)."""
    if iri.scheme != "mailto" or iri.host is not None:
        return iri
    return iri.replace(path=_MAIL_DOMAIN.sub(lambda domain: host.lowercase(domain[0]), iri.path))


#: The steps on the value, in order, each with the clause that licenses it.
STEPS: Final[dict[Callable[[IRI], IRI], str]] = {
    map_host: "RFC 3987 3.1",
    spell_ipv4_address: "RFC 3986 7.4",
    spell_ipv6_address: "RFC 5952 4",
    drop_empty_port: "RFC 3986 6.2.3",
    drop_zeros_of_port: "RFC 3986 3.2.3",
    drop_default_port: "RFC 3986 6.2.3",
    root_empty_path: "RFC 3986 6.2.3",
    drop_local_host: "RFC 3986 3.2.2",
    lowercase_urn_namespace: "RFC 8141 3.1",
    lowercase_mail_domain: "RFC 3986 6.2.3",
}
