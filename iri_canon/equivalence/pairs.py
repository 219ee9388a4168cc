"""Pairs point from a source to its representative; the newest one counts, and no walk turns in a circle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator

from iri_canon.equivalence.evidence import Equivalence, Observation, Refusal, judge
from iri_canon.ladder import key


class Pairs(ABC):
    """The rules of recording, over a medium that a subclass brings."""

    @abstractmethod
    def equivalence(self, key: str) -> Equivalence | None:
        """The pair that a SCHEME key is the source of."""

    @abstractmethod
    def _keep(self, pair: Equivalence) -> None:
        """Store a pair in place of any other of its source."""

    @abstractmethod
    def _withdraw(self, source: str) -> None:
        """Drop the pair of a source."""

    @abstractmethod
    def _refuse(self, observation: Observation, refusal: Refusal) -> None:
        """Store and count an observation that joins nothing."""

    def record(self, observation: Observation, *, temporary: bool = False) -> Equivalence | Refusal:
        """Judge an observation, and keep the pair or count the refusal.

        A newer observation of the same source replaces the older; where it leads to what no convention
        explains, the pair is withdrawn. A target answered for itself, so a pair that it was the source of is
        withdrawn too. An observation older than what speaks against it is refused as ``superseded``.
        """
        verdict = judge(observation, temporary=temporary)
        if isinstance(verdict, Equivalence):
            verdict = self._admit(verdict)
        elif verdict.reason == "unexplained":
            self._withdraw_if_older(key(observation.source), observation.time)
        if isinstance(verdict, Refusal):
            self._refuse(observation, verdict)
        return verdict

    def representative(self, key: str, /) -> str | None:
        """The end of the chain of pairs that begins at a SCHEME key; None where the key is no source."""
        if self.equivalence(key) is None:  # as for most keys
            return None
        ends = deque(self._walk(key), maxlen=1)
        return ends[0] if ends else None

    def _walk(self, key: str) -> Iterator[str]:
        """The representatives that follow each other from a key on."""
        passed = {key}
        # Recording makes no circle; a file that something else wrote to may hold one, and a look-up must end.
        while (pair := self.equivalence(key)) is not None and pair.representative not in passed:
            key = pair.representative
            passed.add(key)
            yield key

    def _admit(self, pair: Equivalence) -> Equivalence | Refusal:
        time = pair.observation.time
        known = self.equivalence(pair.source)
        if known is not None and known.observation.time > time:
            return Refusal("superseded")
        self._withdraw_if_older(pair.representative, time)
        if pair.source in self._walk(pair.representative):
            return Refusal("superseded")
        self._keep(pair)
        return pair

    def _withdraw_if_older(self, source: str, time: float) -> None:
        known = self.equivalence(source)
        if known is not None and known.observation.time <= time:
            self._withdraw(source)
