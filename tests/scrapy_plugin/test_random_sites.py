"""Crawls of random sites of redirects, walls, gates, failures and retries: every page is found, none fetched twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.scrapy_plugin.conftest import ADDON, ALONE, Crawl
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect
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


def check(crawl: Crawl, plugin: dict[str, Any], seed: int) -> None:
    random = Random(seed)
    plan = random_routes(random)
    links = [random.choice(list(plan)) for _ in range(random.randint(2, 14))]
    found = {end for node in links if (end := Server(plan).end_of(node)) is not None}
    routes: dict[str, Route] = {"/": page("home", *(f"/n{node}" for node in links))}
    for node, (kind, target) in plan.items():
        busy = random.choice((0, 0, 0, 1, 2))
        routes[f"/n{node}"] = route_of(node, kind, target, random.choice((301, 302, 307, 308)), busy)
    # Scrapy counts retries by chain: what a redirect leads to has fewer left.
    settings = {**plugin, "CONCURRENT_REQUESTS": random.choice((1, 2, 16)), "RETRY_TIMES": 99}
    start = random.choice(("start", "seeds"))
    crawled = crawl(routes, settings, copy_meta=random.random() < 0.3, **{start: ["/"]})
    assert sorted(crawled.got) == sorted(["home", *(f"n{node}" for node in found)]), plan
    assert crawled.stats["finish_reason"] == "finished"
    assert not crawled.said("Traceback")


@pytest.mark.parametrize("seed", range(24))
def test_random_site(crawl: Crawl, plugin: dict[str, Any], seed: int) -> None:
    check(crawl, plugin, seed)


@pytest.mark.slow
@pytest.mark.parametrize("plugin", [ADDON, ALONE], ids=["addon", "alone"])
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_more_random_sites(crawl: Crawl, plugin: dict[str, Any], seed: int) -> None:
    check(crawl, plugin, seed)
