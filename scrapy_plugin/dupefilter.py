"""A page is fetched once, no redirect's target is dropped for what led to it, and each drop is explained."""

from __future__ import annotations

import logging
from functools import partial
from weakref import WeakKeyDictionary

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter, RFPDupeFilter
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.httpobj import urlparse_cached

from iri_canon import Ladder, Rung
from scrapy_plugin import stats
from scrapy_plugin.answers import Answers
from scrapy_plugin.audited import Audited
from scrapy_plugin.chains import UNDER_WAY, Chains, Verdict
from scrapy_plugin.claims import Claims
from scrapy_plugin.delta import Delta
from scrapy_plugin.door import Door
from scrapy_plugin.fingerprinter import choose_identities
from scrapy_plugin.flow import Flow
from scrapy_plugin.holding import Keeper, Link, Waiting
from scrapy_plugin.options import Options, read
from scrapy_plugin.outcomes import (
    SAFE_METHODS,
    Outcomes,
    is_permanent,
    mind_cache,
    redirect_urls,
    token_of,
)
from scrapy_plugin.sessions import Sessions
from scrapy_plugin.settlement import Settlement
from scrapy_plugin.stores import Stores, open_stores, take
from scrapy_plugin.telling import Telling
from scrapy_plugin.trails import Trails
from scrapy_plugin.twins import Twins

logger = logging.getLogger(__name__)

_filters: WeakKeyDictionary[Crawler, CanonicalDupeFilter] = WeakKeyDictionary()


def filter_of(crawler: Crawler) -> CanonicalDupeFilter | None:
    """The filter of a crawl; None where another class filters."""
    return _filters.get(crawler)


