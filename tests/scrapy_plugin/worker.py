"""Runs the crawls that come as JSON lines, one after the other in one process, and answers each with a JSON line.

Run alone with a file name it runs the one job of that file, and prints the answer.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from scrapy.crawler import AsyncCrawlerRunner
from scrapy.utils.reactor import install_reactor

TUNED: dict[str, Any] = {
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
    "RETRY_PRIORITY_ADJUST": 0,
    "RETRY_TIMES": 2,
    "DOWNLOAD_DELAY": 0,
    "LOGSTATS_INTERVAL": 0,
    "STATS_DUMP": False,
    "COOKIES_ENABLED": True,
    "DOWNLOAD_TIMEOUT": 20,
}


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text += f" [{type(record.exc_info[1]).__name__}: {record.exc_info[1]}]"
        self.lines.append(f"{record.levelname}: {text}")


async def crawl(job: dict[str, Any]) -> dict[str, Any]:
    log = Lines()
    root = logging.getLogger()
    root.addHandler(log)
    root.setLevel(logging.DEBUG)
    module, _, name = job.get("spider", "tests.scrapy_plugin.spiders.Follow").rpartition(".")
    spider_class = getattr(import_module(module), name)
    raised = None
    runner = AsyncCrawlerRunner({**TUNED, **job.get("settings", {})})
    crawler = runner.create_crawler(spider_class)
    try:
        await runner.crawl(crawler, job=job)
    except Exception as error:  # noqa: BLE001 - whatever it is, the test is to see it
        raised = f"{type(error).__name__}: {error}"
    finally:
        root.removeHandler(log)
    spider = crawler.spider
    return {
        "raised": raised,
        "got": getattr(spider, "got", []),
        "urls": getattr(spider, "urls", []),
        "failed": getattr(spider, "failed", []),
        "extra": getattr(spider, "extra", []),
        "stats": json.loads(json.dumps(crawler._stats.get_stats() if crawler._stats else {}, default=str)),
        "log": log.lines,
    }


async def serve() -> None:
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(await crawl(json.loads(line))), flush=True)


async def once(path: str) -> None:
    print(json.dumps(await crawl(json.loads(Path(path).read_text()))), flush=True)


def main() -> None:
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred

    def stop(result: Any) -> None:
        if result is not None:
            result.printTraceback()
        reactor.stop()

    def start() -> None:
        work = once(sys.argv[1]) if len(sys.argv) > 1 else serve()
        Deferred.fromFuture(asyncio.ensure_future(work)).addBoth(stop)

    reactor.callWhenRunning(start)
    reactor.run()


if __name__ == "__main__":
    main()
