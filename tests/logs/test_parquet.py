"""Parquet by the names of its columns, whatever their types; rows without a URL, and files that are cut or damaged."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iri_canon.errors import LogError
from iri_canon.logs import Bad, jsonl, parquet
from iri_canon.logs import columns as schema
from iri_canon.logs.archives import is_parquet
from iri_canon.logs.columns import ROWS, SCHEMA, carried
from iri_canon.logs.parquet import batches
from iri_canon.logs.records import Line, Place
from iri_canon.logs.tally import Tally

URLS = ["http://h/0", "http://h/1", "http://h/2"]
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def write(path: Path, columns: Mapping[str, Any], **options: Any) -> Path:
    pq.write_table(pa.table(dict(columns)), path, **options)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.parquet"


def read(path: Path, **options: Any) -> list[dict[str, Any]]:
    """The rows of a file that is read to its end."""
    return pa.Table.from_batches(batches(path, Tally("a"), **options), _schema(options)).to_pylist()  # type: ignore[no-any-return]


def _schema(options: Mapping[str, Any]) -> pa.Schema:
    return SCHEMA.append(pa.field("extra", pa.string())) if options.get("extra") else SCHEMA


def column(path: Path, name: str, **columns: Any) -> list[Any]:
    """One column of what is read, where the file has others beside the URLs."""
    count = max(map(len, columns.values()))
    return [
        row[name]
        for row in read(write(path, {"url": [f"http://h/{each}" for each in range(count)], **columns}))
    ]


def until_it_fails(path: Path) -> tuple[list[str], Tally, str | None]:
    tally = Tally("a")
    found: list[str] = []
    try:
        for batch in batches(path, tally):
            found += batch.column("url").to_pylist()
    except LogError as error:
        return found, tally, str(error)
    return found, tally, None


def test_all_that_a_row_tells(path: Path) -> None:
    write(
        path,
        {
            "url": ["http://h/a"],
            "status": [301],
            "location": ["/b"],
            "digest": ["sha1:A"],
            "time": [NOON],
            "method": ["HEAD"],
            "mime": ["text/html"],
            "redirect_urls": [["http://h/0"]],
            "redirect_reasons": [["308"]],
            "body": ["<p>"],
        },
    )
    (row,) = read(path, first=7)
    assert row == {
        "number": 7,
        "url": "http://h/a",
        "status": 301,
        "location": "/b",
        "digest": "sha1:A",
        "time": NOON.timestamp(),
        "method": "HEAD",
        "mime": "text/html",
        "led_by": [{"source": "http://h/0", "target": "http://h/a", "status": 308}],
        "counts": True,
        "file": "a",
        "line": 1,
        "offset": 0,
    }


def test_a_url_is_enough(path: Path) -> None:
    (row,) = read(write(path, {"url": ["http://h/a"]}))
    told = {name: value for name, value in row.items() if value is not None}
    assert told == {"number": 0, "url": "http://h/a", "counts": True, "file": "a", "line": 1, "offset": 0}


def test_the_index_of_common_crawl(path: Path) -> None:
    table = pa.table(
        {
            "url_surtkey": ["h)/a", "h)/b", "h)/c"],
            "url": ["http://h/a", "http://h/b", "http://h/c"],
            "url_host_name": ["h"] * 3,
            "fetch_time": pa.array([NOON] * 3, pa.timestamp("ms", "UTC")),
            "fetch_status": pa.array([200, 301, 200], pa.int16()),
            "fetch_redirect": [None, "http://h/c", None],
            "content_digest": ["OSSA", "PTTB", "OSSA"],
            "content_mime_type": ["text/html", "unk", None],
            "content_mime_detected": ["application/xhtml+xml", None, "text/html"],
            "content_truncated": [None, None, "length"],
            "warc_record_offset": [1, 2, 3],
        }
    )
    pq.write_table(table, path)
    rows = read(path)
    assert [row["status"] for row in rows] == [200, 301, 200]
    assert [row["location"] for row in rows] == [None, "http://h/c", None]
    assert [row["digest"] for row in rows] == ["OSSA", "PTTB", None]  # of the beginning of a page
    assert [row["mime"] for row in rows] == ["text/html", "unk", "text/html"]
    assert [row["time"] for row in rows] == [NOON.timestamp()] * 3


TEXTS = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    pa.binary(10),
    pa.dictionary(pa.int32(), pa.string()),
    pa.dictionary(pa.int8(), pa.large_string()),
]


@pytest.mark.parametrize("kind", TEXTS, ids=str)
def test_texts_of_every_type(path: Path, kind: pa.DataType) -> None:
    values = pa.array(
        [*URLS, None, URLS[0]], pa.binary() if pa.types.is_fixed_size_binary(kind) else pa.string()
    )
    for value in (values.cast(kind), pa.concat_arrays([values.cast(kind)] * 2)[5:]):
        rows = read(write(path, {"url": value, "digest": value}))
        assert [row["url"] for row in rows] == [*URLS, URLS[0]]
        assert [row["digest"] for row in rows] == [*URLS, URLS[0]]
        assert [row["offset"] for row in rows] == [0, 1, 2, 4]


def test_octets_that_are_no_utf_8_are_kept_apart(path: Path) -> None:
    octets = pa.array([b"http://h/\xe9", "http://h/é".encode(), b"http://h/\xed\xa0\x80", b"\0a", None])
    # Parquet has text in UTF-8; what writes it may not look
    unchecked = pa.Array.from_buffers(pa.string(), len(octets), octets.buffers(), octets.null_count)
    for value in (octets, unchecked):
        found = [row["url"] for row in read(write(path, {"url": value}))]
        assert found == [
            carried("http://h/\udce9"),
            "http://h/é",
            carried("http://h/\udced\udca0\udc80"),
            carried("\0a"),
        ]
        assert len(set(found)) == 4


def test_a_row_without_a_url_is_no_record(path: Path) -> None:
    tally = Tally("a")
    (batch,) = batches(
        write(path, {"url": [None, "http://h/a", "", "http://h/b"], "status": [1, 2, 3, 4]}), tally, 5
    )
    assert batch.column("number").to_pylist() == [5, 6]
    assert batch.column("status").to_pylist() == [2, 4]
    assert batch.column("line").to_pylist() == [2, 4]
    assert batch.column("offset").to_pylist() == [1, 3]
    assert str(tally) == "a: 2 records, 0 bad, 2 without URL"


@pytest.mark.parametrize(
    ("values", "statuses"),
    [
        (pa.array([200, None, 301], pa.int16()), [200, None, 301]),
        (pa.array([200, 2**64 - 1], pa.uint64()), [200, None]),
        (pa.array([-5, 2**40], pa.int64()), [-5, None]),
        (pa.array([10**9 - 1, 10**9]), [10**9 - 1, None]),
        (pa.array([200.0, float("nan"), float("inf"), 1e300, 200.5]), [200, None, None, None, None]),
        (pa.array(["200", "-", "", "2OO", None]), [200, None, None, None, None]),
        (pa.array(["200", "301"]).dictionary_encode(), [200, 301]),
        (pa.array([True]), [None]),
        (pa.array([Decimal(200)]), [None]),
        (pa.array([[200]]), [None]),
        (pa.nulls(2), [None, None]),
    ],
    ids=str,
)
def test_statuses(path: Path, values: pa.Array, statuses: list[int | None]) -> None:
    assert column(path, "status", status=values) == statuses


@pytest.mark.parametrize(
    ("values", "times"),
    [
        (pa.array([NOON, None], pa.timestamp("ns", "Europe/Berlin")), [NOON.timestamp(), None]),
        *((pa.array([NOON], pa.timestamp(unit)), [NOON.timestamp()]) for unit in ("s", "ms", "us", "ns")),
        (pa.array([datetime(1969, 1, 1, tzinfo=UTC)]), [None]),
        (pa.array([date(2026, 12, 1)], pa.date32()), [NOON.timestamp() - 12 * 3600]),
        (pa.array([date(2026, 12, 1)], pa.date64()), [NOON.timestamp() - 12 * 3600]),
        (pa.array([1796105435, None]), [1796105435.0, None]),
        (pa.array([1796105435500]), [1796105435.5]),
        (pa.array([1796105435.5, float("nan")]), [1796105435.5, None]),
        (pa.array(["2026-12-01T06:10:35Z", "20261201061035", "now"]), [1796105435.0, 1796105435.0, None]),
        (pa.array([True]), [None]),
    ],
    ids=str,
)
def test_times(path: Path, values: pa.Array, times: list[float | None]) -> None:
    assert column(path, "time", time=values) == times


def test_of_several_names_the_first_that_has_a_value_counts(path: Path) -> None:
    assert column(path, "status", status=[200, None, None], fetch_status=["301", "302", None]) == [
        200,
        302,
        None,
    ]
    found = column(
        path,
        "location",
        location=["/b", None, None],
        redirect=[None, None, "/d"],
        fetch_redirect=["/x", "/c", "/y"],
    )
    assert found == ["/b", "/c", "/d"]
    assert column(path, "digest", digest=["", "-", None], content_digest=["A", "B", "C"]) == [None, None, "C"]
    assert column(path, "time", time=["?", None], fetch_time=[NOON, NOON]) == [NOON.timestamp()] * 2


def test_a_method_of_get_is_none_told(path: Path) -> None:
    assert column(path, "method", method=["GET", "HEAD", "", "-", None, "get"]) == [
        None,
        "HEAD",
        None,
        None,
        None,
        "get",
    ]


def test_chains_that_are_none(path: Path) -> None:
    led_by = column(
        path,
        "led_by",
        redirect_urls=pa.array(
            [["http://h/x", "http://h/y"], ["http://h/x"], None, [], [None]], pa.list_(pa.string())
        ),
        redirect_reasons=pa.array(
            [["meta refresh", "301"], ["301", "302"], ["301"], [], ["301"]], pa.list_(pa.string())
        ),
    )
    assert led_by == [
        [
            {"source": "http://h/x", "target": "http://h/y", "status": 0},
            {"source": "http://h/y", "target": "http://h/0", "status": 301},
        ],
        None,
        None,
        None,
        None,
    ]


def test_extra_columns_come_as_json(path: Path) -> None:
    octets = pa.array([b"\xe9", b"a"])
    text = pa.Array.from_buffers(pa.string(), 2, octets.buffers())
    table = {
        "url": URLS[:2],
        "title": ["é", None],
        "price": [float("nan"), 1.5],
        "raw": octets,
        "text": text,
        "tags": [["a"], []],
        "prices": [[float("inf"), 1.5], []],
    }
    names = ["title", "missing", "price", "raw", "text", "tags", "prices", "url"]
    rows = read(write(path, table), extra=names)
    assert [json.loads(row["extra"], parse_constant=pytest.fail) for row in rows] == [
        {
            "title": "é",
            "price": None,
            "raw": "\udce9",
            "text": "\udce9",
            "tags": ["a"],
            "prices": [None, 1.5],
            "url": "http://h/0",
        },
        {"title": None, "price": 1.5, "raw": "a", "text": "a", "tags": [], "prices": [], "url": "http://h/1"},
    ]
    assert "extra" not in read(path)[0]


def test_batches_have_so_many_rows(path: Path) -> None:
    write(path, {"url": [f"http://h/{number}" for number in range(70_000)]}, row_group_size=68_000)
    rows = list(batches(path, Tally("a")))
    assert [batch.num_rows for batch in rows] == [ROWS, 68_000 - ROWS, 2_000]
    table = pa.Table.from_batches(rows)
    assert table["number"].to_pylist() == table["offset"].to_pylist() == list(range(70_000))


def test_batches_are_as_large_as_memory_allows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = [f"http://h/{number}/" + "a" * 50_000 for number in range(100)]
    write(path, {"url": long}, use_dictionary=False, compression="none")
    assert [batch.num_rows for batch in batches(path, Tally("a"))] == [100]
    monkeypatch.setattr(parquet, "_LARGEST_BATCH", 1_000_000)
    sizes = [batch.num_rows for batch in batches(path, Tally("a"))]
    assert (sum(sizes), max(sizes)) == (100, 19)
    monkeypatch.setattr(parquet, "_LARGEST_BATCH", 1)
    assert [batch.num_rows for batch in batches(path, Tally("a"))] == [1] * 100


# Files that are none, or not whole


@pytest.mark.parametrize("head", [b"", b"PAR", b"WARC/1.0\r\n", b"\x1f\x8b"])
def test_what_does_not_begin_as_parquet(head: bytes) -> None:
    assert not is_parquet(head)


def test_what_begins_as_parquet(path: Path) -> None:
    assert is_parquet(write(path, {"url": URLS}).read_bytes())


def test_an_empty_file_and_one_without_rows_are_logs_of_no_records(path: Path) -> None:
    path.write_bytes(b"")
    assert read(path) == []
    assert read(write(path, {"url": pa.array([], pa.string())})) == []


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"URL": URLS}, "no column has the URL (url)"),
        ({"url": [1, 2]}, "the column url has no texts"),
        ({"url": [["http://h/a"]]}, "the column url has no texts"),
        ({"url": [{"url": "http://h/a"}]}, "the column url has no texts"),
        ({"url": pa.array([None, ""])}, "no readable record"),
        ({"url": pa.nulls(2)}, "no readable record"),
    ],
)
def test_a_file_without_urls_is_one_clear_problem(
    path: Path, columns: Mapping[str, Any], problem: str
) -> None:
    found, tally, wrong = until_it_fails(write(path, columns))
    assert (found, tally.bad.total(), wrong) == ([], 0, problem)


def test_what_cannot_be_opened_is_the_systems_word(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        next(batches(tmp_path / "missing.parquet", Tally("a")))
    with pytest.raises(IsADirectoryError):
        next(batches(tmp_path, Tally("a")))


def test_a_file_of_another_format(path: Path) -> None:
    path.write_bytes(b'{"url": "http://h/a"}\n')
    assert until_it_fails(path)[::2] == ([], "no Parquet file")
    path.write_bytes(b"PARE" + b"\0" * 40 + b"PARE")
    assert until_it_fails(path)[::2] == (
        [],
        "the Parquet file is encrypted: what it ends with cannot be read",
    )


def test_a_file_that_is_cut_off_anywhere(path: Path) -> None:
    octets = write(path, {"url": URLS}).read_bytes()
    assert until_it_fails(path)[::2] == (URLS, None)
    for size in range(1, len(octets)):
        path.write_bytes(octets[:size])
        found, tally, wrong = until_it_fails(path)
        assert (found, tally.records) == ([], 0)
        if size < 4:
            assert wrong == "no Parquet file"
        else:
            assert wrong == "the Parquet file is cut off or damaged: what it ends with cannot be read"


def groups(path: Path) -> list[tuple[int, int]]:
    """Where the data of each row group lies."""
    metadata = pq.ParquetFile(path).metadata
    chunks = [metadata.row_group(number).column(0) for number in range(metadata.num_row_groups)]
    return [
        (each.dictionary_page_offset or each.data_page_offset, each.total_compressed_size) for each in chunks
    ]


def test_a_row_group_that_is_damaged_costs_itself(path: Path) -> None:
    write(path, {"url": URLS * 2}, row_group_size=2, write_page_checksum=True)
    octets = path.read_bytes()
    start, size = groups(path)[1]
    for place in range(start, start + size):
        damaged = bytearray(octets)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        found, tally, wrong = until_it_fails(path)
        if found == URLS * 2:  # some octets of a page's header are not looked at
            continue
        assert found == [*URLS[:2], *URLS[1:]], place
        assert tally.examples == [Bad(Place("a", 3, 2), "the row group is damaged")]
        assert wrong == "1 of 3 row groups are damaged"
    path.write_bytes(octets)
    assert until_it_fails(path)[::2] == (URLS * 2, None)


def test_strict_reading_stops_at_what_is_damaged(path: Path) -> None:
    write(path, {"url": URLS}, row_group_size=1, write_page_checksum=True)
    octets = bytearray(path.read_bytes())
    start, size = groups(path)[1]
    octets[start + size - 1] ^= 0xFF
    path.write_bytes(octets)

    def stop(bad: Bad) -> None:
        raise KeyboardInterrupt(str(bad))

    found = batches(path, Tally("a"), tell=stop)
    assert next(found).num_rows == 1
    with pytest.raises(KeyboardInterrupt, match="a:2: byte 1: the row group is damaged"):
        next(found)


@settings(max_examples=50)
@given(st.data())
def test_whatever_octets_change_nothing_is_raised_but_a_problem(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "changed.parquet"
    octets = bytearray(
        write(path, {"url": URLS, "status": ["200", "x", None], "time": [NOON, None, NOON]}).read_bytes()
    )
    for place in data.draw(st.lists(st.integers(0, len(octets) - 1), min_size=1, max_size=4)):
        octets[place] = data.draw(st.integers(0, 255))
    path.write_bytes(octets)
    found, tally, _ = until_it_fails(path)
    assert len(found) == tally.records


# Rows are as those of a feed


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "url": st.sampled_from(["http://h/a", "http://h/é", "", None]),
    "status": st.sampled_from([200, 301, None, -5]),
    "fetch_status": st.sampled_from(["200", "-", "x", None]),
    "digest": st.sampled_from(["sha1:A", "", "-", None]),
    "content_digest": st.sampled_from(["B", None]),
    "location": st.sampled_from(["/b", "", None]),
    "redirect": st.sampled_from(["/c", "-", None]),
    "fetch_redirect": st.sampled_from(["/d", None]),
    "method": st.sampled_from(["GET", "HEAD", "", None]),
    "mime": st.sampled_from(["text/html", "-", None]),
    "time": st.sampled_from(["2026-12-01T06:10:35Z", "now", None]),
    "redirect_urls": st.sampled_from([["http://h/0"], ["http://h/0", "http://h/1"], [], None]),
    "redirect_reasons": st.sampled_from([["301"], ["308", "meta refresh"], [], None]),
}
TYPES = {
    "status": pa.int64(),
    "redirect_urls": pa.list_(pa.string()),
    "redirect_reasons": pa.list_(pa.string()),
}


@settings(max_examples=50)
@given(
    rows=st.lists(st.fixed_dictionaries(VALUES), min_size=1, max_size=8),
    dropped=st.sets(st.sampled_from(list(VALUES)[1:])),
)
def test_a_row_is_what_it_would_be_in_a_feed(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], dropped: set[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "feed.parquet"
    names = [name for name in VALUES if name not in dropped]
    rows = [{name: row[name] for name in names} for row in rows]
    write(path, {name: pa.array([row[name] for row in rows], TYPES.get(name, pa.string())) for name in names})

    def lines() -> Iterator[Line]:
        for number, row in enumerate(rows):
            yield Line(Place("a", number + 1, number), json.dumps(row))

    tally, feed = Tally("a"), Tally("a")
    theirs = [row for batch in schema.batches(jsonl.records(lines()), feed, 3) for row in batch.to_pylist()]
    found = list(batches(path, tally, 3)) if theirs else []
    for batch in found:
        assert batch.schema.equals(SCHEMA)
        batch.validate(full=True)
    assert [row for batch in found for row in batch.to_pylist()] == theirs
    if not theirs:
        assert until_it_fails(path)[::2] == ([], "no readable record")
        return
    assert (tally.records, tally.without_url) == (feed.records, feed.without_url)
