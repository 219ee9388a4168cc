"""One process makes sites, serves them on 127.0.0.1 and crawls them, as the JSON lines on its standard input say.

Each line is a `Job`; the answer to each is one JSON line, a `Run`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import tempfile
from collections import Counter
from typing import Any, NamedTuple

from scrapy import FormRequest
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import HtmlResponse, Response
from scrapy.utils.reactor import install_reactor

from sample_project.server import SiteServer
from sample_project.spiders.site import SiteSpider
from tests.scrapy_plugin.random_learning.sites import plan
from tests.scrapy_plugin.random_learning.spellings import resolve

TUNED: dict[str, Any] = {
    "ADDONS": {"scrapy_plugin.Addon": 500},
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "RETRY_TIMES": 1,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "LOGSTATS_INTERVAL": 0,
    "STATS_DUMP": False,
    # A crawl that goes on for ever is to fail, and not to stop all others.
    "CLOSESPIDER_TIMEOUT": 120,
    # Scrapy starts so many tasks for each response.
    "CONCURRENT_ITEMS": 2,
}
LEARNED = "iri_canon/learned/"


class Job(NamedTuple):
    """Which site, and the settings of its crawl."""

    seed: int
    profile: str
    settings: dict[str, Any]


class Run(NamedTuple):
    """What a crawl came to: requests and lost pages by section, the stats of learning, and what went wrong."""

    seed: int
    profile: str
    requests: dict[str, int]
    pages: int
    lost: dict[str, list[str]]
    behaviours: dict[str, str]
    learned: dict[str, int]
    errors: list[str]

    @property
    def sent(self) -> int:
        return sum(self.requests.values())

    @property
    def missing(self) -> int:
        return sum(map(len, self.lost.values()))


class Reader(SiteSpider):
    """Keeps the names of the pages that it got."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.found: set[str] = set()

    def parse(self, response: Response, **kwargs: Any) -> Any:
        """Follow and keep; relative links as browsers read them, which Scrapy's `urljoin` does not quite."""
        assert isinstance(response, HtmlResponse)
        self.found.update(response.css('meta[name="page"]::attr(content)').getall())
        if response.css("form"):
            yield FormRequest.from_response(response, callback=self.parse)
        for href in response.css("a::attr(href)").getall():
            url = href if "://" in href else resolve(response.url, href)
            yield response.follow(url, callback=self.parse)


class Errors(logging.Handler):
    """The lines of level ERROR and above."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage() + (f" [{record.exc_info[1]!r}]" if record.exc_info else ""))


async def crawl(job: Job) -> Run:
    """Serve the site of a job, crawl it, and compare."""
    made = plan(job.seed, job.profile)
    errors = Errors()
    root = logging.getLogger()
    root.addHandler(errors)
    found: set[str] = set()
    learned: Counter[str] = Counter()
    wrong: list[str] = []
    try:
        with SiteServer(made.site) as server, tempfile.TemporaryDirectory() as folder:
            os.environ["http_proxy"] = os.environ["https_proxy"] = server.proxy
            settings = {**TUNED, **made.settings, **job.settings}
            if len(made.starts) > 1:
                settings["IRI_CANON_STORE"] = f"sqlite:{folder}/site.sqlite"
            runner = AsyncCrawlerRunner(settings)
            for start in made.starts:
                crawler = runner.create_crawler(Reader)
                await runner.crawl(crawler, start_urls=[start])
                spider, stats = crawler.spider, crawler.stats
                assert isinstance(spider, Reader)
                assert stats is not None
                found |= spider.found
                values = stats.get_stats()
                for name, value in values.items():
                    if name.startswith(LEARNED):
                        learned[name.removeprefix(LEARNED)] += value
                if values["finish_reason"] != "finished":
                    wrong.append(f"ended early: {values['finish_reason']}")
    finally:
        root.removeHandler(errors)
    lost: dict[str, list[str]] = {}
    for identity, page in made.site.pages.items():
        if identity not in found:
            lost.setdefault(page.section, []).append(identity)
    wrong += [*errors.lines, *(f"nobody links {url}" for url in made.site.unexpected)]
    behaviours = {section.name: section.behaviour for section in made.sections}
    return Run(
        job.seed, made.profile, made.requests(), len(made.site.pages), lost, behaviours, learned, wrong
    )


async def serve() -> None:
    """Answer each line."""
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(await crawl(Job(*json.loads(line)))), flush=True)


def main() -> None:
    """Run in Twisted's reactor until standard input ends."""
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor as installed
    from twisted.internet.defer import Deferred

    reactor: Any = installed

    def stop(failure: Any) -> None:
        if failure is not None:
            failure.printTraceback()
        reactor.stop()

    logging.getLogger("scrapy").setLevel(logging.WARNING)
    logging.getLogger("scrapy.downloadermiddlewares.retry").setLevel(
        logging.CRITICAL
    )  # 500s are the sites' own
    # Scrapy's cookies ask tldextract, which falls back to the list that it ships when the site refuses to look it up.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TLDEXTRACT_CACHE"] = folder
        reactor.callWhenRunning(lambda: Deferred.fromFuture(asyncio.ensure_future(serve())).addBoth(stop))
        reactor.run()


if __name__ == "__main__":
    main()
