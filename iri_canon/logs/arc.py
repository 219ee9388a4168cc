"""An ARC has a line about a document, and then the document; all but the descriptions of the file are records.

Source: Internet Archive, "Arc File Format", versions 1.0 (15 September 1996) and 2.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import BinaryIO, Final, NamedTuple

from iri_canon.logs.archives import ARC_FILE
from iri_canon.logs.http_block import NO_ANSWER, Answer, answer_ahead, by_octets, media_type, text_of
from iri_canon.logs.octet_stream import OctetStream
from iri_canon.logs.records import Bad, Outcome, Place, Record, WithoutUrl, number, time_in

LONGEST_LINE: Final = 1 << 20
"""Octets of a line about a document; a longer one is none."""

_END_OF_LINE: Final = re.compile(rb"\n")
_ADDRESS: Final = re.compile("[0-9A-Fa-f.:]+|-")
_DATE: Final = re.compile("[0-9]{8,17}")
_STATUS: Final = re.compile("[0-9]{1,3}|-")
_NUMBER: Final = re.compile("[0-9]{1,18}")
_STAMP_SIZE: Final = 14
_NONE: Final = "-"


class _Document(NamedTuple):
    """What the line about a document says; version 1 has no status and no location."""

    url: str
    date: str
    mime: str
    size: int
    status: str = _NONE
    location: str = _NONE


def records(stream: BinaryIO, name: str) -> Iterator[Outcome]:
    """The documents of an ARC of version 1 or 2, which ``stream`` has decompressed.

    The line of a place is the number of the document in the file. Status, Location and media type are those of the
    answer, where the document is one of HTTP; else what its line says. There is no digest: the checksum of version 2 is
    of the headers, too. Raises ``LogError``, and what reading the stream raised, behind the last whole document.

    >>> from io import BytesIO
    >>> document = b"HTTP/1.1 301 Moved\\r\\nLocation: /b\\r\\n\\r\\n"
    >>> line = b"http://h/a 192.0.2.1 20261201061035 text/html 36\\n"
    >>> [each.hops() for each in records(BytesIO(line + document), "a.arc")]
    [(Hop(source='http://h/a', target='/b', status=301),)]
    """
    octets = OctetStream(stream)
    for place_number in count(1):
        octets.skip_line_ends()
        if octets.is_at_end():
            break
        place = Place(name, place_number, octets.offset)
        line = octets.head_through(_END_OF_LINE, LONGEST_LINE)
        if line is None and len(octets.head(LONGEST_LINE)) < LONGEST_LINE:
            octets.fail(f"the document at octet {place.offset} is cut off")
            break
        document = None if line is None else _document(line)
        if line is None or document is None:
            yield Bad(place, "no line about a document begins here")
            _skip_to_document(octets)
            continue
        octets.skip(len(line))
        outcome = _outcome(octets, place, document)
        if octets.skip(document.size) < document.size:
            octets.fail(f"the document at octet {place.offset} is cut off")
            break
        if outcome is not None:
            yield outcome
    if octets.problem is not None:
        raise octets.problem


def _outcome(octets: OctetStream, place: Place, document: _Document) -> Outcome | None:
    """What a document is that the next octets are; None: it describes the file."""
    if document.url.startswith(ARC_FILE):
        return None
    if document.url == _NONE:
        return WithoutUrl(place)
    answer = answer_ahead(octets, document.size)
    if answer is NO_ANSWER:
        status, location = number(document.status), document.location
        answer = Answer(status, None if location == _NONE else by_octets(location))
    return Record(
        place=place,
        url=text_of(document.url),
        status=answer.status,
        location=answer.location,
        time=time_in(document.date[:_STAMP_SIZE]) if len(document.date) >= _STAMP_SIZE else None,
        mime=answer.mime or media_type(document.mime),
    )


def _document(line: bytes) -> _Document | None:
    """What a line says about a document; None: it is no such line. A URL and a type may have spaces in them.

    >>> _document(b"http://h/a b 192.0.2.1 20261201061035 text/html 36\\n")
    _Document(url='http://h/a b', date='20261201061035', mime='text/html', size=36, status='-', location='-')
    >>> _document(b"http://h/ 192.0.2.1 20261201061035 text/html 301 - /b 0 a.arc 36\\n")
    _Document(url='http://h/', date='20261201061035', mime='text/html', size=36, status='301', location='/b')
    >>> _document(b"http://h/ 20261201061035 text/html 36\\n")
    """
    columns = line.decode("ascii", "surrogateescape").rstrip("\r\n").split(" ")
    if _NUMBER.fullmatch(columns[-1]) is None:
        return None
    size = int(columns[-1])
    if len(columns) >= 10 and _STATUS.fullmatch(columns[-6]) and _is_number(columns[-3]):
        first = _before_type(columns[:-6])
        if first is not None:
            return _Document(*first, size, columns[-6], columns[-4])
    first = _before_type(columns[:-1])
    return None if first is None else _Document(*first, size)


def _before_type(columns: list[str]) -> tuple[str, str, str] | None:
    """The URL, the date and the type of columns that end with it; the date is the last that stands by an address."""
    for place in range(len(columns) - 2, 1, -1):
        if _DATE.fullmatch(columns[place]) and _ADDRESS.fullmatch(columns[place - 1]):
            url = " ".join(columns[: place - 1])
            return (url, columns[place], " ".join(columns[place + 1 :])) if url else None
    return None


def _is_number(text: str) -> bool:
    return text == _NONE or _NUMBER.fullmatch(text) is not None


def _skip_to_document(octets: OctetStream) -> None:
    """Go on to the next line about a document, or to the end."""
    while not octets.is_at_end():
        line = octets.head_through(_END_OF_LINE, LONGEST_LINE)
        if line is None:
            octets.skip_to(_END_OF_LINE)
        elif _document(line) is not None:
            return
        else:
            octets.skip(len(line))
