"""The command learn: what it says of files and rules, and its exit statuses."""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from test_cli import process, run

from iri_canon.equivalence import EquivalenceStore, RuleName, RuleState, open_equivalences, profile
from iri_canon.learning import Policy
from iri_canon.logs import FORMATS

NAMED = RuleName("h.example", "default-document", "x")


def feed(*rows: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def twins(count: int) -> bytes:
    """Pages that answer alike with and without the name of the document."""
    return feed(
        *(
            {"url": f"http://h.example/x/{number}{end}", "status": 200, "digest": f"d{number}"}
            for number in range(count)
            for end in ("/", "/index.html")
        )
    )


MOVED = feed(
    {"url": "http://h.example/a/", "status": 301, "location": "/a", "time": 1796105435},
    {"url": "http://h.example/a", "status": 200, "time": 1796105436},
)


@contextmanager
def opened(path: Path) -> Iterator[EquivalenceStore]:
    store = open_equivalences(f"sqlite:{path}", profile())
    try:
        yield store
    finally:
        store.close()


def write(folder: Path, octets: bytes, name: str = "log.jsonl") -> str:
    path = folder / name
    path.write_bytes(octets)
    return str(path)


def test_rules_that_changed_are_printed_and_kept(tmp_path: Path) -> None:
    log, store = write(tmp_path, twins(5)), tmp_path / "s.sqlite"
    found = run("learn", log, "--store", str(store))
    assert (
        found.stdout == "#host\tsection\tkind\tbefore\tafter\tsupport\tagainst\twhy\n"
        "h.example\tx\tdefault-document\tproposed\tin force\t5\t0\tequal content\n"
    )
    assert found.stderr.splitlines() == [
        f"{log}: 10 records, 0 bad, 0 without URL",
        "iri-canon: 0 pairs recorded; redirects that join nothing: none",
        "iri-canon: 10 answers compared; rules: 1 proposed, 1 in force, 0 retracted",
    ]
    assert found.exit_code == 0
    with opened(store) as kept:
        rule = kept.rule(NAMED)
        assert rule is not None
        assert rule.state is RuleState.IN_FORCE


def test_the_support_that_is_asked_for(tmp_path: Path) -> None:
    log = write(tmp_path, twins(3))
    for support, count in ((3, 1), (4, 0)):
        found = run("learn", log, "--store", str(tmp_path / f"{support}.sqlite"), "--support", str(support))
        assert found.stdout.count("in force") == count
    refused = run("learn", log, "--store", str(tmp_path / "s.sqlite"), "--support", "1")
    assert refused.exit_code == 2
    assert "--support" in refused.stderr
    assert not (tmp_path / "s.sqlite").exists()


def test_what_is_not_asked_for_is_the_policy(tmp_path: Path) -> None:
    for count in (Policy().support - 1, Policy().support):
        found = run("learn", write(tmp_path, twins(count)), "--store", str(tmp_path / f"{count}.sqlite"))
        assert ("in force\t" in found.stdout) == (count == Policy().support)


def test_pairs_are_kept_and_the_keys_of_other_commands_go_by_them(tmp_path: Path) -> None:
    store = str(tmp_path / "s.sqlite")
    found = run("learn", write(tmp_path, MOVED), "--store", f"sqlite:{store}")
    assert "iri-canon: 1 pairs recorded;" in found.stderr
    urls = ("http://h.example/a/", "http://h.example/b/")
    assert run("key", "--store", store, *urls).stdout == "http://h.example/a\nhttp://h.example/b/\n"
    assert run("key", urls[0]).stdout == "http://h.example/a/\n"
    assert run("canonicalize", "--store", store, f"{urls[0]}#x").stdout == "http://h.example/a#x\n"
    assert "observed-redirect" in run("explain", "--store", store, urls[0]).stdout
    assert run("compare", "--store", store, urls[0], urls[0][:-1]).stdout == "protocol\n"
    assert run("compare", "--store", store, urls[1], urls[1][:-1]).stdout == "different\n"


def test_temporary_redirects_if_asked(tmp_path: Path) -> None:
    log = write(tmp_path, MOVED.replace(b"301", b"302"))
    found = run("learn", log, "--store", str(tmp_path / "a.sqlite"))
    assert "iri-canon: 0 pairs recorded; redirects that join nothing: 1 temporary" in found.stderr
    assert (
        "iri-canon: 1 pairs recorded;"
        in run("learn", log, "--store", str(tmp_path / "b.sqlite"), "--temporary").stderr
    )


def test_a_second_log_retracts_what_the_first_showed(tmp_path: Path) -> None:
    store = str(tmp_path / "s.sqlite")
    run("learn", write(tmp_path, twins(5)), "--store", store)
    other = feed(
        {"url": "http://h.example/x/9/index.html", "status": 200, "digest": "one"},
        {"url": "http://h.example/x/9/", "status": 200, "digest": "other"},
    )
    found = run("learn", write(tmp_path, other), "--store", store)
    why = "http://h.example/x/9/ and http://h.example/x/9/index.html: different content"
    assert found.stdout.splitlines()[1:] == [
        f"h.example\t*\tdefault-document\tproposed\tretracted\t5\t1\t{why}",
        f"h.example\tx\tdefault-document\tin force\tretracted\t5\t1\t{why}",
    ]
    # in one go it never came into force
    both = run("learn", write(tmp_path, other + twins(5)), "--store", str(tmp_path / "t.sqlite"))
    assert "\tx\tdefault-document\tproposed\tretracted\t" in both.stdout


def test_bad_records_are_told_and_counted(tmp_path: Path) -> None:
    log = write(tmp_path, b'{"url": 1}\n{}\n' + MOVED + b"x\n" * 5 + b"[1]\n")
    found = run("learn", log, "--store", str(tmp_path / "s.sqlite"))
    start = len(b'{"url": 1}\n{}\n' + MOVED)
    assert found.stderr.splitlines()[:6] == [
        f"{log}:1: byte 0: url is no text",
        f"{log}:5: byte {start}: not JSON",
        f"{log}:6: byte {start + 2}: not JSON",
        f"{log}:7: byte {start + 4}: not JSON",
        f"{log}:10: byte {start + 10}: not an object",
        f"{log}: 2 records, 7 bad, 1 without URL",
    ]
    assert found.exit_code == 0


@pytest.mark.parametrize("surrogate", ["\\udc00", "\\ud800", "\\udfff", "\\udc80"])
def test_a_lone_surrogate_is_read_as_any_character(tmp_path: Path, surrogate: str) -> None:
    answer = f'"status": 200, "digest": "{surrogate}", "location": "{surrogate}"'
    rows = (
        f'{{"url": "http://h.example/x{end}{surrogate}", {answer}}}' for end in ("?utm_id=a", "?utm_id=b")
    )
    log = write(tmp_path, "\n".join(rows).encode())
    found = run("learn", log, "--store", str(tmp_path / "s.sqlite"))
    assert found.stderr.splitlines()[0] == f"{log}: 2 records, 0 bad, 0 without URL"
    assert "2 answers compared" in found.stderr
    assert found.exit_code == 0


def test_strict_learns_nothing(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    good, bad = write(tmp_path, MOVED), write(tmp_path, b"x\n" + MOVED, "bad.jsonl")
    for log in (bad, str(tmp_path / "missing")):
        found = run("learn", good, log, "--store", str(store), "--strict")
        assert found.exit_code == 1
        assert "pairs recorded" not in found.stderr
    with opened(store) as kept:
        assert list(kept.equivalences()) == []
    assert run("learn", good, "--store", str(store), "--strict").exit_code == 0


@pytest.mark.parametrize(
    ("octets", "problem"),
    [
        (None, "No such file or directory"),
        (
            b"h.example/a\n",
            f"the format is not to be told; name it by --format: {', '.join(FORMATS)}",
        ),
        (b"x\n{}\n", "no readable record of jsonl, as it seems to be; --format names another format"),
        (gzip.compress(MOVED)[:-1], "the gzip member at octet 0 is cut off"),
        (b"\x28\xb5\x2f\xfd", "the zstd frame at octet 0 is cut off"),
        (b"BZh9", "compressed by bzip2, which is not read; pipe it in decompressed"),
    ],
)
def test_a_file_that_cannot_be_read_costs_itself(tmp_path: Path, octets: bytes | None, problem: str) -> None:
    good, bad = write(tmp_path, MOVED), str(tmp_path / "bad")
    if octets is not None:
        suffix = ".jsonl" if problem.startswith("no readable record") else ""
        bad = write(tmp_path, octets, f"bad{suffix}")
    found = run("learn", bad, good, "--store", str(tmp_path / "s.sqlite"))
    assert f"iri-canon: {bad}: {problem}" in found.stderr.splitlines()
    assert "iri-canon: 1 pairs recorded;" in found.stderr
    assert found.exit_code == 1


LOOKED_FOR = {
    "jsonl": "iri-canon: nothing to learn from; looked in jsonl for the keys url, status or fetch_status, "
    "digest or content_digest, location or redirect or fetch_redirect, redirect_urls with redirect_reasons",
    "scrapy-log": "iri-canon: nothing to learn from; looked in scrapy-log for redirects; it has no digests",
}


def test_what_was_looked_for_is_told_where_nothing_was_there(tmp_path: Path) -> None:
    items = write(tmp_path, feed({"url": "http://h.example/a", "name": "x"}, {"url": "http://h.example/b"}))
    crawled = b"2026-12-01 06:10:35 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://h.example/a> (referer: None)"
    log = write(tmp_path, crawled, "a.log")
    store = str(tmp_path / "s.sqlite")
    found = run("learn", items, log, items, "--store", store)
    assert found.stderr.splitlines()[-2:] == list(LOOKED_FOR.values())
    assert found.exit_code == 0
    # one that has something is enough, also what joins nothing
    for octets in (twins(1), MOVED, MOVED.replace(b"301", b"302")):
        some = run("learn", items, write(tmp_path, octets, "b.jsonl"), "--store", store)
        assert "nothing to learn from" not in some.stderr
    assert "nothing to learn from" not in run("learn", write(tmp_path, b""), "--store", store).stderr


def test_an_empty_file_is_none_that_is_wrong(tmp_path: Path) -> None:
    found = run("learn", write(tmp_path, b""), "--store", str(tmp_path / "s.sqlite"))
    assert found.exit_code == 0


def test_a_format_by_name(tmp_path: Path) -> None:
    log, store = write(tmp_path, MOVED), str(tmp_path / "s.sqlite")
    assert run("learn", log, "--store", store, "--format", "jsonl").exit_code == 0
    wrong = run("learn", log, "--store", store, "--format", "cdx")
    assert (wrong.exit_code, "no readable record\n" in wrong.stderr) == (1, True)
    unknown = run("learn", log, "--store", store, "--format", "xml")
    assert unknown.exit_code == 2
    assert "'xml' is not one of: auto, jsonl," in unknown.stderr


def test_standard_input(tmp_path: Path) -> None:
    found = process("learn", "-", "--store", str(tmp_path / "s.sqlite"), stdin=gzip.compress(MOVED))
    assert found.stderr.decode().splitlines()[0] == "<stdin>: 2 records, 0 bad, 0 without URL"
    assert found.returncode == 0


def test_json_is_one_object(tmp_path: Path) -> None:
    log = write(tmp_path, twins(5) + MOVED + b"x\n{}\n")
    found = json.loads(run("learn", log, "--store", str(tmp_path / "s.sqlite"), "--json").stdout)
    assert found == {
        "files": [
            {
                "file": log,
                "format": "jsonl",
                "records": 12,
                "bad": {"not JSON": 1},
                "without_url": 1,
                "problem": None,
            }
        ],
        "records": 12,
        "pairs": 1,
        "refused": {},
        "answers": 10,
        "changes": [
            {**NAMED._asdict(), "before": "proposed", "after": "in force", "reason": "equal content"},
        ],
        "rules": {"proposed": 3, "in force": 1, "retracted": 0},
    }


def test_a_store_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    log, store = write(tmp_path, MOVED), tmp_path / "s.sqlite"
    with opened(store):
        found = run("learn", log, "--store", str(store))
    assert (
        found.stderr
        == f"iri-canon: {store}: in use by another process; stop that one, or name another file\n"
    )
    assert found.exit_code == 1
    for name in (log, str(tmp_path / "none" / "s.sqlite"), "redis://127.0.0.1/0"):
        refused = run("learn", log, "--store", name)
        assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1), refused.stderr
    assert Path(log).read_bytes() == MOVED


def test_nothing_of_a_log_is_obeyed(tmp_path: Path) -> None:
    hostile = "http://h.example/[red]\x1b[31m\u202e\n"
    rows = [
        {"url": f"http://h.example/x/{number}{end}\u202e\x1b[1m[bold]", "status": 200, "digest": f"{number}"}
        for number in range(5)
        for end in ("?utm_source=a", "?utm_source=b")
    ]
    log = write(
        tmp_path, feed({"url": hostile, "status": 301, "location": hostile}, *rows), "\x1b[31m\u202e.jsonl"
    )
    store = str(tmp_path / "s.sqlite")
    found = run("learn", log, "--store", store)
    shown = run("rules", store, "--examples")
    assert found.exit_code == shown.exit_code == 0
    assert shown.stdout
    for text in (found.stdout, found.stderr, shown.stdout):
        assert not {"\x1b", "\u202e"} & set(text)


def test_what_a_log_of_scrapy_only_mentions_is_no_record(tmp_path: Path) -> None:
    begin = "2026-12-01 06:10:35 [scrapy.downloadermiddlewares.retry] DEBUG: "
    mention = f"{begin}Retrying <GET http://h.example/a> (failed 1 times): 503 Service Unavailable\n"
    crawled = "2026-12-01 06:10:36 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://h.example/a> (referer: None)\n"
    log = write(tmp_path, (mention + crawled).encode(), "crawl.txt")
    found = run("learn", log, "--store", str(tmp_path / "s.sqlite"))
    assert f"{log}: 1 records, 0 bad, 0 without URL" in found.stderr.splitlines()
    assert found.exit_code == 0
