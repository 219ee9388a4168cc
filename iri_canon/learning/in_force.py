"""What is in force at a site is worked out once for each section, until the state of a rule changes there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from iri_canon.equivalence import EVERYWHERE, Rule, RuleName, RuleState
from iri_canon.learning.kinds import Projection, ordered, projection


class SiteRules:
    """The rules in force at the two hosts of a site, with and without ``www.``, as they are now."""

    __slots__ = ("_hosts", "_in_force", "_own", "_projections", "has_any", "is_current")

    def __init__(self, site: str, hosts: Mapping[str, Mapping[RuleName, Rule]]) -> None:
        self.is_current = True
        """Until the state of a rule changes; then there is another object."""
        self.has_any = False
        """Whether any rule is in force, in any section."""
        self._hosts = {host: hosts[host] for host in (site, f"www.{site}") if host in hosts}
        # Sections that have a say of their own; all others, of which there may be very many, are as the whole host.
        self._own: set[str] = set()
        for rules in self._hosts.values():
            for name, rule in rules.items():
                if rule.state is not RuleState.PROPOSED:
                    self._own.add(name.section)
                    self.has_any |= rule.state is RuleState.IN_FORCE
        self._in_force: dict[tuple[str, str], Mapping[str, Rule]] = {}
        self._projections: dict[str, Projection | None] = {}

    def in_force(self, host: str, section: str) -> Mapping[str, Rule]:
        """The rules that hold at one of the hosts in a section, by what they speak of."""
        if section not in self._own:
            section = EVERYWHERE
        known = self._in_force.get((host, section))
        if known is None:
            known = self._in_force[host, section] = dict(self._find(host, section))
        return known

    def projection(self, section: str) -> Projection | None:
        """What all rules in force in a section make of a key; None where there are none."""
        if section not in self._own:
            section = EVERYWHERE
        if section in self._projections:
            return self._projections[section]
        found = _projection_of(
            frozenset(name for host in self._hosts for name in self.in_force(host, section))
        )
        self._projections[section] = found
        return found

    def _find(self, host: str, section: str) -> Iterator[tuple[str, Rule]]:
        rules = self._hosts.get(host)
        if rules is None:
            return
        # The section's own rule stands in place of the one for the whole host.
        for where in (EVERYWHERE, section) if section != EVERYWHERE else (EVERYWHERE,):
            for name, rule in rules.items():
                if rule.state is not RuleState.IN_FORCE or name.section != where:
                    continue
                own = rules.get(name._replace(section=section)) if section != where else rule
                if own is None or own.state is not RuleState.RETRACTED:
                    yield name.kind, rule


@lru_cache(4096)
def _projection_of(kind: frozenset[str]) -> Projection | None:
    """The projection of these names in their order; None where there are none."""
    return projection(ordered(kind)) if kind else None
