"""Spiders whose requests bear more than a URL, and middlewares that stand in the way of some."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from scrapy import FormRequest, Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from iri_canon.equivalence import sqlite_file
from tests.scrapy_plugin.spiders import Follow


class Bearing(Follow):
    """Each request bears its own callback, errback, meta, arguments, priority, cookies and headers."""

    def request(self, url: str, **kwargs: Any) -> Request:
        if not re.search(r"/d/\d+/$", url):
            return super().request(url, **kwargs)
        return Request(
            url,
            callback=self.parse_slashed,
            errback=self.slashed_failed,
            meta={"bears": url, "an_object": self.job.get("site")},
            cb_kwargs={"told": url},
            priority=-3,
            cookies={"bears": url.rpartition("/d/")[2].strip("/")},
            headers={"X-Bears": "yes"},
        )

    def parse_slashed(self, response: Response, told: str) -> Iterator[Any]:
        self.extra.append(
            [
                response.url,
                told,
                response.meta["bears"],
                response.meta["depth"],
                response.request.priority,
                response.request.headers.get("X-Bears", b"").decode(),
                response.request.errback == self.slashed_failed,
            ]
        )
        yield from self.parse(response)

    def slashed_failed(self, failure: Any) -> None:
        self.failed.append(f"{failure.request.url} {failure.request.meta['bears']} {failure.type.__name__}")


class SameObject(Follow):
    """Puts into meta what no disk queue keeps, and looks whether it is the same again."""

    class Thing:
        pass

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.thing = self.Thing()

    def request(self, url: str, **kwargs: Any) -> Request:
        meta = {**(kwargs.pop("meta", None) or {}), "thing": self.thing}
        return Request(url, callback=lambda response: self.parse(response), meta=meta, **kwargs)  # noqa: PLW0108

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        self.extra.append(response.meta["thing"] is self.thing)
        yield from super().parse(response)


class LogsIn(Follow):
    """Logs in at the page that the job names, once."""

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        yield from super().parse(response)
        if self.got[-1] == self.job["log_in_at"] and not self.extra:
            self.extra.append("in")
            yield FormRequest(self.job["site"] + "/login", formdata={"user": "a"}, callback=self.parse)


class WithJars(Follow):
    """A cookie jar for each spelling."""

    def request(self, url: str, **kwargs: Any) -> Request:
        return super().request(url, meta={"cookiejar": url[-1]})


class MarksPartial:
    """Says of answers to the URLs of the setting that they were cut off."""

    def __init__(self, crawler: Any) -> None:
        self.pattern = re.compile(crawler.settings["IN_THE_WAY_OF"])

    @classmethod
    def from_crawler(cls, crawler: Any) -> MarksPartial:
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        if self.pattern.search(request.url):
            return response.replace(flags=["partial"])
        return response


class Drops(MarksPartial):
    """Drops requests for the URLs of the setting."""

    def process_request(self, request: Request) -> None:
        if self.pattern.search(request.url):
            raise IgnoreRequest

    def process_response(self, request: Request, response: Response) -> Response:
        return response


class WritesAtOnce:
    """Each change of a store is on the disk before the next one."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> WritesAtOnce:
        patch.object(sqlite_file, "BATCH", 1).start()
        return cls()
