"""The first character that RFC 3987 2.2 does not allow where it stands, and why, in words to act on."""

import re
from functools import cache

from iri_canon import grammar
from iri_canon.errors import IriSyntaxError
from iri_canon.iri import IRI
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
    for component, text, offset in iri.located():
        if component not in _ALLOWED:
            continue  # a scheme or a port that parses is one
        found = _first(component, text)
        if component == "path" and iri.scheme is None and iri.host is None:
            colon = text.partition("/")[0].find(":")
            if colon >= 0 and (found is None or colon < found[0]):
                found = colon, _NO_SCHEME
        if found is not None:
            return IriSyntaxError(component, offset + found[0], found[1])
    return None


def _first(component: str, text: str) -> tuple[int, str] | None:
    if component == "host" and text.startswith("["):
        return _of_ip_literal(text)
    match = _offending(component).search(text)
    if match is not None:
        return match.start(), _reason(match[0], component)
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


def _reason(character: str, component: str) -> str:
    """Which character it is, why it may not stand there, and how it is written instead where there is a way."""
    code = ord(character)
    if character == "%":
        return 'U+0025 PERCENT SIGN: a "%" that begins no triplet; write %25'
    if character in "[]":
        return f"{_name(character)}: {NO_IP_LITERAL}; write {_triplets(character)}"
    if 0xD800 <= code <= 0xDFFF:
        return f"U+{code:04X}: a lone surrogate, which is no character"
    if 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE:
        return f"U+{code:04X}: a non-character"
    if 0xFFF0 <= code <= 0xFFFD or 0xE0000 <= code <= 0xE0FFF:
        why = "a special" if code < 0x10000 else "a tag, a variation selector or unassigned"
        return f"{_name(character)}: {why}, left out of ucschar; write {_triplets(character)}"
    if 0xE000 <= code <= 0xF8FF or code >= 0xF0000:
        return f"U+{code:04X}: private use only in the query; write {_triplets(character)}"
    if code < 0x20 or 0x7F <= code < 0xA0:
        return f"U+{code:04X}: a control character; write {_triplets(character)}"
    if character in "#@":
        return f"{_name(character)}: a second delimiter of the {component}; write {_triplets(character)}"
    return f"{_name(character)}: no IRI holds it; write {_triplets(character)}"


def _name(character: str) -> str:
    from unicodedata import name

    return f"U+{ord(character):04X} {name(character, '')}".rstrip()


def _triplets(character: str) -> str:
    return "".join(f"%{octet:02X}" for octet in character.encode())
