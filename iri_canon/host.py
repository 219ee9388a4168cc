"""A host is an IP literal, an IPv4 address or a registered name; what is none of them for sure stays as written."""

import re
from functools import cache, lru_cache
from typing import Final
from urllib.parse import unquote_to_bytes

from iri_canon import grammar, percent
from iri_canon.errors import HostError
from iri_canon.naming import named

#: Code points of a name beyond which no lookup is tried (a DNS name has at most 253 octets): Punycode takes
#: quadratic time, and no input may.
LONGEST_IDN: Final = 1024
#: Hosts kept in the cache are no longer than this, so that hostile text cannot fill the memory.
LONGEST_CACHED: Final = 255

# Characters that no domain name may hold, since they would split a URL anew (WHATWG URL 3.5, forbidden domain
# code points).
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]")
_ENCODE = percent.encoder(grammar.REG_NAME)
_NORMALIZE = percent.normalizer(grammar.REG_NAME)
_TRIPLET_OR_UPPER = re.compile(rf"{grammar.PCT_ENCODED}|[A-Z]++")
_NUMBER = re.compile(r"(?:0[xX]([0-9A-Fa-f]*+)|0([0-7]++)|([1-9][0-9]*+|0))")
#: WHATWG URL 3.5: a host whose last label is a number is an IPv4 address, or none at all.
ENDS_IN_NUMBER: Final = re.compile(r"(?:\A|\.)(?:[0-9]++|0[xX][0-9A-Fa-f]*+)\.?\Z")
_JOINERS = "\u200c\u200d"
_RAW_OCTET = re.compile("[\udc80-\udcff]")  # as `percent.octets` reads them
# Where even what is not assigned yet runs from right to left (UAX #44, DerivedBidiClass.txt): a letter that is newer
# than the interpreter's tables is then judged by none of its rules, instead of by those of Latin text.
_RTL_BLOCKS = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


@cache
def _ipv6() -> re.Pattern[str]:
    return re.compile(rf"\[({grammar.IPV6ADDRESS})((?:%25{grammar.ZONE_ID})?)\]")


def is_ip_literal(host: str) -> bool:
    """RFC 3986 3.2.2: brackets hold an IPv6 address (RFC 6874: with a zone), or one of a later version.

    >>> is_ip_literal("[::1]"), is_ip_literal("[fe80::1%25eth0]"), is_ip_literal("[gg::1]"), is_ip_literal("a]")
    (True, True, False, False)
    """
    return re.fullmatch(grammar.IP_LITERAL, host) is not None


def lowercase(host: str) -> str:
    """RFC 3986 6.2.2.1: ASCII letters in lower case; triplets and the zone of an address stay as they are.

    >>> lowercase("EXAMPLE.com%C3"), lowercase("[FE80::A%25Eth0]")
    ('example.com%C3', '[fe80::a%25Eth0]')
    """
    if host.startswith("["):
        address, percent_sign, zone = host.partition("%")
        return address.lower() + percent_sign + zone
    return _TRIPLET_OR_UPPER.sub(lambda match: match[0] if "%" in match[0] else match[0].lower(), host)


def to_ascii(host: str) -> str:
    """RFC 3987 3.1, UTS #46 section 4: the name that is looked up, its labels as A-labels.

    Triplets are decoded first. The mapping is the one browsers use: non-transitional, with CheckBidi and
    CheckJoiners, without CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength; symbols that IDNA 2008 refuses
    are encoded all the same. An ASCII host never meets IDNA. Raises `HostError` for what is no host name.

    >>> to_ascii("fa%C3%9F.example"), to_ascii("xn--a"), to_ascii("☃.example")
    ('xn--fa-hia.example', 'xn--a', 'xn--n3h.example')
    """
    return _cached_to_ascii(host) if len(host) <= LONGEST_CACHED else _to_ascii(host)


def _to_ascii(host: str) -> str:
    try:
        text = unquote_to_bytes(percent.octets(host)).decode()
    except UnicodeDecodeError:
        raise HostError(f"host {_quoted(host)} is not UTF-8") from None
    mapped = text.lower() if text.isascii() else _map_labels(text)
    if found := _FORBIDDEN.search(mapped):
        raise HostError(f"host {_quoted(host)} holds {named(found[0])}, which no domain name may")
    return _ENCODE(mapped)


_cached_to_ascii = lru_cache(4096)(_to_ascii)


def _map_labels(text: str) -> str:
    """UTS #46 section 4, steps 1 to 4, for a name that is not ASCII."""
    if len(text) > LONGEST_IDN:
        raise HostError(f"host of {len(text)} code points is no domain name")
    import idna  # its tables take their time, and most processes meet no such name

    try:
        mapped = idna.uts46_remap(text, std3_rules=False)
        names = [_unicode_label(label) for label in mapped.split(".")]
        if not mapped:
            raise HostError(f"host {_quoted(text)} maps to nothing")
        is_bidi = any(_is_rtl(name) for name in names)
        for name in names:
            if is_bidi and name:
                idna.core.check_bidi(name, check_ltr=True)
    except HostError:
        raise
    except ValueError as error:  # IDNAError and UnicodeError among them
        raise HostError(f"host {_quoted(text)}: {error}") from None
    # A delimiter must be seen before Punycode carries it along inside a label.
    if found := _FORBIDDEN.search(mapped):
        raise HostError(
            f"host {_quoted(text)} maps to one that holds {named(found[0])}, which no domain name may"
        )
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}"
        for label in mapped.split(".")
    )


def _quoted(host: str) -> str:
    """A host for a message: cut, raw octets as triplets, what is not printable by number."""
    return repr(_RAW_OCTET.sub(lambda match: percent.triplets(match[0]), host[:80]))


