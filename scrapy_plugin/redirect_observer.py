"""Every request is looked at once more, and every answer as it came; only a retry's leaked flag is changed."""

from __future__ import annotations

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from scrapy_plugin.door import Skipped
from scrapy_plugin.dupefilter import filter_of
from scrapy_plugin.options import read
from scrapy_plugin.outcomes import status_of
from scrapy_plugin.trails import Hop


class RedirectObserver:
    """A downloader middleware, between RedirectMiddleware (600) and the downloader, for the filter of this project."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RedirectObserver:
        """Raises ``OptionError`` for a wrong setting, ``NotConfigured`` with IRI_CANON_ENABLED false."""
        if not read(crawler.settings).enabled:
            raise NotConfigured
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let the filter look once more. Raises ``Skipped``."""
        duplicates = filter_of(self._crawler)
        if duplicates is not None and duplicates.door is not None:
            duplicates.door.pass_through(request)

    def process_response(self, request: Request, response: Response) -> Response:
        """Tell the filter what came."""
        duplicates = filter_of(self._crawler)
        if duplicates is not None and request.callback is not NO_CALLBACK:
            locations = response.headers.getlist("Location")
            # The same Location twice is one (RFC 9110 5.3 knows no list of it).
            single = len(set(locations)) == 1
            duplicates.answers.passed(request, Hop(request.url, status_of(response), request.method, single))
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Tell the filter that nothing came."""
        duplicates = filter_of(self._crawler)
        if isinstance(exception, Skipped):
            return
        if duplicates is not None and request.callback is not NO_CALLBACK:
            duplicates.answers.raised(request)
