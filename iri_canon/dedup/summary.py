"""The numbers of a run, for people and programs: counted in SQL, named as the report reads them.

All text is as it was found; it may hold lone surrogates, which `json.dumps` spells out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from iri_canon import __version__
from iri_canon.dedup import figures
from iri_canon.dedup.database import Database
from iri_canon.dedup.evidence import EQUAL_DIGEST
from iri_canon.dedup.explaining import Codes
from iri_canon.dedup.steps import explained
from iri_canon.dedup.stored import Stored
from iri_canon.dedup.taught import rules
from iri_canon.ladder import Ladder, Rung
from iri_canon.logs.columns import restored
from iri_canon.logs.tally import Tally

if TYPE_CHECKING:
    from iri_canon.dedup.engine import Options

MOST_HOSTS: Final = 1000
MOST_CLASSES: Final = 100
MOST_REDIRECTS: Final = 200
MOST_URLS: Final = 20
"""Spellings that are shown of a class."""

_SCHEME: Final = Ladder(Rung.SCHEME)

DAYS_FROM: Final = 14 * 24
"""Hours: a log of more is told by the day."""


def summary(
    database: Database, options: Options, codes: Codes, stored: Stored | None, tallies: Sequence[Tally]
) -> dict[str, Any]:
    """The summary of a database whose classes are made."""
    database.run(figures.GROUPED)
    counts = database.dicts(figures.COUNTS)[0]
    rungs = {name: counts.pop(name) for name in [rung.name.lower() for rung in Rung]}
    bucket, times = _times(database) if options.times else (None, [])
    digests = database.dicts(figures.DIGESTS, [codes[EQUAL_DIGEST]])[0]
    return {
        "version": __version__,
        **counts,
        "rungs": rungs,
        "steps": [{**row, "rung": Rung(row["rung"]).name.lower()} for row in database.dicts(figures.STEPS)],
        "hosts": _restored(database.dicts(figures.HOSTS, [MOST_HOSTS])),
        "sections": _restored(database.dicts(figures.SECTIONS, [MOST_HOSTS])),
        "times": times,
        "bucket": bucket,
        "top": _top(database),
        "redirects": _redirects(database),
        "digests": digests,
        "store": None
        if stored is None
        else {"pairs": database.one(figures.PAIRS_USED), "rules": len(stored.used)},
        "rules": rules(database),
        "files": [{**tally.as_json(), "examples": [str(bad) for bad in tally.examples]} for tally in tallies],
        "options": {**asdict(options), "conventions": list(options.conventions)},
        "against": None,
    }


def _redirects(database: Database) -> dict[str, Any]:
    counts: dict[str | None, int] = dict(database.rows(figures.REDIRECTS))
    joined = counts.pop(None, 0)
    return {
        "observed": joined + sum(counts.values()),
        "joined": joined,
        "refused": counts,
        "examples": _restored(database.dicts(figures.REDIRECT_EXAMPLES, [MOST_REDIRECTS])),
    }


def _restored(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {name: restored(value) if isinstance(value, str) else value for name, value in row.items()}
        for row in rows
    ]


def _times(database: Database) -> tuple[str | None, list[dict[str, Any]]]:
    """Records over time, and how many of them were the first of their class."""
    rows = database.rows(figures.HOURS)
    if not rows:
        return None, []
    bucket, size = ("day", 24) if rows[-1][0] - rows[0][0] > DAYS_FROM else ("hour", 1)
    counts: dict[int, list[int]] = {}
    for hour, records, new in rows:
        count = counts.setdefault(hour // size * size, [0, 0])
        count[0] += records
        count[1] += new
    return bucket, [
        {"from": _iso(hour, bucket), "records": records, "new": new}
        for hour, (records, new) in counts.items()
    ]


def _iso(hour: int, bucket: str) -> str:
    time = datetime.fromtimestamp(hour * 3600, UTC)
    return time.strftime("%Y-%m-%d" if bucket == "day" else "%Y-%m-%dT%H:00Z")


def _top(database: Database) -> list[dict[str, Any]]:
    """The classes that were met most, those of several spellings first."""
    database.run(figures.MAKE_TOP.format(most=MOST_CLASSES))
    database.run(figures.MAKE_SHOWN.format(most=MOST_URLS))
    shown: dict[int, list[str]] = {}
    for number, url in database.rows(figures.SHOWN):
        shown.setdefault(number, []).append(url)
    last: dict[str, list[tuple[str, str]]] = {}
    for url, *step in database.rows(figures.LAST_STEPS):
        last.setdefault(url, []).append((step[0], step[1]))
    return [
        {
            "key": restored(key),
            "representative": restored(representative),
            "count": records,
            "spellings": spellings,
            "rung": Rung(rung).name.lower(),
            "urls": [restored(url) for url in shown[number]],
            "steps": steps,
            "explanation": [
                {"url": restored(url), "steps": _explanation(restored(url), restored(key), last.get(url, []))}
                for url in shown[number]
            ],
        }
        for number, key, representative, rung, steps, records, spellings in database.rows(figures.TOP)
    ]


def _explanation(url: str, key: str, last: list[tuple[str, str]]) -> list[dict[str, str]]:
    """The steps that bring a spelling to the key of its class; the last of them are of the protocol rung."""
    pure = ((step.rung, step.name, step.clause, step.after) for step in explained(_SCHEME, url))
    joined = ((Rung.PROTOCOL, name, clause, key) for name, clause in last)
    return [
        {"rung": rung.name.lower(), "name": name, "clause": clause, "after": after}
        for rung, name, clause, after in (*pure, *joined)
    ]
