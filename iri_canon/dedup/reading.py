"""Batches of records go into a table as they come; what the log's reader raises comes out behind what it gave."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.dedup import statements
from iri_canon.dedup.database import Database
from iri_canon.logs.columns import SCHEMA
from iri_canon.logs.extra import FIELD
from iri_canon.logs.lessons import RETRIEVING

_READ: Final = pa.schema(
    [
        SCHEMA.field(name)
        for name in ("number", "url", "status", "location", "digest", "time", "method", "counts")
    ]
)
EXTRA: Final = FIELD.name
"""The column of what is carried through, one text a record."""

_LED: Final = pa.schema(
    [
        ("number", pa.int64()),
        ("time", pa.float64()),
        ("method", pa.string()),
        ("place", pa.int64()),
        ("source", pa.string()),
        ("target", pa.string()),
        ("status", pa.int32()),
    ]
)
_PRESUMED: Final = pa.array(sorted(RETRIEVING), pa.string())


class Reading:
    """The tables that records are read into.

    >>> from iri_canon.logs.columns import batch_of
    >>> with Database() as database:
    ...     Reading(database).read([batch_of([], 0)])
    ...     database.one("SELECT count(*) FROM records")
    0
    """

    def __init__(self, database: Database, *, hours: bool = False) -> None:
        self._database = database
        self._hours = hours
        self.has_extra = False
        """Whether any log had further columns with it (`EXTRA`)."""
        database.run(statements.RECORDS)
        database.run(statements.LED)

    def read(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Read all batches, which are of one schema. Raises what they raise, behind what came before."""
        failed: list[BaseException] = []
        pending = _until_it_fails(batches, failed)
        first = next(pending, None)
        if first is not None:
            self._read(first, pending)
        if failed:
            raise failed[0]

    def _read(self, first: pa.RecordBatch, others: Iterator[pa.RecordBatch]) -> None:
        has_extra = EXTRA in first.schema.names
        self.has_extra = self.has_extra or has_extra
        schema = _READ.append(FIELD) if has_extra else _READ
        statement = statements.READ.format(
            hour=statements.HOUR if self._hours else statements.NO_HOUR,
            extra=statements.EXTRA if has_extra else statements.NO_EXTRA,
        )
        # While rows are read into one table none can go into another: redirects that led to records wait in a file.
        with tempfile.TemporaryFile(dir=self._database.folder) as file:
            with pa.ipc.new_stream(file, _LED) as led:
                given = _narrow(chain([first], others), led, schema)
                self._database.run(statement, pa.RecordBatchReader.from_batches(schema, given))
            file.seek(0)
            self._database.run(statements.READ_LED, pa.ipc.open_stream(file))


def _until_it_fails(
    batches: Iterable[pa.RecordBatch], failed: list[BaseException]
) -> Iterator[pa.RecordBatch]:
    try:
        yield from batches
    except BaseException as error:  # noqa: BLE001 - DuckDB would make one of its own of it; it is raised in `read`
        failed.append(error)


def _narrow(
    batches: Iterable[pa.RecordBatch], led: pa.RecordBatchStreamWriter, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """The columns that are read; what the others tell of redirects goes into the file."""
    for batch in batches:
        if batch.column("led_by").null_count < batch.num_rows:
            led.write_batch(_led(batch))
        yield batch.select(schema.names).cast(schema)


def _led(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A row for each redirect that led to a record."""
    hops = batch.column("led_by")
    parents = pc.list_parent_indices(hops)
    sizes = pc.fill_null(pc.list_value_length(hops), 0).cast(pa.int64())
    begins = pc.subtract(pc.cumulative_sum(sizes), sizes)
    source, target, status = pc.list_flatten(hops).flatten()
    number, time, method = (batch.column(name).take(parents) for name in ("number", "time", "method"))
    # A POST that is redirected may become a GET, so that the last request does not tell how the first one was made.
    method = pc.if_else(pc.is_in(method, value_set=_PRESUMED), pa.scalar(None, pa.string()), method)
    place = pc.subtract(pa.arange(0, len(parents)), begins.take(parents))
    return pa.RecordBatch.from_arrays([number, time, method, place, source, target, status], schema=_LED)
