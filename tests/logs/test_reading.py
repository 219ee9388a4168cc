"""Through the one door comes what a log has line by line, and what is wrong with it."""

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from iri_canon.errors import LogError
from iri_canon.logs import LogFile, blocks
from iri_canon.logs.columns import PLACES, SCHEMA, batches
from iri_canon.logs.extra import FIELD
from iri_canon.logs.reading import read
from iri_canon.logs.records import Bad
from iri_canon.logs.tally import Tally

FEED = b'{"url": "http://h/a", "status": 200}\n{"url": 7}\n{}\n{"url": "http://h/b", "status": 404}\n'
LIST = b"http://h/a\n# b\nhttp://h/\xff\n"
TABLE = b'url,status,title\nhttp://h/a,200,"A, a"\nhttp://h/b\nhttp://h/c,,\n'
CDX = b" CDX N b a m s k r M S V g\ncom,h)/ 20261201061035 http://h/ text/html 200 A - - 1 0 a.warc.gz\n"
WARC = (
    b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:0>\r\nWARC-Date: 2026-12-01T06:10:35Z\r\n"
    b"WARC-Target-URI: http://h/a\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\na\r\n\r\n"
)
ARC = (
    b"filedesc://a.arc 0.0.0.0 20261201061035 text/plain 9\n1 0 a\nb c\n\n"
    b"http://h/a 192.0.2.1 20261201061035 text/html 1\na\n"
)
LOGS = {"a.warc": WARC, "a.arc": ARC, "a.jsonl": FEED, "a.txt": LIST, "a.csv": TABLE, "a.cdx": CDX}

FORMATS_OF = dict(zip(LOGS, ("warc", "arc", "jsonl", "urls", "csv", "cdx"), strict=True))


def rows_of(found: Iterator[pa.RecordBatch]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for batch in found:
        batch.validate(full=True)
        rows += batch.to_pylist()
    return rows


def by_line(path: Path, format_name: str | None = None) -> tuple[list[dict[str, Any]], Tally]:
    """Without blocks."""
    log, tally = LogFile(str(path), format_name), Tally(str(path))
    with log.outcomes() as outcomes:
        rows = rows_of(batches(outcomes, tally, 5))
    tally.format_name = log.format_name
    return rows, tally


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("is_compressed", [False, True])
def test_each_format(name: str, is_compressed: bool, tmp_path: Path) -> None:
    path = tmp_path / (name + ".gz" * is_compressed)
    path.write_bytes(gzip.compress(LOGS[name]) if is_compressed else LOGS[name])
    tally = Tally(str(path))
    rows = rows_of(read(LogFile(str(path)), tally, 5))
    assert (rows, tally) == by_line(path)
    assert tally.records == len(rows) > 0
    assert tally.format_name == FORMATS_OF[name]
    assert [row["number"] for row in rows] == list(range(5, 5 + len(rows)))


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("extra", [(), ("title",)])
def test_places_are_left_out_where_nobody_asks(name: str, extra: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(LOGS[name])
    with_places = rows_of(read(LogFile(str(path)), Tally(name), 5, extra=extra))
    assert all(row[place] is not None for row in with_places for place in PLACES)
    assert rows_of(read(LogFile(str(path)), Tally(name), 5, extra=extra, places=False)) == [
        {column: value for column, value in row.items() if column not in PLACES} for row in with_places
    ]


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
def test_a_feed_or_a_list_that_is_cut_off_anywhere(name: str, tmp_path: Path) -> None:
    whole = LOGS[name]
    path = tmp_path / name
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        tally = Tally(str(path), name)
        rows = rows_of(read(LogFile(str(path), "jsonl" if name == "a.jsonl" else "urls"), tally, 5))
        expected, counts = by_line(path, "jsonl" if name == "a.jsonl" else "urls")
        assert (rows, tally.bad, tally.without_url) == (expected, counts.bad, counts.without_url), size


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
def test_a_compressed_feed_or_list_that_is_cut_off_anywhere(name: str, tmp_path: Path) -> None:
    octets = gzip.compress(LOGS[name])
    path = tmp_path / f"{name}.gz"
    for size in range(12, len(octets)):
        path.write_bytes(octets[:size])
        log, tally = LogFile(str(path), "jsonl" if name == "a.jsonl" else "urls"), Tally(str(path))
        rows = rows_of(read(log, tally))
        assert tally.problem is not None and "cut off" in tally.problem
        told = LogFile(str(path), log.format_name)
        with told.outcomes() as outcomes, pytest.raises(LogError, match="cut off"):
            list(outcomes)
        assert len(rows) == tally.records <= 2
    path.write_bytes(octets)
    tally = Tally(str(path))
    assert len(rows_of(read(LogFile(str(path)), tally))) == 2
    assert tally.problem is None


def problem(path: Path, format_name: str | None = None) -> str | None:
    tally = Tally(str(path))
    rows_of(read(LogFile(str(path), format_name), tally))
    return tally.problem


def test_what_is_wrong_with_a_log_is_in_its_tally(tmp_path: Path) -> None:
    assert problem(tmp_path / "missing.jsonl") == "No such file or directory"
    assert problem(tmp_path) == "Is a directory"
    path = tmp_path / "a.txt"
    path.write_bytes(b"h/a\nh/b\n")
    assert "the format is not to be told" in (problem(path) or "")
    assert problem(path, "jsonl") == "no readable record"
    assert problem(path, "urls") is None
    path.write_bytes(b'{"url": 7}\n')
    assert problem(path) == "no readable record of jsonl, as it seems to be; --format names another format"
    path.write_bytes(b"")
    assert problem(path) is None
    path.write_bytes(b'\n{"url": "http://h/"}\n')
    assert problem(path) is None


def test_the_format_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(FEED)
    for named in (None, "jsonl"):
        tally = Tally("a.log")
        list(read(LogFile(str(path), named), tally))
        assert tally.format_name == "jsonl"
    tally = Tally("missing")
    list(read(LogFile(str(tmp_path / "missing"), "urls"), tally))
    assert tally.format_name == "urls"


def test_bad_records_are_told_and_may_stop_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(FEED)
    told: list[Bad] = []
    list(read(LogFile(str(path)), Tally("a"), tell=told.append))
    assert [str(bad) for bad in told] == [f"{path}:2: byte 37: url is no text"]

    def stop(_: Bad) -> None:
        raise BrokenPipeError("nobody listens")

    tally = Tally("a")
    with pytest.raises(BrokenPipeError):  # which is none of the log's own
        list(read(LogFile(str(path)), tally, tell=stop))
    assert tally.problem is None


def test_reading_may_end_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "SIZE", 100)
    path = tmp_path / "a.jsonl"
    path.write_bytes(FEED * 1000)
    found = read(LogFile(str(path)), Tally("a"))
    assert next(found).num_rows > 0
    found.close()


@pytest.mark.parametrize("name", ["a.parquet", "odd"])
def test_parquet_comes_by_its_path(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    rows = [{"url": "http://h/a", "status": 200, "title": "A"}, {"url": None}, {"url": "http://h/b"}]
    pq.write_table(
        pa.Table.from_pylist(
            rows, pa.schema([("url", pa.string()), ("status", pa.int64()), ("title", pa.string())])
        ),
        path,
    )
    tally = Tally(str(path))
    found = rows_of(read(LogFile(str(path)), tally, 5, extra=["title"]))
    assert [(row["number"], row["url"], row["status"], row["extra"]) for row in found] == [
        (5, "http://h/a", 200, '{"title": "A"}'),
        (6, "http://h/b", None, '{"title": null}'),
    ]
    assert (tally.format_name, tally.records, tally.without_url, tally.problem) == ("parquet", 2, 1, None)
    path.write_bytes(path.read_bytes()[:-1])
    assert "cut off or damaged" in (problem(path) or "")


def test_parquet_has_an_end_where_standard_input_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"PAR1")))
    tally = Tally("-")
    assert list(read(LogFile("-"), tally)) == []
    assert tally.problem == "Parquet is read from its end, and standard input has none: name the file"


