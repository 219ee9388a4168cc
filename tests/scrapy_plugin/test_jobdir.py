"""Stopped, killed, resumed, started twice, damaged: no page is refused that no callback got."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.scrapy_plugin.conftest import ADDON, ALONE, Crawl, Process
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect, serving

Start = Callable[..., Process]
NAMES = [f"/p{number}" for number in range(12)]
SEEN = "iri-canon-seen.sqlite"
ONE_AT_A_TIME = {"CONCURRENT_REQUESTS": 1}


def tree() -> dict[str, Route]:
    """A home page with twelve pages, each with a page of its own behind a redirect."""
    routes: dict[str, Route] = {"/": page("home", *NAMES)}
    for name in NAMES:
        routes[name] = page(name, f"{name}/r", f"{name}/r/end", "/")
        routes[f"{name}/r"] = redirect(f"{name}/r/end", 301)
        routes[f"{name}/r/end"] = page(f"{name}/r/end", name, f"{name}/r")
    return routes


@pytest.mark.parametrize("concurrency", [1, 8])
def test_clean_stop_and_resume_fetch_each_page_once(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path, concurrency: int
) -> None:
    settings = {**plugin, "JOBDIR": str(tmp_path), "CONCURRENT_REQUESTS": concurrency}
    with serving(tree()) as site:
        got: list[str] = []
        stops = ["/p7", "/p3/r/end", "/p5", "/p1/r/end", None]
        for stop in stops:
            crawled = crawl(site, settings, start=["/"], stop_at=stop)
            assert crawled.raised is None
            got += crawled.got
        assert sorted(got) == sorted(["home", *NAMES, *(f"{name}/r/end" for name in NAMES)])
        assert all(site.times(target) == 1 for target in set(site.targets))


def test_seeds_are_fetched_again_on_resume_and_pages_are_not(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    """B187."""
    settings = {**plugin, "JOBDIR": str(tmp_path)}
    with serving(tree()) as site:
        crawl(site, settings, seeds=["/"], stop_at="/p3")
        crawl(site, settings, seeds=["/"])
        assert site.times("/") == 2
        assert all(site.times(target) == 1 for target in set(site.targets) - {"/"})
        assert len(set(site.targets)) == 1 + 3 * len(NAMES)


def test_what_was_under_way_when_the_crawl_stopped(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    """B186: forty start URLs, stop at the fifth."""
    names = [f"/s{number}" for number in range(40)]
    settings = {**plugin, "JOBDIR": str(tmp_path), "CONCURRENT_REQUESTS": 8}
    with serving({name: page(name) for name in names}) as site:
        first = crawl(site, settings, start=names, stop_at="/s4")
        assert len(first.got) < 40
        second = crawl(site, settings, start=names)
        assert sorted(first.got + second.got) == sorted(names)
        assert len(site.targets) == 40


@pytest.mark.parametrize("hang", ["request", "redirect", "target", "callback"])
def test_killed(process: Start, plugin: dict[str, Any], tmp_path: Path, hang: str) -> None:
    """B185: killed while a request, a redirect's source or target, or a callback is not finished."""
    reached, never = threading.Event(), threading.Event()

    def hanging(asked: Asked) -> Answer:
        reached.set()
        return Answer(wait_for=never)

    routes: dict[str, Route] = {
        "/": page("home", *NAMES, "/r"),
        **{name: page(name) for name in NAMES},
        "/r": redirect("/t", 301),
        "/t": page("t"),
        "/hang": hanging,
    }
    complete = dict(routes)
    stuck = {"request": "/p2", "redirect": "/r", "target": "/t", "callback": ""}[hang]
    if stuck:
        routes[stuck] = hanging
    job: dict[str, Any] = {"seeds": ["/"], "got_file": str(tmp_path / "got")}
    settings = {**plugin, "JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 4}
    with serving(routes) as site:
        running = process(site, settings, **job, hang_at="/p5" if hang == "callback" else None)
        assert reached.wait(30)
        running.kill()
        never.set()
        site.routes = complete
        crawled = process(site, {**settings, "USER_AGENT": "second"}, **job).result()
        assert crawled.raised is None
        got = (tmp_path / "got").read_text().split()
        assert set(got) == {"home", "t", *NAMES}
        # What the killed crawl asked for may be asked for again, but once.
        again = [asked.target for asked in site.asked if asked.headers.get("user-agent") == "second"]
        assert len(again) == len(set(again)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("answers", range(1, 24, 3))
def test_killed_after_any_number_of_answers(
    process: Start, plugin: dict[str, Any], tmp_path: Path, answers: int
) -> None:
    reached, never = threading.Event(), threading.Event()
    lock, count = threading.Lock(), 0
    routes: dict[str, Route] = {"/": page("home", *NAMES, *(f"/r{name[2:]}" for name in NAMES))}
    for name in NAMES:
        routes[name] = page(name)
        routes[f"/r{name[2:]}"] = redirect(name, 301)

    def counting(route: Route) -> Route:
        def answer(asked: Asked) -> Answer:
            nonlocal count
            with lock:
                count += 1
                late = count > answers
            if late:
                reached.set()
                return Answer(wait_for=never)
            return route(asked) if callable(route) else route

        return answer

    job: dict[str, Any] = {"seeds": ["/"], "got_file": str(tmp_path / "got")}
    settings = {**plugin, "JOBDIR": str(tmp_path / "job")}
    with serving({target: counting(route) for target, route in routes.items()}) as site:
        running = process(site, settings, **job)
        assert reached.wait(30)
        running.kill()
        never.set()
        site.routes = routes
        assert process(site, settings, **job).result().raised is None
        assert {"home", *NAMES} == set((tmp_path / "got").read_text().split())


@pytest.mark.parametrize("settings", [ADDON, ALONE], ids=["addon", "alone"])
def test_second_process_is_refused(process: Start, settings: dict[str, Any], tmp_path: Path) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def slow(asked: Asked) -> Answer:
        reached.set()
        go_on.wait(30)
        return page("slow")

    settings = {**settings, "JOBDIR": str(tmp_path / "job")}
    with serving({"/": page("home", "/slow"), "/slow": slow}) as site:
        first = process(site, settings, start=["/"])
        assert reached.wait(30)
        second = process(site, settings, start=["/"]).result()
        go_on.set()
        assert first.result().got == ["home", "slow"]
        assert second.got == []
        assert second.raised
        assert_refused(second.log, tmp_path / "job" / SEEN, "process")
        assert site.targets == ["/", "/slow"]


def assert_refused(log: list[str], path: Path, word: str) -> None:
    """One CRITICAL line that names the file."""
    told = [line for line in log if line.startswith("CRITICAL")]
    assert len(told) == 1, told
    assert str(path) in told[0]
    assert word in told[0]
    assert "\n" not in told[0]


def make_damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:700])


