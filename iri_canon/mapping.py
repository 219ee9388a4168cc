"""RFC 3987 section 3: IRI to URI (3.1) and URI to IRI (3.2), to the letter; neither repairs what is no IRI."""

import re
from functools import cache
from typing import Final

from iri_canon import grammar, percent
from iri_canon.arguments import require
from iri_canon.errors import HostError, IriSyntaxError
from iri_canon.host import LONGEST_IDN, to_ascii, to_unicode
from iri_canon.inappropriate import inappropriate
from iri_canon.iri import IRI
from iri_canon.offences import reason_against, reason_at_the_edge
from iri_canon.parse import PARTS, parse
from iri_canon.reading import read
from iri_canon.schemes import lookup

# ------------------------------------------------------------------------------------------ 3.1, IRI to URI


# The sets of Unicode take a while to compile, and a crawl that needs keys alone never asks for them.
@cache
def _to_map() -> re.Pattern[str]:
    return re.compile(f"[{grammar.UCSCHAR}{grammar.IPRIVATE}{grammar.EXCLUDED}]++")


@cache
def _unfit() -> re.Pattern[str]:
    return re.compile(f"[^{grammar.UCSCHAR}{grammar.IPRIVATE}\x21-\x7e ]")


@cache
def _excluded() -> re.Pattern[str]:
    return re.compile(f"[{grammar.EXCLUDED}]")


def to_uri(iri: str | bytes, *, encoding: str = "utf-8", toascii: bool = False, strict: bool = False) -> str:
    """RFC 3987 3.1: the URI of an IRI; a URI is returned unchanged. References and single components map alike.

    The printable ASCII of 3.1's list (space and ``< > " { } | \\ ^ ` ``) is converted too, which 3.1 allows;
    with ``strict=True`` it fails instead. "#", "%", "[" and "]" are never converted. With ``toascii=True`` the
    ireg-name of a scheme that is known to use domain names goes through ToASCII instead (as UTS #46 has it,
    without UseSTD3ASCIIRules; an ASCII name stays as it is). Raises `IriSyntaxError` with the component and
    the offset (code points) for a character that no IRI holds and 3.1 does not convert (controls,
    noncharacters, lone surrogates), and for the label that has no A-label form; `IriEncodingError` as `read` does.

    >>> to_uri("http://www.example.org/red%09rosé#red")
    'http://www.example.org/red%09ros%C3%A9#red'
    >>> to_uri("http://résumé.example.org"), to_uri("http://résumé.example.org", toascii=True)
    ('http://r%C3%A9sum%C3%A9.example.org', 'http://xn--rsum-bpad.example.org')
    >>> to_uri("http://example.org/?a|b", strict=True)
    Traceback (most recent call last):
    iri_canon.errors.IriSyntaxError: query at offset 21: U+007C VERTICAL LINE: no IRI holds it; write %7C
    """
    text = read(iri, encoding)
    if unfit := _unfit().search(text):
        raise _refused(text, unfit)
    if strict and (excluded := _excluded().search(text)):
        raise _refused(text, excluded)
    if toascii:
        text = _with_ascii_host(text)
    return _to_map().sub(percent.encode_match, text)


def _refused(text: str, found: re.Match[str]) -> IriSyntaxError:
    component = _component(text, found.start())
    reason = reason_at_the_edge(text, found.start()) or reason_against(found[0], component)
    return IriSyntaxError(component, found.start(), reason)


def _component(text: str, offset: int) -> str:
    """The component of *text* that holds the character at *offset*, which is no delimiter (RFC 3986 appendix B)."""
    match = PARTS.fullmatch(text)
    assert match is not None  # the pattern matches any text
    for group, name in ((5, "fragment"), (4, "query"), (3, "path")):
        if match[group] is not None and offset >= match.start(group):
            return name
    at = offset - match.start(2)
    if "@" in match[2][at:]:
        return "userinfo"
    hostport = match[2][:at].rpartition("@")[2]
    return "port" if ":" in hostport.rpartition("]")[2] else "host"


def _with_ascii_host(text: str) -> str:
    """3.1: the ireg-name through ToASCII, "for schemes known to use domain names"."""
    value = parse(text)
    if value.host is None or value.host.isascii() or not _names_are_domains(value):
        return text
    try:
        return str(value.replace(host=to_ascii(value.host)))
    except HostError as error:
        before = str(value.replace(host="", port=None, path="", query=None, fragment=None))
        offset = len(before) + _offset_of_the_wrong_label(value.host)
        raise IriSyntaxError("host", offset, str(error)) from None


def _names_are_domains(value: IRI) -> bool:
    return value.scheme is not None and lookup(value.scheme.lower()).host != "opaque"


def _offset_of_the_wrong_label(host: str) -> int:
    """Where the first label stands that fails alone; 0 where only the whole name does."""
    offset = 0
    if len(host) > LONGEST_IDN:
        return offset
    for label in re.split(f"[{grammar.LABEL_SEPARATORS}]", host):
        try:
            to_ascii(label)
        except HostError:
            return offset
        offset += len(label) + 1
    return 0


# ------------------------------------------------------------------------------------------ 3.2, URI to IRI

