"""What was seen, as it grows: memory, disk and look-ups against the number of URLs, ours beside Scrapy's."""

import json
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks import crawl, seen_child
from benchmarks.lists import ROOT
from benchmarks.sections import Figures, Run, Section
from benchmarks.tables import Table, micro, times

COUNTS = (100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000)
QUICK_COUNTS = (2_000, 20_000)
#: The whole filter takes long for a request.
REQUESTS, QUICK_REQUESTS = (50_000, 100_000, 200_000, 500_000), (500, 1_000)
TEXT = """\
Each filter in a process of its own, which grows; "resident" is what the process has more than before it began,
"peak" the most it ever had more. The store alone is given digests: ours takes a request as claimed and then as done,
Scrapy's set knows that it was seen. Digests looked up are drawn from all that are known. After {most:,} URLs the
JOBDIR is closed, and a second process opens it again. The whole filter is asked with requests, which are answered at
once. Times are processor time, and by the clock for what goes to the disk. MB are 1,000,000 octets.
"""


def measure(run: Run) -> Figures:
    """Rows by way and filter."""
    counts = QUICK_COUNTS if run.quick else COUNTS
    requests = QUICK_REQUESTS if run.quick else REQUESTS
    advance = run.bar("what was seen", 4 * len(crawl.SETTINGS))
    figures: Figures = {}
    for who in crawl.SETTINGS:
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
            for how in (seen_child.MEMORY, seen_child.JOB_DIR, seen_child.REOPENED, seen_child.REQUESTS):
                wanted = requests if how == seen_child.REQUESTS else counts
                figures.setdefault(how, {})[who] = rows_of(how, who, folder, wanted)
                advance()
    return figures


def rows_of(how: str, who: str, folder: str, counts: tuple[int, ...]) -> list[dict[str, Any]]:
    """What one process tells; raises `subprocess.CalledProcessError` where it fails."""
    asked = [sys.executable, "-m", "benchmarks.seen_child", how, who, folder, *map(str, counts)]
    told = subprocess.run(asked, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in told.stdout.splitlines()]


def text(figures: Figures) -> str:
    return TEXT.format(most=figures[seen_child.MEMORY][crawl.OURS][-1]["urls"])


def tables(figures: Figures) -> list[Table]:
    return [
        _grown("The store in memory", figures[seen_child.MEMORY]),
        _grown("The store in a JOBDIR", figures[seen_child.JOB_DIR]),
        _opened(figures[seen_child.REOPENED]),
        _memory("The whole filter in memory", figures[seen_child.REQUESTS]),
    ]


def _grown(title: str, by_filter: dict[str, list[dict[str, Any]]]) -> Table:
    rows = [
        (
            who,
            *_room(row),
            micro(row["add_ns"]),
            micro(row["add_clock_ns"]),
            f"{row['look_up_ns']:.0f}",
            times(row["look_up_ns"] / grown[0]["look_up_ns"]),
        )
        for who, grown in by_filter.items()
        for row in grown
    ]
    headings = (
        *("filter", *ROOM, "µs to add", "µs by the clock", "ns to look up"),
        "times that of the first",
    )
    return Table(title, headings, rows)


def _opened(by_filter: dict[str, list[dict[str, Any]]]) -> Table:
    rows = [
        (who, *_room(row), f"{row['open_s']:.2f}", f"{row['open_clock_s']:.2f}", f"{row['look_up_ns']:.0f}")
        for who, opened in by_filter.items()
        for row in opened
    ]
    headings = ("filter", *ROOM, "s to open", "s by the clock", "ns to look up")
    return Table("A JOBDIR that is opened again", headings, rows)


def _memory(title: str, by_filter: dict[str, list[dict[str, Any]]]) -> Table:
    rows = [(who, *_room(row)) for who, grown in by_filter.items() for row in grown]
    return Table(title, ("filter", *ROOM), rows)


ROOM = ("URLs", "resident MB", "octets a URL", "peak MB", "disk MB")


def _room(row: dict[str, Any]) -> tuple[str, ...]:
    kept = row["resident"]
    on_disk = f"{row['disk'] / 1e6:,.1f}" if row.get("disk") else ""
    return (
        *(f"{row['urls']:,}", f"{kept / 1e6:,.1f}", f"{kept / row['urls']:.0f}"),
        *(f"{row['peak'] / 1e6:,.1f}", on_disk),
    )


SECTION = Section("seen", "What was seen, as it grows", measure, text, tables)
