"""Two answers have one content where their octets are equal, or all of them but what changes by itself.

Source: RFC 3987 section 5.3.4, "the result of accessing the resources".
"""

from __future__ import annotations

import codecs
import re
from hashlib import blake2b
from typing import Final, NamedTuple

from iri_canon.learning.relative import base_of
from iri_canon.learning.unvarying import unvarying

SIZE: Final = 16
"""Octets of a digest."""
TEXT_LIMIT: Final = 1 << 18
"""Octets of a body: a larger one has no text, rather than a guess from its beginning."""

_XHTML: Final = "application/xhtml+xml"
_HTML: Final = frozenset({"text/html", _XHTML})
_DATA: Final = re.compile(r"text/.+|application/(?:.+\+)?(?:json|xml)")
_DECLARED: Final = re.compile(
    rb"""(?i)<(?:meta|\?xml)\s[^>]{0,200}?(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})"""
)
#: How far into a body HTML lets a declaration stand (13.2.3.2).
_DECLARED_WITHIN: Final = 1024
_BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Charsets of documents, by their names in Python. Others it knows are no charsets, or take quadratic time (punycode).
_CHARSETS: Final = re.compile(
    r"ascii|utf-(?:8|16|32)(?:-[bl]e)?|iso8859-\d+|iso2022_\w+|cp\d+|koi8-\w|mac-\w+|gb\w+|big5\w*|euc\w+|shift_ji\w+"
    r"|tis-620|hz|johab|kz1048|ptcp154"
)


class Content(NamedTuple):
    """The digests of an answer, ``SIZE`` octets of BLAKE2b each.

    ``body``: of the octets as received. ``text``: of what is left of the text without what changes by itself; None
    where the media type is none of text, where the body is larger than ``TEXT_LIMIT``, and where nothing is left.
    """

    body: bytes
    text: bytes | None
    base: bytes | None = None
    """Where relative links begin (`base_of`); None where there surely are none, and where the URL is not known."""


def content_of(
    body: bytes,
    media_type: str = "",
    charset: str | None = None,
    *,
    url: str = "",
    time: float | None = None,
) -> Content | None:
    """The content of an answer with this body (content codings undone); None for no body, or one of white space only.

    ``media_type`` may have parameters, which are ignored; ``charset`` is theirs, and where it is None or unknown, what
    the body declares. Never raises for any octets; takes linear time.

    The text is all that was received, decoded, but for what is known to change by itself (`unvarying`).

    >>> first, second = (
    ...     content_of(b"<p>12 EUR at 9:03:%d" % second, "text/html", time=32580 + second) for second in (20, 40)
    ... )
    >>> first.text == second.text, first.body == second.body
    (True, False)
    >>> content_of(b"<p>13 EUR at 9:03:20", "text/html", time=32600).text == first.text
    False
    >>> content_of(b" ") is None, content_of(b"GIF89a", "image/gif").text is None
    (True, True)
    """
    if not body or body.isspace():
        return None
    media_type = media_type.partition(";")[0].strip().lower()
    text = _text(body, media_type, charset, url, time)
    shown = None if text is None else _digest(text.encode("utf-8", "backslashreplace"))
    base = base_of(_with_ascii(body, charset), url, is_html=media_type in _HTML) if url else None
    return Content(_digest(body), shown, base)


def _with_ascii(body: bytes, charset: str | None) -> bytes:
    """The body in an encoding that has ASCII."""
    encoding = _encoding(body, charset)
    if not encoding.startswith(("utf-16", "utf-32")):
        return body
    return body.decode(encoding, "replace").encode("utf-8", "replace")


def _text(body: bytes, media_type: str, charset: str | None, url: str, time: float | None) -> str | None:
    is_html = media_type in _HTML
    if len(body) > TEXT_LIMIT or not (is_html or _DATA.fullmatch(media_type)):
        return None
    # Octets outside the charset stay apart: as U+FFFD, all words of an undeclared charset would look alike.
    decoded = body.decode(_encoding(body, charset), "backslashreplace")
    text = unvarying(decoded, url, time, is_html=is_html)
    return text if any(map(str.isalnum, text)) else None


def _encoding(body: bytes, charset: str | None) -> str:
    """Encoding 6: a byte order mark, then the charset of the transport, then what is declared; else UTF-8."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if body.startswith(mark):
            return encoding
    known = _codec(charset) if charset else None
    if known is None and (declared := _DECLARED.search(body[:_DECLARED_WITHIN])):
        known = _codec(declared[1].decode("ascii", "replace"))
        if known is not None and known.startswith(("utf-16", "utf-32")):
            known = None  # whoever can read the declaration as ASCII knows that it is wrong
    return known or "utf-8"


def _codec(charset: str) -> str | None:
    try:
        name = codecs.lookup(charset.strip(" \t\"'")[:40]).name
    except (LookupError, ValueError):
        return None
    return name if _CHARSETS.fullmatch(name) else None


def _digest(octets: bytes) -> bytes:
    return blake2b(octets, digest_size=SIZE).digest()
