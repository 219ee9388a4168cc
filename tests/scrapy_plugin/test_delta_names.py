"""A page that is done is skipped under each of its names, and under nothing that may lead elsewhere by now."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import time
from typing import Any

import pytest

from iri_canon import key
from iri_canon.equivalence import Observation
from tests.scrapy_plugin.conftest import Crawl
from tests.scrapy_plugin.delta_sites import HOUR, home, make_older, names, opened
from tests.scrapy_plugin.site import Answer, Route, Site, page, redirect


class TestNames:
    def test_permanent_redirects_lead_from_names(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        routes: dict[str, Route] = {
            "one": redirect("/two", 301),
            "two": redirect("/page", 308),
            "page": page("page"),
        }
        home(site, "/one", **routes)
        assert crawl(site, delta, start=["/"]).got == ["home", "page"]
        assert names(path, site) == {"/": "/", "/one": "/page", "/two": "/page", "/page": "/page"}
        for link in ("/one", "/two", "/page"):
            home(site, link, **routes)
            again = crawl(site, delta, start=["/"])
            assert site.targets == ["/"]
            assert again.stat("iri_canon/delta/skipped") == 1
            assert f"as {site.url}/page (referer" in "".join(again.said("done by an earlier crawl"))

    @pytest.mark.parametrize("status", [302, 303, 307])
    def test_a_temporary_redirect_may_lead_elsewhere_next_time(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path, status: int
    ) -> None:
        home(site, "/old", old=redirect("/latest", 301), latest=redirect("/1", status), **{"1": page("1")})
        crawl(site, delta, start=["/"])
        assert names(path, site) == {"/": "/", "/1": "/1"}
        home(site, "/old", old=redirect("/latest", 301), latest=redirect("/2", status), **{"2": page("2")})
        assert crawl(site, delta, start=["/"]).got == ["home", "2"]

    def test_temporary_redirects_by_option(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        home(site, "/a", "/b", a=redirect("/1"), b=redirect("/2", 303), **{"1": page("1"), "2": page("2")})
        crawl(site, {**delta, "IRI_CANON_TEMPORARY_REDIRECTS": True}, start=["/"])
        assert names(path, site) == {"/": "/", "/1": "/1", "/a": "/1", "/2": "/2"}

    def test_what_a_redirect_of_a_linked_page_leads_to(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        """The redirect is asked and noted, its target is not, and from then on its URL is a name."""
        home(site, "/page", page=page("page"))
        crawl(site, delta, start=["/"])
        make_older(path, HOUR)
        routes: dict[str, Route] = {
            "page": page("page"),
            "page/": redirect("/page", 301),
            "x": redirect("/page"),
        }
        home(site, "/page/", "/x", **routes)
        second = crawl(site, delta, start=["/"])
        assert sorted(site.targets) == ["/", "/page/", "/x"]
        assert second.stat("iri_canon/delta/skipped") == 2
        observed = {"addon": 1, "alone": 0}["addon" if "ADDONS" in delta else "alone"]
        assert second.stat("iri_canon/redirects/recorded") == observed
        with opened(path) as store:
            kept, name = store.page(f"{site.url}/page"), store.page(f"{site.url}/page/")
            assert kept is not None and name is not None
            # The page itself was not looked at again.
            assert name.time == kept.time < time() - HOUR / 2
            assert name.page == kept.page
            assert store.page(f"{site.url}/x") is None
        home(site, "/page/", "/x", **routes)
        crawl(site, delta, start=["/"])
        assert sorted(site.targets) == ["/", "/x"]

    def test_redirects_that_met_the_page_later_are_names_too(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        """`/r` waits for what comes of `/page`, and `/late` comes when that is done."""
        routes: dict[str, Route] = {
            "page": page("page", "/late"),
            "r": redirect("/page", 301),
            "late": redirect("/page", 301),
        }
        home(site, "/r", "/page?low", **routes)
        settings = {**delta, "CONCURRENT_REQUESTS": 1}
        site.routes["/r"] = redirect("/page?low", 301)
        site.routes["/late"] = redirect("/page?low", 301)
        first = crawl(site, settings, start=["/"], spider="tests.scrapy_plugin.spiders.Ranked")
        assert first.stat("iri_canon/chain/dropped") == 1
        assert names(path, site) == {"/": "/", **dict.fromkeys(("/page?low", "/r", "/late"), "/page?low")}

    def test_a_chain_that_began_with_post_names_nothing(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        form = Answer("<p id=name>home</p><form action=/login></form>")
        home(site)
        site.routes |= {
            "/": form,
            "POST /login": redirect("/in", 301),
            "/in": redirect("/me", 301),
            "/me": page("me"),
        }
        assert crawl(site, delta, start=["/"]).got == ["home", "me"]
        assert names(path, site) == {"/": "/", "/me": "/me"}
        home(site, "/login", "/me", login=page("login"))
        assert crawl(site, delta, start=["/"]).got == ["home", "login"]

    def test_a_spider_that_copies_meta_names_nothing_by_it(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        home(site, "/r", r=redirect("/a", 301), a=page("a", "/b"), b=page("b"))
        crawl(site, delta, start=["/"], copy_meta=True)
        assert names(path, site) == {"/": "/", "/a": "/a", "/r": "/a", "/b": "/b"}

    def test_observed_pairs_lead_from_names(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        home(site, "/d", d=page("d"))
        crawl(site, delta, start=["/"])
        with opened(path) as store:
            store.record(Observation(f"{site.url}/d/", f"{site.url}/d", (301,), 200))
            store.record(Observation(f"{site.url}/e/", f"{site.url}/e", (301,), 200))
        home(site, "/d/", "/e/", **{"d/": redirect("/d", 301), "e/": page("e")})
        second = crawl(site, delta, start=["/"])
        assert second.got == ["home", "e"]
        assert second.stat("iri_canon/delta/skipped") == 1

    def test_fragments_that_count_are_part_of_a_name(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        settings = {**delta, "IRI_CANON_KEEP_FRAGMENTS": True}
        home(site, "/p#a", p=page("p"))
        crawl(site, settings, start=["/"])
        with opened(path) as store:
            store.record(Observation(f"{site.url}/p/", f"{site.url}/p", (301,), 200))
        home(site, "/p#a", "/p#b", "/p", "/p/#a", "/p/#b", p=page("p"), **{"p/": page("p/")})
        second = crawl(site, settings, start=["/"])
        assert sorted(site.targets) == ["/", "/p", "/p"]
        skipped = "".join(second.said("done by an earlier crawl"))
        assert second.stat("iri_canon/delta/skipped") == 2
        assert f"<GET {site.url}/p#a>" in skipped and f"<GET {site.url}/p/#a>" in skipped


class TestForgetting:
    @pytest.mark.parametrize("named", ["/r", "/page", "/page/"])
    def test_what_was_forgotten_comes_again_under_each_name(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path, named: str
    ) -> None:
        routes: dict[str, Route] = {"page": page("page"), "r": redirect("/page", 301), "a": page("a")}
        home(site, "/r", "/a", **routes)
        crawl(site, delta, start=["/"])
        with opened(path) as store:
            store.record(Observation(f"{site.url}/page/", f"{site.url}/page", (301,), 200))
            assert store.forget_pages([key(site.url + named)]) == 2
        home(site, "/r", "/a", **routes)
        assert crawl(site, delta, start=["/"]).got == ["home", "page"]


class TestConventions:
    def test_what_was_assumed_once_is_no_name(self, crawl: Crawl, site: Site, delta: dict[str, Any]) -> None:
        routes: dict[str, Route] = {"a/": page("a/"), "a": page("a")}
        assuming = {**delta, "IRI_CANON_CONVENTIONS": ["trailing-slash"]}
        home(site, "/a/", "/a", **routes)
        assert crawl(site, assuming, start=["/"]).got == ["home", "a/"]
        home(site, "/a/", "/a", **routes)
        assert crawl(site, delta, start=["/"]).got == ["home", "a"]

    def test_what_leads_to_a_key_that_was_not_fetched_is_no_name(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        routes: dict[str, Route] = {
            "r": redirect("/a/", 301),
            "s": redirect("/a", 301),
            "a": page("a"),
            "a/": page("a/"),
        }
        assuming = {**delta, "IRI_CANON_CONVENTIONS": ["trailing-slash"]}
        home(site, "/r", "/s", "/a", **routes)
        assert crawl(site, assuming, start=["/"]).got == ["home", "a"]
        assert names(path, site) == {"/": "/", "/s": "/a", "/a": "/a"}
        home(site, "/r", "/s", "/a", **routes)
        assert crawl(site, delta, start=["/"]).got == ["home", "a/"]

    def test_what_is_assumed_now_counts_for_what_was_done(
        self, crawl: Crawl, site: Site, delta: dict[str, Any]
    ) -> None:
        routes: dict[str, Route] = {"a/": page("a/"), "a": page("a"), "b/": page("b/")}
        home(site, "/a", **routes)
        crawl(site, delta, start=["/"])
        home(site, "/a/", "/b/", **routes)
        assuming = {**delta, "IRI_CANON_CONVENTIONS": ["trailing-slash"]}
        assert crawl(site, assuming, start=["/"]).got == ["home", "b/"]
        home(site, "/a/", "/b/", **routes)
        assert crawl(site, delta, start=["/"]).got == ["home", "a/"]


class TestAnySite:
    """Pages and redirects at random; between the crawls the temporary redirects lead elsewhere."""

    LENGTH = 40

    @pytest.mark.parametrize("seed", range(6))
    def test_no_page_is_lost_and_none_is_got_twice(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], seed: int
    ) -> None:
        random = Random(seed)
        got: list[str] = []
        reachable: set[str] = set()
        kinds = [random.choice([200, 301, 302]) for _ in range(self.LENGTH)]
        kinds[-1] = 200
        lasting = [
            random.randrange(number + 1, max(number + 2, self.LENGTH)) for number in range(self.LENGTH)
        ]
        for _ in range(3):
            routes: dict[str, Route] = {}
            ends: dict[int, str] = {}
            for number in reversed(range(self.LENGTH)):
                target = lasting[number]
                if kinds[number] == 302:
                    target = random.randrange(number + 1, self.LENGTH)
                is_page = kinds[number] == 200
                ends[number] = f"/{number}" if is_page else ends[target]
                routes[f"/{number}"] = (
                    page(f"/{number}") if is_page else redirect(f"/{target}", kinds[number])
                )
            # Most pages are found by what leads to them alone.
            links = [number for number in ends if random.random() < (0.1 if kinds[number] == 200 else 0.6)]
            random.shuffle(links)
            reachable |= {ends[number] for number in links}
            site.routes = {**routes, "/": page("home", *(f"/{number}" for number in links))}
            got += crawl(site, {**delta, "CONCURRENT_REQUESTS": 4}, seeds=["/"]).got
        assert got.count("home") == 3
        assert set(got) == {"home"} | reachable
        assert len(got) == len(reachable) + 3
