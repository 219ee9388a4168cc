"""Octets and text against a set of the grammar: one left-to-right pass, whose output is never scanned again."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from iri_canon import grammar

_UNRESERVED = re.compile(f"[{grammar.UNRESERVED}]")
_LONE_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_TRIPLET_OR_PERCENT = re.compile(rf"{grammar.PCT_ENCODED}|%")
_TRIPLET: Final = re.compile(grammar.PCT_ENCODED)

#: What each of the 484 spellings of a triplet becomes: its character if that is unreserved, else upper case.
TRIPLETS: Final[dict[str, str]] = {
    f"%{a}{b}": chr(int(a + b, 16)) if _UNRESERVED.match(chr(int(a + b, 16))) else f"%{a}{b}".upper()
    for a in "0123456789ABCDEFabcdef"
    for b in "0123456789ABCDEFabcdef"
}


def octets(text: str) -> bytes:
    """RFC 3987 3.1 step 2.1: the UTF-8 octets of *text*.

    U+DC80 to U+DCFF stand for the raw octets 80 to FF (Python's surrogateescape); any other lone surrogate is
    no character and becomes U+FFFD.

    >>> octets("é"), octets("\\udce9"), octets("\\ud800")
    (b'\\xc3\\xa9', b'\\xe9', b'\\xef\\xbf\\xbd')
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def triplets(text: str) -> str:
    """RFC 3987 3.1 steps 2.2 and 2.3: every octet of *text* as an upper-case triplet.

    >>> triplets("é|")
    '%C3%A9%7C'
    """
    return f"%{octets(text).hex('%').upper()}" if text else ""


def encode_match(match: re.Match[str]) -> str:
    """RFC 3987 3.1 step 2: `triplets` of what a pattern found, for its ``sub``.

    >>> re.sub("[^a-z]", encode_match, "a b")
    'a%20b'
    """
    return triplets(match[0])


def encoder(allowed: str) -> Callable[[str], str]:
    """A function that percent-encodes each character outside the set *allowed*; "%" is left alone.

    >>> encoder("a-z")("a b%20")
    'a%20b%%32%30'
    """
    return partial(re.compile(f"[^{allowed}%]++").sub, encode_match)


def uppercase_triplets(text: str) -> str:
    """RFC 3986 6.2.2.1: the hexadecimal digits of triplets in upper case.

    >>> uppercase_triplets("%2f%zz")
    '%2F%zz'
    """
    return _TRIPLET.sub(lambda match: match[0].upper(), text) if "%" in text else text


def encode_stray_percents(text: str) -> str:
    """RFC 3986 2.4: a "%" that begins no triplet is data, so it is written "%25".

    >>> encode_stray_percents("50%25 50% %zz")
    '50%25 50%25 %25zz'
    """
    return _TRIPLET_OR_PERCENT.sub(_encode_stray, text) if "%" in text else text


def decode_unreserved(text: str) -> str:
    """RFC 3986 6.2.2.2: triplets of unreserved characters are those characters.

    >>> decode_unreserved("%7Euser%2F%2541")
    '~user%2F%2541'
    """
    return _TRIPLET.sub(_decode_match, text) if "%" in text else text


def decoder(characters: str) -> Callable[[str], str]:
    """A function that decodes the triplets of these ASCII *characters*, written in upper case, and no others.

    >>> decoder("@:")("a%40b%3Ac%2F%2540")
    'a@b:c%2F%2540'
    """
    known = {f"%{ord(character):02X}": character for character in characters}
    return partial(re.compile("|".join(known)).sub, lambda match: known[match[0]])


def normalizer(allowed: str) -> Callable[[str], str]:
    """The steps above in one pass: encode outside *allowed*, repair "%", upper-case, decode unreserved.

    >>> normalizer("a-z~")("%%37%7e b%c3")
    '%257~%20b%C3'
    """
    return partial(re.compile(f"{grammar.PCT_ENCODED}|%|[^{allowed}%]++").sub, _normalize_match)


def _encode_stray(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) == 3 else "%25"


def _decode_match(match: re.Match[str]) -> str:
    replacement = TRIPLETS[match[0]]
    return replacement if len(replacement) == 1 else match[0]


def _normalize_match(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] != "%":
        return triplets(found)
    return TRIPLETS[found] if len(found) == 3 else "%25"
