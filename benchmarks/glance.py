"""The figures that were aimed at, beside what was measured: one line each, from the parts that a report has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks import columns, crawl, imports, keys, lengths, seen, seen_child, site
from benchmarks.peers import CAN_ADA, OURS, PURE, W3LIB
from benchmarks.sections import Figures
from benchmarks.tables import Table, times
from sample_project.crawl import ADDON, DEFAULTS

HEADING = "At a glance"


@dataclass(frozen=True, slots=True)
class Aim:
    """What was measured, and the least that it should be, or the most."""

    what: str
    value: float
    aim: float
    unit: str = "times"
    at_least: bool = True

    @property
    def is_met(self) -> bool:
        return self.value >= self.aim if self.at_least else self.value <= self.aim

    def row(self) -> tuple[str, ...]:
        aim = f"at {'least' if self.at_least else 'most'} {self.aim:g}"
        return (self.what, times(self.value), self.unit, aim, "yes" if self.is_met else "no")


def at_most(what: str, value: float, aim: float, unit: str = "times") -> Aim:
    return Aim(what, value, aim, unit, at_least=False)


def table(report: dict[str, Any]) -> Table:
    """Of the parts that were measured."""
    found = [
        aim
        for name, of in AIMS.items()
        if name in report["sections"]
        for aim in of(report["sections"][name]["figures"])
    ]
    missed = frozenset(number for number, aim in enumerate(found) if not aim.is_met)
    headings = ("what", "measured", "unit", "aimed at", "met")
    return Table("What was aimed at", headings, [aim.row() for aim in found], marked=missed)


def of_keys(figures: Figures) -> Iterator[Aim]:
    """Both tiers; where there is one, it is the pure one."""
    whole, lists = figures["keys"][keys.ALL]["ns"], figures["keys"].values()
    pure = PURE if PURE in whole else OURS
    if pure is PURE:
        yield Aim("key, kernel, all lists: as fast as can_ada", whole[CAN_ADA] / whole[OURS], 3)
        yield Aim("key, kernel, all lists: as fast as w3lib", whole[W3LIB] / whole[OURS], 60)
        slowest = max(line["ns"][OURS] / line["ns"][CAN_ADA] for line in lists)
        yield at_most("key, kernel, its slowest list: the time of can_ada", slowest, 1.5)
    yield Aim("key, pure Python, all lists: as fast as w3lib", whole[W3LIB] / whole[pure], 8)
    least = min(line["ns"][W3LIB] / line["ns"][pure] for line in lists)
    yield Aim("key, pure Python, its slowest list: as fast as w3lib", least, 4)


def of_columns(figures: Figures) -> Iterator[Aim]:
    ns = figures["ns"][columns.ALL]
    if columns.PURE not in ns:  # it is the kernel that was meant
        return
    yield Aim("arrow.keys, all lists: as fast as can_ada in a loop", ns[columns.LOOP] / ns[columns.OURS], 8)
    yield at_most("arrow.keys, all lists: the time of pc.utf8_upper", ns[columns.OURS] / ns[columns.COPY], 3)


def of_lengths(figures: Figures) -> Iterator[Aim]:
    peer = lengths.at_longest(figures, lengths.ORDINARY, CAN_ADA)
    longest = f"{figures['lengths'][-1]:,} characters"
    for kind, name in (
        (lengths.ORDINARY, "ordinary"),
        (lengths.HOSTILE, f'hostile ("{figures["slowest"]}")'),
    ):
        what = f"key, {longest}, {name}: the time of can_ada on ordinary text"
        ours = lengths.at_longest(figures, kind, OURS)
        yield at_most(what, ours / peer if ours and peer else float("inf"), 1)


def of_filter(figures: Figures) -> Iterator[Aim]:
    way, *_ = crawl.WAYS
    for medium, aim in ((crawl.IN_MEMORY, 4), (crawl.IN_JOB_DIR, 1)):
        ours, scrapys = (figures["media"][medium][way][who]["ns"] for who in (crawl.OURS, crawl.SCRAPY))
        ratio = median(other / own for own, other in zip(ours, scrapys, strict=True))
        yield Aim(f"request_seen, {medium}: as fast as Scrapy's", ratio, aim)


def of_seen(figures: Figures) -> Iterator[Aim]:
    in_memory = figures[seen_child.MEMORY][crawl.OURS][-1]
    first, *_, last = figures[seen_child.JOB_DIR][crawl.OURS]
    urls = f"{last['urls']:,} URLs"
    yield at_most(f"{urls} in memory", in_memory["resident"] / in_memory["urls"], 80, "octets a URL")
    yield at_most(f"{urls} in a JOBDIR: on the disk", last["disk"] / 1e6, 300, "MB")
    yield at_most(f"{urls} in a JOBDIR: resident", last["resident"] / 1e6, 150, "MB")
    slower = last["look_up_ns"] / first["look_up_ns"]
    yield at_most(f"{urls} in a JOBDIR: a look-up, to that at {first['urls']:,}", slower, 2)


def of_site(figures: Figures) -> Iterator[Aim]:
    crawls = figures["crawls"]
    pairs = zip(crawls[ADDON.name], crawls[DEFAULTS.name], strict=True)
    ratio = median(ours["found"] / ours["seconds"] / (one["found"] / one["seconds"]) for ours, one in pairs)
    yield Aim(f"pages a minute, {figures['pages']:,} pages: those of the defaults", ratio, 0.98)


def of_imports(figures: Figures) -> Iterator[Aim]:
    yield at_most("import iri_canon", figures["imports"]["iri_canon"]["ms"], 40, "ms")


AIMS: dict[str, Callable[[Figures], Iterator[Aim]]] = {
    keys.SECTION.name: of_keys,
    columns.SECTION.name: of_columns,
    lengths.SECTION.name: of_lengths,
    crawl.SECTION.name: of_filter,
    seen.SECTION.name: of_seen,
    site.SECTION.name: of_site,
    imports.SECTION.name: of_imports,
}
