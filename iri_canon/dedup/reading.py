"""Batches of records go into a table as they come; what the log's reader raises comes out behind what it gave."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.dedup import statements
from iri_canon.dedup.database import Database
from iri_canon.logs.columns import SCHEMA

_READ: Final = pa.schema(
    [
        SCHEMA.field(name)
        for name in ("number", "url", "status", "location", "digest", "time", "method", "counts")
    ]
)
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
        database.run(statements.RECORDS)
        database.run(statements.LED)

    def read(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Read all batches. Raises what they raise, behind what came before."""
        failed: list[BaseException] = []
        hour = statements.HOUR if self._hours else statements.NO_HOUR
        # While rows are read into one table none can go into another: redirects that led to records wait in a file.
        with tempfile.TemporaryFile(dir=self._database.folder) as file:
            with pa.ipc.new_stream(file, _LED) as led:
                given = self._until_it_fails(batches, led, failed)
                reader = pa.RecordBatchReader.from_batches(_READ, given)
                self._database.run(statements.READ.format(hour=hour), reader)
            file.seek(0)
            self._database.run(statements.READ_LED, pa.ipc.open_stream(file))
        if failed:
            raise failed[0]

    def _until_it_fails(
        self, batches: Iterable[pa.RecordBatch], led: pa.RecordBatchStreamWriter, failed: list[BaseException]
    ) -> Iterator[pa.RecordBatch]:
        try:
            for batch in batches:
                if batch.column("led_by").null_count < batch.num_rows:
                    led.write_batch(_led(batch))
                yield batch.select(_READ.names).cast(_READ)
        except BaseException as error:  # noqa: BLE001 - DuckDB would make one of its own of it; it is raised in `read`
            failed.append(error)


def _led(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A row for each redirect that led to a record."""
    hops = batch.column("led_by")
    parents = pc.list_parent_indices(hops)
    source, target, status = pc.list_flatten(hops).flatten()
    columns = [batch.column(name).take(parents) for name in ("number", "time", "method")]
    place = pa.array(range(len(parents)), pa.int64())
    return pa.RecordBatch.from_arrays([*columns, place, source, target, status], schema=_LED)
