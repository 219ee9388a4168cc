"""Only LF and CRLF end a line; what follows the last of them is one too, and the length of a line is bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from iri_canon.logs.records import Line, Place

LONGEST_LINE: Final = 1 << 24
"""Octets; a longer line is none, and is not kept in memory."""

_BYTE_ORDER_MARK: Final = "\ufeff"


def lines_of(chunks: Iterable[bytes], file: str, number: int = 1, offset: int = 0) -> Iterator[Line]:
    """The lines of some octets, which begin in ``file`` with line ``number`` at ``offset``.

    What the chunks raise is raised behind the last line that has ended: what is cut off is none. A byte order mark at
    the head of the first line is no part of it.

    >>> [(place.offset, text) for place, text in lines_of([b"a\\r", b"\\n\\xe9", b"\\rb"], "log")]
    [(0, 'a'), (3, '\\udce9\\rb')]
    """
    length = 0
    held: list[bytes] = []
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            length += len(part)
            place = Place(file, number, offset)
            yield Line(place, None if length > LONGEST_LINE else _text(b"".join((*held, part)), number))
            number, offset, length = number + 1, offset + length + 1, 0
            held.clear()
        length += len(rest)
        if length > LONGEST_LINE:
            held.clear()
        else:
            held.append(rest)
    if length:
        yield Line(
            Place(file, number, offset), None if length > LONGEST_LINE else _text(b"".join(held), number)
        )


def _text(octets: bytes, number: int) -> str:
    text = octets.removesuffix(b"\r").decode("utf-8", "surrogateescape")
    return text.removeprefix(_BYTE_ORDER_MARK) if number == 1 else text
