"""The result as a table for people and as one JSON object for machines; both say the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from iri_canon import Rung
from sample_project.measure import Result
from sample_project.merges import NO_RUNG, SPELLINGS
from sample_project.pages import Site

SAME_TEXT = "(the same text again)"
NO_RUNG_CAPTION = "no rung: joined though no rung joins them: lost twins, and luck in learned-order"
#: What the add-on tells of learned rules, and how a reader is told.
LEARNED = {
    "suppressed": "skipped by a rule",
    "audited": "fetched to see whether a rule holds",
    "rescheduled": "skipped, and fetched after all",
    "rules/in_force": "rules in force",
    "rules/retracted": "rules retracted",
}


def failures(defaults: Result, addon: Result, audited: Result, *, whole: bool = True) -> list[str]:
    """What the add-on is not allowed to do and did, with rules and without; empty where all is well.

    The numbers of requests are judged on the whole site alone: in a section of walls the pages that the
    defaults lose are the dear ones, so that those they find look cheap; and few pages teach nothing.
    """
    found = []
    for result in (addon, audited):
        if result.lost:
            first = ", ".join(result.lost[:5])
            found.append(f"the crawl {result.name} lost {len(result.lost)} pages, the first: {first}")
    if whole and saved(addon, audited) <= 0:
        found.append(f"with rules it sent {audited.requests} requests, without {addon.requests}")
    ours, theirs = addon.requests_per_page, defaults.requests_per_page
    if whole and ours > theirs:
        found.append(f"the add-on sent {ours:.3f} requests a found page, the defaults {theirs:.3f}")
    unexpected = [url for result in (defaults, addon, audited) for url in result.unexpected]
    if unexpected:
        found.append(f"{len(unexpected)} requests for URLs that no page links, the first: {unexpected[0]}")
    return found


def saved(addon: Result, audited: Result) -> int:
    """How many requests fewer the crawl with rules sent."""
    return addon.requests - audited.requests


def as_json(site: Site, seed: int, results: Sequence[Result], wrong: Sequence[str]) -> dict[str, Any]:
    """The whole run for machines; the results are those of the defaults, of the add-on, and with rules."""
    _, addon, audited = results
    return {
        "seed": seed,
        "pages": len(site.pages),
        "sections": site.sections,
        "crawls": {result.name: result.as_json(site) for result in results},
        "learned": {
            "saved_requests": saved(addon, audited),
            **{name: audited.learned(name) for name in LEARNED},
            "lost": len(audited.lost),
        },
        "failures": list(wrong),
    }


def print_report(console: Console, site: Site, results: Sequence[Result]) -> None:
    """Print the table, what was merged by which rung and step, and the pages lost by section."""
    console.print(_figures(results))
    console.print(_merged(results))
    for result in results:
        lost = result.lost_by_section(site)
        if not lost:
            console.print(f"[bold]{result.name}[/]: no page lost")
            continue
        table = _table(f"Pages lost by {result.name}", "section", "lost", "of", "what is there")
        for section, pages in lost.items():
            of = sum(page.section == section for page in site.pages.values())
            table.add_row(section, str(len(pages)), str(of), site.sections[section])
        console.print(table)
        console.print("Such as:", style="bold")
        for section, pages in lost.items():  # a line each, which a terminal may wrap but a copy has whole
            line = f"  {section:<16} {site.pages[pages[0]].urls[0]}"
            console.print(line, soft_wrap=True, markup=False, highlight=False)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", caption_justify="left")
    for column in columns:
        number = column in ("lost", "of", "defaults", "add-on", "audited")
        table.add_column(column, justify="right" if number else "left", overflow="fold", no_wrap=number)
    return table


def _figures(results: Sequence[Result]) -> Table:
    table = _table("The sample site, crawled three times", "", *(result.name for result in results))
    rows: list[tuple[str, list[str]]] = [
        ("pages", [str(result.pages) for result in results]),
        ("found", [str(result.found) for result in results]),
        ("lost", [str(len(result.lost)) for result in results]),
        ("requests", [str(result.requests) for result in results]),
        ("requests per found page", [f"{result.requests_per_page:.3f}" for result in results]),
        ("fetched twice", [str(result.fetched_twice) for result in results]),
        ("seconds", [f"{result.seconds:.1f}" for result in results]),
    ]
    _, addon, audited = results
    rows += [
        ("requests saved against the add-on", ["", "", str(saved(addon, audited))]),
        *((LEARNED[name], ["", "", str(audited.learned(name))]) for name in LEARNED),
    ]
    for name, figures in rows:
        table.add_row(name, *figures)
    return table


def _merged(results: Sequence[Result]) -> Table:
    """One line a rung, and under it one line a step; the rungs and steps come in the order of the ladder."""
    table = _table(
        "Spellings merged, by the lowest rung that joins them",
        "rung",
        "step",
        *(result.name for result in results),
    )
    for rung in (*(rung.name.lower() for rung in Rung), NO_RUNG):
        counts = [result.merged.get(rung, {}) for result in results]
        if not any(counts):
            continue
        if rung == NO_RUNG:
            table.caption = NO_RUNG_CAPTION
        text = SAME_TEXT if rung == "simple" else ""
        table.add_row(rung, text, *(str(count.get(SPELLINGS, 0)) for count in counts), style="bold")
        for step in sorted({step for count in counts for step in count} - {SPELLINGS}):
            table.add_row("", step, *(str(count.get(step, 0)) for count in counts))
    return table
