"""RFC 3987 6.3: an IRI goes into a document in its encoding, and by its escapes where that lacks a character.

What neither can carry is written as triplets (3.1): another spelling, and the same key.
"""

import codecs
import json
import re
from collections.abc import Callable
from typing import Final, Literal, get_args

from iri_canon import grammar, percent
from iri_canon.arguments import require
from iri_canon.errors import IriEncodingError, IriError, IriSyntaxError
from iri_canon.parse import parse
from iri_canon.prepare import prepare

DocumentCarrier = Literal["html", "xml", "json", "apache", "plain"]

# What no IRI holds, and a document cannot hold or reads as something else (HTML reads "&#x80;" as "€").
_UNFIT: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
    + "]++"
)
_NON_ASCII: Final = re.compile("[^\x00-\x7f]++")
_MARKUP: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
_MARKUP_OF_HTML: Final = _MARKUP | {"\\": "%5C"}  # browsers read "\\" as "/"
_IN_QUOTES: Final = {'"': '\\"', "\\": "\\\\"}
#: What has a meaning of its own in the carrier, and how it is written there.
_ALWAYS: Final[dict[str, dict[str, str]]] = {
    "html": _MARKUP_OF_HTML,
    "xml": _MARKUP,
    "json": _IN_QUOTES,
    "apache": _IN_QUOTES,
    "plain": {},
}
# Encoding 4.2: what browsers read under the name of a codec. A character has to mean the same in both.
_AS_BROWSERS_READ: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "gb2312": "gbk",
    "big5": "big5hkscs",
}
# Encoding 4.2: the other codecs that browsers have, too, by their names in Python. Of what is encoded by another one
# a browser reads ASCII at best (utf-7, hz, iso2022_kr: "replacement", or what it guesses).
_READ_BY_BROWSERS: Final = frozenset(
    {
        *(
            "utf-8",
            "utf-8-sig",
            "utf-16",
            "utf-16-le",
            "utf-16-be",
            "gbk",
            "gb18030",
            "big5hkscs",
            "cp932",
            "cp949",
        ),
        *("euc_jp", "iso2022_jp", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "cp866", "cp874"),
        *(f"cp{number}" for number in range(1250, 1259)),
        *(f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
        *_AS_BROWSERS_READ,
    }
)
# The octets of these stand for other, similar characters where the table is Microsoft's, as it is in browsers.
_READ_IN_TWO_WAYS: Final = re.compile("[‖−〜¢£¬—¦¥‾]")
# Those of private use characters stand for others in browsers (Encoding 5.2: A3 A0 is U+3000), and did in older ones.
_PRIVATE: Final = re.compile(f"[{grammar.IPRIVATE}]")
_JAPANESE: Final = ("shift_jis", "euc_j", "iso2022_jp", "cp932")


def to_document(iri: str, encoding: str, carrier: DocumentCarrier, *, query_as_triplets: bool = False) -> str:
    """RFC 3987 6.3: the text that stands for *iri* in a document, every character of which *encoding* has.

    ``"html"`` and ``"xml"`` write an attribute value in double quotes, ``"json"`` the inside of a string, ``"apache"``
    an entry of an access log, ``"plain"`` the text itself. A character counts as lacking unless its octets read as
    itself again, in HTML also by the tables that browsers use. It becomes a numeric reference (HTML, XML), ``\\uXXXX``
    (JSON; a surrogate pair beyond U+FFFF) or the ``\\xhh`` of its UTF-8 octets (Apache), and triplets in plain text.
    Triplets are everywhere what no IRI holds (controls, noncharacters, lone surrogates), and in HTML the "\\" that
    browsers would read as "/". Outer spaces and controls, tabs and line ends are no part of an IRI and left out,
    as `key` leaves them out.

    Law: ``prepare(to_document(iri, encoding, carrier), carrier)`` is *iri* where no triplet was needed, and has its key
    in any case. But beware of HTML in a legacy encoding: browsers send the non-ASCII characters of a query in the
    document's encoding (``?q=é`` in windows-1252 as ``?q=%E9``), however they are written.
    With ``query_as_triplets=True`` they are written as UTF-8 triplets, which nobody converts.

    In HTML, of an encoding that no browser reads only ASCII is written as itself.

    Raises `IriEncodingError` for an encoding that is unknown or lacks a character of ASCII that is needed, `IriError`
    for an unknown carrier, `IriSyntaxError` for what HTML reads as another IRI (``http:///a``), or what does
    not parse and has no other spelling: it would need triplets, or has spaces or line ends to leave out.

    >>> to_document("http://example.com/é€?a&b", "latin-1", "html")
    'http://example.com/é&#x20AC;?a&amp;b'
    >>> to_document("http://example.com/😀", "ascii", "json"), to_document("http://example.com/é", "ascii", "plain")
    ('http://example.com/\\\\ud83d\\\\ude00', 'http://example.com/%C3%A9')
    """
    if carrier not in _ALWAYS:
        raise IriError(f"unknown carrier {carrier!r}: one of {', '.join(get_args(DocumentCarrier))}")
    require(iri, str, "an IRI")
    require(encoding, str, "an encoding")
    found = iri.strip(grammar.C0_OR_SPACE).translate(grammar.WITHOUT_TAB_OR_NEWLINE)
    text = _UNFIT.sub(percent.encode_match, found)
    if query_as_triplets:
        hierarchy, mark, query = text.partition("#")[0].partition("?")
        rest = text[len(hierarchy) + len(mark) + len(query) :]
        text = f"{hierarchy}{mark}{_NON_ASCII.sub(percent.encode_match, query)}{rest}"
    is_carried = _carried(encoding, carrier)
    written = text.translate(_pieces(text, carrier, is_carried))
    if not is_carried(written):
        raise IriEncodingError(f"{encoding!r} cannot carry {written!r}")
    meant = {"plain": written, "html": text.replace("\\", _MARKUP_OF_HTML["\\"])}.get(carrier, text)
    if meant != iri:
        parse(found)  # what does not parse has no other spelling
    if carrier == "html" and prepare(written, "html") != meant:
        raise IriSyntaxError("authority", found.find("/"), "HTML reads two or more slashes as two")
    return written


def _carried(encoding: str, carrier: DocumentCarrier) -> Callable[[str], bool]:
    """Whether the octets of a text read as that text again."""
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)  # refuses codecs that are none of text
    except (LookupError, ValueError) as error:
        raise IriEncodingError(f"{encoding!r}: {error}") from None
    readings = [name]
    unclear: re.Pattern[str] | None = None
    if carrier == "html":
        readings.append(_AS_BROWSERS_READ.get(name, name if name in _READ_BY_BROWSERS else "ascii"))
        if name.startswith(_JAPANESE):
            unclear = _READ_IN_TWO_WAYS
        elif name.startswith("gb"):
            unclear = _PRIVATE

    def is_carried(text: str) -> bool:
        try:
            octets = text.encode(name)
            return all(octets.decode(reading) == text for reading in readings) and not (
                unclear and unclear.search(text)
            )
        except ValueError:
            return False

    return is_carried


def _pieces(text: str, carrier: DocumentCarrier, is_carried: Callable[[str], bool]) -> dict[int, str]:
    """What each character of a text is written as, where that is not itself."""
    always, lacking = _ALWAYS[carrier], _LACKING[carrier]
    return {
        ord(character): always.get(character) or lacking(character)
        for character in set(text)
        if character in always or not is_carried(character)
    }


def _reference(character: str) -> str:
    """HTML 13.1.4, XML 1.0 4.1."""
    return f"&#x{ord(character):X};"


def _unicode_escapes(character: str) -> str:
    """RFC 8259 7."""
    return json.dumps(character)[1:-1]


def _octet_escapes(character: str) -> str:
    return "".join(f"\\x{octet:02x}" for octet in character.encode())


_LACKING: Final[dict[str, Callable[[str], str]]] = {
    "html": _reference,
    "xml": _reference,
    "json": _unicode_escapes,
    "apache": _octet_escapes,
    "plain": percent.triplets,
}
