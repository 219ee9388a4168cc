"""Stopped or killed at whatever moment, what was skipped is not forgotten."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iri_canon.equivalence import open_seen, profile
from tests.scrapy_plugin.conftest import Crawl, Process
from tests.scrapy_plugin.learned_sites import AUDITED, chain, names, others, plain, slashed
from tests.scrapy_plugin.site import Answer, Asked, Route, Site, page, serving
from tests.scrapy_plugin.test_learning import learned

Start = Callable[..., Process]
LENGTH = 40
PAGES = range(30)
DIFFERENT = range(5, 30)
SEEN = "iri-canon-seen.sqlite"


def test_what_is_skipped_stays_so_over_a_clean_stop(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    settings = {**plugin, **AUDITED, "JOBDIR": str(tmp_path)}
    with serving(chain(LENGTH)) as site:
        first = crawl(site, settings, start=["/"], stop_at="d20")
        assert learned(first, "suppressed") >= 1
        assert first.said("the next run of this job fetches what of them is to be fetched still")
        second = crawl(site, settings, start=["/"])
        assert {*first.got, *second.got} == names(LENGTH)
        assert all(site.times(target) == 1 for target in site.targets)
        # What the first run learned serves the second from its beginning.
        assert learned(second, "suppressed") >= learned(first, "suppressed")
        assert learned(second, "rules/in_force") == 1
        assert any(site.times(slashed(number)) == 0 for number in range(LENGTH))


def test_what_waits_at_a_stop_is_audited_in_the_next_run(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    """The rule holds no longer when the next run looks."""
    settings = {**plugin, **AUDITED, "JOBDIR": str(tmp_path), "IRI_CANON_AUDIT_MINIMUM": 20}
    with serving(chain(LENGTH)) as site:
        first = crawl(site, settings, start=["/"], stop_at=f"d{LENGTH - 1}")
        skipped = {n for n in range(LENGTH) if site.times(slashed(n)) == 0}
        assert len(skipped) >= 10
        site.routes.update(others(0, LENGTH))
        second = crawl(site, settings, start=["/"])
        assert {f"other{number}" for number in skipped} <= set(second.got)
        assert learned(second, "disagreed") >= 1
        assert {*first.got, *second.got} >= names(LENGTH)


def test_a_rule_that_the_store_has_lost_frees_what_it_skipped(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    settings = {**plugin, **AUDITED, "JOBDIR": str(tmp_path), "IRI_CANON_STORE": "memory:"}
    with serving(chain(LENGTH)) as site:
        first = crawl(site, settings, start=["/"], stop_at="d30")
        skipped = {n for n in range(30) if site.times(slashed(n)) == 0}
        assert skipped
        second = crawl(site, settings, start=["/"])
        assert {*first.got, *second.got} == names(LENGTH)
        assert all(site.times(slashed(number)) == 1 for number in skipped)
        assert learned(second, "rescheduled") >= len(skipped)


def test_nothing_is_covered_at_the_end_that_cannot_be_fetched(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    settings = {**plugin, **AUDITED, "JOBDIR": str(tmp_path)}
    crawled = crawl(chain(LENGTH, other=others(30, LENGTH)), settings, start=["/"])
    assert crawled.stats["finish_reason"] == "finished"
    seen = open_seen(tmp_path / SEEN, profile(fragments="dropped", headers="", fingerprinter="iri-canon"))
    try:
        # The rule has fallen: nothing is left of what it skipped.
        assert list(seen.suppressed()) == []
    finally:
        seen.close(clean=True)


class Killed:
    """A site on which a rule is known that holds for some pages only, and an answer that never comes."""

    def __init__(self, crawl: Crawl, settings: dict[str, Any], site: Site, after: int) -> None:
        self.reached, self.never = threading.Event(), threading.Event()
        self._lock, self._count, self._after = threading.Lock(), 0, after
        site.routes = chain(20)
        taught = crawl(site, settings, start=["/"])
        assert learned(taught, "rules/in_force") >= 1
        site.asked.clear()
        self.complete: dict[str, Route] = {
            "/": page("home", *(f"/d/p{n}{end}" for n in PAGES for end in ("", "/")))
        }
        for number in PAGES:
            name = f"p{number}"
            self.complete[f"/d/{name}"] = page(name)
            self.complete[f"/d/{name}/"] = page(f"other-{name}" if number in DIFFERENT else name)
        site.routes = {target: self._counting(route) for target, route in self.complete.items()}

    def _counting(self, route: Route) -> Route:
        def answer(asked: Asked) -> Answer:
            with self._lock:
                self._count += 1
                late = self._count > self._after
            if late:
                self.reached.set()
                return Answer(wait_for=self.never)
            return route(asked) if callable(route) else route

        return answer

    @property
    def truth(self) -> set[str]:
        return {"home", *(f"p{number}" for number in PAGES), *(f"other-p{number}" for number in DIFFERENT)}


def check_killed(
    crawl: Crawl, process: Start, plugin: dict[str, Any], tmp_path: Path, after: int, often: dict[str, Any]
) -> None:
    shared = {**plugin, "IRI_CANON_LEARN": "audited", "IRI_CANON_AUDIT_SHARE": 0.5, **often}
    with serving({}) as site:
        # Each crawl has pairs of its own, with the rule in them: a killed one must not take that of the others.
        store = {"IRI_CANON_STORE": f"sqlite:{tmp_path / 'pairs.sqlite'}"}
        killed = Killed(crawl, {**shared, **store, "CONCURRENT_REQUESTS": 1}, site, after)
        settings = {**shared, **store, "JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 4}
        job: dict[str, Any] = {"seeds": ["/"], "got_file": str(tmp_path / "got")}
        running = process(site, settings, **job)
        assert killed.reached.wait(30)
        running.kill()
        killed.never.set()
        site.routes = killed.complete
        resumed = process(site, settings, **job).result()
        assert resumed.raised is None
        assert resumed.stats["finish_reason"] == "finished"
        assert killed.truth <= set((tmp_path / "got").read_text().split())


AT_ONCE: dict[str, Any] = {"EXTENSIONS": {"tests.scrapy_plugin.learned_spiders.WritesAtOnce": 1}}


@pytest.mark.parametrize("audits", [0, 1, 6])
def test_killed_when_only_the_journal_knows(
    process: Start, plugin: dict[str, Any], tmp_path: Path, audits: int
) -> None:
    """No page links again what was skipped: the last audit disagrees, and all else is on its way back or not yet."""
    reached, never = threading.Event(), threading.Event()
    lock, count = threading.Lock(), 0
    complete = chain(LENGTH, other=others(LENGTH - 1, LENGTH))

    def hanging(target: str) -> Callable[[Asked], Answer]:
        def answer(asked: Asked) -> Answer:
            nonlocal count
            with lock:
                # Those that are asked before the last page has come are not counted.
                count += site.times(plain(LENGTH - 1))
                late = count > audits
            if late:
                reached.set()
                return Answer(wait_for=never)
            route = complete[target]
            assert isinstance(route, Answer)
            return route

        return answer

    settings = {**plugin, **AUDITED, **AT_ONCE, "JOBDIR": str(tmp_path / "job")}
    job: dict[str, Any] = {"start": ["/"], "got_file": str(tmp_path / "got")}
    with serving({**complete, **{slashed(n): hanging(slashed(n)) for n in range(LENGTH)}}) as site:
        running = process(site, settings, **job)
        assert reached.wait(30)
        running.kill()
        never.set()
        answered = set((tmp_path / "got").read_text().split())
        assert names(LENGTH) <= answered
        site.routes = complete
        resumed = process(site, settings, **job).result()
        assert resumed.raised is None
        assert {*answered, *resumed.got} == names(LENGTH) | {f"other{LENGTH - 1}"}
        # The rule has fallen, in this run or the last one: each spelling was asked for.
        assert [n for n in range(LENGTH) if not site.times(slashed(n))] == []
        assert learned(resumed, "rules/in_force") == 0


MOMENTS = {"witnesses": 20, "an audit": 31, "what is freed": 45}


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed(crawl: Crawl, process: Start, plugin: dict[str, Any], tmp_path: Path, moment: str) -> None:
    check_killed(crawl, process, plugin, tmp_path, MOMENTS[moment], AT_ONCE)


@pytest.mark.slow
@pytest.mark.parametrize("often", [AT_ONCE, {}], ids=["written at once", "written in batches"])
@pytest.mark.parametrize("after", range(0, 56, 3))
def test_killed_after_any_number_of_answers(
    crawl: Crawl, process: Start, plugin: dict[str, Any], tmp_path: Path, after: int, often: dict[str, Any]
) -> None:
    check_killed(crawl, process, plugin, tmp_path, after, often)
