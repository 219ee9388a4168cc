"""Rules are looked up by host and section; what is in force for the whole host gives way where a section objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, Protocol

from iri_canon.equivalence import Rule, RuleName, RuleState
from iri_canon.equivalence.rules import EITHER_WAY
from iri_canon.learning.classes import digest_of
from iri_canon.learning.in_force import SiteRules
from iri_canon.learning.kinds import PARAMETER, Kind, is_listed, parameters, sign
from iri_canon.learning.parts import Parts, site_of
from iri_canon.learning.policy import Policy

MOST_RULES: Final = 2_000
"""Rules of one host: a site that makes up parameters and sections must not fill the memory."""

MOST_SITES: Final = 10_000
"""Sites of which what is in force is remembered."""

SAVE_EVERY: Final = 256
"""Rules whose evidence changed wait for the store together; a change of state is written at once."""


class RuleStore(Protocol):
    """What rules are kept in; the stores of `iri_canon.equivalence` have these methods."""

    def rules(self) -> Iterator[Rule]:
        """All rules."""

    def keep_rule(self, rule: Rule) -> None:
        """Keep a rule in place of what was known of it."""


class Rulebook:
    """All rules of a store, in memory."""

    def __init__(self, store: RuleStore, policy: Policy) -> None:
        self._store = store
        self._policy = policy
        self._hosts: dict[str, dict[RuleName, Rule]] = {}
        self._unsaved: dict[RuleName, Rule] = {}
        self._private: set[str] = set()
        self._of_sites: dict[str, SiteRules] = {}
        self._sites: dict[str, int] = {}
        self._lapses: dict[str, int] = {}
        self.has_rules = False
        """Whether any rule is in force anywhere: a plain attribute, since every request of a crawl asks for it."""
        for rule in store.rules():
            # It may come from a crawl of another policy.
            rule.state = policy.state_of(rule)
            self._hosts.setdefault(rule.name.host, {})[rule.name] = rule
            self._count(rule, RuleState.PROPOSED)

    def has_rules_at(self, site: str) -> bool:
        """Whether any rule is in force at a site (see ``Parts.site``)."""
        return site in self._sites

    def lapses(self, site: str) -> int:
        """How often a site has lost the last of its rules in force."""
        return self._lapses.get(site, 0)

    def at(self, host: str) -> tuple[Rule, ...]:
        """All rules of a host."""
        return tuple(self._hosts.get(host, {}).values())

    def hosts(self) -> tuple[str, ...]:
        """The hosts that something is known of."""
        return tuple(self._hosts)

    def get(self, name: RuleName) -> Rule | None:
        """What is known of a rule."""
        return self._hosts.get(name.host, {}).get(name)

    def obtain(self, name: RuleName, time: float) -> Rule | None:
        """The rule, which begins here where nothing is known of it; None where the host has too many."""
        rules = self._hosts.setdefault(name.host, {})
        rule = rules.get(name)
        if rule is None and len(rules) < MOST_RULES:
            rule = rules[name] = Rule(name, since=time, last=time)
        return rule

    def touch(self, rule: Rule) -> None:
        """Something about a rule is to be written."""
        self._unsaved[rule.name] = rule
        if len(self._unsaved) >= SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Give the store what waits for it."""
        for rule in self._unsaved.values():
            self._store.keep_rule(_public(rule) if site_of(rule.name.host) in self._private else rule)
        self._unsaved.clear()

    def keep_private(self, host: str) -> None:
        """What a site shows from now on is shown to one visitor: it is nothing for crawls to come."""
        self._private.add(site_of(host))

    def decide(self, rule: Rule, time: float) -> RuleState | None:
        """Give a rule the state that its evidence has come to; the former state, or None where it stays."""
        before, after = rule.state, self._policy.state_of(rule)
        self.touch(rule)
        if after is before:
            return None
        rule.state, rule.since = after, time
        if before is RuleState.IN_FORCE:
            # What was audited says nothing of what it skips once it is earned anew.
            rule.agreed = rule.suppressed = 0
        self._count(rule, before)
        self._forget(site_of(rule.name.host))
        self.save()
        return before

    def _count(self, rule: Rule, before: RuleState) -> None:
        """Keep the number of rules in force at each site."""
        change = (rule.state is RuleState.IN_FORCE) - (before is RuleState.IN_FORCE)
        site = site_of(rule.name.host)
        count = self._sites.get(site, 0) + change
        if count:
            self._sites[site] = count
        elif self._sites.pop(site, None):
            self._lapses[site] = self.lapses(site) + 1
        self.has_rules = bool(self._sites)

    def in_force(self, host: str, section: str) -> Mapping[str, Rule]:
        """The rules that hold at a host in a section, by what they speak of."""
        return self.of_site(site_of(host)).in_force(host, section)

    def of_site(self, site: str) -> SiteRules:
        """What is in force at a site, as long as it ``is_current``."""
        known = self._of_sites.get(site)
        if known is None:
            if len(self._of_sites) >= MOST_SITES:
                self._forget(*self._of_sites)
            known = self._of_sites[site] = SiteRules(site, self._hosts)
        return known

    def _forget(self, *sites: str) -> None:
        for site in sites:
            if (known := self._of_sites.pop(site, None)) is not None:
                known.is_current = False

    def suspects(self, host: str, kind: Kind, section: str) -> tuple[Rule, ...]:
        """The rules in force by which a pair of a kind would be one page, whichever way they hold; () if it is not."""
        held = self.in_force(host, section)
        return tuple(held[name] for name in kind) if held.keys() >= set(kind) else ()

    def covering(
        self, source: Parts, target: Parts, kind: Kind, section: str, *, is_page: bool
    ) -> tuple[RuleName, ...]:
        """The rules by which a source need not be fetched where its target is; () where it has to be.

        ``is_page``: the target has answered with a page, so that it redirects to none.
        """
        rules = self.suspects(source.authority, kind, section)
        return (
            tuple(rule.name for rule in rules)
            if all(self._fits(rule, source, target, is_page) for rule in rules)
            else ()
        )

    def _fits(self, rule: Rule, source: Parts, target: Parts, is_page: bool) -> bool:
        kind = rule.name.kind
        if self._policy.is_symmetric(rule):
            return not kind.startswith(PARAMETER) or self._knows(rule, source, target)
        direction = self._policy.direction_of(rule)
        # Where the sign does not tell which of the two is the site's own, the answer does.
        return is_page if direction == EITHER_WAY else sign(source, target, kind) == direction

    def _knows(self, rule: Rule, source: Parts, target: Parts) -> bool:
        """Whether both values of a parameter were seen to change nothing, or so many that no other one will."""
        name = rule.name.kind.removeprefix(PARAMETER)
        enough = self._policy.support * (1 if is_listed(name) else 2)
        return len(rule.values) >= enough or rule.values.issuperset(
            (value_of(source, name), value_of(target, name))
        )


def _public(rule: Rule) -> Rule:
    """What other visitors may know of a rule: that it was retracted, and nothing that speaks for it."""
    state = rule.state if rule.state is RuleState.RETRACTED else RuleState.PROPOSED
    return replace(rule, state=state, supports={}, values=set(), agreed=0, suppressed=0)


def value_of(parts: Parts, name: str) -> str:
    """What stands for the value of a parameter; the absent one has a value of its own."""
    return digest_of("&".join(parameters(parts.query).get(name, [""])))[:16]
