"""Arguments, files or standard input become texts; only LF and CRLF end a line, and no byte order mark is text."""

import codecs
import errno
import os
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Annotated, BinaryIO, TypeAlias, TypeVar

import typer

from iri_canon import IriEncodingError, IriError, Ladder, Rung
from iri_canon.cli.output import Status, refuse_line
from iri_canon.cli.stores import Observed
from iri_canon.reading import read

STDIN = "<stdin>"
#: As the only argument, and as a file: standard input.
DASH = "-"
_BYTE_ORDER_MARK = "\ufeff"
Name = TypeVar("Name", bound=StrEnum)


class RungName(StrEnum):
    """The rungs as they are named on the command line."""

    SIMPLE = "simple"
    SYNTAX = "syntax"
    SCHEME = "scheme"
    PROTOCOL = "protocol"


def arguments(given: list[str] | None) -> list[str] | None:
    """The arguments; None where lines of standard input stand in their place, since there are none or "-" alone."""
    return None if not given or given == [DASH] else given


Texts: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="IRI", help="Without any, or with - alone, the lines of standard input.", callback=arguments
    ),
]


def one_of(names: type[Name], option: str) -> Callable[[str], Name]:
    """What reads a name of an option, in any case; it raises `typer.BadParameter`."""

    def named(text: str) -> Name:
        try:
            return names(text.lower())
        except ValueError:
            raise typer.BadParameter(
                f"{text!r} is not one of: {', '.join(names)}", param_hint=option
            ) from None

    return named


RungOption: TypeAlias = Annotated[
    RungName,
    typer.Option(
        "--rung",
        parser=one_of(RungName, "--rung"),
        metavar="RUNG",
        help="The rung to climb to: simple, syntax, scheme or protocol. Conventions apply at scheme too.",
    ),
]
Conventions: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--convention", metavar="NAME[,NAME]...", help="Conventions or presets to assume."),
]
Pairs: TypeAlias = Annotated[
    str | None,
    typer.Option("--store", metavar="STORE", help="A store: the redirects that it has seen count, too."),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]
KeepFragment: TypeAlias = Annotated[
    bool, typer.Option("--keep-fragment/--no-keep-fragment", help="Whether what follows # is kept.")
]


def _line_encoding(name: str) -> str:
    """The name of an encoding whose lines end in the octet 0A. Raises `typer.BadParameter`."""
    try:
        found = codecs.lookup(name).name.removesuffix("-sig")  # a byte order mark is dropped anyway
        ends_lines = "\n".encode(found) == b"\n"
    except (LookupError, ValueError):
        raise typer.BadParameter(f"unknown encoding {name!r}", param_hint="--encoding") from None
    if not ends_lines:
        raise typer.BadParameter(
            f"lines do not end in the octet 0A in {name}; convert them to UTF-8 first",
            param_hint="--encoding",
        )
    return found


Encoding: TypeAlias = Annotated[
    str,
    typer.Option(
        "--encoding",
        parser=_line_encoding,
        metavar="NAME",
        help="What lines are read in; what a legacy charset holds is brought to NFC (RFC 3987 3.1 step 1b).",
    ),
]


def names_in(given: list[str] | None) -> list[str]:
    """The names of an option that may come again and may list several."""
    return [name.strip() for each in given or () for name in each.split(",") if name.strip()]


def ladder_of(
    rung: RungName, conventions: list[str] | None, keep_fragment: bool, equivalences: Observed | None
) -> Ladder:
    """The ladder that the options describe. Raises `typer.BadParameter`."""
    try:
        return Ladder(Rung[rung.name], names_in(conventions), equivalences, keep_fragment)
    except IriError as unknown:
        raise typer.BadParameter(str(unknown), param_hint="--convention") from unknown


def lines(stream: BinaryIO, encoding: str) -> Iterator[str | IriEncodingError]:
    """The lines of a stream without the byte order mark before the first, or why one is not in the encoding.

    In UTF-8 that is none: octets that are no UTF-8 pass as surrogates.
    """
    for number, line in enumerate(stream):
        ended = line.removesuffix(b"\n")
        octets = ended.removesuffix(b"\r") if ended is not line else line
        try:
            text = read(octets, encoding)
        except IriEncodingError as error:
            yield IriEncodingError(_why(error, octets, encoding))
            continue
        yield text if number else text.removeprefix(_BYTE_ORDER_MARK)


def _why(error: IriEncodingError, octets: bytes, encoding: str) -> str:
    cause = error.__context__
    if isinstance(cause, UnicodeDecodeError):
        return f"octet {octets[cause.start]:02X} at offset {cause.start} (in octets) is no character of {encoding}"
    return str(error)


def standard_input(encoding: str) -> Iterator[str | IriEncodingError]:
    """The lines of standard input; a terminal is told that it is waited for. Raises `OSError` that names it."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), STDIN)
    if sys.stdin.isatty():
        sys.stderr.write("iri-canon: reading lines from standard input\n")
    try:
        yield from lines(sys.stdin.buffer, encoding)
    except OSError as error:
        raise OSError(error.errno, error.strerror, STDIN) from error


def inputs(
    texts: list[str] | None, encoding: str, status: Status, *, as_json: bool
) -> Iterator[tuple[int, str]]:
    """The arguments, or else the lines of standard input, numbered; a line that is not in the encoding is refused."""
    for number, text in enumerate(texts or standard_input(encoding), 1):
        if isinstance(text, IriEncodingError):
            refuse_line(status, number, None, str(text), as_json)
        else:
            yield number, text
