"""What waited goes on through the scheduler, as what a callback gives does: its delays, its order, its middlewares."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary, WeakSet

from scrapy import Request
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import Crawler

from scrapy_plugin import stats
from scrapy_plugin.holding import Link, Waiting
from scrapy_plugin.settlement import Settlement
from scrapy_plugin.telling import Telling


class Flow:
    """The way back into the crawl."""

    def __init__(self, settlement: Settlement, telling: Telling, crawler: Crawler | None) -> None:
        self._settlement = settlement
        self._telling = telling
        self._crawler = crawler
        self._released: WeakSet[Request] = WeakSet()
        self.placed: WeakKeyDictionary[Request, Link] = WeakKeyDictionary()
        """Requests whose place in a chain is known before the scheduler asks: redirects, by `request_scheduled`."""

    @property
    def engine(self) -> ExecutionEngine | None:
        """Scrapy's engine; None where there is no crawl."""
        return self._crawler._engine if self._crawler is not None else None

    def settle(self) -> bool:
        """Look what has become of the requests that left; False: nothing is new."""
        going = None if self.engine is None else self._settlement.look(self.engine)
        self.release(going or ())
        return going is not None

    def release(self, waiting: Iterable[Waiting]) -> None:
        """Let go on what has waited."""
        for one in waiting:
            self._telling.count(stats.RELEASED)
            self._released.add(one.request)
            self.crawl(one)

    def was_released(self, request: Request) -> bool:
        """Whether a request has waited."""
        return request in self._released

    def crawl(self, waiting: Waiting) -> None:
        """Send a request that the filter had in hand."""
        if self.engine is not None:
            self.placed[waiting.request] = waiting.link
            self.engine.crawl(waiting.request)
