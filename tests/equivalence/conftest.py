"""The stores of each medium, and what the tests of files share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from iri_canon.equivalence import EquivalenceStore, SeenStore
from iri_canon.equivalence.sqlite_equivalences import SqliteEquivalences
from iri_canon.equivalence.sqlite_seen import SqliteSeen
from tests.equivalence.media import MEDIA, PROFILE, Memory, Sqlite

ROOT = Path(__file__).parents[2]
Opener = Callable[[Path], SqliteSeen | SqliteEquivalences]


def digest(number: int) -> bytes:
    return number.to_bytes(16, "big")


def open_seen_file(path: Path) -> SqliteSeen:
    return SqliteSeen(path, PROFILE)


def open_pairs_file(path: Path) -> SqliteEquivalences:
    return SqliteEquivalences(path, PROFILE)


def give_back(store: SqliteSeen | SqliteEquivalences) -> None:
    if isinstance(store, SqliteSeen):
        store.close(clean=True)
    else:
        store.close()


@pytest.fixture(params=MEDIA, ids=lambda medium: medium.__name__)
def medium(request: pytest.FixtureRequest, tmp_path: Path) -> Memory | Sqlite:
    made: Memory | Sqlite = request.param(tmp_path)
    return made


@pytest.fixture
def persistent(medium: Memory | Sqlite) -> Memory | Sqlite:
    if not medium.persistent:
        pytest.skip("ends with the store")
    return medium


@pytest.fixture
def seen(medium: Memory | Sqlite) -> Iterator[SeenStore]:
    store = medium.seen()
    yield store
    store.close(clean=False)


@pytest.fixture
def pairs(medium: Memory | Sqlite) -> Iterator[EquivalenceStore]:
    with closing(medium.equivalences()) as store:
        yield store
