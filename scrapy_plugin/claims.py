"""A claim belongs to the request that it was made for: only what becomes of that request settles it.

A download that a callback makes by itself, a copy that a middleware puts in a request's place, and a request that
another component refuses to schedule all bear the digest of a claim that is not theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakSet, WeakValueDictionary

from scrapy import Request
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler

from iri_canon.equivalence import Seen, State
from scrapy_plugin.chains import Chains
from scrapy_plugin.holding import Waiting
from scrapy_plugin.outcomes import retry_times


@dataclass(frozen=True, slots=True)
class _Unsure:
    """A request that was announced; whether it came into the queue shows in the number of those that did."""

    request: Request
    digest: bytes
    before: Seen | None
    token: bytes | None
    displaced: list[Request]
    enqueued: int


class Claims:
    """Who holds the claims of this process. Weakly: a request that nobody has any more holds nothing."""

    def __init__(self, chains: Chains[Waiting], crawler: Crawler | None) -> None:
        self._chains = chains
        self._crawler = crawler
        self._holders: WeakValueDictionary[bytes, Request] = WeakValueDictionary()
        self._losers: WeakSet[Request] = WeakSet()
        # Most crawls have none, and to ask a set of references takes longer than to ask this.
        self._had_losers = False
        self._retries: WeakSet[Request] = WeakSet()
        self._unsure: _Unsure | None = None

    def take(self, digest: bytes, request: Request) -> None:
        """A request goes on, and what is known of its digest is what becomes of it."""
        holder = self._holders.get(digest)
        if holder is not None and holder is not request:
            self._losers.add(holder)
            self._had_losers = True
        if self._had_losers:
            self._losers.discard(request)
        self._holders[digest] = request

    def is_held_by(self, request: Request, digest: bytes) -> bool:
        """Whether what becomes of a request settles a digest.

        A request that was in a disk queue is another object since, also where the one that went there is kept by
        the spider: there, the claim is anyone's who did not lose it.
        """
        if request in self._losers:
            return False
        holder = self._holders.get(digest)
        return holder is None or holder is request or self._has_disk_queue()

    def is_holder(self, request: Request, digest: bytes) -> bool:
        """Whether it is surely this request that holds the claim of a digest, as the object that it was then."""
        return self._holders.get(digest) is request

    def retry(self, digest: bytes, retry: Request, original: Request) -> None:
        """A retry takes the place of the request that it copied; its ``dont_filter`` is not the user's."""
        self.take(digest, retry)
        if not original.dont_filter or original in self._retries:
            self._retries.add(retry)

    def has_leaked_flag(self, request: Request, digest: bytes) -> bool:
        """Whether Scrapy's retry set the ``dont_filter`` of a request, and nobody else did.

        A retry that was in a disk queue is another object since; then the claim of a filtered request tells.
        """
        if not request.dont_filter or not retry_times(request):
            return False
        is_of_this_process = self._holders.get(digest) is not None
        return request in self._retries or (
            not is_of_this_process and self._chains.state(digest) is State.CLAIMED
        )

    def displace(self, digest: bytes, leaving: list[Request]) -> list[Request]:
        """Another request comes to a digest: its holder, and those that leave the downloader, settle it no longer."""
        holder = self._holders.get(digest)
        displaced = [*([] if holder is None else [holder]), *leaving]
        self._losers.update(displaced)
        self._had_losers = self._had_losers or bool(displaced)
        return displaced

    def announce(
        self,
        digest: bytes,
        request: Request,
        before: Seen | None,
        token: bytes | None,
        displaced: list[Request],
    ) -> None:
        """A request that never meets the filter is to be scheduled, unless another component refuses."""
        enqueued = self._enqueued()
        if enqueued is not None:
            self._unsure = _Unsure(request, digest, before, token, displaced, enqueued)

    def confirm(self) -> None:
        """Look whether the request that was announced last was scheduled; if not, it left no trace."""
        unsure, self._unsure = self._unsure, None
        if unsure is None or self._enqueued() != unsure.enqueued:
            return
        self._chains.undo(unsure.digest, unsure.before)
        if unsure.token is not None:
            self._chains.end(unsure.token)
        if self._holders.get(unsure.digest) is unsure.request:
            del self._holders[unsure.digest]
        self._losers.difference_update(unsure.displaced)
        for holder in unsure.displaced[:1]:
            self._holders[unsure.digest] = holder

    def _enqueued(self) -> int | None:
        """How many requests the scheduler took; None: nobody says."""
        # Statistics that keep nothing (DummyStatsCollector) know no number either.
        if self._scheduler() is None or self._crawler is None or self._crawler._stats is None:
            return None
        if not self._crawler.stats.get_stats():
            return None
        return int(self._crawler.stats.get_value("scheduler/enqueued", 0))

    def _has_disk_queue(self) -> bool:
        return getattr(self._scheduler(), "dqs", None) is not None

    def _scheduler(self) -> Scheduler | None:
        """Scrapy's own scheduler, where it is the one."""
        engine = self._crawler._engine if self._crawler is not None else None
        scheduler = engine.scheduler if engine is not None else None
        return scheduler if isinstance(scheduler, Scheduler) else None
