"""What does not fit into memory is one clear error, wherever it shows."""

from pathlib import Path

import duckdb
import pytest

from iri_canon import IriError
from iri_canon.dedup.database import Database

ROWS = "SELECT range AS a, repeat('x', 1000) || range AS b FROM range(200_000)"


def test_what_does_not_fit_is_said_by_statements_and_by_rows_alike() -> None:
    with Database("10MB", threads=1) as database, pytest.raises(duckdb.OutOfMemoryException):
        database.run(f"CREATE TABLE t AS SELECT list(b) FROM ({ROWS})")
    with Database("10MB", threads=1) as database, pytest.raises(duckdb.OutOfMemoryException):
        list(database.batches(f"SELECT list(b) FROM ({ROWS}) GROUP BY a // 100000 ORDER BY 1"))


def test_what_fits_into_the_folder_is_no_error() -> None:
    with Database("100MB", threads=1) as database:
        database.run(f"CREATE TABLE t AS {ROWS}")
        assert sum(batch.num_rows for batch in database.batches("SELECT * FROM t")) == 200_000


def test_rows_are_read_while_other_statements_run() -> None:
    with Database() as database:
        database.run("CREATE TABLE t AS SELECT range AS a FROM range(100_000)")
        database.run("CREATE TABLE u (a BIGINT)")
        database.fill("u", database.batches("SELECT a FROM t"))
        assert database.one("SELECT count(DISTINCT a) FROM u") == 100_000


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IriError, match="nowhere"):
        Database(spill=str(tmp_path / "nowhere"))
