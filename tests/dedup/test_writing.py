"""What is written can be read again as what it was, and is there whole or not at all."""

import csv
import gzip
import io
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iri_canon.dedup import written_text
from iri_canon.dedup.writing import Output, row_writer_of, url_writer_of
from iri_canon.logs.columns import carried

HARD = [
    "http://h/",
    "",
    'a"b,c\\d',
    "line\nline\r\n\ttab\x00\x1f\x7f",
    '\udce9\\"\n,é',
    "\0first",
    "\ud800",
    "é\u2028😀\u202e",
]
texts = st.lists(st.text(st.characters(exclude_categories=[])), max_size=6)


def octets(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def batch(found: list[str]) -> pa.RecordBatch:
    columns = {
        "url": pa.array([carried(text) for text in found], pa.string()),
        "count": pa.array(range(len(found)), pa.int64()),
        "urls": pa.array(
            [[carried(text)] * place for place, text in enumerate(found)], pa.list_(pa.string())
        ),
        "none": pa.array([None] * len(found), pa.string()),
        "is": pa.array([place % 2 == 0 for place in range(len(found))], pa.bool_()),
    }
    return pa.RecordBatch.from_pydict(columns)


def rows(found: list[str]) -> list[dict[str, Any]]:
    return [
        {"url": text, "count": place, "urls": [text] * place, "none": None, "is": place % 2 == 0}
        for place, text in enumerate(found)
    ]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def read_json(written: bytes) -> list[Any]:
    assert written == b"" or written.endswith(b"\n")
    return [json.loads(line) for line in written.split(b"\n")[:-1]]


def read_csv(written: bytes) -> list[list[str]]:
    text = written.decode("utf-8", "surrogateescape")
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_json_lines_are_what_the_rows_are() -> None:
    assert read_json(written_text.json_lines(batch(HARD)).to_pybytes()) == rows(HARD)


def test_csv_has_octets_as_found_and_lists_as_json() -> None:
    found = read_csv(written_text.csv_lines(batch(HARD)).to_pybytes())
    for place, (text, row) in enumerate(zip(HARD, found, strict=True)):
        assert row[0] == octets(text).decode("utf-8", "surrogateescape")
        assert row[1] == str(place)
        assert json.loads(row[2]) == [text] * place
        assert row[3:] == ["", "true" if place % 2 == 0 else "false"]


def test_only_what_needs_quotes_has_them_in_csv() -> None:
    table = pa.record_batch({"url": ["http://h/", "http://h/,", 'http://h/"', "http://h/\n"]})
    assert written_text.csv_lines(table).to_pybytes() == (
        b'http://h/\n"http://h/,"\n"http://h/"""\n"http://h/\n"\n'
    )


def test_plain_text_has_octets_as_triplets() -> None:
    plain = written_text.as_unicode(batch(["\udce9\udcff", "\ud800", "%E9"])).to_pylist()
    assert [row["url"] for row in plain] == ["%E9%FF", "%EF%BF%BD", "%E9"]
    assert [row["urls"] for row in plain] == [[], ["%EF%BF%BD"], ["%E9", "%E9"]]


def test_urls_are_lines_of_their_octets() -> None:
    column = pa.array([carried(text) for text in ("http://h/\udce9", "a\r\nb", "é", "\ud800")])
    assert written_text.url_lines(column).to_pybytes() == b"http://h/\xe9\nab\n\xc3\xa9\n\\ud800\n"


@given(texts, st.integers(0, 3))
def test_any_text_comes_back(found: list[str], start: int) -> None:
    part = batch(found).slice(start)
    expected = rows(found)[start:]
    got = read_json(written_text.json_lines(part).to_pybytes())
    # two lone surrogates in a row are one character for every reader of JSON
    assert got == json.loads(json.dumps(expected))
    fields = read_csv(written_text.csv_lines(part).to_pybytes())
    assert [row[0] for row in fields] == [
        octets(row["url"]).decode("utf-8", "surrogateescape") for row in expected
    ]
    assert [json.loads(row[2]) for row in fields] == [row["urls"] for row in got]
    for row in written_text.as_unicode(part).to_pylist():
        row["url"].encode()


def test_a_list_that_is_none_is_null_and_no_empty_list() -> None:
    table = pa.record_batch({"urls": pa.array([None, [], ["a"]], pa.list_(pa.string()))})
    for part, start in ((table, 0), (table.slice(1), 1)):
        assert (
            read_json(written_text.json_lines(part).to_pybytes())
            == [
                {"urls": None},
                {"urls": []},
                {"urls": ["a"]},
            ][start:]
        )
        assert written_text.as_unicode(part).to_pylist() == part.to_pylist()
    assert written_text.csv_lines(table).to_pybytes() == b'\n[]\n"[""a""]"\n'


def test_what_was_carried_through_is_an_object_and_no_text() -> None:
    table = pa.record_batch({"url": ["a"], "extra": ['{"title": "A \\"b\\""}']})
    assert read_json(written_text.json_lines(table).to_pybytes()) == [
        {"url": "a", "extra": {"title": 'A "b"'}}
    ]
    named_otherwise = table.rename_columns(["url", "text"])
    assert read_json(written_text.json_lines(named_otherwise).to_pybytes()) == [
        {"url": "a", "text": '{"title": "A \\"b\\""}'}
    ]
    assert read_csv(written_text.csv_lines(table).to_pybytes()) == [["a", '{"title": "A \\"b\\""}']]


def test_a_large_batch_is_cut_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written_text, "_LARGEST", 100)
    parts = list(written_text.pieces(batch(HARD * 5)))
    assert len(parts) > 5
    assert [row for part in parts for row in part.to_pylist()] == batch(HARD * 5).to_pylist()


