"""Records are read once, then one class after another is told; what a class is, the ladder and the log decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self

import pyarrow as pa

from iri_canon.dedup import statements
from iri_canon.dedup.against import compare
from iri_canon.dedup.clustering import cluster
from iri_canon.dedup.database import Database
from iri_canon.dedup.explaining import Codes
from iri_canon.dedup.reading import EXTRA, Reading
from iri_canon.dedup.rows import CLASSES, RUNGS, classes
from iri_canon.dedup.stored import Stored
from iri_canon.dedup.summary import summary
from iri_canon.ladder import Ladder
from iri_canon.logs.tally import Tally

SEEDS: Final = pa.schema([pa.field("url", pa.string(), nullable=False)])
"""A URL a class: its representative. Text may be `iri_canon.logs.columns.carried`."""

PAIRS: Final = pa.schema(
    [
        pa.field("url", pa.string(), nullable=False),
        pa.field("representative", pa.string(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        pa.field("rung", pa.string(), nullable=False),
        pa.field("steps", pa.list_(pa.string()), nullable=False),
    ]
)
"""A row for each spelling that is not its class's representative."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user of an engine settles."""

    conventions: tuple[str, ...] = ()
    """Assumed on all hosts: names of conventions and presets."""
    store: str | None = None
    """The file of a store: its pairs and its rules in force count."""
    temporary: bool = False
    """302 and 307 count, too."""
    memory: str = "1GB"
    """DuckDB's bound; Python and Arrow take some more."""
    spill: str | None = None
    """The folder in which that of the run is made; None: the system's for temporary files."""
    threads: int | None = None
    """None: as many as there are cores."""
    times: bool = False
    """Keep the hours of the records, for the report."""


class Engine:
    """Deduplicates the records of some logs, in bounded memory. A context manager.

    `read` the batches of each log, `cluster` them once, then ask. Raises `IriError` for options that cannot be: an
    unknown convention, a size that is none, a folder that cannot be written to, a store that cannot be used.

    >>> from iri_canon.logs.columns import batch_of
    >>> from iri_canon.logs.records import Place, Record
    >>> urls = ["http://h/a", "HTTP://h/a", "http://h/b", "http://h/a"]
    >>> with Engine(Options()) as engine:
    ...     engine.read([batch_of([Record(Place("log", 1, 0), url) for url in urls], 0)])
    ...     engine.cluster()
    ...     for batch in engine.classes():
    ...         for row in batch.to_pylist():
    ...             print(row["key"], row["count"], row["urls"], row["rung"], row["steps"])
    http://h/a 3 ['http://h/a', 'HTTP://h/a'] syntax ['lowercase_scheme']
    http://h/b 1 ['http://h/b'] simple []
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self._ladder = Ladder(conventions=options.conventions)
        self._codes = Codes()
        with ExitStack() as on_failure:
            self._database = on_failure.enter_context(
                Database(options.memory, options.spill, options.threads)
            )
            self._database.run(statements.STORED)
            self._stored = None if options.store is None else Stored(self._database, options.store)
            self._reading = Reading(self._database, hours=options.times)
            on_failure.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the memory and the files; twice is no error."""
        self._database.close()

    def read(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Take all records of a log (`iri_canon.logs.columns.SCHEMA`).

        Their numbers go on over all logs, and those that do not count have one as well. What the batches raise is
        raised, behind what came before it.
        """
        self._reading.read(batches)

    def cluster(self) -> None:
        """Put the records that were read into classes. Once."""
        cluster(
            self._database,
            self._codes,
            self._ladder,
            self._stored,
            temporary=self.options.temporary,
            has_extra=self._reading.has_extra,
        )

    def classes(self) -> Iterator[pa.RecordBatch]:
        """One row a class (`CLASSES`), in the order of the first record of each.

        Where the batches that were read had a column ``extra``, it is there besides, of the representative's first
        record.
        """
        members = self._database.batches(statements.MEMBERS_IN_ORDER)
        return classes(members, EXTRA if self._reading.has_extra else None)

    def seeds(self) -> Iterator[pa.RecordBatch]:
        """The representative of each class (`SEEDS`), in the same order."""
        for batch in self._database.batches(statements.SEEDS_IN_ORDER):
            yield batch.cast(SEEDS)

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """Who was merged with whom (`PAIRS`), class by class."""
        for batch in self._database.batches(statements.PAIRS_IN_ORDER):
            names = self._codes.names(batch.column("steps"))
            columns = [*batch.columns[:3], RUNGS.take(batch.column("rung")), names]
            yield pa.RecordBatch.from_arrays(columns, schema=PAIRS)

    def summary(self, tallies: Sequence[Tally] = ()) -> dict[str, Any]:
        """The numbers of the run, for a report or a program."""
        return summary(self._database, self.options, self._codes, self._stored, tallies)

    def against(self, other: Callable[[str], str], name: str) -> dict[str, Any]:
        """What another canonicalization joins and splits over the same log (`iri_canon.dedup.against`).

        ``other`` gives the key of a text, and may be asked for any text; what it raises is raised.
        """
        return compare(self._database, other, name)


__all__ = ["CLASSES", "PAIRS", "SEEDS", "Engine", "Options"]
