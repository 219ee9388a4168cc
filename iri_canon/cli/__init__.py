"""The only unit that prints: each line in costs itself only, and octets go out as they came in.

Arguments, or else the lines of standard input ("-" alone stands for them, too), are read as UTF-8 without a byte
order mark; octets that are not UTF-8 pass through unharmed (surrogateescape). Only LF and CRLF end a line; --encoding
reads lines in another charset. The exit status is 0 when all went well; 1 when a line did not parse, was no pair or
not in its encoding, when a pair that `compare` got is not equivalent, when `lint` found something bad enough, when a
store cannot be used, when `learn` or `dedup` could not read a log to its end, or when the output cannot be written
(which is said, unless a reader such as `head` went away); 2 when the command was not understood, or a file not read;
130 when it was interrupted.
"""

from typing import Annotated

import typer

from iri_canon import __version__
from iri_canon.cli import dedup, explain, keys, learn, lint, output, rules, store
from iri_canon.cli.refusals import Commands

app = typer.Typer(
    help="Canonical keys for IRIs, by the comparison ladder of RFC 3987 section 5.3.",
    epilog="Exit status: 0 all well; 1 a line did not parse, (compare) is no pair or not equivalent, (lint) has "
    "findings, a store cannot be used, or (learn, dedup) a log was not read to its end; 2 usage; 130 interrupted.",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        output.out(f"iri-canon {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command("canonicalize")(keys.canonicalize_command)
app.command("key")(keys.key_command)
app.command("to-uri")(keys.to_uri_command)
app.command("to-iri")(keys.to_iri_command)
app.command("explain")(explain.explain_command)
app.command("compare")(explain.compare_command)
app.command("lint")(lint.lint_command)
app.command("dedup")(dedup.dedup_command)
app.command("learn")(learn.learn_command)
app.command("rules")(rules.rules_command)
app.add_typer(store.app, name="store")
