"""A column at a time: `iri_canon.arrow.keys` beside a loop over texts, and beside a pass of Arrow that only copies."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from time import perf_counter_ns, process_time_ns
from typing import Any

import can_ada
import pyarrow as pa
import pyarrow.compute as pc

from benchmarks import tiers
from benchmarks.lists import url_lists
from benchmarks.rounds import collector_paused, rotated
from benchmarks.sections import Advance, Figures, Run, Section
from benchmarks.tables import Table, times
from iri_canon.arrow import keys

QUICK_LINES, QUICK_ROUNDS = 200, 2
ALL = "all lists"
OURS = "arrow.keys"
PURE = "arrow.keys, pure"
LOOP = "can_ada looped"
COPY = "pc.utf8_upper"
ASCII_COPY = "pc.ascii_upper"
THREADS = (1, 2)
#: Pieces of the column that threads take.
PIECES = 16
TEXT = """\
The keys of a whole Arrow column. The loop has its texts as a list already and makes no column of what it finds, so
its conversions are not counted. `pc.utf8_upper` is the pass over all text that comes near a copy of it (it reads and
writes every character); `pc.ascii_upper` is the same for octets. Processor time of the process, medians of {rounds}
rounds, octets beyond UTF-8 replaced, since Arrow takes none.
"""


def looped(texts: list[str]) -> list[str]:
    """What a loop makes of them; what it refuses stands for itself."""
    found = []
    for text in texts:
        try:
            found.append(can_ada.parse(text).href)
        except ValueError:
            found.append(text)
    return found


def measure(run: Run) -> Figures:
    """Nanoseconds a URL by list and way, and how threads share the work."""
    lists = {
        name: list(map(_utf8, texts)) for name, texts in url_lists(QUICK_LINES if run.quick else None).items()
    }
    lists[ALL] = [text for texts in lists.values() for text in texts]
    turns = QUICK_ROUNDS if run.quick else run.rounds
    advance = run.bar("columns", turns * (len(lists) + 1))
    columns = {name: pa.array(texts, pa.string()) for name, texts in lists.items()}
    ways: dict[str, Callable[[Any], Any]] = {OURS: keys}
    if tiers.is_built():
        ways[PURE] = tiers.pure_keys()
    ways |= {LOOP: looped, COPY: pc.utf8_upper, ASCII_COPY: pc.ascii_upper}
    taken: dict[str, dict[str, list[float]]] = {name: {way: [] for way in ways} for name in lists}
    for turn in range(-1, turns):  # the first is for what is made at the first call
        for name, texts in lists.items():
            for way in rotated(ways, turn):
                given: Any = texts if way == LOOP else columns[name]
                with collector_paused():
                    start = process_time_ns()
                    ways[way](given)
                    elapsed = process_time_ns() - start
                if turn >= 0:
                    taken[name][way].append(elapsed / max(len(texts), 1))
            if turn >= 0:
                advance()
    ns = {name: {way: median(each) for way, each in row.items()} for name, row in taken.items()}
    return {
        "rounds": turns,
        "urls": {name: len(texts) for name, texts in lists.items()},
        "octets": columns[ALL].nbytes,
        "ns": ns,
        "threads": shared_by_threads(columns[ALL], turns, advance),
    }


def shared_by_threads(column: pa.Array, turns: int, advance: Advance) -> dict[str, float]:
    """Nanoseconds of the clock a URL, by the number of threads that take pieces of a column."""
    size = max(1, -(-len(column) // PIECES))
    pieces = [column.slice(start, size) for start in range(0, len(column), size)]
    taken: dict[int, list[float]] = {count: [] for count in THREADS}
    for turn in range(turns):
        for count in THREADS if turn % 2 else THREADS[::-1]:
            with ThreadPoolExecutor(count) as pool:
                start = perf_counter_ns()
                list(pool.map(keys, pieces))
                taken[count].append((perf_counter_ns() - start) / max(len(column), 1))
        advance()
    return {str(count): median(each) for count, each in taken.items()}


def text(figures: Figures) -> str:
    return TEXT.format(rounds=figures["rounds"])


def tables(figures: Figures) -> list[Table]:
    ways = list(figures["ns"][ALL])
    rows = []
    for name, line in figures["ns"].items():
        cells = (f"{line[way]:.0f}" for way in ways)
        ratios = (times(line[LOOP] / line[OURS]), times(line[OURS] / line[COPY]))
        rows.append((name, f"{figures['urls'][name]:,}", *cells, *ratios))
    headings = ("list", "URLs", *ways, "times as fast as the loop", f"times {COPY}")
    one, *_ = threads = list(figures["threads"])
    shared = [
        (f"{count} threads" if count != one else "1 thread", f"{ns:.0f}", times(figures["threads"][one] / ns))
        for count, ns in figures["threads"].items()
    ]
    return [
        Table("A column, ns a URL", headings, rows),
        Table(
            f"All lists, cut into {PIECES} pieces for {' and '.join(threads)} threads, by the clock",
            ("keys", "ns a URL", "times as fast"),
            shared,
        ),
    ]


def _utf8(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


SECTION = Section("columns", "A column", measure, text, tables)
