"""Spiders that do what their job says."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from scrapy import FormRequest, Request, Spider, signals
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


class InlineQueued(Follow):
    """Queues /p, downloads it by itself meanwhile, follows /r, and asks for /go when that has redirected."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> InlineQueued:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.scheduled, signals.request_scheduled)
        return spider

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.followed = asyncio.Event()

    def scheduled(self, request: Request) -> None:
        if "redirect_urls" in request.meta:
            self.followed.set()

    async def parse(self, response: Response, **kwargs: Any) -> Any:
        for one in super().parse(response):
            yield one
        if self.got[-1] == "home":
            site = self.job["site"]
            yield self.request(site + "/p", priority=-100)
            # Both are sent at about the same time: the site tells by the header which is which.
            asked = Request(site + "/p", headers={"X-Inline": "1"})
            inline = await self.crawler.engine.download_async(asked)
            self.extra.append(inline.xpath("string(//*[@id='name'])").get())
            yield self.request(site + "/r")
            await self.followed.wait()
            await self.crawler.engine.download_async(Request(site + "/go"))


class Refuses(Follow):
    """Another component than the filter refuses the first request for /x."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Refuses:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.refuse, signals.request_scheduled)
        return spider

    def refuse(self, request: Request) -> None:
        if request.url.endswith("/x") and not self.extra:
            self.extra.append(request.method)
            raise IgnoreRequest


class CopiesRetry(Follow):
    """After a page that was retried asks for /r, and asks for it again regardless, with the meta of that page."""

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        yield from super().parse(response)
        if self.got[-1] == "retried":
            yield self.request(self.job["site"] + "/r", priority=-100)
            yield self.request(self.job["site"] + "/r", dont_filter=True, meta=response.meta)


class GetsAndPosts(Follow):
    """Asks for /login with both methods, `sent_first` first, and keeps which of the two came to which page."""

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        yield from super().parse(response)
        method = response.meta.get("began_with")
        if method is not None:
            self.extra.append([method, self.got[-1]])
            return
        for method in ("GET", "POST"):
            priority = 1 if method == self.job["sent_first"] else 0
            meta = {"began_with": method}
            yield self.request(self.job["site"] + "/login", method=method, meta=meta, priority=priority)


class Keeps(Follow):
    """Keeps each request that it made."""

    def request(self, url: str, **kwargs: Any) -> Request:
        self.kept = [*getattr(self, "kept", []), super().request(url, **kwargs)]
        return self.kept[-1]


class OneAfterTheOther:
    """Lets go of the two answers of /login when both are there: that to FIRST_METHOD first, then the other."""

    def __init__(self, crawler: Any) -> None:
        self.first = crawler.settings["FIRST_METHOD"]
        self.answered: set[str] = set()
        self.both, self.followed = asyncio.Event(), asyncio.Event()
        crawler.signals.connect(self.scheduled, signals.request_scheduled)

    @classmethod
    def from_crawler(cls, crawler: Any) -> OneAfterTheOther:
        return cls(crawler)

    def scheduled(self, request: Request) -> None:
        if "redirect_urls" in request.meta:
            self.followed.set()

    async def process_response(self, request: Request, response: Response) -> Response:
        if request.url.endswith("/login"):
            self.answered.add(request.method)
            if len(self.answered) == 2:
                self.both.set()
            await (self.both if request.method == self.first else self.followed).wait()
        return response


class Replays:
    """Puts a copy in the place of the first request for /a, once that is answered."""

    def process_response(self, request: Request, response: Response) -> Response | Request:
        if request.url.endswith("/a") and not request.meta.get("copy"):
            return request.replace(dont_filter=True, meta={**request.meta, "copy": True})
        return response


class Numbers:
    """Gives each request that goes out a number of its own."""

    def __init__(self) -> None:
        self.number = 0

    def process_request(self, request: Request) -> None:
        self.number += 1
        request.headers["X-Number"] = str(self.number)


class ByNumber:
    """A fingerprinter that keeps nothing, and counts what a middleware sets on the way."""

    def fingerprint(self, request: Request) -> bytes:
        return sha1(request.url.encode() + request.headers.get("X-Number", b"")).digest()


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
