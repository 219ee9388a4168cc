"""What was seen and what was observed is asked through these protocols; a store decides nothing itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple, Protocol

from iri_canon.equivalence.evidence import Equivalence, Observation, Refusal
from iri_canon.equivalence.rules import Rule, RuleName

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
    COVERED = 8
    """A rule in force says that another request brings its page: it was skipped. Its ``Suppressed`` keeps it so."""


class Seen(NamedTuple):
    """What a store knows of one digest; ``status`` is 0 where no status is known."""

    state: State
    status: int = 0


class Stage(IntEnum):
    """What became of a request that a rule in force covers."""

    SKIPPED = 0
    """It was not sent."""
    SENT = 1
    """It is being fetched after all."""


class Suppressed(NamedTuple):
    """One request that was skipped for a rule in force, with what it takes to fetch it after all."""

    digest: bytes
    """The request, ``DIGEST_SIZE`` octets."""
    url: str
    """As it was found; it may hold lone surrogates."""
    rules: tuple[RuleName, ...]
    """What stood for it."""
    witness: bytes
    """The request that brings its page, ``DIGEST_SIZE`` octets."""
    witness_url: str
    payload: bytes | None
    """The serialised request, the caller's business; None: it cannot be made again from octets."""
    stage: Stage
    time: float
    """Seconds since the epoch."""


class KnownPage(NamedTuple):
    """A page that a crawl has done, under one of its names."""

    key: str
    """The name: the SCHEME key of a URL that led to the page."""
    page: str
    """The SCHEME key of the page itself."""
    time: float
    """When it was done last, in seconds since the epoch."""
    gave_items: bool
    """Whether its callback ever gave an item."""
    covered: bool = False
    """Only a learned rule said that the key names the page: that holds as long as the rule does."""


class Journaled(NamedTuple):
    """One URL that was not fetched because its representative had been."""

    url: str
    representative: str
    because: tuple[str, ...]
    time: float


def state_after_reopening(state: State, *, stopped_cleanly: bool) -> State | None:
    """The state that a state of the last run counts as in this one; None: forgotten.

    What never reached a callback may not be refused later, so after an unclean stop only what is done stays, and
    what is covered: its ``Suppressed`` is there to fetch it from.

    >>> state_after_reopening(State.CLAIMED, stopped_cleanly=True).name
    'CLAIMED'
    >>> state_after_reopening(State.CLAIMED, stopped_cleanly=False) is None
    True
    """
    if state is State.DONE or state is State.COVERED:
        return state
    if not stopped_cleanly or state is State.FAILED:
        return None
    return State.DONE if state is State.RECEIVED else state


class SeenStore(Protocol):
    """The states of requests, by digest (``DIGEST_SIZE`` octets).

    ``suppressed`` and ``contents`` raise ``StoreError`` where the medium cannot be read; nothing else but ``flush``
    and ``close`` raises because of the medium. Changes reach it in the order they were made in: where a page is done
    on it, what was suppressed before is there too. ``was_cut_off``: the last run did not close the store. ``began``:
    when the store was made, and so when the crawl began, over all its runs; seconds since the epoch.

    Over a stop a digest is ``COVERED`` if its ``Suppressed`` is there and ``SKIPPED``, and nothing else is known of
    it then. So one that was ``CLAIMED`` to be fetched after all, and cut off, is covered again; one whose entry is
    ``SENT`` or resolved is as if it had never been seen; and nothing stays covered that could not be fetched again.
    """

    was_cut_off: bool
    began: float

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

    def suppress(self, entry: Suppressed) -> None:
        """Keep a request that is skipped, in place of an earlier entry of its digest. It changes no state."""

    def suppressed(self) -> Iterator[Suppressed]:
        """All entries, oldest first. Raises ``StoreError``."""

    def suppressed_as(self, digest: bytes) -> Suppressed | None:
        """The entry of a digest; None also where the medium cannot be read."""

    def resolve(self, digest: bytes) -> None:
        """Drop the entry of a digest; none there is no error. It changes no state."""

    def keep_content(self, key: str, record: bytes) -> None:
        """Keep what was learned of the content of a page, in place of what was kept with its key before."""

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """All keys with what was learned, by key. Raises ``StoreError``."""

    def flush(self) -> None:
        """Bring everything that must outlive a crash to the medium. Raises ``StoreError``."""

    def close(self, *, clean: bool) -> None:
        """Give the store back; ``clean``: no request was cut off. Raises ``StoreError``."""


class EquivalenceStore(Protocol):
    """Pairs that servers showed, the journal of what was not fetched because of them, rules learned, pages done.

    Iterators raise ``StoreError`` where the medium cannot be read, ``forget_pages`` too; a single look-up says
    that it finds nothing.
    """

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

    def rule(self, name: RuleName) -> Rule | None:
        """What was learned under a name; a copy."""

    def rules(self, host: str | None = None) -> Iterator[Rule]:
        """All rules, or those of a host, by name; copies."""

    def keep_rule(self, rule: Rule) -> None:
        """Keep a rule as it is now, in place of the one of its name."""

    def forget_rule(self, name: RuleName) -> bool:
        """Drop a rule; whether there was one."""

    def keep_page(
        self, key: str, page: str, time: float, *, gave_items: bool = False, covered: bool = False
    ) -> None:
        """Keep that ``key`` names a page that is done; both are SCHEME keys, ``page`` that of the page itself.

        What is older than what is kept changes nothing. Items that a page gave once count from then on.
        """

    def page(self, key: str) -> KnownPage | None:
        """The page that a key names."""

    def pages(self) -> Iterator[KnownPage]:
        """All names of pages, by key."""

    def forget_pages(self, keys: Iterable[str]) -> int:
        """Drop the page that each key names, under all its names; how many names there were."""

    def flush(self) -> None:
        """Bring everything to the medium. Raises ``StoreError``."""

    def close(self) -> None:
        """Give the store back. Raises ``StoreError``; twice is no error."""
