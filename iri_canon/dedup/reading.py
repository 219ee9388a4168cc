"""Batches of records go into a table as they come; what the log's reader raises comes out behind what it gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from iri_canon.dedup import statements
from iri_canon.dedup.database import Database
from iri_canon.logs.columns import HOPS, SCHEMA

_READ: Final = pa.schema(
    [
        SCHEMA.field(name)
        for name in ("number", "url", "status", "location", "digest", "time", "method", "counts")
    ]
)
LED: Final = pa.schema(
    [("number", pa.int64()), ("time", pa.float64()), ("method", pa.string()), ("led_by", HOPS)]
)
"""Redirects that records tell of others, as the columns of records have them."""


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
        self._files = 0
        self.has_evidence = False
        """Whether any record has a redirect or a digest."""
        database.run(statements.RECORDS)

    def read(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Read all batches. Raises what they raise."""
        failed: list[BaseException] = []
        # DuckDB would make an error of its own of it, and throw away what came before.
        given = pa.RecordBatchReader.from_batches(_READ, self._until_it_fails(batches, failed))
        hour = statements.HOUR if self._hours else statements.NO_HOUR
        self._database.run(statements.READ.format(hour=hour), given)
        if failed:
            raise failed[0]

    def _until_it_fails(
        self, batches: Iterable[pa.RecordBatch], failed: list[BaseException]
    ) -> Iterator[pa.RecordBatch]:
        try:
            for batch in batches:
                self._notice(batch)
                yield batch.select(_READ.names).cast(_READ)
        except BaseException as error:  # noqa: BLE001 - it is raised again, by the thread that asked for the reading
            failed.append(error)

    def _notice(self, batch: pa.RecordBatch) -> None:
        rows = batch.num_rows
        if any(batch.column(name).null_count < rows for name in ("location", "digest", "led_by")):
            self.has_evidence = True
