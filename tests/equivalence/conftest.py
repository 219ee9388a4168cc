"""The stores of each medium."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from iri_canon.equivalence import EquivalenceStore, SeenStore
from tests.equivalence.media import MEDIA, Memory, Sqlite


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
