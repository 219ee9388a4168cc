"""A request may be skipped for another one only where a rule in force covers just this pair, in this direction."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from iri_canon.equivalence import RuleName
from iri_canon.learning.kinds import Projection, kind_of
from iri_canon.learning.learner import Learner
from iri_canon.learning.parts import split
from iri_canon.learning.sections import is_below, section_of

MOST_WAITING: Final = 50_000
"""Claims remembered of sites without rules: what is older is no witness when a rule comes into force."""

SORTINGS: Final = 16
"""How often each claim may be sorted anew, on the whole."""

MOST_HEADS: Final = 100_000
"""Beginnings of keys whose section is remembered."""

MOST_WITNESSES: Final = 4
"""Keys of one class that are looked at."""


class Standing(IntEnum):
    """What became of a request, as far as the page that it may bring goes."""

    NONE = 0
    """It brings none."""
    UNDER_WAY = 1
    """It may bring one."""
    PAGE = 2
    """It has brought one."""


Stands: TypeAlias = Callable[[str, int | None], Standing]
"""What became of the request for a key, as far as its caller knows."""


class Witness(NamedTuple):
    """A key whose request brings the page of another key, and the rules that say so.

    ``stamp`` is what the claim was made with; None where the key was not seen to be claimed, and is only what the rules
    make of the other one.
    """

    key: str
    stamp: int | None
    rules: tuple[RuleName, ...]


class _Section:
    """The keys claimed in one section of a site, by what the rules in force there make of them.

    There is one for each page of a crawl, so a class of one key is that key and no list.
    """

    __slots__ = ("_credit", "by_class", "keys", "name", "projection")

    def __init__(self, name: str) -> None:
        self.name = name
        self.keys: list[str] = []
        self.by_class: dict[str, str | list[str]] = {}
        self.projection: Projection | None = None
        self._credit = 0

    def index(self, projection: Projection | None) -> None:
        """Sort the keys anew where other rules are in force than before.

        Each key pays for some sortings and no more: a site that changes its rules with every page must not take
        quadratic time. What is not sorted is no witness.
        """
        if projection == self.projection:
            return
        self.projection = projection
        self.by_class.clear()
        if projection is None or self._credit < len(self.keys):
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

    def members(self, place: str) -> Iterable[str]:
        """The keys of a class."""
        found = self.by_class.get(place, ())
        return (found,) if isinstance(found, str) else found

    def _sort(self, key: str, place: str) -> None:
        # Most keys are what the rules make of them: then there is one text for both.
        found = self.by_class.setdefault(key if place == key else place, key)
        if found == key:
            return
        if isinstance(found, str):
            self.by_class[place] = [found, key]
        elif len(found) < MOST_WITNESSES and key not in found:
            found.append(key)


class Coverage:
    """The claims of this crawl, as far as rules may find them."""

    def __init__(self, learner: Learner, usual: int = 0) -> None:
        """``usual`` is the stamp that most claims have."""
        self._rules = learner.rules
        self._usual = usual
        self._waiting: deque[str] = deque(maxlen=MOST_WAITING)
        # Of the few that are not the usual one.
        self._stamps: dict[str, int] = {}
        self._sites: dict[str, dict[str, _Section]] = {}
        # What a key begins with up to its second slash tells its section and what becomes of its origin.
        self._heads: dict[str, tuple[_Section, str]] = {}
        self._version = -1
        self._placed: tuple[str, tuple[_Section, str] | None] = ("", None)

    def claim(self, key: str, stamp: int | None = None) -> None:
        """A request for a SCHEME key passed; ``stamp`` is the caller's, and given back (None: the usual one)."""
        if stamp is not None and stamp != self._usual:
            self._stamps[key] = stamp
        elif self._stamps:
            self._stamps.pop(key, None)
        place = self._place(key) if self._rules.has_rules else None
        if place is None:
            self._waiting.append(key)
        else:
            place[0].add(key, place[1])

    def witnesses(self, key: str, stands: Stands = lambda key, stamp: Standing.PAGE) -> Iterable[Witness]:
        """The keys for which a SCHEME key need not be fetched.

        ``stands`` is asked with a key and a stamp (as `Witness` has them) what became of that request. It comes before
        the rules are looked at closely, since most keys have no such other one.
        """
        place = self._place(key) if self._rules.has_rules else None
        if place is None or place[0].projection is None:
            return ()
        section, projected = place
        if projected == key and projected not in section.by_class:
            return ()
        return self._covering(key, projected, section, stands)

    def _covering(self, key: str, projected: str, section: _Section, stands: Stands) -> Iterator[Witness]:
        members = section.members(projected)
        # What was claimed too long before the rule came is not remembered: it may be what the rules make of the key.
        for other in members if projected in members else (*members, projected):
            stamp = self._stamps.get(other, self._usual) if other in members else None
            standing = Standing.NONE if other == key else stands(other, stamp)
            if standing and (rules := self._rules_for(key, other, section.name, standing)):
                yield Witness(other, stamp, rules)

    def _rules_for(self, key: str, other: str, section: str, standing: Standing) -> tuple[RuleName, ...]:
        source, target = split(key), split(other)
        kind = kind_of(source, target) if source is not None and target is not None else None
        if not kind or source is None or target is None:
            return ()
        return self._rules.covering(source, target, kind, section, is_page=standing is Standing.PAGE)

    def _place(self, key: str) -> tuple[_Section, str] | None:
        """The section of a key and its class there; None where no rule is in force at its site."""
        if self._version != self._rules.version:
            self._version = self._rules.version
            self._heads.clear()
        elif self._placed[0] is key:
            # A key is asked for first and claimed after that.
            return self._placed[1]
        place = self._place_quickly(key) or self._place_surely(key)
        self._placed = (key, place)
        return place

    def _place_quickly(self, key: str) -> tuple[_Section, str] | None:
        """The same for a key of a plain path below a section that is known; None for any other."""
        root = key.find("/", 8)
        end = key.find("/", root + 1) + 1
        known = self._heads.get(key[:end]) if end else None
        if known is None:
            return None
        section, origin = known
        question = key.find("?", end)
        path = key[root:] if question < 0 else key[root:question]
        projection = section.projection
        if not is_below(path, end - root):
            return None
        if projection is None:
            return section, key
        if question < 0:
            return section, origin + projection.path(path)
        query = projection.query(key[question + 1 :])
        return section, origin + projection.path(path) + ("" if query is None else f"?{query}")

    def _place_surely(self, key: str) -> tuple[_Section, str] | None:
        parts = split(key)
        if parts is None or not self._rules.has_rules_at(parts.site):
            return None
        sections = self._sites.get(parts.site)
        if sections is None:
            sections = self._sites[parts.site] = {}
            self._collect(parts.site, sections)
        name = section_of(parts.path)
        section = sections.get(name)
        if section is None:
            section = sections[name] = _Section(name)
        projection = self._rules.projection(parts, name)
        section.index(projection)
        projected = parts if projection is None else projection(parts)
        first, slash, _ = parts.path[1:].partition("/")
        if slash and name == first and len(self._heads) < MOST_HEADS:
            head = str(parts._replace(path=f"/{first}/", query=None))
            self._heads[head] = section, str(projected._replace(path="", query=None))
        return section, str(projected)

    def _collect(self, site: str, sections: dict[str, _Section]) -> None:
        """Find the claims of a site that were made before it had rules."""
        kept: deque[str] = deque(maxlen=MOST_WAITING)
        for key in self._waiting:
            parts = split(key) if site in key else None
            if parts is not None and parts.site == site:
                name = section_of(parts.path)
                # Sorted once the rules of the section are asked for.
                sections.setdefault(name, _Section(name)).add(key, key)
            else:
                kept.append(key)
        self._waiting = kept
