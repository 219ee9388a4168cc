"""Claims are kept by what rules make of them where rules are in force, and wait for that where none are."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
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

    __slots__ = ("_credit", "by_class", "is_whole", "keys", "name", "projection")

    def __init__(self, name: str, *, is_whole: bool) -> None:
        self.name = name
        self.keys: list[str] = []
        self.by_class: dict[str, str | list[str]] = {}
        self.projection: Projection | None = None
        self.is_whole = is_whole
        """Whether each key that was ever claimed here is among them, and sorted."""
        self._credit = 0

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
        self.by_class.clear()
        if projection is None:
            return
        if self._credit < len(self.keys):
            self.is_whole = False
            return
        self._credit -= len(self.keys)
        for key in self.keys:
            parts = split(key)
            if parts is not None:
                self._sort(key, str(projection(parts)))

    def add(self, key: str, place: str) -> None:
        """One more key, and what the rules make of it."""
        self.keys.append(key)
        self._credit += SORTINGS
        if self.projection is not None:
            self._sort(key, place)

    def keep(self, key: str) -> None:
        """One more key, which is sorted with the others when ``index`` is called next."""
        self.projection = None
        self.by_class.clear()
        self.add(key, key)

    def members(self, place: str) -> tuple[str, ...]:
        """The keys of a class; some of them, where there are many."""
        found = self.by_class.get(place, ())
        return (found,) if isinstance(found, str) else tuple(found)

    def _sort(self, key: str, place: str) -> None:
        # Most keys are what the rules make of them: then there is one text for both.
        found = self.by_class.setdefault(key if place == key else place, key)
        if found == key:
            return
        if isinstance(found, str):
            self.by_class[place] = [found, key]
        elif len(found) < MOST_WITNESSES and key not in found:
            found.append(key)


class Site:
    """The sections of a site that has rules in force, or had."""

    __slots__ = ("_rules", "_sections", "by_directory", "is_whole", "lapses")

    def __init__(self) -> None:
        self.lapses = -1
        """How often the site had lost all of its rules when claims that waited were looked for; -1: never yet."""
        self._rules: SiteRules | None = None
        self._sections: dict[str, Section] = {}
        self.by_directory: dict[str, Section] = {}
        """The sections that are sorted by the rules of now, by each spelling of their directory."""
        self.is_whole = True
        """Whether each key that was ever claimed at the site has its section."""

    def obey(self, rules: SiteRules) -> None:
        """Go by these rules from now on."""
        if rules is not self._rules:
            self._rules = rules
            self.by_directory.clear()

    def section(self, name: str) -> Section:
        """A section, sorted by the rules of now."""
        section = self._section(name)
        if self._rules is not None:
            section.index(self._rules.projection(name), is_whole=self.is_whole)
        return section

    def keep(self, key: str, name: str) -> None:
        """A claim of a time without rules, and its section."""
        self._section(name).keep(key)

    def _section(self, name: str) -> Section:
        section = self._sections.get(name)
        if section is None:
            section = self._sections[name] = Section(name, is_whole=self.is_whole)
        return section


class Waiting:
    """Claims of sites without rules, until there are some.

    Each is looked at once, whatever number of sites comes to have rules.

    >>> waiting = Waiting()
    >>> for key in ("http://a.example/1", "http://b.example/1", "http://a.example/2"):
    ...     waiting.add(key)
    >>> waiting.take("a.example", lambda key: key.split("/")[2]), waiting.has_dropped
    (['http://a.example/1', 'http://a.example/2'], False)
    >>> waiting.take("a.example", lambda key: key.split("/")[2])
    []
    """

    def __init__(self) -> None:
        self._new: deque[str] = deque(maxlen=MOST_WAITING)
        self._young: dict[str, list[str]] = {}
        self._old: dict[str, list[str]] = {}
        self._count = 0
        self.has_dropped = False
        """Whether any claim is not remembered, as of the last ``take``."""
        self.add = self._new.append

    def take(self, site: str, site_of: Callable[[str], str | None]) -> list[str]:
        """The claims of a site, which wait no longer, in their order; ``site_of`` tells the site of a key."""
        self._look(site_of)
        return [*self._old.pop(site, ()), *self._young.pop(site, ())]

    def _look(self, site_of: Callable[[str], str | None]) -> None:
        self.has_dropped |= len(self._new) == MOST_WAITING
        for key in self._new:
            site = site_of(key)
            if site is None:
                continue
            if self._count >= MOST_WAITING:
                self.has_dropped |= bool(self._old)
                self._old, self._young, self._count = self._young, {}, 0
            self._young.setdefault(site, []).append(key)
            self._count += 1
        self._new.clear()
