"""The first character that RFC 3987 2.2 does not allow where it stands, and why, in words to act on."""

import re
from functools import cache

from iri_canon import grammar, percent
from iri_canon.errors import IriSyntaxError
from iri_canon.iri import IRI
from iri_canon.naming import named
from iri_canon.productions import is_valid

# What each component may hold beside triplets (2.2).
_ALLOWED = {
    "userinfo": grammar.USERINFO + grammar.UCSCHAR,
    "host": grammar.REG_NAME + grammar.UCSCHAR,
    "path": grammar.PATH + grammar.UCSCHAR,
    "query": grammar.QUERY + grammar.UCSCHAR + grammar.IPRIVATE,
    "fragment": grammar.FRAGMENT + grammar.UCSCHAR,
}

#: What brackets are told that hold no address (RFC 3986 3.2.2).
NO_IP_LITERAL = "square brackets that hold no IP literal"
_NO_SCHEME = (
    '":" in the first segment of a relative path, and what precedes it is no scheme; write "./" before it'
)
_NO_SCHEME_BEFORE_SLASHES = (
    'what stands before "://" is no scheme (RFC 3986 3.1: a letter, then letters, digits, "+", "-", ".")'
)


def first_offence(iri: IRI) -> IriSyntaxError | None:
    """RFC 3987 2.2: the leftmost offence of the text of *iri* against IRI-reference; None if it is one.

    Ports and square brackets around a host are those of a value that parses. Offsets are code points of the
    whole text.

    >>> from iri_canon.iri import IRI
    >>> print(first_offence(IRI("http", None, "h", None, "/a b", None, None)))
    path at offset 10: U+0020 SPACE: no IRI holds it; write %20
    >>> first_offence(IRI("http", None, "h", None, "/a%20b", None, None)) is None
    True
    """
    whole = str(iri)
    for component, text, offset in iri.located():
        if component not in _ALLOWED:
            continue  # a scheme or a port that parses is one
        found = _first(component, text)
        if component == "path" and iri.scheme is None and iri.host is None:
            colon = text.partition("/")[0].find(":")
            if colon >= 0 and (found is None or colon < found[0]):
                found = colon, _NO_SCHEME_BEFORE_SLASHES if text.startswith("://", colon) else _NO_SCHEME
        if found is not None:
            at, reason = offset + found[0], found[1]
            return IriSyntaxError(component, at, reason_at_the_edge(whole, at) or reason)
    return None


def _first(component: str, text: str) -> tuple[int, str] | None:
    if component == "host" and text.startswith("["):
        return _of_ip_literal(text)
    match = _offending(component).search(text)
    if match is not None:
        return match.start(), reason_against(match[0], component)
    return None


@cache
def _offending(component: str) -> re.Pattern[str]:
    return re.compile(f"(?!{grammar.PCT_ENCODED})[^{_ALLOWED[component]}]")


def _of_ip_literal(text: str) -> tuple[int, str] | None:
    if is_valid(text, "IP-literal"):
        return None
    if re.fullmatch(grammar.IP_LITERAL, text):
        return text.index("%"), "a zone identifier, which RFC 3987 2.2 does not support; leave it out"
    return 0, NO_IP_LITERAL


def reason_at_the_edge(text: str, offset: int) -> str | None:
    """What is told of the spaces and C0 controls around an IRI: there a triplet would make another IRI of it.

    >>> reason_at_the_edge("/a ", 2), reason_at_the_edge("/a b", 2)
    ('U+0020 SPACE: an IRI does not end with it; leave it out', None)
    """
    if offset < len(text) - len(text.lstrip(grammar.C0_OR_SPACE)):
        return f"{named(text[offset])}: an IRI does not begin with it; leave it out"
    if offset >= len(text.rstrip(grammar.C0_OR_SPACE)):
        return f"{named(text[offset])}: an IRI does not end with it; leave it out"
    return None


def reason_against(character: str, component: str) -> str:
    """Which character it is, why it may not stand in a component, and what to write instead where there is a way.

    >>> reason_against("|", "query"), reason_against("\\udcff", "path")
    ('U+007C VERTICAL LINE: no IRI holds it; write %7C', 'octet FF is not UTF-8 (name its encoding)')
    """
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # surrogateescape: what stands for an octet that could not be read
        return f"octet {code - 0xDC00:02X} is not UTF-8 (name its encoding)"
    if 0xD800 <= code <= 0xDFFF:
        return f"U+{code:04X}: a lone surrogate, which is no character; leave it out"
    if 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE:
        return f"U+{code:04X}: a non-character; leave it out"
    return f"{named(character)}: {_why(character, code)}; {_instead(character, component)}"


def _why(character: str, code: int) -> str:
    if character == "%":
        return 'a "%" that begins no triplet'
    if character in "[]":
        return NO_IP_LITERAL
    if 0xFFF0 <= code <= 0xFFFD:
        return "a special, left out of ucschar"
    if 0xE0000 <= code <= 0xE0FFF:
        return "a tag, a variation selector or unassigned, left out of ucschar"
    if 0xE000 <= code <= 0xF8FF or code >= 0xF0000:
        return "private use only in the query"
    if code < 0x20 or 0x7F <= code < 0xA0:
        return "a control character"
    if character == "@":
        return 'the last "@" ends the userinfo, so this one is no delimiter'
    if character == "#":
        return 'the first "#" begins the fragment, so this one is no delimiter'
    return "no IRI holds it"


def _instead(character: str, component: str) -> str:
    triplets = percent.triplets(character)
    if character == "\\" and component in ("userinfo", "host", "path"):
        return f'browsers read it as "/" in http and https: write that, or {triplets} for data'
    if component in ("host", "port"):
        return "leave it out"  # a triplet would be allowed in a host, and no name has it
    if character in "\t\n\r":
        return f"leave it out, as browsers do, or write {triplets}"
    return f"write {triplets}"
