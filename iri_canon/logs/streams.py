"""Data in chunks is read as a file: what goes wrong under it ends it, and is kept for the one who opened it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from iri_canon.errors import LogError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class ChunkStream(io.RawIOBase):
    """The octets of some chunks. Put an `io.BufferedReader` around it.

    ``problem`` is the `LogError` that the chunks raised, None as yet: the stream ends before it, so that a reader of
    records gets all that is good, however far it reads ahead.

    >>> stream = ChunkStream(iter([b"ab", b"", b"c"]))
    >>> io.BufferedReader(stream).read(), stream.problem
    (b'abc', None)
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = memoryview(b"")
        self.problem: LogError | None = None

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill some of a buffer; 0: the data has ended."""
        while not self._rest:
            if self.problem is not None:
                return 0
            try:
                self._rest = memoryview(next(self._chunks))
            except StopIteration:
                return 0
            except LogError as error:
                self.problem = error
        into = memoryview(buffer).cast("B")
        size = min(len(into), len(self._rest))
        into[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size