def _is_rtl(name: str) -> bool:
    from unicodedata import bidirectional

    return any(
        bidirectional(character) in ("R", "AL", "AN")
        or (not bidirectional(character) and _RTL_BLOCKS.match(character))
        for character in name
    )


def _unicode_label(label: str) -> str:
    """UTS #46 4.1: the label as Unicode text, valid; raises `ValueError` of some kind."""
    import idna

    name = label
    if label.startswith("xn--"):
        if not label.isascii():
            raise HostError(f"{label!r} is no A-label: it is not ASCII")
        name = label[4:].encode("ascii").decode("punycode")
        if name.isascii() or idna.uts46_remap(name, std3_rules=False) != name:
            raise HostError(f"{label!r} is no A-label")
    if name.isascii():
        return name
    idna.core.check_initial_combiner(name)
    for position, character in enumerate(name):
        if character in _JOINERS and not idna.core.valid_contextj(name, position):
            raise HostError(f"{label!r} holds a joiner out of context")
    return name


def to_unicode(host: str) -> str:
    """UTS #46 4.3: A-labels as legible text, where reading them back gives the same A-label.

    >>> to_unicode("xn--fa-hia.example"), to_unicode("xn--a"), to_unicode("xn--ls8h.example")
    ('faß.example', 'xn--a', '💩.example')

    All labels or none, since the Bidi rule of a name judges all of them:

    >>> to_unicode("xn--0-sfa.com"), to_unicode("xn--0-sfa.xn--4db")
    ('0à.com', 'xn--0-sfa.xn--4db')
    """
    if "xn--" not in host.lower() or len(host) > LONGEST_IDN:
        return host
    legible = ".".join(map(_legible_label, host.split(".")))
    try:
        # Beside a right-to-left label, or a label that is none, names are refused whose labels alone would do.
        return legible if to_ascii(legible) == to_ascii(host) else host
    except HostError:
        return host


def _legible_label(label: str) -> str:
    if label[:4].lower() != "xn--":
        return label
    try:
        name = _unicode_label(label.lower())
        return name if to_ascii(name) == label.lower() else label
    except ValueError:  # IDNAError, UnicodeError and HostError among them
        return label


def dotted_decimal(host: str) -> str:
    """RFC 3986 7.4: numbers in any form that inet_aton takes, as an IPv4 address; any other host unchanged.

    >>> dotted_decimal("0xc0.0250.1"), dotted_decimal("3232235521"), dotted_decimal("127.0.0.1.")
    ('192.168.0.1', '192.168.0.1', '127.0.0.1')
    >>> dotted_decimal("1.2.3.4.5"), dotted_decimal("256.1.1.1"), dotted_decimal("10.2.3.4.example")
    ('1.2.3.4.5', '256.1.1.1', '10.2.3.4.example')
    """
    if len(host) > 64 or not ENDS_IN_NUMBER.search(host):
        return host
    parts = host.removesuffix(".").split(".")
    numbers = [_number(part) for part in parts]
    if len(numbers) > 4:
        return host
    value = 0
    for index, number in enumerate(numbers):
        last = index == len(numbers) - 1
        if number is None or number >= (256 ** (5 - len(numbers)) if last else 256):
            return host
        value += number if last else number << (24 - 8 * index)
    return ".".join(str(octet) for octet in value.to_bytes(4, "big"))


def _number(part: str) -> int | None:
    match = _NUMBER.fullmatch(part)
    if match is None:
        return None
    hexadecimal, octal, decimal = match.groups()
    if hexadecimal is not None:
        return int(hexadecimal or "0", 16)
    return int(octal, 8) if octal is not None else int(decimal)


def compress_ipv6(host: str) -> str:
    """RFC 5952 section 4 and 5: one spelling of an IPv6 address; its zone, and any other host, unchanged.

    >>> compress_ipv6("[2001:0DB8:0:0:1:0:0:1]"), compress_ipv6("[::FFFF:c000:201]"), compress_ipv6("[v1.A]")
    ('[2001:db8::1:0:0:1]', '[::ffff:192.0.2.1]', '[v1.A]')
    """
    match = _ipv6().fullmatch(host)
    if match is None:
        return host
    groups = _groups(match[1])
    if groups[:6] == [0, 0, 0, 0, 0, 0xFFFF]:
        high, low = groups[6:]
        return f"[::ffff:{high >> 8}.{high & 255}.{low >> 8}.{low & 255}{match[2]}]"
    start, length = _longest_zeros(groups)
    text = [f"{group:x}" for group in groups]
    if length > 1:
        return f"[{':'.join(text[:start])}::{':'.join(text[start + length :])}{match[2]}]"
    return f"[{':'.join(text)}{match[2]}]"


def _groups(address: str) -> list[int]:
    """The eight 16-bit groups of an address that matches IPv6address."""
    head, gap, tail = address.partition("::")
    halves = []
    for half in (head, tail):
        numbers: list[int] = []
        for piece in half.split(":") if half else ():
            if "." in piece:
                a, b, c, d = map(int, piece.split("."))
                numbers += (a << 8 | b, c << 8 | d)
            else:
                numbers.append(int(piece, 16))
        halves.append(numbers)
    return halves[0] + [0] * (8 - len(halves[0]) - len(halves[1]) if gap else 0) + halves[1]


def _longest_zeros(groups: list[int]) -> tuple[int, int]:
    """Start and length of the first longest run of zeros (RFC 5952 4.2.3)."""
    best = (0, 0)
    start = None
    for index, group in enumerate([*groups, 1]):
        if group == 0:
            start = index if start is None else start
        elif start is not None:
            best = max(best, (start, index - start), key=lambda run: run[1])
            start = None
    return best
