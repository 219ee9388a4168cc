"""The sample crawl's command line: it prints the result on standard output and its progress on standard error.

Exit status: 0 where the add-on found every page with no more requests a page than the defaults, and with
learned rules every page with fewer requests (where sections are named: found every page); 1 where it did
not, or where a crawl failed; 2 where the command line is wrong.
"""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from sample_project.crawl import ADDON, AUDITED, DEFAULTS, Crawl, CrawlError, run
from sample_project.measure import Result
from sample_project.pages import Site
from sample_project.report import as_json, failures, print_report
from sample_project.sections import BASE_PAGES, RECIPES, build_site
from sample_project.server import SiteServer

LINE_EVERY = 200

app = typer.Typer(add_completion=False, no_args_is_help=False)


def _names(text: str) -> list[str]:
    return [name for name in (part.strip() for part in text.split(",")) if name]


def _site(seed: int, pages: int, sections: str) -> Site:
    try:
        return build_site(seed=seed, pages=pages, sections=_names(sections))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


Seed = Annotated[int, typer.Option(help="The site's seed: names, orders of links and kinds of redirects.")]
Pages = Annotated[int, typer.Option(min=1, help="Lay the site out with at least so many pages.")]
Sections = Annotated[str, typer.Option(help="Only these sections, with commas between them.")]


@app.callback(invoke_without_command=True)
def crawl(
    context: typer.Context,
    seed: Seed = 0,
    pages: Pages = BASE_PAGES,
    sections: Sections = "",
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    limit: Annotated[float, typer.Option(min=1, help="Seconds that one crawl may take.")] = 600,
) -> None:
    """Crawl the sample site with Scrapy's defaults, with the add-on and with learned rules, and count by the truth."""
    if context.invoked_subcommand is not None:
        return
    errors = Console(stderr=True)
    results = []
    for how in (DEFAULTS, ADDON, AUDITED):
        # A fresh site each time: cookies, 503s and gates start over.
        site = _site(seed, pages, sections)
        try:
            results.append(_crawl(how, site, limit, errors))
        except (CrawlError, OSError) as error:
            errors.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
            raise typer.Exit(1) from error
    wrong = failures(*results, whole=not sections)
    if json_output:
        typer.echo(json.dumps(as_json(site, seed, results, wrong), indent=2, ensure_ascii=False))
    else:
        print_report(Console(), site, results)
    for failure in wrong:
        errors.print(failure, style="red", markup=False, highlight=False, soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


@app.command()
def sections() -> None:
    """List the sections."""
    for recipe in RECIPES:
        typer.echo(f"{recipe.name:<16} {recipe.family:<9} {recipe.title}")


@app.command()
def serve(seed: Seed = 0, pages: Pages = BASE_PAGES, only: Sections = "") -> None:
    """Serve the site until Enter is pressed, for a crawl of your own."""
    with SiteServer(_site(seed, pages, only)) as server:
        typer.echo(f"export http_proxy={server.proxy} https_proxy={server.proxy}")
        typer.echo("Now, in another shell: scrapy crawl site. Enter ends the server.", err=True)
        input()


def _crawl(how: Crawl, site: Site, limit: float, errors: Console) -> Result:
    """One crawl, with a bar on a terminal and lines elsewhere."""
    total = len(site.pages)
    if errors.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("pages,"),
                   TextColumn("{task.fields[requests]} requests,"), TimeElapsedColumn())  # fmt: skip
        with Progress(*columns, console=errors) as bar:
            task = bar.add_task(how.name, total=total, requests=0)
            return run(
                how, site, limit=limit,
                progress=lambda site: bar.update(task, completed=len(site.served), requests=site.requests),
            )  # fmt: skip
    every = max(LINE_EVERY, total // 10)
    said = [-every]

    def line(site: Site) -> None:
        if site.requests - said[0] >= every:
            said[0] = site.requests
            typer.echo(f"{how.name}: {len(site.served)} of {total} pages, {site.requests} requests", err=True)

    result = run(how, site, limit=limit, progress=line)
    typer.echo(f"{how.name}: done, {result.found} of {total} pages, {result.requests} requests", err=True)
    return result


def main() -> None:
    """The entry point of `python -m sample_project`."""
    app(prog_name="python -m sample_project")
