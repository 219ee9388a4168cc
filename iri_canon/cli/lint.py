"""The command lint: one line a finding, and an exit status by severity."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from iri_canon import Finding, IriEncodingError, IriError, Severity, lint
from iri_canon.cli.inputs import DASH, STDIN, Encoding, arguments, lines, names_in, one_of, standard_input
from iri_canon.cli.output import Status, complain, end, out
from iri_canon.display import terminal_line

ARGUMENT = "<argument>"


class SeverityName(StrEnum):
    """The severities as they are named on the command line."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def lint_command(
    texts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="IRI",
            help="Without any and without --file, or with - alone, the lines of standard input.",
        ),
    ] = None,
    file: Annotated[
        list[str] | None,
        typer.Option(
            "--file", metavar="PATH", help="Lines to read; - is standard input; may be given again."
        ),
    ] = None,
    encoding: Encoding = "utf-8",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a finding (--list: a rule).")
    ] = False,
    fail_on: Annotated[
        SeverityName,
        typer.Option(
            "--fail-on",
            parser=one_of(SeverityName, "--fail-on"),
            metavar="SEVERITY",
            help="The lowest severity that makes the exit status 1: info, warning or error.",
        ),
    ] = SeverityName.ERROR,
    rules: Annotated[
        list[str] | None, typer.Option("--rules", metavar="RULE[,RULE]...", help="Look for these alone.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULE[,RULE]...", help="Leave these out.")
    ] = None,
    show_rules: Annotated[
        bool, typer.Option("--list", help="Print the rules: name, severity, clause, remedy.")
    ] = False,
) -> None:
    """Print findings on IRIs and relative references, by RFC 3987: a line each.

    SOURCE:LINE:OFFSET: severity: rule: message (clause); remedy. The offset counts characters from 0. Exit status:
    0 nothing as bad as --fail-on; 1 some finding is, or a line is not in --encoding; 2 usage, or a file that cannot be
    read (the others are read).
    """
    from iri_canon.lint.rules import (
        choose,
    )  # its patterns take a while to compile, and other commands need none

    if show_rules:
        _list_rules(as_json)
        return
    chosen, left_out = names_in(rules) or None, names_in(ignore)
    try:
        choose(chosen, left_out)
    except IriError as unknown:
        raise typer.BadParameter(str(unknown), param_hint="--rules / --ignore") from unknown
    if texts and arguments(texts) is None:
        texts, file = None, [DASH, *(file or ())]
    status = Status(given=bool(texts))
    threshold = Severity[fail_on.name]
    counts: Counter[str] = Counter()
    for source, number, text in _inputs(texts, file, encoding, status):
        found = lint(text, rules=chosen, ignore=left_out)
        for finding in found:
            out(_as_json(source, number, text, finding) if as_json else _as_text(source, number, finding))
            counts[finding.severity.name.lower()] += 1
        counts["text"] += 1
        counts["text with findings"] += bool(found)
        if not status.code and any(finding.severity >= threshold for finding in found):
            status.code = 1
    if sys.stderr is not None and sys.stderr.isatty():
        _sum_up(counts)
    end(status)


def _inputs(
    texts: list[str] | None, paths: list[str] | None, encoding: str, status: Status
) -> Iterator[tuple[str, int, str]]:
    """Arguments, then files, or else standard input: the source, the number of the line, the text."""
    for number, text in enumerate(texts or (), 1):
        yield ARGUMENT, number, text
    for path in paths or ([] if texts else [DASH]):
        source = STDIN if path == DASH else path
        try:
            for number, line in enumerate(_lines(path, encoding), 1):
                if isinstance(line, str):
                    yield source, number, line
                else:
                    status.code = status.code or 1
                    complain(f"{source}:{number}: {line}")
        except OSError as error:
            status.code = 2
            complain(f"iri-canon: {error.filename or path}: {error.strerror}")


def _lines(path: str, encoding: str) -> Iterator[str | IriEncodingError]:
    if path == DASH:
        yield from standard_input(encoding)
    else:
        with Path(path).open("rb") as stream:
            yield from lines(stream, encoding)


def _as_text(source: str, number: int, finding: Finding) -> str:
    return terminal_line(
        f"{source}:{number}:{finding.offset}: {finding.severity.name.lower()}: {finding.rule}: "
        f"{finding.message} ({finding.clause}); {finding.remedy}"
    )


def _as_json(source: str, number: int, text: str, finding: Finding) -> str:
    return json.dumps(
        {
            "source": source,
            "line": number,
            "input": text,
            "rule": finding.rule,
            "component": finding.component,
            "offset": finding.offset,
            "severity": finding.severity.name.lower(),
            "clause": finding.clause,
            "message": finding.message,
            "remedy": finding.remedy,
        }
    )


def _list_rules(as_json: bool) -> None:
    from iri_canon.lint.rules import RULES

    for name, rule in RULES.items():
        told = {
            "rule": name,
            "severity": rule.severity.name.lower(),
            "clause": rule.clause,
            "remedy": rule.remedy,
        }
        out(json.dumps(told) if as_json else "\t".join(told.values()))


def _sum_up(counts: Counter[str]) -> None:
    bad = ", ".join(f"{counts[name]} {name}" for name in reversed(list(SeverityName)))
    complain(f"iri-canon: findings in {counts['text with findings']} of {counts['text']} texts: {bad}")
