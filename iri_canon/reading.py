"""RFC 3987 3.1 step 1: the characters of an IRI, whether it comes on paper, in a legacy charset or in Unicode."""

import codecs
from typing import Final

from iri_canon.arguments import require
from iri_canon.errors import IriEncodingError
from iri_canon.nfc import composed

# UTF-16 and UTF-32 without a byte order mark are big-endian (RFC 2781 4.3), whatever this machine is.
_BYTE_ORDER_MARKS: Final = {
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
}


def transcribe(text: str) -> str:
    """RFC 3987 3.1 step 1a: the characters of an IRI that was "written on paper, read aloud", in NFC.

    Only for text that comes from no encoding: what a person types from a page, what speech or character
    recognition gives. An IRI that is digital text already must not go through it (5.3.2.2).

    >>> transcribe("http://example.org/re\\u0301sume\\u0301") == "http://example.org/résumé"
    True
    """
    require(text, str, "an IRI")
    return composed(text)


def read(text: str | bytes, encoding: str = "utf-8") -> str:
    """RFC 3987 3.1 step 1: the characters of *text*, which is digital: 1b for a legacy charset, 1c for Unicode.

    A str is taken as it is. Octets in a Unicode encoding (UTF-8, UTF-16, UTF-32, UTF-7) are decoded and not
    normalised: in UTF-8 those that are no character stay raw octets (U+DC80 to U+DCFF, surrogateescape);
    UTF-16 and UTF-32 obey a byte order mark and are big-endian without. Octets in a legacy charset are decoded
    and brought to NFC. Raises `IriEncodingError` for an unknown encoding, and for octets that are none of its
    characters (UTF-8 aside).

    >>> read(b"Vi\\xea\\xf2t", "windows-1258"), read("e\\u0301") == "e\\u0301"
    ('Việt', True)
    >>> read(b"\\x00/\\x00\\xe9", "utf-16") == read(b"\\xff\\xfe/\\x00\\xe9\\x00", "utf-16") == "/é"
    True
    """
    if isinstance(text, str):
        return text
    if not isinstance(text, bytes):
        raise TypeError(f"an IRI is str or bytes, not {type(text).__name__}")
    require(encoding, str, "an encoding")
    try:
        name = codecs.lookup(encoding).name
        if name in _BYTE_ORDER_MARKS and not text.startswith(_BYTE_ORDER_MARKS[name]):
            name = f"{name}-be"
        characters = text.decode(name, "surrogateescape" if name == "utf-8" else "strict")
    except (LookupError, ValueError) as error:
        raise IriEncodingError(f"octets in {encoding!r}: {error}") from None
    return characters if name.startswith("utf") else composed(characters)
