"""Measures what is asked for, shows it as tables, keeps it as JSON; a page and pictures are made from that."""

import gc
import json
import os
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks import (
    columns,
    crawl,
    dedup,
    glance,
    hostile,
    imports,
    keys,
    learning_cli,
    lengths,
    page,
    seen,
    site,
)
from benchmarks.lists import ROOT, shared_folder, url_lists
from benchmarks.peers import DISTRIBUTIONS, PEERS, contestants, machine, versions
from benchmarks.sections import PAGES, ROUNDS, Advance, Run, Section

SECTIONS = {
    module.SECTION.name: module.SECTION
    for module in (keys, columns, lengths, crawl, seen, site, imports, hostile)
}
PAGE = ROOT / "docs" / "performance.md"
#: Where no terminal says how wide it is: all libraries stand side by side.
WIDTH = 150

app = typer.Typer(add_completion=False)
app.command("learning")(learning_cli.main)
app.command("dedup")(dedup.main)


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Less than a minute: whether all of it works; no figures to publish."),
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")
    ] = None,
    page_file: Annotated[
        Path | None,
        typer.Option(
            "--page", metavar="FILE", help="Write docs/performance.md, with its pictures beside it."
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often everyone takes a turn.")] = ROUNDS,
    pages: Annotated[int, typer.Option(min=1, help="Of the sample site that is crawled.")] = PAGES,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help=f"One part, may be repeated: {', '.join(SECTIONS)}."),
    ] = None,
) -> None:
    """Measure keys, columns, the filter, its stores and a whole crawl against what else there is."""
    if context.invoked_subcommand is not None:
        return
    unknown = [name for name in only or () if name not in SECTIONS]
    if unknown:
        raise typer.BadParameter(f"there is no {unknown[0]}: {', '.join(SECTIONS)}", param_hint="--only")
    if page_file is not None:
        import_module("benchmarks.plots")  # an hour of measuring would be for nothing without its library
    console = _console()
    report = about(quick)
    for name, section in SECTIONS.items():
        if only is None or name in only:
            report["sections"][name] = measured(section, quick, rounds, pages, console)
            show(section, report["sections"][name], console)
            if json_file is not None:  # what was measured is not lost with what comes after it
                json_file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if not quick:
        console.print(glance.table(report).for_terminal())
    console.print(page.made_with(report).for_terminal())
    if page_file is not None:
        _write(report, page_file, console)


@app.command("page")
def write_page(
    figures: Annotated[
        list[Path],
        typer.Argument(metavar="FIGURES.json...", help="Of several, the last has a part's figures."),
    ],
    page_file: Annotated[Path, typer.Option("--page", metavar="FILE", help="The page.")] = PAGE,
) -> None:
    """Write docs/performance.md and its pictures from figures that were measured; what is written by hand stays."""
    report: dict[str, Any] = {}
    for path in figures:
        one = json.loads(path.read_text(encoding="utf-8"))
        report = one | {"sections": report.get("sections", {}) | one["sections"]}
    _write(report, page_file, _console())


def about(quick: bool) -> dict[str, Any]:
    """A report that has no figures yet."""
    return {
        "quick": quick,
        "versions": versions(
            dict.fromkeys((*(peer.distribution for peer in PEERS), *DISTRIBUTIONS, "pyarrow"))
        ),
        "left_out": contestants()[1],
        "sections": {},
    }


def measured(section: Section, quick: bool, rounds: int, pages: int, console: Console) -> dict[str, Any]:
    """One section's figures, with where and when they were measured."""
    load, begun = os.getloadavg()[0], perf_counter()
    gc.freeze()  # what is loaded by now need not be gone through before each turn
    bars = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*bars, console=console, transient=True) as progress:

        def bar(name: str, steps: int) -> Advance:
            task = progress.add_task(name, total=steps)
            return lambda: progress.advance(task)

        figures = section.measure(Run(quick, rounds, pages, bar))
    gc.unfreeze()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "load": load,
        "seconds": perf_counter() - begun,
        "figures": figures,
    }


def show(section: Section, measured: dict[str, Any], console: Console) -> None:
    """The tables of one section, and where they come from."""
    console.rule(section.heading, align="left")
    if section is keys.SECTION and shared_folder() is None:
        own = sum(map(len, url_lists().values()))
        told = f"The public lists are not here: only the project's own list of {own:,} URLs was measured."
        console.print(told, style="yellow", highlight=False)
    for table in section.tables(measured["figures"]):
        console.print(table.for_terminal())
    console.print(page.MEASURED.format(**measured), highlight=False, markup=False)


def _write(report: dict[str, Any], path: Path, console: Console) -> None:
    from benchmarks import plots  # what only measures needs no matplotlib

    if report["quick"]:
        console.print("These are figures of a quick run: not to be published.", style="yellow")
    page.write(path, report, SECTIONS.values())
    for written in (path, *plots.write(report, path.parent)):
        console.print(f"wrote {written}", highlight=False, markup=False, soft_wrap=True)


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH)
