"""Spiders that do what their job says."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from scrapy import FormRequest, Request, Spider
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import Response
from scrapy.utils.misc import build_from_crawler, load_object


class Follow(Spider):
    """Follows each link, posts each form; `job` says the rest."""

    name = "follow"

    def __init__(self, job: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job = job
        self.got: list[str] = []
        self.failed: list[str] = []
        self.urls: list[str] = []
        self.extra: list[Any] = []
        if "allowed_domains" in job:
            self.allowed_domains = job["allowed_domains"]

    async def start(self) -> AsyncIterator[Any]:
        for url in self.job.get("start", ()):
            yield self.request(url, meta=self.job.get("meta"))
        for url in self.job.get("seeds", ()):
            yield self.request(url, dont_filter=True)
        for url in self.job.get("verbatim", ()):
            yield self.request(url, meta={"verbatim_url": True}, dont_filter=True)

    def request(self, url: str, **kwargs: Any) -> Request:
        return Request(url, callback=self.parse, errback=self.error, **kwargs)

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        name = response.xpath("string(//*[@id='name'])").get()
        self.got.append(name)
        if "got_file" in self.job:
            with Path(self.job["got_file"]).open("a") as file:
                file.write(f"{name}\n")
        if name == self.job.get("hang_at"):
            # The site does not answer: the process is to be killed here.
            with urlopen(self.job["site"] + "/hang") as answer:
                answer.read()
        self.urls.append(response.url)
        meta = response.meta if self.job.get("copy_meta") else {}
        for link in response.xpath("//a/@href").getall():
            yield self.request(response.urljoin(link), meta=meta)
        for link in response.xpath("//a/@data-verbatim").getall():
            yield self.request(link, meta={"verbatim_url": True})
        for form in response.xpath("//form"):
            body = {"user": form.xpath("@data-user").get() or "a"}
            action = response.urljoin(form.xpath("@action").get())
            yield FormRequest(action, formdata=body, callback=self.parse, errback=self.error)
        yield {"page": name}
        if name == self.job.get("stop_at"):
            raise CloseSpider("stopped")

    def error(self, failure: Any) -> None:
        self.failed.append(f"{failure.request.url} {failure.type.__name__}")


class Unserializable(Follow):
    """Its requests cannot be written to a disk queue."""

    def request(self, url: str, **kwargs: Any) -> Request:
        return Request(url, callback=lambda response: self.parse(response), **kwargs)  # noqa: PLW0108


class Ranked(Follow):
    """What has `low` in its URL comes last."""

    def request(self, url: str, **kwargs: Any) -> Request:
        return super().request(url, priority=-100 if "low" in url else 0, **kwargs)


@dataclass
class WithField:
    key: str | None = None


@dataclass
class Bare:
    name: str = ""


class Items(Follow):
    """Yields items of several kinds, and keeps what became of them."""

    custom_settings = {"ITEM_PIPELINES": {"tests.scrapy_plugin.spiders.Keeping": 1}}  # noqa: RUF012

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        yield {}
        yield {"key": "own"}
        yield WithField()
        yield Bare()


class Keeping:
    def __init__(self, crawler: Any) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> Keeping:
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        if isinstance(item, dict):
            self.crawler.spider.extra.append(item)
        else:
            self.crawler.spider.extra.append({"key": item.key} if isinstance(item, WithField) else "Bare")
        return item


class RetriesEmpty(Follow):
    """Retries a page named `empty` from the callback."""

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        yield from super().parse(response)
        if self.got[-1] == "empty":
            yield get_retry_request(response.request, spider=self, reason="empty")


class RetriesFailed(Follow):
    """Asks again for what failed, from the errback."""

    def error(self, failure: Any) -> Any:
        super().error(failure)
        request = failure.request
        if not request.meta.get("again"):
            yield request.replace(dont_filter=True, meta={"again": True})


class Raises(Follow):
    """Fails in the callback of a page named `raise`."""

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        yield from super().parse(response)
        if self.got[-1] == "raise":
            raise ValueError("as it was told")


class Inline(Follow):
    """Downloads a page by itself in each callback."""

    async def parse(self, response: Response, **kwargs: Any) -> Any:
        for one in super().parse(response):
            yield one
        inline = await self.crawler.engine.download_async(Request(self.job["site"] + "/inline"))
        self.got.append(inline.xpath("string(//*[@id='name'])").get())


class Swallows:
    """Answers nothing to the first request for /t, and so that no filter can see it."""

    def __init__(self) -> None:
        self.swallowed = False

    def process_request(self, request: Request) -> None:
        if request.url.endswith("/t") and not self.swallowed:
            self.swallowed = True
            raise IgnoreRequest


class PlainScheduler:
    """First in, first out; it knows of the filter what any scheduler must."""

    def __init__(self, duplicates: Any) -> None:
        self.duplicates = duplicates
        self.queue: deque[Request] = deque()

    @classmethod
    def from_crawler(cls, crawler: Any) -> PlainScheduler:
        return cls(build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler))

    def has_pending_requests(self) -> bool:
        return bool(self.queue)

    def enqueue_request(self, request: Request) -> bool:
        if not request.dont_filter and self.duplicates.request_seen(request):
            return False
        self.queue.append(request)
        return True

    def next_request(self) -> Request | None:
        return self.queue.popleft() if self.queue else None

    def close(self, reason: str) -> None:
        self.duplicates.close(reason)
