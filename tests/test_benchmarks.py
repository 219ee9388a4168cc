"""What measures this project: everyone is measured on the same texts, and no figure is lost or made up on its way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("can_ada")
pytest.importorskip("matplotlib")
pytest.importorskip("pyarrow")
pytest.importorskip("scrapy")
pytest.importorskip("typer")

import typer
from typer.testing import CliRunner

import iri_canon
from benchmarks import (
    cli,
    columns,
    crawl,
    glance,
    hostile,
    imports,
    keys,
    lengths,
    page,
    peers,
    plots,
    seen,
    seen_child,
    site,
    tiers,
)
from benchmarks.sections import Run, Section
from benchmarks.tables import Table, micro, times

QUICK = Run(quick=True, rounds=1, pages=1)
LISTS = {
    "one": ["http://h/a", "HTTP://H:80/%7e"],
    "other": ["http://[ccpa-preferences]", "http://h/b", "mailto:a@b"],
}


@pytest.fixture(scope="module")
def key_figures() -> dict[str, Any]:
    functions = {peers.OURS: iri_canon.key, peers.CAN_ADA: peers.contestants()[0][peers.CAN_ADA]}
    return keys.over(LISTS, functions, QUICK) | {
        "left_out": {"a peer": "No module named 'peer'"},
        "shared": False,
    }


def report(**figures: Any) -> dict[str, Any]:
    """A report as a run writes it."""
    about = {"date": "2026-12-01", "machine": "a machine", "load": 0.5, "seconds": 3.0}
    sections = {name: about | {"figures": each} for name, each in figures.items()}
    return {"quick": True, "versions": {"iri-canon": "1"}, "left_out": {"surt": "no"}, "sections": sections}


# Who takes part.


def test_a_library_that_is_missing_is_left_out_with_its_reason_and_no_other_is() -> None:
    missing = peers.Peer("a b", "b", "a", "no_such_module", lambda module: module.b)
    functions, left_out = peers.contestants((missing, peers.PEERS[0]))
    assert functions[peers.OURS] is iri_canon.key
    assert left_out == {"a b": "No module named 'no_such_module'"}


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.short)
def test_a_peer_takes_a_text(peer: peers.Peer) -> None:
    functions, left_out = peers.contestants((peer,))
    if left_out:
        pytest.skip(f"not installed: {left_out[peer.name]}")
    answer = functions[peer.name]("http://Example.com:80/a?b=1")
    if peer.short == "scrapy":
        assert isinstance(answer, bytes)
    else:
        assert "example" in str(answer).lower()


def test_the_other_tier_is_another_copy_and_finds_the_same() -> None:
    before = {name: module for name, module in sys.modules.items() if name.startswith("iri_canon")}
    key = tiers.pure_key()
    assert key is not iri_canon.key
    assert [key(text) for texts in LISTS.values() for text in texts] == [
        iri_canon.key(text) for texts in LISTS.values() for text in texts
    ]
    assert {name: module for name, module in sys.modules.items() if name.startswith("iri_canon")} == before
    assert tiers.SWITCH not in os.environ


def test_both_tiers_take_part_where_there_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    for built in (True, False):
        monkeypatch.setattr(tiers, "is_built", lambda built=built: built)
        assert (peers.PURE in peers.contestants(peers.PEERS[:1])[0]) is built


def test_a_kernel_that_is_turned_off_is_no_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tiers.SWITCH, "1")
    assert not tiers.is_built()


# What is measured.


def test_keys_are_measured_by_list_and_over_all(key_figures: dict[str, Any]) -> None:
    assert {name: line["urls"] for name, line in key_figures["keys"].items()} == {
        "one": 2,
        "other": 3,
        keys.ALL: 5,
    }
    assert key_figures["refused"] == {peers.OURS: 0, peers.CAN_ADA: 1, keys.EMPTY_CALL: 0}
    assert all(ns > 0 for line in key_figures["keys"].values() for ns in line["ns"].values())


def test_over_all_lists_each_counts_by_its_length() -> None:
    figures = keys.over({"short": ["x"], "long": ["y"] * 999}, {"a": keys.nothing}, QUICK)
    by_round = figures["by_round"]["a"]
    low, high = sorted((figures["keys"]["short"]["ns"]["a"], figures["keys"]["long"]["ns"]["a"]))
    assert len(by_round) == figures["rounds"]
    assert low <= figures["keys"][keys.ALL]["ns"]["a"] <= high


def test_ratios_are_of_the_same_round() -> None:
    figures = {"by_round": {"a": [1.0, 10.0, 6.0], "b": [2.0, 5.0, 2.0]}}
    assert keys.ratios(figures, "a", "b") == (0.5, 2.0, 3.0)


def test_an_error_that_is_no_refusal_is_not_taken_for_one() -> None:
    def broken(text: str) -> None:
        raise TypeError(text)

    with pytest.raises(TypeError):
        keys.over({"one": ["x"]}, {"broken": broken}, QUICK)


def test_a_column_is_measured_with_octets_that_are_no_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "url_lists", lambda limit: {"one": ["http://h/\udce9", "HTTP://H/"]})
    figures = columns.measure(QUICK)
    assert figures["urls"] == {"one": 2, columns.ALL: 2}
    assert {columns.OURS, columns.LOOP, columns.COPY} <= {*figures["ns"]["one"]}
    assert {*figures["threads"]} == {"1", "2"}
    assert [len(table.rows) for table in columns.tables(figures)] == [2, 2]


def test_the_loop_gives_one_text_for_each() -> None:
    assert columns.looped(["HTTP://H/", "http://[x", "http://h"]) == ["http://h/", "http://[x", "http://h/"]


def test_a_long_text_is_measured_at_each_length() -> None:
    figures = lengths.measure(QUICK)
    assert figures["slowest"] in hostile.KINDS
    for row in figures["ns"].values():
        assert {peers.OURS, peers.CAN_ADA, peers.W3LIB} <= {*row}
        assert all(len(ns) == len(lengths.QUICK_LENGTHS) and min(ns) > 0 for ns in row.values())


def test_who_takes_too_long_is_given_no_longer_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lengths, "PATIENCE", 0.0)
    figures = lengths.measure(QUICK)
    assert all(len(ns) == 1 for row in figures["ns"].values() for ns in row.values())
    assert lengths.at_longest(figures, lengths.ORDINARY, peers.OURS) is None
    (table,) = lengths.tables(figures)
    assert {(row[3], row[4]) for row in table.rows} == {("", "")}
    assert [aim.is_met for aim in glance.of_lengths(figures)] == [False, False]


@pytest.mark.parametrize("medium", [crawl.IN_MEMORY, crawl.IN_JOB_DIR])
@pytest.mark.parametrize("way", crawl.WAYS)
def test_both_filters_hold_back_the_same_in_memory_and_in_a_job_dir(medium: str, way: str) -> None:
    urls = ["http://h/a", "http://h/a", "http://h/b", "http://h/a#c"]
    figures = crawl.take_turns(urls, 1, medium, lambda: None)[way]
    assert {who: one["duplicates"] for who, one in figures.items()} == {crawl.OURS: 2, crawl.SCRAPY: 2}
    assert all(len(one["ns"]) == len(one["clock_ns"]) == 1 < one["ns"][0] for one in figures.values())


@pytest.mark.parametrize("who", crawl.SETTINGS)
def test_a_store_is_measured_as_it_grows_and_when_it_is_opened_again(who: str, tmp_path: Path) -> None:
    counts = [500, 12_000]
    rows = list(seen_child.grow(who, tmp_path, counts))
    assert [row["urls"] for row in rows] == counts
    assert 0 < rows[0]["disk"] < rows[1]["disk"]
    assert min(row[what] for row in rows for what in ("add_ns", "add_clock_ns", "look_up_ns")) > 0
    again = seen_child.reopened(who, tmp_path, counts[-1])
    assert again["disk"] >= 16 * counts[-1]
    assert again["look_up_ns"] > 0 < again["open_s"]
    assert [row["disk"] for row in seen_child.grow(who, None, counts)] == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("who", crawl.SETTINGS)
def test_more_urls_take_more_memory(who: str, tmp_path: Path) -> None:
    for how in (seen_child.MEMORY, seen_child.JOB_DIR, seen_child.REOPENED):
        *smaller, large = seen.rows_of(how, who, str(tmp_path), (1_000, 100_000))
        assert large["resident"] <= large["peak"]
        assert 16 * large["urls"] < large["resident"] < 500 * large["urls"]
        assert all(small["resident"] < large["resident"] for small in smaller)
    small, large = seen.rows_of(seen_child.REQUESTS, who, str(tmp_path), (100, 10_000))
    assert small["resident"] < large["resident"]


def test_what_is_added_is_known_and_nothing_else_is(tmp_path: Path) -> None:
    store = seen_child.ours(tmp_path)
    one, other = seen_child.digests(range(2), store.size)
    store.add([one])
    assert store.look_up(one) is not None
    assert store.look_up(other) is None
    store.close()


def test_a_process_that_fails_gives_no_figures(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        seen.rows_of(seen_child.MEMORY, "no filter", str(tmp_path), (1,))


def test_an_import_is_measured_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "heavy_module.py").write_text("import json, uuid\n")
    (tmp_path / "light_module.py").write_text("")
    (tmp_path / "broken_module.py").write_text("1 / 0\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    heavy, light = imports.imported("heavy_module"), imports.imported("light_module")
    assert heavy is not None
    assert light is not None
    assert heavy[2] > light[2] > 0 < light[0]
    assert imports.imported("no_such_module") is None
    with pytest.raises(subprocess.CalledProcessError):
        imports.imported("broken_module")


@pytest.mark.slow
def test_a_whole_crawl_is_measured_both_ways() -> None:
    figures = site.measure(QUICK)
    assert {name: len(crawls) for name, crawls in figures["crawls"].items()} == {"defaults": 1, "add-on": 1}
    for (one,) in figures["crawls"].values():
        assert one["found"] == one["pages"] == figures["pages"]
        assert 0 < one["cpu"] < 2 * one["seconds"] * (os.cpu_count() or 1)


# How it is told.


def test_a_table_is_the_same_on_the_terminal_and_on_the_page() -> None:
    table = Table("T", ("a", "b"), [("x|y", "1"), ("[red]", "2")], marked=frozenset({1}), note="N.")
    assert table.for_page().splitlines()[2:] == [
        *("| a | b |", "| --- | ---: |", "| x\\|y | 1 |", "| **[red]** | **2** |", "", "N."),
    ]
    shown = table.for_terminal()
    assert [column.justify for column in shown.columns] == ["left", "right"]
    assert list(shown.columns[0].cells) == ["x|y", "\\[red]"]


def test_numbers_keep_the_digits_that_mean_something() -> None:
    assert [micro(12.3), micro(123_456), micro(12_345_678)] == ["0.0123", "123", "12,346"]
    assert [times(0.123), times(9.876), times(1234.5)] == ["0.12", "9.88", "1,234"]


def test_a_page_keeps_what_is_written_by_hand_and_what_was_not_measured(key_figures: dict[str, Any]) -> None:
    sections = cli.SECTIONS.values()
    before = "# Old\n\nHead.\n\n## An import\n\nOld figures.\n\n## By hand\n\nA text.\n\n## A key\n\nOlder figures.\n"
    once = page.page(before, report(keys=key_figures), sections)
    assert "Old figures." in once
    assert "Older figures." not in once
    assert once.index("## Who takes part") < once.index("## A key") < once.index("## An import")
    assert once.endswith("\n## By hand\n\nA text.\n")
    assert "| surt |  | left out: no |" in once
    assert "Measured on 2026-12-01, a machine, load 0.50 before it; 3 s." in once
    assert page.page(once, report(keys=key_figures), sections) == once
    assert page.page(once, report(), sections) == once


def test_a_page_that_is_new_has_a_place_for_what_is_written_by_hand() -> None:
    assert page.page("", report(), ()).endswith(f"## {page.BY_HAND}\n")


def test_the_pictures_are_the_same_for_the_same_figures(key_figures: dict[str, Any], tmp_path: Path) -> None:
    (path,) = plots.write(report(keys=key_figures), tmp_path)
    picture = path.read_bytes()
    assert path.name == plots.LISTS
    assert b"other" in picture
    assert plots.write(report(keys=key_figures), tmp_path) == [path]
    assert path.read_bytes() == picture
    assert plots.write(report(imports={}), tmp_path) == []


def test_the_curves_need_long_texts_and_what_was_seen(tmp_path: Path) -> None:
    row = {"urls": 10, "resident": 0, "disk": 5, "look_up_ns": 1.0}
    grown = [row, row | {"urls": 100, "resident": 900}]
    whole = {
        how: dict.fromkeys(crawl.SETTINGS, grown)
        for how in (seen_child.MEMORY, seen_child.JOB_DIR, seen_child.REQUESTS)
    }
    ns = {kind: {peers.OURS: [1.0, 10.0]} for kind in (lengths.ORDINARY, lengths.HOSTILE)}
    long_texts = {"lengths": [10, 100], "ns": ns}
    assert plots.write(report(lengths=long_texts), tmp_path) == []
    (path,) = plots.write(report(lengths=long_texts, seen=whole), tmp_path)
    assert path.name == plots.GROWTH


# The command.


def test_a_part_is_measured_alone_and_kept_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = Section(
        "a", "A", lambda run: {"rounds": run.rounds}, lambda figures: "Text.", lambda figures: []
    )
    monkeypatch.setattr(cli, "SECTIONS", {"a": section, "b": section})
    path = tmp_path / "figures.json"
    asked = ["--quick", "--only", "a", "--rounds", "3", "--json", str(path)]
    assert CliRunner().invoke(cli.app, asked).exit_code == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    assert {name: each["figures"] for name, each in found["sections"].items()} == {"a": {"rounds": 3}}
    assert found["quick"] is True
    wrong = CliRunner().invoke(cli.app, ["--only", "c"])
    assert wrong.exit_code == typer.BadParameter("").exit_code == 2


def test_a_page_is_made_of_several_files_and_the_last_one_counts(
    tmp_path: Path, key_figures: dict[str, Any]
) -> None:
    first, last, path = tmp_path / "1.json", tmp_path / "2.json", tmp_path / "page.md"
    an_import = {"ms": 1.0, "cpu_ms": 1.0, "modules": 1}
    old, new = ({"rounds": rounds, "imports": {"iri_canon": an_import}} for rounds in (41, 42))
    first.write_text(json.dumps(report(keys=key_figures, imports=old)))
    last.write_text(json.dumps(report(imports=new)))
    assert CliRunner().invoke(cli.app, ["page", str(first), str(last), "--page", str(path)]).exit_code == 0
    written = path.read_text(encoding="utf-8")
    assert "Medians of 42 rounds" in " ".join(written.split())
    assert "of 41 rounds" not in " ".join(written.split())
    assert "## A key" in written
    assert (tmp_path / plots.LISTS).exists()


@pytest.mark.parametrize(
    "section", [cli.SECTIONS["filter"], cli.SECTIONS["hostile"]], ids=lambda one: one.name
)
def test_figures_of_a_quick_run_can_be_told(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl, "QUICK_REQUESTS", 20)
    monkeypatch.setattr(hostile, "QUICK_STEP", 40)
    figures = json.loads(json.dumps(section.measure(QUICK)))
    assert section.text(figures)
    assert all(len(row) == len(table.headings) for table in section.tables(figures) for row in table.rows)


# What was aimed at.


def test_an_aim_is_met_or_missed() -> None:
    met, missed = glance.Aim("a", 3.0, 3), glance.Aim("a", 2.99, 3)
    assert (met.is_met, missed.is_met) == (True, False)
    met, missed = glance.at_most("a", 2.0, 2), glance.at_most("a", 2.01, 2)
    assert (met.is_met, missed.is_met) == (True, False)
    assert missed.row() == ("a", "2.01", "times", "at most 2", "no")


def test_one_tier_is_the_pure_one_and_two_are_told_apart() -> None:
    ns = {peers.OURS: 1.0, peers.CAN_ADA: 4.0, peers.W3LIB: 50.0}
    one = list(glance.of_keys({"keys": {"a": {"ns": ns}, keys.ALL: {"ns": ns}}}))
    assert [(aim.value, aim.is_met) for aim in one] == [(50.0, True), (50.0, True)]
    slower = ns | {peers.OURS: 8.0, peers.PURE: 20.0}
    both = list(glance.of_keys({"keys": {"a": {"ns": slower}, keys.ALL: {"ns": ns | {peers.PURE: 5.0}}}}))
    assert [(aim.value, aim.is_met) for aim in both] == [
        *((4.0, True), (50.0, False), (2.0, False), (10.0, True), (2.5, False)),
    ]


def test_the_glance_needs_all_parts_on_a_page_and_stays_without_them() -> None:
    figures = report(
        imports={"rounds": 1, "imports": {"iri_canon": {"ms": 39.0, "cpu_ms": 1.0, "modules": 1}}}
    )
    assert [row[-1] for row in glance.table(figures).rows] == ["yes"]
    assert glance.HEADING not in page.page("", figures, ())
    before = f"## {glance.HEADING}\n\nOld.\n"
    assert before in page.page(before, figures, ())
