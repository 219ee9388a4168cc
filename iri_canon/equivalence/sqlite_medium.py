"""A file is opened by one process at a time, and only if it is whole and ours; it is never deleted.

Source: SQLite, "Database File Format" section 1.3 (the header) and "Write-Ahead Logging" section 8.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

from iri_canon.errors import StoreError

APPLICATION_ID: Final = 0x49524943
"""``IRIC``, in the header of every file."""

LAYOUT: Final = 2
"""The version of the tables, in the header of every file. Layout 2 came with rules, pages and what they suppress."""

AFRESH: Final = "move it away to start afresh"

#: What the sqlite3 module raises of a damaged file: it decodes messages, and these quote the damaged text.
FAILURES: Final = (sqlite3.Error, UnicodeDecodeError, OverflowError)

_MAGIC: Final = b"SQLite format 3\0"


class Transaction:
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
    return StoreError(f"{path}: damaged ({how}); restore a copy of it, or {AFRESH}")


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


def create(path: Path, tables: Iterable[str], stamps: Mapping[str, Iterable[tuple[str, object]]]) -> None:
    """Make a file under another name and give it its own when it is whole, so that no half of one is ever found."""
    descriptor, name = tempfile.mkstemp(prefix=".iri-canon-", dir=path.parent)  # mode 0600
    os.close(descriptor)
    fresh = Path(name)
    try:
        connection = sqlite3.connect(fresh, isolation_level=None)
        try:
            connection.executescript(
                f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {LAYOUT}; BEGIN;"
                f" {' '.join(tables)}"
            )
            for table, pairs in stamps.items():
                connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", pairs)
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


def check_header(path: Path) -> None:
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
    _check_layout(path, int.from_bytes(header[60:64], "big"))
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    # While a log lies beside it, a file that is shorter than its header says is as it should be.
    if not path.with_name(f"{path.name}-wal").exists() and (
        state.st_size != page_size * int.from_bytes(header[28:32], "big")
    ):
        raise damaged(path, "cut off")


def _check_layout(path: Path, layout: int) -> None:
    if not 1 <= layout <= LAYOUT:
        raise StoreError(
            f"{path}: layout {layout}, this version knows {LAYOUT}; use that version, or {AFRESH}"
        )


def migrate(connection: sqlite3.Connection, path: Path, tables: Sequence[str]) -> None:
    """Add what the layouts since that of the file added, in the caller's transaction; ``tables``: by each layout."""
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    # Not what the header said, where the last writer was killed: its log counts.
    _check_layout(path, layout)
    if layout == LAYOUT:
        return
    # `executescript` would end the transaction.
    for statement in filter(str.strip, ";".join(tables[layout:]).split(";")):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {LAYOUT}")


def connect(path: Path) -> sqlite3.Connection:
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
        with Transaction(connection):
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
