"""Userinfo, hosts and ports: RFC 3986 3.2 and 7.4 to 7.6, RFC 9110 4.2, RFC 3987 5.3.3."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from iri_canon import grammar, host
from iri_canon.errors import HostError
from iri_canon.lint.findings import Hit, quoted, unambiguous
from iri_canon.lint.subject import DOTS, Part, Subject

# A name of at least two labels that ends as names of hosts do: letters of any script with their marks, or an A-label.
# Whatever comes behind it, a hyphen too, does not make it less of one to the eye.
_NAME: Final = re.compile(
    r"(?:[^\x00-,./:-@\[-^`{-\x7f]++[.])+(?:xn--[a-z0-9-]++|[^\x00-@\[-`{-\x7f]{2,}+)[.]?(?=\Z|[^\w.])",
    re.IGNORECASE,
)
_WEB: Final = re.compile(r"https?:/*+", re.IGNORECASE)
# One number from here on is an address to a browser, and seldom the name of a user.
_LEAST_ADDRESS: Final = 1 << 24
_TRIPLET_OR_LETTER: Final = re.compile(rf"{grammar.PCT_ENCODED}|[^\W\d_]")
_DIGITS: Final = re.compile("[0-9]++")
_LONGEST_NAME: Final = 253
_LONGEST_LABEL: Final = 63


def userinfo_like_host(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 7.6: a userinfo that reads like the host, its triplets undone, as a whole or behind a delimiter."""
    userinfo = subject.part("userinfo")
    is_web = subject.scheme.host == "web" or subject.part("scheme") is None  # a reference has its base's
    if userinfo and is_web and _reads_like_a_host(userinfo.text[:_LONGEST_NAME]):
        yield Hit("userinfo", userinfo.offset, f"{quoted(userinfo.text)} looks like a host and is none")


def _reads_like_a_host(userinfo: str) -> bool:
    text = DOTS.sub(".", _WEB.sub("", unquote(userinfo)))
    is_literal = host.is_ip_literal(text.partition("]")[0] + "]")
    return is_literal or any(map(_looks_like_a_host, re.split("[:@/]", text)))


def _looks_like_a_host(text: str) -> bool:
    if text.lower() == "localhost" or _NAME.match(text):
        return True
    is_address = re.fullmatch(grammar.IPV4ADDRESS, host.dotted_decimal(text)) is not None
    return is_address and (not text.isdecimal() or int(text) >= _LEAST_ADDRESS)


def userinfo_in_http(subject: Subject) -> Iterator[Hit]:
    """RFC 9110 4.2.4: a userinfo in http or https."""
    userinfo = subject.part("userinfo")
    if userinfo and subject.scheme.name in ("http", "https"):
        yield Hit("userinfo", userinfo.offset, "userinfo, which http must not have")


