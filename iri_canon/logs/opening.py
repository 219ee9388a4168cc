"""A log is opened for reading only, and told by what is in it; all that is whole comes first, then what is wrong."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

from iri_canon.errors import LogError
from iri_canon.logs.compression import CHUNK, decompressed, octets_of
from iri_canon.logs.formats import FORMATS, LOOKED_AT, PathFormat, SiteFormat, StreamFormat, detect
from iri_canon.logs.lines import LONGEST_LINE, lines_of
from iri_canon.logs.records import Outcome
from iri_canon.logs.streams import ChunkStream

STDIN: Final = "-"
"""The name that stands for standard input."""

_LOOKED_AT: Final = 1 << 18
"""Octets that are looked at to tell the format, where they have a line."""
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


class LogFile:
    """A log by its path, or standard input by ``STDIN``; ``format_name`` None: to be told from the content.

    ``site`` is the one whose requests an access log has.

    >>> with LogFile("missing.jsonl").outcomes() as outcomes:
    ...     pass
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'missing.jsonl'
    """

    def __init__(self, name: str, format_name: str | None = None, *, site: str | None = None) -> None:
        self.name = "<stdin>" if name == STDIN else name
        self.format_name = format_name
        """None until it is told."""
        self.is_guessed = format_name is None
        """Whether the format was to be told from the content."""
        self.is_empty = True
        """Until something was read."""
        self.path = None if name == STDIN else Path(name)
        self._site = site
        self._stream: BinaryIO | None = None

    @property
    def position(self) -> int | None:
        """Octets of the file that were read so far; None where it is not being read, and for a pipe."""
        is_known = self._stream is not None and not self._stream.closed and self._stream.seekable()
        return self._stream.tell() if self._stream is not None and is_known else None

    def without_records(self) -> str | None:
        """What is wrong with a log that was read to its end and gave no record; None: it is empty."""
        if self.is_empty:
            return None
        guessed = f" of {self.format_name}, as it seems to be; --format names another format"
        return f"no readable record{guessed if self.is_guessed else ''}"

    @contextmanager
    def outcomes(self) -> Iterator[Iterator[Outcome]]:
        """What the lines of the log, or its other parts, are; an empty file has none.

        Raises ``OSError`` for a file that cannot be read. The iterator raises ``LogError`` for one whose format is not
        known, and behind the last whole record of one that is cut off or damaged.
        """
        with self.chunks() as chunks:
            yield self.outcomes_of(chunks)

    @contextmanager
    def chunks(self) -> Iterator[Iterator[bytes]]:
        """The decompressed data. Raises ``OSError``, and the iterator ``LogError`` behind the last good data."""
        if self.path is not None:
            with self.path.open("rb") as self._stream:
                yield decompressed(octets_of(self._stream.read))
        elif sys.stdin is None:
            raise LogError("standard input is closed")
        else:
            yield decompressed(octets_of(sys.stdin.buffer.read))

    def recognised(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """All of some chunks again, when they have told the format where it was not named.

        Sets ``is_empty`` and, but for an empty log, ``format_name``. Raises ``LogError`` where the format is not to be
        told.
        """
        head, wrong, is_whole = self._head(chunks)
        self.is_empty = not head and wrong is None
        if not head:
            if wrong is not None:
                raise wrong
            return iter(())
        if self.format_name is None:
            self.format_name = detect(self.name, head, is_whole=is_whole)
        known = FORMATS.get(self.format_name or "")
        if head.startswith(_UTF_16) and not isinstance(known, StreamFormat | PathFormat):
            raise LogError("text in UTF-16, which is not read; pipe it in as UTF-8")
        if known is None:
            raise wrong or LogError(
                f"the format is not to be told; name it by --format: {', '.join(FORMATS)}"
            )
        return _again(head, chunks, wrong)

    def outcomes_of(self, chunks: Iterator[bytes]) -> Iterator[Outcome]:
        """What the parts of the log are, of its decompressed data; raises as that of `outcomes` does."""
        chunks = self.recognised(chunks)
        if self.is_empty or self.format_name is None:
            return
        known = FORMATS[self.format_name]
        if isinstance(known, PathFormat):
            raise LogError("of a format that is read as a file alone, and by dedup alone")
        if isinstance(known, StreamFormat):
            yield from self._of_stream(known, chunks)
        elif isinstance(known, SiteFormat):
            yield from known.records(lines_of(chunks, self.name), self._site)
        else:
            yield from known.records(lines_of(chunks, self.name))

    def _of_stream(self, known: StreamFormat, chunks: Iterator[bytes]) -> Iterator[Outcome]:
        stream = ChunkStream(chunks)
        try:
            yield from known.records(cast(BinaryIO, io.BufferedReader(stream, CHUNK)), self.name)
        except LogError:
            if stream.problem is None:
                raise
        if stream.problem is not None:  # what it leads to is not told
            raise stream.problem

    def _head(self, chunks: Iterator[bytes]) -> tuple[bytes, LogError | None, bool]:
        """What the data begins with, what was wrong behind it, and whether that is all of it."""
        held: list[bytes] = []
        size = lines = 0
        try:
            for chunk in chunks:
                held.append(chunk)
                size += len(chunk)
                lines += chunk.count(b"\n")
                is_enough = lines >= LOOKED_AT or (lines and size >= _LOOKED_AT) or size > LONGEST_LINE
                if is_enough or self.format_name is not None:
                    return b"".join(held), None, False
        except LogError as error:  # what stands before it is read all the same
            return b"".join(held), error, False
        return b"".join(held), None, True


def _again(head: bytes, rest: Iterator[bytes], wrong: LogError | None) -> Iterator[bytes]:
    yield head
    if wrong is not None:
        raise wrong
    yield from rest
