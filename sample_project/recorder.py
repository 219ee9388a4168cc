"""What the crawl did, as the crawl saw it: listens to signals, decides nothing, writes one JSON file at the end."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured


class Recorder:
    """A Scrapy extension; on where the setting SAMPLE_REPORT names a file.

    The file has `items` (the page identities that reached the spider), `linked` (spelling -> how often the
    spider found it, in the order of finding), `sent` (the URLs that went on the wire) and `stats`.
    """

    def __init__(self, crawler: Crawler, path: Path) -> None:
        self._crawler = crawler
        self._path = path
        self._items: list[str | None] = []
        self._linked: Counter[str] = Counter()
        self._sent: dict[str, None] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        """Raises `NotConfigured` without SAMPLE_REPORT."""
        path = crawler.settings.get("SAMPLE_REPORT")
        if not path:
            raise NotConfigured
        recorder = cls(crawler, Path(path))
        crawler.signals.connect(recorder._reached_downloader, signals.request_reached_downloader)
        crawler.signals.connect(recorder._scraped, signals.item_scraped)
        crawler.signals.connect(recorder._closed, signals.spider_closed)
        return recorder

    def _reached_downloader(self, request: Request, spider: Spider) -> None:
        if request.method == "GET":
            self._sent[request.url] = None

    def _scraped(self, item: dict[str, Any], response: object, spider: Spider) -> None:
        self._items.append(item["page"])
        self._linked.update(item["links"])

    def _closed(self, spider: Spider, reason: str) -> None:
        assert self._crawler.stats is not None
        report = {
            "reason": reason,
            "items": self._items,
            "linked": self._linked,
            "sent": list(self._sent),
            "stats": self._crawler.stats.get_stats(),
        }
        self._path.write_text(json.dumps(report, default=str), encoding="utf-8")
