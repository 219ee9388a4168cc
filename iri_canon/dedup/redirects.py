"""A redirect joins what `iri_canon.equivalence.judge` says, unless what the log has besides speaks against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from iri_canon.dedup import redirect_statements as statements
from iri_canon.dedup.database import Database
from iri_canon.dedup.keys import keys_of
from iri_canon.equivalence import Equivalence, Observation, judge
from iri_canon.errors import IriError
from iri_canon.logs.columns import carried, restored
from iri_canon.logs.lessons import LONGEST_CHAIN
from iri_canon.resolve import resolve

_CONVENTIONS: Final = pa.list_(pa.string())


def find_moves(database: Database) -> None:
    """Make the tables ``moves`` and ``links`` of the redirects that the records show."""
    database.run(statements.HOPS)
    database.fill("hops", map(_resolved, database.batches(statements.FOUND_HOPS)))
    database.run(statements.MOVES)
    database.run(statements.LINKS)


def find_pairs(database: Database, *, temporary: bool) -> None:
    """Make the table ``pairs`` of ``moves`` and ``answers``, and of the table ``stored``.

    ``temporary`` lets 302 and 307 count too.
    """
    _walk(database)
    database.run(statements.OBSERVED)
    database.run(statements.VERDICTS)
    database.fill("verdicts", _verdicts(database.batches(statements.TO_JUDGE), temporary=temporary))
    database.run(statements.PAIRS)


def _walk(database: Database) -> None:
    """Follow each redirect to the last answer; what is still under way after the longest chain shows nothing."""
    database.run(statements.ENDS)
    database.run(statements.WALK)
    for _ in range(LONGEST_CHAIN):
        database.run(statements.TAKE_ENDS)
        database.run(statements.GO_ON)
        database.run("DROP TABLE walk")
        database.run("ALTER TABLE walked RENAME TO walk")
        if not database.one("SELECT count(*) FROM walk"):
            break
    database.run("DROP TABLE walk")


def _resolved(found: pa.RecordBatch) -> pa.RecordBatch:
    """Hops with their targets resolved and the keys of their ends; nulls where the target is none."""
    targets: list[str | None] = []
    for source, target in zip(
        found.column("source").to_pylist(), found.column("target").to_pylist(), strict=True
    ):
        try:
            targets.append(carried(resolve(restored(source), restored(target))))
        except IriError:
            targets.append(None)
    resolved = pa.array(targets, pa.string())
    columns = {name: found.column(name) for name in found.schema.names}
    columns |= {
        "target": resolved,
        "source_key": keys_of(found.column("source")),
        "target_key": keys_of(resolved),
    }
    return pa.RecordBatch.from_pydict(columns)


def _verdicts(observations: Iterable[pa.RecordBatch], *, temporary: bool) -> Iterator[pa.RecordBatch]:
    for batch in observations:
        reasons: list[str | None] = []
        conventions: list[list[str] | None] = []
        for row in batch.to_pylist():
            verdict = judge(
                Observation(
                    restored(row["source"]),
                    restored(row["target"]),
                    tuple(row["statuses"]),
                    row["final_status"],
                    restored(row["method"]),
                    time=row["time"],
                ),
                temporary=temporary,
            )
            reasons.append(None if isinstance(verdict, Equivalence) else verdict.reason)
            conventions.append(list(verdict.conventions) if isinstance(verdict, Equivalence) else None)
        yield pa.RecordBatch.from_arrays(
            [batch.column("id"), pa.array(reasons, pa.string()), pa.array(conventions, _CONVENTIONS)],
            names=["id", "reason", "conventions"],
        )
