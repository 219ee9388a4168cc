"""`python -m benchmarks.seen_child HOW FILTER FOLDER COUNT...`: what is seen grows in a process of its own.

A line of JSON for each count. HOW: `memory`, `JOBDIR` and `reopened` are the store alone, asked with digests;
`requests` is the whole filter, asked with requests.
"""

import gc
import json
import os
import re
import resource
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from random import Random
from time import perf_counter_ns, process_time_ns
from typing import Any

from scrapy import Request
from scrapy.dupefilters import RFPDupeFilter

from benchmarks import crawl
from iri_canon.equivalence import open_seen, profile
from iri_canon.equivalence.stores import State

MEMORY, JOB_DIR, REOPENED, REQUESTS = "memory", "JOBDIR", "reopened", "requests"
BATCH, LOOK_UPS = 10_000, 50_000
#: Scrapy's fingerprints are this long; ours are shorter.
SCRAPYS_DIGEST = 20
FILE = "seen.sqlite"


@dataclass(frozen=True, slots=True)
class Store:
    """What is done with a store: digests of a size are added, looked up, brought to the disk, and all is closed."""

    size: int
    add: Callable[[list[bytes]], object]
    look_up: Callable[[bytes], object]
    flush: Callable[[], object]
    close: Callable[[], object]


class AsGiven:
    """For Scrapy's filter: a digest in the place of a request is its own fingerprint."""

    def fingerprint(self, request: Any) -> bytes:
        fingerprint: bytes = request
        return fingerprint


def ours(folder: Path | None) -> Store:
    """Our store: a request is claimed, and then done."""
    seen = open_seen(None if folder is None else folder / FILE, profile([]))
    put, claimed, done = seen.put, State.CLAIMED, State.DONE

    def add(digests: list[bytes]) -> None:
        for digest in digests:
            put(digest, claimed)
        for digest in digests:
            put(digest, done, 200)

    return Store(16, add, seen.get, seen.flush, lambda: seen.close(clean=True))


def scrapys(folder: Path | None) -> Store:
    """Scrapy's: it knows one thing of a request, that it was seen."""
    seen: Any = RFPDupeFilter(None if folder is None else str(folder), fingerprinter=AsGiven())

    def add(digests: list[bytes]) -> None:
        for digest in digests:
            seen.request_seen(digest)

    def flush() -> None:
        if seen.file:
            seen.file.flush()

    return Store(SCRAPYS_DIGEST, add, seen.request_seen, flush, lambda: seen.close("finished"))


STORES: dict[str, Callable[[Path | None], Store]] = {crawl.OURS: ours, crawl.SCRAPY: scrapys}


def grow(who: str, folder: Path | None, counts: list[int]) -> Iterator[dict[str, float]]:
    """The store at each count: octets, and nanoseconds to add and to look up. It is closed at the end."""
    before = resident()
    store = STORES[who](folder)
    known = 0
    for count in counts:
        spent = clock = 0
        added = count - known
        while known < count:
            batch = digests(range(known, min(known + BATCH, count)), store.size)
            start, begun = process_time_ns(), perf_counter_ns()
            store.add(batch)
            spent, clock = spent + process_time_ns() - start, clock + perf_counter_ns() - begun
            known += len(batch)
        batch = []
        begun = perf_counter_ns()
        store.flush()
        clock += perf_counter_ns() - begun
        gc.collect()
        row = {"urls": count, "resident": resident() - before, "peak": peak() - before, "disk": disk(folder)}
        yield row | {
            "add_ns": spent / added,
            "add_clock_ns": clock / added,
            "look_up_ns": look_up(store, count),
        }
    store.close()


def reopened(who: str, folder: Path, count: int) -> dict[str, float]:
    """A store of the count that another process closed: the seconds until it answers."""
    before = resident()
    start, begun = process_time_ns(), perf_counter_ns()
    store = STORES[who](folder)
    store.look_up(digests(range(1), store.size)[0])
    spent, clock = process_time_ns() - start, perf_counter_ns() - begun
    gc.collect()
    figures: dict[str, float] = {
        "urls": count,
        "resident": resident() - before,
        "peak": peak() - before,
        "disk": disk(folder),
    }
    figures |= {"open_s": spent / 1e9, "open_clock_s": clock / 1e9, "look_up_ns": look_up(store, count)}
    store.close()
    return figures


def through_filter(who: str, counts: list[int]) -> Iterator[dict[str, float]]:
    """The whole filter, each request answered before the next: octets that it keeps."""
    crawler, duplicates = crawl.new_filter(crawl.SETTINGS[who])
    crawl.live(crawler, duplicates, [Request("http://example.com/first")])
    before, known = resident(), 0
    for count in counts:
        for number in range(known, count):
            crawl.live(
                crawler, duplicates, [Request(f"http://www.site{number % 1000}.example/page/{number}?id=1")]
            )
        known = count
        gc.collect()
        yield {"urls": count, "resident": resident() - before, "peak": peak() - before}
    duplicates.close("finished")


def look_up(store: Store, count: int) -> float:
    """Nanoseconds of processor time, digests that are known, drawn from all."""
    draw = Random(0)
    wanted = digests((draw.randrange(count) for _ in range(LOOK_UPS)), store.size)
    ask = store.look_up
    start = process_time_ns()
    for digest in wanted:
        ask(digest)
    return (process_time_ns() - start) / len(wanted)


def digests(numbers: Any, size: int) -> list[bytes]:
    return [blake2b(number.to_bytes(8, "big"), digest_size=size).digest() for number in numbers]


def resident() -> int:
    """Octets now; where the system does not tell, the most there were."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return peak()


def peak() -> int:
    """The most octets that were resident: on Linux since this program began, and not what started it."""
    status = Path("/proc/self/status")
    if status.exists() and (told := re.search(r"VmHWM:\s+(\d+) kB", status.read_text())):
        return int(told[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def disk(folder: Path | None) -> int:
    """Octets of all files."""
    paths = [] if folder is None else folder.rglob("*")
    return sum(path.stat().st_size for path in paths if path.is_file())


def main() -> None:
    how, who, folder, *counts = sys.argv[1:]
    numbers = list(map(int, counts))
    ways: dict[str, Callable[[], Iterator[dict[str, float]]]] = {
        MEMORY: lambda: grow(who, None, numbers),
        JOB_DIR: lambda: grow(who, Path(folder), numbers),
        REOPENED: lambda: iter([reopened(who, Path(folder), numbers[-1])]),
        REQUESTS: lambda: through_filter(who, numbers),
    }
    for row in ways[how]():
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
