"""The protocol rung of a log: what its redirects, its digests, a store and the user's conventions join, as edges.

Source: RFC 3987 section 5.3.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from iri_canon.dedup.components import EDGES, edge
from iri_canon.dedup.explaining import Codes
from iri_canon.dedup.steps import Used, explained
from iri_canon.ladder import Ladder, Rung
from iri_canon.logs.columns import carried, restored
from iri_canon.rung3_protocol import OBSERVED_CLAUSE

EXPLAINS: Final = "RFC 3987 5.3.4: convention that explains what was observed"

EQUAL_DIGEST: Final = Used(
    Rung.PROTOCOL, "equal-digest", "RFC 3987 5.3.4: equal content was observed at both"
)
OBSERVED_REDIRECT: Final = Used(Rung.PROTOCOL, "observed-redirect", OBSERVED_CLAUSE)
LEARNED_RULE: Final = Used(
    Rung.PROTOCOL, "learned-rule", "RFC 3987 5.3.4: rule in force, learned from the site"
)


def used(evidence: Used, conventions: Iterable[str], codes: Codes) -> list[int]:
    """The steps of a join: what was observed, and the conventions that explain it."""
    explaining = (Used(Rung.PROTOCOL, name, EXPLAINS) for name in conventions)
    return [codes[each] for each in (evidence, *explaining)]


def edges_of_pairs(pairs: Iterable[pa.RecordBatch], codes: Codes) -> Iterator[pa.RecordBatch]:
    """Edges of ``source``, ``representative`` and ``conventions``."""
    for batch in pairs:
        yield pa.RecordBatch.from_pylist(
            [
                edge(
                    row["source"],
                    row["representative"],
                    used(OBSERVED_REDIRECT, row["conventions"], codes),
                    is_directed=True,
                )
                for row in batch.to_pylist()
            ],
            schema=EDGES,
        )


def edges_of_assumed(
    keys: Iterable[pa.RecordBatch], ladder: Ladder, codes: Codes
) -> Iterator[pa.RecordBatch]:
    """Edges from each ``key`` that the conventions of a ladder change to what they make of it."""
    for batch in keys:
        found = []
        for text in batch.column("key").to_pylist():
            key = restored(text)
            projected = ladder.key(key)
            if projected != key:
                steps = (step for step in explained(ladder, key) if step.rung is Rung.PROTOCOL)
                names = [codes[Used(Rung.PROTOCOL, step.name, step.clause)] for step in steps]
                found.append(edge(text, carried(projected), names))
        yield pa.RecordBatch.from_pylist(found, schema=EDGES)
