"""Whole lines come in blocks, for what reads many at once; the lines of a block are those of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from iri_canon.logs.lines import LONGEST_LINE, lines_of
from iri_canon.logs.records import Line, Place

SIZE: Final = 1 << 21
"""Octets that a block has at least, but for the last one."""

_LEAST: Final = 1 << 13
"""Octets of a block that is not cut in two any more."""


class Block(NamedTuple):
    """Some lines that follow each other: their octets, the number of the first one, its offset.

    ``octets`` None stands for one line that is longer than a line may be.
    """

    octets: bytes | None
    line: int = 1
    offset: int = 0

    def lines(self, file: str) -> Iterator[Line]:
        """The lines one by one, as they are read without blocks.

        >>> [(place.line, place.offset, text) for place, text in Block(b"a\\r\\nb", 5, 90).lines("log")]
        [(5, 90, 'a'), (6, 93, 'b')]
        """
        if self.octets is None:
            return iter([Line(Place(file, self.line, self.offset), None)])
        return lines_of([self.octets], file, self.line, self.offset)

    def halves(self) -> tuple[Block, Block] | None:
        """The block in two between lines; None: it is small, or one line.

        >>> Block(b"a\\n" * 5000).halves()[1][1:]
        (2502, 5002)
        """
        if self.octets is None or len(self.octets) <= _LEAST:
            return None
        middle, last = len(self.octets) // 2, len(self.octets) - 1
        cut = self.octets.find(b"\n", middle, last) + 1 or self.octets.rfind(b"\n", 0, middle) + 1
        if not cut:
            return None
        head = self.octets[:cut]
        line, offset = self.line + head.count(b"\n"), self.offset + cut
        return self._replace(octets=head), Block(self.octets[cut:], line, offset)


def blocks(chunks: Iterable[bytes]) -> Iterator[Block]:
    """The lines of some octets in blocks.

    What the chunks raise is raised behind the last line that has ended: what is cut off is none.

    >>> list(blocks([b"a\\nb", b"c\\nd"]))
    [Block(octets=b'a\\nbc\\nd', line=1, offset=0)]
    """
    cutter = _Cutter()
    try:
        for chunk in chunks:
            yield from cutter.add(chunk)
    except Exception:
        yield from cutter.whole()
        raise
    yield from cutter.all()


class _Cutter:
    """Holds the lines that have ended, and the one that has not."""

    def __init__(self) -> None:
        self._line, self._offset = 1, 0
        self._ended: list[bytes | memoryview] = []
        self._open: list[bytes] = []
        self._ended_size = self._open_size = 0
        self._is_too_long = False

    def add(self, chunk: bytes) -> Iterator[Block]:
        """Take some octets; give what is a block, and a line that was too long."""
        if self._is_too_long:
            end = chunk.find(b"\n") + 1
            self._open_size += end or len(chunk)
            if not end:
                return
            yield self._too_long()
            chunk = chunk[end:]
        end = chunk.rfind(b"\n") + 1
        if end:
            self._ended += [*self._open, memoryview(chunk)[:end]]  # copied once, by the block
            self._ended_size += self._open_size + end
            self._open, self._open_size = [], 0
            if self._ended_size >= SIZE:
                yield from self.whole()
        if end < len(chunk):
            self._open.append(chunk[end:])
            self._open_size += len(chunk) - end
        if self._open_size > LONGEST_LINE:
            yield from self.whole()
            self._open, self._is_too_long = [], True

    def whole(self) -> Iterator[Block]:
        """The lines that have ended."""
        if self._ended:
            octets = b"".join(self._ended)
            block = Block(octets, self._line, self._offset)
            self._line += octets.count(b"\n")
            self._offset += self._ended_size
            self._ended, self._ended_size = [], 0
            yield block

    def all(self) -> Iterator[Block]:
        """The lines that have ended, and what follows the last of them."""
        if self._is_too_long:
            yield self._too_long()
            return
        self._ended += self._open
        self._ended_size += self._open_size
        yield from self.whole()

    def _too_long(self) -> Block:
        block = Block(None, self._line, self._offset)
        self._line += 1
        self._offset += self._open_size
        self._open_size, self._is_too_long = 0, False
        return block