# Expressions as text: `re` compiles them when they are first asked for.
_UNRESERVED: Final = f"[{grammar.UNRESERVED}]".encode()
# Not behind a stray "%", which no URI holds: what the triplet becomes must not make one of it.
_TRIPLET: Final = rf"(?<!%)(?<!%[{grammar.HEXDIG}])%([{grammar.HEXDIG}]{{2}})".encode()
# RFC 3629 4: UTF8-2 / UTF8-3 / UTF8-4, and any other octet above 7F
_UTF8: Final = (
    rb"(?:[\xc2-\xdf][\x80-\xbf]"
    rb"|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|[\xee\xef][\x80-\xbf]{2}"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})++"
    rb"|([\x80-\xff])"
)
# A first segment that holds "%" and ":" begins no reference (RFC 3986 4.2), and decoded it may read as a scheme.
_NO_SCHEME: Final = rb"[^:/?#%]*+%[^:/?#]*+:"


def to_iri(uri: str, *, tounicode: bool = False) -> str:
    """RFC 3987 3.2: the IRI of a URI, in which as many triplets as may be are legible characters.

    Decoded are unreserved characters, and strictly legal UTF-8 of characters that are appropriate in their
    component; `iri_canon.inappropriate` has the choices of step 4. Reserved characters, "%" and excluded
    ASCII stay as they are written; other triplets that stay are in upper case. What is an IRI already is taken
    as its URI (3.1), so that the function is idempotent. With ``tounicode=True`` A-labels become U-labels,
    where the scheme is known to use domain names and reads them back as these A-labels. Raises
    `IriSyntaxError` where `to_uri` does, and with ``tounicode`` where `parse` does.

    >>> to_iri("http://www.example.org/D%C3%BCrst"), to_iri("http://www.example.org/D%FCrst")
    ('http://www.example.org/Dürst', 'http://www.example.org/D%FCrst')
    >>> to_iri("http://xn--99zt52a.example.org/%e2%80%ae", tounicode=True)
    'http://納豆.example.org/%E2%80%AE'
    """
    require(uri, str, "a URI")
    octets = represent_as_octets(uri)
    kept = re.match(_NO_SCHEME, octets)
    head = b"" if kept is None else kept[0]
    octets = convert_triplets(octets[len(head) :])
    octets = reencode_illegal_utf8(octets)
    octets = reencode_inappropriate(octets)
    iri = interpret_as_utf8(head + octets)
    return _with_unicode_host(iri) if tounicode else iri


def represent_as_octets(uri: str) -> bytes:
    """RFC 3987 3.2 step 1: "Represent the URI as a sequence of octets in US-ASCII".

    >>> represent_as_octets("/D%C3%BCrst"), represent_as_octets("/Dürst")
    (b'/D%C3%BCrst', b'/D%C3%BCrst')
    """
    return to_uri(uri).encode("ascii")


def convert_triplets(octets: bytes) -> bytes:
    """RFC 3987 3.2 step 2: triplets are octets, but "%", reserved characters and ASCII that no URI holds.

    >>> convert_triplets(b"/D%C3%BC%72st%2F%25%20")
    b'/D\\xc3\\xbcrst%2F%25%20'
    """
    return re.sub(_TRIPLET, _convert_triplet, octets)


def _convert_triplet(match: re.Match[bytes]) -> bytes:
    octet = bytes.fromhex(match[1].decode())
    return octet if octet >= b"\x80" or re.match(_UNRESERVED, octet) else match[0]


def reencode_illegal_utf8(octets: bytes) -> bytes:
    """RFC 3987 3.2 step 3: an octet that is no part of strictly legal UTF-8 (RFC 3629 4) is a triplet again.

    >>> reencode_illegal_utf8(b"/D\\xc3\\xbcrst/D\\xfcrst/\\xc0\\xaf\\xed\\xa0\\x80")
    b'/D\\xc3\\xbcrst/D%FCrst/%C0%AF%ED%A0%80'
    """
    return re.sub(_UTF8, _reencode_illegal, octets)


def _reencode_illegal(match: re.Match[bytes]) -> bytes:
    return match[0] if match[1] is None else b"%%%02X" % ord(match[1])


def reencode_inappropriate(octets: bytes) -> bytes:
    """RFC 3987 3.2 step 4: characters that are not appropriate by 2.2, 4.1 and 6.1 are triplets again.

    2.2 has private use characters in the query alone.

    >>> reencode_inappropriate("/ü\\u202e\\ue000?\\ue000".encode()).decode()
    '/ü%E2%80%AE%EE%80%80?\\ue000'
    """
    if octets.isascii():
        return octets
    hierarchy, mark, query, number_sign, fragment = _split(octets.decode())
    hierarchy, fragment = (
        inappropriate(private=False).sub(percent.encode_match, part) for part in (hierarchy, fragment)
    )
    query = inappropriate(private=True).sub(percent.encode_match, query)
    return f"{hierarchy}{mark}{query}{number_sign}{fragment}".encode()


def _split(text: str) -> tuple[str, str, str, str, str]:
    before, number_sign, fragment = text.partition("#")
    return *before.partition("?"), number_sign, fragment


def interpret_as_utf8(octets: bytes) -> str:
    """RFC 3987 3.2 step 5: the octets as characters in UTF-8.

    >>> interpret_as_utf8(b"/D\\xc3\\xbcrst")
    '/Dürst'
    """
    return octets.decode()


def _with_unicode_host(iri: str) -> str:
    """3.2.1: A-labels as U-labels, "implementations with scheme-specific knowledge MAY"."""
    value = parse(iri)
    if not value.host or not _names_are_domains(value):
        return iri
    legible = to_unicode(value.host)
    return iri if inappropriate(private=False).search(legible) else str(value.replace(host=legible))
