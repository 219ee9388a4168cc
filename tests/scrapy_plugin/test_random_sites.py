"""Crawls of random sites of redirects, walls, gates, failures and retries: every page is found, none fetched twice."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.scrapy_plugin.conftest import Crawl
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect, serving
from tests.scrapy_plugin.test_chains import Server, random_routes


def route_of(node: int, kind: str, target: int, status: int, busy: int) -> Route:
    """What a node of a random site does; it is busy the first few times."""
    own = f"n{node}=1"

    def answer(asked: Asked) -> Answer:
        if asked.visit <= busy:
            return Answer(status=503)
        if kind == "fail":
            return Answer(status=404)
        if kind == "redirect":
            return redirect(f"/n{target}", status)
        if kind == "wall" and own not in asked.cookie:
            return redirect(f"/n{target}", status, cookie=own if target == node else None)
        if kind == "gate":
            came_from = asked.headers.get("referer", "").rpartition("/")[2] if target < 0 else f"n{target}"
            return (
                redirect(f"/{came_from}", status, cookie=f"{came_from}=1")
                if came_from
                else Answer(status=404)
            )
        return page(f"n{node}", "/", f"/n{node}")

    return answer


class Plan:
    """A random site, what is linked on its home page, and the pages that are behind the links."""

    def __init__(self, seed: int, *, referers: bool = True) -> None:
        self.random = random = Random(seed)
        while True:
            self.nodes = random_routes(random)
            if referers or ("gate", -1) not in self.nodes.values():
                break
        links = [random.choice(list(self.nodes)) for _ in range(random.randint(2, 14))]
        found = {end for node in links if (end := Server(self.nodes).end_of(node)) is not None}
        self.found = sorted(["home", *(f"n{node}" for node in found)])
        self.routes: dict[str, Route] = {"/": page("home", *(f"/n{node}" for node in links))}
        for node, (kind, target) in self.nodes.items():
            busy = random.choice((0, 0, 0, 1, 2))
            status = random.choice((301, 302, 307, 308))
            self.routes[f"/n{node}"] = route_of(node, kind, target, status, busy)
        # Scrapy counts retries by chain: what a redirect leads to has fewer left.
        self.settings = {"CONCURRENT_REQUESTS": random.choice((1, 2, 16)), "RETRY_TIMES": 99}


def check(crawl: Crawl, plugin: dict[str, Any], seed: int) -> None:
    plan = Plan(seed)
    start = plan.random.choice(("start", "seeds"))
    copy_meta = plan.random.random() < 0.3
    crawled = crawl(plan.routes, {**plugin, **plan.settings}, copy_meta=copy_meta, **{start: ["/"]})
    assert sorted(crawled.got) == plan.found, plan.nodes
    assert crawled.stats["finish_reason"] == "finished"
    assert not crawled.said("Traceback")


def check_stopped(crawl: Crawl, plugin: dict[str, Any], seed: int, folder: Path) -> None:
    plan = Plan(seed)
    settings = {**plugin, **plan.settings, "JOBDIR": str(folder / "job")}
    with serving(plan.routes) as site:
        got: list[str] = []
        stops: list[str | None] = plan.random.sample(plan.found, min(3, len(plan.found)))
        for stop in [*stops, None]:
            crawled = crawl(site, settings, start=["/"], stop_at=stop)
            assert crawled.raised is None
            got += crawled.got
    # Cookies end with the process, so what is behind a wall may have to be come to again: no page is lost for it.
    assert sorted(got) == plan.found, plan.nodes


def check_cached(crawl: Crawl, plugin: dict[str, Any], seed: int, folder: Path) -> None:
    plan = Plan(seed, referers=False)
    cache = {
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_DIR": str(folder),
        "HTTPCACHE_IGNORE_HTTP_CODES": [404, 503],
    }
    with serving(plan.routes) as site:
        for _ in range(2):
            crawled = crawl(site, {**plugin, **plan.settings, **cache}, start=["/"])
            assert sorted(crawled.got) == plan.found, plan.nodes


CHECKS = {"stopped": check_stopped, "cached": check_cached}


@pytest.mark.parametrize("seed", range(24))
def test_random_site(crawl: Crawl, plugin: dict[str, Any], seed: int) -> None:
    check(crawl, plugin, seed)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("how", CHECKS)
def test_random_site_in_several_runs(
    crawl: Crawl, plugin: dict[str, Any], seed: int, how: str, tmp_path: Path
) -> None:
    CHECKS[how](crawl, plugin, seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_more_random_sites(crawl: Crawl, plugin: dict[str, Any], seed: int) -> None:
    check(crawl, plugin, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1075))
@pytest.mark.parametrize("how", CHECKS)
def test_more_random_sites_in_several_runs(
    crawl: Crawl, plugin: dict[str, Any], seed: int, how: str, tmp_path: Path
) -> None:
    CHECKS[how](crawl, plugin, seed, tmp_path)
