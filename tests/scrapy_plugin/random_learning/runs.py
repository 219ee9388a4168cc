"""Many sites are crawled by some processes side by side, each in both modes, and the figures are read off the pairs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self

from tests.scrapy_plugin.random_learning.crawl import Job, Run
from tests.scrapy_plugin.random_learning.sites import PROFILES

ROOT = Path(__file__).resolve().parents[3]
OBSERVED: dict[str, Any] = {"IRI_CANON_LEARN": "observed"}
AUDITED: dict[str, Any] = {"IRI_CANON_LEARN": "audited"}
SHOWN = frozenset({"holds: equal", "holds: token", "holds: time"})
TOLD = (
    "suppressed",
    "audited",
    "agreed",
    "disagreed",
    "undecided",
    "rescheduled",
    "moved",
    "rules/in_force",
    "rules/retracted",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """One site, crawled with what was observed alone and with learned rules."""

    observed: Run
    audited: Run

    @property
    def saved(self) -> float:
        """The share of the requests that the rules saved."""
        return 1 - self.audited.sent / self.observed.sent

    @property
    def lost(self) -> dict[str, list[str]]:
        """The pages that only the crawl with rules lost, by section."""
        found = {
            section: [page for page in pages if page not in self.observed.lost.get(section, ())]
            for section, pages in self.audited.lost.items()
        }
        return {section: pages for section, pages in found.items() if pages}

    def failures(self) -> list[str]:
        """All that may not be: pages lost, pages that even the other crawl missed, errors."""
        behaviours = {"home": "home", **self.audited.behaviours}
        told = [
            f"{len(pages)} pages of {section} ({behaviours[section]}) lost, the first: {pages[0]}"
            for section, pages in self.lost.items()
        ]
        if self.observed.missing:
            told.append(
                f"{self.observed.missing} pages are not found without rules either: {self.observed.lost}"
            )
        told += [*self.observed.errors, *self.audited.errors]
        profile = f" --profile '{self.observed.profile}'" if self.observed.profile not in PROFILES else ""
        alone = f"python -m tests.scrapy_plugin.random_learning --seeds {self.observed.seed}{profile}"
        return [f"seed {self.observed.seed}: {one}; alone: {alone}" for one in told]


class Process:
    """A process that crawls; use it as a context manager."""

    def __init__(self) -> None:
        environment = {
            name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.scrapy_plugin.random_learning.crawl"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"},
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._process.kill()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def run(self, job: Job) -> Run:
        """Crawl one site; `RuntimeError` where the process ends over it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(
                f"the crawl of seed {job.seed} ended its process; its settings: {job.settings}"
            )
        return Run(*json.loads(answer))


def crawl_all(
    jobs: Iterable[Job], processes: int, progress: Callable[[], object] = lambda: None
) -> list[Run]:
    """The runs in the order of the jobs."""
    idle: SimpleQueue[Process] = SimpleQueue()

    def crawl(job: Job) -> Run:
        process = idle.get()
        try:
            return process.run(job)
        finally:
            idle.put(process)
            progress()

    with ExitStack() as stack:
        for _ in range(processes):
            idle.put(stack.enter_context(Process()))
        pool = stack.enter_context(ThreadPoolExecutor(processes))
        return list(pool.map(crawl, jobs))


def compare(
    seeds: Iterable[int],
    settings: Mapping[str, Any] = AUDITED,
    *,
    profile: str = "",
    processes: int = 2,
    progress: Callable[[], object] = lambda: None,
) -> list[Pair]:
    """Crawl the sites of these seeds in both modes."""
    jobs = [Job(seed, profile, dict(how)) for seed in seeds for how in (OBSERVED, settings)]
    runs = crawl_all(jobs, processes, progress)
    return [Pair(*two) for two in zip(runs[::2], runs[1::2], strict=True)]


def saved_in_all(pairs: Sequence[Pair]) -> float:
    """Requests saved, as a share of those that the other crawls sent."""
    before = sum(pair.observed.sent for pair in pairs)
    return 1 - sum(pair.audited.sent for pair in pairs) / before if before else 0.0


def where_conventions_hold(pairs: Iterable[Pair]) -> list[Pair]:
    """The sites of which every section holds to its customs."""
    return [pair for pair in pairs if pair.observed.profile == "holds"]


def saved_where_pages_are_shown(pairs: Iterable[Pair]) -> float:
    """The share saved in the sections that hold to their customs and show a page at each of its spellings."""
    before = after = 0
    for pair in pairs:
        for section, behaviour in pair.observed.behaviours.items():
            if behaviour in SHOWN:
                before += pair.observed.requests[section]
                after += pair.audited.requests[section]
    return 1 - after / before if before else 0.0


def figures(pairs: Sequence[Pair]) -> Iterator[str]:
    """The lines of a report."""
    pages, lost = (
        sum(pair.observed.pages for pair in pairs),
        sum(len(p) for pair in pairs for p in pair.lost.values()),
    )
    before, after = (
        sum(run.sent for run in runs) for runs in zip(*((p.observed, p.audited) for p in pairs), strict=True)
    )
    yield f"{len(pairs)} sites, {pages:,} pages; requests: {before:,} observed, {after:,} audited"
    yield f"URL reduction {saved_in_all(pairs):.1%}, page loss {lost / pages:.2%} ({lost} pages)"
    for name, some in (("all sites", pairs), ("where conventions hold", where_conventions_hold(pairs))):
        if some:
            yield f"saved, {name} ({len(some)}): {saved_in_all(some):.1%}; {_distribution([p.saved for p in some])}"
    yield f"saved, sections that hold and show a page at each spelling: {saved_where_pages_are_shown(pairs):.1%}"
    yield ", ".join(f"{name} {sum(p.audited.learned.get(name, 0) for p in pairs):,}" for name in TOLD)
    yield f"{'behaviour':<44} {'sections':>8} {'observed':>8} {'audited':>8} {'saved':>6} {'lost':>5}"
    for behaviour, (count, one, other, missing) in sorted(_by_behaviour(pairs).items()):
        yield f"{behaviour:<44} {count:>8} {one:>8,} {other:>8,} {1 - other / one:>6.1%} {missing:>5}"


def _distribution(shares: list[float]) -> str:
    """Least, the quarters, and most."""
    ordered = sorted(shares)
    places = {"least": 0.0, "10 %": 0.1, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "90 %": 0.9, "most": 1.0}
    return ", ".join(f"{name} {ordered[round(at * (len(ordered) - 1))]:.1%}" for name, at in places.items())


def _by_behaviour(pairs: Iterable[Pair]) -> dict[str, tuple[int, int, int, int]]:
    found: dict[str, tuple[int, int, int, int]] = {}
    for pair in pairs:
        for section, behaviour in pair.observed.behaviours.items():
            one = (
                1,
                pair.observed.requests[section],
                pair.audited.requests[section],
                len(pair.lost.get(section, ())),
            )
            before = found.get(behaviour, (0, 0, 0, 0))
            found[behaviour] = (
                before[0] + one[0],
                before[1] + one[1],
                before[2] + one[2],
                before[3] + one[3],
            )
    return found
