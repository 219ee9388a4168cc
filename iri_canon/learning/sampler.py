"""Of what a rule skips, some is fetched after all: the first of each sort, one of each block, and never too few."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import ceil
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from iri_canon.equivalence import RuleName
from iri_canon.learning.parts import split
from iri_canon.learning.policy import Policy
from iri_canon.learning.sections import section_of, stratum_of

FIRST_BLOCK: Final = 5
"""Requests of which one is fetched after all, at first; a block grows by one with every audit."""

FREE_ENDS: Final = 10
"""Audits of a group beyond the share, for what was skipped last before each time that a crawl is idle."""

FREE_STRATA: Final = 4
"""Sorts of requests whose first is fetched in any case; with more, an eighth of all requests may be firsts."""

Outcome: TypeAlias = Literal["agreed", "disagreed", "undecided"]


class Group(NamedTuple):
    """What is audited together: the requests that a rule skips in one section, alone or with other rules."""

    rule: RuleName
    section: str


@dataclass(slots=True)
class _Tally:
    asked: int = 0
    drawn: int = 0
    strata: set[tuple[str, ...]] = field(default_factory=set)
    left_of_block: int = 0
    due_at: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)


class Sampler:
    """Which of the requests that rules would skip are fetched after all.

    Blocks grow from ``FIRST_BLOCK`` requests to one over the policy's share as audits agree; which one of a block is
    due is left to chance, so that no run of ``2 * block - 1`` requests is skipped whole, and no site can tell which.

    >>> sampler = Sampler(Policy(audit_share=0.25), Random(1))
    >>> rules = (RuleName("a.example", "trailing-slash", "docs"),)
    >>> due = [sampler.is_due(f"http://a.example/docs/{page}/", rules) for page in range(200)]
    >>> due[0], sum(due)
    (True, 50)
    """

    def __init__(self, policy: Policy, random: Random | None = None) -> None:
        self._policy = policy
        self._random = random or Random()
        self._tallies: dict[Group, _Tally] = {}

    def is_due(self, key: str, rules: tuple[RuleName, ...]) -> bool:
        """Whether a request that would be skipped is fetched after all; asked once for each.

        It is where it is due for any of its rules, and it is an audit of all of them then.
        """
        tallies = self._tallies_of(key, rules)
        due = [self._asks(key, tally) for tally in tallies]
        if any(due):
            for tally in tallies:
                tally.drawn += 1
                tally.due_at = 0
        return any(due)

    def restore(self, key: str, rules: tuple[RuleName, ...]) -> None:
        """A request was skipped by an earlier run, and is so still."""
        for tally in self._tallies_of(key, rules):
            tally.asked += 1
            self._is_first(key, tally)

    def draw(self, key: str, rules: tuple[RuleName, ...]) -> None:
        """A skipped request is fetched after all, to make up for a shortfall."""
        for tally in self._tallies_of(key, rules):
            tally.drawn += 1

    def settle(self, key: str, rules: tuple[RuleName, ...], outcome: Outcome) -> None:
        """An audit has come to its end; one that decided nothing does not count."""
        for tally in self._tallies_of(key, rules):
            tally.outcomes[outcome] += 1

    def undecided(self, group: Group) -> int:
        """How many audits of a group decided nothing."""
        return self._tally(group).outcomes["undecided"]

    def forget(self, name: RuleName) -> None:
        """A rule has fallen: what was audited of it says nothing of what it skips once it is earned anew."""
        for group in [group for group in self._tallies if name == group.rule]:
            del self._tallies[group]

    def groups(self) -> tuple[Group, ...]:
        """All that is audited."""
        return tuple(self._tallies)

    def has_enough(self, group: Group) -> bool:
        """Whether more was fetched than the policy asks for, and ``FREE_ENDS`` more beside that."""
        tally = self._tally(group)
        return (
            tally.drawn
            > ceil(self._policy.audit_share * tally.asked) + self._policy.audit_minimum + FREE_ENDS
        )

    def shortfall(self, group: Group) -> int:
        """How many more of a group have to be fetched before what is skipped may stay so."""
        tally = self._tally(group)
        share = ceil(self._policy.audit_share * tally.asked)
        wanted = min(tally.asked, max(self._policy.audit_minimum, share))
        return max(0, wanted - (tally.drawn - tally.outcomes["undecided"]))

    def _tallies_of(self, key: str, rules: tuple[RuleName, ...]) -> list[_Tally]:
        return [self._tally(group) for group in groups_of(key, rules)]

    def _tally(self, group: Group) -> _Tally:
        return self._tallies.setdefault(group, _Tally())

    def _asks(self, key: str, tally: _Tally) -> bool:
        """Whether one more request is due for one rule."""
        tally.asked += 1
        if tally.left_of_block == 0:
            tally.left_of_block = min(FIRST_BLOCK + tally.drawn, ceil(1 / self._policy.audit_share))
            tally.due_at = self._random.randint(1, tally.left_of_block)
        due = tally.left_of_block == tally.due_at
        tally.left_of_block -= 1
        return self._is_first(key, tally) or due

    def _is_first(self, key: str, tally: _Tally) -> bool:
        parts = split(key)
        stratum = () if parts is None else stratum_of(parts)
        if stratum in tally.strata or len(tally.strata) > FREE_STRATA + tally.asked // 8:
            return False
        tally.strata.add(stratum)
        return True


def groups_of(key: str, rules: tuple[RuleName, ...]) -> tuple[Group, ...]:
    """What a skipped request is audited with, for each of its rules."""
    parts = split(key)
    section = "" if parts is None else section_of(parts.path)
    return tuple(Group(rule, section) for rule in rules)
