"""Each name of a page that is done is a row; what waits for the next batch is in memory and counts already."""

from __future__ import annotations

import heapq
import sqlite3
from abc import ABC
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from iri_canon.equivalence.pages import Pages
from iri_canon.equivalence.sqlite_file import SqliteFile
from iri_canon.equivalence.sqlite_medium import octets, text
from iri_canon.equivalence.stores import KnownPage

_SELECT: Final = "SELECT key, page, time, gave_items, covered FROM pages"
_ROW: Final = (bytes, bytes, float, int, int)


class SqlitePages(SqliteFile, Pages, ABC):
    """The pages in a file of equivalences. A key of what does not parse is any text, so its octets are kept."""

    PAGE_TABLES: Final = """
        CREATE TABLE pages (
            key BLOB PRIMARY KEY, page BLOB NOT NULL, time REAL NOT NULL, gave_items INTEGER NOT NULL,
            covered INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX names_of_pages ON pages (page);
    """

    _pages: dict[str, KnownPage | None]

    def page(self, key: str) -> KnownPage | None:
        """The page that a key names; None also where it cannot be read, which the log tells."""
        if key in self._pages:
            return self._pages[key]
        row = self._first(f"{_SELECT} WHERE key = ?", _ROW, octets(key))
        return None if row is None else _known(row)

    def pages(self) -> Iterator[KnownPage]:
        """All names of pages, by key. Raises ``StoreError``."""
        waiting = dict(self._pages)
        written = map(_known, self._rows(f"{_SELECT} ORDER BY key", _ROW))
        return heapq.merge(
            (known for known in written if known.key not in waiting),
            sorted(known for known in waiting.values() if known is not None),
        )

    def _set_page(self, key: str, known: KnownPage | None) -> None:
        self._pages[key] = known
        self._changed()

    def _names_of(self, pages: Collection[str]) -> Iterable[str]:
        names = {key for key, known in self._pages.items() if known is not None and known.page in pages}
        for page in pages:
            found = self._rows("SELECT key FROM pages WHERE page = ?", (bytes,), octets(page))
            names.update(key for (row,) in found if (key := text(row)) not in self._pages)
        return names

    def _write_pages(self, connection: sqlite3.Connection) -> None:
        forgotten = ((octets(key),) for key, known in self._pages.items() if known is None)
        connection.executemany("DELETE FROM pages WHERE key = ?", forgotten)
        connection.executemany(
            "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)",
            (
                (octets(known.key), octets(known.page), known.time, known.gave_items, known.covered)
                for known in self._pages.values()
                if known is not None
            ),
        )


def _known(row: tuple[Any, ...]) -> KnownPage:
    key, page, time, gave_items, covered = row
    return KnownPage(text(key), text(page), time, bool(gave_items), bool(covered))
