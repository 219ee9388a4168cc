"""There is one door through which a log comes in columns; what is wrong with the log is in its tally."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Final, TypeVar

import pyarrow as pa

from iri_canon.errors import LogError
from iri_canon.logs import delimited
from iri_canon.logs.block_reading import WAYS, BlockReader
from iri_canon.logs.blocks import blocks
from iri_canon.logs.columns import PLACES, batches
from iri_canon.logs.extra import Extra, with_texts
from iri_canon.logs.formats import FORMATS, PathFormat
from iri_canon.logs.lines import lines_of
from iri_canon.logs.opening import LogFile
from iri_canon.logs.records import Bad, Outcome, Record
from iri_canon.logs.tally import Tally

_Part = TypeVar("_Part")
_MOST_THREADS: Final = 4
_TABLE: Final = "csv"


def read(
    log: LogFile,
    tally: Tally,
    first: int = 0,
    tell: Callable[[Bad], None] | None = None,
    *,
    extra: Sequence[str] = (),
    places: bool = True,
) -> Iterator[pa.RecordBatch]:
    """The records of a log in batches of `columns.SCHEMA`, numbered from ``first``.

    ``places`` False: without the columns `columns.PLACES`.

    ``tell`` is given the first bad records of each reason, and may raise to stop. Else nothing is raised for what a
    log holds, nor for one that cannot be opened: ``tally.problem`` says why it was not read to its end, behind all
    records before. ``tally.format_name`` is the format that was named, or told from the content.

    Fields of feeds and columns of tables that are named in ``extra`` come in one more column of that name, as an object
    in JSON; of the records of other formats that is empty.

    >>> tally = Tally("missing.jsonl")
    >>> list(read(LogFile("missing.jsonl"), tally)), tally.problem
    ([], 'No such file or directory')
    """
    tally.format_name = log.format_name
    with ExitStack() as stack:
        try:
            chunks = log.recognised(stack.enter_context(log.chunks()))
        except (OSError, LogError) as error:
            tally.problem = _reason(error)
            return
        tally.format_name = log.format_name
        # It says by itself what it lacks.
        is_by_path = isinstance(FORMATS.get(log.format_name or ""), PathFormat)
        if is_by_path:
            found = _by_path(log, tally, first, tell, extra)
        elif (way := WAYS.get(log.format_name or "")) is not None:
            carried = Extra(extra) if extra else None
            reader = BlockReader(way(), log.name, tally, tell, carried, places=places)
            found = reader.batches(_to_the_end(blocks(chunks), tally), first, _threads())
        else:
            found = _batches(log, chunks, tally, first, tell, Extra(extra) if extra else None)
        yield from found if places else map(_without_places, found)
    if tally.problem is None and not is_by_path and not tally.records:
        tally.problem = log.without_records()


def _by_path(
    log: LogFile, tally: Tally, first: int, tell: Callable[[Bad], None] | None, extra: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    if log.path is None:
        tally.problem = "Parquet is read from its end, and standard input has none: name the file"
        return
    from iri_canon.logs import parquet  # its library takes a while

    def tell_apart(bad: Bad) -> None:
        try:
            if tell is not None:
                tell(bad)
        except Exception as error:
            raise _StopError from error

    try:
        yield from _to_the_end(parquet.batches(log.path, tally, first, tell_apart, extra=extra), tally)
    except _StopError as stop:
        raise stop.__cause__ or stop from None


class _StopError(Exception):
    """What ``tell`` raised is no trouble of the file."""


def _batches(
    log: LogFile,
    chunks: Iterator[bytes],
    tally: Tally,
    first: int,
    tell: Callable[[Bad], None] | None,
    extra: Extra | None,
) -> Iterator[pa.RecordBatch]:
    if extra is None:
        yield from batches(_to_the_end(log.outcomes_of(chunks), tally), tally, first, tell)
        return
    texts: deque[str] = deque()
    outcomes = _with_extra(log, chunks, extra, texts)
    for batch in batches(_to_the_end(outcomes, tally), tally, first, tell):
        yield with_texts(batch, [texts.popleft() for _ in range(batch.num_rows)])


def _with_extra(log: LogFile, chunks: Iterator[bytes], extra: Extra, texts: deque[str]) -> Iterator[Outcome]:
    """What the log holds; for each record a text is put behind the others."""
    if log.format_name == _TABLE:
        for row in delimited.rows(lines_of(chunks, log.name)):
            outcome = delimited.outcome_of(row)
            if isinstance(row, delimited.Row) and isinstance(outcome, Record):
                texts.append(extra.text_of(row.fields))
            yield outcome
    else:
        for outcome in log.outcomes_of(chunks):
            if isinstance(outcome, Record):
                texts.append(extra.text_of({}))
            yield outcome


def _without_places(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch.select([name for name in batch.schema.names if name not in PLACES])


def _threads() -> int:
    """As many as there are processors for this process, and few: parsing is all that they do."""
    return min(
        _MOST_THREADS,
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
    )


def _to_the_end(parts: Iterable[_Part], tally: Tally) -> Iterator[_Part]:
    """What is there, and a note of what was wrong behind it."""
    try:
        yield from parts
    except (OSError, LogError) as error:
        tally.problem = _reason(error)


def _reason(error: OSError | LogError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
