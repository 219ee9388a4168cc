"""A redirect chain is cut only where another request brings its page; whatever else is known twice is fetched once.

The decision of the filter, over digests and states alone: it knows no request, no clock and no network.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final, Generic, TypeVar

from iri_canon.equivalence import Seen, SeenStore, State

Held = TypeVar("Held")
"""What stands for a request that waits; the caller's own."""

UNDER_WAY: Final = frozenset({State.CLAIMED, State.EXEMPT})
"""A request for the digest is queued or being downloaded."""

UNSETTLED: Final = UNDER_WAY | {State.RECEIVED}
"""Whether a callback gets the page is not known yet."""

_COVERS: Final = UNSETTLED | {State.DONE}

_NOTHING_KNOWN: Final = frozenset({None, State.COVERED})
"""What a chain or an exempt request meets as if it were the first: what a rule covers was not fetched."""


TURNS_ALONE: Final = 8
"""Turns of a gate in which one chain at a time goes on: no wall that is known takes more."""


class Verdict(Enum):
    """What becomes of a request."""

    PASS = auto()
    """It goes on, and its digest is claimed."""
    REVISIT = auto()
    """It goes on where something was fetched before: a cached answer would be that of the former visit."""
    DUPLICATE = auto()
    """The same digest is under way, known as a redirect, or done."""
    TWIN = auto()
    """The representative that the server showed, or what a learned rule makes of it, is under way or done."""
    DONE_BEFORE = auto()
    """An earlier crawl has done its page."""
    HOLD = auto()
    """A chain meets the claim of another request: what comes of that decides."""


