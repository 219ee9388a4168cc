"""Rows that are sorted by class are cut into one row a class, a batch at a time, whatever the size of a class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.ladder import Rung

RUNGS: Final = pa.array([rung.name.lower() for rung in Rung])

CLASSES: Final = pa.schema(
    [
        pa.field("key", pa.string(), nullable=False),
        pa.field("representative", pa.string(), nullable=False),
        pa.field("count", pa.int64(), nullable=False),
        pa.field("urls", pa.list_(pa.string()), nullable=False),
        pa.field("rung", pa.string(), nullable=False),
        pa.field("steps", pa.list_(pa.string()), nullable=False),
    ]
)
"""A row a class. All text may be `iri_canon.logs.columns.carried`."""


def classes(members: Iterable[pa.RecordBatch], extra: str | None = None) -> Iterator[pa.RecordBatch]:
    """One row a class of rows of its members, which are sorted by ``class``.

    Members have ``class``, ``url``, ``key``, ``records``, ``is_representative`` (true for one member of each class),
    and, of their class, ``rung`` (a number) and ``steps``. ``extra`` names a column of texts that is kept of the
    representative, behind those of `CLASSES`.
    """
    waiting: list[pa.RecordBatch] = []
    for batch in members:
        if not batch.num_rows:
            continue
        number = batch.column("class")
        if not waiting or number[-1] == waiting[-1].column("class")[-1]:
            waiting.append(batch)
            continue
        # The last class of a batch may go on in the next one.
        start = pc.index(number, number[-1]).as_py()
        yield _cut(pa.Table.from_batches([*waiting, batch.slice(0, start)]), extra)
        waiting = [batch.slice(start)]
    if waiting:
        yield _cut(pa.Table.from_batches(waiting), extra)


def _cut(members: pa.Table, extra: str | None) -> pa.RecordBatch:
    """One row a class of whole classes."""
    members = members.combine_chunks()
    column = {name: _array(members.column(name)) for name in members.column_names}
    number = column["class"]
    ends = pc.indices_nonzero(pc.not_equal(number[1:], number[:-1]))
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), pc.add(ends, 1).cast(pa.int32())])
    offsets = pa.concat_arrays([offsets, pa.array([len(number)], pa.int32())])
    sums = pa.concat_arrays(
        [pa.array([0], pa.int64()), pc.cumulative_sum(column["records"].cast(pa.int64()))]
    )
    before = sums.take(offsets)
    chosen = column["is_representative"]
    cut = pa.RecordBatch.from_arrays(
        [
            column["key"].filter(chosen),
            column["url"].filter(chosen),
            pc.subtract(before[1:], before[:-1]),
            pa.ListArray.from_arrays(offsets, column["url"]),
            RUNGS.take(column["rung"].filter(chosen)),
            column["steps"].filter(chosen),
        ],
        schema=CLASSES,
    )
    return cut if extra is None else cut.append_column(extra, column[extra].filter(chosen))


def _array(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks else pa.array([], column.type)
