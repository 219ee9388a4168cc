"""A request's way through the duplicate filter: this project's add-on and Scrapy's own, both in memory."""

import gc
import tracemalloc
from collections.abc import Callable
from time import thread_time_ns
from types import SimpleNamespace
from typing import Any, TypeAlias

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.test import get_crawler

from benchmarks.rounds import Figures, collector_paused, rotated

OURS = "scrapy_plugin"
SCRAPY = "Scrapy's own"
SETTINGS: dict[str, dict[str, Any]] = {
    OURS: {"ADDONS": {"scrapy_plugin.Addon": 500}},
    SCRAPY: {},
}
WARM_UP = 100
Way: TypeAlias = Callable[[Crawler, Any, list[Request]], int]


def ask(crawler: Crawler, duplicates: Any, requests: list[Request]) -> int:
    """Only the question that the scheduler asks: fingerprint and look-up."""
    return sum(map(duplicates.request_seen, requests))


def live(
    crawler: Crawler, duplicates: Any, requests: list[Request], answer: Callable[[str], Response] = Response
) -> int:
    """The question and the signals of a request that is then answered, which the add-on listens to."""
    found = 0
    send, seen = crawler.signals.send_catch_log, duplicates.request_seen
    for request in requests:
        send(signals.request_scheduled, request=request, spider=None)
        if seen(request):
            found += 1
            continue
        send(signals.request_left_downloader, request=request, spider=None)
        send(signals.response_received, response=answer(request.url), request=request, spider=None)
    return found


WAYS: dict[str, Way] = {"request_seen": ask, "request_seen and the signals of a request": live}


def accepted(urls: list[str], count: int) -> list[str]:
    """At most `count` http URLs that Request takes, from all over what is given."""
    found: list[str] = []
    for url in urls[:: -(-len(urls) // count)]:
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
    # An engine with nothing under way, so that what was answered counts as settled, as it soon does in a crawl.
    idle: Any = SimpleNamespace(active=set())
    crawler.engine = SimpleNamespace(downloader=idle, scraper=SimpleNamespace(slot=idle), scheduler=None)  # type: ignore[assignment]
    duplicates.open()
    return crawler, duplicates


def take_turns(urls: list[str], rounds: int, progress: Callable[[], object]) -> dict[str, dict[str, Figures]]:
    """Nanoseconds a request by way and filter; `refused` is the number of requests found to be duplicates."""
    figures = {way: {who: Figures() for who in SETTINGS} for way in WAYS}
    for settings in SETTINGS.values():  # what is made at the first request is nobody's price for one
        crawler, duplicates = new_filter(settings)
        live(crawler, duplicates, [Request(url) for url in urls[:WARM_UP]])
        duplicates.close("finished")
    for turn in range(rounds):
        for way, go in WAYS.items():
            for who in rotated(SETTINGS, turn):
                elapsed, found = once(SETTINGS[who], urls, go)
                figures[way][who].rounds.append(elapsed)
                figures[way][who].refused = found
                progress()
    return figures


def octets_kept(urls: list[str]) -> dict[str, float]:
    """Octets of memory that each filter keeps for a URL, once its requests are gone."""
    kept = {}
    for who, settings in SETTINGS.items():
        crawler, duplicates = new_filter(settings)
        live(
            crawler, duplicates, [Request("http://example.com/first")]
        )  # what is made at the first request only
        gc.collect()
        tracemalloc.start()
        for url in urls:
            live(crawler, duplicates, [Request(url)])
        gc.collect()
        kept[who] = tracemalloc.get_traced_memory()[0] / max(len(set(urls)), 1)
        tracemalloc.stop()
        duplicates.close("finished")
    return kept


def once(settings: dict[str, Any], urls: list[str], go: Way) -> tuple[float, int]:
    """Nanoseconds a request that one fresh filter takes for fresh requests, and how many it held back."""
    crawler, duplicates = new_filter(settings)
    requests = [Request(url) for url in urls]  # fresh ones: fingerprints are cached by request
    with collector_paused():
        start = thread_time_ns()
        found = go(crawler, duplicates, requests)
        elapsed = thread_time_ns() - start
    duplicates.close("finished")
    return elapsed / max(len(urls), 1), found
