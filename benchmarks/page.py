"""docs/performance.md is written by a run, so that no figure stands there that was not measured."""

from typing import Any

from benchmarks import crawl
from benchmarks.peers import OURS, W3LIB

HEAD = """\
# Performance

Made by `python -m benchmarks --page docs/performance.md`. All contestants take turns in one process; the figures are
processor time, medians of {rounds} rounds, and everyone is warmed up once before the first. Caches are left as they
are, for everyone: a list that is shorter than a cache is read from it after the first round. The other libraries do
other work (a WHATWG URL parser is no canonicalizer by RFC 3987, and none of them explains itself), so the ratios say
what a crawl pays, not who is better.

{machine}; {date}. {versions}.

{data}: {urls:,} URLs.

## A key

Microseconds a URL, and in brackets how many times the time of `iri_canon.key` that is. Over all lists it is
{times:.1f} times as fast as {w3lib}.

"""

CRAWL = """
## A request through the filter

The add-on and Scrapy's own filter, both in memory, {requests:,} requests of which {duplicates:,} are duplicates
for Scrapy. Nothing is sent. `request_seen` is what the scheduler asks, fingerprint included. The add-on also listens to
the signals of a request's way, which Scrapy's filter does not; the second pair of rows has them in, sent as Scrapy
sends them, to both.

"""


def row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |\n"


def page(report: dict[str, Any]) -> str:
    """The whole page."""
    whole, figures = report["keys"]["all lists"], report["crawl"]
    peers = list(whole["ns"])
    duplicates = figures["ways"]["request_seen"][crawl.SCRAPY]["duplicates"]
    parts = [
        HEAD.format(
            rounds=report["rounds"],
            machine=report["machine"],
            date=report["date"],
            versions=", ".join(f"{name} {number}" for name, number in report["versions"].items()),
            data="Public lists of real URLs, junk included" if report["shared"] else "The project's own list",
            urls=whole["urls"],
            times=whole["ns"][W3LIB] / whole["ns"][OURS],
            w3lib=W3LIB,
        ),
        row("list", "URLs", *peers),
        row("---", *(["---:"] * (len(peers) + 1))),
    ]
    for name, line in report["keys"].items():
        cells = (f"{line['ns'][who] / 1000:.2f} ({line['ns'][who] / line['ns'][OURS]:.1f})" for who in peers)
        parts.append(row(name, f"{line['urls']:,}", *cells))
    parts.append(row("raised ValueError", "", *(f"{count:,}" for count in report["refused"].values())))
    parts.append(CRAWL.format(requests=figures["requests"], duplicates=duplicates))
    parts += [row("what", "filter", "µs a request", f"times {crawl.OURS}"), row("---", "---", "---:", "---:")]
    for way, filters in figures["ways"].items():
        for who, line in filters.items():
            ratio = line["ns"] / filters[crawl.OURS]["ns"]
            parts.append(row(way, who, f"{line['ns'] / 1000:.2f}", f"{ratio:.1f}"))
    kept = ", ".join(f"{who} {octets:.0f}" for who, octets in figures["octets"].items())
    parts.append(f"\nOctets of memory kept for a URL, spellings included: {kept}.\n")
    return "".join(parts)
