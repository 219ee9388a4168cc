"""What is fetched after all is the request that was made, and whatever else a crawl goes by holds for it too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.scrapy_plugin.conftest import ADDON, Crawl, Crawled
from tests.scrapy_plugin.learned_sites import AUDITED, chain, moved, names, others, plain, slashed
from tests.scrapy_plugin.site import Answer, Route, serving
from tests.scrapy_plugin.test_learning import learned

LENGTH = 40
SPIDERS = "tests.scrapy_plugin.learned_spiders."


def failing_later(length: int = LENGTH) -> dict[str, Route]:
    """The rule holds at first, fails at the end, and gives all back."""
    return chain(length, other=others(length - 8, length))


@pytest.mark.parametrize("with_job", [False, True], ids=["memory", "jobdir"])
def test_all_that_a_request_bears_survives(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path, with_job: bool
) -> None:
    settings = {**plugin, **AUDITED, **({"JOBDIR": str(tmp_path)} if with_job else {})}
    routes = failing_later()
    routes[slashed(10)] = Answer(status=404)
    crawled = crawl(routes, settings, start=["/"], spider=SPIDERS + "Bearing")
    assert set(crawled.got) >= names(LENGTH) | {f"other{number}" for number in range(LENGTH - 8, LENGTH)}
    assert learned(crawled, "rescheduled") >= 1
    site = crawled.site.url
    # Depth and priority are those of the link: the middleware takes one off for each step.
    assert sorted(crawled.extra) == sorted(
        [site + slashed(n), site + slashed(n), site + slashed(n), n + 1, -3 - (n + 1), "yes", True]
        for n in range(LENGTH)
        if n != 10
    )
    assert crawled.failed == [f"{site}{slashed(10)} {site}{slashed(10)} HttpError"]
    cookies = {one.target: one.cookie for one in crawled.site.asked}
    assert all(f"bears={n}" in cookies[slashed(n)] for n in range(LENGTH))


def test_objects_in_meta_are_the_same_in_memory(crawl: Crawl, plugin: dict[str, Any]) -> None:
    crawled = crawl(failing_later(), {**plugin, **AUDITED}, start=["/"], spider=SPIDERS + "SameObject")
    assert set(crawled.got) >= names(LENGTH) | {f"other{number}" for number in range(LENGTH - 8, LENGTH)}
    assert learned(crawled, "rescheduled") >= 1
    assert all(crawled.extra)


def test_what_a_job_cannot_keep_is_not_skipped(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path) -> None:
    settings = {**plugin, **AUDITED, "JOBDIR": str(tmp_path)}
    crawled = crawl(chain(LENGTH), settings, start=["/"], spider=SPIDERS + "SameObject")
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "rules/in_force") == 1
    assert learned(crawled, "suppressed") == 0
    assert len(crawled.site.targets) == 1 + 2 * LENGTH


def test_depth_holds_for_audits(crawl: Crawl, plugin: dict[str, Any]) -> None:
    crawled = crawl(chain(LENGTH), {**plugin, **AUDITED, "DEPTH_LIMIT": 25}, start=["/"])
    assert set(crawled.got) == names(25)
    assert learned(crawled, "audited") >= 3
    assert crawled.stats["request_depth_max"] == 25


def test_offsite_holds_for_what_comes_back(crawl: Crawl) -> None:
    """What the rule skips off site never came so far; what is fetched after all redirects off site."""
    other = {
        slashed(n): Answer(status=301, headers=(("Location", f"http://elsewhere.invalid/{n}"),))
        for n in range(20, LENGTH)
    }
    settings = {**ADDON, **AUDITED}
    crawled = crawl(chain(LENGTH, other=other), settings, start=["/"], allowed_domains=["127.0.0.1"])
    assert set(crawled.got) == names(LENGTH)
    assert crawled.stat("offsite/domains") >= 1
    assert not crawled.said('elsewhere.invalid": DNS')
    assert crawled.stats["finish_reason"] == "finished"


def test_robots_hold_for_what_comes_back(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes = failing_later()
    routes["/robots.txt"] = Answer(
        "User-agent: *\nDisallow: /d/37/$\n", headers=(("Content-Type", "text/plain"),)
    )
    crawled = crawl(routes, {**plugin, **AUDITED, "ROBOTSTXT_OBEY": True}, start=["/"])
    wanted = names(LENGTH) | {f"other{n}" for n in range(LENGTH - 8, LENGTH)} - {"other37"}
    assert set(crawled.got) >= wanted
    assert crawled.site.times(slashed(37)) == 0
    assert crawled.stats["finish_reason"] == "finished"


def test_a_stop_says_what_was_not_looked_at(crawl: Crawl, plugin: dict[str, Any]) -> None:
    settings = {**plugin, **AUDITED, "IRI_CANON_AUDIT_MINIMUM": 30}
    crawled = crawl(chain(LENGTH), settings, start=["/"], stop_at="d30")
    (told,) = crawled.said("WARNING")
    assert "URLs that learned rules skipped were fetched to see" in told
    # One that comes to its end has nothing to say.
    crawled = crawl(chain(LENGTH), settings, start=["/"])
    assert crawled.said("WARNING") == []
    assert learned(crawled, "audited") >= 30


def test_http_cache(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path) -> None:
    settings = {**plugin, **AUDITED, "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    with serving(failing_later()) as site:
        wanted = names(LENGTH) | {f"other{number}" for number in range(LENGTH - 8, LENGTH)}
        first = crawl(site, settings, start=["/"])
        asked = len(site.targets)
        second = crawl(site, settings, start=["/"])
        assert set(first.got) >= wanted
        assert set(second.got) >= wanted
        assert learned(second, "suppressed") >= 1
        assert second.stat("httpcache/hit") >= asked - 10


def count_by_path(crawled: Crawled, length: int = LENGTH) -> int:
    return sum(crawled.site.times(slashed(number)) for number in range(length))


def test_own_fingerprinter(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """Rules skip what the fingerprinter calls the same request for another URL, and nothing else."""
    own = {"REQUEST_FINGERPRINTER_CLASS": "scrapy.utils.request.RequestFingerprinter"}
    crawled = crawl(failing_later(), {**plugin, **AUDITED, **own}, start=["/"])
    assert set(crawled.got) >= names(LENGTH) | {f"other{number}" for number in range(LENGTH - 8, LENGTH)}
    assert learned(crawled, "suppressed") >= 1
    never_twice = {"REQUEST_FINGERPRINTER_CLASS": "tests.scrapy_plugin.spiders.ByNumber"}
    numbers = {"DOWNLOADER_MIDDLEWARES": {"tests.scrapy_plugin.spiders.Numbers": 50}}
    crawled = crawl(failing_later(), {**plugin, **AUDITED, **never_twice, **numbers}, start=["/"])
    assert set(crawled.got) >= names(LENGTH) | {f"other{number}" for number in range(LENGTH - 8, LENGTH)}


def upper(number: int) -> str:
    return f"/D/{number}"


def test_assumed_conventions_beside_learned_ones(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """`path-case` is assumed, the slash is learned."""
    routes = chain(LENGTH, (plain, upper, slashed))
    settings = {**plugin, **AUDITED, "IRI_CANON_CONVENTIONS": ["path-case"]}
    crawled = crawl(routes, settings, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "suppressed") >= 10
    assert sum(crawled.site.times(upper(number)) for number in range(LENGTH)) == 0
    other = others(LENGTH - 8, LENGTH)
    crawled = crawl(chain(LENGTH, (plain, upper, slashed), other), settings, start=["/"])
    assert set(crawled.got) >= names(LENGTH) | {f"other{number}" for number in range(LENGTH - 8, LENGTH)}


def marked(number: int) -> str:
    return f"/d/{number}/#top"


def test_fragments_that_count_are_fetched(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """With a browser behind Scrapy a fragment may be another page; a rule says nothing of it."""
    routes = chain(LENGTH, (plain, slashed, marked))
    routes |= {slashed(number): routes[plain(number)] for number in range(LENGTH)}
    settings = {**plugin, **AUDITED, "IRI_CANON_KEEP_FRAGMENTS": True}
    crawled = crawl(routes, settings, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "suppressed") >= 10
    assert len(crawled.said("#top> (referer: ")) >= LENGTH
    assert all(crawled.said(f"Crawled (200) <GET {crawled.site.url}{marked(n)}>") for n in range(LENGTH))


def test_each_jar_is_a_visitor_of_its_own(crawl: Crawl, plugin: dict[str, Any]) -> None:
    crawled = crawl(chain(LENGTH), {**plugin, **AUDITED}, start=["/"], spider=SPIDERS + "WithJars")
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "suppressed") == 0
    assert count_by_path(crawled) == LENGTH


def test_headers_that_count(crawl: Crawl, plugin: dict[str, Any]) -> None:
    settings = {**plugin, **AUDITED, "IRI_CANON_HEADERS": ["X-Bears"]}
    crawled = crawl(chain(LENGTH), settings, start=["/"])
    assert learned(crawled, "suppressed") >= 10
    # What has another value is another request, of which no rule speaks.
    crawled = crawl(chain(LENGTH), settings, start=["/"], spider=SPIDERS + "Bearing")
    assert learned(crawled, "suppressed") == 0


def test_redirects_teach_the_middlewares_only(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """Without the observer a redirect is no evidence, and nothing is lost for that."""
    crawled = crawl(
        chain(LENGTH, (slashed, plain), moved(LENGTH, plain, slashed)), {**plugin, **AUDITED}, start=["/"]
    )
    assert set(crawled.got) == names(LENGTH)
    assert (learned(crawled, "suppressed") > 0) is (plugin == ADDON)
