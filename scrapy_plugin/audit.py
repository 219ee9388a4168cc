"""Before a crawl ends, enough of what each rule skipped was fetched all the same, and said that it may stay skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from time import time
from typing import Final

from iri_canon import key
from iri_canon.equivalence import RuleName, RuleState, SeenStore, State, Suppressed
from iri_canon.learning import Group, Learner, Lesson, Outcome, PageOrder, Sampler, groups_of, page_order
from scrapy_plugin import stats
from scrapy_plugin.chains import UNSETTLED
from scrapy_plugin.journal import Journal
from scrapy_plugin.telling import Telling

UNDECIDED: Final = 3
"""Times the minimum of audits: so many that decide nothing, and the rules there have to be earned anew."""

_OUTCOMES: Final[dict[Outcome, str]] = {
    "agreed": stats.AGREED,
    "disagreed": stats.DISAGREED,
    "undecided": stats.UNDECIDED,
}


@dataclass(slots=True)
class _Open:
    """An audit that has not decided anything yet."""

    key: str
    rules: tuple[RuleName, ...]
    witness: bytes
    time: float
    is_answered: bool = False


class Audit:
    """What is fetched to see whether a rule holds."""

    def __init__(
        self,
        journal: Journal,
        learner: Learner,
        sampler: Sampler,
        seen: SeenStore,
        telling: Telling,
        random: Random,
        heed: Callable[[Lesson], None],
    ) -> None:
        self._journal = journal
        self._learner = learner
        self._sampler = sampler
        self._seen = seen
        self._telling = telling
        self._random = random
        self._heed = heed
        self._open: dict[bytes, _Open] = {}
        self._by_key: dict[str, bytes] = {}
        self._by_witness: dict[bytes, dict[bytes, None]] = {}
        # When what agreed last was asked for, or was skipped.
        self._agreed_up_to: dict[Group, float] = {}
        # The key that is the last in the order of names of those that agreed.
        self._agreed_below: dict[Group, str] = {}

    def begin(self, key: str, entry: Suppressed) -> None:
        """A request that a rule would skip, or has skipped, is fetched to see."""
        self._telling.count(stats.AUDITED)
        self._open[entry.digest] = _Open(key, entry.rules, entry.witness, entry.time)
        self._by_key[key] = entry.digest
        self._by_witness.setdefault(entry.witness, {})[entry.digest] = None

    def is_concerned(self, digest: bytes) -> bool:
        """Whether an answer may decide an audit: that of the audit, or, once that is there, of its witness."""
        return digest in self._open or any(self._answered_for(digest))

    def awaits(self, witness: bytes) -> bool:
        """Whether an audit needs the answer of a request to compare its own with."""
        return witness in self._by_witness

    def is_of(self, key: str) -> bool:
        """Whether a SCHEME key is that of an audit that has not decided anything yet."""
        return key in self._by_key

    def answered(self, digest: bytes, lesson: Lesson) -> None:
        """An answer taught something, or nothing yet."""
        for waiting in list(self._answered_for(digest)):
            self._judge(waiting, self._open[waiting], lesson)
        audit = self._open.get(digest)
        if audit is not None:
            audit.is_answered = True
            self._judge(digest, audit, lesson)

    def redirected(self, key: str, lesson: Lesson) -> None:
        """The redirect that an audit was answered with taught something, or nothing."""
        digest = self._by_key.get(key)
        if digest is not None:
            self._judge(digest, self._open[digest], lesson)

    def settled(self, digest: bytes) -> None:
        """A request has become a hop, done or failed."""
        for waiting in list(self._by_witness.get(digest, ())):
            self._look_again(waiting)
        if digest in self._open:
            self._look_again(digest)

    def give_up(self) -> None:
        """Nothing is under way: what has not decided anything will not."""
        for digest, audit in list(self._open.items()):
            self._close(digest, audit, "undecided")

    def draw(self) -> list[Suppressed]:
        """Those that are to be fetched still, so that what is skipped may stay so.

        The one that was skipped last is among them, and the last page in the order of names and numbers: a rule that
        held until some moment, or for pages of some age, does not hold there.
        """
        drawn: dict[bytes, Suppressed] = {}
        for group, skipped in self._comparable():
            left = [entry for entry in skipped if entry.digest not in drawn]
            some = self._random.sample(left, min(self._sampler.shortfall(group), len(left)))
            for entry in (*some, *self._open_ends(group, skipped)):
                if entry.digest not in drawn:
                    drawn[entry.digest] = entry
                    self._sampler.draw(key(entry.url), entry.rules)
        return list(drawn.values())

    def lacking(self) -> int:
        """How many have to be fetched still for what was skipped."""
        lacking = 0
        for group, skipped in self._comparable():
            short = min(self._sampler.shortfall(group), len(skipped))
            lacking += max(short, sum(1 for _ in self._open_ends(group, skipped)))
        return lacking

    def _comparable(self) -> Iterator[tuple[Group, list[Suppressed]]]:
        """What is skipped for a witness of this crawl: an answer of an earlier one is not there to be compared with."""
        for group in self._journal.groups():
            known = self._journal.skipped_in(group)
            skipped = [entry for entry in known if self._seen.get(entry.witness) is not None]
            if skipped:
                yield group, skipped

    def _open_ends(self, group: Group, skipped: list[Suppressed]) -> Iterator[Suppressed]:
        """The ends of what is skipped, in time and in the order of names, beyond which nothing has agreed yet."""
        if self._sampler.has_enough(group):
            # A page that links another spelling of itself each time has no end: then the share is enough.
            return
        if skipped[-1].time > self._agreed_up_to.get(group, 0.0):
            yield skipped[-1]
        order = self._order_in(group)
        last = max(skipped, key=lambda entry: order(key(entry.url)))
        agreed = self._agreed_below.get(group)
        if agreed is None or order(key(last.url)) > order(agreed):
            yield last

    def _order_in(self, group: Group) -> Callable[[str], PageOrder]:
        """The order of names by what they name: what rules say is no part of a page must not hide its place."""
        names = tuple(self._learner.rules.in_force(group.rule.host, group.section))
        return lambda key: page_order(key, names)

    def _answered_for(self, witness: bytes) -> Iterator[bytes]:
        return (digest for digest in self._by_witness.get(witness, ()) if self._open[digest].is_answered)

    def _look_again(self, digest: bytes) -> None:
        """An audit is over when it and its witness are settled; what a redirect shows is known when all is through."""
        audit = self._open[digest]
        known, witness = self._seen.get(digest), self._seen.get(audit.witness)
        if known is not None and known.state in {*UNSETTLED, State.HOP}:
            return
        if witness is None or witness.state not in UNSETTLED:
            self._close(digest, audit, "undecided")

    def _judge(self, digest: bytes, audit: _Open, lesson: Lesson) -> None:
        if not set(audit.rules).isdisjoint(lesson.disagreed):
            self._close(digest, audit, "disagreed")
        elif set(audit.rules) <= set(lesson.agreed):
            self._close(digest, audit, "agreed")

    def _close(self, digest: bytes, audit: _Open, outcome: Outcome) -> None:
        del self._open[digest]
        # Two requests that a fingerprinter tells apart may have one key.
        if self._by_key.get(audit.key) == digest:
            del self._by_key[audit.key]
        self._by_witness[audit.witness].pop(digest)
        if not self._by_witness[audit.witness]:
            del self._by_witness[audit.witness]
        self._telling.count(_OUTCOMES[outcome])
        self._sampler.settle(audit.key, audit.rules, outcome)
        groups = groups_of(audit.key, audit.rules)
        most = UNDECIDED * self._learner.policy.audit_minimum
        if outcome == "agreed":
            for group in groups:
                self._agreed_up_to[group] = max(audit.time, self._agreed_up_to.get(group, 0.0))
                agreed = self._agreed_below.get(group, audit.key)
                self._agreed_below[group] = max(agreed, audit.key, key=self._order_in(group))
        elif outcome == "undecided":
            self._distrust([group.rule for group in groups if self._sampler.undecided(group) > most])

    def _distrust(self, names: Iterable[RuleName]) -> None:
        for name in names:
            rule = self._learner.rules.get(name)
            if rule is not None and rule.state is RuleState.IN_FORCE:
                reason = "audits did not decide whether it holds"
                self._heed(self._learner.distrust(name, time(), reason))
