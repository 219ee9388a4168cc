"""What a site has shown often enough is skipped, some of it is fetched to see, and no page is lost for it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from iri_canon.equivalence import RuleState, open_equivalences, profile
from tests.scrapy_plugin.conftest import ADDON, Crawl, Crawled
from tests.scrapy_plugin.learned_sites import AUDITED, another, chain, moved, names, others, plain, slashed
from tests.scrapy_plugin.site import Answer, Asked, Route, page, serving

LENGTH = 40


def learned(crawled: Crawled, name: str) -> int:
    return crawled.stat(f"iri_canon/learned/{name}")


@pytest.mark.parametrize(
    "spellings", [(plain, slashed), (slashed, plain)], ids=["plain first", "slash first"]
)
def test_equal_pages_are_skipped_whichever_spelling_comes_first(
    crawl: Crawl, plugin: dict[str, Any], spellings: Any
) -> None:
    crawled = crawl(chain(LENGTH, spellings), {**plugin, **AUDITED}, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "suppressed") > LENGTH / 2
    assert learned(crawled, "rules/in_force") == 1
    assert learned(crawled, "disagreed") == learned(crawled, "rules/retracted") == 0
    assert 3 <= learned(crawled, "audited") == learned(crawled, "agreed")
    # Each of both spellings was fetched once, or skipped; at the end the last of those is fetched to see, if it was
    # not an audit itself.
    never = 1 + 2 * LENGTH - len(crawled.site.targets)
    assert never <= learned(crawled, "suppressed") - learned(crawled, "rescheduled") <= never + 1
    assert len(crawled.site.targets) == len(set(crawled.site.targets))


def test_pages_that_differ_are_fetched(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """The twin of the above."""
    routes = chain(LENGTH)
    for number in range(LENGTH):
        routes[slashed(number)] = another(number, *(f"/d/{number + 1}{end}" for end in ("", "/")))
    crawled = crawl(routes, {**plugin, **AUDITED}, start=["/"])
    assert set(crawled.got) >= names(LENGTH) | {f"other{number}" for number in range(LENGTH)}
    assert learned(crawled, "suppressed") == learned(crawled, "audited") == 0
    assert learned(crawled, "rules/retracted") >= 1


def test_a_site_that_links_another_session_on_each_page_comes_to_an_end(crawl: Crawl) -> None:
    def answer(asked: Asked) -> Answer:
        number = int(asked.target.partition("?")[0].rpartition("/")[2])
        return page(f"d{number}", f"/d/{(number + 1) % LENGTH}?sid={next(sessions):032x}")

    sessions = count(16**31)
    routes: dict[str, Route] = {
        "/": page("home", f"/d/0?sid={16**31 - 1:032x}"),
        **{plain(n): answer for n in range(LENGTH)},
    }
    settings = {**ADDON, **AUDITED, "CLOSESPIDER_PAGECOUNT": 1_000}
    crawled = crawl(routes, settings, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert crawled.stats["finish_reason"] == "finished"
    assert len(crawled.site.targets) < 4 * LENGTH


def test_observed_is_as_it_was(crawl: Crawl, plugin: dict[str, Any]) -> None:
    crawled = crawl(chain(LENGTH), {**plugin, **AUDITED, "IRI_CANON_LEARN": "observed"}, start=["/"])
    assert len(crawled.site.targets) == 1 + 2 * LENGTH
    assert not [name for name in crawled.stats if name.startswith("iri_canon/learned")]


@pytest.mark.parametrize("fails_from", [20, 30])
def test_a_rule_that_fails_later_gives_all_back(
    crawl: Crawl, plugin: dict[str, Any], fails_from: int
) -> None:
    crawled = crawl(chain(LENGTH, other=others(fails_from, LENGTH)), {**plugin, **AUDITED}, start=["/"])
    assert set(crawled.got) >= names(LENGTH) | {f"other{number}" for number in range(fails_from, LENGTH)}
    assert learned(crawled, "rules/retracted") >= 1
    assert learned(crawled, "rescheduled") >= 1
    assert crawled.said("in force -> retracted")
    assert crawled.said("are fetched after all")


SECTIONS = ("a", "b", "c")
LAST = 20
"""The page with the highest number is linked in the middle."""


def out_of_order(*, differs: bool) -> dict[str, Route]:
    """Sections whose last page by number has fewer slashes than all others, and may be two pages."""
    routes: dict[str, Route] = {}
    homes: list[str] = []
    for place, section in enumerate(SECTIONS):

        def number(step: int, first: int = 1_000 * (place + 1)) -> int:
            return first + (999 if step == LAST else step)

        def one(step: int, section: str = section, number: Callable[[int], int] = number) -> str:
            return f"/{section}/{number(step)}"

        def other(step: int, section: str = section, number: Callable[[int], int] = number) -> str:
            return f"/{section}/{'/' if step == LAST else '//'}{number(step)}"

        for step in range(LENGTH):
            links = [one(step + 1), other(step + 1)] if step + 1 < LENGTH else []
            routes[one(step)] = routes[other(step)] = page(f"d{number(step)}", *links)
            if differs and step == LAST:
                routes[other(step)] = another(number(step), *links)
        homes += [one(0), other(0)]
    return {"/": page("home", *homes), **routes}


def test_the_last_page_by_number_is_looked_at_however_it_is_spelt(crawl: Crawl) -> None:
    crawled = crawl(out_of_order(differs=True), {**ADDON, **AUDITED}, start=["/"])
    assert set(crawled.got) >= {f"other{number}" for number in (1_999, 2_999, 3_999)}
    assert learned(crawled, "disagreed") >= 1


def test_where_the_last_page_by_number_is_one_the_rest_stays_skipped(crawl: Crawl) -> None:
    """The twin of the above."""
    crawled = crawl(out_of_order(differs=False), {**ADDON, **AUDITED}, start=["/"])
    assert len([name for name in crawled.got if name.startswith("d")]) >= LENGTH * len(SECTIONS)
    assert all(
        crawled.site.times(f"/{section}//{(place + 1) * 1_000 + 999}") == 1
        for place, section in enumerate(SECTIONS)
    )
    assert learned(crawled, "disagreed") == learned(crawled, "rescheduled") == 0
    assert learned(crawled, "suppressed") > LENGTH


def test_redirects_skip_sources_and_never_a_target(crawl: Crawl) -> None:
    """From the middle on only sources are linked first, and their targets after them."""
    routes = chain(LENGTH, (slashed, plain), moved(LENGTH, plain, slashed))
    crawled = crawl(routes, {**ADDON, **AUDITED}, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "suppressed") > LENGTH / 2
    assert all(crawled.site.times(slashed(number)) == 1 for number in range(LENGTH))
    assert sum(crawled.site.times(plain(number)) for number in range(LENGTH)) < LENGTH / 2
    # The sources come first now: each leads to its target, or is skipped once that waits in the queue behind it.
    routes = chain(LENGTH, (plain, slashed), moved(LENGTH, plain, slashed))
    crawled = crawl(routes, {**ADDON, **AUDITED}, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert all(crawled.site.times(slashed(number)) == 1 for number in range(LENGTH))


def test_of_several_sources_one_leads_to_the_page_and_the_others_stay_skipped(crawl: Crawl) -> None:
    """All sources of a page, and never the page itself, are linked; which one the site keeps shows no sign."""

    def own(number: int) -> str:
        return f"/d/{number}?c=1&b=2&a=3"

    def one(number: int) -> str:
        return f"/d/{number}?b=2&c=1&a=3"

    def other(number: int) -> str:
        return f"/d/{number}?a=3&b=2&c=1"

    routes = chain(LENGTH, (one, other))
    routes |= {own(number): routes[one(number)] for number in range(LENGTH)}
    routes |= {**moved(LENGTH, one, own), **moved(LENGTH, other, own)}
    crawled = crawl(routes, {**ADDON, **AUDITED}, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert all(crawled.site.times(own(number)) == 1 for number in range(LENGTH))
    asked = sum(crawled.site.times(each(number)) for each in (one, other) for number in range(LENGTH))
    assert asked < LENGTH * 1.5


def test_a_target_that_is_linked_after_its_source_is_fetched(crawl: Crawl) -> None:
    """Sources that answer for themselves from the middle on: their targets are other pages, and not skipped."""
    half = LENGTH // 2
    other: dict[str, Route] = {**moved(half, plain, slashed)}
    for number in range(half, LENGTH):
        other[plain(number)] = page(f"source{number}", plain(number + 1), slashed(number + 1))
    routes = chain(LENGTH, (slashed, plain), other)
    routes[slashed(half - 1)] = page(f"d{half - 1}", plain(half), slashed(half))
    for number in range(half, LENGTH):
        routes[slashed(number)] = page(f"d{number}", plain(number + 1), slashed(number + 1))
    crawled = crawl(routes, {**ADDON, **AUDITED}, start=["/"])
    assert set(crawled.got) == names(LENGTH) | {f"source{number}" for number in range(half, LENGTH)}


def test_what_is_skipped_is_told_and_journaled(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path) -> None:
    store = tmp_path / "pairs.sqlite"
    settings = {**plugin, **AUDITED, "IRI_CANON_STORE": f"sqlite:{store}", "DUPEFILTER_DEBUG": True}
    crawled = crawl(chain(LENGTH), settings, start=["/"])
    told = crawled.said("(by rung PROTOCOL: learned trailing-slash at 127.0.0.1:")
    assert len(told) == learned(crawled, "suppressed") == crawled.stat("iri_canon/filtered/protocol") > 0
    assert "/d, support " in told[0]
    assert len(crawled.said(" proposed -> in force (")) == 1
    pairs = open_equivalences(f"sqlite:{store}", profile())
    try:
        journal = list(pairs.journaled())
        (rule,) = (rule for rule in pairs.rules() if rule.name.section == "d")
    finally:
        pairs.close()
    host = crawled.site.url.removeprefix("http://")
    assert len(journal) == learned(crawled, "suppressed")
    assert all(one.url == one.representative + "/" for one in journal)
    assert {one.because for one in journal} == {(f"learned trailing-slash at {host}/d",)}
    assert (str(rule.name), rule.state) == (f"{host}/d: trailing-slash", RuleState.IN_FORCE)
    assert rule.agreed == learned(crawled, "agreed")


def test_rules_serve_the_next_crawl(crawl: Crawl, plugin: dict[str, Any], tmp_path: Path) -> None:
    store = f"sqlite:{tmp_path / 'pairs.sqlite'}"
    with serving(chain(LENGTH)) as site:
        settings = {**plugin, **AUDITED, "IRI_CANON_STORE": store}
        first = crawl(site, settings, start=["/"])
        site.asked.clear()
        second = crawl(site, settings, start=["/"])
        assert set(second.got) == names(LENGTH)
        assert learned(second, "suppressed") > learned(first, "suppressed")
        assert learned(second, "audited") >= 3
        # A site that has changed since: what the rule skipped is found all the same.
        site.routes.update(others(0, LENGTH))
        third = crawl(site, settings, start=["/"])
        assert set(third.got) == names(LENGTH) | {f"other{n}" for n in range(LENGTH)}
        assert learned(third, "disagreed") >= 1
