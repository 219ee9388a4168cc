"""The command rules: what a store has learned is shown, forgotten, taken along and brought in."""

from enum import StrEnum
from typing import Annotated

import typer

from iri_canon.cli.files import refuse_existing
from iri_canon.cli.inputs import AsJson, one_of
from iri_canon.cli.stores import StorePath, store_at
from iri_canon.cli.tables import ROOT


class SortName(StrEnum):
    """What the rules can be sorted by."""

    NAME = "name"
    STATE = "state"
    SUPPORT = "support"
    CONTRADICTIONS = "contradictions"
    AUDITS = "audits"
    SKIPPED = "skipped"
    BOUND = "bound"
    SINCE = "since"


class StateName(StrEnum):
    """The states as they are named on the command line."""

    PROPOSED = "proposed"
    IN_FORCE = "in-force"
    RETRACTED = "retracted"


def rules_command(
    store: StorePath,
    host: Annotated[
        str | None, typer.Option("--host", metavar="GLOB", help="Rules of these hosts alone.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="GLOB", help="Of these kinds: trailing-slash, 'param:*'.")
    ] = None,
    section: Annotated[
        str | None,
        typer.Option("--section", metavar="NAME", help="Of this one; '/' is the root, '*' the whole host."),
    ] = None,
    state: Annotated[
        StateName | None,
        typer.Option(
            "--state", parser=one_of(StateName, "--state"), metavar="STATE", help=f"{', '.join(StateName)}."
        ),
    ] = None,
    sort: Annotated[
        SortName,
        typer.Option(
            "--sort", parser=one_of(SortName, "--sort"), metavar="BY", help=f"{', '.join(SortName)}."
        ),
    ] = SortName.NAME,
    examples: Annotated[
        bool, typer.Option("--examples", help="Show the pairs that are kept with each.")
    ] = False,
    as_json: AsJson = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Forget these rules: they may be learned anew.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="With --forget: all of them.")] = False,
    export: Annotated[
        str | None,
        typer.Option("--export", metavar="FILE", help="Write them with all evidence, a JSON object a line."),
    ] = None,
    bring: Annotated[
        str | None,
        typer.Option("--import", metavar="FILE", help="Bring in what --export wrote; - is standard input."),
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="With --export: over a file. With --import: over what was retracted here."
        ),
    ] = False,
) -> None:
    """Show the rules that a store has learned, forget them, write them out, or bring others in.

    A row a rule: host, section, kind, state, support, contradictions, audits that agreed, requests skipped; of one in
    force the upper bound (95 %) on the share of them that was wrong; since when, an example. The bound is approximate:
    it takes all audits as drawn at random, though some are chosen. Of an imported rule and one that is here the newer
    one stays; none that was retracted here is replaced by one that is not. --import makes a store where there is none.

    Example: iri-canon rules site.sqlite --host '*.example.com' --state in-force --sort bound

    Exit status: 0 all well; 1 the store or a file cannot be used, or a line is no rule; 2 usage.
    """
    from iri_canon.cli.rule_actions import Filter, bring_in, forget_all, show_all, write_out

    chosen = Filter(host, kind, "" if section == ROOT else section, None if state is None else state.value)
    if sum((forget, export is not None, bring is not None)) > 1:
        raise typer.BadParameter("one at a time", param_hint="--forget / --export / --import")
    if forget and chosen.is_any and not everything:
        raise typer.BadParameter(
            "name the rules by --host, --kind, --section or --state, or say --all", param_hint="--forget"
        )
    if export is not None:
        refuse_existing(export, force, "--export")
    with store_at(store, create=bring is not None) as kept:
        if forget:
            forget_all(kept, chosen)
        elif export is not None:
            write_out(kept, chosen, export)
        elif bring is not None:
            bring_in(kept, bring, force)
        else:
            show_all(kept, chosen, sort.value, examples, as_json)
