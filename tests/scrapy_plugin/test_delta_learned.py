"""What learned rules covered by a page that is done is skipped with it, as long as they are in force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.scrapy_plugin.conftest import Crawl
from tests.scrapy_plugin.delta_sites import HOUR, make_older, opened
from tests.scrapy_plugin.learned_sites import AUDITED, Spelling, chain, plain, slashed
from tests.scrapy_plugin.site import Route, Site, page


class TestLearned:
    """What rules covered by a page is skipped with it, while they are in force."""

    LENGTH = 40

    @pytest.fixture
    def learning(self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path) -> dict[str, Any]:
        """The settings of a crawl that has learned from a site, whose home page links all of its pages now."""
        settings = {**delta, **AUDITED}
        site.routes = chain(self.LENGTH)
        first = crawl(site, settings, start=["/"])
        assert first.stat("iri_canon/learned/rules/in_force") == 1
        # What was skipped and fetched to see in the end is a page of this crawl, and covered by no rule.
        asked = [site.times(plain(number)) + site.times(slashed(number)) for number in range(self.LENGTH)]
        assert len(self.covered(site, path)) == asked.count(1) > self.LENGTH / 2
        self.link(site, plain, slashed)
        return settings

    def covered(self, site: Site, path: Path) -> list[str]:
        with opened(path) as store:
            return [known.key.removeprefix(site.url) for known in store.pages() if known.covered]

    def link(self, site: Site, *spellings: Spelling, **more: Route) -> None:
        site.asked.clear()
        links = [one(number) for number in range(self.LENGTH) for one in spellings]
        site.routes |= {"/": page("home", *links, *more), **more}

    @pytest.mark.parametrize("spellings", [(plain, slashed), (slashed, plain)])
    def test_it_is_skipped(
        self,
        crawl: Crawl,
        site: Site,
        learning: dict[str, Any],
        path: Path,
        spellings: tuple[Spelling, Spelling],
    ) -> None:
        covered = self.covered(site, path)
        for _ in range(2):
            self.link(site, *spellings)
            again = crawl(site, learning, start=["/"])
            assert site.targets == ["/"]
            assert again.stat("iri_canon/learned/suppressed") == len(covered)
            assert again.stat("iri_canon/delta/skipped") == 2 * self.LENGTH - len(covered)
            assert again.stat("iri_canon/learned/audited") == 0
            assert again.stat("iri_canon/learned/rescheduled") == 0
            assert self.covered(site, path) == covered

    def test_a_crawl_that_does_not_learn_knows_nothing_of_it(
        self, crawl: Crawl, site: Site, learning: dict[str, Any], path: Path
    ) -> None:
        covered = self.covered(site, path)
        crawl(site, {**learning, "IRI_CANON_LEARN": "observed"}, start=["/"])
        assert sorted(site.targets) == ["/", *covered]

    def test_a_rule_that_was_forgotten_gives_it_back(
        self, crawl: Crawl, site: Site, learning: dict[str, Any], path: Path
    ) -> None:
        covered = self.covered(site, path)
        with opened(path) as store:
            for rule in list(store.rules()):
                store.forget_rule(rule.name)
        crawl(site, learning, start=["/"])
        assert sorted(site.targets) == ["/", *covered]

    def test_a_page_that_was_forgotten_comes_again(
        self, crawl: Crawl, site: Site, learning: dict[str, Any], path: Path
    ) -> None:
        *staying, gone = self.covered(site, path)
        with opened(path) as store:
            assert store.forget_pages([site.url + gone]) == 2
        assert "d" + gone.strip("/d") in crawl(site, learning, start=["/"]).got
        assert not set(staying) & set(site.targets)

    def test_a_rule_that_falls_now_gives_it_back_now(
        self, crawl: Crawl, site: Site, learning: dict[str, Any], path: Path
    ) -> None:
        covered = self.covered(site, path)
        new: dict[str, Route] = {"/d/100": page("d100"), "/d/100/": page("other100")}
        self.link(site, plain, slashed, **new)
        again = crawl(site, learning, start=["/"])
        assert again.stat("iri_canon/learned/rules/retracted") >= 1
        assert sorted(site.targets) == sorted(["/", *new, *covered])
        # They are pages of their own now.
        assert self.covered(site, path) == []
        self.link(site, plain, slashed, **new)
        assert crawl(site, learning, start=["/"]).got == ["home"]

    def test_what_is_too_old_stands_for_nothing(
        self, crawl: Crawl, site: Site, learning: dict[str, Any], path: Path
    ) -> None:
        make_older(path, 2 * HOUR)
        again = crawl(site, {**learning, "IRI_CANON_DELTA_TTL": "1h"}, start=["/"])
        assert set(map(plain, range(self.LENGTH))) < set(site.targets)
        assert again.stat("iri_canon/delta/skipped") == 0
