"""A request may be skipped for another one only where a rule in force covers just this pair, in this direction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from iri_canon.conventions.lists import names
from iri_canon.equivalence import RuleName
from iri_canon.learning.claimed import Section, Site, Waiting
from iri_canon.learning.in_force import SiteRules
from iri_canon.learning.kinds import Projection, kind_of, without
from iri_canon.learning.learner import Learner
from iri_canon.learning.parts import split
from iri_canon.learning.rulebook import Rulebook
from iri_canon.learning.sections import LONGEST, section_of

MOST_HEADS: Final = 100_000
"""Beginnings of keys of which the section is remembered."""


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
    """Scheme and authority of keys, and what is known of all keys that begin so."""

    __slots__ = ("_moved", "_parts", "name", "rules", "sections", "site", "text")

    def __init__(self, text: str, rules: Rulebook) -> None:
        self.text = text
        self._parts = split(f"{text}/")
        self._moved: tuple[Projection | None, str] = (None, text)
        self.name = "" if self._parts is None else self._parts.site
        """The site; empty where no convention speaks of it."""
        self.rules = rules.of_site(self.name)
        """As long as these are current, so are the others."""
        self.site: Site | None = None
        """None where no rule is in force."""
        self.sections: dict[str, Section] = {}
        """By how their directory is spelt, where nothing is unusual about that; "" for the root."""

    def moved(self, projection: Projection) -> str:
        """What a projection makes of scheme and authority."""
        known, moved = self._moved
        if known is not projection and self._parts is not None:
            moved = str(projection(self._parts)._replace(path=""))
            self._moved = (projection, moved)
        return moved


class Coverage:
    """The claims of this crawl, as far as rules may find them."""

    def __init__(self, learner: Learner, usual: int = 0, *, sees_all: bool = False) -> None:
        """``usual`` is the stamp that most claims have.

        ``sees_all``: no request brings a page but what is claimed here, so nothing else need be asked for.
        """
        self._rules = learner.rules
        self._usual = usual
        self._sees_all = sees_all
        self._waiting = Waiting()
        # Of the few that are not the usual one.
        self._stamps: dict[str, int] = {}
        self._sites: dict[str, Site] = {}
        self._origins: dict[str, dict[str, _Origin]] = {"http:": {}, "https:": {}}
        self._heads = 0
        self._documents = names("default-documents")

    def miss(self) -> None:
        """A request that may bring the page of others is not told."""
        self._sees_all = False

    def claim(self, key: str, stamp: int | None = None) -> None:
        """A request for a SCHEME key passed; ``stamp`` is the caller's, and given back (None: the usual one)."""
        if stamp is not None and stamp != self._usual:
            self._stamps[key] = stamp
        elif self._stamps:
            self._stamps.pop(key, None)
        if not self._rules.has_rules or (place := self._place(key)) is None:
            self._waiting.add(key)
        else:
            place[0].add(key, place[1])

    def claim_alone(self, key: str) -> bool:
        """Claim a SCHEME key, with the usual stamp, if it surely has no witness; whether it has none.

        Most have none, and that is seen at once.
        """
        place = self._place(key)
        if place is None:
            self._waiting.add(key)
        elif not place[0].add_alone(key, place[1], is_all=self._sees_all):
            return False
        if self._stamps:
            self._stamps.pop(key, None)
        return True

    def witnesses(self, key: str, stands: Stands = lambda key, stamp: Standing.PAGE) -> Iterator[Witness]:
        """The keys for which a SCHEME key need not be fetched.

        ``stands`` is asked with a key and a stamp (as `Witness` has them) what became of that request. It comes before
        the rules are looked at closely, since most keys have no such other one.
        """
        place = self._place(key) if self._rules.has_rules else None
        if place is None or place[0].projection is None:
            return
        section, projected = place
        for other, is_claimed in section.others(key, projected, is_all=self._sees_all):
            stamp = self._stamps.get(other, self._usual) if is_claimed else None
            standing = stands(other, stamp)
            if standing and (rules := self._rules_for(key, other, section.name, standing)):
                yield Witness(other, stamp, rules)

    def _rules_for(self, key: str, other: str, section: str, standing: Standing) -> tuple[RuleName, ...]:
        source, target = split(key), split(other)
        kind = kind_of(source, target) if source is not None and target is not None else None
        if not kind or source is None or target is None:
            return ()
        return self._rules.covering(source, target, kind, section, is_page=standing is Standing.PAGE)

    def _place(self, key: str) -> _Place | None:
        """The section of a key and its class there; None where no rule is in force at its site.

        Every request of a crawl comes here: what most keys have in common takes few calls.
        """
        pieces = key.split("/", 4)
        origins = self._origins.get(pieces[0])
        if origins is None or len(pieces) < 4 or pieces[1]:
            return None
        origin = origins.get(pieces[2])
        if origin is None or not origin.rules.is_current:
            origin = self._look(origins, f"{pieces[0]}//{pieces[2]}", pieces[2])
        if origin.site is None:
            return None
        if len(pieces) == 4:
            directory = ""
            path, mark, query = f"/{pieces[3]}".partition("?")
        else:
            directory = pieces[3]
            rest, mark, query = pieces[4].partition("?")
            path = f"/{directory}/{rest}"
            # Each default document has a dot in its name.
            if not rest or ("." in rest and rest.lower() in self._documents):
                directory = ""
        # Without these, a path shows at its ends what may change, and which section it is of.
        if "%" in path or ";" in path or "(" in path or "//" in path or "?" in path:
            return self._place_surely(key, origin)
        section = origin.sections.get(directory)
        if section is None:
            section = self._section(origin, directory)
        projection = section.projection
        if projection is None:
            return section, key
        changed = path
        if projection.reads_names:
            changed = projection.path(path)
        elif path[-1] == "/" and projection.reads_slash:
            changed = projection.path(path) if "." in path or path == "/" else path[:-1]
        if mark:
            left: str | None = query
            if projection.reads_queries:
                left = projection.query(query)
            else:
                for name in projection.parameters:
                    if name in query:
                        left = without(query, projection.parameters)
                        break
            if left is not None:
                if left == query and changed == path and not projection.moves:
                    return section, key
                changed = f"{changed}?{left}"
        elif changed == path and not projection.moves:
            return section, key
        return section, (origin.moved(projection) if projection.moves else origin.text) + changed

    def _place_surely(self, key: str, origin: _Origin) -> _Place | None:
        parts = split(key)
        if parts is None or origin.site is None:
            return None
        section = origin.site.indexed(section_of(parts.path), origin.rules)
        return section, key if section.projection is None else str(section.projection(parts))

    def _look(self, origins: dict[str, _Origin], text: str, authority: str) -> _Origin:
        """What is known of an origin by now."""
        origin = origins.get(authority)
        if origin is None:
            self._make_room()
            origin = origins[authority] = _Origin(text, self._rules)
        origin.rules = self._rules.of_site(origin.name)
        origin.sections.clear()
        origin.site = self._site(origin.name, origin.rules) if origin.rules.has_any else None
        return origin

    def _section(self, origin: _Origin, directory: str) -> Section:
        """The section of a directory that is spelt as any other, sorted by the rules of now."""
        if origin.site is None:
            return Section("")
        section = origin.site.indexed(directory[:LONGEST].lower(), origin.rules)
        if len(directory) <= LONGEST:
            self._make_room()
            origin.sections[directory] = section
        return section

    def _make_room(self) -> None:
        self._heads += 1
        if self._heads > MOST_HEADS:
            self._heads = 1
            for origins in self._origins.values():
                origins.clear()

    def _site(self, name: str, rules: SiteRules) -> Site:
        """What was claimed at a site with rules."""
        site = self._sites.get(name)
        if site is None:
            site = self._sites[name] = Site()
        if (lapses := self._rules.lapses(name)) != site.lapses:
            site.lapses = lapses
            self._collect(name, site)
        return site

    def _collect(self, name: str, site: Site) -> None:
        """Find the claims of a site that were made when it had no rules."""
        for key in self._waiting.take(name):
            parts = split(key)
            if parts is not None:
                site.section(section_of(parts.path)).keep(key)
        site.is_whole &= not self._waiting.has_dropped
