"""A request's way through the duplicate filter: this project's add-on and Scrapy's own, in memory and in a JOBDIR."""

import gc
import tempfile
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns, process_time_ns, thread_time_ns
from types import SimpleNamespace
from typing import Any, TypeAlias

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.test import get_crawler

from benchmarks import sections
from benchmarks.lists import url_lists
from benchmarks.rounds import collector_paused, rotated
from benchmarks.sections import Run, Section
from benchmarks.tables import Table, micro, times

OURS = "scrapy_plugin"
SCRAPY = "Scrapy's own"
SETTINGS: dict[str, dict[str, Any]] = {
    OURS: {"ADDONS": {"scrapy_plugin.Addon": 500}},
    SCRAPY: {},
}
WARM_UP = 100
REQUESTS, QUICK_REQUESTS, QUICK_ROUNDS = 20_000, 2_000, 2
IN_MEMORY, IN_JOB_DIR = "memory", "JOBDIR"
TEXT = """\
The add-on and Scrapy's own filter, {requests:,} requests for http URLs of all lists; in memory {duplicates:,} of
them are duplicates for Scrapy. Nothing is sent. `request_seen` is what the scheduler asks, fingerprint included. The
add-on also listens to the signals of a request's way, which Scrapy's filter does not; the other rows have them in,
sent as Scrapy sends them, to both. With a JOBDIR the closing of the filter counts too, when all of it is on the
disk. Medians of {rounds} rounds in turn, a fresh filter each time; processor time is that of the process.
"""
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


def measure(run: Run) -> sections.Figures:
    """Nanoseconds a request by medium, way and filter, and the octets that a URL takes."""
    every = [url for texts in url_lists().values() for url in texts]
    urls = accepted(every, QUICK_REQUESTS if run.quick else REQUESTS)
    turns = QUICK_ROUNDS if run.quick else run.rounds
    advance = run.bar("the filter", turns * len((IN_MEMORY, IN_JOB_DIR)) * len(WAYS) * len(SETTINGS))
    return {
        "rounds": turns,
        "requests": len(urls),
        "media": {medium: take_turns(urls, turns, medium, advance) for medium in (IN_MEMORY, IN_JOB_DIR)},
        "octets": octets_kept(urls),
    }


def take_turns(
    urls: list[str], rounds: int, medium: str, progress: Callable[[], object]
) -> dict[str, dict[str, dict[str, Any]]]:
    """By way and filter: the rounds' nanoseconds a request, of the processor and of the clock, and the duplicates."""
    figures: dict[str, dict[str, dict[str, Any]]] = {
        way: {who: {"ns": [], "clock_ns": [], "duplicates": 0} for who in SETTINGS} for way in WAYS
    }
    for settings in SETTINGS.values():  # what is made at the first request is nobody's price for one
        once(settings, urls[:WARM_UP], live)
    for turn in range(rounds):
        for way, go in WAYS.items():
            for who in rotated(SETTINGS, turn):
                each = figures[way][who]
                processor, clock, each["duplicates"] = with_medium(SETTINGS[who], urls, go, medium)
                each["ns"].append(processor)
                each["clock_ns"].append(clock)
                progress()
    return figures


def with_medium(settings: dict[str, Any], urls: list[str], go: Way, medium: str) -> tuple[float, float, int]:
    """Nanoseconds a request, of the processor and of the clock, and the duplicates; with a JOBDIR to the last octet."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        crawler, duplicates = new_filter(settings | ({"JOBDIR": folder} if medium == IN_JOB_DIR else {}))
        requests = [Request(url) for url in urls]
        with collector_paused():
            clock, processor = perf_counter_ns(), process_time_ns()
            found = go(crawler, duplicates, requests)
            if medium == IN_JOB_DIR:
                duplicates.close("finished")
            spent, passed = process_time_ns() - processor, perf_counter_ns() - clock
        if medium != IN_JOB_DIR:
            duplicates.close("finished")
    return spent / max(len(urls), 1), passed / max(len(urls), 1), found


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


def text(figures: sections.Figures) -> str:
    way, *_ = WAYS
    return TEXT.format(
        requests=figures["requests"],
        duplicates=figures["media"][IN_MEMORY][way][SCRAPY]["duplicates"],
        rounds=figures["rounds"],
    )


def tables(figures: sections.Figures) -> list[Table]:
    rows = []
    for medium, ways in figures["media"].items():
        for way, filters in ways.items():
            for who, one in filters.items():
                pairs = zip(one["ns"], filters[OURS]["ns"], strict=True)
                ratio = median(each / own for each, own in pairs)
                cells = (micro(median(one["ns"])), micro(median(one["clock_ns"])), times(ratio))
                rows.append((medium, way, who, f"{one['duplicates']:,}", *cells))
    headings = ("store", "what", "filter", "duplicates", "µs a request", "µs of the clock", f"times {OURS}")
    kept = [
        (who, f"{octets:.0f}", times(octets / figures["octets"][OURS]))
        for who, octets in figures["octets"].items()
    ]
    return [
        Table("A request", headings, rows, names=3),
        Table("Octets that Python keeps for a URL, in memory", ("filter", "octets", f"times {OURS}"), kept),
    ]


SECTION = Section("filter", "A request through the filter", measure, text, tables)
