"""A request may be skipped for another one only where a rule in force covers just this pair, in this direction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from iri_canon.equivalence import RuleName
from iri_canon.learning.claimed import MOST_WITNESSES, Section, Site, Waiting
from iri_canon.learning.kinds import Projection, kind_of
from iri_canon.learning.learner import Learner
from iri_canon.learning.parts import Parts, split
from iri_canon.learning.sections import LONGEST, directory_of, section_of

MOST_HEADS: Final = 100_000
"""Beginnings of keys of which the site is remembered, and spellings of directories at one site."""

Stands: TypeAlias = Callable[[str, int | None], bool]
"""Whether the request for a key brings a page, as far as its caller knows."""

_Place: TypeAlias = tuple[Section, str]
"""The section of a key, and its class there: what the rules make of it."""


class Witness(NamedTuple):
    """A key whose request brings the page of another key, and the rules that say so.

    ``stamp`` is what the claim was made with; None where the key was not seen to be claimed, and is only what the rules
    make of the other one.
    """

    key: str
    stamp: int | None
    rules: tuple[RuleName, ...]


class _Origin:
    """What keys begin with, up to their path, and the site that it belongs to as long as that has rules."""

    __slots__ = ("_moved", "_parts", "name", "site", "text", "version")

    def __init__(self, text: str, parts: Parts | None) -> None:
        self.text = text
        self._parts = parts
        self.name = None if parts is None else parts.site
        self.site: Site | None = None
        self.version = -1
        self._moved: tuple[Projection | None, str] = (None, text)

    def moved(self, projection: Projection) -> str:
        """What a projection makes of it."""
        known, moved = self._moved
        if known is not projection and self._parts is not None:
            moved = str(projection(self._parts)._replace(path=""))
            self._moved = (projection, moved)
        return moved


class Coverage:
    """The claims of this crawl, as far as rules may find them."""

    def __init__(self, learner: Learner, usual: int = 0, *, sees_all: bool = False) -> None:
        """``usual`` is the stamp that most claims have; ``sees_all``: no request brings a page but what is claimed here.

        Then what was never claimed need not be asked for.
        """
        self._rules = learner.rules
        self._usual = usual
        self._sees_all = sees_all
        self._waiting = Waiting()
        # Of the few that are not the usual one.
        self._stamps: dict[str, int] = {}
        self._sites: dict[str, Site] = {}
        self._origins: dict[str, _Origin] = {}
        # A key is asked for first and claimed after that.
        self._placed: tuple[str, int, _Place | None] = ("", -1, None)

    def miss(self) -> None:
        """A request that may bring the page of others is not told."""
        self._sees_all = False

    def claim(self, key: str, stamp: int | None = None) -> None:
        """A request for a SCHEME key passed; ``stamp`` is the caller's, and given back (None: the usual one)."""
        if stamp is not None and stamp != self._usual:
            self._stamps[key] = stamp
        elif self._stamps:
            self._stamps.pop(key, None)
        place = self._place(key) if self._rules.has_rules else None
        if place is None:
            self._waiting.add(key)
        else:
            place[0].add(key, place[1])

    def is_alone(self, key: str) -> bool:
        """Whether a SCHEME key surely has no witness: most have none, and that is seen at once."""
        place = self._place(key) if self._rules.has_rules else None
        if place is None:
            return True
        section, projected = place
        if section.projection is None:
            return True
        found = section.by_class.get(projected)
        if found is None:
            return projected == key or (self._sees_all and section.is_whole)
        return found == key and (projected == key or (self._sees_all and section.is_whole))

    def witnesses(self, key: str, stands: Stands = lambda key, stamp: True) -> Iterable[Witness]:
        """The keys for which a SCHEME key need not be fetched.

        ``stands`` is asked with a key and a stamp (as `Witness` has them) whether what became of that request brings a
        page. It comes before the rules are looked at closely, since most keys have no such other one.
        """
        if self.is_alone(key):
            return ()
        place = self._place(key)
        return () if place is None else self._covering(key, place, stands)

    def _covering(self, key: str, place: _Place, stands: Stands) -> Iterator[Witness]:
        section, projected = place
        members = section.members(projected)
        others = members
        # What was claimed too long before the rule came is not remembered: it may be what the rules make of the key.
        is_all = self._sees_all and section.is_whole and len(members) < MOST_WITNESSES
        if not is_all and projected not in members:
            others = (*members, projected)
        for other in others:
            stamp = self._stamps.get(other, self._usual) if other in members else None
            if other != key and stands(other, stamp) and (rules := self._rules_for(key, other, section.name)):
                yield Witness(other, stamp, rules)

    def _rules_for(self, key: str, other: str, section: str) -> tuple[RuleName, ...]:
        source, target = split(key), split(other)
        kind = kind_of(source, target) if source is not None and target is not None else None
        if not kind or source is None or target is None:
            return ()
        return self._rules.covering(source, target, kind, section)

    def _place(self, key: str) -> _Place | None:
        """The section of a key and its class there; None where no rule is in force at its site."""
        version = self._rules.version
        placed, at, place = self._placed
        if placed is not key or at != version:
            place = self._find(key)
            self._placed = (key, version, place)
        return place

    def _find(self, key: str) -> _Place | None:
        root = key.find("/", 8)
        origin = self._origins.get(key[:root])
        if origin is None:
            origin = self._origin(key)
        if origin.version != self._rules.version:
            self._refresh(origin)
        site = origin.site
        if site is None:
            return None
        mark = key.find("?", root)
        path = key[root:] if mark < 0 else key[root:mark]
        directory = directory_of(path)
        section = None if directory is None else site.by_directory.get(directory)
        if section is None:
            section = self._section(site, path, directory)
        projection = section.projection
        if projection is None:
            return section, key
        changed = projection.path(path)
        if mark < 0:
            if changed == path and not projection.moves:
                return section, key
        else:
            query = key[mark + 1 :]
            left = projection.query(query)
            if left == query and changed == path and not projection.moves:
                return section, key
            if left is not None:
                changed = f"{changed}?{left}"
        return section, (origin.moved(projection) if projection.moves else origin.text) + changed

    def _section(self, site: Site, path: str, directory: str | None) -> Section:
        if directory is None:
            return site.section(section_of(path))
        section = site.section(directory[:LONGEST].lower())
        if len(directory) <= LONGEST:
            if len(site.by_directory) >= MOST_HEADS:
                site.by_directory.clear()
            site.by_directory[directory] = section
        return section

    def _origin(self, key: str) -> _Origin:
        """What a key begins with; all that begin so are of one site, or no convention speaks of them."""
        root = key.find("/", 8)
        if root < 0:
            return _Origin(key, None)
        text = key[:root]
        known = self._origins.get(text)
        if known is None:
            if len(self._origins) >= MOST_HEADS:
                self._origins.clear()
            known = self._origins[text] = _Origin(text, split(f"{text}/"))
        return known

    def _refresh(self, origin: _Origin) -> None:
        """See what the rules are by now."""
        origin.version = self._rules.version
        name = origin.name
        if name is None or not self._rules.has_rules_at(name):
            origin.site = None
            return
        site = origin.site = self._sites.get(name)
        if site is None:
            site = origin.site = self._sites[name] = Site()
        site.obey(self._rules.of_site(name))
        if (lapses := self._rules.lapses(name)) != site.lapses:
            site.lapses = lapses
            self._collect(name, site)

    def _collect(self, name: str, site: Site) -> None:
        """Find the claims of a site that were made when it had no rules."""
        for key in self._waiting.take(name, lambda key: self._origin(key).name):
            parts = split(key)
            if parts is not None:
                site.keep(key, section_of(parts.path))
        site.is_whole &= not self._waiting.has_dropped
