"""What redirects showed waits under its target until the target's answer is known, from whoever fetched it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from time import time
from typing import Final

from iri_canon.equivalence import Equivalence, EquivalenceStore, Observation

LONGEST: Final = 10_000
"""Targets that wait at once: those that are never fetched (off site) must not fill the memory."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect response, as it came."""

    url: str
    status: int
    method: str
    single_location: bool


@dataclass(frozen=True, slots=True)
class _Trail:
    source: str
    target: str
    statuses: tuple[int, ...]
    method: str
    single_location: bool


class Trails:
    """Observations that are not complete, by the digest of their target."""

    def __init__(self, pairs: EquivalenceStore, *, temporary: bool = False) -> None:
        self._pairs = pairs
        self._temporary = temporary
        self._open: dict[bytes, list[_Trail]] = {}
        self.counts: Counter[str] = Counter()
        """What became of the observations: ``recorded``, or the reason why one joins nothing."""

    def follow(self, source: bytes, hop: Hop | None, target: bytes, target_url: str) -> None:
        """A redirect led on; ``hop`` is None where nobody saw the response itself: then it shows nothing."""
        trails = self._open.pop(source, [])
        if hop is None or not 300 <= hop.status <= 399:
            return
        further = [
            replace(
                trail,
                target=target_url,
                statuses=(*trail.statuses, hop.status),
                single_location=trail.single_location and hop.single_location,
            )
            for trail in trails
        ]
        further.append(_Trail(hop.url, target_url, (hop.status,), hop.method, hop.single_location))
        if len(self._open) >= LONGEST and target not in self._open:
            self.abandon(next(iter(self._open)))
        self._open.setdefault(target, []).extend(further)

    def resolve(self, target: bytes, status: int) -> None:
        """The target was answered."""
        for trail in self._open.pop(target, ()):
            observation = Observation(
                source=trail.source,
                target=trail.target,
                statuses=trail.statuses,
                final_status=status,
                method=trail.method,
                single_location=trail.single_location,
                time=time(),
            )
            verdict = self._pairs.record(observation, temporary=self._temporary)
            self.counts["recorded" if isinstance(verdict, Equivalence) else verdict.reason] += 1

    def abandon(self, target: bytes) -> None:
        """The target will not be answered."""
        self.counts["unfinished"] += len(self._open.pop(target, ()))

    def close(self) -> None:
        """What still waits is counted."""
        for target in list(self._open):
            self.abandon(target)
