"""Archives as files: compressed as a whole or record by record, cut anywhere, damaged, named as what they are not."""

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from iri_canon.logs import LogFile
from iri_canon.logs.reading import read
from iri_canon.logs.tally import Tally
from logs import test_arc, test_warc
from logs.archives import http, warc_record

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

zstd = pytest.importorskip(
    "backports.zstd" if __import__("sys").version_info < (3, 14) else "compression.zstd"
)

RECORDS = {
    "warc": [*test_warc.WHOLE, test_warc.LAST],
    "arc": [*test_arc.WHOLE, test_arc.LAST],
}
URLS = ["http://h/0", "http://h/1", "http://h/2"]


def urls(path: Path, format_name: str | None = None) -> tuple[list[str], Tally]:
    """The URLs of a file, and what is to be said of it."""
    tally = Tally(str(path))
    found = read(LogFile(str(path), format_name), tally)
    return [url for batch in found for url in batch.column("url").to_pylist()], tally


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress], ids=["plain", "gzip", "zstd"])
@pytest.mark.parametrize("name", RECORDS)
def test_an_archive_is_told_by_its_content(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "log"
    for octets in (pack(b"".join(RECORDS[name])), b"".join(map(pack, RECORDS[name]))):
        path.write_bytes(octets)
        found, tally = urls(path)
        assert (found, tally.format_name, tally.problem, tally.bad.total()) == (URLS, name, None, 0)


@pytest.mark.parametrize(
    ("pack", "what"), [(gzip.compress, "gzip member"), (zstd.compress, "zstd frame")], ids=["gzip", "zstd"]
)
@pytest.mark.parametrize("name", RECORDS)
def test_cut_at_any_octet_of_the_last_member(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes], what: str
) -> None:
    path = tmp_path / "log"
    *before, last = map(pack, RECORDS[name])
    start = len(b"".join(before))
    for size in range(1, len(last)):
        path.write_bytes(b"".join(before) + last[:size])
        found, tally = urls(path)
        # all data may be there before the end that says so
        assert found in (URLS[:2], URLS), size
        assert tally.problem == f"the {what} at octet {start} is cut off", size
        assert tally.bad.total() == 0


@pytest.mark.parametrize("name", RECORDS)
def test_cut_at_any_octet_of_the_one_member(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log"
    octets = gzip.compress(b"".join(RECORDS[name]))
    for size in range(10, len(octets)):
        path.write_bytes(octets[:size])
        found, tally = urls(path, name)
        assert found == URLS[: len(found)]
        assert (tally.problem, tally.bad.total()) == ("the gzip member at octet 0 is cut off", 0)


def test_what_is_wrong_has_its_offset_in_the_data(tmp_path: Path) -> None:
    path = tmp_path / "log"
    before, last = b"".join(test_warc.WHOLE), test_warc.LAST
    path.write_bytes(gzip.compress(before) + gzip.compress(b"garbage") + gzip.compress(last))
    found, tally = urls(path)
    assert (found, tally.problem) == (URLS, None)
    assert list(map(str, tally.examples)) == [f"{path}:4: byte {len(before)}: no record begins here"]


def test_a_request_in_another_member_tells_the_method(tmp_path: Path) -> None:
    path = tmp_path / "log.warc.gz"
    octets = test_warc.exchange("POST", request_first=False, request_tells=True)
    path.write_bytes(gzip.compress(octets) + gzip.compress(warc_record("response", "http://h/b", http())))
    (batch,) = read(LogFile(str(path)), Tally(str(path)))
    assert batch.column("method").to_pylist() == ["POST", None]


def test_parquet_by_its_content_and_by_its_path_alone(tmp_path: Path) -> None:
    path = tmp_path / "log"
    pq.write_table(pa.table({"url": URLS}), path)
    found, tally = urls(path)
    assert (found, tally.format_name, tally.problem) == (URLS, "parquet", None)
    (batch,) = read(LogFile(str(path)), Tally(str(path)), 5, extra=["url", "title"])
    assert batch.column("number").to_pylist() == [5, 6, 7]
    assert [json.loads(text) for text in batch.column("extra").to_pylist()] == [{"url": url} for url in URLS]
    pq.write_table(pa.table({"url": pa.array([], pa.string())}), path)
    found, tally = urls(path)
    assert (found, tally.format_name, tally.problem) == ([], "parquet", None)
    pq.write_table(pa.table({"url": pa.nulls(2, pa.string())}), path)
    found, tally = urls(path)
    assert (found, tally.without_url, tally.problem) == ([], 2, "no readable record")


@pytest.mark.parametrize("name", ["warc", "arc", "parquet", "jsonl", "cdx", "heritrix"])
def test_a_wrong_name_makes_no_record(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log"
    pq.write_table(pa.table({"url": URLS}), path)
    contents = {"parquet": path.read_bytes(), **{each: b"".join(RECORDS[each]) for each in RECORDS}}
    for each, octets in contents.items():
        path.write_bytes(octets)
        found, tally = urls(path, name)
        assert found == (URLS if each == name else [])
        assert (tally.problem is None) == (each == name)
