from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.scrapy_plugin.site import Route, Site, serving

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("worker.py")

ADDON = {"ADDONS": {"scrapy_plugin.Addon": 500}}
ALONE = {"DUPEFILTER_CLASS": "scrapy_plugin.CanonicalDupeFilter"}


@dataclass(frozen=True)
class Crawled:
    """What a crawl did, and what the site saw of it."""

    site: Site
    raised: str | None
    got: list[str]
    urls: list[str]
    failed: list[str]
    extra: list[Any]
    stats: dict[str, Any]
    log: list[str]

    def stat(self, name: str) -> int:
        return int(self.stats.get(name, 0))

    def said(self, words: str) -> list[str]:
        return [line for line in self.log if words in line]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}


class Worker:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            cwd=ROOT,
            text=True,
        )

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the worker ended"
        return dict(json.loads(answer))

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Process:
    """A crawl in a process of its own."""

    def __init__(self, folder: Path, site: Site, settings: dict[str, Any], **job: Any) -> None:
        for name in ("start", "seeds"):
            job[name] = [site.url + url for url in job.get(name, ())]
        path = folder / f"job-{len(list(folder.glob('job-*')))}.json"
        path.write_text(json.dumps({**job, "settings": settings, "site": site.url}))
        self._site = site
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER), str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            cwd=folder,
            text=True,
        )

    def result(self) -> Crawled:
        answer, _ = self._process.communicate(timeout=60)
        return Crawled(site=self._site, **json.loads(answer))

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """process(site, settings, start=["/"], ...): start a crawl in its own process, in an empty folder."""
    processes = []

    def start(site: Site, settings: dict[str, Any], **job: Any) -> Process:
        one = Process(tmp_path, site, settings, **job)
        processes.append(one)
        return one

    yield start
    for one in processes:
        one.kill()


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    one = Worker()
    yield one
    one.close()


@pytest.fixture(params=["addon", "alone"])
def plugin(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The settings that turn the plug-in on: the add-on, or the filter without the middlewares."""
    return ADDON if request.param == "addon" else ALONE


Crawl = Callable[..., Crawled]


@pytest.fixture
def crawl(worker: Worker) -> Iterator[Crawl]:
    """crawl(routes, settings, start=["/"], ...): serve the routes, crawl them."""
    sites = []

    def run(routes: dict[str, Route] | Site, settings: dict[str, Any], **job: Any) -> Crawled:
        if isinstance(routes, Site):
            site = routes
        else:
            context = serving(routes)
            site = context.__enter__()
            sites.append(context)
        for name in ("start", "seeds", "verbatim"):
            job[name] = [url if "://" in url else site.url + url for url in job.get(name, ())]
        answer = worker.run({**job, "settings": settings, "site": site.url})
        return Crawled(site=site, **answer)

    yield run
    for context in sites:
        context.__exit__(None, None, None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file in which delta crawls keep what they have done."""
    return tmp_path / "pages.sqlite"


@pytest.fixture
def delta(plugin: dict[str, Any], path: Path) -> dict[str, Any]:
    """The settings of a delta crawl that asks for one page at a time."""
    store = {"IRI_CANON_STORE": f"sqlite:{path}", "IRI_CANON_DELTA": True}
    return {**plugin, **store, "CONCURRENT_REQUESTS": 1, "DUPEFILTER_DEBUG": True}


@pytest.fixture
def site() -> Iterator[Site]:
    """A site whose pages a test gives it, crawl by crawl."""
    with serving({}) as one:
        yield one
