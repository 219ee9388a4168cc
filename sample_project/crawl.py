"""One crawl is one `scrapy crawl site` in a process of its own, against a site that no one has visited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sample_project.measure import Result, measure
from sample_project.merges import LEARNED, OBSERVED, by_default, by_key, merges
from sample_project.pages import Site
from sample_project.server import SiteServer

LOG_TAIL = 15
PROGRESS_SECONDS = 0.25


class CrawlError(RuntimeError):
    """A crawl that did not come to its end; the text says why and shows the end of its log."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """How a crawl differs from the project's settings, and what it takes two URLs for one by.

    `shown` names what else can have held a spelling back.
    """

    name: str
    arguments: tuple[str, ...]
    identify: Callable[[str], str]
    shown: str = OBSERVED


DEFAULTS = Crawl("defaults", ("-s", "ADDONS={}"), by_default)
ADDON = Crawl("add-on", (), by_key)
AUDITED = Crawl("audited", ("-s", "IRI_CANON_LEARN=audited"), by_key, LEARNED)


def run(crawl: Crawl, site: Site, *, limit: float, progress: Callable[[Site], None]) -> Result:
    """Serve the site, crawl it, and measure; `progress` is called every quarter of a second.

    Raises `CrawlError` where the crawl fails or takes more than `limit` seconds; its process is ended.
    """
    with SiteServer(site) as server, tempfile.TemporaryDirectory(prefix="sample-crawl-") as folder:
        report, log = Path(folder, "report.json"), Path(folder, "crawl.log")
        command = [
            sys.executable,
            "-m",
            "scrapy",
            "crawl",
            "site",
            "-s",
            f"SAMPLE_REPORT={report}",
            *crawl.arguments,
        ]
        begun = time.monotonic()
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=_environment(server.proxy, folder),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
            try:
                _wait(process, begun + limit, lambda: progress(site))
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        seconds = time.monotonic() - begun
        if process.returncode != 0 or not report.exists():
            raise CrawlError(_failure(crawl, process.returncode, seconds >= limit, log))
        made: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    if made["reason"] != "finished":
        raise CrawlError(f"the crawl with {crawl.name} ended early: {made['reason']}")
    merged = merges(made["linked"], made["sent"], crawl.identify, crawl.shown)
    return measure(crawl.name, site, made, merged, seconds)


def _wait(process: subprocess.Popen[bytes], until: float, progress: Callable[[], None]) -> None:
    while time.monotonic() < until:
        try:
            process.wait(PROGRESS_SECONDS)
            return
        except subprocess.TimeoutExpired:
            progress()


def _environment(proxy: str, folder: str) -> dict[str, str]:
    """The caller's environment, with all that is fetched going to the site."""
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment |= {
        "http_proxy": proxy,
        "https_proxy": proxy,
        "SCRAPY_SETTINGS_MODULE": "sample_project.settings",
    }
    # Scrapy's cookie middleware asks tldextract, which would look for a newer list in the network and
    # keep it in the user's cache; here it falls back to the list it ships.
    environment["TLDEXTRACT_CACHE"] = str(Path(folder, "tldextract"))
    root = str(Path(__file__).resolve().parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return environment


def _failure(crawl: Crawl, status: int, late: bool, log: Path) -> str:
    why = "took too long and was ended" if late else f"failed with exit status {status}"
    tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL:]
    return "\n".join([f"the crawl with {crawl.name} {why}; its log ends:", *tail])