class CanonicalDupeFilter(BaseDupeFilter):
    """Scrapy's DUPEFILTER_CLASS: the decision of ``Chains``, asked with Scrapy's requests and told by its signals.

    >>> seen = CanonicalDupeFilter(Options()).request_seen
    >>> [seen(Request(url)) for url in ("http://example.com", "http://EXAMPLE.com:80/", "http://example.com/a")]
    [False, True, False]
    """

    def __init__(
        self, options: Options, crawler: Crawler | None = None, stores: Stores | None = None
    ) -> None:
        self._options = options
        self._crawler = crawler
        self._stores = open_stores(options) if stores is None else stores
        self._sessions = Sessions()
        ladder = Ladder(Rung.SCHEME, conventions=options.conventions, keep_fragment=options.keep_fragments)
        self._identities = choose_identities(options, crawler, ladder)
        self._telling = Telling(self._identities, ladder, self._stores, crawler, debug=options.debug)
        self._twins = Twins(self._stores.pairs, self._identities, self._telling, options)
        self._delta = Delta(options, self._stores, self._identities, self._telling) if options.delta else None
        audited = None
        if options.learn == "audited":
            audited = Audited(
                options,
                self._stores,
                self._identities,
                self._sessions,
                self._telling,
                crawler,
                self._delta,
            )
        self._audited = audited
        self._chains: Chains[Waiting] = Chains(
            self._stores.seen,
            retry_failed=options.retry_failed,
            settled=None if audited is None else audited.settled,
        )
        self._trails = Trails(
            self._stores.pairs,
            temporary=options.temporary_redirects,
            complete=None if audited is None else audited.evidence.redirected,
        )
        self._claims = Claims(self._chains, crawler)
        self._outcomes = Outcomes()
        self._settlement = Settlement(
            self._chains,
            self._claims,
            self._outcomes,
            self._trails,
            self._identities,
            self._telling,
            self._delta,
        )
        self._keeper = Keeper(self._stores.seen, self._chains, self._identities, self._telling)
        self._of = self._identities.of
        self._link = self._chains.link
        self._take = self._claims.take
        self._flow = Flow(self._settlement, self._telling, crawler)
        self.answers = Answers(
            self._identities,
            self._chains,
            self._claims,
            self._outcomes,
            self._trails,
            self._sessions,
            self._settlement,
            self._flow,
            self._telling,
            self._audited,
        )
        self.door: Door | None = None
        if audited is not None:
            self.door = Door(self._identities, self._chains, self._claims, self._flow, self._telling, audited)
        self._silent: Request | None = None
        self._is_idle = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BaseDupeFilter:  # type: ignore[override]
        """Raises ``OptionError`` and ``StoreError``; with IRI_CANON_ENABLED false it is Scrapy's own filter."""
        options = read(crawler.settings)
        if not options.enabled:
            return RFPDupeFilter.from_crawler(crawler)
        duplicates = cls(options, crawler, take(crawler, options))
        connect = crawler.signals.connect
        connect(duplicates.request_scheduled, signals.request_scheduled)
        answers = duplicates.answers
        if options.cookies:
            connect(answers.request_reached_downloader, signals.request_reached_downloader)
            connect(answers.response_downloaded, signals.response_downloaded)
        connect(answers.request_left_downloader, signals.request_left_downloader)
        connect(answers.response_received, signals.response_received)
        if options.delta:
            connect(answers.item_scraped, signals.item_scraped)
            connect(answers.spider_error, signals.spider_error)
        connect(duplicates.spider_opened, signals.spider_opened)
        connect(duplicates.spider_idle, signals.spider_idle)
        _filters[crawler] = duplicates
        return duplicates

    # What the scheduler asks.

    def request_seen(self, request: Request) -> bool:
        """Whether a request is not to be sent (now): a duplicate, or a redirect that waits for another request."""
        self._claims.confirm()
        digest, canonical = self._of(request)
        url = request.url
        spelling = None if url == canonical else url
        if "redirect_urls" in request.meta and (urls := redirect_urls(request)):
            link = self._flow.placed.pop(request, None)
            if link is None:
                link = self._place(request, digest, urls)
            if link is not Link.NEW:
                return self._follow(request, digest, spelling, link)
        twin = partial(self._twins.of, request, canonical)
        session = partial(self._session_of, request)
        done_before = None if self._delta is None else partial(self._delta.skips, request)
        audited = self._audited
        covered = None
        if audited is not None and audited.rules.has_rules:
            covered = partial(audited.skips, request, digest, canonical)
        verdict = self._link(digest, spelling, twin, session, done_before, covered)
        if verdict is Verdict.DUPLICATE and self._options.retry_failed:
            self._flow.settle()
            verdict = self._link(digest, spelling, twin, session, done_before, covered)
        if verdict is not Verdict.TWIN:
            self._telling.twin = None
        if verdict is Verdict.REVISIT:
            self._telling.count(stats.ASKED_AGAIN)
        elif verdict is Verdict.DONE_BEFORE and audited is not None:
            # It stands for what rules skipped for it.
            audited.claimed(request, digest, canonical)
            return True
        elif verdict is not Verdict.PASS:
            return True
        self._take(digest, request)
        if audited is not None and (covered is None or verdict is Verdict.REVISIT):
            audited.claimed(request, digest, canonical)
        if request.method not in SAFE_METHODS:
            self._chains.begin(token_of((*redirect_urls(request), url)))
        if self._options.http_cache:
            mind_cache(request, revisit=verdict is Verdict.REVISIT)
        return False

    def log(self, request: Request, spider: Spider) -> None:
        """Count and tell a duplicate; a redirect that waits is none."""
        if request is self._silent:
            self._silent = None
        else:
            self._telling.duplicate(request)

    def close(self, reason: str) -> None:
        """Settle what is left, keep what waits for the next run, give the stores back."""
        self._claims.confirm()
        waiting = [*self._settlement.finish(), *self._chains.give_up()]
        if self._audited is not None:
            self._audited.close()
        if self._options.job_dir is not None:
            engine = self._flow.engine
            self._keeper.keep(waiting, self._crawler.spider if self._crawler is not None else None)
            self._keeper.release(getattr(engine.scheduler, "mqs", None) if engine is not None else None)
            if self._is_idle:
                self._keeper.release_all()
        self._trails.close()
        self._telling.close(self._trails.counts, len(self._stores.seen))
        self._stores.close()

    def _follow(self, request: Request, digest: bytes, spelling: str | None, link: Link) -> bool:
        if self._is_done_before(request, digest, link):
            # The callback of an earlier crawl got it: it was no error.
            self._trails.resolve(digest, 200)
            return True
        released = self._flow.was_released(request)
        verdict = self._chains.follow(digest, spelling, unsafe=link is Link.UNSAFE, released=released)
        if verdict is Verdict.HOLD and self._flow.settle():
            verdict = self._chains.follow(digest, spelling)
        if verdict is Verdict.HOLD:
            self._chains.hold(digest, Waiting(request, link))
            self._silent = request
            self._telling.count(stats.HELD)
            return True
        if verdict is Verdict.DUPLICATE:
            self._trails.resolve(digest, self._chains.status(digest))
            if self._delta is not None:
                self._delta.reached(request, digest)
            return True
        self._goes_on(request, digest, link, revisit=verdict is Verdict.REVISIT)
        return False

    def _is_done_before(self, request: Request, digest: bytes, link: Link) -> bool:
        """Whether a chain leads to a page that this crawl knows nothing of, and an earlier one has done."""
        if self._delta is None or link is not Link.CHAIN or self._chains.state(digest) is not None:
            return False
        return self._delta.skips(request)

    def _goes_on(self, request: Request, digest: bytes, link: Link, *, revisit: bool) -> bytes | None:
        """A request of a chain, or one that never meets the filter, is sent; the token that began with it."""
        self._take(digest, request)
        if self._audited is not None:
            self._audited.met(digest)
            self._audited.claimed(request, digest, self._of(request)[1])
        if revisit and link is not Link.NEW:
            self._telling.count(stats.REVISITED)
        if self._options.http_cache:
            mind_cache(request, revisit=revisit and link is not Link.NEW)
        if link is not Link.UNSAFE and request.method in SAFE_METHODS:
            return None
        token = token_of((*redirect_urls(request), request.url))
        self._chains.begin(token)
        return token

    def _session_of(self, request: Request) -> int:
        """The stamp of the session that a request went out with, or would go out with now."""
        return self._sessions.sent(request, urlparse_cached(request).hostname or "")

    # What Scrapy's signals tell.

    def request_scheduled(self, request: Request) -> None:
        """Place redirects in their chain, record requests that never meet the filter."""
        self._is_idle = False
        urls = redirect_urls(request) if "redirect_urls" in request.meta else []
        if not urls and not request.dont_filter:
            return
        if urls and request in self._flow.placed:
            return
        self._claims.confirm()
        digest, canonical = self._of(request)
        original = self._outcomes.take_original(request)
        if original is not None:
            self._claims.retry(digest, request, original.request)
            return
        link = Link.NEW
        if urls:
            link = self._flow.placed[request] = self._place(request, digest, urls)
        if not request.dont_filter:
            return
        spelling = None if request.url == canonical else request.url
        before = self._stores.seen.get(digest)
        displaced = self._claims.displace(digest, self._outcomes.leaving(digest))
        verdict = self._chains.exempt(digest, spelling)
        token = self._goes_on(request, digest, link, revisit=verdict is Verdict.REVISIT)
        self._claims.announce(digest, request, before, token, displaced)

    def _place(self, request: Request, digest: bytes, urls: list[str]) -> Link:
        """Find the request that a redirect came from: if it is under way, the redirect continues its chain."""
        found = self._outcomes.take_source(urls)
        if found is not None:
            leaving, unsafe = found
            source, hop, asked = leaving.digest, leaving.hop, leaving.request
            # A token of these URLs alone is that of an unsafe request: a safe one's redirect leaves it to it.
            if asked.method not in SAFE_METHODS or len(urls) > 1:
                unsafe = self._chains.end(token_of(urls)) or unsafe
        else:
            source, hop, asked = self._identities.at(request, urls[-1]), None, request
            unsafe = self._chains.end(token_of(urls))
            # A spider that copied response.meta comes here too: then the source is a hop by now.
            if not unsafe and self._chains.state(source) not in UNDER_WAY:
                return Link.NEW
        if request.dont_filter and self._claims.has_leaked_flag(asked, source):
            request.dont_filter = False
            self._telling.count(stats.RETRY_RESET)
        if self._options.learn != "off":
            self._trails.follow(source, hop, digest, request.url)
        if self._delta is not None:
            self._delta.follow(source, asked, request, digest, unsafe=unsafe)
        if found is not None or not unsafe:
            self._flow.release(
                self._chains.hop(source, 0 if is_permanent(request) else self._session_of(asked))
            )
        return Link.UNSAFE if unsafe else Link.CHAIN

    def spider_opened(self, spider: Spider) -> None:
        """What waited when the last run was stopped goes on waiting."""
        self._telling.start(self._options)
        if self._crawler is not None:
            self.answers.spider_opened(self._crawler)
        for waiting in self._keeper.restore(spider):
            self._flow.crawl(waiting)
        if self._audited is not None:
            self._audited.restore()
            self._audited.turn(self._flow)

    def spider_idle(self) -> None:
        """Nothing is under way, whatever is claimed. Raises ``DontCloseSpider`` if something waited."""
        engine = self._flow.engine
        if self._flow.settle() and engine is not None and not engine.spider_is_idle():
            # What has just been let go on is under way: the others wait for that.
            return
        waited_for = self._chains.waited_for()
        for digest in waited_for:
            self._flow.release(self._chains.failed(digest))
        if waited_for:
            raise DontCloseSpider
        if self._audited is not None and engine is not None:
            # What another component has sent by now is under way, and may bring what is waited for.
            if not engine.spider_is_idle():
                return
            if self._audited.idle(self._flow):
                raise DontCloseSpider
        self._is_idle = True
