"""A plain spider: it says which page it got and what a log needs of it, sends each form, and follows each link."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import scrapy
from scrapy.http import HtmlResponse, Response

from sample_project.pages import HOME


class SiteSpider(scrapy.Spider):
    """Crawls the sample site from its home page on."""

    name = "site"
    start_urls = [HOME]  # noqa: RUF012 (Scrapy declares it of the instance)

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        """Yield the page's identity and links, and one request for each form and each link."""
        assert isinstance(response, HtmlResponse)
        links = [response.urljoin(href) for href in response.css("a::attr(href)").getall()]
        identity = response.css('meta[name="page"]::attr(content)').get()
        yield {**logged(response), "page": identity, "links": links}
        if response.css("form"):
            yield scrapy.FormRequest.from_response(response, callback=self.parse)
        yield from response.follow_all(css="a", callback=self.parse)


def logged(response: Response) -> dict[str, Any]:
    """What `iri-canon dedup` and `learn` read of an item, by these names."""
    assert response.request is not None
    return {
        "url": response.url,
        "status": response.status,
        "digest": hashlib.sha1(response.body, usedforsecurity=False).hexdigest(),
        "method": response.request.method,
        "time": datetime.now(UTC).isoformat(),
        "redirect_urls": response.meta.get("redirect_urls", []),
        "redirect_reasons": response.meta.get("redirect_reasons", []),
    }
