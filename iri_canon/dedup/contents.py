"""Two pages of one digest are one class where conventions explain how their URLs differ, and nowhere else.

No join where the two were seen to differ later: the one had another digest, and the other one still the old one at or
after that, or both had others. Without times the order is not known, so the newest digests have to agree. A key that
leads elsewhere by now, or is an error, is none of the pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from iri_canon.conventions import CONVENTIONS, explaining
from iri_canon.dedup.components import EDGES, edge
from iri_canon.dedup.database import Database
from iri_canon.dedup.evidence import EQUAL_DIGEST, used
from iri_canon.dedup.explaining import Codes
from iri_canon.errors import IriError
from iri_canon.iri import IRI
from iri_canon.parse import parse

MOST_HUBS: Final = 8
"""Keys of one digest, alike but for conventions, that others are compared with: those that nothing explains so far."""

PAGES: Final = """
CREATE TABLE pages AS
SELECT
    digests.octets, answered.key, any_value(answers.shown) AS shown, any_value(answers.shown_at) AS shown_at,
    min(keys.id) AS id
FROM answered
JOIN digests ON answered.digest = digests.digest
JOIN answers ON answered.key = answers.key
JOIN keys ON answered.key = keys.key
WHERE answered.status = 200 AND digests.octets IS NOT NULL
    AND length(answers.shown) > 3 AND answers.redirected_at <= answers.shown_at
GROUP BY digests.octets, answered.key
"""

ROUGHLY_ALIKE: Final = """
CREATE TABLE roughly_alike (key VARCHAR, projected VARCHAR)
"""

ALIKE: Final = """
SELECT pages.octets, roughly_alike.projected, pages.key, pages.shown, pages.shown_at
FROM pages JOIN roughly_alike ON pages.key = roughly_alike.key
QUALIFY count(*) OVER (PARTITION BY pages.octets, roughly_alike.projected) > 1
ORDER BY pages.octets, roughly_alike.projected, pages.id
"""


def find_alike(database: Database, codes: Codes) -> None:
    """Add to ``edges`` what equal digests join; needs the tables of `find_answers`, and ``keys``."""
    database.run(PAGES)
    database.run(ROUGHLY_ALIKE)
    database.fill("roughly_alike", map(_projected, database.batches("SELECT DISTINCT key FROM pages")))
    database.fill("edges", _edges(database.batches(ALIKE), codes))


def _projected(keys: pa.RecordBatch) -> pa.RecordBatch:
    """What all conventions make of each key: what some of them join has one of these."""
    projected: list[str] = []
    for key in keys.column("key").to_pylist():
        try:
            iri = parse(key)
        except IriError:
            projected.append(key)
            continue
        for convention in CONVENTIONS.values():
            iri = convention.project(iri)
        projected.append(str(iri))
    return pa.RecordBatch.from_arrays(
        [keys.column("key"), pa.array(projected, pa.string())], names=["key", "projected"]
    )


@dataclass(frozen=True, slots=True)
class _Page:
    key: str
    iri: IRI
    shown: str
    """The newest digest."""
    shown_at: float

    def contradicts(self, other: _Page, digest: str) -> bool:
        """Whether the two were seen to differ after both had had one digest."""
        if self.shown == other.shown:
            return False
        if digest not in (self.shown, other.shown):
            return True
        steady, changed = (self, other) if self.shown == digest else (other, self)
        return steady.shown_at >= changed.shown_at


def _edges(rows: Iterable[pa.RecordBatch], codes: Codes) -> Iterator[pa.RecordBatch]:
    group: tuple[str, str] | None = None
    hubs: list[_Page] = []
    for batch in rows:
        found: list[dict[str, Any]] = []
        for row in batch.to_pylist():
            try:
                page = _Page(row["key"], parse(row["key"]), row["shown"], row["shown_at"])
            except IriError:
                continue  # what does not parse is merged with nothing
            if group != (row["octets"], row["projected"]):
                group, hubs = (row["octets"], row["projected"]), []
            is_joined = False
            for hub in hubs:
                conventions = None if hub.contradicts(page, row["octets"]) else explaining(page.iri, hub.iri)
                if conventions:
                    found.append(edge(page.key, hub.key, used(EQUAL_DIGEST, conventions, codes)))
                    is_joined = True
                    break
            if not is_joined and len(hubs) < MOST_HUBS:
                hubs.append(page)
        yield pa.RecordBatch.from_pylist(found, schema=EDGES)
