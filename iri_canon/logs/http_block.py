"""A capture keeps the answer as it came: its status, its one Location octet by octet, its media type.

Source: RFC 9112 sections 2 to 5, RFC 9110 sections 10.2.2 and 15.2.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import Final, NamedTuple

from warcio.statusandheaders import StatusAndHeadersParser

from iri_canon.logs.octet_stream import OctetStream

LONGEST_HEAD: Final = 1 << 20
"""Octets of header lines that are looked at."""

END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")
_END_OF_LINE: Final = re.compile(rb"\n")
_FOLD: Final = re.compile(rb"\r?\n[ \t]+")
_MARK: Final = b"HTTP/"
_STATUS: Final = re.compile(r"([1-9][0-9]{2})(?![0-9])")
_REQUEST: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) [^\r\n]* HTTP/[0-9]")
_NO_ASCII: Final = re.compile(rb"[\x80-\xff]")
_SPACE: Final = " \t"
_NOT_THERE: Final = ("",)
_SWITCHING: Final = 101


class Answer(NamedTuple):
    """What the head of an answer says; ``location`` is None where there is none, or more than one."""

    status: int | None = None
    location: str | None = None
    mime: str = ""


NO_ANSWER: Final = Answer()
"""What is none of HTTP."""


class LosslessParser(StatusAndHeadersParser):  # type: ignore[misc]  # it has no types
    """Header lines as octets: U+DC80 to U+DCFF stand for those that are no ASCII.

    The parser itself takes UTF-8, or else Latin-1, and does not tell which it was.
    """

    @staticmethod
    def decode_header(line: bytes) -> str:
        """A line, each octet of it a character."""
        return line.decode("ascii", "surrogateescape")


class Head(NamedTuple):
    """What stands before a body, or a block: what follows the protocol's name in its first line, and its fields.

    Names are in lower case; each has all its values, in their order.
    """

    start: str
    fields: dict[str, list[str]]

    def field(self, name: str) -> str:
        """The first value of a name, empty where there is none."""
        return self.fields.get(name, _NOT_THERE)[0]


def head_of(octets: bytes) -> Head:
    """The head that octets are.

    >>> head_of(b"WARC/1.0\\r\\nWARC-Type : response\\r\\nA: b\\r\\n c\\r\\na:d\\r\\n\\r\\n")
    Head(start='', fields={'warc-type': ['response'], 'a': ['b c', 'd']})
    """
    found = _PARSER.parse(BytesIO(_FOLD.sub(b" ", octets)))
    fields: dict[str, list[str]] = {}
    for name, value in found.headers:
        fields.setdefault(name.lower(), []).append(value)
    return Head(found.statusline, fields)


def text_of(value: str) -> str:
    """The text of a field that may be UTF-8, octets that are none as surrogates.

    >>> text_of("\\udcc3\\udca9\\udce9")
    'é\\udce9'
    """
    return value.encode("ascii", "surrogateescape").decode("utf-8", "surrogateescape")


def media_type(value: str) -> str:
    """The media type of a Content-Type, without parameters.

    >>> media_type("text/html ; charset=utf-8")
    'text/html'
    """
    return text_of(value.partition(";")[0].strip(_SPACE))


def answer_of(head: bytes, *, is_whole: bool = True) -> Answer:
    """What the head of an answer says; where it is not whole, there may be another Location.

    >>> answer_of(b"HTTP/1.1 301 Moved\\r\\nlocation: /\\xe9\\r\\nContent-Type: text/html; charset=x\\r\\n\\r\\n")
    Answer(status=301, location='/%E9', mime='text/html')
    """
    start, fields = head_of(head)
    found = _STATUS.match(start)
    values = set(fields.get("location", ())) if is_whole else set()
    location = by_octets(values.pop()) if len(values) == 1 else None
    mime = media_type(fields.get("content-type", _NOT_THERE)[0])
    return Answer(int(found[1]) if found else None, location or None, mime)


def answer_ahead(octets: OctetStream, size: int) -> Answer:
    """What the answer says that the next octets are, as many as ``size``; `NO_ANSWER` where they are none of HTTP.

    An interim answer (1xx) is passed over where another follows it.
    """
    start, answer, most = 0, NO_ANSWER, min(size, LONGEST_HEAD)
    while octets.head(min(most, start + len(_MARK)), start) == _MARK:
        head = octets.head_through(END_OF_HEAD, most, start)
        is_whole = head is not None or most == size
        head = octets.head(most, start) if head is None else head
        answer = answer_of(head, is_whole=is_whole)
        if answer.status is None or answer.status >= 200 or answer.status == _SWITCHING:
            break
        start += len(head)
    return answer


def method_ahead(octets: OctetStream, size: int) -> str | None:
    """The method of the request that the next octets are, as many as ``size``; None where they are none.

    >>> method_ahead(OctetStream(BytesIO(b"POST /a HTTP/1.1\\r\\n\\r\\n")), 20)
    'POST'
    """
    line = octets.head_through(_END_OF_LINE, min(size, LONGEST_HEAD))
    found = None if line is None else _REQUEST.match(line)
    return found[1].decode() if found else None


def by_octets(value: str) -> str:
    """A reference as URIs are, each octet that is no ASCII a triplet: no encoding is guessed.

    >>> by_octets("/\\udce9?%E9 a")
    '/%E9?%E9 a'
    """
    octets = value.encode("ascii", "surrogateescape")
    return _NO_ASCII.sub(lambda found: b"%%%02X" % found[0][0], octets).decode()


_PARSER: Final = LosslessParser([], verify=False)
