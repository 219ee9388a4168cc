"""What waits in the queue when a rule comes into force is skipped before it is sent, and nobody is called for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scrapy_plugin.conftest import ADDON, ALONE, Crawl, Crawled
from tests.scrapy_plugin.learned_sites import AUDITED, another, names, plain, slashed
from tests.scrapy_plugin.site import Route, page
from tests.scrapy_plugin.test_learning import learned

LENGTH = 60


def all_at_once(other: dict[str, Route] | None = None) -> dict[str, Route]:
    """The home page links every spelling of every page: all are queued before the first is answered."""
    links = [one(number) for number in range(LENGTH) for one in (plain, slashed)]
    routes: dict[str, Route] = {"/": page("home", *links)}
    for number in range(LENGTH):
        routes[plain(number)] = routes[slashed(number)] = page(f"d{number}")
    return {**routes, **(other or {})}


def sent_of_both(crawled: Crawled) -> int:
    return sum(crawled.site.times(plain(n)) and crawled.site.times(slashed(n)) for n in range(LENGTH))


@pytest.mark.parametrize("concurrent", [1, 8])
def test_what_was_queued_before_the_rule_is_skipped(crawl: Crawl, concurrent: int) -> None:
    settings = {**ADDON, **AUDITED, "CONCURRENT_REQUESTS": concurrent}
    crawled = crawl(all_at_once(), settings, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "suppressed") > LENGTH / 3
    assert learned(crawled, "suppressed") == crawled.stat("dupefilter/filtered")
    # At the end the last one is fetched to see, if it was not an audit itself.
    never = 1 + 2 * LENGTH - len(crawled.site.targets)
    assert never <= learned(crawled, "suppressed") - learned(crawled, "rescheduled") <= never + 1
    assert sent_of_both(crawled) == LENGTH - never
    assert not crawled.said("Traceback")


def test_without_the_middleware_nothing_that_is_queued_is_looked_at(crawl: Crawl) -> None:
    crawled = crawl(all_at_once(), {**ALONE, **AUDITED}, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert len(crawled.site.targets) == 1 + 2 * LENGTH


@pytest.mark.parametrize("fails_from", [0, 20, 40])
def test_pages_that_differ_are_all_fetched(crawl: Crawl, fails_from: int) -> None:
    other: dict[str, Route] = {slashed(number): another(number) for number in range(fails_from, LENGTH)}
    crawled = crawl(all_at_once(other), {**ADDON, **AUDITED, "DEPTH_PRIORITY": 0}, start=["/"])
    assert set(crawled.got) == names(LENGTH) | {f"other{number}" for number in range(fails_from, LENGTH)}


def test_no_errback_is_called_for_what_is_skipped_and_all_comes_back_as_it_was_made(crawl: Crawl) -> None:
    differing = range(15)  # the queue gives the last ones first
    other: dict[str, Route] = {slashed(number): another(number) for number in differing}
    spider = "tests.scrapy_plugin.learned_spiders.Bearing"
    crawled = crawl(all_at_once(other), {**ADDON, **AUDITED}, start=["/"], spider=spider)
    assert set(crawled.got) == names(LENGTH) | {f"other{number}" for number in differing}
    assert learned(crawled, "suppressed") > 0
    assert crawled.failed == []
    shown: list[Any] = [one for one in crawled.extra if isinstance(one, list)]
    assert len(shown) == sum(crawled.site.times(slashed(number)) for number in range(LENGTH))
    for url, told, bears, depth, priority, header, has_errback in shown:
        assert url == told == bears
        assert (depth, priority, header, has_errback) == (1, -3 - depth, "yes", True)  # DEPTH_PRIORITY


def test_with_a_job_nothing_that_is_queued_is_lost(crawl: Crawl, tmp_path: Any) -> None:
    """What comes out of a disk queue cannot be told from a callback's own download, and is sent."""
    settings = {**ADDON, **AUDITED, "JOBDIR": str(tmp_path / "job")}
    crawled = crawl(all_at_once(), settings, start=["/"])
    assert set(crawled.got) == names(LENGTH)
