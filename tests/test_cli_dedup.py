"""The command dedup: what it reads and refuses, what it says, writes and leaves behind, and its exit statuses."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import typer
from folders import ROOT
from test_cli import process, run

from iri_canon.cli import app
from iri_canon.logs import FORMATS

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def feed(*rows: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


SPELLINGS = feed(
    {"url": "http://h.example/%7Ea"},
    {"url": "http://h.example/b", "status": 200},
    {"url": "http://h.example:80/~a"},
    {"url": "http://h.example/~a"},
    {"url": "http://h.example/b"},
)
MOVED = feed(
    {"url": "http://h.example/c/", "status": 301, "location": "/c"},
    {"url": "http://h.example/c", "status": 200},
)
BAD = b"x\n" * 5 + b'{"url": 1}\n{}\n'
OPTIONS = ("-o", "--urls", "--pairs", "--stats", "--report")


def write(folder: Path, octets: bytes, name: str = "log.jsonl") -> str:
    path = folder / name
    path.write_bytes(octets)
    return str(path)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_one_row_a_page_and_counts_that_add_up(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS + MOVED)
    found = run("dedup", log, "-o", str(tmp_path / "out.jsonl"))
    assert (found.exit_code, found.stdout) == (0, "")
    written = rows(tmp_path / "out.jsonl")
    assert written == [
        {
            "key": "http://h.example/~a",
            "representative": "http://h.example/~a",
            "count": 3,
            "urls": ["http://h.example/%7Ea", "http://h.example:80/~a", "http://h.example/~a"],
            "rung": "scheme",
            "steps": ["decode_unreserved_triplets", "drop_default_port"],
        },
        {
            "key": "http://h.example/b",
            "representative": "http://h.example/b",
            "count": 2,
            "urls": ["http://h.example/b"],
            "rung": "simple",
            "steps": [],
        },
        {
            "key": "http://h.example/c",
            "representative": "http://h.example/c",
            "count": 2,
            "urls": ["http://h.example/c/", "http://h.example/c"],
            "rung": "protocol",
            "steps": written[2]["steps"],
        },
    ]
    assert "observed-redirect" in written[2]["steps"]
    assert sum(row["count"] for row in written) == 7


def test_other_formats_have_the_same_rows(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS + MOVED)
    for name in ("out.jsonl", "out.parquet", "out.csv", "out.jsonl.gz"):
        assert run("dedup", log, "-o", str(tmp_path / name)).exit_code == 0
    expected = rows(tmp_path / "out.jsonl")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == expected
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == (tmp_path / "out.jsonl").read_bytes()
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0] == "key,representative,count,urls,rung,steps"
    assert lines[2] == 'http://h.example/b,http://h.example/b,2,"[""http://h.example/b""]",simple,[]'


def test_seeds_pairs_counts_and_a_report(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS + MOVED)
    given = {option: str(tmp_path / f"out{option[1:]}.jsonl") for option in OPTIONS}
    found = run("dedup", log, *(each for pair in given.items() for each in pair))
    assert (found.exit_code, found.stdout) == (0, "")
    assert Path(given["--urls"]).read_text().split() == [
        "http://h.example/~a",
        "http://h.example/b",
        "http://h.example/c",
    ]
    assert [(row["url"], row["representative"], row["rung"]) for row in rows(Path(given["--pairs"]))] == [
        ("http://h.example/%7Ea", "http://h.example/~a", "syntax"),
        ("http://h.example:80/~a", "http://h.example/~a", "scheme"),
        ("http://h.example/c/", "http://h.example/c", "protocol"),
    ]
    counts = json.loads(Path(given["--stats"]).read_text())
    assert (counts["records"], counts["classes"], counts["duplicates"]) == (7, 3, 4)
    assert counts["rungs"] == {"simple": 6, "syntax": 5, "scheme": 4, "protocol": 3}
    assert counts["files"][0]["file"] == log
    assert Path(given["--report"]).read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def test_what_is_said_on_standard_error(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS + BAD)
    start = len(SPELLINGS)
    found = run("dedup", log, "-o", str(tmp_path / "out.jsonl"))
    assert found.exit_code == 0  # a bad record costs itself
    assert found.stderr.splitlines() == [
        f"{log}:6: byte {start}: not JSON",
        f"{log}:7: byte {start + 2}: not JSON",
        f"{log}:8: byte {start + 4}: not JSON",
        f"{log}:11: byte {start + 10}: url is no text",
        f"iri-canon: {log}: read as jsonl",
        f"{log}: 5 records, 6 bad, 1 without URL",
        "iri-canon: 5 records, 4 spellings, 2 pages, 3 duplicates",
    ]


def test_a_quiet_run_says_what_is_wrong_alone(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS + BAD)
    found = run("dedup", "--quiet", log)
    assert (found.exit_code, found.stdout, found.stderr) == (0, "", "")
    missing = str(tmp_path / "missing")
    found = run("dedup", "-q", log, missing)
    assert (found.exit_code, found.stderr) == (1, f"iri-canon: {missing}: No such file or directory\n")


def test_without_an_output_a_table(tmp_path: Path) -> None:
    found = run("dedup", write(tmp_path, SPELLINGS + MOVED))
    lines = [line.split("\t") for line in found.stdout.splitlines()]
    assert lines[0] == ["#what", "number", "of records"]
    assert ["records", "7", "100.0%"] in lines
    assert ["URLs at the syntax rung", "5", "71.4%"] in lines
    assert ["pages", "3", "42.9%"] in lines
    assert "iri-canon: 7 records" not in found.stderr  # it is in the table
    step = next(line for line in lines if line[0] == "drop_default_port")
    assert step[1] == "scheme"
    with_urls_alone = run("dedup", write(tmp_path, SPELLINGS), "--urls", str(tmp_path / "urls"))
    assert with_urls_alone.stdout.startswith("#what\t")


def test_an_empty_log_is_one_of_no_records(tmp_path: Path) -> None:
    log = write(tmp_path, b"")
    found = run("dedup", log, "-o", str(tmp_path / "out.jsonl"))
    assert (found.exit_code, found.stderr.splitlines()[0]) == (0, f"{log}: 0 records, 0 bad, 0 without URL")
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    assert run("dedup", log).stdout.splitlines()[1] == "records\t0\t-"


def test_what_a_log_only_mentions_is_a_spelling_and_no_record(tmp_path: Path) -> None:
    stamp = "2026-12-01 06:10:35 "
    crawled = f"{stamp}[scrapy.core.engine] DEBUG: Crawled (200) <GET http://h/a> (referer: None)\n"
    again = f"{stamp}[scrapy.dupefilters] DEBUG: Filtered duplicate request: <GET http://h/{{}}> - no more\n"
    log = write(tmp_path, (crawled * 3 + again.format("%61") + again.format("b")).encode(), "s.log")
    found = run("dedup", log, "-o", str(tmp_path / "out.jsonl"))
    assert [(row["urls"], row["count"]) for row in rows(tmp_path / "out.jsonl")] == [
        (["http://h/a", "http://h/%61"], 3),
        (["http://h/b"], 0),
    ]
    assert found.stderr.splitlines()[1:] == [
        f"{log}: 3 records, 0 bad, 0 without URL",
        "iri-canon: 3 records, 3 spellings, 2 pages, 2 duplicates",
    ]
    assert json.loads(run("dedup", log, "--json").stdout)["duplicates"] == 2
    mentioned = write(tmp_path, (crawled + again.format("b")).encode(), "t.log")
    assert "pages\t2\t-\n" in run("dedup", mentioned).stdout


def test_counts_as_json(tmp_path: Path) -> None:
    found = run("dedup", "--json", write(tmp_path, SPELLINGS))
    assert json.loads(found.stdout)["classes"] == 2
    assert len(found.stdout.splitlines()) == 1


def missing(folder: Path) -> str:
    return str(folder / "missing.jsonl")


def directory(folder: Path) -> str:
    (folder / "folder.jsonl").mkdir(exist_ok=True)
    return str(folder / "folder.jsonl")


def cut_off(folder: Path) -> str:
    return write(folder, gzip.compress(MOVED)[:-9], "cut.jsonl.gz")


def of_another_format(folder: Path) -> str:
    return write(folder, b"\x7fELF\0\0\0\1\n", "program")


def without_a_readable_record(folder: Path) -> str:
    return write(folder, b"{}\n{}\n", "none.jsonl")


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (missing, "No such file or directory"),
        (directory, "Is a directory"),
        (cut_off, "the gzip member at octet 0 is cut off"),
        (of_another_format, "the format is not to be told; name it by --format: "),
        (without_a_readable_record, "no readable record"),
    ],
)
def test_what_is_wrong_with_one_file_costs_that_file(
    tmp_path: Path, made: Callable[[Path], str], reason: str
) -> None:
    good, wrong = write(tmp_path, SPELLINGS), made(tmp_path)
    found = run("dedup", wrong, good, "-o", str(tmp_path / "out.jsonl"))
    assert found.exit_code == 1
    assert f"iri-canon: {wrong}: {reason}" in found.stderr
    assert f"{good}: 5 records, 0 bad, 0 without URL" in found.stderr
    assert [row["count"] for row in rows(tmp_path / "out.jsonl")][-2:] == [3, 2]
    strict = run("dedup", "--strict", good, wrong, "-o", str(tmp_path / "strict.jsonl"))
    assert strict.exit_code == 1
    assert not (tmp_path / "strict.jsonl").exists()
    assert run("dedup", "--strict", good, "-o", str(tmp_path / "strict.jsonl")).exit_code == 0


def test_whole_records_of_a_file_that_is_cut_off_are_there(tmp_path: Path) -> None:
    whole = gzip.compress(SPELLINGS)
    log = write(tmp_path, whole + gzip.compress(MOVED)[:-9], "log.jsonl.gz")
    found = run("dedup", log, "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["records"] >= 5
    assert f"iri-canon: {log}: the gzip member at octet {len(whole)} is cut off" in found.stderr
    assert run("dedup", write(tmp_path, whole, "log.jsonl.gz")).exit_code == 0


def test_another_format_that_is_named(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS)
    found = run("dedup", log, "--format", "heritrix")
    assert found.exit_code == 1
    assert f"iri-canon: {log}: no readable record" in found.stderr
    assert run("dedup", log, "--format", "JSONL").exit_code == 0


def test_a_strict_run_ends_at_the_first_bad_record(tmp_path: Path) -> None:
    log, out = write(tmp_path, SPELLINGS + BAD), tmp_path / "out.jsonl"
    out.write_bytes(b"old")
    found = run("dedup", "--strict", "--force", log, "-o", str(out))
    assert found.exit_code == 1
    assert found.stderr.splitlines() == [
        f"{log}:6: byte {len(SPELLINGS)}: not JSON",
        f"iri-canon: {log}: a bad record; nothing is written (--strict)",
    ]
    assert out.read_bytes() == b"old"
    assert names(tmp_path) == ["log.jsonl", "out.jsonl"]


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--format", "warp", "'warp' is not one of: auto, "),
        ("--format", "combined", "--site says"),
        ("--site", "example.com", "no scheme and host"),
        ("--site", "https://example.com/a", "no scheme and host"),
        ("--site", "https://h:x/", "port"),
        ("--conventions", "https,nothing", "unknown convention 'nothing'"),
        ("--against", "nothing", "'nothing' is no file and not among: w3lib, simple, syntax, scheme, "),
        ("--against", "nothing.json", "No such file"),
        ("--memory", "much", "memory"),
        ("--threads", "0", "greater than or equal to 1"),
        ("--spill", "no-such-folder", "no-such-folder"),
        ("-o", "out.txt", "out.txt does not end in .jsonl, .csv, .parquet"),
        ("--pairs", "out.parquet.gz", "does not end in"),
        ("-o", "no-such-folder/out.csv", "no such folder"),
        ("--urls", ".", ". is a directory"),
    ],
)
def test_what_cannot_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, value: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    log = write(tmp_path, SPELLINGS)
    found = run("dedup", log, option, value)
    assert (found.exit_code, found.stdout) == (2, "")
    assert told in found.stderr
    assert names(tmp_path) == ["log.jsonl"]


def test_options_that_are_like_those_and_can_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = write(tmp_path, SPELLINGS)
    (tmp_path / "spill").mkdir()
    (tmp_path / "p.json").write_text('{"rung": "syntax"}')
    given = ["--format", "jsonl", "--site", "https://example.com:8443/", "--conventions", "https,archive"]
    given += [
        "--memory",
        "256MB",
        "--threads",
        "1",
        "--spill",
        "spill",
        "--against",
        "p.json",
        "-o",
        "out.csv",
    ]
    found = run("dedup", log, *given)
    assert (found.exit_code, names(tmp_path / "spill")) == (0, [])


@pytest.mark.parametrize("option", OPTIONS)
def test_an_output_that_exists_stays_unless_forced(tmp_path: Path, option: str) -> None:
    log, out = write(tmp_path, SPELLINGS), tmp_path / "out.jsonl"
    out.write_bytes(b"old")
    found = run("dedup", log, option, str(out))
    assert found.exit_code == 2
    assert "--force" in found.stderr
    assert out.read_bytes() == b"old"
    assert run("dedup", log, option, str(out), "--force").exit_code == 0
    assert out.read_bytes() != b"old"
    assert names(tmp_path) == ["log.jsonl", "out.jsonl"]


@pytest.mark.parametrize("option", OPTIONS)
def test_no_output_is_an_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    log = write(tmp_path, SPELLINGS)
    os.link(log, tmp_path / "hard.jsonl")
    (tmp_path / "soft.jsonl").symlink_to(log)
    for name in ("log.jsonl", "./log.jsonl", "hard.jsonl", "soft.jsonl"):
        found = run("dedup", log, option, f"{tmp_path}/{name}", "--force")
        assert found.exit_code == 2
        assert "is read, too" in found.stderr
    assert Path(log).read_bytes() == SPELLINGS
    (tmp_path / "like.jsonl").write_bytes(SPELLINGS)  # the same content is not the same file
    assert run("dedup", log, option, str(tmp_path / "like.jsonl"), "--force").exit_code == 0


def test_no_output_is_another_input_or_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    log = write(tmp_path, SPELLINGS)
    out = str(tmp_path / "out.jsonl")
    found = run("dedup", log, "-o", out, "--pairs", f"{tmp_path}/./out.jsonl")
    assert (found.exit_code, "is the output of --output, too" in found.stderr) == (2, True)
    found = run("dedup", log, "-o", "-", "--urls", "-")
    assert (found.exit_code, "- is the output of --output, too" in found.stderr) == (2, True)
    assert run("dedup", log, "-o", "-", "--json").exit_code == 2
    profile = write(tmp_path, b'{"rung": "scheme"}', "p.json")
    found = run("dedup", log, "--against", profile, "--stats", profile, "--force")
    assert (found.exit_code, "is read, too" in found.stderr) == (2, True)
    assert names(tmp_path) == ["log.jsonl", "p.json"]


def test_patterns_are_files_in_order(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "c.other"):
        write(tmp_path, SPELLINGS, name)
    (tmp_path / "z.jsonl").mkdir()
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep", SPELLINGS, "d.jsonl")
    found = run("dedup", f"{tmp_path}/*.jsonl")
    counts = [line for line in found.stderr.splitlines() if "records" in line]
    assert counts == [
        f"{tmp_path}/{name}: 5 records, 0 bad, 0 without URL" for name in ("a.jsonl", "b.jsonl")
    ]
    assert found.exit_code == 0
    assert run("dedup", f"{tmp_path}/**/*.jsonl").stdout.splitlines()[1] == "records\t15\t100.0%"
    found = run("dedup", f"{tmp_path}/*.none")
    assert found.exit_code == 1
    assert f"iri-canon: {tmp_path}/*.none: No such file or directory" in found.stderr
    # a name that looks like a pattern and is there
    assert run("dedup", write(tmp_path, MOVED, "[ab].jsonl"), "--json").stdout.count('"records": 2') >= 1


def test_a_file_is_read_once(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS)
    (tmp_path / "soft.jsonl").symlink_to(log)
    soft = str(tmp_path / "soft.jsonl")
    found = run("dedup", log, log, soft, "--json")
    assert json.loads(found.stdout)["records"] == 5
    for name in (log, soft):
        assert f"iri-canon: {name}: named before; it is read once" in found.stderr
    assert found.exit_code == 0
    other = write(tmp_path, SPELLINGS, "other.jsonl")  # the twin: another file of the same content
    assert json.loads(run("dedup", log, other, "--json").stdout)["records"] == 10


def test_pages_of_two_logs_are_one(tmp_path: Path) -> None:
    first = write(tmp_path, feed({"url": "http://h.example/c/", "status": 301, "location": "/c"}))
    second = write(tmp_path, feed({"url": "http://h.example/c", "status": 200}), "second.jsonl")
    assert json.loads(run("dedup", first, second, "--json").stdout)["classes"] == 1
    assert json.loads(run("dedup", second, first, "--json").stdout)["classes"] == 1
    assert json.loads(run("dedup", first, "--json").stdout)["classes"] == 1


def test_standard_input_and_output() -> None:
    found = process("dedup", "-", "-o", "-", stdin=gzip.compress(SPELLINGS))
    assert found.returncode == 0
    assert [json.loads(line)["count"] for line in found.stdout.splitlines()] == [3, 2]
    assert b"<stdin>: 5 records, 0 bad, 0 without URL" in found.stderr
    found = process("dedup", "-", "-", "--urls", "-", stdin=SPELLINGS)
    assert found.stdout == b"http://h.example/~a\nhttp://h.example/b\n"
    found = process("dedup", "-", "--stats", "-", stdin=SPELLINGS)
    assert json.loads(found.stdout)["records"] == 5


def test_seeds_are_as_many_pages(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS + MOVED + feed({"url": "http://h.example/a b"}, {"url": "#top"}))
    seeds = tmp_path / "seeds.txt"
    assert run("dedup", log, "--urls", str(seeds)).exit_code == 0
    again = json.loads(run("dedup", str(seeds), "--format", "urls", "--json").stdout)
    assert (again["records"], again["classes"]) == (4, 4)  # "#top" is a comment there


def test_octets_that_are_no_utf_8(tmp_path: Path) -> None:
    log = write(tmp_path, b'{"url": "http://h.example/\xe9"}\n{"url": "http://h.example/\\udce8"}\n')
    given = [each for name in ("a.jsonl", "a.csv", "a.parquet") for each in (name,)]
    for name in given:
        assert (
            run("dedup", log, "-o", str(tmp_path / name), "--urls", f"{tmp_path}/{name}.txt").exit_code == 0
        )
    found = [row["representative"] for row in rows(tmp_path / "a.jsonl")]
    assert found[-1] == "http://h.example/\udce8"
    assert (tmp_path / "a.csv").read_bytes().splitlines()[-1].split(b",")[1] == b"http://h.example/\xe8"
    assert pq.read_table(tmp_path / "a.parquet").to_pylist()[-1]["representative"] == "http://h.example/%E8"
    assert (tmp_path / "a.csv.txt").read_bytes().splitlines()[-1] == b"http://h.example/\xe8"


def test_hostile_text_is_not_obeyed(tmp_path: Path) -> None:
    log = write(tmp_path, b"x\n" + SPELLINGS, "\x1b[31m\u202e.jsonl")
    found = run("dedup", log, "--keep", "\x1b[31m")
    assert "\\x1b[31m\\u202e.jsonl:1: byte 0: not JSON" in found.stderr
    assert not {"\x1b", "\u202e"} & set(found.stderr + found.stdout)


def test_conventions_by_either_name(tmp_path: Path) -> None:
    log = write(tmp_path, feed({"url": "http://h.example/a/"}, {"url": "http://h.example/a"}))
    assert json.loads(run("dedup", log, "--json").stdout)["classes"] == 2
    for option in ("--convention", "--conventions"):
        found = run("dedup", log, "--json", option, "https, trailing-slash")
        assert json.loads(found.stdout)["classes"] == 1


def test_temporary_redirects_if_asked(tmp_path: Path) -> None:
    log = write(tmp_path, MOVED.replace(b"301", b"302"))
    assert json.loads(run("dedup", log, "--json").stdout)["classes"] == 2
    assert json.loads(run("dedup", log, "--json", "--temporary").stdout)["classes"] == 1


def test_what_a_store_has_seen_counts(tmp_path: Path) -> None:
    store = str(tmp_path / "s.sqlite")
    run("learn", write(tmp_path, MOVED), "--store", store)
    log = write(tmp_path, feed({"url": "http://h.example/c/"}, {"url": "http://h.example/c"}))
    for name in (store, f"sqlite:{store}"):
        assert json.loads(run("dedup", log, "--json", "--store", name).stdout)["classes"] == 1
    assert json.loads(run("dedup", log, "--json").stdout)["classes"] == 2
    gone = run("dedup", log, "--store", str(tmp_path / "none.sqlite"))
    assert gone.exit_code == 1
    assert "none.sqlite" in gone.stderr
    assert not (tmp_path / "none.sqlite").exists()
    assert run("dedup", log, "--store", log).exit_code == 1  # no store


def test_columns_are_carried_through(tmp_path: Path) -> None:
    log = write(
        tmp_path,
        feed(
            {"url": "http://h.example/%7Ea", "title": "one", "depth": 1},
            {"url": "http://h.example/~a", "title": "A", "depth": 2},
            {"url": "http://h.example/~a", "title": "later", "depth": 3},
            {"url": "http://h.example/b"},
        ),
    )
    out = tmp_path / "out.jsonl"
    assert run("dedup", log, "-o", str(out), "--keep", "title,depth").exit_code == 0
    assert [row["extra"] for row in rows(out)] == [{"title": "A", "depth": 2}, {}]
    assert run("dedup", log, "-o", str(out), "--force").exit_code == 0
    assert ["extra" in row for row in rows(out)] == [False, False]


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("w3lib", 1), ("simple", 0), ("SYNTAX", 0), ("scheme", 0), ("scrapy", 1), ("query-order,https", 1)],
)
def test_another_canonicalization(tmp_path: Path, name: str, theirs: int) -> None:
    log = write(tmp_path, feed({"url": "http://h.example/?b&a"}, {"url": "http://h.example/?a&b"}))
    if name == "w3lib":
        pytest.importorskip("w3lib", reason="the extra scrapy is not installed")
    compared = json.loads(run("dedup", log, "--json", "--against", name).stdout)["against"]
    assert compared["joins"] == {"ours": 0, "theirs": theirs, "both": 0}
    assert f"pairs joined by {compared['name']}\t{theirs}\t-" in run("dedup", log, "--against", name).stdout


@pytest.mark.parametrize(
    "octets",
    [
        b"no JSON",
        b"[]",
        b'{"rungs": "scheme"}',
        b'{"rung": "protocol"}',
        b'{"rung": 1}',
        b'{"conventions": ["x"]}',
        b'{"conventions": 1}',
        b'{"rung": "simple", "conventions": ["https"]}',
        b"\xff",
    ],
)
def test_a_profile_that_is_none(tmp_path: Path, octets: bytes) -> None:
    log, profile = write(tmp_path, SPELLINGS), write(tmp_path, octets, "p.json")
    assert run("dedup", log, "--against", profile).exit_code == 2
    good = write(tmp_path, b'{"rung": "Scheme", "conventions": {"*.example": ["https"]}}', "p.json")
    assert run("dedup", log, "--against", good).exit_code == 0


def test_access_logs_need_a_site(tmp_path: Path) -> None:
    line = '1.2.3.4 - - [01/Dec/2026:10:00:00 +0000] "GET /a?b HTTP/1.1" 200 5\n'
    log = write(tmp_path, line.encode() * 2, "access.log")
    found = run("dedup", log, "--site", "https://example.com/", "--urls", "-")
    assert (found.stdout, found.exit_code) == ("https://example.com/a?b\n", 0)
    assert run("dedup", log).exit_code == 1


def test_every_format_is_named_in_the_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    help_text = run("dedup", "--help").stdout
    told = help_text.partition("--format")[2].partition("auto looks")[0]
    assert [name for name in FORMATS if name not in told] == []
    assert help_text.count("iri-canon dedup ") >= 4
    assert "Exit status: 0 " in help_text


def test_the_page_has_every_option_and_every_format() -> None:
    page = (ROOT / "docs" / "dedup.md").read_text(encoding="utf-8")
    command = typer.main.get_command(app).commands["dedup"]  # type: ignore[attr-defined]
    options = {name for each in command.params for name in each.opts if name.startswith("--")} - {"--help"}
    assert len(options) > 15
    assert [name for name in options if f"`{name}" not in page and name != "--output"] == []
    assert [name for name in FORMATS if f"`{name}`" not in page] == []


def complete(words: str) -> list[str]:
    asked = {
        "_IRI_CANON_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    found = subprocess.run(
        [sys.executable, "-c", "from iri_canon.cli import app; app(prog_name='iri-canon')"],
        env=ENVIRONMENT | asked,
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.split()


def test_a_shell_completes_commands_options_and_names() -> None:
    assert complete("iri-canon ded") == ["dedup"]
    assert complete("iri-canon dedup --for") == ["--format", "--force"]
    assert complete("iri-canon dedup --format heri") == ["heritrix"]
    assert complete("iri-canon dedup --conventions https,tra") == [
        "https,tracking-params",
        "https,trailing-slash",
    ]
    assert complete("iri-canon dedup --against w3") == ["w3lib"]
    assert "--install-completion" in run("--help").stdout


@pytest.mark.parametrize(
    ("library", "options"),
    [("duckdb", []), ("plotly", ["--report", "a.html"]), ("jinja2", ["--report", "-"])],
)
def test_a_missing_library_is_named(library: str, options: list[str]) -> None:
    program = (
        f"import sys; sys.modules['{library}'] = None\n"
        f"from iri_canon.cli import app; app(['dedup', 'a.jsonl', *{options}])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert (
        found.stderr
        == f"iri-canon: dedup needs {library}; install the extra 'logs' (in a clone: pip install '.[logs]')\n"
    )


def test_other_commands_need_none_of_the_libraries() -> None:
    program = (
        "import sys\n"
        "for name in ('duckdb', 'jinja2', 'plotly', 'pyarrow', 'warcio'): sys.modules[name] = None\n"
        "from iri_canon.cli import app; app(['key', 'HTTP://h'])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (0, "http://h/\n")
