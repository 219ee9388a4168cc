"""A digest is settled by the end of the request that holds it; what it settles goes to chains, trails and stats."""

from __future__ import annotations

from scrapy import Request
from scrapy.core.engine import ExecutionEngine

from iri_canon.equivalence import State
from scrapy_plugin import stats
from scrapy_plugin.chains import UNDER_WAY, Chains
from scrapy_plugin.claims import Claims
from scrapy_plugin.delta import Delta
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.holding import Waiting
from scrapy_plugin.outcomes import SAFE_METHODS, Answered, Leaving, Outcomes, redirect_urls, token_of
from scrapy_plugin.telling import Telling
from scrapy_plugin.trails import Trails


class Settlement:
    """What became of requests, once nobody has them in hand."""

    def __init__(
        self,
        chains: Chains[Waiting],
        claims: Claims,
        outcomes: Outcomes,
        trails: Trails,
        identities: Identities,
        telling: Telling,
        delta: Delta | None,
    ) -> None:
        self._chains = chains
        self._claims = claims
        self._outcomes = outcomes
        self._trails = trails
        self._identities = identities
        self._telling = telling
        self._delta = delta
        self.watched = False
        """Whether a spider middleware tells which requests reached their callback."""

    def look(self, engine: ExecutionEngine) -> list[Waiting] | None:
        """What goes on now, of all that waited for a request that came to its end; None: none has."""
        gone = self._outcomes.take_gone(engine.downloader.active)
        scraping = engine.scraper.slot
        settled = [] if scraping is None else self._outcomes.take_settled(scraping.active)
        going = [one for leaving in gone for one in self._failed(leaving)]
        going += [one for answered in settled for one in self._answered(answered)]
        return going if gone or settled else None

    def finish(self) -> list[Waiting]:
        """The same at the end of a crawl: every request has come to its end."""
        going = [one for answered in self._outcomes.take_settled(()) for one in self._answered(answered)]
        return going + [one for leaving in self._outcomes.take_gone(()) for one in self._failed(leaving)]

    def _failed(self, leaving: Leaving) -> list[Waiting]:
        request, digest = leaving.request, leaving.digest
        if request.method not in SAFE_METHODS or redirect_urls(request):
            self._chains.end(token_of((*redirect_urls(request), request.url)))
        if not self._claims.is_held_by(request, digest):
            return []
        if self._chains.state(digest) in UNDER_WAY:
            self._telling.count(stats.FAILED)
        self._led_nowhere(request)
        waiting = self._chains.failed(digest)
        if not waiting:
            self._trails.abandon(digest)
            if self._delta is not None:
                self._delta.abandon(digest)
        return waiting

    def _answered(self, answered: Answered) -> list[Waiting]:
        digest, status = answered.digest, answered.status
        # Redirects that came upon the page after its answer wait for this, too.
        self._trails.resolve(digest, status)
        is_received = self._chains.state(digest) is State.RECEIVED
        # Without the spider middleware an answer that a callback downloaded by itself looks like any other.
        if answered.reached and (self.watched or is_received):
            self._telling.count(stats.DONE)
            if self._delta is not None and (
                self.watched or self._claims.is_held_by(answered.request, digest)
            ):
                self._delta.done(answered)
            for dropped in self._chains.done(digest, status):
                self._telling.count(stats.DROPPED)
                self._telling.duplicate(dropped.request)
        elif is_received and self._claims.is_held_by(answered.request, digest):
            self._telling.count(stats.FAILED)
            self._led_nowhere(answered.request)
            if self._delta is not None:
                self._delta.abandon(digest)
            return self._chains.failed(digest, status)
        return []

    def _led_nowhere(self, request: Request) -> None:
        """A chain came to nothing: what it went through may lead there when it is linked again, as its end may."""
        for source in self._identities.sources(request, redirect_urls(request)):
            self._chains.led_nowhere(source)
