"""Arguments, files or standard input become texts; only LF and CRLF end a line."""

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, BinaryIO, TypeAlias

import typer

from iri_canon import IriError, Ladder, Rung

STDIN = "<stdin>"


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


def names_in(given: list[str] | None) -> list[str]:
    """The names of an option that may come again and may list several."""
    return [name.strip() for each in given or () for name in each.split(",") if name.strip()]


def ladder_of(rung: RungName, conventions: list[str] | None, keep_fragment: bool) -> Ladder:
    """The ladder that the options describe. Raises `typer.BadParameter`."""
    try:
        return Ladder(Rung[rung.name], conventions=names_in(conventions), keep_fragment=keep_fragment)
    except IriError as unknown:
        raise typer.BadParameter(str(unknown), param_hint="--convention") from unknown


def lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream; octets that are not UTF-8 pass as surrogates."""
    for line in stream:
        ended = line.removesuffix(b"\n")
        yield (ended.removesuffix(b"\r") if ended is not line else line).decode("utf-8", "surrogateescape")


def standard_input() -> Iterator[str]:
    """The lines of standard input; a terminal is told that it is waited for. Raises `OSError` that names it."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), STDIN)
    if sys.stdin.isatty():
        sys.stderr.write("iri-canon: reading lines from standard input\n")
    try:
        yield from lines(sys.stdin.buffer)
    except OSError as error:
        raise OSError(error.errno, error.strerror, STDIN) from error


def inputs(texts: list[str] | None) -> Iterable[tuple[int, str]]:
    """The arguments, or else the lines of standard input, numbered."""
    return enumerate(texts or standard_input(), 1)
