"""RFC 3987 section 3: IRI to URI (3.1) and URI to IRI (3.2), to the letter; neither repairs what is no IRI."""

import codecs
import re
import unicodedata
from functools import cache
from typing import Final

from iri_canon import grammar, percent
from iri_canon.errors import HostError, IriEncodingError, IriSyntaxError
from iri_canon.host import to_ascii, to_unicode
from iri_canon.iri import IRI
from iri_canon.parse import parse
from iri_canon.schemes import lookup

# Not behind a stray "%": what it decodes to must not complete another triplet there.
_TRIPLETS = re.compile(rf"(?<!%)(?<!%[{grammar.HEXDIG}])(?:{grammar.PCT_ENCODED})++")
_UNRESERVED: Final = re.compile(f"[{grammar.UNRESERVED}]")
# 4.1: the bidi formatting characters LRM RLM LRE RLE PDF LRO RLO; 6.1: what looks like nothing or like space.
_INVISIBLE: Final = (
    "\u200e\u200f\u202a-\u202e\u2066-\u2069\xa0\xad\u1680\u180e\u2000-\u200b"
    "\u2028\u2029\u202f\u205f\u2060-\u2064\u3000\ufeff\ufff9-\ufffd"
)


# The sets of Unicode take a while to compile, and a crawl that needs keys alone never asks for them.
@cache
def _to_map() -> re.Pattern[str]:
    return re.compile(f"[{grammar.UCSCHAR}{grammar.IPRIVATE}{grammar.EXCLUDED}]++")


@cache
def _unfit() -> re.Pattern[str]:
    return re.compile(f"[^{grammar.UCSCHAR}{grammar.IPRIVATE}\x21-\x7e ]")


@cache
def _keep_encoded(component: str) -> re.Pattern[str]:
    allowed = grammar.UCSCHAR + (grammar.IPRIVATE if component == "query" else "")  # iprivate: 2.2
    return re.compile(f"[^{allowed}]|[{_INVISIBLE}]")


def read(text: str | bytes, encoding: str = "utf-8") -> str:
    """RFC 3987 3.1 step 1: the characters of *text*.

    Characters are taken as they are (1a on Unicode, 1c). Octets in a Unicode encoding are decoded, those that
    are not in it stay raw octets (surrogateescape). Octets in a legacy charset are decoded and brought to NFC
    (1b). Raises `IriEncodingError` for an unknown encoding, or octets that a legacy charset lacks.

    >>> read(b"Vi\\xea\\xf2t", "windows-1258"), read("e\\u0301") == "e\\u0301"
    ('Việt', True)
    """
    if isinstance(text, str):
        return text
    if not isinstance(text, bytes):
        raise TypeError(f"an IRI is str or bytes, not {type(text).__name__}")
    try:
        name = codecs.lookup(encoding).name
        characters = text.decode(name, "surrogateescape" if name == "utf-8" else "strict")
    except (LookupError, ValueError) as error:
        raise IriEncodingError(f"octets in {encoding!r}: {error}") from None
    return characters if name.startswith("utf") else unicodedata.normalize("NFC", characters)


def to_uri(iri: str | bytes, *, encoding: str = "utf-8", toascii: bool = False) -> str:
    """RFC 3987 3.1: the URI of an IRI; a URI is returned unchanged.

    The printable ASCII of 3.1's list (space and ``< > " { } | \\ ^ ` ``) is converted too; "#", "%", "[" and "]"
    never are. With ``toascii=True`` the ireg-name goes through ToASCII (UTS #46) instead. Raises
    `IriSyntaxError` for a character that no IRI holds and 3.1 does not convert (controls, noncharacters, lone
    surrogates), and for a host that has no A-label form.

    >>> to_uri("http://www.example.org/red%09rosé#red")
    'http://www.example.org/red%09ros%C3%A9#red'
    >>> to_uri("http://résumé.example.org"), to_uri("http://résumé.example.org", toascii=True)
    ('http://r%C3%A9sum%C3%A9.example.org', 'http://xn--rsum-bpad.example.org')
    """
    text = read(iri, encoding)
    unfit = _unfit().search(text)
    if unfit is not None:
        raise IriSyntaxError("IRI", unfit.start(), f"{unfit[0]!r} is no character of an IRI")
    if toascii:
        value = parse(text)
        if value.host and not value.host.isascii():
            try:
                text = str(value.replace(host=to_ascii(value.host)))
            except HostError as error:
                raise IriSyntaxError("host", text.find(value.host), str(error)) from None
    return _to_map().sub(lambda match: percent.triplets(match[0]), text)


def to_iri(uri: str, *, tounicode: bool = False) -> str:
    """RFC 3987 3.2: the IRI of a URI, in which as many triplets as may be are legible characters.

    Decoded are unreserved characters and strictly legal UTF-8 of characters that an IRI may hold in that
    component; encoded stay reserved characters and "%" (as they are written), bidi formatting characters (4.1), and
    spaces and invisible characters (6.1; both in upper case). With ``tounicode=True`` A-labels of the host become
    U-labels. Raises `IriSyntaxError` where `parse` does.

    >>> to_iri("http://www.example.org/D%C3%BCrst"), to_iri("http://www.example.org/D%FCrst")
    ('http://www.example.org/Dürst', 'http://www.example.org/D%FCrst')
    >>> to_iri("http://xn--99zt52a.example.org/%e2%80%ae", tounicode=True)
    'http://納豆.example.org/%E2%80%AE'
    """
    value = parse(uri)
    parts = {
        name: _legible(getattr(value, name), name)
        for name in ("userinfo", "host", "path", "query", "fragment")
    }
    # U-labels only where the scheme reads them back as these A-labels.
    if tounicode and value.scheme is not None and lookup(value.scheme.lower()).host != "opaque":
        parts["host"] = (
            to_unicode(parts["host"] or "") if value.host and "%" not in value.host else parts["host"]
        )
    return str(_reparses(value.replace(**parts), uri))


def _reparses(value: IRI, uri: str) -> IRI:
    """A decoded first segment must not begin to read as a scheme (RFC 3986 4.2)."""
    if value.scheme is None and value.host is None and ":" in value.path.partition("/")[0]:
        return value.replace(path=parse(uri).path)
    return value


def _legible(part: str | None, component: str) -> str | None:
    if part is None or "%" not in part:
        return part
    return _TRIPLETS.sub(lambda match: _decode_run(match[0], _keep_encoded(component)), part)


def _decode_run(run: str, keep_encoded: re.Pattern[str]) -> str:
    """Steps 2 to 4 of 3.2 on a run of triplets; one that step 2 does not convert stays as it is written."""
    text = bytes.fromhex(run.replace("%", "")).decode("utf-8", "surrogateescape")
    pieces = []
    octet = 0
    for character in text:
        if character < "\x80":
            is_legible = _UNRESERVED.match(character) is not None
            pieces.append(character if is_legible else run[3 * octet : 3 * octet + 3])
            octet += 1
        else:
            pieces.append(percent.triplets(character) if keep_encoded.match(character) else character)
            octet += len(percent.octets(character))
    return "".join(pieces)
