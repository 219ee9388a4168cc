"""Records are grouped by what is told of them; what is told later is lost of none, nor of those before."""

from dataclasses import replace

import pytest

from iri_canon.dedup.database import Database
from iri_canon.dedup.reading import Reading
from iri_canon.logs.columns import batch_of
from iri_canon.logs.records import Hop, Place, Record

PLAIN = Record(Place("log", 1, 0), "http://h/a")
TOLD = (
    replace(PLAIN, status=200),
    replace(PLAIN, digest="d", time=1796105435.123456),
    replace(PLAIN, counts=False),
    replace(PLAIN, location="/b", method="HEAD", time=1e11 - 1),
    replace(PLAIN, led_by=(Hop("http://h/0", "http://h/a", 301),)),
    PLAIN,
)
ROWS = """
SELECT status, digest, location, method, sum(records), min(first), max(newest).time, max(newest).number
FROM records GROUP BY ALL ORDER BY ALL
"""


def read(*sizes: int) -> tuple[list[object], int]:
    """The rows of all records, given in batches of these sizes."""
    batches = []
    records = [record for record in (PLAIN, *TOLD) for _ in range(2)]
    first = 0
    for size in sizes:
        batches.append(batch_of(records[first : first + size], first))
        first += size
    assert first == len(records)
    with Database() as database:
        Reading(database).read(iter(batches))
        return list(database.rows(ROWS)), database.one("SELECT count(*) FROM led")


@pytest.mark.parametrize("sizes", [(2,) * 7, (1,) * 14, (3, 5, 6), (13, 1)])
def test_batches_of_any_size_are_read_alike(sizes: tuple[int, ...]) -> None:
    rows, led = read(*sizes)
    assert (rows, led) == read(14)
    assert rows == [
        (200, None, None, None, 2, 2, 0.0, 3),
        (None, "d", None, None, 2, 4, 1796105435.123456, 5),
        (None, None, "/b", "HEAD", 2, 8, 1e11 - 1, 9),
        (None, None, None, None, 6, 0, 0.0, 13),
    ]
