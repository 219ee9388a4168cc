"""Rules that are learned on random sites of known truth lose no page, and save what they are held to save."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from sample_project.pages import Reply, wire
from tests.scrapy_plugin.random_learning.runs import (
    Pair,
    compare,
    figures,
    saved_in_all,
    saved_where_pages_are_shown,
    where_conventions_hold,
)
from tests.scrapy_plugin.random_learning.sections import WHEN, Item, Section
from tests.scrapy_plugin.random_learning.sites import ALONE, FIRST, LAYOUTS, MEMBERS, PROFILES, SOON, plan
from tests.scrapy_plugin.random_learning.spellings import CUSTOMS, SIGNIFICANT, resolve
from tests.scrapy_plugin.random_learning.traps import TRAPS

QUICK = range(12)
MANY = range(1000, 1200)


#: Audits are drawn by chance, and so many sites give chance its due: the share of their pages that may be lost.
BY_CHANCE = 0.0005


def check(pairs: list[Pair], by_chance: float = 0.0) -> None:
    """No more pages lost, nothing gone wrong; what pytest shows of a failure has the figures, too."""
    print(*figures(pairs), sep="\n")
    failures = [one for pair in pairs for one in pair.failures()]
    lost = sum(len(pages) for pair in pairs for pages in pair.lost.values())
    assert lost <= by_chance * sum(pair.observed.pages for pair in pairs), failures
    assert [one for one in failures if " lost, the first: " not in one] == []


@pytest.mark.timeout(900)  # some half a minute on two cores that do nothing else
def test_no_page_of_a_random_site_is_lost_to_a_learned_rule() -> None:
    pairs = compare(QUICK)
    check(pairs)
    assert saved_in_all(pairs) > 0.1
    assert saved_in_all(where_conventions_hold(pairs)) > 0.2


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_no_page_of_many_random_sites_is_lost_and_the_savings_are_as_asked_for() -> None:
    pairs = compare(MANY)
    check(pairs, BY_CHANCE)
    assert saved_in_all(pairs) >= 0.15
    # Where one spelling redirects to the other, those that are linked first have to be asked all the same.
    assert saved_in_all(where_conventions_hold(pairs)) >= 0.25
    assert saved_where_pages_are_shown(pairs) >= 0.35


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("behaviour", ALONE)
def test_no_page_is_lost_to_one_behaviour_alone(behaviour: str) -> None:
    check(compare(range(12), profile=behaviour), 10 * BY_CHANCE)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_sample_may_miss_rare_exceptions_and_nothing_else() -> None:
    pairs = compare(range(40), profile="rare")
    print(*figures(pairs), sep="\n")
    for pair in pairs:
        sections = {section.name: section for section in plan(pair.observed.seed, "rare").sections}
        for name, pages in pair.lost.items():
            section = sections[name]
            exceptions = {item.slug for item in section.items if not section.holds(item)}
            assert {page.partition("/")[2].rpartition("-")[0] for page in pages} <= exceptions
        assert pair.observed.missing == 0
        assert pair.observed.errors == pair.audited.errors == []


def test_a_merge_that_a_site_does_not_bear_out_is_seen_as_a_loss() -> None:
    """The truth is the site's: the user's own word for a convention does not change it."""
    assumed = {"IRI_CANON_CONVENTIONS": [custom.name for custom in CUSTOMS if custom.name in ASSUMED]}
    (never,) = compare([3], assumed, profile="never", processes=1)
    assert sum(map(len, never.lost.values())) > 5
    assert "alone: python -m tests.scrapy_plugin.random_learning --seeds 3" in never.failures()[0]
    (holds,) = compare([3], assumed, profile="holds", processes=1)
    assert (holds.failures(), holds.saved > 0) == ([], True)


ASSUMED = {
    "trailing-slash",
    "default-document",
    "duplicate-slashes",
    "path-case",
    "query-order",
    "https",
    "www",
}


def test_the_seed_makes_the_site() -> None:
    def text(seed: int) -> str:
        site = plan(seed).site
        return "".join(site.body(Reply(200, page)) for page in site.pages)

    assert text(3) == text(3)
    assert text(3) != text(4)


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    """The sections of all sites that the long test crawls."""
    return [section for seed in MANY for section in plan(seed).sections]


def test_the_sites_have_all_that_is_to_be_tried(sections: list[Section]) -> None:
    assert {plan(seed).profile for seed in MANY[:40]} == set(PROFILES)
    assert {custom.name for one in sections for custom in one.customs} == {one.name for one in CUSTOMS}
    assert {one.when for one in sections} | {SOON, "rare exception"} == set(WHEN)
    assert {one.trap for one in sections} | {FIRST} == set(TRAPS)
    assert {one.layout for one in sections} == set(LAYOUTS)
    assert {len(one.customs) for one in sections} == {1, 2, 3}
    assert {len(item.linked) for one in sections for item in one.items if not one.has_bare} == {1, 2, 3, 4, 5}
    assert {len(one.items) for one in sections} <= set(range(30, 121))


def shown(section: Section, url: str, cookies: Iterable[str] = ("in", "ok")) -> str | None:
    """What is shown here to who has these cookies, or all; redirects followed."""
    location: str | None = url
    while location is not None:
        reply = section.site.respond("GET", wire(location), dict.fromkeys(cookies, "1"))
        location = reply.location
    return reply.page


def pages_of(section: Section, item: Item) -> list[str | None]:
    """What the spellings of an item show to who has all cookies."""
    return [shown(section, spelling.url) for spelling in item.spellings]


def test_where_a_custom_holds_all_spellings_are_one_page_and_elsewhere_another(
    sections: list[Section],
) -> None:
    seen: Counter[tuple[str, bool]] = Counter()
    for section in sections:
        if section.trap in {"none", "wall"} and section.broken == set(range(len(section.customs))):
            if any(custom.name == SIGNIFICANT for custom in section.customs):
                continue
            for item in section.items:
                linked = [
                    page
                    for spelling, page in zip(item.spellings, pages_of(section, item), strict=True)
                    if spelling.url in item.linked
                ]
                apart = len({spelling.vector for spelling in item.spellings if spelling.url in item.linked})
                assert None not in linked
                assert len(set(linked)) == (1 if section.holds(item) else apart)
                seen[section.when, section.holds(item)] += apart > 1
    # Each kind of rule that fails does so after, before or beside items where it holds.
    drawn = set(WHEN) - {SOON, "rare exception"}
    assert min(seen[when, True] for when in drawn if "never" not in when) > 20
    assert min(seen[when, False] for when in drawn - {"always"}) > 20


def alone(behaviour: str) -> Iterator[tuple[Section, Item, list[str]]]:
    """All items of some sites of one behaviour, each with its linked spellings."""
    for seed in range(6):
        for section in plan(seed, behaviour).sections:
            for item in section.items:
                yield section, item, [one.url for one in item.spellings if one.url in item.linked]


def ends_of_relative_links(behaviour: str) -> Iterator[list[str | None]]:
    """Where the relative link of a page leads from each of its linked spellings."""
    for section, _, urls in alone(behaviour):
        pages = {shown(section, url) for url in urls}
        assert len(pages) == 1
        body = section.site.body(Reply(200, pages.pop()))
        for href in re.findall('href="([^"]+)"', body):
            if "://" not in href:
                yield [shown(section, resolve(url, href)) for url in urls]


def test_a_relative_link_of_one_page_leads_to_several_places_only_where_its_spellings_stand_apart() -> None:
    apart = [ends for ends in ends_of_relative_links("relative links") if len(set(ends)) > 1]
    assert len(apart) > 20
    assert {None in ends for ends in apart} == {True, False}
    same = list(ends_of_relative_links("relative links of one place"))
    assert len(same) > 20
    assert all(len(set(ends)) == 1 and None not in ends for ends in same)


def test_a_relative_reference_keeps_empty_segments() -> None:
    assert resolve("http://a.example/s//a?x=/", "next/1") == "http://a.example/s//next/1"
    assert resolve("http://a.example/s/a//", "../y") == "http://a.example/s/a/y"
    assert resolve("http://a.example/s/a/", "./y") == "http://a.example/s/a/y"
    assert resolve("http://a.example/a", "../y") == "http://a.example/y"


@pytest.mark.parametrize("behaviour", ["one-sided soft 404s", "one-sided wall"])
def test_a_spelling_of_some_pages_shows_that_there_is_none_and_another_the_page(behaviour: str) -> None:
    one_sided = [
        (section, item)
        for section, item, urls in alone(behaviour)
        if "home/none" in (pages := {shown(section, url) for url in urls}) and len(pages) == 2
    ]
    assert len(one_sided) > 20
    if behaviour == "one-sided wall":
        assert {item.number < section.place for section, item in one_sided} == {True, False}


def test_a_member_is_told_apart_by_the_first_request_and_sees_what_strangers_do_not() -> None:
    differ = 0
    for section, _, urls in alone(FIRST):
        assert len({shown(section, url, ()) for url in urls}) == 1
        differ += len({shown(section, url) for url in urls}) > 1
    assert differ > 20
    body = section.site.body(Reply(200, shown(section, MEMBERS)))
    assert f'action="{section.session}"' in body
    assert "href" not in body
