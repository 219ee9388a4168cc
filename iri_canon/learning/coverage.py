"""A request may be skipped for another one only where a rule in force covers just this pair, in this direction."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from iri_canon.equivalence import RuleName
from iri_canon.learning.kinds import Projection, kind_of
from iri_canon.learning.learner import Learner
from iri_canon.learning.parts import Parts, split
from iri_canon.learning.sections import section_of

MOST_WAITING: Final = 50_000
"""Claims remembered of sites without rules: what is older is no witness when a rule comes into force."""

MOST_WITNESSES: Final = 4
"""Claims of one class that are looked at."""


class Claim(NamedTuple):
    """A request that passed."""

    key: str
    digest: bytes
    stamp: int


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

    __slots__ = ("by_class", "claims", "projection")

    def __init__(self) -> None:
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
            parts = split(claim.key)
            if parts is not None:
                self._sort(claim, str(projection(parts)))

    def add(self, claim: Claim, place: str) -> None:
        """One more claim, and what the rules make of its key."""
        self.claims.append(claim)
        if self.projection is not None:
            self._sort(claim, place)

    def _sort(self, claim: Claim, place: str) -> None:
        members = self.by_class.setdefault(place, [])
        if len(members) < MOST_WITNESSES:
            members.append(claim)


class Coverage:
    """The claims of this crawl, as far as rules may find them."""

    def __init__(self, learner: Learner) -> None:
        self._rules = learner.rules
        self._waiting: deque[Claim] = deque(maxlen=MOST_WAITING)
        self._sites: dict[str, dict[str, _Section]] = {}
        self._placed: tuple[str, int, tuple[_Section, str] | None] = ("", -1, None)

    def claim(self, key: str, digest: bytes, stamp: int = 0) -> None:
        """A request for a SCHEME key passed; ``digest`` and ``stamp`` are the caller's, and given back."""
        claim = Claim(key, digest, stamp)
        if not self._rules.has_rules:
            self._waiting.append(claim)
            return
        place = self._place(key)
        if place is None:
            self._waiting.append(claim)
        else:
            place[0].add(claim, place[1])

    def witnesses(self, key: str) -> Iterator[Witness]:
        """The claims for which a SCHEME key need not be fetched; what became of them is the caller's to look up."""
        if not self._rules.has_rules:
            return
        place = self._place(key)
        parts = split(key)
        if place is None or parts is None:
            return
        section, projected = place
        name = section_of(parts.path)
        for claim in section.by_class.get(projected, ()):
            other = split(claim.key)
            if other is not None and other != parts and (rules := self._covering(parts, other, name)):
                yield Witness(*claim, rules)
        if projected != key and (target := split(projected)) is not None:
            # What was claimed before the rule was there, and is too long ago to be remembered here.
            rules = self._covering(parts, target, name)
            if rules:
                yield Witness(projected, None, 0, rules)

    def _covering(self, source: Parts, target: Parts, section: str) -> tuple[RuleName, ...]:
        kind = kind_of(source, target)
        return self._rules.covering(source, target, kind, section) if kind else ()

    def _place(self, key: str) -> tuple[_Section, str] | None:
        """The section of a key and its class there; None where no rule is in force at its site."""
        # A key is asked for first and claimed after that.
        if self._placed[0] is key and self._placed[1] == self._rules.version:
            return self._placed[2]
        parts = split(key)
        if parts is None or not self._rules.has_rules_at(parts.site):
            return None
        name = section_of(parts.path)
        sections = self._sites.get(parts.site)
        if sections is None:
            sections = self._sites[parts.site] = {}
            self._collect(parts.site, sections)
        section = sections.get(name)
        if section is None:
            section = sections[name] = _Section()
        projection = self._rules.projection(parts, name)
        section.index(projection)
        place = (section, key if projection is None else str(projection(parts)))
        self._placed = (key, self._rules.version, place)
        return place

    def _collect(self, site: str, sections: dict[str, _Section]) -> None:
        """Find the claims of a site that were made before it had rules."""
        kept: deque[Claim] = deque(maxlen=MOST_WAITING)
        for claim in self._waiting:
            parts = split(claim.key) if site in claim.key else None
            if parts is not None and parts.site == site:
                sections.setdefault(section_of(parts.path), _Section()).claims.append(claim)
            else:
                kept.append(claim)
        self._waiting = kept
