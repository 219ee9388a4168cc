"""What was seen and what was observed is asked through these protocols; a store decides nothing itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple, Protocol

from iri_canon.equivalence.evidence import Equivalence, Observation, Refusal

DIGEST_SIZE = 16
"""Octets of a digest: a collision-resistant hash of a request, made by the caller."""


class State(IntEnum):
    """What became of a request.

    >>> State.DONE.name
    'DONE'
    """

    CLAIMED = 1
    """A request that passed the filter is under way."""
    EXEMPT = 2
    """A request that never met the filter (``dont_filter``) is under way."""
    HOP = 3
    """It answered with a redirect: a spelling, not a page."""
    RECEIVED = 4
    """Its response came; that the callback has finished is not known."""
    DONE = 5
    """A callback got it."""
    FAILED = 6
    """It came to nothing."""
    CHAIN = 7
    """Not a request: the token of a live redirect chain that began with an unsafe method."""


class Seen(NamedTuple):
    """What a store knows of one digest; ``status`` is 0 where no status is known."""

    state: State
    status: int = 0


class Journaled(NamedTuple):
    """One URL that was not fetched because its representative had been."""

    url: str
    representative: str
    because: tuple[str, ...]
    time: float


def state_after_reopening(state: State, *, stopped_cleanly: bool) -> State | None:
    """The state that a state of the last run counts as in this one; None: forgotten.

    What never reached a callback may not be refused later, so after an unclean stop only what is done stays.

    >>> state_after_reopening(State.CLAIMED, stopped_cleanly=True).name
    'CLAIMED'
    >>> state_after_reopening(State.CLAIMED, stopped_cleanly=False) is None
    True
    """
    if state is State.DONE:
        return state
    if not stopped_cleanly or state is State.FAILED:
        return None
    return State.DONE if state is State.RECEIVED else state


class SeenStore(Protocol):
    """The states of requests, by digest (``DIGEST_SIZE`` octets).

    ``get``, ``put``, ``forget`` and ``spelling`` never raise because of the medium. ``was_cut_off``: the last run
    did not close the store.
    """

    was_cut_off: bool

    def get(self, digest: bytes, /) -> Seen | None:
        """What is known of a digest."""

    def put(self, digest: bytes, state: State, status: int = 0, spelling: str | None = None) -> None:
        """Set the state of a digest; a spelling is kept with it, the first one given stays."""

    def forget(self, digest: bytes) -> None:
        """Drop a digest and its spelling; one that is not there is no error."""

    def spelling(self, digest: bytes) -> str | None:
        """The spelling that was kept with a digest."""

    def __len__(self) -> int:
        """The number of digests known."""

    def release(self, states: Collection[State]) -> int:
        """Drop all digests in these states; how many there were."""

    def hold(self, payloads: list[bytes]) -> None:
        """Keep serialised requests over a clean stop."""

    def held(self) -> list[bytes]:
        """The requests that were kept, in order; they are handed out once."""

    def flush(self) -> None:
        """Bring everything that must outlive a crash to the medium. Raises ``StoreError``."""

    def close(self, *, clean: bool) -> None:
        """Give the store back; ``clean``: no request was cut off. Raises ``StoreError``."""


class EquivalenceStore(Protocol):
    """Pairs that servers showed, and the journal of what was not fetched because of them."""

    def record(self, observation: Observation, *, temporary: bool = False) -> Equivalence | Refusal:
        """Judge an observation, and keep the pair or count the refusal."""

    def representative(self, key: str, /) -> str | None:
        """The end of the chain of pairs that begins at a SCHEME key; None where the key is no source."""

    def equivalence(self, key: str) -> Equivalence | None:
        """The pair that a SCHEME key is the source of."""

    def equivalences(self) -> Iterator[Equivalence]:
        """All pairs, by source."""

    def refusals(self) -> Mapping[str, int]:
        """How many observations joined nothing, by reason."""

    def refused(self) -> Iterator[tuple[Observation, Refusal]]:
        """The newest observation of each pair that joined nothing; memory keeps the last ones only."""

    def journal(self, url: str, representative: str, because: tuple[str, ...], time: float) -> None:
        """Note that a URL was not fetched."""

    def journaled(self) -> Iterator[Journaled]:
        """All notes, oldest first."""

    def flush(self) -> None:
        """Bring everything to the medium. Raises ``StoreError``."""

    def close(self) -> None:
        """Give the store back. Raises ``StoreError``; twice is no error."""
