"""What is read lies in tables, and is taken from nowhere but what was given."""

from pathlib import Path

import duckdb
import pytest

from iri_canon.dedup.database import Database
from iri_canon.dedup.reading import Reading
from iri_canon.logs import Hop, Place, Record
from iri_canon.logs.columns import batch_of

PLACE = Place("log", 1, 0)


def test_no_statement_opens_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n", encoding="utf-8")
    with Database() as database:
        with pytest.raises(duckdb.PermissionException):
            database.rows("SELECT * FROM read_csv(?)", [str(path)])
        with pytest.raises(duckdb.Error):
            database.run("SET enable_external_access = true")
        assert database.rows("SELECT 1") == [(1,)]


def test_redirects_that_led_to_a_record_are_counted_from_it() -> None:
    hops = tuple(Hop(f"http://h/{number}", f"http://h/{number + 1}", 301) for number in range(3))
    rows = [
        Record(PLACE, "http://h/x"),
        Record(PLACE, "http://h/3", led_by=hops),
        Record(PLACE, "http://h/y"),
        Record(PLACE, "http://h/9", led_by=(Hop("http://h/8", "http://h/9", 301),)),
    ]
    with Database() as database:
        Reading(database).read([batch_of(rows, 0).slice(1)])
        found = database.rows("SELECT first, place, source FROM led ORDER BY first, place")
    assert found == [
        (1, 0, "http://h/0"),
        (1, 1, "http://h/1"),
        (1, 2, "http://h/2"),
        (3, 0, "http://h/8"),
    ]
