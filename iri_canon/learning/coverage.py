"""A request may be skipped for another one only where a rule in force covers just this pair, in this direction."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from iri_canon.equivalence import RuleName
from iri_canon.learning.kinds import Projection, kind_of
from iri_canon.learning.learner import Learner
from iri_canon.learning.parts import split
from iri_canon.learning.sections import is_below, section_of

MOST_WAITING: Final = 50_000
"""Claims remembered of sites without rules: what is older is no witness when a rule comes into force."""

MOST_HEADS: Final = 100_000
"""Beginnings of keys whose section is remembered."""

MOST_WITNESSES: Final = 4
"""Claims of one class that are looked at."""


Claim: TypeAlias = tuple[str, bytes, int]
"""Key, digest and stamp of a request that passed; a plain tuple, since there is one for each page of a crawl."""


class Witness(NamedTuple):
    """A claim that brings the page of another key, and the rules that say so.

    ``digest`` is None where the key is only known to be what the rules make of the other one.
    """

    key: str
    digest: bytes | None
    stamp: int
    rules: tuple[RuleName, ...]


class _Section:
    """The claims of one section of a site, by what the rules in force there make of them."""

    __slots__ = ("by_class", "claims", "name", "projection")

    def __init__(self, name: str) -> None:
        self.name = name
        self.claims: list[Claim] = []
        self.by_class: dict[str, list[Claim]] = {}
        self.projection: Projection | None = None

    def index(self, projection: Projection | None) -> None:
        """Sort the claims anew where other rules are in force than before."""
        if projection is self.projection:
            return
        self.projection = projection
        self.by_class.clear()
        if projection is None:
            return
        for claim in self.claims:
            parts = split(claim[0])
            if parts is not None:
                self._sort(claim, str(projection(parts)))

    def add(self, claim: Claim, place: str) -> None:
        """One more claim, and what the rules make of its key."""
        self.claims.append(claim)
        if self.projection is not None:
            self._sort(claim, place)

    def _sort(self, claim: Claim, place: str) -> None:
        members = self.by_class.get(place)
        if members is None:
            self.by_class[place] = [claim]
        elif len(members) < MOST_WITNESSES:
            members.append(claim)


class Coverage:
    """The claims of this crawl, as far as rules may find them."""

    def __init__(self, learner: Learner) -> None:
        self._rules = learner.rules
        self._waiting: deque[Claim] = deque(maxlen=MOST_WAITING)
        self._sites: dict[str, dict[str, _Section]] = {}
        # What a key begins with up to its second slash tells its section and what becomes of its origin.
        self._heads: dict[str, tuple[_Section, str]] = {}
        self._version = -1
        self._placed: tuple[str, tuple[_Section, str] | None] = ("", None)

    def claim(self, key: str, digest: bytes, stamp: int = 0) -> None:
        """A request for a SCHEME key passed; ``digest`` and ``stamp`` are the caller's, and given back."""
        claim = (key, digest, stamp)
        place = self._place(key) if self._rules.has_rules else None
        if place is None:
            self._waiting.append(claim)
        else:
            place[0].add(claim, place[1])

    def witnesses(self, key: str) -> Iterable[Witness]:
        """The claims for which a SCHEME key need not be fetched; what became of them is the caller's to look up."""
        place = self._place(key) if self._rules.has_rules else None
        if place is None or place[0].projection is None:
            return ()
        section, projected = place
        claims = section.by_class.get(projected, ())
        return () if not claims and projected == key else self._covering(key, projected, claims, section.name)

    def _covering(self, key: str, projected: str, claims: Iterable[Claim], section: str) -> Iterator[Witness]:
        source = split(key)
        # What was claimed too long before the rule came is not remembered: it may be what the rules make of the key.
        for other, digest, stamp in (*claims, (projected, None, 0)):
            target = split(other)
            if source is None or target is None or other == key:
                continue
            kind = kind_of(source, target)
            rules = self._rules.covering(source, target, kind, section) if kind else ()
            if rules:
                yield Witness(other, digest, stamp, rules)

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
        kept: deque[Claim] = deque(maxlen=MOST_WAITING)
        for claim in self._waiting:
            parts = split(claim[0]) if site in claim[0] else None
            if parts is not None and parts.site == site:
                name = section_of(parts.path)
                sections.setdefault(name, _Section(name)).claims.append(claim)
            else:
                kept.append(claim)
        self._waiting = kept
