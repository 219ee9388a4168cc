"""The commands store pages and store forget: what earlier crawls have done, and what is to be fetched again."""

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from iri_canon import key
from iri_canon.cli.inputs import AsJson
from iri_canon.cli.output import complain, out
from iri_canon.cli.stores import StorePath, store_at
from iri_canon.cli.tables import moment, show

if TYPE_CHECKING:
    from iri_canon.equivalence import EquivalenceStore, KnownPage

app = typer.Typer(
    no_args_is_help=True, help="What earlier crawls have done, for delta crawls (IRI_CANON_DELTA)."
)

Match: TypeAlias = Annotated[
    str | None,
    typer.Option("--match", metavar="GLOB", help="Pages with a name like this: 'http://h/news/*'."),
]


def _chosen(known: "KnownPage", pattern: str | None) -> bool:
    return pattern is None or fnmatchcase(known.key, pattern) or fnmatchcase(known.page, pattern)


def _found(store: "EquivalenceStore", pattern: str | None) -> "Iterator[KnownPage]":
    """The pages that are meant; where there are none, it is told why."""
    total = chosen = 0
    for known in store.pages():
        total += 1
        if _chosen(known, pattern):
            chosen += 1
            yield known
    if not chosen:
        complain(
            f"iri-canon: 0 of {total} pages" if total else "iri-canon: no pages; IRI_CANON_DELTA keeps them"
        )


@app.command("pages")
def pages_command(store: StorePath, match: Match = None, as_json: AsJson = False) -> None:
    """Show the pages that are done, under each of their names: name, page, when, whether it gave items.

    Example: iri-canon store pages site.sqlite --match 'http://example.com/news/*'
    """
    with store_at(store) as kept:
        found = _found(kept, match)
        if as_json:
            for known in found:
                out(json.dumps(known._asdict()))
        else:
            columns = ("name", "page", "done", "items")
            show(
                columns,
                (
                    (known.key, known.page, moment(known.time), "yes" if known.gave_items else "no")
                    for known in found
                ),
            )


@app.command("forget")
def forget_command(
    store: StorePath,
    urls: Annotated[list[str] | None, typer.Argument(metavar="URL", help="Compared by their keys.")] = None,
    match: Match = None,
) -> None:
    """Forget that pages are done, under all their names, so that the next crawl fetches them.

    Example: iri-canon store forget site.sqlite http://example.com/news/1
    """
    if not urls and match is None:
        raise typer.BadParameter("name pages by their URLs or by --match", param_hint="[URL]...")
    with store_at(store) as kept:
        names = [key(url) for url in urls or ()]
        for url, name in zip(urls or (), names, strict=True):
            if kept.page(name) is None:
                complain(f"iri-canon: {url}: not known as done")
        if match is not None:
            names += [known.key for known in _found(kept, match)]
        complain(f"iri-canon: {kept.forget_pages(names)} names of pages forgotten")
