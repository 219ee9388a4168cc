"""The commands that reason aloud: explain shows the steps, compare the rung."""

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iri_canon import IriSyntaxError, Step
from iri_canon.cli.inputs import (
    AsJson,
    Conventions,
    Encoding,
    KeepFragment,
    Pairs,
    RungName,
    RungOption,
    Texts,
    arguments,
    inputs,
    ladder_of,
)
from iri_canon.cli.keys import refuse
from iri_canon.cli.output import Status, end, out, refuse_line
from iri_canon.cli.stores import observed
from iri_canon.cli.tables import cell
from iri_canon.display import terminal_line


def explain_command(
    texts: Texts = None,
    encoding: Encoding = "utf-8",
    rung: RungOption = RungName.SCHEME,
    convention: Conventions = None,
    as_json: AsJson = False,
    keep_fragment: KeepFragment = True,
    store: Pairs = None,
) -> None:
    """Show each step that changes something: rung, step, clause, before, after.

    A terminal gets a table; otherwise there is one line a step, its five fields separated by tabs. A text that
    no step changes has one line too: a hyphen, "unchanged", a hyphen, and the text twice.
    """
    ladder = ladder_of(rung, convention, keep_fragment, observed(store))
    console = Console() if sys.stdout.isatty() else None
    status = Status(given=bool(texts))
    for number, text in inputs(texts, encoding, status, as_json=as_json):
        try:
            steps = ladder.explain(text)
        except IriSyntaxError as error:
            refuse(status, number, text, error, as_json)
            continue
        if as_json:
            told = [_fields(step) for step in steps]
            out(json.dumps({"input": text, "steps": told, "canonical": steps[-1].after if steps else text}))
        elif console:
            sys.stdout.buffer.flush()
            console.print(_table(text, steps))
        else:
            for fields in [list(_fields(step).values()) for step in steps] or [
                ["-", "unchanged", "-", text, text]
            ]:
                out("\t".join(terminal_line(field) for field in fields))
    end(status)


def _fields(step: Step) -> dict[str, str]:
    return {
        "rung": step.rung.name.lower(),
        "step": step.name,
        "clause": step.clause,
        "before": step.before,
        "after": step.after,
    }


def _table(text: str, steps: list[Step]) -> Table | Text:
    if not steps:
        return cell(f"{text}  (no step changes it)")
    table = Table(title=cell(text), title_justify="left")  # what stands before a step is the line above it
    for name in ("rung", "step", "clause"):
        table.add_column(name, no_wrap=name == "step")
    table.add_column("after")
    for step in steps:
        table.add_row(step.rung.name.lower(), step.name, step.clause, cell(step.after))
    return table


def compare_command(
    pair: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="A B",
            help="Without them, or with - alone, lines of A, a tab, and B.",
            callback=arguments,
        ),
    ] = None,
    encoding: Encoding = "utf-8",
    rung: RungOption = RungName.SCHEME,
    convention: Conventions = None,
    as_json: AsJson = False,
    keep_fragment: KeepFragment = False,
    store: Pairs = None,
) -> None:
    """Say at which rung two are one, or that they differ; exit status 1 unless all are one at --rung.

    The rung told is the lowest one of all, also where it is above --rung.
    """
    pairs = observed(store)
    ladder, whole = (ladder_of(top, convention, keep_fragment, pairs) for top in (rung, RungName.PROTOCOL))
    if pair and len(pair) != 2:
        raise typer.BadParameter(f"two IRIs are compared, not {len(pair)}", param_hint="[A B]")
    status = Status(given=bool(pair))
    for number, line in inputs(["\t".join(pair)] if pair else None, encoding, status, as_json=as_json):
        found = pair or line.split("\t")
        if len(found) != 2:
            refuse_line(status, number, line, "not two IRIs with a tab between them", as_json)
            continue
        first, second = found
        same, lowest = ladder.equivalent(first, second), whole.lowest_rung(first, second)
        if not same:
            status.code = 1
        name = lowest.name.lower() if lowest is not None else None
        if as_json:
            out(json.dumps({"a": first, "b": second, "equivalent": same, "lowest_rung": name}))
        else:
            out(name or "different")
    end(status)
