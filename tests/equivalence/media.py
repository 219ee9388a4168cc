"""Media that the contract of the stores is tested over; another one joins by one class."""

from __future__ import annotations

from pathlib import Path

from iri_canon.equivalence import EquivalenceStore, SeenStore, open_equivalences, open_seen, profile

PROFILE = profile(["scrapy"])


class Memory:
    """Ends with the store."""

    persistent = False

    def __init__(self, folder: Path) -> None:
        del folder

    def seen(self) -> SeenStore:
        return open_seen(None, PROFILE)

    def equivalences(self) -> EquivalenceStore:
        return open_equivalences("memory:", PROFILE)


class Sqlite:
    """Files in a folder."""

    persistent = True

    def __init__(self, folder: Path) -> None:
        self.seen_path = folder / "seen é %41?#.sqlite"
        self.equivalences_path = folder / "equivalences"

    def seen(self) -> SeenStore:
        return open_seen(self.seen_path, PROFILE)

    def equivalences(self) -> EquivalenceStore:
        return open_equivalences(f"sqlite:{self.equivalences_path}", PROFILE)


MEDIA = (Memory, Sqlite)
