"""A page is done when its callback got it, and a link that cannot be scheduled costs itself, not the crawl."""

from __future__ import annotations

import logging
from typing import Any

from itemadapter import ItemAdapter
from itemadapter.utils import is_item
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.utils.httpobj import urlparse_cached

from iri_canon import key
from scrapy_plugin import stats
from scrapy_plugin.dupefilter import filter_of
from scrapy_plugin.options import read
from scrapy_plugin.outcomes import status_of

logger = logging.getLogger(__name__)


def reason_against(request: Request) -> str | None:
    """Why a request that exists cannot be scheduled; None: it can.

    >>> reason_against(Request("http://[::1/", meta={"verbatim_url": True}))
    'Invalid IPv6 URL'
    >>> reason_against(Request("http://[::1]/"))
    """
    try:
        # The queues sort requests by the host name that urlsplit finds.
        (urlparse_cached(request).hostname or "").encode()
    except ValueError as error:
        return str(error)
    return None


class CanonicalSpiderMiddleware(BaseSpiderMiddleware):
    """A spider middleware, nearest to the spider: what stops a response before it never reaches the callback."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        options = read(crawler.settings)
        if not options.enabled:
            raise NotConfigured
        self._item_field = options.item_field
        crawler.signals.connect(self._opened, signals.spider_opened)

    def _opened(self) -> None:
        duplicates = filter_of(self.crawler)
        if duplicates is not None:
            duplicates.answers.watch()

    def process_spider_input(self, response: Response) -> None:
        """Tell the filter that a callback is called."""
        duplicates = filter_of(self.crawler)
        if duplicates is not None and response.request is not None:
            duplicates.answers.reached(response.request, status_of(response))

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """Skip and count a request that cannot be scheduled."""
        reason = reason_against(request)
        if reason is None:
            return request
        name = stats.MALFORMED_SEEDS if response is None else stats.MALFORMED
        self.crawler.stats.inc_value(name)
        logger.debug(
            "Skipped a link that cannot be scheduled: %(url)s (%(reason)s)",
            {"url": request.url, "reason": reason},
            extra={"spider": self.crawler.spider},
        )
        return None

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Set the field of IRI_CANON_ITEM_FIELD to the key of the page's URL, unless the spider set it."""
        if self._item_field is None or response is None or not is_item(item):
            return item
        adapter = ItemAdapter(item)
        if adapter.get(self._item_field) in (None, ""):
            try:
                adapter[self._item_field] = key(response.url)
            except (KeyError, AttributeError):
                # The item's class has no such field.
                self.crawler.stats.inc_value(stats.FIELD_SKIPPED)
        return item
