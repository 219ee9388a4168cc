"""What is skipped for a rule is on the medium, whole, before the page that linked it counts as done there."""

from __future__ import annotations

import heapq
import json
import sqlite3
from abc import ABC
from collections.abc import Iterator
from operator import itemgetter
from typing import Any, Final

from iri_canon.equivalence.rules import RuleName
from iri_canon.equivalence.sqlite_file import SqliteFile
from iri_canon.equivalence.sqlite_medium import damaged, octets, rows, text
from iri_canon.equivalence.stores import DIGEST_SIZE, Stage, Suppressed
from iri_canon.errors import StoreError

_COLUMNS: Final = ("url", "rules", "witness", "witness_url", "payload", "stage", "time")
_SELECT: Final = f"SELECT digest, {', '.join(_COLUMNS)} FROM suppressed"
_SELECT_ONE: Final = f"{_SELECT} WHERE digest = ?"
_ROW: Final = (bytes, bytes, bytes, bytes, bytes, bytes | None, int, float)
_INSERT: Final = (
    f"INSERT INTO suppressed (digest, {', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    f" ON CONFLICT (digest) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS)}"
)
_STAGES: Final = {int(stage): stage for stage in Stage}


class SqliteSuppressed(SqliteFile, ABC):
    """The skipped requests and the contents in a file of states. Memory holds their digests, the file the rest."""

    SUPPRESSED_TABLES: Final = """
        CREATE TABLE suppressed (
            digest BLOB NOT NULL UNIQUE, url BLOB NOT NULL, rules BLOB NOT NULL, witness BLOB NOT NULL,
            witness_url BLOB NOT NULL, payload BLOB, stage INTEGER NOT NULL, time REAL NOT NULL
        );
        CREATE TABLE contents (key BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;
    """

    def __init__(self) -> None:
        # Each digest with the time of its entry, in the order in which they came.
        self._entries: dict[bytes, float] = {}
        self._unwritten_entries: dict[bytes, Suppressed] = {}
        self._resolved: set[bytes] = set()
        self._unwritten_contents: dict[str, bytes] = {}

    def suppress(self, entry: Suppressed) -> None:
        """Keep a request that is skipped, in place of an earlier entry of its digest. It changes no state."""
        self._entries[entry.digest] = entry.time
        self._unwritten_entries[entry.digest] = entry
        self._changed()

    def suppressed(self) -> Iterator[Suppressed]:
        """All entries, oldest first; what is resolved meanwhile is left out. Raises ``StoreError``."""
        for digest, _ in sorted(self._entries.items(), key=itemgetter(1)):
            entry = self._unwritten_entries.get(digest)
            if entry is None and digest in self._entries:
                entry = next(map(self._entry, self._rows(_SELECT_ONE, _ROW, digest)), None)
            if entry is not None:
                yield entry

    def suppressed_as(self, digest: bytes) -> Suppressed | None:
        """The entry of a digest; None also where the file cannot be read, which is told."""
        entry = self._unwritten_entries.get(digest)
        if entry is not None or digest not in self._entries:
            return entry
        try:
            return next(map(self._entry, self._rows(_SELECT_ONE, _ROW, digest)), None)
        except StoreError as error:
            self._tell(f"{error}; going on without")
            return None

    def resolve(self, digest: bytes) -> None:
        """Drop the entry of a digest; none there is no error. It changes no state."""
        if self._entries.pop(digest, None) is not None:
            self._unwritten_entries.pop(digest, None)
            self._resolved.add(digest)
            self._changed()

    def keep_content(self, key: str, record: bytes) -> None:
        """Keep what was learned of the content of a page, in place of what was kept with its key before."""
        self._unwritten_contents[key] = record
        self._changed()

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """All keys with what was learned, by key. Raises ``StoreError``."""
        waiting = dict(self._unwritten_contents)
        written = self._rows("SELECT key, record FROM contents ORDER BY key", (bytes, bytes))
        kept = ((text(key), record) for key, record in written)
        return heapq.merge((pair for pair in kept if pair[0] not in waiting), sorted(waiting.items()))

    def _load_suppressed(self, connection: sqlite3.Connection) -> Iterator[bytes]:
        """Look at each row, and yield the digests of what was skipped and not sent since."""
        for row in rows(connection, self.path, f"{_SELECT} ORDER BY rowid", _ROW):
            entry = self._entry(row)
            self._entries[entry.digest] = entry.time
            if entry.stage is Stage.SKIPPED:
                yield entry.digest
        for _ in rows(connection, self.path, "SELECT key, record FROM contents", (bytes, bytes)):
            pass  # One that holds something else is refused now, not in the middle of a crawl.

    def _entry(self, row: tuple[Any, ...]) -> Suppressed:
        digest, url, names, witness, witness_url, payload, stage, time = row
        if len(digest) != DIGEST_SIZE or len(witness) != DIGEST_SIZE or stage not in _STAGES:
            raise damaged(self.path, "a row is no request that was skipped")
        try:
            rules = tuple(map(_rule_name, json.loads(text(names))))
        except (ValueError, TypeError, RecursionError):
            raise damaged(self.path, "a request was skipped for what is no rule") from None
        return Suppressed(digest, text(url), rules, witness, text(witness_url), payload, _STAGES[stage], time)

    def _write_suppressed(self, connection: sqlite3.Connection) -> None:
        # What was resolved goes first: it may have been skipped again since.
        connection.executemany(
            "DELETE FROM suppressed WHERE digest = ?", ((gone,) for gone in self._resolved)
        )
        connection.executemany(_INSERT, map(_values, self._unwritten_entries.values()))
        connection.executemany(
            "INSERT OR REPLACE INTO contents VALUES (?, ?)",
            ((octets(key), record) for key, record in self._unwritten_contents.items()),
        )

    def _suppressed_written(self) -> None:
        self._unwritten_entries.clear()
        self._resolved.clear()
        self._unwritten_contents.clear()


def _rule_name(parts: Any) -> RuleName:
    host, kind, section = parts
    if not all(isinstance(part, str) for part in parts):
        raise TypeError
    return RuleName(host, kind, section)


def _values(entry: Suppressed) -> tuple[Any, ...]:
    # Two lone surrogates that are written as escapes would be read as one character.
    names = octets(json.dumps(entry.rules, ensure_ascii=False))
    witness_url = octets(entry.witness_url)
    return (
        entry.digest,
        octets(entry.url),
        names,
        entry.witness,
        witness_url,
        entry.payload,
        entry.stage,
        entry.time,
    )
