"""docs/performance.md is written by a run, so that no figure stands there that was not measured."""

from typing import Any

from benchmarks import crawl, hostile
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


HOSTILE_HEADING = "\n## Hostile text\n"
HOSTILE = """
Each public function on {kinds} kinds of hostile text ({examples} ...) of {small:,} and of {large:,}
characters. Every kind is tried up to {middle:,} characters, the slowest and the steepest at the full size. "Growth"
is the time at the large size over {ratio} times that at the small: 1 where time is linear, {ratio} where it is
quadratic; above {flag:g} it is in bold. It is shown for the slowest kind, and for the one where it is largest.
Processor time, the best of some tries; an error is an answer, too. {machine}; {date}.

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
    return "".join(parts) + hostile_section(report)


def hostile_section(report: dict[str, Any]) -> str:
    """What the hostile texts cost."""
    figures = report["hostile"]
    small, large = figures["small"], figures["large"]
    names = list(hostile.KINDS)
    parts = [
        HOSTILE_HEADING,
        HOSTILE.format(
            kinds=len(names),
            examples=", ".join(names[:: len(names) // 8]),
            small=small,
            middle=10 * small,
            large=large,
            ratio=large // small,
            flag=hostile.SUSPICIOUS,
            machine=report["machine"],
            date=report["date"],
        ),
        row("function", "slowest kind", "s a million characters", "growth", "steepest kind", "growth"),
        row("---", "---", "---:", "---:", "---", "---:"),
    ]
    for label, worst in figures["worst"].items():
        seconds = f"{worst['ns'] / large / 1000:.2f}"
        growths = (worst["factor"], worst["steepest"])
        slow, steep = (f"**{each:.1f}**" if each > hostile.SUSPICIOUS else f"{each:.1f}" for each in growths)
        parts.append(row(f"`{label}`", worst["kind"], seconds, slow, worst["steepest_kind"], steep))
    return "".join(parts)


def with_hostile_section(page: str, report: dict[str, Any]) -> str:
    """A page that stands already, with that section, the last one, exchanged."""
    return page.partition(HOSTILE_HEADING)[0] + hostile_section(report)
