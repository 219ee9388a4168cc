"""The part of docs/learning.md that a run writes, and the requests by which the filter is measured."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("ada_url")

from benchmarks import ablation, crawl, learning, learning_page
from benchmarks.rounds import Figures
from iri_canon import Ladder, key

ROW = {
    "setting": "5",
    "saved": 0.25,
    "suppressed": 1200,
    "audited": 90,
    "in_force": 7,
    "retracted": 3,
    "rescheduled": 11,
    "lost": 0,
    "lost_rare": 2,
}
REPORT: dict[str, Any] = {
    "command": "python -m benchmarks learning",
    "date": "2026-12-01",
    "machine": "a machine",
    "versions": {"iri-canon": "1", "scrapy": "2"},
    "rounds": 3,
    "requests": 20_000,
    "sites": ["200 sites", "saved"],
    "ablation_sites": 36,
    "ablation": {"support": [ROW]},
    "overhead": {
        "no rule": {"request_seen": {"observed": 10_000.0, "audited": 11_000.0, "times": (1.0, 1.1, 1.25)}}
    },
}


def test_the_figures_are_the_last_part_of_the_page_and_are_exchanged() -> None:
    page = "# Learned rules\n\nText.\n"
    once = learning_page.with_section(page, REPORT)
    assert once.startswith(page + "\n## Figures\n")
    assert learning_page.with_section(once, REPORT) == once
    other = learning_page.with_section(once, REPORT | {"machine": "another machine"})
    assert other == once.replace("a machine", "another machine")
    assert "| 5 | 25.0% | 1,200 | 90 | 7 | 3 | 11 | 0 | 2 |" in once
    assert "| no rule | request_seen | 10.0 | 11.0 | 1.10 (1.00 to 1.25) |" in once


@pytest.mark.parametrize("shape", [learning.at_hosts, learning.page_by_page])
def test_each_page_is_asked_for_once_until_some_are_asked_for_again(
    shape: Callable[[int], list[str]],
) -> None:
    urls = shape(4_000)
    ladder = Ladder(conventions=["trailing-slash", "session-ids"])
    assert len({key(url) for url in urls}) == 4_000
    assert len({ladder.key(url) for url in urls}) == 4_000
    some = learning.covered(urls)
    assert len({key(url) for url in some}) == len(some) == 4_000
    assert 3_000 < len({ladder.key(url) for url in some}) < 3_800


def test_the_links_of_a_page_are_asked_for_together_and_those_of_the_hard_shape_are_not() -> None:
    def hosts(urls: list[str]) -> list[int]:
        return [len(list(some)) for _, some in groupby(urls, key=lambda url: url.split("/")[2])]

    assert min(hosts(learning.page_by_page(4_000))) == learning.A_PAGE
    assert set(hosts(learning.at_hosts(4_000))) == {1}


def test_a_chunk_is_compared_with_the_same_chunk() -> None:
    modes = {"observed": Figures([1.0, 10.0, 2.0]), "audited": Figures([2.0, 11.0, 2.0])}
    low, middle, high = learning.ratios(modes)
    assert (low, middle, high) == (1.0, 1.1, 2.0)


def test_both_modes_hold_back_what_is_asked_for_twice_and_one_what_a_rule_skips() -> None:
    url = "http://a.example/docs/1"
    found = learning.side_by_side([url, url], "memory:", crawl.ask)
    assert {mode: held for mode, (_, held) in found.items()} == {"observed": 1, "audited": 1}


def test_the_settings_are_tried_one_at_a_time() -> None:
    tables = ablation.settings_of()
    assert {table: len(rows) for table, rows in tables.items()} == {"support": 6, "audit share": 6}
    assert tables["support"]["8"] == {"IRI_CANON_LEARN_SUPPORT": 8}
    assert tables["audit share"]["0.2"] == {"IRI_CANON_AUDIT_SHARE": 0.2}
    assert ablation.steps(range(3)) == 4 * 13
