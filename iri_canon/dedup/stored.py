"""What earlier crawls and logs taught counts as a store has it: pairs, and rules in force, each the way it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pyarrow as pa

from iri_canon.dedup.components import EDGES, edge
from iri_canon.dedup.database import ROWS, Database
from iri_canon.dedup.evidence import LEARNED_RULE, used
from iri_canon.dedup.explaining import Codes
from iri_canon.equivalence import EquivalenceStore, RuleName, open_equivalences, profile
from iri_canon.errors import StoreError
from iri_canon.learning import Policy
from iri_canon.learning.kinds import kind_of
from iri_canon.learning.parts import Parts, split
from iri_canon.learning.rulebook import Rulebook
from iri_canon.learning.sections import section_of
from iri_canon.logs.columns import carried

MOST_HUBS: Final = 8
"""Keys that rules make one, and that others are compared with: those that no rule covers so far."""

_SQLITE: Final = "sqlite:"
_PAIRS: Final = pa.schema(
    [
        ("source", pa.string()),
        ("representative", pa.string()),
        ("conventions", pa.list_(pa.string())),
        ("time", pa.float64()),
    ]
)
_RULED: Final = pa.schema([("key", pa.string()), ("place", pa.string())])

RULED: Final = """
CREATE TABLE ruled (key VARCHAR, place VARCHAR)
"""

# What is what the rules make of it comes first: rules that hold one way lead there.
RULED_ALIKE: Final = """
SELECT ruled.key, ruled.place
FROM ruled JOIN keys ON ruled.key = keys.key
QUALIFY count(*) OVER (PARTITION BY ruled.place) > 1
ORDER BY ruled.place, NOT ends_with(ruled.place, concat(' ', ruled.key)), keys.id
"""


class Stored:
    """The pairs of a store, in the table ``stored``, and its rules; the file is given back at once.

    Raises `StoreError` where there is no such file, and where it cannot be used.
    """

    def __init__(self, database: Database, store: str) -> None:
        path = Path(store.removeprefix(_SQLITE))
        if not path.exists():
            raise StoreError(f"{path}: no such file; `iri-canon learn --store {path}` makes one")
        kept = open_equivalences(f"{_SQLITE}{path}", profile())
        try:
            database.fill("stored", _pairs(kept))
            self._rules = Rulebook(kept, Policy())
        finally:
            kept.close()
        self.used: set[RuleName] = set()
        """The rules that joined something."""

    def edges(self, database: Database, codes: Codes) -> Iterator[pa.RecordBatch]:
        """Edges between keys that rules in force make one."""
        database.run(RULED)
        if not self._rules.has_rules:
            return
        database.fill("ruled", map(self._placed, database.batches("SELECT key FROM keys")))
        yield from self._joined(database.batches(RULED_ALIKE), codes)

    def _placed(self, keys: pa.RecordBatch) -> pa.RecordBatch:
        """Each key of a site with rules, with its section and what the rules in force there make of it."""
        rows = []
        for text in keys.column("key").to_pylist():
            parts = split(text)
            if parts is None or not self._rules.has_rules_at(parts.site):
                continue
            section = section_of(parts.path)
            projection = self._rules.of_site(parts.site).projection(section)
            if projection is not None:
                # A section may have any character but a slash, and a key has no space.
                rows.append({"key": text, "place": f"{section} {projection(parts)}"})
        return pa.RecordBatch.from_pylist(rows, schema=_RULED)

    def _joined(self, rows: Iterable[pa.RecordBatch], codes: Codes) -> Iterator[pa.RecordBatch]:
        place: str | None = None
        hubs: list[tuple[str, Parts]] = []
        for batch in rows:
            found = []
            for row in batch.to_pylist():
                parts = split(row["key"])
                if parts is None:
                    continue
                if row["place"] != place:
                    place, hubs = row["place"], []
                section = row["place"].partition(" ")[0]
                for hub, known in hubs:
                    there = self._covering(parts, known, section)
                    back = self._covering(known, parts, section)
                    if there or back:
                        source, target = (row["key"], hub) if there else (hub, row["key"])
                        steps = used(LEARNED_RULE, (name.kind for name in there or back), codes)
                        found.append(edge(source, target, steps, is_directed=not (there and back)))
                        break
                else:
                    if len(hubs) < MOST_HUBS:
                        hubs.append((row["key"], parts))
            yield pa.RecordBatch.from_pylist(found, schema=EDGES)

    def _covering(self, source: Parts, target: Parts, section: str) -> tuple[RuleName, ...]:
        kind = kind_of(source, target)
        # Nothing is to be skipped here: which of the two redirects does not matter where a rule makes them one.
        rules = self._rules.covering(source, target, kind, section, is_page=True) if kind else ()
        self.used.update(rules)
        return rules


def _pairs(kept: EquivalenceStore) -> Iterator[pa.RecordBatch]:
    pairs = kept.equivalences()
    while some := list(islice(pairs, ROWS)):
        yield pa.RecordBatch.from_pydict(
            {
                "source": [carried(pair.source) for pair in some],
                "representative": [carried(pair.representative) for pair in some],
                "conventions": [list(pair.conventions) for pair in some],
                "time": [pair.observation.time for pair in some],
            },
            schema=_PAIRS,
        )
