"""RFC 3987 section 5.2: what a document writes is read as the document's rules have it, escapes undone exactly once."""

import json
import re
from collections.abc import Callable
from html.entities import html5
from typing import Final, Literal, get_args

from iri_canon import grammar, percent
from iri_canon.arguments import require
from iri_canon.errors import IriError
from iri_canon.schemes import lookup

Carrier = Literal["html", "href", "xml", "json", "apache", "plain"]

# HTML 13.2.5.72 to 13.2.5.80: a character reference in an attribute value.
_HTML_REFERENCE = re.compile(
    r"&(?:#[xX]0*+([0-9A-Fa-f]*+)(?<![xX]);?|#0*+([0-9]*+)(?<!#);?|([A-Za-z][A-Za-z0-9]{1,31})(;?)(=?))"
)
_REPLACEMENT: Final = "\ufffd"
_LONGEST_CODE_POINT: Final = 7  # digits of 10FFFF and of 1114111
_XML_REFERENCE = re.compile(r"&(?:#x0*+([0-9A-Fa-f]{1,8});|#0*+([0-9]{1,10});|(amp|lt|gt|quot|apos);)")
_XML_NAMES: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_JSON_ESCAPE = re.compile(r'(?:\\u[0-9A-Fa-f]{4})++|\\["\\/bfnrt]')
# ap_escape_logitem: these names, and "\xhh" for the other controls and the octets beyond ASCII.
_APACHE_ESCAPE = re.compile(rb'\\(?:x([0-9A-Fa-f]{2})|(["\\bnrtv]))')
_APACHE_NAMES: Final = {b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_SCHEME = re.compile(f"({grammar.SCHEME}):")
_HIERARCHY = re.compile(r"[^?#]*+")
_AUTHORITY_SLASHES = re.compile("/{2,}+")


def prepare(text: str, carrier: Carrier) -> str:
    """RFC 3987 5.2: the IRI reference that *text* stands for in a carrier.

    ``"html"`` reads an href as browsers do: character references (names without ";" not before "=" or a letter
    or digit), outer C0 controls and spaces, tabs and newlines; in the http family, and in relative references,
    which inherit it, "\\" is "/" and two or more slashes open the authority. ``"href"`` is the same for a value
    that an HTML parser gave, whose references are undone already. ``"xml"``: the five names and
    numeric references. ``"json"``: the inside of a JSON string. ``"apache"``: the escapes of access logs, octets
    that are not UTF-8 as surrogates (U+DC80 to U+DCFF). ``"plain"``: the text itself. An escape that is none
    stays as text. Raises `IriError` for an unknown carrier.

    >>> prepare(" http:\\\\\\\\example.com\\\\a?x=1&amp;y&copy=2 ", "html")
    'http://example.com/a?x=1&y&copy=2'
    >>> prepare("http://example.com/&#xe9;&amp;lt;", "xml"), prepare("http:\\\\/\\\\/h\\\\/\\\\u00e9", "json")
    ('http://example.com/é&lt;', 'http://h/é')
    >>> prepare('/a\\\\x20\\\\"\\\\xc3\\\\xa9', "apache")
    '/a "é'
    """
    reader = _READERS.get(carrier)
    if reader is None:
        raise IriError(f"unknown carrier {carrier!r}: one of {', '.join(get_args(Carrier))}")
    require(text, str, "the text of a carrier")
    return reader(text)


def _html(text: str) -> str:
    text = text.replace("\x00", _REPLACEMENT)  # HTML 13.2.5.36
    return _href(_HTML_REFERENCE.sub(_html_reference, text) if "&" in text else text)


def _href(text: str) -> str:
    text = text.strip(grammar.C0_OR_SPACE).translate(grammar.WITHOUT_TAB_OR_NEWLINE)
    scheme_match = _SCHEME.match(text)
    scheme = scheme_match[1].lower() if scheme_match else None
    if scheme is not None and lookup(scheme).host != "web":
        return text
    start = 0 if scheme_match is None else scheme_match.end()
    hierarchy = _HIERARCHY.match(text, start)
    assert hierarchy is not None  # the pattern matches any text
    rest = hierarchy[0].replace("\\", "/")
    if opening := _AUTHORITY_SLASHES.match(rest):
        rest = f"//{rest[opening.end() :]}"
    return f"{text[:start]}{rest}{text[hierarchy.end() :]}"


def _html_reference(match: re.Match[str]) -> str:
    hexadecimal, decimal, name, semicolon, equals = match.groups()
    if name is None:
        digits, base = (decimal, 10) if hexadecimal is None else (hexadecimal, 16)
        return _html_character(int(digits or "0", base) if len(digits) <= _LONGEST_CODE_POINT else -1)
    if semicolon and f"{name};" in html5:
        return html5[f"{name};"] + equals
    # Without ";" the longest known name counts, unless a letter, a digit or "=" follows: then it is text.
    for end in range(len(name), 1, -1):
        if name[:end] in html5:
            followed = end < len(name) or (equals and not semicolon)
            if followed or _follows_alphanumeric(match):
                return match[0]
            return html5[name[:end]] + semicolon + equals
    return match[0]


def _html_character(code: int) -> str:
    """HTML 13.2.5.80: zero, surrogates and what is no code point are U+FFFD, C1 controls are read in windows-1252."""
    if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
        return _REPLACEMENT
    if 0x80 <= code < 0xA0:
        # Five octets have no character there: they stay controls.
        return bytes([code]).decode("cp1252", "ignore") or chr(code)
    return chr(code)


def _follows_alphanumeric(match: re.Match[str]) -> bool:
    behind = match.string[match.end() : match.end() + 1]
    return not match[4] and behind.isascii() and behind.isalnum()


def _xml(text: str) -> str:
    return _XML_REFERENCE.sub(_xml_reference, text)


def _xml_reference(match: re.Match[str]) -> str:
    hexadecimal, decimal, name = match.groups()
    if name is not None:
        return _XML_NAMES[name]
    code = int(hexadecimal, 16) if hexadecimal is not None else int(decimal)
    return chr(code) if _is_xml_character(code) else match[0]


def _is_xml_character(code: int) -> bool:
    """XML 1.0 2.2: a reference to what is no Char is not well-formed (4.1), so it is none."""
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code < 0xD800
        or 0xE000 <= code < 0xFFFE
        or 0x10000 <= code < 0x110000
    )


def _json(text: str) -> str:
    # json.loads joins the surrogate pairs of a run of \\u escapes.
    return _JSON_ESCAPE.sub(lambda match: str(json.loads(f'"{match[0]}"')), text)


def _apache(text: str) -> str:
    if "\\" not in text:
        return text
    # On octets: one character may be written half raw and half escaped.
    octets = _APACHE_ESCAPE.sub(_apache_escape, percent.octets(text))
    return octets.decode("utf-8", "surrogateescape")


def _apache_escape(match: re.Match[bytes]) -> bytes:
    hexadecimal, name = match.groups()
    if hexadecimal is not None:
        return bytes([int(hexadecimal, 16)])
    return _APACHE_NAMES.get(name, bytes(name))


def _plain(text: str) -> str:
    return text


_READERS: Final[dict[str, Callable[[str], str]]] = {
    "html": _html,
    "href": _href,
    "xml": _xml,
    "json": _json,
    "apache": _apache,
    "plain": _plain,
}
