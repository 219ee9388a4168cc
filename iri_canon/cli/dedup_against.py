"""Another canonicalization to compare with, by its name: total, as the keys of this project are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import typer

from iri_canon import IriError, Ladder, Rung
from iri_canon.conventions import CONVENTIONS, PRESETS

_OPTION: Final = "--against"
_W3LIB: Final = "w3lib"
#: The protocol rung has nothing to add without observations.
_RUNGS: Final = {rung.name.lower(): rung for rung in Rung if rung is not Rung.PROTOCOL}
_FIELDS: Final = frozenset({"rung", "conventions"})


class Other(NamedTuple):
    """A canonicalization and what it is called."""

    name: str
    key: Callable[[str], str]
    path: str | None = None
    """Of the profile, which no output may replace."""


def other_of(name: str | None) -> Other | None:
    """What --against names: ``w3lib``, a rung, conventions or presets with commas between, or a file with a profile.

    A profile is a JSON object ``{"rung": "scheme", "conventions": ["https"]}``, each as `iri_canon.Ladder` takes it;
    what is left out is ``scheme`` and none. Raises `typer.BadParameter`.

    >>> other_of("trailing-slash").key("http://h/a/")
    'http://h/a'
    """
    if name is None:
        return None
    if name.lower() == _W3LIB:
        return Other(_W3LIB, _w3lib())
    if name.lower() in _RUNGS:
        return Other(name.lower(), Ladder(_RUNGS[name.lower()]).key)
    names = [each.strip() for each in name.split(",")]
    if all(each in CONVENTIONS or each in PRESETS for each in names):
        return Other(",".join(names), Ladder(conventions=names).key)
    if name.lower().endswith(".json") or Path(name).is_file():
        return Other(name, _profile(Path(name)).key, name)
    known = ", ".join((_W3LIB, *_RUNGS, *PRESETS, *CONVENTIONS))
    raise typer.BadParameter(f"{name!r} is no file and not among: {known}", param_hint=_OPTION)


def _w3lib() -> Callable[[str], str]:
    try:
        from w3lib.url import canonicalize_url
    except ModuleNotFoundError as missing:
        raise typer.BadParameter(
            f"{missing.name} is not installed; the extra 'scrapy' has it (pip install '.[scrapy]')",
            param_hint=_OPTION,
        ) from missing

    def canonical(text: str) -> str:
        try:
            return canonicalize_url(text)
        except ValueError:  # what it refuses is one with nothing else
            return text

    return canonical


def _profile(path: Path) -> Ladder:
    try:
        return _ladder(json.loads(path.read_bytes()))
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}", param_hint=_OPTION) from error
    except (ValueError, TypeError, RecursionError) as error:  # what is no JSON, or no ladder
        raise typer.BadParameter(f"{path}: {error}", param_hint=_OPTION) from error


def _ladder(profile: Any) -> Ladder:
    """Raises ``ValueError`` or ``TypeError`` for what is no profile."""
    if not isinstance(profile, Mapping) or not profile.keys() <= _FIELDS:
        raise IriError(f"a profile is an object of {' and '.join(sorted(_FIELDS))}")
    rung = profile.get("rung", "scheme")
    if not isinstance(rung, str) or rung.lower() not in _RUNGS:
        raise IriError(f"rung is one of: {', '.join(_RUNGS)}")
    return Ladder(_RUNGS[rung.lower()], profile.get("conventions", ()))
