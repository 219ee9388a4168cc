"""A store is used by one process at a time: one that cannot be had is told in one line, and ends the command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from iri_canon.cli.output import complain
from iri_canon.errors import StoreError

if TYPE_CHECKING:
    from iri_canon.equivalence import EquivalenceStore

_SQLITE: Final = "sqlite:"

StorePath: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="STORE", help="The file that IRI_CANON_STORE names, with sqlite: before it or without."
    ),
]


@contextmanager
def store_at(name: str, *, create: bool = False) -> "Iterator[EquivalenceStore]":
    """The store in a file, which has to be there unless it may be created; what is wrong with it ends the command."""
    from iri_canon.equivalence import open_equivalences, profile  # other commands need no store

    url = name if "://" in name or name.startswith(_SQLITE) else f"{_SQLITE}{name}"
    path = Path(url.removeprefix(_SQLITE))
    try:
        if not create and url.startswith(_SQLITE) and not path.exists():
            raise StoreError(f"{path}: no such file; `iri-canon learn --store {path}` makes one")
        store = open_equivalences(url, profile())
        try:
            yield store
        finally:
            store.close()
    except StoreError as error:
        complain(f"iri-canon: {error}")
        raise typer.Exit(1) from None


class Observed:
    """The pairs of a store, as `iri_canon.Ladder` asks for them; it follows their chains itself."""

    def __init__(self, name: str) -> None:
        with store_at(name) as store:
            self._pairs = {pair.source: pair.representative for pair in store.equivalences()}

    def representative(self, key: str) -> str | None:
        """The key that a SCHEME key was seen to redirect to for good; None where it was not."""
        return self._pairs.get(key)


def observed(name: str | None) -> Observed | None:
    """The pairs of a store that was named."""
    return None if name is None else Observed(name)
