"""Claims are kept by what rules make of them where rules are in force, and wait for that where none are."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from iri_canon.learning.in_force import SiteRules
from iri_canon.learning.kinds import Projection
from iri_canon.learning.parts import split

MOST_WAITING: Final = 50_000
"""Claims remembered of sites without rules: what is older is no witness when a rule comes into force.

While rules come into force at other sites up to three times as many are remembered.
"""

SORTINGS: Final = 16
"""How often each claim may be sorted anew, on the whole."""

MOST_WITNESSES: Final = 4
"""Keys of one class that are looked at."""


class Section:
    """The keys claimed in one section of a site, by what the rules in force there make of them.

    There is one for each page of a crawl, so a class of one key is that key and no list.
    """

    __slots__ = ("_by_class", "_keys", "_spent", "is_whole", "name", "projection")

    def __init__(self, name: str, projection: Projection | None = None, *, is_whole: bool = True) -> None:
        self.name = name
        self.projection = projection
        self.is_whole = is_whole
        """Whether all keys that were ever claimed here are known, and sorted."""
        self._keys: list[str] = []
        self._by_class: dict[str, str | list[str]] = {}
        self._spent = 0

    def index(self, projection: Projection | None, *, is_whole: bool) -> None:
        """Sort the keys anew where other rules are in force than before.

        Each key pays for some sortings and no more: a site that changes its rules with every page must not take
        quadratic time. What is not sorted is no witness.
        """
        if projection == self.projection:
            self.is_whole &= is_whole
            return
        self.projection = projection
        self.is_whole = is_whole
        self._by_class.clear()
        if projection is None:
            return
        if self._spent + len(self._keys) > SORTINGS * len(self._keys):
            self.is_whole = False
            return
        self._spent += len(self._keys)
        for key in self._keys:
            parts = split(key)
            if parts is not None:
                self._sort(key, str(projection(parts)))

    def add(self, key: str, place: str) -> None:
        """One more key, and what the rules make of it."""
        self._keys.append(key)
        if self.projection is not None:
            self._sort(key, place)

    def add_alone(self, key: str, place: str, *, is_all: bool) -> bool:
        """Add a key that surely has no other one; whether it has none. ``is_all``: all claims are told."""
        if self.projection is not None:
            if place != key and not (is_all and self.is_whole):
                return False
            if self._by_class.setdefault(place, key) != key:
                return False
        self._keys.append(key)
        return True

    def keep(self, key: str) -> None:
        """One more key, which is sorted with the others when ``index`` is called next."""
        self.projection = None
        self._by_class.clear()
        self._keys.append(key)

    def others(self, key: str, place: str, *, is_all: bool) -> Iterable[tuple[str, bool]]:
        """The other keys that rules make the same of as of a key, and whether they were claimed; some, if many are."""
        found = self._by_class.get(place, ())
        members = (found,) if isinstance(found, str) else tuple(found)
        for other in members:
            if other != key:
                yield other, True
        # What was claimed too long before the rule came is not remembered: it may be what the rules make of the key.
        knows_all = is_all and self.is_whole and len(members) < MOST_WITNESSES
        if place != key and place not in members and not knows_all:
            yield place, False

    def _sort(self, key: str, place: str) -> None:
        # Most keys are what the rules make of them: then there is one text for both.
        found = self._by_class.setdefault(key if place == key else place, key)
        if found == key:
            return
        if isinstance(found, str):
            self._by_class[place] = [found, key]
        elif len(found) < MOST_WITNESSES and key not in found:
            found.append(key)


class Site:
    """The sections of a site that has rules in force, or had."""

    __slots__ = ("_sections", "is_whole", "lapses")

    def __init__(self) -> None:
        self._sections: dict[str, Section] = {}
        self.is_whole = True
        """Whether all keys that were ever claimed at the site are in its sections."""
        self.lapses = -1
        """How often the site had lost all of its rules when claims that waited were looked for; -1: never yet."""

    def section(self, name: str) -> Section:
        """A section, as it is."""
        section = self._sections.get(name)
        if section is None:
            section = self._sections[name] = Section(name)
        return section

    def indexed(self, name: str, rules: SiteRules) -> Section:
        """A section, sorted by these rules."""
        projection = rules.projection(name)
        section = self._sections.get(name)
        if section is None:
            section = self._sections[name] = Section(name, projection, is_whole=self.is_whole)
        else:
            section.index(projection, is_whole=self.is_whole)
        return section


class Waiting:
    """Claims of sites without rules, until there are some.

    Each is looked at once, whatever number of sites comes to have rules.

    >>> waiting = Waiting()
    >>> for key in ("http://a.example/1", "http://b.example/1", "http://www.a.example/2"):
    ...     waiting.add(key)
    >>> waiting.take("a.example"), waiting.take("a.example"), waiting.has_dropped
    (['http://a.example/1', 'http://www.a.example/2'], [], False)
    """

    def __init__(self) -> None:
        self._new: deque[str] = deque(maxlen=MOST_WAITING)
        self._young: dict[str, list[str]] = {}
        self._old: dict[str, list[str]] = {}
        self._count = 0
        self.has_dropped = False
        """Whether any claim is not remembered, as of the last ``take``."""
        self.add = self._new.append

    def take(self, site: str) -> list[str]:
        """The claims of a site, which wait no longer, in their order."""
        if self._new:
            self._look()
        return [*self._old.pop(site, ()), *self._young.pop(site, ())]

    def _look(self) -> None:
        self.has_dropped |= len(self._new) == MOST_WAITING
        for key in self._new:
            parts = split(key)
            if parts is None:
                continue
            if self._count >= MOST_WAITING:
                self.has_dropped |= bool(self._old)
                self._old, self._young, self._count = self._young, {}, 0
            self._young.setdefault(parts.site, []).append(key)
            self._count += 1
        self._new.clear()
