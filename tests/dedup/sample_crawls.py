"""The sample site is crawled as its users would crawl theirs, with both kinds of log, and says what each URL is."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from sample_project.crawl import Crawl, run
from sample_project.pages import Site, wire
from sample_project.sections import build_site

Row: TypeAlias = Mapping[str, Any]

LIMIT = 120
"""Seconds that a crawl may take."""

WHOLE, APART, IN_PART = "whole", "apart", "in part"
"""What became of a page with several spellings: all are one class, each is one, or something between."""


@dataclass(frozen=True)
class Crawled:
    """The logs of one crawl, and the site's own word on what is in them."""

    site: Site
    log: Path
    feed: Path
    _pages: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Turn the site's table round; a URL before a log-in form and behind it is two pages."""
        known = defaultdict(list)
        for page in self.site.pages.values():
            for url in {wire(url) for url in (*page.urls, *page.aliases)}:
                known[url].append(page.identity)
        self._pages.update({url: tuple(pages) for url, pages in known.items()})

    def what_is(self, url: str) -> tuple[str, ...]:
        """The page that a URL is; a URL of none (a door, what is gone) is itself alone."""
        return self._pages.get(wire(url), (wire(url),))

    def section_of(self, url: str) -> str | None:
        """The section of the page that a URL is; None for a URL of none."""
        page = self.site.pages.get(self.what_is(url)[0])
        return None if page is None else page.section

    def wrong(self, rows: Iterable[Row]) -> list[list[str]]:
        """The classes that hold URLs of more than one page."""
        return [row["urls"] for row in rows if len({self.what_is(url) for url in row["urls"]}) > 1]

    def became(self, rows: Iterable[Row]) -> dict[str, set[str]]:
        """By section, what became of its pages that stand in the logs with more than one spelling."""
        classes = defaultdict(list)
        for row in rows:
            classes[self.what_is(row["urls"][0])].append(row["urls"])
        found = defaultdict(set)
        for parts in classes.values():
            spellings = sum(map(len, parts))
            section = self.section_of(parts[0][0])
            if spellings > 1 and section is not None:
                found[section].add(
                    WHOLE if len(parts) == 1 else APART if len(parts) == spellings else IN_PART
                )
        return dict(found)

    def items(self) -> list[dict[str, Any]]:
        """What the spider yielded."""
        return [json.loads(line) for line in self.feed.read_text(encoding="utf-8").splitlines()]


def crawled(how: Crawl, folder: Path, *, pages: int, seed: int = 0) -> Crawled:
    """Crawl a site of at least so many pages, with a log in text and a feed of the items."""
    site = build_site(pages=pages, seed=seed)
    log, feed = folder / "crawl.log", folder / "items.jsonl"
    settings = {"LOG_FILE": log, "LOG_LEVEL": "DEBUG", "DUPEFILTER_DEBUG": True}
    arguments = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")  # the log has local time and no zone
        logging = replace(how, arguments=(*how.arguments, *arguments, "-O", str(feed)))
        run(logging, site, limit=LIMIT, progress=lambda site: None)
    return Crawled(site, log, feed)
