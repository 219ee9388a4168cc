"""A site may answer what it likes: it costs its own pages at the most, and no more work than it is links."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from iri_canon import StoreError
from iri_canon.equivalence import Observation, State, open_equivalences, profile
from scrapy_plugin.options import Options
from scrapy_plugin.stores import Stores, open_stores
from scrapy_plugin.trails import LONGEST_TRAIL, MOST_TRAILS, Hop, Trails
from tests.scrapy_plugin.conftest import Crawl
from tests.scrapy_plugin.site import Answer, Route, page, redirect, serving


@pytest.mark.parametrize("status", [10**20, 2**63, 1000])
def test_absurd_status(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path, status: int) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/r", "/a"),
        "/r": redirect("/t", 301),
        "/t": Answer('<p id="name">t</p>', status=status),
        "/a": page("a"),
    }
    settings = {**plugin, "JOBDIR": str(tmp_path / "job"), "HTTPERROR_ALLOW_ALL": True}
    crawled = crawl(routes, settings, start=["/"])
    assert sorted(crawled.got) == ["a", "home", "t"]
    stores = open_stores(Options(job_dir=tmp_path / "job", store="memory:"))
    assert not stores.seen.was_cut_off
    stores.close()


def test_redirects_in_a_circle_are_forgotten() -> None:
    pairs = open_equivalences("memory:", profile())
    trails = Trails(pairs)
    start = process_time()
    for source in range(300):
        digest, other = b"%016d" % source, b"gate".rjust(16)
        trails.follow(digest, Hop(f"http://h/{source}", 301, "GET", True), other, "http://h/gate")
        for _ in range(300):
            trails.follow(other, Hop("http://h/gate", 301, "GET", True), other, "http://h/gate")
    assert process_time() - start < 60
    trails.close()
    assert trails.counts["unfinished"] == 300 + 300 * 300
    assert not list(pairs.equivalences())


def test_a_trail_is_as_long_as_a_chain_may_be() -> None:
    pairs = open_equivalences("memory:", profile())
    trails = Trails(pairs)
    steps = [b"%016d" % step for step in range(LONGEST_TRAIL + 2)]
    for step in range(LONGEST_TRAIL):
        hop = Hop(f"http://h/{'/' * step}", 301, "GET", True)
        trails.follow(steps[step], hop, steps[step + 1], f"http://h/{'/' * (step + 1)}")
    trails.resolve(steps[LONGEST_TRAIL], 200)
    assert pairs.equivalence("http://h/") is not None
    assert trails.counts["unfinished"] == 0


def test_what_is_refused_in_any_case_does_not_wait() -> None:
    pairs = open_equivalences("memory:", profile())
    trails = Trails(pairs)
    for number in range(10):
        trails.follow(b"a" * 16, Hop(f"http://h/{number}", 302, "GET", True), b"t" * 16, "http://h/t")
    assert trails.counts["temporary"] == 10
    assert dict(pairs.refusals()) == {"temporary": 10}
    trails.resolve(b"t" * 16, 200)
    assert trails.counts["temporary"] == 10


def test_trails_onto_one_target_are_bounded() -> None:
    trails = Trails(open_equivalences("memory:", profile()))
    for number in range(MOST_TRAILS + 5):
        hop = Hop(f"http://h/{number}", 301, "GET", True)
        trails.follow(b"%016d" % number, hop, b"t" * 16, "http://h/t")
    trails.resolve(b"t" * 16, 200)
    assert trails.counts["unexplained"] == MOST_TRAILS


class Unwritable:
    """A store whose medium is full at the end."""

    closed = False

    def close(self, **how: Any) -> None:
        self.closed = True
        raise StoreError("no space left")


def test_both_stores_are_given_back(tmp_path: Path) -> None:
    seen: Any = Unwritable()
    pairs = open_equivalences(f"sqlite:{tmp_path / 'pairs'}", profile())
    pairs.record(Observation("http://h/a", "http://h/a/", (301,), 200))
    Stores(seen, pairs).close()
    assert seen.closed
    again = open_equivalences(f"sqlite:{tmp_path / 'pairs'}", profile())
    assert again.representative("http://h/a") == "http://h/a/"
    again.close()


def test_claims_that_no_queue_holds_end_with_the_crawl(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    """As after a kill that broke Scrapy's queue: what was claimed is nowhere, and the crawl ends all the same."""
    settings = {**plugin, "JOBDIR": str(tmp_path / "job")}
    path = tmp_path / "job" / "iri-canon-seen.sqlite"
    with serving({"/": page("home", "/a"), "/a": page("a")}) as site:
        assert sorted(crawl(site, settings, seeds=["/"]).got) == ["a", "home"]
        with closing(sqlite3.connect(path)) as file, file:
            assert file.execute("SELECT DISTINCT state FROM seen").fetchall() == [(State.DONE,)]
            file.execute("UPDATE seen SET state = ?", (State.CLAIMED,))
        assert crawl(site, settings, seeds=["/"]).got == ["home"]
        assert sorted(crawl(site, settings, seeds=["/"]).got) == ["a", "home"]


def test_a_damaged_request_costs_itself(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path) -> None:
    settings = {**plugin, "JOBDIR": str(tmp_path / "job")}
    routes: dict[str, Route] = {"/": page("home", "/a"), "/a": page("a")}
    Path(settings["JOBDIR"]).mkdir()
    stores = open_stores(Options(job_dir=Path(settings["JOBDIR"]), store="memory:"))
    stores.seen.hold([b"\x80\x04junk", b""])
    stores.close()
    crawled = crawl(routes, settings, seeds=["/"])
    assert sorted(crawled.got) == ["a", "home"]
    assert crawled.stats["iri_canon/chain/not_kept"] == 2
