"""The feed that dedup is measured by, and the part of docs/dedup.md that a run writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("ada_url")

from benchmarks import dedup, dedup_feed, dedup_ways

WAY = {"seconds": 2.0, "cpu": 3.0, "megabytes": 1200, "found": 900}
REPORT: dict[str, Any] = {
    "command": "python -m benchmarks dedup",
    "date": "2026-12-01",
    "machine": "a machine",
    "versions": {"iri-canon": "1"},
    "shared": True,
    "lines": 1_000_000,
    "megabytes": 185,
    "rounds": 3,
    "ways": {"a loop": WAY | {"seconds": 20.0}, "iri-canon dedup": WAY},
    "growth": None,
}


def test_a_feed_has_its_lines_and_is_the_same_again(tmp_path: Path) -> None:
    one, other = tmp_path / "a", tmp_path / "b"
    for path in (one, other):
        dedup_feed.write_feed(path, 1_500)
    rows = [json.loads(line) for line in one.read_text(encoding="ascii").splitlines()]
    assert len(rows) == 1_500
    assert {tuple(row) for row in rows} == {("url", "status", "time", "digest")}
    assert one.read_bytes() == other.read_bytes()
    assert len({row["url"] for row in rows}) > 10


def test_the_lines_of_a_feed_are_counted_whatever_was_asked_for(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_text('{"url": "http://h/a"}\n' * 3)
    with dedup.feed(log, 5_000) as path:
        assert dedup.lines_in(path) == 3
    with dedup.feed(tmp_path / "b.jsonl", 7) as path:
        assert dedup.lines_in(path) == 7


def test_the_ways_find_the_same(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_text(
        '{"url": "http://h/a"}\n{"url": "http://H/a"}\n{"url": "http://h/b"}\n{"url": "http://h:99999/"}\n'
    )
    found = {way: dedup_ways.WAYS[way](str(log), None) for way in (dedup_ways.LOOP, dedup_ways.READING)}
    assert set(found.values()) == {3}
    assert dedup_ways.duckdb_count(str(log), None) == 4


def test_the_figures_are_the_last_part_of_the_page_and_are_exchanged() -> None:
    page = "# dedup\n\nText.\n"
    once = dedup.with_section(page, REPORT)
    assert once.startswith(page + "\n## Speed\n")
    assert dedup.with_section(once, REPORT) == once
    assert "| a loop | 20.00 | 20.00 | 10.00 | 3.00 | 1,200 | 900 |" in once
    assert "Twice the lines" not in once
    assert "Twice the lines take 2.10 times" in dedup.with_section(once, REPORT | {"growth": 2.1})


def test_a_way_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_text('{"url": "http://h/a"}\n')
    figures = dedup.measure([dedup_ways.READING], log, 1, None, lambda: None)[dedup_ways.READING]
    assert figures["found"] == 1
    assert figures["seconds"] > 0 < figures["megabytes"]
