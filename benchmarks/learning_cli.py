"""`python -m benchmarks learning`: what learned rules save, lose and cost, as a part of docs/learning.md."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks import ablation, crawl, learning, learning_page
from benchmarks.lists import url_lists
from benchmarks.peers import machine, versions
from benchmarks.rounds import Figures
from tests.scrapy_plugin.random_learning.runs import compare

SITES, ABLATION_SITES, REQUESTS = 200, 36, 20_000
QUICK_SITES, QUICK_ABLATION_SITES, QUICK_REQUESTS = 4, 1, 2_000
FIRST_SEED = 2_000


def measure(
    sites: int, ablation_sites: int, requests: int, rounds: int, processes: int, console: Console
) -> dict[str, Any]:
    """All figures, as JSON knows them."""
    seeds = range(FIRST_SEED, FIRST_SEED + sites)
    some = range(ablation_sites)
    lists = url_lists(requests)
    urls = crawl.accepted([url for texts in lists.values() for url in texts], requests)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:

        def task(name: str, total: int) -> Any:
            number = progress.add_task(name, total=total)
            return lambda: progress.advance(number)

        overhead = learning.take_turns(urls, rounds, task("the filter", learning.steps(rounds)))
        if not sites:
            return about(overhead, urls, rounds)
        pairs = compare(seeds, processes=processes, progress=task("random sites", 2 * sites))
        tables = ablation.measure(some, processes, task("settings", ablation.steps(some)))
    return about(overhead, urls, rounds) | {
        "sites": learning_page.summary(pairs),
        "failures": [failure for pair in pairs for failure in pair.failures()],
        "ablation_sites": len(some),
        "ablation": learning_page.as_json(tables),
    }


def about(overhead: dict[str, dict[str, dict[str, Figures]]], urls: list[str], rounds: int) -> dict[str, Any]:
    """What the filter costs, and where and when that was measured."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "rounds": rounds,
        "requests": len(urls),
        "overhead": {
            case: {
                way: {mode: one.median for mode, one in modes.items()} | {"times": learning.ratios(modes)}
                for way, modes in ways.items()
            }
            for case, ways in overhead.items()
        },
        "failures": [],
    }


def main(
    quick: Annotated[bool, typer.Option("--quick", help="A minute or two: few sites, few requests.")] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")
    ] = None,
    page_file: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help='Exchange "Figures" in docs/learning.md.')
    ] = None,
    sites: Annotated[int, typer.Option(min=1, help="Random sites that are crawled in both modes.")] = SITES,
    ablation_sites: Annotated[int, typer.Option(min=1, help="Sites for each setting.")] = ABLATION_SITES,
    rounds: Annotated[int, typer.Option(min=1, help="How often all requests are asked for.")] = 5,
    processes: Annotated[int, typer.Option(min=1, help="Crawls side by side.")] = 2,
    overhead: Annotated[
        bool, typer.Option("--overhead", help="Only what the filter costs; nothing is crawled.")
    ] = False,
) -> None:
    """Measure what learned rules save, lose and cost: random sites, settings, and the filter."""
    console = Console()
    sizes = (sites, ablation_sites, REQUESTS)
    if quick:
        sizes = (QUICK_SITES, QUICK_ABLATION_SITES, QUICK_REQUESTS)
    if overhead:
        if page_file is not None:
            raise typer.BadParameter("the page needs all figures", param_hint="--page")
        sizes = (0, 0, sizes[2])
    report = measure(*sizes, rounds, processes, console)
    report["command"] = (
        f"python -m benchmarks learning --sites {sizes[0]} --ablation-sites {sizes[1]} --rounds {rounds}"
    )
    show = learning_page.overhead if overhead else learning_page.section
    console.print(show(report), markup=False, highlight=False, soft_wrap=True)
    for failure in report["failures"]:
        console.print(failure, style="red", markup=False, highlight=False, soft_wrap=True)
    if json_file is not None:
        json_file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if page_file is not None:
        page = page_file.read_text(encoding="utf-8")
        page_file.write_text(learning_page.with_section(page, report), encoding="utf-8")
    if report["failures"]:
        raise typer.Exit(1)