def write_batches(path: Path, batches: Iterable[pa.RecordBatch], suffix: str, replaces: bool = False) -> None:
    writer = row_writer_of(suffix)
    assert writer is not None
    with Output(str(path), replaces=replaces) as output:
        writer(batch([]).schema, batches, output.stream)
        output.commit()


def write(path: Path, found: list[str], *, parts: int = 1) -> None:
    write_batches(path, [batch(found)] * parts, path.name)


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.csv", "out.csv.gz", "OUT.Parquet"])
def test_rows_by_the_suffix(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write(path, HARD, parts=2)
    data = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    if "jsonl" in name:
        assert read_json(data) == rows(HARD) * 2
    elif "csv" in name:
        head, *lines = read_csv(data)
        assert head == ["url", "count", "urls", "none", "is"]
        assert len(lines) == 2 * len(HARD)
    else:
        found = pq.read_table(path)
        assert found.schema.equals(batch([]).schema)
        assert found.to_pylist() == written_text.as_unicode(batch(HARD)).to_pylist() * 2


def test_zstd_is_read_by_others(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl.zst"
    write(path, HARD)
    with pa.input_stream(str(path), compression="zstd") as stream:
        assert read_json(stream.read()) == rows(HARD)


@pytest.mark.parametrize(("name", "head"), [("a.csv", b"url,count,urls,none,is\n"), ("a.jsonl", b"")])
def test_no_rows_are_a_whole_file(tmp_path: Path, name: str, head: bytes) -> None:
    write(tmp_path / name, [], parts=0)
    assert (tmp_path / name).read_bytes() == head
    write(tmp_path / "a.parquet", [], parts=0)
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0


@pytest.mark.parametrize("name", ["out", "out.txt", "out.gz", "out.parquet.gz", "jsonl", "out.jsonl.bz2"])
def test_other_suffixes_are_unknown(name: str) -> None:
    assert row_writer_of(name) is None
    assert row_writer_of("out.jsonl") is not None


def test_lists_of_urls_are_compressed_by_their_suffix(tmp_path: Path) -> None:
    for name, opened in (("a.txt", open), ("a.txt.gz", gzip.open)):
        path = str(tmp_path / name)
        with Output(path) as output:
            url_writer_of(path)(batch([]).schema, [batch(["a", "b"])], output.stream)
            output.commit()
        with opened(path, "rb") as stream:
            assert stream.read() == b"a\nb\n"


def test_the_same_rows_are_the_same_octets(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "a.jsonl.zst", "a.csv", "a.parquet"):
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir(exist_ok=True)
            write(tmp_path / folder / name, HARD)
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_nothing_is_there_before_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with Output(str(path)) as output:
        output.stream.write(b"x")
        output.stream.flush()
        assert not path.exists()
        output.commit()
        assert path.read_bytes() == b"x"
    assert names(tmp_path) == ["out.jsonl"]


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    def failing() -> Iterator[pa.RecordBatch]:
        yield batch(HARD)
        raise KeyboardInterrupt

    for name in ("out.jsonl", "out.csv.gz", "out.parquet", "old.jsonl"):
        path = tmp_path / name
        if name.startswith("old"):
            path.write_bytes(b"old")
        with pytest.raises(KeyboardInterrupt):
            write_batches(path, failing(), name, replaces=True)
    assert names(tmp_path) == ["old.jsonl"]
    assert (tmp_path / "old.jsonl").read_bytes() == b"old"


def test_a_file_that_came_meanwhile_stays(tmp_path: Path) -> None:
    def slow() -> Iterator[pa.RecordBatch]:
        path.write_bytes(b"other")
        yield batch(HARD)

    path = tmp_path / "out.jsonl"
    with pytest.raises(FileExistsError) as found:
        write_batches(path, slow(), path.name)
    assert found.value.filename == str(path)
    assert path.read_bytes() == b"other"
    with Output(str(path), replaces=True) as output:
        output.stream.write(b"new")
        output.commit()
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["out.jsonl"]


def test_where_files_have_one_name_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*names: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "out.jsonl"
    with Output(str(path)) as output:
        output.commit()
    assert names(tmp_path) == ["out.jsonl"]
    with pytest.raises(FileExistsError):
        write(path, HARD)
    assert names(tmp_path) == ["out.jsonl"]


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with Output(str(tmp_path / "link"), replaces=True) as output:
        output.stream.write(b"new")
        output.commit()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with Output(str(path)) as output:
        output.stream.write(b"x")
        output.commit()
    assert os.read(reader, 9) == b"x"
    os.close(reader)
    assert path.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv.gz", "a.jsonl.zst", "a.parquet"])
def test_a_full_disk_is_told(name: str) -> None:
    with pytest.raises(OSError, match="No space left"):
        write_batches(Path("/dev/full"), [batch(HARD)] * 3, name)


def test_files_have_the_mode_that_others_have(tmp_path: Path) -> None:
    write(tmp_path / "out.jsonl", HARD)
    (tmp_path / "other").write_bytes(b"")
    assert (tmp_path / "out.jsonl").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "no" / "out.jsonl")
    with pytest.raises(FileNotFoundError) as missing, Output(path):
        pass
    assert missing.value.filename == path


def test_what_is_finished_has_no_place_yet(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with Output(str(path)) as output:
        output.stream.write(b"x")
        output.finish()
        output.finish()
        assert not path.exists()
        output.commit()
    assert path.read_bytes() == b"x"
    with Output(str(path), replaces=True) as output:
        output.stream.write(b"y")
        output.finish()
    assert (path.read_bytes(), names(tmp_path)) == (b"x", ["out.jsonl"])


def test_an_output_that_was_never_begun_is_discarded(tmp_path: Path) -> None:
    Output(str(tmp_path / "out.jsonl")).discard()
    assert names(tmp_path) == []
