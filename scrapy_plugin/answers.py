"""What Scrapy's signals and the middlewares tell of answers settles claims, chains and what redirects showed."""

from __future__ import annotations

from typing import Final

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.spidermiddlewares.httperror import HttpError, HttpErrorMiddleware
from scrapy.utils.httpobj import urlparse_cached
from twisted.python.failure import Failure

from scrapy_plugin import stats
from scrapy_plugin.audited import Audited
from scrapy_plugin.chains import Chains
from scrapy_plugin.claims import Claims
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.flow import Flow
from scrapy_plugin.holding import Waiting
from scrapy_plugin.outcomes import SAFE_METHODS, Outcomes, redirect_urls, status_of, token_of
from scrapy_plugin.sessions import Sessions
from scrapy_plugin.settlement import Settlement
from scrapy_plugin.telling import Telling
from scrapy_plugin.trails import Hop, Trails

SWEEP_EVERY: Final = 16
"""Responses between two looks at what has settled, once many requests are under way."""


class Answers:
    """Each answer, from the downloader to the callback."""

    def __init__(
        self,
        identities: Identities,
        chains: Chains[Waiting],
        claims: Claims,
        outcomes: Outcomes,
        trails: Trails,
        sessions: Sessions,
        settlement: Settlement,
        flow: Flow,
        telling: Telling,
        audited: Audited | None,
    ) -> None:
        self._of = identities.of
        self._chains = chains
        self._claims = claims
        self._outcomes = outcomes
        self._trails = trails
        self._sessions = sessions
        self._settlement = settlement
        self._flow = flow
        self._telling = telling
        self._audited = audited
        self._http_error: HttpErrorMiddleware | None = None
        self._answers = 0

    # What Scrapy's signals tell.

    def spider_opened(self, crawler: Crawler) -> None:
        """Scrapy's own middlewares are there."""
        self._http_error = crawler.get_spider_middleware(HttpErrorMiddleware)

    def request_reached_downloader(self, request: Request) -> None:
        """A request goes out with the cookies that there are now."""
        self._sessions.send(request, urlparse_cached(request).hostname or "")

    def response_downloaded(self, response: Response, request: Request) -> None:
        """The site may know the visitor otherwise from now on."""
        cookies = response.headers.getlist("Set-Cookie")
        acted = request.method not in SAFE_METHODS and (bool(cookies) or 300 <= response.status <= 399)
        if cookies or acted:
            host = urlparse_cached(request).hostname or ""
            before = self._sessions.stamp(host)
            self._sessions.answered(request, host, cookies, acted=acted)
            if self._audited is not None and self._sessions.stamp(host) != before:
                self._audited.evidence.visitor_changed(host)

    def request_left_downloader(self, request: Request) -> None:
        """What follows decides what became of a request."""
        if request.callback is not NO_CALLBACK:
            self._outcomes.left(self._of(request)[0], request)

    def response_received(self, response: Response, request: Request) -> None:
        """A chain ends; what the redirects on the way showed is complete."""
        if request.callback is NO_CALLBACK:
            return
        digest = self._of(request)[0]
        self._outcomes.stays(request)
        self._answers += 1
        if len(self._outcomes) < SWEEP_EVERY or self._answers % SWEEP_EVERY == 0:
            self._flow.settle()
        if request.method not in SAFE_METHODS or redirect_urls(request):
            self._chains.end(token_of((*redirect_urls(request), request.url)))
        if self._claims.is_held_by(request, digest):
            self._chains.received(digest, status_of(response))
        self._trails.resolve(digest, status_of(response))
        answered = self._outcomes.answer(digest, request, status_of(response))
        if not self._settlement.watched:
            answered.reached = self._reaches(response)
        if self._audited is not None:
            is_holder = self._claims.is_held_by(request, digest)
            self._audited.evidence.answered(response, request, digest, is_holder=is_holder)
            self._audited.turn(self._flow)

    def _reaches(self, response: Response) -> bool:
        """Whether Scrapy lets a response pass to its callback, as far as its own middleware decides it."""
        if self._http_error is None:
            return True
        try:
            self._http_error.process_spider_input(response)
        except HttpError:
            return False
        return True

    def item_scraped(self, response: Response | Failure | None) -> None:
        """An item of a callback came through the pipelines."""
        answered = self._outcomes.answered(response.request) if isinstance(response, Response) else None
        if answered is not None:
            answered.gave_items = True

    def spider_error(self, response: Response | Failure) -> None:
        """A callback raised."""
        answered = self._outcomes.answered(response.request) if isinstance(response, Response) else None
        if answered is not None:
            answered.raised = True

    # What the middlewares tell.

    def watch(self) -> None:
        """A spider middleware will tell which requests reached their callback."""
        self._settlement.watched = True

    def reached(self, request: Request, status: int) -> None:
        """The callback of a request is called now."""
        self._outcomes.answer(self._of(request)[0], request, status).reached = True

    def passed(self, request: Request, hop: Hop) -> None:
        """A response came in, of which Scrapy's own middlewares may make a redirect or a retry."""
        digest = self._of(request)[0]
        self._outcomes.left(digest, request, hop)
        if 300 <= hop.status <= 399 and self._claims.has_leaked_flag(request, digest):
            request.dont_filter = False
            self._telling.count(stats.RETRY_RESET)

    def raised(self, request: Request) -> None:
        """A downloader middleware, or the download, raised."""
        self._outcomes.left(self._of(request)[0], request)
