"""The command dedup: what it may be asked; what it does stands apart, since other commands need no library for it."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from iri_canon.cli.inputs import names_in
from iri_canon.cli.output import complain

#: What the extra `logs` installs, by the names that are imported.
_LIBRARIES = ("duckdb", "jinja2", "markupsafe", "plotly", "pyarrow", "warcio")

_INPUT = "What is read"
_ONE_PAGE = "What is one page"
_OUTPUT = "What is written"
_RUN = "How it runs"


def _formats(incomplete: str) -> list[str]:
    from iri_canon.cli.dedup_logs import format_names

    return [name for name in format_names() if name.startswith(incomplete)]


def _conventions(incomplete: str) -> list[str]:
    from iri_canon.conventions import CONVENTIONS, PRESETS

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in (*PRESETS, *CONVENTIONS) if name.startswith(last)]


def _others(incomplete: str) -> list[str]:
    rungs = [name for name in ("w3lib", "simple", "syntax", "scheme") if name.startswith(incomplete)]
    return rungs + _conventions(incomplete)


def dedup_command(
    logs: Annotated[
        list[str],
        typer.Argument(
            metavar="LOG...", help="Files or quoted patterns ('2026-*.log.gz'); - is standard input."
        ),
    ],
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            autocompletion=_formats,
            rich_help_panel=_INPUT,
            help="auto, urls, jsonl, csv, parquet, scrapy-log, combined, cdx, cdxj, warc, arc, heritrix or sitemap. "
            "auto looks at the content, then at the name.",
        ),
    ] = "auto",
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            rich_help_panel=_OUTPUT,
            help="One row a page: .jsonl, .csv or .parquet; - is JSONL.",
        ),
    ] = None,
    urls: Annotated[
        str | None,
        typer.Option(
            "--urls",
            metavar="FILE",
            rich_help_panel=_OUTPUT,
            help="One URL a page, as found, whatever its status: seeds of a crawl.",
        ),
    ] = None,
    pairs: Annotated[
        str | None,
        typer.Option(
            "--pairs",
            metavar="FILE",
            rich_help_panel=_OUTPUT,
            help="Which spelling was merged with which, and why; as -o.",
        ),
    ] = None,
    stats: Annotated[
        str | None,
        typer.Option(
            "--stats", metavar="FILE", rich_help_panel=_OUTPUT, help="The counts as one JSON object."
        ),
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(
            "--report",
            metavar="FILE",
            rich_help_panel=_OUTPUT,
            help="The counts as a page to look at (HTML).",
        ),
    ] = None,
    conventions: Annotated[
        list[str] | None,
        typer.Option(
            "--conventions",
            "--convention",
            metavar="NAMES",
            autocompletion=_conventions,
            rich_help_panel=_ONE_PAGE,
            help="Conventions or presets to assume.",
        ),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="STORE",
            rich_help_panel=_ONE_PAGE,
            help="A store: its redirects and rules in force count, too.",
        ),
    ] = None,
    site: Annotated[
        str | None,
        typer.Option(
            "--site",
            metavar="URL",
            rich_help_panel=_INPUT,
            help="Scheme and host of the paths in an access log (combined).",
        ),
    ] = None,
    temporary: Annotated[
        bool,
        typer.Option(
            "--temporary", rich_help_panel=_ONE_PAGE, help="Let redirects of 302 and 307 count, too."
        ),
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="NAME",
            autocompletion=_others,
            rich_help_panel=_OUTPUT,
            help="Compare with w3lib, a rung (simple, syntax, scheme), conventions, or a profile (.json).",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="COLUMN",
            rich_help_panel=_OUTPUT,
            help="Columns of feeds and tables (jsonl, csv, parquet) to carry into -o.",
        ),
    ] = None,
    memory: Annotated[
        str,
        typer.Option(
            "--memory",
            metavar="SIZE",
            rich_help_panel=_RUN,
            help="What the engine may use; more goes to the disk.",
        ),
    ] = "1GB",
    spill: Annotated[
        str | None,
        typer.Option(
            "--spill",
            metavar="FOLDER",
            rich_help_panel=_RUN,
            help="Where that goes; without it, to the temporary folder.",
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            metavar="N",
            min=1,
            rich_help_panel=_RUN,
            help="Without it, as many as there are cores.",
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", rich_help_panel=_RUN, help="End at the first bad record or file, and write nothing."
        ),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", rich_help_panel=_OUTPUT, help="Replace outputs that exist.")
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            rich_help_panel=_RUN,
            help="Say only what is wrong with files and outputs; no table.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", rich_help_panel=_OUTPUT, help="Print the counts as one JSON object.")
    ] = False,
) -> None:
    """Tell which URLs of crawl logs are one page, and write each page once.

    Without -o a short table is printed. Standard error has for each file FILE: N records, M bad, K without URL, and
    before it the first bad records of each reason as FILE:LINE: byte OFFSET: reason. Logs are plain, gzip or zstd.
    Outputs are written whole or not at all.

    Examples:

    iri-canon dedup crawl.log.gz

    iri-canon dedup 'logs/2026-*.jsonl.zst' -o pages.parquet --report pages.html

    iri-canon dedup access.log --site https://example.com --conventions tracking-params --urls seeds.txt

    zcat feed.jl.gz | iri-canon dedup - --against w3lib --json

    Exit status: 0 all files were read to their end; 1 some file is missing, a directory, cut off, of another format,
    or not empty and without one readable record (the rest is written all the same), or a store or an output cannot be
    used; 2 usage; 130 interrupted.
    """
    try:
        from iri_canon.cli.dedup_run import Asked, dedup

        if report is not None:
            import_module("iri_canon.dedup.report")  # what it lacks is said before anything is read
    except ModuleNotFoundError as missing:
        library = (missing.name or "").partition(".")[0]
        if library not in _LIBRARIES:
            raise
        complain(
            f"iri-canon: dedup needs {library}; install the extra 'logs' (in a clone: pip install '.[logs]')"
        )
        raise typer.Exit(2) from None
    dedup(
        Asked(
            logs=logs,
            format_name=format_name.lower(),
            output=output,
            urls=urls,
            pairs=pairs,
            stats=stats,
            report=report,
            conventions=names_in(conventions),
            store=store,
            site=site,
            temporary=temporary,
            against=against,
            keep=names_in(keep),
            memory=memory,
            spill=spill,
            threads=threads,
            strict=strict,
            force=force,
            quiet=quiet,
            as_json=as_json,
        )
    )