def password(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 3.2.1: a password in clear text."""
    userinfo = subject.part("userinfo")
    if userinfo:
        name, colon, secret = userinfo.text.partition(":")
        if secret:
            yield Hit("userinfo", userinfo.offset + len(name) + len(colon), "a password in clear text")


def unresolvable_host(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 5.3.3: a host that cannot be looked up, since it has no A-label form."""
    found = _name(subject)
    if found:
        try:
            host.to_ascii(found.text)
        except HostError as error:
            yield Hit("host", found.offset, unambiguous(str(error)))


def false_a_label(subject: Subject) -> Iterator[Hit]:
    """RFC 5890 2.3.2.1: a label that begins as an A-label does and decodes to none."""
    found = _name(subject)
    if found is None or "xn--" not in found.text.lower() or len(found.text) > host.LONGEST_IDN:
        return
    for label in found.split(DOTS):
        if label.text[:4].lower() == "xn--" and host.to_unicode(label.text) == label.text:
            yield Hit("host", label.offset, f"{quoted(label.text)} is no A-label")


def impossible_dns_name(subject: Subject) -> Iterator[Hit]:
    """RFC 1035 2.3.4: an empty label, one of more than 63 octets, or a name of more than 253."""
    found = _name(subject)
    if found is None:
        return
    try:
        name = host.to_ascii(found.text).removesuffix(".")
    except HostError:
        return  # it has a finding of its own
    if len(name) > _LONGEST_NAME:
        yield Hit("host", found.offset, f"a name of {len(name)} octets")
        return
    for number, label in enumerate(name.split(".")):
        if not 0 < len(label) <= _LONGEST_LABEL:
            offsets = [piece.offset for piece in found.split(DOTS)]
            offset = offsets[number] if number < len(offsets) else found.offset
            yield Hit("host", offset, f"a label of {len(label)} octets" if label else "an empty label")
            return


def upper_case_host(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 5.3.2.1: upper case in the host, where it makes no difference; beyond ASCII in domain names alone."""
    found = subject.part("host")
    if found is None or found.text.startswith("["):
        return
    is_name = _name(subject) is not None
    for match in _TRIPLET_OR_LETTER.finditer(found.text):
        letter = match[0]
        if (
            len(letter) == 1
            and letter.isupper()
            and (letter.isascii() or (is_name and letter != letter.lower()))
        ):
            clause = "" if letter.isascii() else "RFC 3987 5.3.3"
            yield Hit("host", found.offset + match.start(), "upper case in the host", clause)
            return


def numeric_ipv4(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 7.4: an IPv4 address in a form other than dotted decimal."""
    name, found = _web_name(subject), subject.part("host")
    if name and found:
        address = host.dotted_decimal(name)
        if address not in (name, name.removesuffix(".")):
            yield Hit("host", found.offset, f"{quoted(found.text)} is read as {address}")


def no_ipv4_address(subject: Subject) -> Iterator[Hit]:
    """WHATWG URL 3.5: a host that ends in a number and is no IPv4 address."""
    name, found = _web_name(subject), subject.part("host")
    if name is None or found is None or not host.ENDS_IN_NUMBER.search(name):
        return
    if host.dotted_decimal(name) == name and not re.fullmatch(grammar.IPV4ADDRESS, name):
        yield Hit("host", found.offset, f"{quoted(name)} ends in a number and is no IPv4 address")


def port_out_of_range(subject: Subject) -> Iterator[Hit]:
    """RFC 9293 3.1: a port above 65535."""
    port = _port(subject)
    if port and (len(digits := port.text.lstrip("0")) > 5 or int(digits or "0") > 65535):
        yield Hit("port", port.offset, f"port {port.text[:40]} is above 65535")


def port_zero(subject: Subject) -> Iterator[Hit]:
    """RFC 6335 6: port 0, which is reserved."""
    port = _port(subject)
    if port and not port.text.strip("0"):
        yield Hit("port", port.offset, "port 0, where nothing listens")


def default_port(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 3.2.3: the default port of the scheme, which goes without saying."""
    port = _port(subject)
    if port and port.text.lstrip("0") == subject.scheme.elided_port:
        yield Hit("port", port.offset, f"{port.text[:40]} is the default")


def empty_port(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 3.2.3: a colon without a port."""
    port = subject.part("port")
    if port and not port.text:
        yield Hit("port", port.offset, "a colon without a port")


def zeros_in_port(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 3.2.3: zeros that lead the port."""
    port = _port(subject)
    if port and port.text.startswith("0") and port.text.strip("0"):
        yield Hit("port", port.offset, f"zeros lead port {port.text.lstrip('0')[:40]}")


def _port(subject: Subject) -> Part | None:
    """The port, where it is a number."""
    port = subject.part("port")
    return port if port and _DIGITS.fullmatch(port.text) else None


def _name(subject: Subject) -> Part | None:
    """The host, where the scheme looks it up as a domain name."""
    found = subject.part("host")
    is_name = found and found.text and not found.text.startswith("[")
    return found if is_name and subject.scheme.host != "opaque" else None


def _web_name(subject: Subject) -> str | None:
    """The host as it is looked up, where the scheme reads numbers as IPv4 addresses."""
    found = _name(subject)
    if found is None or subject.scheme.host != "web":
        return None
    try:
        return host.to_ascii(found.text)
    except HostError:
        return None
