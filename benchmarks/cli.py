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

from benchmarks import crawl
from benchmarks.lists import shared_folder, url_lists
from benchmarks.page import page
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


def measure(quick: bool, rounds: int, console: Console) -> dict[str, Any]:
    """The whole report as JSON knows it."""
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
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "shared": shared_folder() is not None,
        "quick": quick,
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


def main(
    quick: Annotated[
        bool, typer.Option("--quick", help="A few seconds: the beginning of each list.")
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")
    ] = None,
    page_file: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help="Write docs/performance.md.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often everyone takes a turn.")] = 5,
) -> None:
    """Measure keys and the duplicate filter against other libraries."""
    console = Console()
    report = measure(quick, rounds, console)
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
    console.print(f"{report['machine']}; {report['date']}; {rounds} rounds in turn", highlight=False)
    console.print(
        ", ".join(f"{name} {number}" for name, number in report["versions"].items()), highlight=False
    )
    if json_file is not None:
        json_file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if page_file is not None:
        page_file.write_text(page(report), encoding="utf-8")
