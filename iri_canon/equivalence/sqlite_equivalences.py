"""Pairs, refusals and journal are kept for the crawls to come, and so are rules and pages.

Sources and representatives are SCHEME keys and so ASCII; what a client saw may hold lone surrogates, so its octets
are kept.
"""

from __future__ import annotations

import heapq
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from iri_canon.equivalence.evidence import REASONS, Equivalence, Observation, Refusal
from iri_canon.equivalence.pairs import Pairs
from iri_canon.equivalence.profile import Profile
from iri_canon.equivalence.rules import RuleName
from iri_canon.equivalence.sqlite_file import SqliteFile
from iri_canon.equivalence.sqlite_medium import octets, rows, text
from iri_canon.equivalence.sqlite_pages import SqlitePages
from iri_canon.equivalence.sqlite_rules import SqliteRules
from iri_canon.equivalence.stores import Journaled, KnownPage

_OBSERVATION: Final = "asked, ended_at, statuses, final_status, method, single_location, digest, time"
_OBSERVATION_COLUMNS: Final = """
    asked BLOB NOT NULL, ended_at BLOB NOT NULL, statuses TEXT NOT NULL, final_status INTEGER NOT NULL,
    method TEXT NOT NULL, single_location INTEGER NOT NULL, digest BLOB, time REAL NOT NULL
"""

_FEWEST_PLACES: Final = 1 << 16
_MOST_PLACES: Final = 1 << 22
"""Of the marks of sources, an octet each."""
_PLACES_EACH: Final = 8
"""To a source, at least: then one other key of eight at most is looked up for nothing."""


