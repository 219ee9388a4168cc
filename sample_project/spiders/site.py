"""A plain spider: it says which page it got, sends each form, and follows each link, as tutorials do."""

from __future__ import annotations

from collections.abc import Iterator
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
        yield {"page": response.css('meta[name="page"]::attr(content)').get(), "links": links}
        if response.css("form"):
            yield scrapy.FormRequest.from_response(response, callback=self.parse)
        yield from response.follow_all(css="a", callback=self.parse)
