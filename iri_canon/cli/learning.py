"""What the command learn does; apart from it, since other commands need no store."""

import json
from collections import Counter
from typing import Any

import typer

from iri_canon import IriError
from iri_canon.cli.output import complain, out
from iri_canon.cli.stores import store_at
from iri_canon.cli.tables import NONE, ROOT, show
from iri_canon.equivalence import EquivalenceStore, RuleName, RuleState
from iri_canon.errors import LogError
from iri_canon.learning import Change, Policy
from iri_canon.logs import FORMATS, Bad, LogFile, Record
from iri_canon.logs.lessons import Lessons, Taught
from iri_canon.logs.tally import Tally

_AUTO = "auto"


def learn(
    logs: list[str], store: str, format_name: str, support: int, temporary: bool, strict: bool, as_json: bool
) -> None:
    """Read logs and teach a store; the options of the command. Raises `typer.BadParameter`, `typer.Exit`."""
    if format_name not in (_AUTO, *FORMATS):
        raise typer.BadParameter(
            f"{format_name!r} is not one of: {', '.join([_AUTO, *FORMATS])}", param_hint="--format"
        )
    try:
        policy = Policy(support=support)
    except IriError as wrong:
        raise typer.BadParameter(str(wrong), param_hint="--support") from wrong
    with store_at(store, create=True) as kept:
        lessons = Lessons()
        files = [
            _read(LogFile(log, None if format_name == _AUTO else format_name), lessons, strict)
            for log in logs
        ]
        taught = lessons.teach(kept, policy, temporary=temporary)
        states = Counter(rule.state for rule in kept.rules())
        if as_json:
            out(json.dumps(_as_json(files, taught, states)))
        else:
            _show(kept, taught)
    _sum_up(taught, states)
    if not (taught.pairs or taught.answers or taught.refused):
        _say_what_was_looked_for(files)
    if any(file.problem for file in files):
        raise typer.Exit(1)


def _read(file: LogFile, lessons: Lessons, strict: bool) -> Tally:
    """Take note of all records of a file, and say what is wrong with it."""
    read = Tally(file.name)
    try:
        with file.outcomes() as outcomes:
            for each in outcomes:
                if isinstance(each, Record):
                    read.records += each.counts
                    lessons.add(each)
                elif isinstance(each, Bad):
                    if read.add_bad(each):
                        complain(str(each))
                    if strict:
                        raise typer.Exit(1)
                else:
                    read.without_url += 1
    except OSError as error:
        read.problem = error.strerror or str(error)
    except LogError as error:
        read.problem = str(error)
    read.format_name = file.format_name
    if read.problem is None and not read.records:
        read.problem = file.without_records()
    if read.problem is not None:
        complain(f"iri-canon: {file.name}: {read.problem}")
        if strict:
            raise typer.Exit(1)
    complain(str(read))
    return read


def _say_what_was_looked_for(files: list[Tally]) -> None:
    for name in dict.fromkeys(file.format_name for file in files if file.records):
        if name is not None:
            complain(f"iri-canon: nothing to learn from; looked in {name} for {FORMATS[name].tells}")


def _net(changes: list[Change]) -> list[Change]:
    """Of several changes of a rule, one from the first state to the last; none where it is what it was."""
    first: dict[RuleName, Change] = {}
    last: dict[RuleName, Change] = {}
    for change in changes:
        first.setdefault(change.name, change)
        last[change.name] = change
    net = [last[name]._replace(before=change.before) for name, change in sorted(first.items())]
    return [change for change in net if change.before is not change.after]


def _show(store: EquivalenceStore, taught: Taught) -> None:
    rows = []
    for name, before, after, reason in _net(taught.changes):
        rule = store.rule(name)
        counts = (NONE, NONE) if rule is None else (str(rule.support), str(rule.contradictions))
        rows.append((name.host, name.section or ROOT, name.kind, before.value, after.value, *counts, reason))
    columns = ("host", "section", "kind", "before", "after", "support", "against", "why")
    show(columns, rows, numbers=("support", "against"), spare=("why",))


def _as_json(files: list[Tally], taught: Taught, states: Counter[RuleState]) -> dict[str, Any]:
    return {
        "files": [file.as_json() for file in files],
        "records": sum(file.records for file in files),
        "pairs": taught.pairs,
        "refused": dict(taught.refused),
        "answers": taught.answers,
        "changes": [
            {**name._asdict(), "before": before.value, "after": after.value, "reason": reason}
            for name, before, after, reason in _net(taught.changes)
        ],
        "rules": {state.value: states[state] for state in RuleState},
    }


def _sum_up(taught: Taught, states: Counter[RuleState]) -> None:
    refused = ", ".join(f"{count} {reason}" for reason, count in sorted(taught.refused.items())) or "none"
    complain(f"iri-canon: {taught.pairs} pairs recorded; redirects that join nothing: {refused}")
    rules = ", ".join(f"{states[state]} {state}" for state in RuleState)
    complain(f"iri-canon: {taught.answers} answers compared; rules: {rules}")
