"""What the logs of a run show is put together by key, over all of them, and only then taught.

Source: RFC 3987 section 5.3.4, RFC 9110 sections 15.3 and 15.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from iri_canon.equivalence import Equivalence, EquivalenceStore, Observation, Rule, RuleName
from iri_canon.errors import IriError
from iri_canon.ladder import key
from iri_canon.learning import Change, Content, Learner, Policy
from iri_canon.learning.comparing import is_telling
from iri_canon.learning.relative import base_of
from iri_canon.logs.digests import octets_of
from iri_canon.logs.records import Hop, Record
from iri_canon.resolve import resolve

LONGEST_CHAIN: Final = 20
"""Redirects behind each other: what goes on longer shows nothing."""

RETRIEVING: Final = frozenset({"GET", "HEAD"})
"""The methods whose answers are compared, and whose redirects count."""

_NO_STATUS: Final = 0


@dataclass(slots=True)
class _Answers:
    """What is known of the answers to one key; times are below 0 where there was none."""

    status: int = _NO_STATUS
    """The newest."""
    time: float = -1.0
    shown: bytes | int | None = None
    """The newest digest of a 200, or status of an error that is not of the moment."""
    shown_at: float = -1.0
    changes: bool = False
    """Two of them differed: what changes by itself tells nothing of others."""
    redirect: int | None = None
    """The newest status that is a redirect."""
    redirected_at: float = -1.0

    def add(self, status: int, digest: str | None, time: float) -> None:
        """Take note of one answer."""
        if time >= self.time:
            self.status, self.time = status, time
        if 300 <= status <= 399 and time >= self.redirected_at:
            self.redirect, self.redirected_at = status, time
        shown = _shown(status, digest)
        if shown is not None:
            self.changes = self.changes or self.shown not in (None, shown)
            if time >= self.shown_at:
                self.shown, self.shown_at = shown, time


def _shown(status: int, digest: str | None) -> bytes | int | None:
    if status == 200:
        return None if digest is None else octets_of(digest)
    return status if is_telling(status) else None


@dataclass(frozen=True, slots=True)
class _Move:
    source: str
    target: str
    status: int | None
    time: float


class _Told(NamedTuple):
    method: str
    time: float


@dataclass(slots=True)
class Taught:
    """What became of what the logs showed."""

    pairs: int = 0
    """Redirects that make a pair."""
    refused: Counter[str] = field(default_factory=Counter)
    """Those that do not, by reason."""
    answers: int = 0
    """URLs whose answer was compared with others."""
    changes: list[Change] = field(default_factory=list)


class _RulesAtLast:
    """Rules are written once, when all is learned: each has all its evidence with it, and changes with every page."""

    def __init__(self, store: EquivalenceStore) -> None:
        self._store = store
        self._changed: dict[RuleName, Rule] = {}

    def rules(self) -> Iterator[Rule]:
        """All rules."""
        return self._store.rules()

    def keep_rule(self, rule: Rule) -> None:
        """Write a rule at last, as it is then."""
        self._changed[rule.name] = rule

    def write(self) -> None:
        """Give the store what has changed."""
        for rule in self._changed.values():
            self._store.keep_rule(rule)


class Lessons:
    """The evidence of some logs: one entry for each key, and one for each redirect."""

    def __init__(self) -> None:
        self._answers: dict[str, _Answers] = {}
        self._moves: dict[tuple[str, str], _Move] = {}
        self._methods: dict[tuple[str, str, int | None], _Told] = {}
        self._next: dict[str, str] = {}
        self.lost = 0
        """Redirects to what is no target."""

    def add(self, record: Record) -> None:
        """Take note of a record."""
        time = record.time or 0.0
        # A POST that is redirected may become a GET: the last request of a chain does not tell how the first was made.
        presumed = None if record.method in RETRIEVING else record.method
        for hop in record.led_by:
            self._add_move(hop, presumed, time)
        for hop in record.hops()[len(record.led_by) :]:
            self._add_move(hop, record.method, time)
        if record.status is not None and record.method in RETRIEVING:
            self._answers.setdefault(key(record.url), _Answers()).add(record.status, record.digest, time)

    def _add_move(self, hop: Hop, method: str | None, time: float) -> None:
        try:
            target = resolve(hop.source, hop.target)
        except IriError:
            self.lost += 1
            return
        ends = key(hop.source), key(target)
        if method is not None:
            told = self._methods.get((*ends, hop.status))
            if told is None or time >= told.time:
                self._methods[*ends, hop.status] = _Told(method, time)
        known = self._moves.get(ends)
        if known is not None and hop.status is None:
            self._moves[ends] = replace(known, time=max(known.time, time))
        elif known is None or known.status is None or time >= known.time:
            self._moves[ends] = _Move(hop.source, target, hop.status, time)
        leading = self._next.get(ends[0])
        if leading is None or time >= self._moves[ends[0], leading].time:
            self._next[ends[0]] = ends[1]

    def teach(
        self, store: EquivalenceStore, policy: Policy | None = None, *, temporary: bool = False
    ) -> Taught:
        """Record what redirects showed, and teach it and what the answers showed, the oldest first."""
        rules = _RulesAtLast(store)
        learner = Learner(rules, policy)
        taught = Taught(refused=Counter(location=self.lost) if self.lost else Counter())
        for ends, move in sorted(self._moves.items(), key=lambda item: item[1].time):
            self._teach_move(ends, move, store, learner, taught, temporary)
        for page, known in sorted(self._answers.items(), key=lambda item: item[1].time):
            if known.shown is None or known.changes or known.redirected_at > known.shown_at:
                continue
            if isinstance(known.shown, bytes):
                # What the body links to is not known: it may be relative.
                content = Content(known.shown, None, base_of(b"<a href=x>", page))
                lesson = learner.answered(page, 200, content, known.shown_at)
            else:
                lesson = learner.answered(page, known.shown, None, known.shown_at)
            taught.changes += lesson.changes
            taught.answers += 1
        learner.save()
        rules.write()
        return taught

    def _teach_move(
        self,
        ends: tuple[str, str],
        move: _Move,
        store: EquivalenceStore,
        learner: Learner,
        taught: Taught,
        temporary: bool,
    ) -> None:
        observation = self._observation(ends, move)
        if ends[0] == ends[1]:
            taught.refused["same-key"] += 1
        elif observation is None:
            taught.refused["unfinished"] += 1
        elif self._contradicts(ends[0], key(observation.target), move.time):
            taught.refused["contradicted"] += 1
        else:
            verdict = store.record(observation, temporary=temporary)
            if isinstance(verdict, Equivalence):
                taught.pairs += 1
            else:
                taught.refused[verdict.reason] += 1
            taught.changes += learner.redirected(observation, verdict).changes

    def _method(self, ends: tuple[str, str], move: _Move) -> str:
        """That of the newest record which tells it of a redirect with this status; else GET."""
        told = self._methods.get((*ends, move.status))
        return "GET" if told is None else told.method

    def _observation(self, ends: tuple[str, str], move: _Move) -> Observation | None:
        """The chain from a redirect to the last answer; None where the logs do not have that."""
        statuses: list[int] = []
        source, target = ends
        passed = {source}
        last = move
        while True:
            statuses.append(self._status(source, last))
            known = self._answers.get(target)
            if known is None or target in passed or len(statuses) > LONGEST_CHAIN:
                return None
            following = self._next.get(target)
            if not 300 <= known.status <= 399 or following is None:
                break
            passed.add(target)
            source, target = target, following
            last = self._moves[source, target]
        return Observation(
            move.source,
            last.target,
            tuple(statuses),
            known.status,
            self._method(ends, move),
            digest=known.shown if isinstance(known.shown, bytes) else None,
            time=move.time,
        )

    def _status(self, source: str, move: _Move) -> int:
        if move.status is not None:
            return move.status
        known = self._answers.get(source)
        return known.redirect or _NO_STATUS if known else _NO_STATUS

    def _contradicts(self, source: str, target: str, time: float) -> bool:
        """Whether both answered 200 with different content, at or after the redirect."""
        one, other = self._answers.get(source), self._answers.get(target)
        return (
            one is not None
            and other is not None
            and min(one.shown_at, other.shown_at) >= time
            and isinstance(one.shown, bytes)
            and isinstance(other.shown, bytes)
            and one.shown != other.shown
        )