class SqliteEquivalences(Pairs, SqliteRules, SqlitePages):
    """Pairs, journal, rules and pages in a file. What waits for the next batch is in memory and counts already."""

    KIND = "equivalences"
    TABLES = (
        f"""
        CREATE TABLE pairs (
            source TEXT PRIMARY KEY, representative TEXT NOT NULL, conventions TEXT NOT NULL, {_OBSERVATION_COLUMNS}
        ) WITHOUT ROWID;
        CREATE TABLE refusals (
            reason TEXT NOT NULL, times INTEGER NOT NULL, {_OBSERVATION_COLUMNS},
            PRIMARY KEY (reason, asked, ended_at)
        ) WITHOUT ROWID;
        CREATE TABLE journal (
            url BLOB NOT NULL, representative BLOB NOT NULL, because TEXT NOT NULL, time REAL NOT NULL
        );
        """,
        SqliteRules.RULE_TABLES + SqlitePages.PAGE_TABLES,
    )

    def __init__(self, path: Path, profile: Profile) -> None:
        self._pairs: dict[str, Equivalence | None] = {}
        self._refusals: Counter[str] = Counter()
        self._refused: list[tuple[Observation, Refusal]] = []
        self._journal: list[Journaled] = []
        self._rules: dict[RuleName, str | None] = {}
        self._pages: dict[str, KnownPage | None] = {}
        # Most keys are no source: the place of their hash says so for sure, and only what is marked is looked up.
        self._hashes = array("q")
        self._sources = bytearray(_FEWEST_PLACES)
        self._places = _FEWEST_PLACES - 1
        SqliteFile.__init__(self, path, profile.of_scheme_keys())

    def equivalence(self, key: str) -> Equivalence | None:
        """The pair that a SCHEME key is the source of; None also where the file cannot be read."""
        if key in self._pairs:
            return self._pairs[key]
        # A key that is no URI is no source, and SQLite takes no lone surrogates.
        if not key.isascii() or not self._sources[hash(key) & self._places]:
            return None
        row = self._first(f"{_SELECT_PAIRS} WHERE source = ?", _PAIR, key)
        return None if row is None else _pair(row)

    def equivalences(self) -> Iterator[Equivalence]:
        """All pairs, by source."""
        waiting = [pair for _, pair in sorted(self._pairs.items()) if pair is not None]
        rows = self._rows(f"{_SELECT_PAIRS} ORDER BY source", _PAIR)
        kept = (_pair(row) for row in rows if row[0] not in self._pairs)
        return heapq.merge(kept, waiting, key=attrgetter("source"))

    def refusals(self) -> Mapping[str, int]:
        """How many observations joined nothing, by reason, in all crawls."""
        return dict(self._refusals)

    def refused(self) -> Iterator[tuple[Observation, Refusal]]:
        """The newest observation of each pair that joined nothing."""
        newest = {
            _pair_of(observation, refusal): (observation, refusal) for observation, refusal in self._refused
        }
        for reason, *values in self._rows(
            f"SELECT reason, {_OBSERVATION} FROM refusals ORDER BY time", (str, *_OBSERVED)
        ):
            refused = _observation(values), Refusal(reason)
            if reason in REASONS and _pair_of(*refused) not in newest:
                yield refused
        yield from newest.values()

    def journal(self, url: str, representative: str, because: tuple[str, ...], time: float) -> None:
        """Note that a URL was not fetched."""
        self._journal.append(Journaled(url, representative, because, time))
        self._changed()

    def journaled(self) -> Iterator[Journaled]:
        """All notes of all crawls, oldest first."""
        columns = (bytes, bytes, str, float)
        for url, representative, because, time in self._rows(
            "SELECT url, representative, because, time FROM journal ORDER BY rowid", columns
        ):
            yield Journaled(text(url), text(representative), tuple(because.splitlines()), time)
        yield from list(self._journal)

    def close(self) -> None:
        """Give the file back. Raises ``StoreError``."""
        self._finish(clean=True)

    def _keep(self, pair: Equivalence) -> None:
        self._pairs[pair.source] = pair
        self._mark(pair.source)
        self._changed()

    def _mark(self, source: str) -> None:
        """Mark the place of a source. Before many are marked there are twice as many places, up to a bound."""
        found = hash(source)
        if len(self._sources) < _MOST_PLACES:
            self._hashes.append(found)
            if len(self._hashes) * _PLACES_EACH > len(self._sources):
                self._widen()
        self._sources[found & self._places] = 1

    def _widen(self) -> None:
        # What was observed again is there again.
        self._hashes = array("q", set(self._hashes))
        if len(self._hashes) * _PLACES_EACH * 2 > len(self._sources):
            self._sources = bytearray(2 * len(self._sources))
            self._places = len(self._sources) - 1
            for known in self._hashes:
                self._sources[known & self._places] = 1

    def _withdraw(self, source: str) -> None:
        self._pairs[source] = None
        self._changed()

    def _refuse(self, observation: Observation, refusal: Refusal) -> None:
        self._refusals[refusal.reason] += 1
        self._refused.append((observation, refusal))
        self._changed()

    def _load(self, connection: sqlite3.Connection, *, stopped_cleanly: bool) -> None:
        # Each pair stands for itself, so nothing depends on how the last crawl ended.
        del stopped_cleanly
        counted = "SELECT reason, SUM(times) FROM refusals GROUP BY reason"
        self._refusals.update(dict(rows(connection, self.path, counted, (str, int))))
        for (source,) in rows(connection, self.path, "SELECT source FROM pairs", (str,)):
            self._mark(source)

    def _write(self, connection: sqlite3.Connection) -> None:
        withdrawn = [(source,) for source, pair in self._pairs.items() if pair is None]
        connection.executemany("DELETE FROM pairs WHERE source = ?", withdrawn)
        connection.executemany(
            f"INSERT OR REPLACE INTO pairs (source, representative, conventions, {_OBSERVATION})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (pair.source, pair.representative, " ".join(pair.conventions), *_values(pair.observation))
                for pair in self._pairs.values()
                if pair is not None
            ),
        )
        connection.executemany(
            f"INSERT INTO refusals (reason, times, {_OBSERVATION}) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET times = times + 1, statuses = excluded.statuses,"
            " final_status = excluded.final_status, method = excluded.method,"
            " single_location = excluded.single_location, digest = excluded.digest, time = excluded.time",
            ((refusal.reason, *_values(observation)) for observation, refusal in self._refused),
        )
        connection.executemany(
            "INSERT INTO journal VALUES (?, ?, ?, ?)",
            (
                (octets(note.url), octets(note.representative), "\n".join(note.because), note.time)
                for note in self._journal
            ),
        )
        self._write_rules(connection)
        self._write_pages(connection)

    def _write_last(self, connection: sqlite3.Connection) -> None:
        """Nothing waits for the end of a crawl."""

    def _written(self) -> None:
        self._pairs.clear()
        self._refused.clear()
        self._journal.clear()
        self._rules.clear()
        self._pages.clear()


_OBSERVED: Final = (bytes, bytes, str, int, str, int, bytes | None, float)
_PAIR: Final = (str, str, str, *_OBSERVED)
_SELECT_PAIRS: Final = f"SELECT source, representative, conventions, {_OBSERVATION} FROM pairs"


def _pair(row: tuple[Any, ...]) -> Equivalence:
    source, representative, conventions, *values = row
    return Equivalence(source, representative, tuple(conventions.split()), _observation(values))


def _pair_of(observation: Observation, refusal: Refusal) -> tuple[str, str, str]:
    return refusal.reason, observation.source, observation.target


def _observation(values: list[Any]) -> Observation:
    asked, ended_at, statuses, final_status, method, single_location, digest, time = values
    hops = tuple(int(status) for status in statuses.split() if status.isdecimal())
    return Observation(
        text(asked), text(ended_at), hops, final_status, method, bool(single_location), digest, time
    )


def _values(observation: Observation) -> tuple[Any, ...]:
    return (
        octets(observation.source),
        octets(observation.target),
        " ".join(map(str, observation.statuses)),
        observation.final_status,
        observation.method,
        observation.single_location,
        observation.digest,
        observation.time,
    )
