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
_ALWAYS: Final = frozenset({"number", "url"})
_OPTIONAL: Final = ("status", "location", "digest", "time", "method")
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
        # While rows are read into one table none can go into another: redirects that led to records wait in a file.
        with tempfile.TemporaryFile(dir=self._database.folder) as file:
            with pa.ipc.new_stream(file, _LED) as led:
                runs = _Runs(chain([first], others), led)
                for told in runs.all():
                    schema = pa.schema([field for field in _READ if field.name in told | _ALWAYS])
                    if has_extra:
                        schema = schema.append(FIELD)
                    statement = statements.read(told, hours=self._hours, extra=has_extra)
                    self._database.run(
                        statement, pa.RecordBatchReader.from_batches(schema, runs.batches(schema, told))
                    )
            file.seek(0)
            self._database.run(statements.READ_LED, pa.ipc.open_stream(file))


class _Runs:
    """Batches that follow each other and tell no more than those before are read together.

    Most logs tell little of a record, and grouping takes its time by the column.
    """

    def __init__(self, batches: Iterator[pa.RecordBatch], led: pa.RecordBatchStreamWriter) -> None:
        self._batches = batches
        self._led = led
        self._next = next(batches, None)

    def all(self) -> Iterator[frozenset[str]]:
        """What is told of the records of each run, whose batches are to be taken before the next."""
        told: frozenset[str] = frozenset()
        while self._next is not None:
            told |= _told(self._next)
            yield told

    def batches(self, schema: pa.Schema, told: frozenset[str]) -> Iterator[pa.RecordBatch]:
        """Those of a run, with the columns that are told; what `led_by` tells goes into the file."""
        while self._next is not None and _told(self._next) <= told:
            batch = self._next
            if batch.column("led_by").null_count < batch.num_rows:
                self._led.write_batch(_led(batch))
            yield batch.select(schema.names).cast(schema)
            self._next = next(self._batches, None)


def _told(batch: pa.RecordBatch) -> frozenset[str]:
    """The columns that are not always the same: null, or true."""
    found = {name for name in _OPTIONAL if batch.column(name).null_count < batch.num_rows}
    if batch.column("counts").true_count < batch.num_rows:
        found.add("counts")
    return frozenset(found)


def _until_it_fails(
    batches: Iterable[pa.RecordBatch], failed: list[BaseException]
) -> Iterator[pa.RecordBatch]:
    try:
        yield from batches
    except BaseException as error:  # noqa: BLE001 - DuckDB would make one of its own of it; it is raised in `read`
        failed.append(error)


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