class Chains(Generic[Held]):
    """The states of digests, the chains that wait for them, and the tokens of chains that began with an unsafe method.

    >>> from iri_canon.equivalence import open_seen, profile
    >>> chains = Chains(open_seen(None, profile()))
    >>> page, gate = b"page".rjust(16), b"gate".rjust(16)
    >>> chains.link(page), chains.link(page)
    (<Verdict.PASS: 1>, <Verdict.DUPLICATE: 3>)
    >>> chains.hop(page), chains.follow(gate), chains.hop(gate), chains.follow(page)
    ([], <Verdict.PASS: 1>, [], <Verdict.REVISIT: 2>)
    """

    def __init__(
        self, seen: SeenStore, *, retry_failed: bool = False, settled: Callable[[bytes], None] | None = None
    ) -> None:
        self._seen = seen
        self._get = seen.get
        self._put = seen.put
        self._retry_failed = retry_failed
        # Told of each digest that has become a hop, done or failed.
        self._settled = settled
        self._waiting: dict[bytes, list[Held]] = {}
        self._turns: dict[bytes, int] = {}

    def state(self, digest: bytes) -> State | None:
        """The state of a digest; None: nothing is known of it."""
        known = self._get(digest)
        return None if known is None else known.state

    def status(self, digest: bytes) -> int:
        """The HTTP status that a digest was last answered with; 0: not known."""
        known = self._get(digest)
        return 0 if known is None else known.status

    def link(
        self,
        digest: bytes,
        spelling: str | None = None,
        representative: Callable[[], bytes | None] | None = None,
        session: Callable[[], int] | None = None,
        done_before: Callable[[], bool] | None = None,
        covered: Callable[[], bool] | None = None,
    ) -> Verdict:
        """Decide on a request that continues no chain.

        ``representative`` gives the digest of the observed one, ``session`` the stamp of the session now: a hop
        of an earlier session is asked again. ``done_before`` tells whether an earlier crawl has done the page, and
        ``covered`` whether a learned rule skips the request, which it has journaled then; it is asked last.
        """
        known = self._get(digest)
        if known is not None and not (self._retry_failed and known.state is State.FAILED):
            if known.state is not State.HOP or not known.status or session is None:
                return Verdict.DUPLICATE
            if session() <= known.status:
                return Verdict.DUPLICATE
            self._put(digest, State.CLAIMED, 0, spelling)
            return Verdict.REVISIT
        if representative is not None:
            twin = representative()
            if twin is not None and twin != digest and self.state(twin) in _COVERS:
                return Verdict.TWIN
        if done_before is not None and done_before():
            return Verdict.DONE_BEFORE
        if covered is not None and covered():
            self._put(digest, State.COVERED, 0, spelling)
            return Verdict.TWIN
        self._put(digest, State.CLAIMED, 0, spelling)
        return Verdict.PASS

    def follow(
        self, digest: bytes, spelling: str | None = None, *, unsafe: bool = False, released: bool = False
    ) -> Verdict:
        """Decide on a request that continues a live chain; ``unsafe``: the chain began with an unsafe method.

        What such a method changed may be seen by a GET of a page that was got before (RFC 9110 15.4.4), so it
        passes. ``released``: it has waited, and goes on beside others that have.
        """
        state = self.state(digest)
        if state in _NOTHING_KNOWN or state in (State.HOP, State.FAILED):
            self._put(digest, State.CLAIMED, 0, spelling)
            return Verdict.PASS if state in _NOTHING_KNOWN else Verdict.REVISIT
        if unsafe or (released and state in UNDER_WAY):
            return Verdict.REVISIT
        return Verdict.DUPLICATE if state is State.DONE else Verdict.HOLD

    def exempt(self, digest: bytes, spelling: str | None = None) -> Verdict:
        """Record a request that never meets the filter."""
        state = self.state(digest)
        if state in _NOTHING_KNOWN or state in (State.HOP, State.FAILED, State.CLAIMED):
            self._put(digest, State.EXEMPT, 0, spelling)
        return Verdict.PASS if state in _NOTHING_KNOWN else Verdict.REVISIT

    def hop(self, digest: bytes, session: int = 0) -> list[Held]:
        """A redirect answered: some of what waited for the digest goes on.

        ``session`` is the stamp of the session that a temporary redirect answered; 0: it was permanent.
        """
        state = self.state(digest)
        if state is State.RECEIVED or state is State.DONE or state is State.COVERED:
            return []
        self._put(digest, State.HOP, session)
        self._tell(digest)
        return self._next(digest)

    def cover(self, digest: bytes) -> list[Held]:
        """A learned rule skips a request that was under way: some of what waited for it goes on."""
        self._put(digest, State.COVERED)
        return self._next(digest)

    def received(self, digest: bytes, status: int) -> None:
        """A response came to a request that is under way."""
        if self.state(digest) in UNDER_WAY:
            self._put(digest, State.RECEIVED, status)

    def done(self, digest: bytes, status: int) -> list[Held]:
        """A callback got the page: what waited for the digest is a duplicate."""
        self._put(digest, State.DONE, status)
        self._tell(digest)
        self._turns.pop(digest, None)
        return self._waiting.pop(digest, [])

    def failed(self, digest: bytes, status: int = 0) -> list[Held]:
        """A request came to nothing: some of what waited for the digest goes on."""
        if self.state(digest) in UNSETTLED:
            self._put(digest, State.FAILED, status)
            self._tell(digest)
        return self._next(digest)

    def led_nowhere(self, digest: bytes) -> None:
        """The chain that a hop belongs to came to nothing, and so the hop did."""
        if self.state(digest) is State.HOP:
            self._put(digest, State.FAILED)

    def undo(self, digest: bytes, before: Seen | None) -> None:
        """What is known of a digest is again what was known before."""
        if before is None:
            self._seen.forget(digest)
        else:
            self._put(digest, before.state, before.status)

    def forget(self, digest: bytes) -> None:
        """What is known of a digest counts no longer, unless it is done, or journaled as covered."""
        if self.state(digest) not in (State.DONE, State.COVERED):
            self._seen.forget(digest)

    def hold(self, digest: bytes, held: Held) -> None:
        """Let a chain wait for what comes of a digest."""
        self._waiting.setdefault(digest, []).append(held)

    def waited_for(self) -> tuple[bytes, ...]:
        """The digests that chains wait for."""
        return tuple(self._waiting)

    def give_up(self) -> list[Held]:
        """All that waits, which then waits no longer."""
        held = [one for waiting in self._waiting.values() for one in waiting]
        self._waiting.clear()
        self._turns.clear()
        return held

    def _tell(self, digest: bytes) -> None:
        if self._settled is not None:
            self._settled(digest)

    def _next(self, digest: bytes) -> list[Held]:
        """Those that go on now: one, and after some turns twice as many each time.

        A page may come yet, behind a wall that takes some turns, and it is to be fetched once. What still answers
        so after that is a gate or a failure for all: to let one go at a time would take a crawl of its length.
        """
        waiting = self._waiting.pop(digest, [])
        turn = self._turns.pop(digest, 0)
        number = 1 << min(max(turn - TURNS_ALONE, 0), 30)
        going, staying = waiting[:number], waiting[number:]
        if staying:
            self._waiting[digest] = staying
            self._turns[digest] = turn + 1
        return going

    def begin(self, token: bytes) -> None:
        """One more chain that began with an unsafe method is live at a token."""
        self._put(token, State.CHAIN, self._count(token) + 1)

    def end(self, token: bytes) -> bool:
        """One such chain went on from a token, or ended there; False: there was none."""
        count = self._count(token)
        if count > 1:
            self._put(token, State.CHAIN, count - 1)
        elif count == 1:
            self._seen.forget(token)
        return count > 0

    def _count(self, token: bytes) -> int:
        known = self._get(token)
        return known.status if known is not None and known.state is State.CHAIN else 0
