"""The rows of a run lie in DuckDB, in bounded memory; what does not fit lies in a folder that goes with the run."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import duckdb
import pyarrow as pa

from iri_canon.errors import IriError

ROWS: Final = 1 << 15
"""Of a batch that goes from a table to Python and back, at most."""

MOST_THREADS: Final = 1024
"""More would be of no use anywhere, and take the memory of the machine."""

_NO_MEMORY: Final = "Out of Memory"
_SIZE: Final = re.compile(r"\s*[0-9.]+[ -~]*\Z")

GIVEN: Final = "given"
"""The name by which a statement reads the rows that it is given."""


_LIMIT: Final = "SELECT value FROM duckdb_settings() WHERE name = 'memory_limit'"
_BESIDES: Final = 128 << 20
"""Octets that Python and the readers take of what a run may."""
_UNITS: Final = {
    "KiB": 1 << 10,
    "MiB": 1 << 20,
    "GiB": 1 << 30,
    "TiB": 1 << 40,
    "PiB": 1 << 50,
    "EiB": 1 << 60,
}


def _share(limit: str) -> int:
    """What DuckDB may take in octets, of a limit as it tells it; half of one that is small.

    >>> _share("244.1 MiB") >> 20, _share("1.0 GiB") >> 20
    (122, 896)
    """
    size, unit = limit.split()
    octets = int(float(size) * _UNITS.get(unit, 1))
    return max(octets // 2, octets - _BESIDES)


class Database:
    """One DuckDB database in memory, with the folder that it spills into. A context manager.

    ``memory`` is a size as DuckDB reads it ("1GB"), ``spill`` the folder in which that of this run is made (None: the
    system's for temporary files), ``threads`` None as many as there are cores. Raises `IriError` for a size or a number
    that is none, and for a folder that cannot be written to.

    >>> with Database() as database:
    ...     changed = database.run("CREATE TABLE t AS SELECT 1 AS a")
    ...     database.one("SELECT a FROM t")
    1
    >>> Database(memory="much")
    Traceback (most recent call last):
    iri_canon.errors.IriError: memory: 'much' is no size, such as 1GB
    """

    def __init__(self, memory: str = "1GB", spill: str | None = None, threads: int | None = None) -> None:
        if not _SIZE.match(memory):  # DuckDB takes a minus for no bound at all
            raise IriError(f"memory: {memory!r} is no size, such as 1GB")
        if threads is not None and not 0 < threads <= MOST_THREADS:
            raise IriError(f"threads: {threads} is not from 1 to {MOST_THREADS}")
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="iri-canon-", dir=spill)
        except OSError as error:
            raise IriError(f"{spill or tempfile.gettempdir()}: {error.strerror or error}") from error
        if not _is_unicode(str(self.folder)):
            self._folder.cleanup()
            raise IriError(
                f"{spill or tempfile.gettempdir()}: the name of a folder to spill into is to be UTF-8"
            )
        settings: dict[str, Any] = {
            "memory_limit": memory,
            "temp_directory": str(self.folder / "spilt"),
            "preserve_insertion_order": False,  # where an order matters, a statement has it
            "autoinstall_known_extensions": False,  # nothing is fetched
            "autoload_known_extensions": False,
            "checkpoint_threshold": "1TB",  # nothing is kept, and in memory a checkpoint takes its time all the same
        }
        if threads is not None:
            settings["threads"] = threads
        try:
            self._connection = duckdb.connect(":memory:", config=settings)
            self._connection.execute(f"SET memory_limit = '{_share(self.one(_LIMIT))}B'")
            # it may come after the folder alone; from here on no statement opens a file or asks a network
            self._connection.execute("SET enable_external_access = false")
        except duckdb.Error as error:
            self._folder.cleanup()
            raise IriError(f"memory or threads: {str(error).splitlines()[0]}") from error

    @property
    def folder(self) -> Path:
        """The folder of this run."""
        return Path(self._folder.name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give everything back; twice is no error."""
        self._connection.close()
        self._folder.cleanup()

    def run(self, statement: str, given: pa.Table | pa.RecordBatchReader | None = None) -> int:
        """Run a statement, which reads ``given`` by the name `GIVEN`; how many rows it changed."""
        if given is not None:
            self._connection.register(GIVEN, given)
        try:
            self._connection.execute(statement)
            changed = self._connection.fetchall()
        finally:
            if given is not None:
                self._connection.unregister(GIVEN)
        return changed[0][0] if changed and isinstance(changed[0][0], int) else 0

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query that has few."""
        rows: list[tuple[Any, ...]] = self._connection.execute(query, list(parameters)).fetchall()
        return rows

    def one(self, query: str, parameters: Sequence[object] = ()) -> Any:
        """The one value of a query."""
        return self.rows(query, parameters)[0][0]

    def dicts(self, query: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
        """All rows of a query that has few, by the names of its columns."""
        rows = self.rows(query, parameters)
        names = [column[0] for column in self._connection.description or ()]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def batches(self, query: str, rows: int = ROWS) -> Iterator[pa.RecordBatch]:
        """The rows of a query that may have many, while other statements run. Raises `duckdb.Error`, as `run` does."""
        with closing(self._connection.cursor()) as cursor:
            reader = cursor.sql(query).to_arrow_reader(rows)
            while True:
                try:
                    batch = next(reader, None)
                except (OSError, pa.ArrowException) as error:
                    # Arrow has no other way to say what DuckDB told it on the way.
                    kind = (
                        duckdb.OutOfMemoryException if _NO_MEMORY in str(error) else duckdb.OperationalError
                    )
                    raise kind(str(error)) from error
                if batch is None:
                    return
                yield batch

    def fill(self, table: str, batches: Iterable[pa.RecordBatch]) -> None:
        """Add rows to a table, by the names of their columns."""
        for batch in batches:
            if batch.num_rows:
                self.run(f"INSERT INTO {table} BY NAME SELECT * FROM {GIVEN}", pa.Table.from_batches([batch]))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
