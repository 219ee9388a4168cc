"""Runs the rounds and shows the tables, with machine, versions and date beside."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from benchmarks import crawl, dedup, hostile, learning_cli
from benchmarks.lists import shared_folder, url_lists
from benchmarks.page import page, with_hostile_section
from benchmarks.peers import OURS, PEERS, SHORT, W3LIB, machine, versions
from benchmarks.rounds import Figures, take_turns

QUICK_LINES = 500
QUICK_REQUESTS = 3_000
REQUESTS = 20_000
TIMES = f"times {crawl.OURS}"


def totals(by_list: dict[str, dict[str, Figures]], sizes: dict[str, int]) -> dict[str, float]:
    """Nanoseconds a URL over all lists: the lists' medians, weighted by their lengths."""
    whole = sum(sizes.values())
    return {who: sum(by_list[name][who].median * sizes[name] for name in by_list) / whole for who in PEERS}


def refusals(by_list: dict[str, dict[str, Figures]]) -> dict[str, int]:
    return {who: sum(figures[who].refused for figures in by_list.values()) for who in PEERS}


def keys_table(report: dict[str, Any]) -> Table:
    """Fits 80 columns; the page has the ratios of each list besides."""
    table = Table(
        title="One URL: median of the rounds, µs",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    table.add_column("list", no_wrap=True)
    table.add_column("URLs", justify="right", no_wrap=True)
    for who in PEERS:
        table.add_column(SHORT[who], justify="right", no_wrap=True)
    for name, row in report["keys"].items():
        table.add_row(name, f"{row['urls']:,}", *(f"{row['ns'][who] / 1000:.2f}" for who in PEERS))
    all_lists = report["keys"]["all lists"]["ns"]
    times = (f"{all_lists[who] / all_lists[OURS]:.1f}" for who in PEERS)
    table.add_row(f"times {SHORT[OURS]}", "", *times)
    table.add_row("raised ValueError", "", *(f"{count:,}" for count in report["refused"].values()))
    return table


def crawl_table(report: dict[str, Any]) -> Table:
    figures = report["crawl"]
    title = f"One request through the duplicate filter, in memory ({figures['requests']:,} requests)"
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    table.add_column("what")
    table.add_column("filter")
    for heading in ("duplicates", "µs", TIMES):
        table.add_column(heading, justify="right")
    for way, filters in figures["ways"].items():
        for who, row in filters.items():
            ratio = row["ns"] / filters[crawl.OURS]["ns"]
            table.add_row(way, who, f"{row['duplicates']:,}", f"{row['ns'] / 1000:.2f}", f"{ratio:.1f}")
        table.add_section()
    for who, octets in figures["octets"].items():
        table.add_row(
            "octets a URL", who, "", f"{octets:.0f}", f"{octets / figures['octets'][crawl.OURS]:.1f}"
        )
    return table


def hostile_table(report: dict[str, Any]) -> Table:
    figures = report["hostile"]
    large = figures["large"]
    title = f"Hostile text of {figures['small']:,} and {large:,} characters, {len(hostile.KINDS)} kinds"
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    for heading in ("function", "slowest kind"):
        table.add_column(heading)
    for heading in ("s/MB", "growth"):
        table.add_column(heading, justify="right")
    table.add_column("steepest kind")
    table.add_column("growth", justify="right")
    for label, worst in figures["worst"].items():
        is_flagged = max(worst["factor"], worst["steepest"]) > hostile.SUSPICIOUS
        table.add_row(
            label,
            worst["kind"],
            f"{worst['ns'] / large / 1000:.2f}",
            f"{worst['factor']:.1f}",
            worst["steepest_kind"],
            f"{worst['steepest']:.1f}{' !' if is_flagged else ''}",
            style="bold red" if is_flagged else None,
        )
    return table


def measure_hostile(quick: bool, console: Console) -> dict[str, Any]:
    """The worst of each public function, as JSON knows it."""
    small, large = (hostile.QUICK_SMALL, hostile.QUICK_LARGE) if quick else (hostile.SMALL, hostile.LARGE)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("measuring hostile text", total=len(hostile.calls()))
        found = hostile.measure(small, large, lambda: progress.advance(task))
    return {
        "small": small,
        "large": large,
        "worst": {
            label: {
                "kind": worst.kind,
                "ns": worst.nanoseconds,
                "factor": worst.factor,
                "steepest_kind": worst.steepest_kind,
                "steepest": worst.steepest,
            }
            for label, worst in found.items()
        },
    }


def measure(quick: bool, rounds: int, console: Console) -> dict[str, Any]:
    """The figures of keys and of the filter, as JSON knows them."""
    lists = url_lists(QUICK_LINES if quick else None)
    sizes = {name: len(texts) for name, texts in lists.items()}
    every = [url for texts in lists.values() for url in texts]
    urls = crawl.accepted(every, QUICK_REQUESTS if quick else REQUESTS)
    steps = rounds * (len(lists) * len(PEERS) + len(crawl.SETTINGS) * len(crawl.WAYS))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("measuring", total=steps)
        by_list = take_turns(PEERS, lists, rounds, lambda: progress.advance(task))
        ways = crawl.take_turns(urls, rounds, lambda: progress.advance(task))
    keys = {
        name: {"urls": sizes[name], "ns": {who: figures.median for who, figures in row.items()}}
        for name, row in by_list.items()
    }
    keys["all lists"] = {"urls": sum(sizes.values()), "ns": totals(by_list, sizes)}
    return {
        "shared": shared_folder() is not None,
        "rounds": rounds,
        "keys": keys,
        "refused": refusals(by_list),
        "crawl": {
            "requests": len(urls),
            "ways": {
                way: {who: {"ns": one.median, "duplicates": one.refused} for who, one in filters.items()}
                for way, filters in ways.items()
            },
            "octets": crawl.octets_kept(urls),
        },
    }


app = typer.Typer(add_completion=False)
app.command("learning")(learning_cli.main)
app.command("dedup")(dedup.main)


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    quick: Annotated[
        bool, typer.Option("--quick", help="Some seconds: the beginning of each list, short texts.")
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")
    ] = None,
    page_file: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help="Write docs/performance.md.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often everyone takes a turn.")] = 5,
    hostile_only: Annotated[
        bool,
        typer.Option("--hostile-only", help="Measure hostile text alone; a page keeps its other parts."),
    ] = False,
) -> None:
    """Measure keys and the duplicate filter against other libraries, and every public function on hostile text."""
    if context.invoked_subcommand is not None:
        return
    console = Console()
    report: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "quick": quick,
    }
    if not hostile_only:
        report |= measure(quick, rounds, console)
        show(report, console)
    report["hostile"] = measure_hostile(quick, console)
    console.print(hostile_table(report))
    console.print(f"{report['machine']}; {report['date']}", highlight=False)
    console.print(
        ", ".join(f"{name} {number}" for name, number in report["versions"].items()), highlight=False
    )
    if json_file is not None:
        json_file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if page_file is not None:
        found = (
            with_hostile_section(page_file.read_text(encoding="utf-8"), report)
            if hostile_only
            else page(report)
        )
        page_file.write_text(found, encoding="utf-8")


def show(report: dict[str, Any], console: Console) -> None:
    """The tables of keys and of the filter."""
    if not report["shared"]:
        own = report["keys"]["all lists"]["urls"]
        console.print(
            f"The public lists are not here: only the project's own list of {own:,} URLs was measured.",
            style="yellow",
            highlight=False,
        )
    console.print(keys_table(report))
    console.print(
        ", ".join(f"{short}: {who}" for who, short in SHORT.items() if short != who), highlight=False
    )
    all_lists = report["keys"]["all lists"]["ns"]
    console.print(f"Over all lists: {all_lists[W3LIB] / all_lists[OURS]:.1f} times as fast as {W3LIB}.")
    console.print(crawl_table(report))
    console.print(f"{report['rounds']} rounds in turn", highlight=False)