def make_garbage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def make_foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE moz_places (url TEXT)")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("spoil", [make_damaged, make_garbage, make_foreign])
@pytest.mark.parametrize("name", [SEEN, "iri-canon-pairs.sqlite"])
@pytest.mark.parametrize("settings", [ADDON, ALONE], ids=["addon", "alone"])
def test_unusable_store_is_refused(
    crawl: Crawl, settings: dict[str, Any], tmp_path: Path, spoil: Callable[[Path], None], name: str
) -> None:
    settings = {**settings, "JOBDIR": str(tmp_path)}
    with serving({"/": page("home", "/p"), "/p": page("p")}) as site:
        assert crawl(site, settings, start=["/"], stop_at="home").raised is None
        state = (tmp_path / "spider.state").read_bytes()
        spoil(tmp_path / name)
        spoilt = (tmp_path / name).read_bytes()
        crawled = crawl(site, settings, start=["/"])
        assert crawled.raised
        assert crawled.got == []
        assert_refused(crawled.log, tmp_path / name, "")
        assert (tmp_path / name).read_bytes() == spoilt
        assert (tmp_path / "spider.state").read_bytes() == state
        # The way out that the message names: without the file the job starts afresh.
        (tmp_path / name).unlink()
        assert crawl(site, settings, start=["/"]).raised is None


