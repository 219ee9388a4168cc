"""`python -m benchmarks dedup`: a feed of real URLs, counted by `iri-canon dedup` and by what else there is."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from benchmarks.dedup_ways import COMMAND, DUCKDB, LOOP, WAYS
from benchmarks.lists import ROOT, shared_folder
from benchmarks.peers import machine, versions
from benchmarks.rounds import rotated

LINES, QUICK_LINES = 5_000_000, 100_000
HEADING = "\n## Speed\n"
SECTION = """\
{heading}
Made by `{command}`: a feed of {lines:,} lines ({megabytes:,} MB), each with `url`, `status`,
`time` and `digest`; the URLs are drawn from {data}. Each way has a process of its own, and its time
is the clock's, from the start of the process to its end; medians of {rounds} rounds in turn. Memory is the most that
was resident.

{machine}; {date}. {versions}.

"""


class Figures:
    """What the rounds of one way came to."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.cpu: list[float] = []
        self.megabytes = 0.0
        self.found = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "seconds": median(self.seconds),
            "cpu": median(self.cpu),
            "megabytes": round(self.megabytes),
            "found": self.found,
        }


def run(way: str, log: Path, memory: str | None, figures: Figures) -> None:
    """One way, once; raises `subprocess.CalledProcessError` where it fails."""
    asked = [sys.executable, "-m", "benchmarks.dedup_ways", way, str(log), *([memory] if memory else [])]
    start = perf_counter()
    with subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    figures.seconds.append(perf_counter() - start)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, asked)
    figures.cpu.append(used.ru_utime + used.ru_stime)
    # of a process and of those that it started, the largest; Linux tells kilobytes
    figures.megabytes = max(figures.megabytes, used.ru_maxrss / 1000)
    figures.found = int(told)


def measure(
    ways: list[str], log: Path, rounds: int, memory: str | None, progress: Callable[[], object]
) -> dict[str, dict[str, Any]]:
    """All ways in turn."""
    figures = {way: Figures() for way in ways}
    for turn in range(rounds):
        for way in rotated(ways, turn):
            run(way, log, memory, figures[way])
            progress()
    return {way: each.as_json() for way, each in figures.items()}


def rows(report: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The table of one size: the ratios are to the last way."""
    figures = report["ways"]
    *_, own = figures.values()
    for way, each in figures.items():
        micro = each["seconds"] / report["lines"] * 1e6
        yield (
            way,
            f"{each['seconds']:.2f}",
            f"{micro:.2f}",
            f"{each['seconds'] / own['seconds']:.2f}",
            f"{each['cpu']:.2f}",
            f"{each['megabytes']:,}",
            f"{each['found']:,}",
        )


COLUMNS = ("way", "s", "µs a line", "times the last", "CPU s", "MB", "found")


def section(report: dict[str, Any]) -> str:
    """The part of docs/dedup.md."""
    parts = [
        SECTION.format(
            heading=HEADING,
            command=report["command"],
            lines=report["lines"],
            megabytes=report["megabytes"],
            data="public lists of real URLs" if report["shared"] else "the project's own list",
            rounds=report["rounds"],
            machine=report["machine"],
            date=report["date"],
            versions=", ".join(f"{name} {number}" for name, number in report["versions"].items()),
        ),
        "| " + " | ".join(COLUMNS) + " |\n",
        "| --- |" + " ---: |" * (len(COLUMNS) - 1) + "\n",
    ]
    parts += ["| " + " | ".join(row) + " |\n" for row in rows(report)]
    if report["growth"] is not None:
        parts.append(f"\nTwice the lines take {report['growth']:.2f} times as long.\n")
    return "".join(parts)


def with_section(page: str, report: dict[str, Any]) -> str:
    """A page with that part, the last one, exchanged."""
    return page.partition(HEADING)[0].rstrip("\n") + "\n" + section(report)


def table(report: dict[str, Any]) -> Table:
    found = Table(
        title=f"{report['lines']:,} lines, {report['megabytes']:,} MB",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    found.add_column(COLUMNS[0])
    for column in COLUMNS[1:]:
        found.add_column(column, justify="right")
    for row in rows(report):
        found.add_row(*row)
    return found


def lines_in(path: Path) -> int:
    """How many lines a feed has: one that was there already may be of any size."""
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def make_feed(path: Path, lines: int) -> None:
    """In another process: what this one holds, Linux counts as resident in those that it starts."""
    subprocess.run(
        [sys.executable, "-m", "benchmarks.dedup_feed", str(path), str(lines)], cwd=ROOT, check=True
    )


@contextmanager
def feed(path: Path | None, lines: int) -> Iterator[Path]:
    """A feed at its path, made where it is missing, or for a while."""
    if path is not None:
        if not path.exists():
            make_feed(path, lines)
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "feed.jsonl"
        make_feed(made, lines)
        yield made


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Some seconds: a short feed, once.")] = False,
    lines: Annotated[int, typer.Option(min=1, help="Of the feed.")] = LINES,
    rounds: Annotated[int, typer.Option(min=1, help="How often each way takes a turn.")] = 3,
    way: Annotated[list[str] | None, typer.Option(help="One of the ways; all, if none is named.")] = None,
    memory: Annotated[str | None, typer.Option(help="What dedup may take, as its option --memory.")] = None,
    log: Annotated[
        Path | None,
        typer.Option("--log", metavar="FILE", help="Keep the feed there; one that is there is read."),
    ] = None,
    double: Annotated[
        bool, typer.Option("--double", help="Measure the last way with twice the lines, too.")
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")
    ] = None,
    page_file: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help='Exchange "Speed" in docs/dedup.md.')
    ] = None,
) -> None:
    """Measure how fast a feed is counted: by dedup, by a loop over canonicalize_url, by DuckDB without keys."""
    ways = way or [LOOP, DUCKDB, COMMAND]
    if unknown := [name for name in ways if name not in WAYS]:
        raise typer.BadParameter(f"{unknown[0]!r} is none of: {', '.join(WAYS)}", param_hint="--way")
    if quick:
        lines, rounds = QUICK_LINES, 1
    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress, feed(log, lines) as path:
        lines = lines_in(path)
        task = progress.add_task("counting", total=rounds * (len(ways) + double))
        figures = measure(ways, path, rounds, memory, lambda: progress.advance(task))
        megabytes = round(path.stat().st_size / 1e6)
        growth = None
        if double:
            with feed(None, 2 * lines) as longer:
                last = ways[-1]
                twice = measure([last], longer, rounds, memory, lambda: progress.advance(task))
                growth = twice[last]["seconds"] / figures[last]["seconds"]
    report: dict[str, Any] = {
        "command": "python -m " + " ".join(["benchmarks", *sys.argv[1:]]),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "shared": shared_folder() is not None,
        "lines": lines,
        "megabytes": megabytes,
        "rounds": rounds,
        "memory": memory,
        "ways": figures,
        "growth": growth,
    }
    console.print(table(report))
    if growth is not None:
        console.print(f"Twice the lines take {growth:.2f} times as long.", highlight=False)
    console.print(f"{report['machine']}; {report['date']}", highlight=False)
    if json_file is not None:
        json_file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if page_file is not None:
        page = page_file.read_text(encoding="utf-8")
        page_file.write_text(with_section(page, report), encoding="utf-8")
