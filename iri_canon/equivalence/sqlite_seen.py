"""A state that must outlive a crash is written as it comes, any other only at a clean end.

The table is a log: rows are added at its end, and the last one of a digest counts. All states are in memory.
``COVERED`` is not in the log: the table of what was skipped decides what is covered over a stop, so that nothing
stays covered that could not be fetched again, and nothing that can be is forgotten for how far its fetch had got.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import time
from typing import Final

from iri_canon.equivalence.memory import MemorySeen
from iri_canon.equivalence.profile import Profile
from iri_canon.equivalence.sqlite_file import SqliteFile
from iri_canon.equivalence.sqlite_medium import damaged, octets, text
from iri_canon.equivalence.sqlite_suppressed import SqliteSuppressed
from iri_canon.equivalence.stores import DIGEST_SIZE, State, state_after_reopening

_FORGOTTEN: Final = 0
_SPELLING: Final = "SELECT spelling FROM spellings WHERE digest = ?"
_INSERT: Final = "INSERT INTO seen VALUES (?, ?, ?)"


class SqliteSeen(SqliteSuppressed, MemorySeen):
    """States of requests, what was skipped for rules, and contents, kept in a file."""

    KIND = "states of requests"
    TABLES = (
        """
        CREATE TABLE seen (digest BLOB NOT NULL, state INTEGER NOT NULL, status INTEGER NOT NULL);
        CREATE TABLE spellings (digest BLOB PRIMARY KEY, spelling BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE held (payload BLOB NOT NULL);
        """,
        SqliteSuppressed.SUPPRESSED_TABLES,
    )

    def __init__(self, path: Path, profile: Profile) -> None:
        MemorySeen.__init__(self)
        SqliteSuppressed.__init__(self)
        self._log: list[tuple[bytes, int, int]] = []
        self._forgotten: set[bytes] = set()
        SqliteFile.__init__(self, path, profile)

    def put(self, digest: bytes, state: State, status: int = 0, spelling: str | None = None) -> None:
        """Set the state of a digest; a spelling is kept with it, the first one given stays."""
        before = self.get(digest)
        if spelling is not None and (before is None or self.spelling(digest) is None):
            self._spellings[digest] = spelling
        super().put(digest, state, status)
        if state is State.DONE:
            if before != (state, status):
                self._note(digest, state, status)
        elif before is not None and before.state is State.DONE:
            self._note(digest, _FORGOTTEN, 0)

    def forget(self, digest: bytes) -> None:
        """Drop a digest and its spelling; one that is not there is no error."""
        if self.get(digest) is not None:
            super().forget(digest)
            self._forgotten.add(digest)
            self._note(digest, _FORGOTTEN, 0)

    def spelling(self, digest: bytes) -> str | None:
        """The spelling that was kept with a digest; None also where the file cannot be read."""
        spelling = super().spelling(digest)
        if spelling is not None or digest in self._forgotten or self.get(digest) is None:
            return spelling
        found = self._first(_SPELLING, (bytes,), digest)
        return None if found is None else text(found[0])

    def close(self, *, clean: bool) -> None:
        """Give the file back; ``clean``: no request was cut off. Raises ``StoreError``."""
        self._finish(clean=clean)

    def _note(self, digest: bytes, state: int, status: int) -> None:
        self._log.append((digest, state, status))
        self._changed()

    def _load(self, connection: sqlite3.Connection, *, stopped_cleanly: bool) -> None:
        self._load_beginning(connection)
        kept = {
            int(state): state_after_reopening(state, stopped_cleanly=stopped_cleanly)
            for state in State
            if state is not State.COVERED
        }
        kept[_FORGOTTEN] = None
        received = []
        for digest, number, status in connection.execute(
            "SELECT digest, state, status FROM seen ORDER BY rowid"
        ):
            if type(digest) is not bytes or len(digest) != DIGEST_SIZE or type(status) is not int:
                raise damaged(self.path, "a row is no state of a request")
            try:
                state = kept[number]
            except KeyError:
                raise damaged(self.path, f"{number!r} is no state of a request") from None
            if state is None:
                MemorySeen.forget(self, digest)
                continue
            MemorySeen.put(self, digest, state, status)
            if number == State.RECEIVED:
                received.append((digest, State.DONE, status))
        connection.execute("DELETE FROM seen WHERE state NOT IN (?, ?)", (State.DONE, _FORGOTTEN))
        connection.executemany(_INSERT, received)
        for digest in self._load_suppressed(connection):
            # What is done, or under way in a queue of the job, is so whatever was meant to be done about it.
            if self.get(digest) is None:
                MemorySeen.put(self, digest, State.COVERED)
        self._held = [payload for (payload,) in connection.execute("SELECT payload FROM held ORDER BY rowid")]
        connection.execute("DELETE FROM held")

    def _load_beginning(self, connection: sqlite3.Connection) -> None:
        connection.execute("INSERT OR IGNORE INTO meta VALUES ('began', ?)", (time(),))
        (began,) = connection.execute("SELECT value FROM meta WHERE name = 'began'").fetchone()
        if not isinstance(began, float):
            raise damaged(self.path, "when it was made cannot be told")
        self.began = began

    def _write(self, connection: sqlite3.Connection) -> None:
        # What was forgotten goes first: it may have come again since, with another spelling.
        connection.executemany(
            "DELETE FROM spellings WHERE digest = ?", ((gone,) for gone in self._forgotten)
        )
        connection.executemany(
            "INSERT OR REPLACE INTO spellings VALUES (?, ?)",
            ((digest, octets(spelling)) for digest, spelling in self._spellings.items()),
        )
        connection.executemany(_INSERT, self._log)
        self._write_suppressed(connection)

    def _written(self) -> None:
        self._log.clear()
        self._forgotten.clear()
        self._spellings.clear()
        self._suppressed_written()

    def _write_last(self, connection: sqlite3.Connection) -> None:
        unfinished = (
            (digest, seen.state, seen.status)
            for digest, seen in self._states()
            if seen.state not in (State.DONE, State.FAILED, State.COVERED)
        )
        connection.executemany(_INSERT, unfinished)
        connection.executemany("INSERT INTO held VALUES (?)", ((payload,) for payload in self._held))
