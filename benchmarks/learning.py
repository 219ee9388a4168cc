"""What learned rules cost a request: the filter in both modes, on the same requests, in one process, in turn."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from benchmarks.crawl import OURS, SETTINGS, WARM_UP, ask, live, once
from benchmarks.rounds import Figures, rotated
from iri_canon.equivalence import EVERYWHERE, Rule, RuleName, RuleState, open_equivalences, profile

HOSTS = 1_000
KINDS = ("trailing-slash", "param:sid")
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


def at_hosts(count: int) -> list[str]:
    """URLs of pages in three sections of each host, with and without what rules speak of; each page once."""
    forms = ("/{}/page-{}", "/{}/page-{}/", "/{}/?id={}", "/{}/page-{}?a=1&b=2", "/{}/page-{}?sid=0")
    pages = ((number % HOSTS, number // HOSTS) for number in range(count))
    return [
        f"http://host{host}.example" + forms[(host + page) % len(forms)].format(page % 3, page)
        for host, page in pages
    ]


def covered(urls: list[str]) -> list[str]:
    """The same, where about every fifth request is for a second spelling."""
    found = []
    for url in urls:
        found.append(url)
        if url.endswith(("0", "5/")):
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


def cases(urls: list[str], names: dict[str, str]) -> dict[str, dict[str, tuple[list[str], dict[str, Any]]]]:
    """By what is in force: the requests and the settings of each mode."""
    hosts = at_hosts(len(urls))

    def modes(requests: list[str], store: str) -> dict[str, tuple[list[str], dict[str, Any]]]:
        return {
            mode: (requests, SETTINGS[OURS] | {"IRI_CANON_LEARN": mode, "IRI_CANON_STORE": store})
            for mode in MODES
        }

    return {
        "no rule in force": modes(urls, "memory:"),
        f"rules in force at {HOSTS:,} hosts, nothing to skip": modes(hosts, names["rules"]),
        f"rules in force at {HOSTS:,} hosts, some to skip": modes(covered(hosts), names["rules"]),
    }


def take_turns(
    urls: list[str], rounds: int, progress: Callable[[], object]
) -> dict[str, dict[str, dict[str, Figures]]]:
    """Nanoseconds a request by case, way and mode; `refused` is how many were held back."""
    with stores() as names:
        all_cases = cases(urls, names)
        figures = {
            case: {way: {mode: Figures() for mode in modes} for way in WAYS}
            for case, modes in all_cases.items()
        }
        for modes in all_cases.values():  # what is made at the first request is nobody's price for one
            for requests, settings in modes.values():
                once(settings, requests[:WARM_UP], live)
        for turn in range(rounds):
            for case, modes in all_cases.items():
                for way, go in WAYS.items():
                    for mode in rotated(modes, turn):
                        requests, settings = modes[mode]
                        if way == ANSWERED:
                            requests = requests[: len(requests) // SHORTER]
                        elapsed, found = once(settings, requests, go)
                        figures[case][way][mode].rounds.append(elapsed)
                        figures[case][way][mode].refused = found
                        progress()
    return figures


def steps(rounds: int) -> int:
    """How often `progress` is called."""
    return rounds * 3 * len(WAYS) * len(MODES)
