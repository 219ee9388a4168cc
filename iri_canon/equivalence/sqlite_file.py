"""A file is opened by one process at a time, only if it is whole, ours and of this profile, and never deleted.

Source: SQLite, "Database File Format" section 1.3 (the header) and "Write-Ahead Logging" section 8.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

from iri_canon.equivalence.profile import Profile
from iri_canon.errors import StoreError

APPLICATION_ID: Final = 0x49524943
"""``IRIC``, in the header of every file."""

LAYOUT: Final = 1
"""The version of the tables, in the header of every file."""

BATCH: Final = 1000
"""So many changes wait in memory for one transaction; a crash loses them, which costs their fetches again."""

_COMMON_TABLES: Final = """
CREATE TABLE profile (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
"""
#: What the sqlite3 module raises of a damaged file: it decodes messages, and these quote the damaged text.
FAILURES: Final = (sqlite3.Error, UnicodeDecodeError)

_MAGIC: Final = b"SQLite format 3\0"
_AFRESH: Final = "move it away to start afresh"

logger = logging.getLogger(__name__)


class SqliteFile(ABC):
    """An open file; a subclass says what is in it. Raises ``StoreError`` where it cannot be used."""

    KIND: str
    TABLES: str

    def __init__(self, path: Path, profile: Profile) -> None:
        self.path = path
        self._unwritten = 0
        self._warned = False
        self._connection: sqlite3.Connection | None = None
        if "\0" in str(path):
            raise StoreError(f"{path}: no name of a file; name another one")
        try:
            if not path.exists():
                _create(path, self.KIND, _COMMON_TABLES + self.TABLES, profile)
            _check_header(path)
            with ExitStack() as on_failure:
                connection = on_failure.enter_context(closing(_connect(path)))
                self._check_contents(connection, profile)
                self._take(connection)
                on_failure.pop_all()
        except FAILURES as error:
            raise unusable(path, error) from error
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}; name a file that can be written") from error
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
        if self._unwritten % BATCH == 0 and self._connection is not None:
            try:
                self.flush()
            except StoreError as error:
                self._tell(f"{error}; going on in memory, trying again every {BATCH} changes")

    def _tell(self, trouble: str) -> None:
        """Log what went wrong in the middle of a crawl: once, until a transaction succeeds again."""
        if not self._warned:
            logger.warning("%s", trouble)
        self._warned = True

    def _commit(self, *, clean: bool) -> None:
        if self._connection is None or not (self._unwritten or clean):
            return
        try:
            with _Transaction(self._connection):
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
        parts = connection.execute("SELECT name, value FROM profile ORDER BY name").fetchall()
        differences = list(profile.differences(Profile(tuple(parts))))
        if differences:
            raise StoreError(
                f"{self.path}: its keys were made by other rules ({'; '.join(differences)}); "
                f"{_AFRESH}, or use the versions and settings that it was written with"
            )

    def _take(self, connection: sqlite3.Connection) -> None:
        with _Transaction(connection):
            row = connection.execute("SELECT value FROM meta WHERE name = 'clean'").fetchone()
            if row not in ((0,), (1,)):
                raise damaged(self.path, "how it was closed cannot be told")
            self._load(connection, stopped_cleanly=row == (1,))
            connection.execute("UPDATE meta SET value = 0 WHERE name = 'clean'")


class _Transaction:
    """Everything or nothing; the sqlite3 module's own handling leaves statements like PRAGMA outside."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            try:
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                self._roll_back()
                raise
        else:
            self._roll_back()

    def _roll_back(self) -> None:
        # SQLite rolls back by itself after some errors, a full disk among them.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def damaged(path: Path, how: str) -> StoreError:
    """The error for a file that is not whole."""
    return StoreError(f"{path}: damaged ({how}); restore a copy of it, or {_AFRESH}")


def rows(
    connection: sqlite3.Connection, path: Path, query: str, types: tuple[Any, ...], *values: Any
) -> Iterator[tuple[Any, ...]]:
    """Rows of these types: in a damaged file a column may hold anything. Raises ``StoreError``."""
    try:
        for row in connection.execute(query, values):
            if not all(map(isinstance, row, types)):
                raise damaged(path, "a row holds something else")
            yield row
    except FAILURES as error:
        raise unusable(path, error) from error


def octets(text: str) -> bytes:
    """A text that may hold lone surrogates, which SQLite does not take as text.

    >>> octets("\\udcff")
    b'\\xed\\xb3\\xbf'
    """
    return text.encode("utf-8", "surrogatepass")


def text(octets: bytes) -> str:
    """The text that was kept as octets; what is damaged in it is replaced.

    >>> text(b"a\\xff")
    'a�'
    """
    try:
        return octets.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return octets.decode("utf-8", "replace")


def _create(path: Path, kind: str, tables: str, profile: Profile) -> None:
    """Make a file under another name and give it its own when it is whole, so that no half of one is ever found."""
    descriptor, name = tempfile.mkstemp(prefix=".iri-canon-", dir=path.parent)  # mode 0600
    os.close(descriptor)
    fresh = Path(name)
    try:
        connection = sqlite3.connect(fresh, isolation_level=None)
        try:
            connection.executescript(
                f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {LAYOUT}; BEGIN; {tables}"
            )
            connection.executemany("INSERT INTO profile VALUES (?, ?)", profile.parts)
            connection.executemany("INSERT INTO meta VALUES (?, ?)", [("kind", kind), ("clean", 1)])
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        finally:
            connection.close()
        _name(fresh, path)
    finally:
        for leftover in (name, f"{name}-wal", f"{name}-shm", f"{name}-journal"):
            Path(leftover).unlink(missing_ok=True)


def _name(fresh: Path, path: Path) -> None:
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        return  # Another process was faster; the lock decides who may have it.
    except (OSError, NotImplementedError):
        # No hard links on this file system; only there could two processes that start at once both pass.
        if not path.exists():
            fresh.rename(path)


def _check_header(path: Path) -> None:
    """Look at a file before SQLite does: SQLite would finish what another application left open in its own file."""
    state = path.stat()
    if not stat.S_ISREG(state.st_mode):
        raise StoreError(f"{path}: not a file; name another one")
    with path.open("rb") as file:
        header = file.read(100)
    if not header:
        raise damaged(path, "empty")
    if not header.startswith(_MAGIC[: len(header)]):
        raise StoreError(f"{path}: no store of iri-canon; name another file")
    if len(header) < 100:
        raise damaged(path, "cut off")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise StoreError(f"{path}: belongs to another application; name another file")
    layout = int.from_bytes(header[60:64], "big")
    if layout != LAYOUT:
        raise StoreError(
            f"{path}: layout {layout}, this version knows {LAYOUT}; use that version, or {_AFRESH}"
        )
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    # While a log lies beside it, a file that is shorter than its header says is as it should be.
    if not path.with_name(f"{path.name}-wal").exists() and (
        state.st_size != page_size * int.from_bytes(header[28:32], "big")
    ):
        raise damaged(path, "cut off")


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that no second one can join, in this process or another, until it is closed or killed."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=0
    )
    with ExitStack() as on_failure:
        on_failure.enter_context(closing(connection))
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchone()
        connection.execute("PRAGMA journal_mode = WAL").fetchone()
        # After a power failure the last transactions may be gone, but the file is whole.
        connection.execute("PRAGMA synchronous = NORMAL")
        with _Transaction(connection):
            connection.execute("UPDATE meta SET value = value WHERE name = 'kind'")
        on_failure.pop_all()
    return connection


def unusable(path: Path, error: Exception) -> StoreError:
    """What an error of SQLite means to the user."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(f"{path}: in use by another process; stop that one, or name another file")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"{path}: no space left ({error}); make room")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return StoreError(
            f"{path}: cannot be written ({error}); name a file that can, beside room for its log"
        )
    return damaged(path, str(error))
