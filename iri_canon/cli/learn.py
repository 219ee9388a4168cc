"""The command learn: what logs show goes into a store; a file that cannot be read costs itself."""

from typing import Annotated

import typer


def learn_command(
    logs: Annotated[
        list[str], typer.Argument(metavar="LOG...", help="Logs, plain, gzip or zstd; - is standard input.")
    ],
    store: Annotated[
        str,
        typer.Option("--store", metavar="STORE", help="The file to learn into; made where there is none."),
    ],
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="auto, jsonl, csv, cdxj, cdx, warc, arc, heritrix or scrapy-log.",
        ),
    ] = "auto",
    support: Annotated[
        int, typer.Option("--support", metavar="N", help="Pages that bring a rule into force.")
    ] = 4,
    temporary: Annotated[
        bool, typer.Option("--temporary", help="Let redirects of 302 and 307 count, too.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Learn nothing if any record or file is bad; end at the first.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Learn from logs which spellings are one page: pairs that redirect, and rules.

    Prints the rules that came to another state: host, section, kind, the state before and after, support,
    contradictions, why. Standard error has for each file FILE: N records, M bad, K without URL, the first bad records
    of each reason as FILE:LINE: byte OFFSET: reason, and a summary.

    Example: iri-canon learn crawl.log.gz --store site.sqlite && iri-canon rules site.sqlite

    Exit status: 0 all files were read to their end; 1 some file is missing, cut off, of no known format, or has no
    readable record (what the others show is learned), or the store cannot be used; 2 usage.
    """
    from iri_canon.cli.learning import learn

    learn(logs, store, format_name, support, temporary, strict, as_json)
