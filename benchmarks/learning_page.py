"""The part "Figures" of docs/learning.md is written by a run, so that no figure stands there that was not measured."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from benchmarks import ablation, learning
from tests.scrapy_plugin.random_learning.runs import Pair, figures

HEADING = "\n## Figures\n"
INTRODUCTION = """
Made by `{command}`.
{machine}; {date}. {versions}.

### Random sites

Each site has two to five sections of 30 to 120 pages with one to five URLs each, which differ in one to three customs
and are linked in an order of chance. A section holds to its customs always, never, for a while, in some parts, or until
a log-in; it shows that by equal bodies, by bodies with tokens or times, or by redirects, beside soft 404s, walls,
calendars and errors. The truth is what the site itself states. Each site is crawled with `"observed"` and with
`"audited"`. "Where conventions hold" are the sites of which every section does, in a way that can be learned.

```text
{figures}
```

### Support and audit

{sites} sites of the same sort with other settings, one at a time. "Saved" is against `"observed"`. "Lost, rare" are
pages of further sites, one beside every {others}, where one page in {rare} is an exception: no sample can promise to
find it.
"""
OVERHEAD = """
### What it costs

Microseconds of processor time a request, medians of chunks of {chunk} requests, rounds: {rounds}; nothing is sent.
Both filters live in one process and take each chunk in turn; "times" is the median of the chunks' ratios, with their
quarters. `request_seen` is what the scheduler asks, fingerprint included. The whole way has Scrapy's signals of a
request and of its answer in; the answer is empty, or a page of {octets:.1f} kB, of which the main text is read.

With {each} URLs a host, the links of a page ({page}) are asked for together, hosts in any order, in {sections} sections
each; two of five URLs have what the rules speak of. With 20, hosts come one after the other, most URLs are among the
first of their section, and three of five have it. "Some to skip": about every fifth request is for another spelling of
the page before it, which the rules skip, or fetch to see.

"""
COLUMNS = ("saved", "skipped", "audited", "in force", "retracted", "fetched after all", "lost", "lost, rare")


def row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |\n"


def section(report: dict[str, Any]) -> str:
    """The whole part."""
    parts = [
        HEADING,
        INTRODUCTION.format(
            command=report["command"],
            machine=report["machine"],
            date=report["date"],
            versions=", ".join(f"{name} {report['versions'][name]}" for name in ("iri-canon", "scrapy")),
            figures="\n".join(report["sites"]),
            sites=report["ablation_sites"],
            others=ablation.OTHERS_TO_RARE,
            rare=ablation.RARE_EXCEPTION,
        ),
    ]
    for table, rows in report["ablation"].items():
        parts += ["\n", row(table, *COLUMNS), row("---", *["---:"] * len(COLUMNS))]
        parts += [row(*cells(one)) for one in rows]
    return "".join(parts) + overhead(report)


def overhead(report: dict[str, Any]) -> str:
    """What the filter costs."""
    parts = [
        OVERHEAD.format(
            chunk=learning.CHUNK,
            rounds=report["rounds"],
            octets=len(learning.html("http://a.example/").body) / 1000,
            each=learning.A_HOST,
            page=learning.A_PAGE,
            sections=learning.SECTIONS,
        ),
        row("in force", "what", *learning.MODES, "times"),
        row("---", "---", "---:", "---:", "---:"),
    ]
    for case, ways in report["overhead"].items():
        for way, one in ways.items():
            observed, audited = (one[mode] / 1000 for mode in learning.MODES)
            low, middle, high = one["times"]
            times = f"{middle:.2f} ({low:.2f} to {high:.2f})"
            parts.append(row(case, way, f"{observed:.1f}", f"{audited:.1f}", times))
    return "".join(parts)


def cells(one: dict[str, Any]) -> list[str]:
    """A row of the ablation, in the order of `COLUMNS`."""
    counts = ("suppressed", "audited", "in_force", "retracted", "rescheduled", "lost", "lost_rare")
    return [one["setting"], f"{one['saved']:.1%}", *(f"{one[name]:,}" for name in counts)]


def with_section(page: str, report: dict[str, Any]) -> str:
    """A page with that part, the last one, exchanged."""
    return page.partition(HEADING)[0].rstrip("\n") + "\n" + section(report)


def summary(pairs: Sequence[Pair]) -> list[str]:
    """What the random sites came to, line by line."""
    return list(figures(pairs))


def as_json(tables: dict[str, list[ablation.Row]]) -> dict[str, list[dict[str, Any]]]:
    """The ablation as JSON knows it."""
    return {table: [asdict(one) for one in rows] for table, rows in tables.items()}
