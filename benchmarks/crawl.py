"""A request's way through the duplicate filter: this project's add-on and Scrapy's own, both in memory."""

from collections.abc import Callable, Iterable
from time import perf_counter_ns
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.test import get_crawler

from benchmarks.rounds import Figures, collector_paused, rotated

OURS = "scrapy_plugin"
SCRAPY = "Scrapy's own"
SETTINGS: dict[str, dict[str, Any]] = {
    OURS: {"ADDONS": {"scrapy_plugin.Addon": 500}},
    SCRAPY: {},
}


def accepted(urls: Iterable[str], count: int) -> list[str]:
    """The first `count` http URLs that Request takes."""
    found: list[str] = []
    for url in urls:
        if len(found) == count:
            break
        if not url.startswith(("http://", "https://")):
            continue
        try:
            Request(url)
        except ValueError:
            continue
        found.append(url)
    return found


def new_filter(settings: dict[str, Any]) -> tuple[Crawler, Any]:
    """A crawler and the filter that its settings name, made as the scheduler makes it."""
    crawler = get_crawler(Spider, {"LOG_ENABLED": False, **settings})
    duplicates = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
    duplicates.open()
    return crawler, duplicates


def take_turns(urls: list[str], rounds: int, progress: Callable[[], object]) -> dict[str, Figures]:
    """Nanoseconds a request by contestant; `refused` is the number of requests found to be duplicates."""
    figures = {who: Figures() for who in SETTINGS}
    for turn in range(rounds):
        for who in rotated(SETTINGS, turn):
            _, duplicates = new_filter(SETTINGS[who])
            requests = [Request(url) for url in urls]  # fresh ones: fingerprints are cached by request
            seen = duplicates.request_seen
            with collector_paused():
                start = perf_counter_ns()
                found = sum(map(seen, requests))
                elapsed = perf_counter_ns() - start
            duplicates.close("finished")
            figures[who].rounds.append(elapsed / max(len(requests), 1))
            figures[who].refused = found
            progress()
    return figures