@pytest.mark.parametrize(
    "changed",
    [
        {"IRI_CANON_CONVENTIONS": ["www"]},
        {"IRI_CANON_HEADERS": ["Accept-Language"]},
        {"IRI_CANON_KEEP_FRAGMENTS": True},
        {"REQUEST_FINGERPRINTER_CLASS": "scrapy.utils.request.RequestFingerprinter"},
    ],
)
def test_other_rules_are_refused_on_resume(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path, changed: dict[str, Any]
) -> None:
    settings = {**plugin, "JOBDIR": str(tmp_path)}
    with serving({"/": page("home")}) as site:
        assert crawl(site, settings, start=["/"]).raised is None
        crawled = crawl(site, {**settings, **changed}, start=["/"])
        assert crawled.raised
        assert_refused(crawled.log, tmp_path / SEEN, "")
        # Refused once, it is still good for the rules that it was made by.
        assert crawl(site, settings, start=["/"]).raised is None
        assert site.targets == ["/"]


def test_empty_jobdir_writes_nothing(process: Start, plugin: dict[str, Any], tmp_path: Path) -> None:
    with serving({"/": page("home", "/p"), "/p": page("p")}) as site:
        crawled = process(site, {**plugin, "JOBDIR": ""}, start=["/"]).result()
    assert crawled.got == ["home", "p"]
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith("job-")] == []


def test_requests_that_only_memory_can_keep_are_released(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    settings = {**plugin, **ONE_AT_A_TIME, "JOBDIR": str(tmp_path)}
    names = [f"/p{number}" for number in range(6)]
    with serving({"/": page("home", *names), **{name: page(name, *names) for name in names}}) as site:
        spider = "tests.scrapy_plugin.spiders.Unserializable"
        first = crawl(site, settings, start=["/"], spider=spider, stop_at="/p5")
        assert first.got[:2] == ["home", "/p5"]
        assert len(first.got) < 5
        second = crawl(site, settings, seeds=["/"], spider=spider)
        assert sorted({*first.got, *second.got}) == sorted(["home", *names])


def test_redirect_that_waits_when_the_crawl_is_stopped(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    """/t is queued far behind when /r redirects to it; the redirect waits, and the stop comes first."""
    settings = {**plugin, **ONE_AT_A_TIME, "JOBDIR": str(tmp_path)}
    routes: dict[str, Route] = {
        "/": page("home", "/t?low", "/r", "/stop"),
        "/r": redirect("/t?low", 301),
        "/stop": page("stop"),
        "/t": lambda asked: Answer(status=404) if asked.visit == 1 else page("t"),
    }
    with serving(routes) as site:
        spider = "tests.scrapy_plugin.spiders.Ranked"
        first = crawl(site, settings, start=["/"], spider=spider, stop_at="stop")
        assert first.got == ["home", "stop"]
        assert first.stat("iri_canon/chain/held") == 1
        second = crawl(site, settings, start=["/"], spider=spider)
        assert second.stat("iri_canon/chain/restored") == 1
        # The request of the first run fails, the redirect that waited for it gets the page.
        assert second.got == ["t"]
        assert site.times("/r") == 1


def test_store_named_apart_keeps_what_was_observed(crawl: Crawl, tmp_path: Path) -> None:
    """Pairs outlive the job: the next crawl, without a JOBDIR, does not ask for a spelling whose page it has."""
    settings = {**ADDON, **ONE_AT_A_TIME, "IRI_CANON_STORE": f"sqlite:{tmp_path / 'pairs.sqlite'}"}
    routes: dict[str, Route] = {
        "/": page("home", "/d/", "/d"),
        "/d/": page("d", "/d"),
        "/d": redirect("/d/", 301),
    }
    with serving(routes) as site:
        first = crawl(site, settings, start=["/"])
        assert first.stat("iri_canon/redirects/recorded") == 1
        assert site.times("/d") == 1
        second = crawl(site, settings, start=["/d/"])
        assert second.got == ["d"]
        assert second.stat("iri_canon/filtered/protocol") == 1
        assert site.times("/d") == 1
        assert site.times("/d/") == 2


def test_files_are_for_their_owner_only(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path) -> None:
    with serving({"/": page("home")}) as site:
        crawl(site, {**plugin, "JOBDIR": str(tmp_path / "new" / "job")}, start=["/"])
    for path in (tmp_path / "new" / "job").glob("iri-canon-*"):
        assert path.stat().st_mode & 0o777 == 0o600
