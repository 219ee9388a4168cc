"""What `iri-canon learn` would take from the same records is shown beside the classes; it joins nothing here."""

from __future__ import annotations

from typing import Any, Final

from iri_canon.dedup.database import Database
from iri_canon.equivalence import Rule, RuleState, open_equivalences, profile
from iri_canon.logs.columns import restored
from iri_canon.logs.lessons import Lessons
from iri_canon.logs.records import Hop, Place, Record

MOST_ROWS: Final = 100_000
"""Rows of records that are told apart; a log of more is a matter for `iri-canon learn`, which takes its time."""

MOST_RULES: Final = 200

# Rows that are alike are one here, with the time of the newest: it is the one that counts.
ROWS: Final = """
SELECT url, status, location, digest, coalesce(method, 'GET') AS method, newest.time AS time, newest.number AS number,
    NULL AS source, NULL AS told
FROM records WHERE status IS NOT NULL OR location IS NOT NULL
UNION ALL
SELECT target, NULL, NULL, NULL, coalesce(method, 'GET'), newest.time, newest.number, source, status FROM led
ORDER BY number, source NULLS LAST
"""
COUNT: Final = """
SELECT
    (SELECT count(*) FROM records WHERE digest IS NOT NULL OR location IS NOT NULL) + (SELECT count(*) FROM led),
    (SELECT count(*) FROM records WHERE status IS NOT NULL OR location IS NOT NULL) + (SELECT count(*) FROM led)
"""

_ORDER: Final = (RuleState.IN_FORCE, RuleState.RETRACTED, RuleState.PROPOSED)
_NOWHERE: Final = Place("", 0, 0)


def rules(database: Database) -> list[dict[str, Any]] | None:
    """The rules that the records teach, those in force first; None: there is too much to be looked at here."""
    telling, rows = database.rows(COUNT)[0]
    if not telling:
        return []
    if rows > MOST_ROWS:
        return None
    lessons = Lessons()
    for batch in database.batches(ROWS):
        for row in batch.to_pylist():
            lessons.add(_record(row))
    store = open_equivalences(None, profile())
    lessons.teach(store)
    found = sorted(store.rules(), key=lambda rule: (_ORDER.index(rule.state), -rule.support, rule.name))
    return [_told(rule) for rule in found[:MOST_RULES]]


def _record(row: dict[str, Any]) -> Record:
    text = {name: restored(value) for name, value in row.items() if isinstance(value, str)}
    hop = None if row["source"] is None else Hop(text["source"], text["url"], row["told"])
    return Record(
        _NOWHERE,
        text["url"],
        row["status"],
        text.get("location"),
        text.get("digest"),
        row["time"],
        text["method"],
        led_by=() if hop is None else (hop,),
    )


def _told(rule: Rule) -> dict[str, Any]:
    return {
        **rule.name._asdict(),
        "state": rule.state.value,
        "support": rule.support,
        "contradictions": rule.contradictions,
    }
