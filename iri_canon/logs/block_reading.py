"""A block is read at once, or in ever smaller parts down to its lines: the records are those of the lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import pyarrow as pa

from iri_canon.logs import jsonl, list_rows, urls
from iri_canon.logs.block_rows import Rows
from iri_canon.logs.blocks import Block
from iri_canon.logs.columns import ROWS, batches, carried
from iri_canon.logs.feed_rows import Feed
from iri_canon.logs.records import Bad, Line, Outcome
from iri_canon.logs.tally import Tally

_LONGEST_PAUSE: Final = 64
"""Blocks."""


class Way(NamedTuple):
    """How the blocks of a log are read.

    ``rows`` reads a block at once, or gives None; ``records`` reads lines, which is what counts; ``learn`` is shown the
    texts of lines that were not read at once.
    """

    rows: Callable[[Block], Rows | None]
    records: Callable[[Iterable[Line]], Iterator[Outcome]]
    learn: Callable[[Iterable[str]], object]


def _way_of_feeds() -> Way:
    feed = Feed()
    return Way(feed.rows, jsonl.records, feed.learn)


def _way_of_lists() -> Way:
    return Way(list_rows.rows, urls.records, list)


WAYS: Final[Mapping[str, Callable[[], Way]]] = {"jsonl": _way_of_feeds, "urls": _way_of_lists}
"""By format; each log has its own."""


class BlockReader:
    """Reads the blocks of the log ``file``, and counts what they hold."""

    def __init__(self, way: Way, file: str, tally: Tally, tell: Callable[[Bad], None] | None = None) -> None:
        self._way = way
        self._file = file
        self._tally = tally
        self._tell = tell
        self._by_line = 0
        self._pause = self._paused = 0

    def batches(self, block: Block, first: int) -> Iterator[pa.RecordBatch]:
        """The records of a block, numbered from ``first``. What ``tell`` raises is raised behind those before it.

        >>> reader = BlockReader(WAYS["urls"](), "a.txt", Tally("a.txt"))
        >>> [batch.column("number").to_pylist() for batch in reader.batches(Block(b"http://h/a\\nhttp://h/b"), 5)]
        [[5, 6]]
        """
        parts: list[pa.RecordBatch] = []
        try:
            parts.extend(self._parts(block, first))
        except Exception:
            yield from _joined(parts)
            raise
        yield from _joined(parts)

    def _parts(self, block: Block, first: int) -> Iterator[pa.RecordBatch]:
        if self._paused:
            self._paused -= 1
            yield from self._line_by_line(block, first)
            return
        self._by_line = 0
        yield from self._at_once(block, first)
        # a feed in which no part is without doubt is not tried in parts over and over
        if block.octets is not None and self._by_line * 2 > len(block.octets):
            self._pause = self._paused = min(2 * self._pause + 1, _LONGEST_PAUSE)
        else:
            self._pause = 0

    def _at_once(self, block: Block, first: int) -> Iterator[pa.RecordBatch]:
        rows = self._way.rows(block)
        if rows is not None:
            self._tally.without_url += rows.without_url
            self._tally.records += rows.size
            if rows.size:
                yield rows.batch(carried(self._file), first)
            return
        halves = block.halves()
        if halves is None:
            self._by_line += len(block.octets or b"")
            yield from self._line_by_line(block, first)
            return
        for half in halves:
            for batch in self._at_once(half, first):
                yield batch
                first += batch.num_rows

    def _line_by_line(self, block: Block, first: int) -> Iterator[pa.RecordBatch]:
        self._way.learn(line.text for line in block.lines(self._file) if line.text is not None)
        yield from batches(self._way.records(block.lines(self._file)), self._tally, first, self._tell)


def _joined(parts: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Few batches instead of many, none with more rows than a batch has."""
    if not parts:
        return
    whole = parts[0] if len(parts) == 1 else pa.concat_batches(parts)
    for start in range(0, whole.num_rows, ROWS):
        yield whole.slice(start, ROWS)
