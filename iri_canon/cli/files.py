"""A file is written whole or not at all, and none is written over unless that was asked for."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import typer

from iri_canon.cli.output import complain


def refuse_existing(path: str, force: bool, option: str) -> None:
    """Raises `typer.BadParameter` for a file that is there, unless it may be replaced."""
    if not force and Path(path).exists():
        raise typer.BadParameter(f"{path} is there; --force replaces it", param_hint=option)


def write_whole(path: str, lines: Iterable[bytes]) -> int:
    """Write lines into a file; how many there were. What goes wrong ends the command, and leaves no part of it."""
    target = Path(path)
    count = 0
    try:
        descriptor, name = tempfile.mkstemp(prefix=".iri-canon-", dir=target.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                for line in lines:
                    stream.write(line + b"\n")
                    count += 1
            Path(name).replace(target)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        complain(f"iri-canon: {path}: {error.strerror}")
        raise typer.Exit(1) from None
    return count
