"""The logs that are meant: patterns become files, no file is read twice, and no output is one of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from glob import glob
from pathlib import Path
from typing import Final

import typer

from iri_canon import IriSyntaxError, parse
from iri_canon.logs import FORMATS, STDIN

AUTO: Final = "auto"
_NEEDS_SITE: Final = "combined"
_WILD: Final = frozenset("*?[")


def format_names() -> list[str]:
    """What --format may be."""
    return [AUTO, *FORMATS]


def format_of(name: str, site: str | None) -> str | None:
    """The format that is named; None: to be told from the content. Raises `typer.BadParameter`."""
    if name not in format_names():
        raise typer.BadParameter(
            f"{name!r} is not one of: {', '.join(format_names())}", param_hint="--format"
        )
    if name == _NEEDS_SITE and site is None:
        raise typer.BadParameter(
            f"{name} logs have paths alone; --site says of which scheme and host", param_hint="--format"
        )
    return None if name == AUTO else name


def site_of(text: str | None) -> str | None:
    """The scheme and authority that paths are appended to. Raises `typer.BadParameter`."""
    if text is None:
        return None
    try:
        found = parse(text)
    except IriSyntaxError as error:
        raise typer.BadParameter(f"{text!r}: {error}", param_hint="--site") from error
    if not (found.scheme and found.host) or found.path.strip("/") or found.query or found.fragment:
        raise typer.BadParameter(
            f"{text!r} is no scheme and host, such as https://example.com", param_hint="--site"
        )
    return text.removesuffix("/")


def named_logs(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The logs, and those that were named once more and are left out.

    A pattern stands for the files that match it, in order of their names; one that none matches stands for itself.
    Two names of one file (a link, a pattern that has it, too) are one log.
    """
    logs: list[str] = []
    again: list[str] = []
    seen: set[object] = set()
    for log in (each for name in names for each in _matching(name)):
        identity = _identity(log)
        (again if identity in seen else logs).append(log)
        seen.add(identity)
    return logs, again


def _matching(name: str) -> list[str]:
    if name == STDIN or _WILD.isdisjoint(name) or Path(name).exists():
        return [name]
    found = glob(name, recursive=True)  # noqa: PTH207 - patterns may be absolute
    return sorted(each for each in found if not Path(each).is_dir()) or [name]


def _identity(log: str) -> object:
    """What two names of one file have in common."""
    state = state_of(log)
    return log if state is None else (state.st_dev, state.st_ino)


def state_of(log: str) -> os.stat_result | None:
    """What the system says of a log; None where there is none."""
    try:
        return os.fstat(sys.stdin.fileno()) if log == STDIN else Path(log).stat()
    except (OSError, ValueError, AttributeError):  # closed, or no stream of the system
        return None
