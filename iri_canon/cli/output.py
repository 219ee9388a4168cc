"""What is printed goes out as octets, as it came in; what a terminal would obey is shown by number."""

import json
import sys
from dataclasses import dataclass

import typer

from iri_canon.display import terminal_line


@dataclass(slots=True)
class Status:
    """The exit status so far; a complaint about an argument (`given`) shows it, one about a line has its number."""

    given: bool
    code: int = 0


def octets(text: str) -> bytes:
    """The octets that the text was read from."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate that stands for no octet is spelt out
        return text.encode("utf-8", "backslashreplace")


def out(line: str) -> None:
    """Print a line of the output."""
    sys.stdout.buffer.write(octets(line) + b"\n")
    if sys.stdout.isatty():
        sys.stdout.buffer.flush()


def complain(line: str) -> None:
    """Print a line on standard error."""
    sys.stdout.buffer.flush()  # so that a terminal shows both in the order in which they came
    if sys.stderr is not None:
        sys.stderr.buffer.write(octets(terminal_line(line)) + b"\n")
        sys.stderr.buffer.flush()


def refuse_line(status: Status, number: int, line: str | None, reason: str, as_json: bool) -> None:
    """Say why a line is not even a text (None) or a pair; in JSON there is one object for each line."""
    status.code = 1
    complain(f"{number}: {reason}")
    if as_json:
        out(json.dumps({"input": line, "error": {"reason": reason}}))


def end(status: Status) -> None:
    """Print what is still to be printed and leave with the status."""
    sys.stdout.buffer.flush()
    if status.code:
        raise typer.Exit(status.code)
