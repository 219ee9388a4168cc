"""A page that is done is known by each of its names; what is newer counts, and items that it gave stay counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable

from iri_canon.equivalence.stores import KnownPage


class Pages(ABC):
    """The rules of keeping and forgetting, over a medium that a subclass brings."""

    @abstractmethod
    def page(self, key: str) -> KnownPage | None:
        """The page that a key names."""

    @abstractmethod
    def representative(self, key: str, /) -> str | None:
        """The end of the chain of pairs that begins at a SCHEME key; None where the key is no source."""

    @abstractmethod
    def _set_page(self, key: str, known: KnownPage | None) -> None:
        """Store what a key names in place of anything else; None: nothing."""

    @abstractmethod
    def _names_of(self, pages: Collection[str]) -> Iterable[str]:
        """The keys that name these pages. Raises ``StoreError``."""

    def keep_page(
        self, key: str, page: str, time: float, *, gave_items: bool = False, covered: bool = False
    ) -> None:
        """Keep that ``key`` names a page that is done; both are SCHEME keys, ``page`` that of the page itself.

        What is older than what is kept changes nothing. Items that a page gave once count from then on.
        """
        before = self.page(key)
        if before is not None:
            if before.time > time:
                return
            # Another page's items say nothing of this one.
            gave_items = gave_items or (before.page == page and before.gave_items)
        known = KnownPage(key, page, time, gave_items, covered)
        if known != before:
            self._set_page(key, known)

    def forget_pages(self, keys: Iterable[str]) -> int:
        """Drop the page that each key names, under all its names; how many names there were. Raises ``StoreError``.

        The source of a pair names what its representative does, and a key that names nothing may still be the page
        that others name.
        """
        names = list(self._names_of({self._page_of(key) for key in keys}))
        for name in names:
            self._set_page(name, None)
        return len(names)

    def _page_of(self, key: str) -> str:
        for name in (key, self.representative(key) or key):
            known = self.page(name)
            if known is not None:
                return known.page
        return name
