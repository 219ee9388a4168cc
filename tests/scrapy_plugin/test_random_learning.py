"""Rules that are learned on random sites of known truth lose no page, and save what they are held to save."""

from __future__ import annotations

from collections import Counter

import pytest

from sample_project.pages import Reply, wire
from tests.scrapy_plugin.random_learning.runs import (
    Pair,
    compare,
    figures,
    saved_in_all,
    where_conventions_hold,
)
from tests.scrapy_plugin.random_learning.sections import TRAPS, WHEN, Item, Section
from tests.scrapy_plugin.random_learning.sites import LAYOUTS, PROFILES, plan
from tests.scrapy_plugin.random_learning.spellings import CUSTOMS, SIGNIFICANT

QUICK = range(12)
MANY = range(1000, 1200)


def check(pairs: list[Pair]) -> None:
    """No page lost, nothing gone wrong; what pytest shows of a failure has the figures, too."""
    print(*figures(pairs), sep="\n")
    assert [one for pair in pairs for one in pair.failures()] == []


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
    check(pairs)
    assert saved_in_all(pairs) >= 0.15
    assert saved_in_all(where_conventions_hold(pairs)) >= 0.35


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
    assert {one.when for one in sections} | {"rare exception"} == set(WHEN)
    assert {one.trap for one in sections} == set(TRAPS)
    assert {one.layout for one in sections} == set(LAYOUTS)
    assert {len(one.customs) for one in sections} == {1, 2, 3}
    assert {len(item.linked) for one in sections for item in one.items if not one.has_bare} == {1, 2, 3, 4, 5}
    assert {len(one.items) for one in sections} <= set(range(30, 121))


def pages_of(section: Section, item: Item) -> list[str | None]:
    """What the spellings of an item show to who has all cookies, redirects followed."""
    found = []
    for spelling in item.spellings:
        url: str | None = spelling.url
        while url is not None:
            reply = section.site.respond("GET", wire(url), {"in": "1", "ok": "1"})
            url = reply.location
        found.append(reply.page)
    return found


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
    assert min(seen[when, True] for when in WHEN if "never" not in when and "rare" not in when) > 20
    assert min(seen[when, False] for when in WHEN if when not in {"always", "rare exception"}) > 20
