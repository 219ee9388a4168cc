"""The whole crawl of the sample site, with the add-on and without: pages a minute, requests, processor time."""

import resource
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.rounds import rotated
from benchmarks.sections import Figures, Run, Section
from benchmarks.tables import Table, times
from sample_project.crawl import ADDON, DEFAULTS, run
from sample_project.sections import build_site

#: A crawl takes minutes.
ROUNDS = 3
QUICK_SECTION, QUICK_PAGES = "simple", 200
LIMIT = 3_600
CRAWLS = {how.name: how for how in (DEFAULTS, ADDON)}
TEXT = """\
`scrapy crawl` of the sample site, laid out with {pages:,} pages, from the start of the process to its end; the site
is served by another process on the same machine, which takes a core of its own. Medians of {rounds} rounds in turn.
Pages are told apart by the server's truth, and a page that is fetched twice counts once: what the defaults lose and
what they fetch twice is in the figures. Requests a minute say what a request costs, whatever it brings. Processor
time is that of the crawling process.
"""


def measure(how_much: Run) -> Figures:
    """Each crawl in turn, on a fresh site."""
    pages = QUICK_PAGES if how_much.quick else how_much.pages
    only = [QUICK_SECTION] if how_much.quick else []
    turns = 1 if how_much.quick else min(ROUNDS, how_much.rounds)
    advance = how_much.bar("the sample site", turns * len(CRAWLS))
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in CRAWLS}
    for turn in range(turns):
        for name in rotated(CRAWLS, turn):
            taken[name].append(crawled(name, pages, only))
            advance()
    return {"rounds": turns, "pages": taken[DEFAULTS.name][0]["pages"], "crawls": taken}


def crawled(name: str, pages: int, only: list[str]) -> dict[str, Any]:
    """One crawl; raises `sample_project.crawl.CrawlError` where it fails."""
    site = build_site(pages=pages, sections=only)
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    found = run(CRAWLS[name], site, limit=LIMIT, progress=lambda site: None)
    seconds, after = perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "pages": found.pages,
        "found": found.found,
        "requests": found.requests,
        "twice": found.fetched_twice,
        "seconds": seconds,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    }


def text(figures: Figures) -> str:
    return TEXT.format(pages=figures["pages"], rounds=figures["rounds"])


def tables(figures: Figures) -> list[Table]:
    defaults = figures["crawls"][DEFAULTS.name]
    rows = []
    for name, crawls in figures["crawls"].items():
        pages, requests = (
            [one[what] / one["seconds"] * 60 for one in crawls] for what in ("found", "requests")
        )
        ratio = median(
            rate / (one["found"] / one["seconds"] * 60) for rate, one in zip(pages, defaults, strict=True)
        )
        per_request = median(
            rate / (one["requests"] / one["seconds"] * 60)
            for rate, one in zip(requests, defaults, strict=True)
        )
        last = crawls[-1]
        rows.append(
            (
                name,
                *(f"{last[what]:,}" for what in ("found", "requests", "twice")),
                f"{median(one['seconds'] for one in crawls):,.1f}",
                f"{median(one['cpu'] for one in crawls):,.1f}",
                f"{median(pages):,.0f}",
                times(ratio),
                f"{median(requests):,.0f}",
                times(per_request),
            )
        )
    headings = (
        *("crawl", "pages found", "requests", "fetched twice", "s", "s of processor time"),
        *("pages a minute", "times defaults", "requests a minute", "times defaults"),
    )
    return [Table("The crawl", headings, rows)]


SECTION = Section("site", "A whole crawl", measure, text, tables)
