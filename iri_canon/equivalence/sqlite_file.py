"""Changes wait in memory for a transaction, and one that fails is told in the log, not to the crawl."""

from __future__ import annotations

import logging
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from time import monotonic
from typing import Any, Final

from iri_canon.equivalence.profile import Profile
from iri_canon.equivalence.sqlite_medium import (
    AFRESH,
    FAILURES,
    Transaction,
    check_header,
    connect,
    create,
    damaged,
    migrate,
    rows,
    unusable,
)
from iri_canon.errors import StoreError

BATCH: Final = 1000
"""So many changes at the most wait for one transaction; a crash loses them, which costs their fetches again."""

SECONDS: Final = 5.0
"""A change that comes so long after the last transaction begins the next one: a slow crawl makes few changes."""

_COMMON_TABLES: Final = """
CREATE TABLE profile (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
"""

logger = logging.getLogger(__name__)


class SqliteFile(ABC):
    """An open file; a subclass says what is in it. Raises ``StoreError`` where it cannot be used."""

    KIND: str
    TABLES: tuple[str, ...]
    """What each layout added, from the first on: statements that end with a semicolon, and hold no other."""

    def __init__(self, path: Path, profile: Profile) -> None:
        self.path = path
        self.was_cut_off = False
        self._unwritten = 0
        self._tried_at = monotonic()
        self._warned = False
        self._connection: sqlite3.Connection | None = None
        if "\0" in str(path):
            raise StoreError(f"{path}: no name of a file; name another one")
        try:
            if not path.exists():
                stamps = {"profile": profile.parts, "meta": (("kind", self.KIND), ("clean", 1))}
                create(path, (_COMMON_TABLES, *self.TABLES), stamps)
            check_header(path)
            with ExitStack() as on_failure:
                connection = on_failure.enter_context(closing(connect(path)))
                self._check_contents(connection, profile)
                self._take(connection)
                on_failure.pop_all()
        except FAILURES as error:
            raise unusable(path, error) from None
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}; name a file that can be written") from None
        self._connection = connection

    @abstractmethod
    def _load(self, connection: sqlite3.Connection, *, stopped_cleanly: bool) -> None:
        """Read what is needed in memory, in the transaction that marks the file as in use."""

    @abstractmethod
    def _write(self, connection: sqlite3.Connection) -> None:
        """Write what waits, in a transaction."""

    @abstractmethod
    def _written(self) -> None:
        """Forget what waited: it is on the medium."""

    @abstractmethod
    def _write_last(self, connection: sqlite3.Connection) -> None:
        """Write what is only written at a clean end, in the last transaction."""

    def flush(self) -> None:
        """Write everything that waits. Raises ``StoreError``, and keeps it in memory then."""
        self._commit(clean=False)

    def _finish(self, *, clean: bool) -> None:
        if self._connection is None:
            return
        try:
            self._commit(clean=clean)
        finally:
            self._connection.close()
            self._connection = None

    def _changed(self) -> None:
        """Count a change; a batch of them is written. A medium that fails then is only told in the log."""
        self._unwritten += 1
        is_due = self._unwritten % BATCH == 0 or monotonic() - self._tried_at >= SECONDS
        if is_due and self._connection is not None:
            try:
                self.flush()
            except StoreError as error:
                self._tell(f"{error}; going on in memory, trying again from time to time")

    def _rows(self, query: str, types: tuple[Any, ...], *values: Any) -> Iterator[tuple[Any, ...]]:
        """Rows of these types; none once the file is given back. Raises ``StoreError``."""
        if self._connection is None:
            return iter(())
        return rows(self._connection, self.path, query, types, *values)

    def _first(self, query: str, types: tuple[Any, ...], *values: Any) -> tuple[Any, ...] | None:
        """The first row; a file that cannot be read in the middle of a crawl has none, and that is told."""
        try:
            return next(self._rows(query, types, *values), None)
        except StoreError as error:
            self._tell(f"{error}; going on without")
            return None

    def _tell(self, trouble: str) -> None:
        """Log what went wrong in the middle of a crawl: once, until a transaction succeeds again."""
        if not self._warned:
            logger.warning("%s", trouble)
        self._warned = True

    def _commit(self, *, clean: bool) -> None:
        if self._connection is None or not (self._unwritten or clean):
            return
        self._tried_at = monotonic()
        try:
            with Transaction(self._connection):
                self._write(self._connection)
                if clean:
                    self._write_last(self._connection)
                    self._connection.execute("UPDATE meta SET value = 1 WHERE name = 'clean'")
        except FAILURES as error:
            raise unusable(self.path, error) from error
        self._written()
        self._unwritten = 0
        self._warned = False

    def _check_contents(self, connection: sqlite3.Connection, profile: Profile) -> None:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise damaged(self.path, verdict)
        kind = connection.execute("SELECT value FROM meta WHERE name = 'kind'").fetchone()
        if kind != (self.KIND,):
            raise StoreError(f"{self.path}: holds no {self.KIND}; name another file")
        parts = rows(connection, self.path, "SELECT name, value FROM profile ORDER BY name", (str, str))
        differences = list(profile.differences(Profile(tuple((name, value) for name, value in parts))))
        if differences:
            raise StoreError(
                f"{self.path}: its keys were made by other rules ({'; '.join(differences)}); "
                f"{AFRESH}, or use the versions and settings that it was written with"
            )

    def _take(self, connection: sqlite3.Connection) -> None:
        with Transaction(connection):
            migrate(connection, self.path, self.TABLES)
            row = connection.execute("SELECT value FROM meta WHERE name = 'clean'").fetchone()
            if row not in ((0,), (1,)):
                raise damaged(self.path, "how it was closed cannot be told")
            self.was_cut_off = row == (0,)
            self._load(connection, stopped_cleanly=not self.was_cut_off)
            connection.execute("UPDATE meta SET value = 0 WHERE name = 'clean'")
