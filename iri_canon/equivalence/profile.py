"""Keys made by one set of rules are never mixed with keys made by another."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from idna import idnadata

from iri_canon.conventions import select

CANONICALIZATION_VERSION = 2
"""Raised by hand whenever the SCHEME key or a convention's projection of any text changes."""


_OF_SCHEME_KEYS = frozenset({"canonicalization", "unicode", "idna"})


@dataclass(frozen=True, slots=True)
class Profile:
    """All that decides which key a text gets; ``parts`` are names and values, in order of the names."""

    parts: tuple[tuple[str, str], ...]

    def differences(self, other: Profile) -> Iterator[str]:
        """What differs in another profile, in words.

        >>> list(profile(["www"]).differences(profile([])))
        ['conventions: {"*":["www"]} here, {} there']
        """
        here, there = dict(self.parts), dict(other.parts)
        for name in sorted({*here, *there}):
            if here.get(name) != there.get(name):
                yield f"{name}: {here.get(name, 'nothing')} here, {there.get(name, 'nothing')} there"

    def of_scheme_keys(self) -> Profile:
        """The parts that SCHEME keys depend on: neither assumed conventions nor options change these keys."""
        return Profile(tuple(part for part in self.parts if part[0] in _OF_SCHEME_KEYS))


def profile(conventions: Iterable[str] | Mapping[str, Iterable[str]] = (), **options: str) -> Profile:
    """The profile of keys made now, with these assumed conventions.

    ``options`` are further things that the caller's digests depend on. Raises ``ConventionError``.
    """
    by_host = conventions if isinstance(conventions, Mapping) else {"*": conventions}
    named = {host: [each.name for each in select(names)] for host, names in sorted(by_host.items())}
    assumed = {host: names for host, names in named.items() if names}
    parts = {
        **options,
        "canonicalization": str(CANONICALIZATION_VERSION),
        "unicode": unicodedata.unidata_version,
        "idna": idnadata.__version__,
        "conventions": json.dumps(assumed, separators=(",", ":")),
    }
    return Profile(tuple(sorted(parts.items())))
