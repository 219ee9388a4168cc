"""A block is read at once, or in ever smaller parts down to its lines: the records are those of the lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, Final, NamedTuple

import pyarrow as pa

from iri_canon.logs import jsonl, list_rows, urls
from iri_canon.logs.block_rows import Rows
from iri_canon.logs.blocks import Block
from iri_canon.logs.columns import ROWS, WITHOUT_PLACES, batches, carried
from iri_canon.logs.extra import Extra
from iri_canon.logs.feed_rows import Feed, row_in
from iri_canon.logs.records import Bad, Line, Outcome
from iri_canon.logs.tally import Tally

_LONGEST_PAUSE: Final = 64
"""Blocks."""
_LEARNT_FROM: Final = 20
"""Lines, before the first block is tried."""


_MOST_AHEAD: Final = 6 << 20
"""Octets of blocks that are read ahead; a block of one line may be large."""


class Way(NamedTuple):
    """How the blocks of a log are read.

    ``rows`` reads a block at once, or gives None; ``records`` reads lines, which is what counts; ``learn`` is shown the
    texts of lines that were not read at once, and says whether one of them was news. ``row_in`` gives the fields of a
    line that is a record.
    """

    rows: Callable[[Block], Rows | None]
    records: Callable[[Iterable[Line]], Iterator[Outcome]]
    learn: Callable[[Iterable[str]], bool]
    row_in: Callable[[str], Mapping[str, Any]]


def _way_of_feeds() -> Way:
    feed = Feed()
    return Way(feed.rows, jsonl.records, feed.learn, row_in)


def _way_of_lists() -> Way:
    return Way(list_rows.rows, urls.records, lambda _: False, lambda _: {})


WAYS: Final[Mapping[str, Callable[[], Way]]] = {"jsonl": _way_of_feeds, "urls": _way_of_lists}
"""By format; each log has its own."""


class BlockReader:
    """Reads the blocks of the log ``file``, and counts what they hold; ``places`` False: without `columns.PLACES`.

    >>> tally = Tally("a.txt")
    >>> reader = BlockReader(WAYS["urls"](), "a.txt", tally)
    >>> found = reader.batches([Block(b"http://h/a\\nhttp://h/b")], 5)
    >>> [batch.column("number").to_pylist() for batch in found], tally.records
    ([[5, 6]], 2)
    """

    def __init__(
        self,
        way: Way,
        file: str,
        tally: Tally,
        tell: Callable[[Bad], None] | None = None,
        extra: Extra | None = None,
        *,
        places: bool = True,
    ) -> None:
        self._way = way
        self._file = file
        self._file_carried = carried(file) if places else None
        self._tally = tally
        self._tell = tell
        self._extra = extra
        self._lessons = 0
        self._by_line = 0
        self._pause = self._paused = 0

    def batches(self, blocks: Iterable[Block], first: int, threads: int = 1) -> Iterator[pa.RecordBatch]:
        """The records of the blocks in order, numbered from ``first``; some blocks are read ahead, by ``threads``.

        What ``tell`` raises is raised behind the records before.
        """
        ahead: deque[_Try] = deque()
        with ThreadPoolExecutor(threads) as pool:
            try:
                for block in blocks:
                    ahead.append(self._begin(block, pool))
                    while len(ahead) > 2 * threads or sum(map(_size, ahead)) > _MOST_AHEAD:
                        for batch in self._end(ahead.popleft(), first):
                            first += batch.num_rows
                            yield batch
                while ahead:
                    for batch in self._end(ahead.popleft(), first):
                        first += batch.num_rows
                        yield batch
            finally:
                for each in ahead:
                    each.rows.cancel()

    def _begin(self, block: Block, pool: ThreadPoolExecutor) -> _Try:
        if not self._lessons:
            self._learn(islice(block.lines(self._file), _LEARNT_FROM))
        rows = pool.submit(_nothing if self._paused else self._way.rows, block)
        return _Try(block, self._lessons, rows)

    def _end(self, tried: _Try, first: int) -> Iterator[pa.RecordBatch]:
        parts: list[pa.RecordBatch] = []
        try:
            parts.extend(self._parts(tried, first))
        except Exception:
            yield from _joined(parts)
            raise
        yield from _joined(parts)

    def _parts(self, tried: _Try, first: int) -> Iterator[pa.RecordBatch]:
        rows, block = tried.rows.result(), tried.block
        if rows is not None:
            self._pause = 0
            yield from self._counted(rows, first)
            return
        if self._paused:
            self._paused -= 1
            yield from self._line_by_line(block, first)
            return
        self._by_line = 0
        yield from self._in_parts(block, first, is_tried=tried.lessons == self._lessons)
        # a feed in which no part is without doubt is not tried in parts over and over
        if block.octets is not None and self._by_line * 2 > len(block.octets):
            self._pause = self._paused = min(2 * self._pause + 1, _LONGEST_PAUSE)
        else:
            self._pause = 0

    def _in_parts(self, block: Block, first: int, *, is_tried: bool = False) -> Iterator[pa.RecordBatch]:
        rows = None if is_tried else self._way.rows(block)
        if rows is not None:
            yield from self._counted(rows, first)
            return
        halves = block.halves()
        if halves is None:
            self._by_line += len(block.octets or b"")
            yield from self._line_by_line(block, first)
            return
        for half in halves:
            for batch in self._in_parts(half, first):
                yield batch
                first += batch.num_rows

    def _counted(self, rows: Rows, first: int) -> Iterator[pa.RecordBatch]:
        self._tally.without_url += rows.without_url
        self._tally.records += rows.size
        if rows.size:
            batch = rows.batch(self._file_carried, first)
            yield (
                batch
                if self._extra is None
                else self._extra.added(batch, map(self._way.row_in, rows.lines.cut().to_pylist()))
            )

    def _line_by_line(self, block: Block, first: int) -> Iterator[pa.RecordBatch]:
        self._learn(block.lines(self._file))
        found = batches(self._way.records(block.lines(self._file)), self._tally, first, self._tell)
        if self._extra is None:
            yield from map(self._with_places, found)
            return
        texts = {line.place.line: line.text or "" for line in block.lines(self._file)}
        for batch in found:
            numbers = batch.column("line").to_pylist()
            rows = (self._way.row_in(texts[number]) for number in numbers)
            yield self._extra.added(self._with_places(batch), rows)

    def _with_places(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return batch if self._file_carried is not None else batch.select(WITHOUT_PLACES.names)

    def _learn(self, lines: Iterable[Line]) -> None:
        if self._way.learn(line.text for line in lines if line.text is not None):
            self._lessons += 1


class _Try(NamedTuple):
    """A block that is being read at once, with what was known of the log then."""

    block: Block
    lessons: int
    rows: Future[Rows | None]


def _size(tried: _Try) -> int:
    return len(tried.block.octets or b"")


def _nothing(_: Block) -> None:
    return None


def _joined(parts: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Few batches instead of many, none with more rows than a batch has."""
    if not parts:
        return
    whole = parts[0] if len(parts) == 1 else pa.concat_batches(parts)
    for start in range(0, whole.num_rows, ROWS):
        yield whole.slice(start, ROWS)
