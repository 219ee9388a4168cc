"""A log is opened for reading only: plain or gzip, by its first octets; all whole lines come, then what is wrong."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final

from iri_canon.errors import LogError
from iri_canon.logs.formats import FORMATS, detect
from iri_canon.logs.records import Line, Outcome, Place

STDIN: Final = "-"
"""The name that stands for standard input."""

LONGEST_LINE: Final = 1 << 24
"""Octets; a longer line is none, and is not kept in memory."""

_CHUNK: Final = 1 << 16
#: Lines that are looked at to tell the format.
_LOOKED_AT: Final = 100
_GZIP: Final = b"\x1f\x8b"
_OTHERS: Final = {b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"PK\x03\x04": "zip"}
_BYTE_ORDER_MARK: Final = "\ufeff"


class LogFile:
    """A log by its path, or standard input by ``STDIN``; ``format_name`` None: to be told from the content.

    >>> with LogFile("missing.jsonl").outcomes() as outcomes:
    ...     pass
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'missing.jsonl'
    """

    def __init__(self, name: str, format_name: str | None = None) -> None:
        self.name = "<stdin>" if name == STDIN else name
        self.format_name = format_name
        self.is_guessed = format_name is None
        """Whether the format was to be told from the content."""
        self.is_empty = True
        """Until a line was read."""
        self._path = None if name == STDIN else Path(name)

    @contextmanager
    def outcomes(self) -> Iterator[Iterator[Outcome]]:
        """What the lines of the log are; an empty file has none.

        Raises ``OSError`` for a file that cannot be read. The iterator raises ``LogError`` for one whose format is not
        known, and behind the last whole line of one that is cut off or damaged.
        """
        if self._path is not None:
            with self._path.open("rb") as stream:
                yield self._outcomes(stream)
        elif sys.stdin is None:
            raise LogError("standard input is closed")
        else:
            yield self._outcomes(sys.stdin.buffer)

    def _outcomes(self, stream: BinaryIO) -> Iterator[Outcome]:
        lines = self._lines(_chunks(stream))
        first: list[Line] = []
        wrong: LogError | None = None
        try:
            first.extend(islice(lines, _LOOKED_AT))
        except LogError as error:  # what stands before it is read all the same
            wrong = error
        self.is_empty = not first and wrong is None
        if first and self.format_name is None:
            self.format_name = detect(self.name, (line.text or "" for line in first))
            if self.format_name is None:
                raise wrong or LogError(
                    f"the format is not to be told; name it by --format: {', '.join(FORMATS)}"
                )
        if self.format_name is not None:
            yield from FORMATS[self.format_name].records(chain(first, lines))
        if wrong is not None:
            raise wrong

    def _lines(self, chunks: Iterator[bytes]) -> Iterator[Line]:
        """Only LF and CRLF end a line; what follows the last of them is one, unless reading failed there."""
        number, offset, length = 1, 0, 0
        held: list[bytes] = []
        for chunk in chunks:
            *ended, rest = chunk.split(b"\n")
            for part in ended:
                length += len(part)
                yield self._line(number, offset, b"".join((*held, part)) if length <= LONGEST_LINE else None)
                number, offset, length = number + 1, offset + length + 1, 0
                held.clear()
            length += len(rest)
            if length > LONGEST_LINE:
                held.clear()
            else:
                held.append(rest)
        if length:
            yield self._line(number, offset, b"".join(held) if length <= LONGEST_LINE else None)

    def _line(self, number: int, offset: int, octets: bytes | None) -> Line:
        place = Place(self.name, number, offset)
        if octets is None:
            return Line(place, None)
        text = octets.removesuffix(b"\r").decode("utf-8", "surrogateescape")
        return Line(place, text.removeprefix(_BYTE_ORDER_MARK) if number == 1 else text)


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    first = stream.read(_CHUNK)
    for mark, name in _OTHERS.items():
        if first.startswith(mark):
            raise LogError(f"compressed by {name}, which is not read; pipe it in decompressed")
    chunks = chain([first], iter(partial(stream.read, _CHUNK), b""))
    return _decompressed(chunks) if first.startswith(_GZIP) else chunks


def _decompressed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """RFC 1952 2.2: the members of a gzip file, one after the other; zeros between them are padding.

    Raises ``LogError`` for one that is cut off or damaged, with its offset in the file.
    """
    member = None
    start = position = 0
    for chunk in chunks:
        more = False
        while chunk or more:
            if member is None:
                padding = len(chunk) - len(chunk := chunk.lstrip(b"\0"))
                position += padding
                if not chunk:
                    break
                member, start = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS), position
            try:
                data = member.decompress(chunk, _CHUNK)
            except zlib.error:
                raise LogError(f"the gzip member at octet {start} is damaged") from None
            if data:
                yield data
            rest = member.unused_data if member.eof else member.unconsumed_tail
            position += len(chunk) - len(rest)
            chunk = rest
            more = not member.eof and len(data) == _CHUNK  # a bomb costs no memory: there may be more to come
            if member.eof:
                member = None
    if member is not None:
        raise LogError(f"the gzip member at octet {start} is cut off")