def test_what_tell_raises_is_not_the_trouble_of_a_parquet_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"url": ["http://h/"] * 100, "status": [200] * 100}), path, compression="none")
    octets = bytearray(path.read_bytes())
    octets[10:30] = b"\xff" * 20
    path.write_bytes(octets)

    def stop(_: Bad) -> None:
        raise BrokenPipeError("nobody listens")

    tally = Tally("a")
    with pytest.raises(BrokenPipeError):
        list(read(LogFile(str(path)), tally, tell=stop))


# ------------------------------------------------------------------------------------------ extra


def extras(path: Path, octets: bytes, *names: str) -> list[Any]:
    path.write_bytes(octets)
    found = list(read(LogFile(str(path)), Tally("a"), extra=names))
    assert all(batch.schema.equals(SCHEMA.append(FIELD)) for batch in found)
    return [
        json.loads(text, parse_constant=pytest.fail)
        for batch in found
        for text in batch.column("extra").to_pylist()
    ]


def test_fields_of_a_feed_are_carried_through(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"url": "http://h/1", "title": "é", "tags": ["a", {"b": None}], "price": 1.0},
        {"url": "http://h/2", "title": None, "count": 10**30, "other": "x"},
        {"title": "no URL"},
        {"url": "http://h/3", "title": "\ud800"},
    ]
    names = ("title", "tags", "price", "count", "url", "title", "none")
    expected = [{name: row[name] for name in names if name in row} for row in rows if "url" in row]
    for end in ("\n", ",\n"):
        octets = end.join(map(json.dumps, rows)).encode()
        assert extras(tmp_path / "a.jsonl", octets, *names) == expected
        # and at once, where the last row leaves no doubt
        octets = end.join(map(json.dumps, rows[:3])).encode()
        assert extras(tmp_path / "a.jsonl", octets, *names) == expected[:2]


def test_what_python_calls_a_number_and_json_does_not_is_null(tmp_path: Path) -> None:
    octets = b'{"url": "http://h/1", "price": [NaN, -Infinity, 1e999, 1.5], "title": "NaN"}\n'
    expected = [{"price": [None, None, None, 1.5], "title": "NaN"}]
    assert extras(tmp_path / "a.jsonl", octets, "price", "title") == expected
    assert extras(tmp_path / "a.jsonl", octets + b"{}\nbad\n", "price", "title") == expected  # line by line


def test_columns_of_a_table_are_carried_through(tmp_path: Path) -> None:
    assert extras(tmp_path / "a.csv", TABLE, "title", "none") == [{"title": "A, a"}, {"title": ""}]


@pytest.mark.parametrize("name", ["a.txt", "a.cdx"])
def test_other_formats_have_no_fields(name: str, tmp_path: Path) -> None:
    found = extras(tmp_path / name, LOGS[name], "title")
    assert set(map(str, found)) == {"{}"}


def test_no_column_is_there_that_was_not_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(FEED)
    assert all(batch.schema.equals(SCHEMA) for batch in read(LogFile(str(path)), Tally("a"), extra=()))
