"""What redirects showed waits under its target until the target's answer is known, from whoever fetched it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import time
from typing import Final

from iri_canon.equivalence import Equivalence, EquivalenceStore, Observation, Refusal, judge

LONGEST: Final = 10_000
"""Targets that wait at once: those that are never fetched (off site) must not fill the memory."""

LONGEST_TRAIL: Final = 20
"""Redirects of one trail: what goes on in a circle shows nothing (REDIRECT_MAX_TIMES is as much)."""

MOST_TRAILS: Final = 1_000
"""Trails that wait for one target."""

_SETTLED: Final = frozenset({"method", "location", "status", "temporary"})
"""Reasons that do not wait for the target's answer."""


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

    def observation(self, final_status: int) -> Observation:
        """What the trail shows once its target is answered."""
        return Observation(
            source=self.source,
            target=self.target,
            statuses=self.statuses,
            final_status=final_status,
            method=self.method,
            single_location=self.single_location,
            time=time(),
        )


class Trails:
    """Observations that are not complete, by the digest of their target."""

    def __init__(
        self,
        pairs: EquivalenceStore,
        *,
        temporary: bool = False,
        complete: Callable[[Observation, Equivalence | Refusal], None] | None = None,
    ) -> None:
        self._pairs = pairs
        self._temporary = temporary
        # Told of each observation that is complete, once it is recorded.
        self._complete = complete
        self._open: dict[bytes, list[_Trail]] = {}
        self.counts: Counter[str] = Counter()
        """What became of the observations: ``recorded``, or the reason why one joins nothing."""

    def follow(self, source: bytes, hop: Hop | None, target: bytes, target_url: str) -> None:
        """A redirect led on; ``hop`` is None where nobody saw the response itself: then it shows nothing."""
        trails = self._open.pop(source, [])
        if hop is None or not 300 <= hop.status <= 399:
            return
        grown = [
            replace(
                trail,
                target=target_url,
                statuses=(*trail.statuses, hop.status),
                single_location=trail.single_location and hop.single_location,
            )
            for trail in trails
        ]
        grown.append(_Trail(hop.url, target_url, (hop.status,), hop.method, hop.single_location))
        further = [trail for trail in grown if self._is_open(trail)]
        if not further:
            return
        if len(self._open) >= LONGEST and target not in self._open:
            self.abandon(next(iter(self._open)))
        waiting = self._open.setdefault(target, [])
        waiting += further[: MOST_TRAILS - len(waiting)]

    def _is_open(self, trail: _Trail) -> bool:
        """Whether the target's answer decides on a trail; one that is refused in any case is recorded at once."""
        if len(trail.statuses) > LONGEST_TRAIL or trail.target == trail.source:
            self.counts["unfinished"] += 1
            return False
        verdict = judge(trail.observation(200), temporary=self._temporary)
        if isinstance(verdict, Equivalence) or verdict.reason not in _SETTLED:
            return True
        self._record(trail.observation(0))
        return False

    def _record(self, observation: Observation) -> None:
        verdict = self._pairs.record(observation, temporary=self._temporary)
        self.counts["recorded" if isinstance(verdict, Equivalence) else verdict.reason] += 1
        if self._complete is not None:
            self._complete(observation, verdict)

    def resolve(self, target: bytes, status: int) -> None:
        """The target was answered."""
        for trail in self._open.pop(target, ()):
            self._record(trail.observation(status))

    def abandon(self, target: bytes) -> None:
        """The target will not be answered."""
        self.counts["unfinished"] += len(self._open.pop(target, ()))

    def close(self) -> None:
        """What still waits is counted."""
        for target in list(self._open):
            self.abandon(target)
