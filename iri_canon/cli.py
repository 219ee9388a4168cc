"""The only file that prints: each line in costs itself only, and octets go out as they came in.

Arguments, or else the lines of standard input, are read as UTF-8; octets that are not UTF-8 pass through
unharmed (surrogateescape). Only LF and CRLF end a line. The exit status is 0 when all went well; 1 when a
line did not parse or was no pair, when a pair that `compare` got is not equivalent, or when the reader of the
output went away; 2 when the command was not understood.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, BinaryIO, TypeAlias

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iri_canon import (
    IriError,
    IriSyntaxError,
    Ladder,
    Rung,
    Step,
    __version__,
    to_iri,
    to_uri,
)

app = typer.Typer(
    help="Canonical keys for IRIs, by the comparison ladder of RFC 3987 section 5.3.",
    epilog="Exit status: 0 all well; 1 a line did not parse, or (compare) is no pair or not equivalent; 2 usage.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class RungName(StrEnum):
    """The rungs as they are named on the command line."""

    SIMPLE = "simple"
    SYNTAX = "syntax"
    SCHEME = "scheme"
    PROTOCOL = "protocol"


Texts: TypeAlias = Annotated[
    list[str] | None, typer.Argument(metavar="[IRI]...", help="Without any, the lines of standard input.")
]


def _rung_named(text: str) -> RungName:
    """The rung of a name, in any case. Raises `typer.BadParameter`."""
    try:
        return RungName(text.lower())
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not one of: {', '.join(RungName)}", param_hint="--rung"
        ) from None


RungOption: TypeAlias = Annotated[
    RungName,
    typer.Option(
        "--rung",
        parser=_rung_named,
        metavar="RUNG",
        help="The rung to climb to: simple, syntax, scheme or protocol. Conventions apply at scheme too.",
    ),
]
Conventions: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--convention", metavar="NAME[,NAME]...", help="Conventions or presets to assume."),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]
KeepFragment: TypeAlias = Annotated[
    bool, typer.Option("--keep-fragment/--no-keep-fragment", help="Whether what follows # is kept.")
]


@dataclass(slots=True)
class _Status:
    """The exit status so far; a complaint about an argument (`given`) shows it, one about a line has its number."""

    given: bool
    code: int = 0


# A terminal obeys control characters and what changes the direction of text: they are shown by number.
_UNSAFE = {
    c: f"\\x{c:02x}" if c < 0x100 else f"\\u{c:04x}"
    for c in (
        *range(0x20),
        *range(0x7F, 0xA0),
        0x61C,
        0x200E,
        0x200F,
        *range(0x2028, 0x202F),
        *range(0x2066, 0x206A),
    )
} | {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r"}


def _octets(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate that stands for no octet is spelt out
        return text.encode("utf-8", "backslashreplace")


def _out(line: str) -> None:
    sys.stdout.buffer.write(_octets(line) + b"\n")
    if sys.stdout.isatty():
        sys.stdout.buffer.flush()


def _complain(number: int, reason: object) -> None:
    sys.stdout.buffer.flush()  # so that a terminal shows both in the order in which they came
    sys.stderr.buffer.write(_octets(f"{number}: {str(reason).translate(_UNSAFE)}") + b"\n")
    sys.stderr.buffer.flush()


def _lines(stream: BinaryIO) -> Iterator[str]:
    for line in stream:
        ended = line.removesuffix(b"\n")
        yield (ended.removesuffix(b"\r") if ended is not line else line).decode("utf-8", "surrogateescape")


def _inputs(texts: list[str] | None) -> Iterable[tuple[int, str]]:
    if texts:
        return enumerate(texts, 1)
    if sys.stdin.isatty():
        sys.stderr.write("iri-canon: reading lines from standard input\n")
    return enumerate(_lines(sys.stdin.buffer), 1)


def _ladder(rung: RungName, conventions: list[str] | None, keep_fragment: bool) -> Ladder:
    names = [name.strip() for given in conventions or () for name in given.split(",") if name.strip()]
    try:
        return Ladder(Rung[rung.name], conventions=names, keep_fragment=keep_fragment)
    except IriError as unknown:
        raise typer.BadParameter(str(unknown), param_hint="--convention") from unknown


def _each(texts: list[str] | None, as_json: bool, name: str, change: Callable[[str], str]) -> None:
    """Print `change` of each input; what it refuses costs its own line, and the exit status."""
    status = _Status(given=bool(texts))
    for number, text in _inputs(texts):
        try:
            result = change(text)
        except IriSyntaxError as error:
            _refuse(status, number, text, error, as_json)
            continue
        _out(json.dumps({"input": text, name: result}) if as_json else result)
    _end(status)


def _refuse(status: _Status, number: int, text: str, error: IriSyntaxError, as_json: bool) -> None:
    status.code = 1
    _complain(number, f"{error} ({text})" if status.given else error)
    if as_json:  # one object for each input, so that outputs and inputs line up
        place = {"component": error.component, "offset": error.offset, "reason": error.reason}
        _out(json.dumps({"input": text, "error": place}))


def _end(status: _Status) -> None:
    sys.stdout.buffer.flush()
    if status.code:
        raise typer.Exit(status.code)


def _version(asked: bool) -> None:
    if asked:
        _out(f"iri-canon {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command("canonicalize")
def canonicalize_command(
    texts: Texts = None,
    rung: RungOption = RungName.SCHEME,
    convention: Conventions = None,
    as_json: AsJson = False,
    keep_fragment: KeepFragment = True,
) -> None:
    """Print the canonical form; what does not parse is told on standard error."""
    _each(texts, as_json, "canonical", _ladder(rung, convention, keep_fragment).canonicalize)


@app.command("key")
def key_command(
    texts: Texts = None,
    rung: RungOption = RungName.SCHEME,
    convention: Conventions = None,
    as_json: AsJson = False,
    keep_fragment: KeepFragment = False,
) -> None:
    """Print the key, for any text at all: what does not parse is its own key."""
    _each(texts, as_json, "key", _ladder(rung, convention, keep_fragment).key)


@app.command("to-uri")
def to_uri_command(
    texts: Texts = None,
    as_json: AsJson = False,
    toascii: Annotated[bool, typer.Option("--toascii", help="The host to A-labels, not triplets.")] = False,
) -> None:
    """Map IRIs to URIs, by RFC 3987 section 3.1 to the letter."""
    _each(texts, as_json, "uri", lambda text: to_uri(text, toascii=toascii))


@app.command("to-iri")
def to_iri_command(
    texts: Texts = None,
    as_json: AsJson = False,
    tounicode: Annotated[bool, typer.Option("--tounicode", help="Convert A-labels of the host too.")] = False,
) -> None:
    """Map URIs to IRIs, by RFC 3987 section 3.2."""
    _each(texts, as_json, "iri", lambda text: to_iri(text, tounicode=tounicode))


@app.command("explain")
def explain_command(
    texts: Texts = None,
    rung: RungOption = RungName.SCHEME,
    convention: Conventions = None,
    as_json: AsJson = False,
    keep_fragment: KeepFragment = True,
) -> None:
    """Show each step that changes something: rung, step, clause, before, after.

    A terminal gets a table; otherwise there is one line a step, its five fields separated by tabs. A text that
    no step changes has one line too: a hyphen, "unchanged", a hyphen, and the text twice.
    """
    ladder = _ladder(rung, convention, keep_fragment)
    console = Console() if sys.stdout.isatty() else None
    status = _Status(given=bool(texts))
    for number, text in _inputs(texts):
        try:
            steps = ladder.explain(text)
        except IriSyntaxError as error:
            _refuse(status, number, text, error, as_json)
            continue
        if as_json:
            told = [_fields(step) for step in steps]
            _out(json.dumps({"input": text, "steps": told, "canonical": steps[-1].after if steps else text}))
        elif console:
            sys.stdout.buffer.flush()
            console.print(_table(text, steps))
        else:
            for fields in [list(_fields(step).values()) for step in steps] or [
                ["-", "unchanged", "-", text, text]
            ]:
                _out("\t".join(field.translate(_UNSAFE) for field in fields))
    _end(status)


def _fields(step: Step) -> dict[str, str]:
    return {
        "rung": step.rung.name.lower(),
        "step": step.name,
        "clause": step.clause,
        "before": step.before,
        "after": step.after,
    }


def _shown(text: str) -> Text:
    return Text(_octets(text.translate(_UNSAFE)).decode("utf-8", "backslashreplace"), overflow="fold")


def _table(text: str, steps: list[Step]) -> Table | Text:
    if not steps:
        return _shown(f"{text}  (no step changes it)")
    table = Table(title=_shown(text), title_justify="left")  # what stands before a step is the line above it
    for name in ("rung", "step", "clause"):
        table.add_column(name, no_wrap=name == "step")
    table.add_column("after")
    for step in steps:
        table.add_row(step.rung.name.lower(), step.name, step.clause, _shown(step.after))
    return table


@app.command("compare")
def compare_command(
    pair: Annotated[
        list[str] | None, typer.Argument(metavar="[A B]", help="Without them, lines of A, a tab, and B.")
    ] = None,
    rung: RungOption = RungName.SCHEME,
    convention: Conventions = None,
    as_json: AsJson = False,
    keep_fragment: KeepFragment = False,
) -> None:
    """Say at which rung two are one, or that they differ; exit status 1 unless all are one at --rung.

    The rung told is the lowest one of all, also where it is above --rung.
    """
    ladder, whole = (_ladder(top, convention, keep_fragment) for top in (rung, RungName.PROTOCOL))
    if pair and len(pair) != 2:
        raise typer.BadParameter(f"two IRIs are compared, not {len(pair)}", param_hint="[A B]")
    status = _Status(given=bool(pair))
    for number, line in _inputs(["\t".join(pair)] if pair else None):
        found = pair or line.split("\t")
        if len(found) != 2:
            status.code, reason = 1, "not two IRIs with a tab between them"
            _complain(number, reason)
            if as_json:
                _out(json.dumps({"input": line, "error": {"reason": reason}}))
            continue
        first, second = found
        same, lowest = ladder.equivalent(first, second), whole.lowest_rung(first, second)
        if not same:
            status.code = 1
        name = lowest.name.lower() if lowest is not None else None
        if as_json:
            _out(json.dumps({"a": first, "b": second, "equivalent": same, "lowest_rung": name}))
        else:
            _out(name or "different")
    _end(status)
