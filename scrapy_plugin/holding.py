"""A request that waits when the crawl is stopped goes on waiting in the next run."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from scrapy import Request, Spider
from scrapy.pqueues import ScrapyPriorityQueue

from iri_canon.equivalence import SeenStore, State
from scrapy_plugin import stats
from scrapy_plugin.chains import UNDER_WAY, Chains
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.outcomes import redirect_urls
from scrapy_plugin.serialised import UNREADABLE, SerialisationError, dump_request, load_request
from scrapy_plugin.telling import Telling

logger = logging.getLogger(__name__)


class Link(IntEnum):
    """How a request comes to the filter."""

    NEW = 0
    """It continues no live chain."""
    CHAIN = 1
    """It continues a live chain."""
    UNSAFE = 2
    """It continues a live chain that began with an unsafe method."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that waits, and how it came."""

    request: Request
    link: Link


def dump(waiting: Waiting, sources: list[bytes], spider: Spider | None) -> bytes | None:
    """Serialise what waits; None for what Scrapy's own disk queues could not keep either.

    ``sources`` are the digests of the URLs that led to the request.
    """
    try:
        request = dump_request(waiting.request, spider)
    except SerialisationError as error:
        logger.warning("%s waits at the end of a redirect and cannot be kept: %s", waiting.request, error)
        return None
    return pickle.dumps((sources, int(waiting.link), request), protocol=4)


def load(payload: bytes, spider: Spider | None) -> tuple[list[bytes], Waiting | None]:
    """Undo ``dump``: the sources, and the request, or None where the spider has changed too much."""
    sources: list[bytes] = []
    try:
        sources, link, request = pickle.loads(payload)
        return sources, Waiting(load_request(request, spider), Link(link))
    except UNREADABLE as error:
        logger.warning("A request that waited at the end of a redirect cannot be restored: %s", error)
        return sources, None


class Keeper:
    """What a stop leaves undone, between one run and the next."""

    def __init__(
        self, seen: SeenStore, chains: Chains[Waiting], identities: Identities, telling: Telling
    ) -> None:
        self._seen = seen
        self._chains = chains
        self._identities = identities
        self._telling = telling

    def keep(self, waiting: Iterable[Waiting], spider: Spider | None) -> None:
        """Write what waits to the store."""
        payloads: list[bytes] = []
        for one in waiting:
            sources = self._identities.sources(one.request, redirect_urls(one.request))
            payload = dump(one, sources, spider)
            if payload is None:
                self._give_up(sources)
            else:
                payloads.append(payload)
        if payloads:
            self._seen.hold(payloads)

    def restore(self, spider: Spider | None) -> list[Waiting]:
        """Read what waited when the last run was stopped."""
        restored: list[Waiting] = []
        for payload in self._seen.held():
            sources, waiting = load(payload, spider)
            if waiting is None:
                self._give_up(sources)
            else:
                self._telling.count(stats.RESTORED)
                restored.append(waiting)
        return restored

    def release(self, queue: ScrapyPriorityQueue | None) -> None:
        """What could not be written to the disk queue ends with the process: its claims must not outlive it."""
        while queue and (request := queue.pop()) is not None:
            self._chains.forget(self._identities.of(request)[0])
            for source in self._identities.sources(request, redirect_urls(request)):
                self._chains.forget(source)

    def release_all(self) -> None:
        """The queues are empty, so what is still claimed is nowhere: it never came into its queue, or was lost there.

        What led to such a request cannot be told, so every hop may be asked again.
        """
        unfinished = self._seen.release(UNDER_WAY)
        if unfinished:
            self._telling.count(stats.FAILED, unfinished)
            self._seen.release({State.HOP, State.CHAIN})

    def _give_up(self, sources: Iterable[bytes]) -> None:
        """A redirect is lost: the URLs that led to it may lead to it again."""
        self._telling.count(stats.NOT_KEPT)
        for source in sources:
            self._chains.forget(source)
