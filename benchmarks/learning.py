"""What learned rules cost a request: the filter in both modes, on the same requests, side by side in one process."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import quantiles
from time import thread_time_ns
from typing import Any, TypeAlias

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from benchmarks.crawl import OURS, SETTINGS, WARM_UP, ask, live, new_filter, once
from benchmarks.rounds import Figures, collector_paused, rotated
from iri_canon.equivalence import EVERYWHERE, Rule, RuleName, RuleState, open_equivalences, profile

HOSTS = 1_000
KINDS = ("trailing-slash", "param:sid")
#: URLs of a host in the usual shape, and how many of them one page links: those are asked for one after the other.
A_HOST, A_PAGE = 100, 20
SECTIONS = 5
#: Requests that one mode takes before the other one does: what else runs on the machine meets both.
CHUNK = 500
#: Of which a page of some 10 kB is made: text, and a link after each of its sentences.
WORDS = (
    "the",
    "river",
    "that",
    "comes",
    "down",
    "from",
    "these",
    "hills",
    "is",
    "older",
    "than",
    "any",
    "town",
)
SENTENCES = 110
#: Reading so many bodies takes long: fewer requests will do.
SHORTER = 5
MODES = ("observed", "audited")
Way: TypeAlias = Callable[[Crawler, Any, list[Request]], int]
ANSWERED = "the whole way, pages"


def html(url: str) -> Response:
    """A page of its own."""
    start = len(url) + ord(url[-1])
    sentences = (" ".join(WORDS[(start + at) % len(WORDS) :]) for at in range(SENTENCES))
    text = "".join(
        f'<p class="text">{one}. <a href="/more/{at}">More</a></p>\n' for at, one in enumerate(sentences)
    )
    body = f"<html><head><title>{url}</title></head><body><h1>{url}</h1>\n{text}</body></html>"
    return HtmlResponse(url, body=body.encode(), encoding="utf-8", headers={"Content-Type": "text/html"})


WAYS: dict[str, Way] = {
    "request_seen": ask,
    "the whole way, empty answers": live,
    ANSWERED: partial(live, answer=html),
}


def page_by_page(count: int) -> list[str]:
    """URLs of pages in sections of each host as crawls meet them: the links of a page together, hosts in any order.

    Two of five have what rules speak of; each page is there once.
    """
    forms = ("/{}/page-{}", "/{}/page-{}/", "/{}/page-{}", "/{}/page-{}?a=1&b=2", "/{}/page-{}?sid=0")
    hosts = max(count // A_HOST, 1)
    turns = [host for host in range(hosts) for _ in range(A_HOST // A_PAGE)]
    Random(1).shuffle(turns)
    met = dict.fromkeys(range(hosts), 0)
    found = []
    for host in turns:
        for page in range(met[host], met[host] + A_PAGE):
            path = forms[(host + page) % len(forms)].format(page // len(forms) % SECTIONS, page)
            found.append(f"http://host{host}.example{path}")
        met[host] += A_PAGE
    return found[:count]


def at_hosts(count: int) -> list[str]:
    """The hard shape: few URLs of each host, most of them the first of their section, and hosts one after the other.

    Three of five have what rules speak of.
    """
    forms = ("/{}/page-{}", "/{}/page-{}/", "/{}/?id={}", "/{}/page-{}?a=1&b=2", "/{}/page-{}?sid=0")
    pages = ((number % HOSTS, number // HOSTS) for number in range(count))
    return [
        f"http://host{host}.example" + forms[(host + page) % len(forms)].format(page % 3, page)
        for host, page in pages
    ]


def covered(urls: list[str]) -> list[str]:
    """The same, where about every fifth request is for the spelling with or without the slash of the one before it."""
    found = []
    for number, url in enumerate(urls):
        found.append(url)
        if "?" not in url and number % 3 == 0:
            found.append(url.removesuffix("/") if url.endswith("/") else f"{url}/")
    return found[: len(urls)]


@contextmanager
def stores() -> Iterator[dict[str, str]]:
    """The settings that name a store without rules, and one with rules in force at all of the hosts."""
    with tempfile.TemporaryDirectory() as folder:
        names = {name: f"sqlite:{Path(folder, name)}" for name in ("empty", "rules")}
        store = open_equivalences(names["rules"], profile())
        for number in range(HOSTS):
            for kind in KINDS:
                name = RuleName(f"host{number}.example", kind, EVERYWHERE)
                store.keep_rule(rule_in_force(name))
        store.close()
        open_equivalences(names["empty"], profile()).close()
        yield names


def rule_in_force(name: RuleName) -> Rule:
    """A rule with as much behind it as a whole host asks for."""
    rule = Rule(name, RuleState.IN_FORCE, since=1.0, last=1.0)
    known = rule.as_json()
    known["supports"] = {f"{page:032x}": ["body", str(page % 4), f"{page:032x}"] for page in range(16)}
    known["values"] = []
    return Rule.from_json(known)


def cases(urls: list[str], names: dict[str, str]) -> dict[str, tuple[list[str], str]]:
    """By what is in force: the requests, and the store."""
    usual, hard = page_by_page(len(urls) * A_HOST // 20), at_hosts(len(urls))
    rules = f"rules at {HOSTS:,} hosts"
    return {
        "no rule": (urls, "memory:"),
        f"{rules}, {A_HOST} URLs each, nothing to skip": (usual, names["rules"]),
        f"{rules}, {A_HOST} URLs each, some to skip": (covered(usual), names["rules"]),
        f"{rules}, 20 URLs each, nothing to skip": (hard, names["rules"]),
        f"{rules}, 20 URLs each, some to skip": (covered(hard), names["rules"]),
    }


def settings_of(mode: str, store: str) -> dict[str, Any]:
    """The settings of a mode; a store in a file is copied, so that each mode has one of its own, as it was made."""
    kind, _, path = store.partition(":")
    if path:
        shutil.copy(path, f"{path}.{mode}")
        store = f"{kind}:{path}.{mode}"
    return SETTINGS[OURS] | {"IRI_CANON_LEARN": mode, "IRI_CANON_STORE": store}


def side_by_side(urls: list[str], store: str, go: Way) -> dict[str, tuple[list[float], int]]:
    """By mode: nanoseconds a request of each chunk, and how many requests were held back.

    Both filters live through all requests; for each chunk they take turns, one being the first as often as the other.
    """
    filters = {mode: new_filter(settings_of(mode, store)) for mode in MODES}
    times: dict[str, list[float]] = {mode: [] for mode in MODES}
    held = dict.fromkeys(MODES, 0)
    # Once for all chunks: to look through all that both filters keep takes longer than a chunk, and empties caches.
    with collector_paused():
        for turn, start in enumerate(range(0, len(urls), CHUNK)):
            for mode in rotated(MODES, turn):
                # Fingerprints are cached by request.
                requests = [Request(url) for url in urls[start : start + CHUNK]]
                began = thread_time_ns()
                held[mode] += go(*filters[mode], requests)
                times[mode].append((thread_time_ns() - began) / len(requests))
    for _, duplicates in filters.values():
        duplicates.close("finished")
    return {mode: (times[mode], held[mode]) for mode in MODES}


def take_turns(
    urls: list[str], rounds: int, progress: Callable[[], object]
) -> dict[str, dict[str, dict[str, Figures]]]:
    """Nanoseconds a request by case, way and mode, chunk by chunk; `refused` is how many were held back."""
    figures: dict[str, dict[str, dict[str, Figures]]] = {}
    with stores() as names:
        all_cases = cases(urls, names)
        for (
            requests,
            store,
        ) in all_cases.values():  # what is made at the first request is nobody's price for one
            for mode in MODES:
                once(settings_of(mode, store), requests[:WARM_UP], live)
        for _ in range(rounds):
            for case, (requests, store) in all_cases.items():
                ways = figures.setdefault(case, {way: {mode: Figures() for mode in MODES} for way in WAYS})
                for way, go in WAYS.items():
                    most = len(urls) // SHORTER if way == ANSWERED else len(urls)
                    asked = requests if go is ask else requests[:most]
                    for mode, (times, refused) in side_by_side(asked, store, go).items():
                        ways[way][mode].rounds += times
                        ways[way][mode].refused = refused
                    progress()
    return figures


def ratios(modes: dict[str, Figures]) -> tuple[float, float, float]:
    """How many times as long a chunk took: the lower quarter, the median, and the upper quarter of all chunks."""
    observed, audited = (modes[mode].rounds for mode in MODES)
    times = [mine / other for mine, other in zip(audited, observed, strict=True)]
    low, middle, high = quantiles(times, n=4) if len(times) > 1 else times * 3
    return low, middle, high


def steps(rounds: int) -> int:
    """How often `progress` is called."""
    return rounds * 5 * len(WAYS)
