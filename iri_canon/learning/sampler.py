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

FIRST_BLOCK: Final = 3
"""Requests of which one is fetched after all, at first; a block grows by one with every second audit."""

FREE_STRATA: Final = 4
"""Sorts of requests whose first is fetched in any case; with more, an eighth of all requests may be firsts."""

Outcome: TypeAlias = Literal["agreed", "disagreed", "undecided"]


class Group(NamedTuple):
    """What is audited together: the requests that rules skip in one section."""

    rules: tuple[RuleName, ...]
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
    (True, 51)
    """

    def __init__(self, policy: Policy, random: Random | None = None) -> None:
        self._policy = policy
        self._random = random or Random()
        self._tallies: dict[Group, _Tally] = {}

    def is_due(self, key: str, rules: tuple[RuleName, ...]) -> bool:
        """Whether a request that would be skipped is fetched after all; asked once for each."""
        tally = self._tally(group_of(key, rules))
        tally.asked += 1
        due = self._is_first(key, tally)
        if tally.left_of_block == 0:
            tally.left_of_block = self._block(tally)
            tally.due_at = self._random.randint(1, tally.left_of_block)
        due |= tally.left_of_block == tally.due_at
        tally.left_of_block -= 1
        tally.drawn += due
        return due

    def restore(self, key: str, rules: tuple[RuleName, ...]) -> None:
        """A request was skipped by an earlier run, and is so still."""
        tally = self._tally(group_of(key, rules))
        tally.asked += 1
        self._is_first(key, tally)

    def draw(self, group: Group) -> None:
        """A skipped request is fetched after all, to make up for a shortfall."""
        self._tally(group).drawn += 1

    def settle(self, key: str, rules: tuple[RuleName, ...], outcome: Outcome) -> None:
        """An audit has come to its end; one that decided nothing does not count."""
        self._tally(group_of(key, rules)).outcomes[outcome] += 1

    def undecided(self, group: Group) -> int:
        """How many audits of a group decided nothing."""
        return self._tally(group).outcomes["undecided"]

    def forget(self, name: RuleName) -> None:
        """A rule has fallen: what was audited of it says nothing of what it skips once it is earned anew."""
        for group in [group for group in self._tallies if name in group.rules]:
            del self._tallies[group]

    def shortfall(self) -> dict[Group, int]:
        """How many more have to be fetched, by group, before what is skipped may stay so."""
        short = {}
        for group, tally in self._tallies.items():
            share = ceil(self._policy.audit_share * tally.asked)
            wanted = min(tally.asked, max(self._policy.audit_minimum, share))
            lacking = wanted - (tally.drawn - tally.outcomes["undecided"])
            if lacking > 0:
                short[group] = lacking
        return short

    def _tally(self, group: Group) -> _Tally:
        return self._tallies.setdefault(group, _Tally())

    def _block(self, tally: _Tally) -> int:
        return min(FIRST_BLOCK + tally.drawn // 2, ceil(1 / self._policy.audit_share))

    def _is_first(self, key: str, tally: _Tally) -> bool:
        parts = split(key)
        stratum = () if parts is None else stratum_of(parts)
        if stratum in tally.strata or len(tally.strata) > FREE_STRATA + tally.asked // 8:
            return False
        tally.strata.add(stratum)
        return True


def group_of(key: str, rules: tuple[RuleName, ...]) -> Group:
    """What a skipped request is audited with."""
    parts = split(key)
    return Group(rules, "" if parts is None else section_of(parts.path))
