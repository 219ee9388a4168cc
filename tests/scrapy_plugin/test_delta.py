"""The next crawl asks for what is new, not for what is known by another name, and skips nothing that was not got."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import Any

import pytest
from scrapy import Request
from scrapy.settings import BaseSettings

from iri_canon.equivalence import open_equivalences, open_seen, profile
from scrapy_plugin import CanonicalDupeFilter
from scrapy_plugin.options import OptionError, Options, read
from scrapy_plugin.stores import Stores
from tests.scrapy_plugin.conftest import Crawl, Process
from tests.scrapy_plugin.delta_sites import HOUR, home, make_older, names, opened
from tests.scrapy_plugin.site import Answer, Asked, Route, Site, page, redirect, serving


class TestPages:
    def test_what_one_crawl_has_done_the_next_one_skips(
        self, crawl: Crawl, site: Site, delta: dict[str, Any]
    ) -> None:
        home(site, "/a", "/b", a=page("a", "/c"), b=page("b"), c=page("c"))
        first = crawl(site, delta, start=["/"])
        assert sorted(first.got) == ["a", "b", "c", "home"]
        assert first.stat("iri_canon/delta/kept") == first.stat("iri_canon/done") == 4
        assert first.stat("iri_canon/delta/skipped") == 0
        home(site, "/a", "/new", "/b", a=page("a"), b=page("b"), new=page("new"))
        second = crawl(site, delta, start=["/"])
        assert second.got == ["home", "new"]
        assert site.targets == ["/", "/new"]
        assert second.stat("iri_canon/delta/skipped") == second.stat("dupefilter/filtered") == 2
        assert second.stat("iri_canon/delta/kept") == 2
        assert [name for name in second.stats if name.startswith("iri_canon/filtered/")] == []
        told = second.said("done by an earlier crawl at 20")
        assert len(told) == 2
        assert f"<GET {site.url}/a> - done by an earlier crawl" in "".join(told)
        assert f"as {site.url}/a (referer: {site.url}/)" in "".join(told)

    def test_without_the_setting_everything_comes_again(
        self, crawl: Crawl, site: Site, delta: dict[str, Any]
    ) -> None:
        home(site, "/a", a=page("a"))
        for setting in (True, False, None):
            again = crawl(site, {**delta, "IRI_CANON_DELTA": setting}, start=["/"])
            assert again.got == ["home", "a"]
            assert again.stat("iri_canon/delta/skipped") == 0
            home(site, "/a", a=page("a"))
            delta.pop("IRI_CANON_DELTA", None)

    def test_other_spellings_of_the_key_are_the_page(
        self, crawl: Crawl, site: Site, delta: dict[str, Any]
    ) -> None:
        home(site, "/%7ea", **{"~a": page("a"), "%7ea": page("a")})
        crawl(site, delta, start=["/"])
        home(site, "/~a", "/~A", **{"~a": page("a"), "~A": page("A")})
        assert crawl(site, delta, start=["/"]).got == ["home", "A"]

    def test_what_this_crawl_has_done_is_told_as_ever(
        self, crawl: Crawl, site: Site, delta: dict[str, Any]
    ) -> None:
        home(site, "/a", "/a", "/%61", a=page("a", "/", "/a"))
        crawled = crawl(site, delta, start=["/"])
        assert crawled.got == ["home", "a"]
        assert crawled.stat("iri_canon/delta/skipped") == 0
        assert crawled.stat("iri_canon/filtered/simple") + crawled.stat("iri_canon/filtered/syntax") == 4

    def test_what_failed_or_answered_with_an_error_comes_again(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        gone = Answer("<p id=name>gone</p>", 404)
        home(site, "/gone", "/raise", "/a", gone=gone, a=page("a"), **{"raise": page("raise")})
        settings = {**delta, "HTTPERROR_ALLOWED_CODES": [404]}
        first = crawl(site, settings, start=["/"], spider="tests.scrapy_plugin.spiders.Raises")
        assert sorted(first.got) == ["a", "gone", "home", "raise"]
        assert names(path, site) == {"/": "/", "/a": "/a"}
        home(site, "/gone", "/raise", "/a", gone=page("gone"), a=page("a"), **{"raise": page("raise")})
        assert sorted(crawl(site, delta, start=["/"]).got) == ["gone", "home", "raise"]

    def test_robots_and_what_a_callback_downloads_do_not_count(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        allowing = Answer("User-agent: *\nDisallow: /none\n")
        routes: dict[str, Route] = {"robots.txt": allowing, "inline": page("inline"), "a": page("a")}
        home(site, "/a", **routes)
        settings = {**delta, "ROBOTSTXT_OBEY": True}
        first = crawl(site, settings, start=["/"], spider="tests.scrapy_plugin.spiders.Inline")
        assert site.times("/robots.txt") == 1
        assert first.got.count("inline") == 2
        assert names(path, site) == {"/": "/", "/a": "/a"}
        home(site, "/inline", "/robots.txt", "/a", **routes)
        assert sorted(crawl(site, settings, start=["/"]).got) == ["", "home", "inline"]
        assert site.times("/robots.txt") == 2  # Scrapy's own, and the link.


class TestStarts:
    def test_start_requests_are_fetched_each_time(
        self, crawl: Crawl, site: Site, delta: dict[str, Any]
    ) -> None:
        routes: dict[str, Route] = {"a": page("a"), "r": redirect("/t", 301), "t": page("t")}
        for _ in range(2):
            home(site, **routes)
            crawled = crawl(site, delta, start=["/a", "/r"], seeds=["/"])
            assert sorted(crawled.got) == ["a", "home", "t"]
            assert crawled.stat("iri_canon/delta/skipped") == 0
        home(site, "/a", "/r", "/t", **routes)
        assert crawl(site, delta, seeds=["/"]).got == ["home"]
        assert crawl(site, delta, seeds=["/r"]).got == ["t"]

    def test_a_copy_of_the_meta_of_a_start_is_none(
        self, crawl: Crawl, site: Site, delta: dict[str, Any]
    ) -> None:
        routes: dict[str, Route] = {"a": page("a", "/b", "/r"), "b": page("b"), "r": redirect("/b", 301)}
        home(site, "/a", **routes)
        assert sorted(crawl(site, delta, start=["/"], copy_meta=True).got) == ["a", "b", "home"]
        home(site, "/b", "/r", **routes)
        assert crawl(site, delta, start=["/"], copy_meta=True).got == ["home"]

    def test_a_request_of_the_user_that_is_not_filtered_is_not_skipped(
        self, crawl: Crawl, site: Site, delta: dict[str, Any]
    ) -> None:
        home(site, "/empty", empty=page("empty"))
        spider = "tests.scrapy_plugin.spiders.RetriesEmpty"
        settings = {**delta, "RETRY_TIMES": 1}
        assert crawl(site, settings, start=["/"], spider=spider).got == ["home", "empty", "empty"]
        assert crawl(site, settings, start=["/empty"], spider=spider).got == ["empty", "empty"]


class TestAge:
    @pytest.mark.parametrize(
        ("age", "fetched"), [(2 * HOUR, ["home", "a"]), (HOUR / 2, ["home"])], ids=["old", "young"]
    )
    def test_what_is_older_than_its_time_to_live_is_fetched_again(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path, age: float, fetched: list[str]
    ) -> None:
        routes: dict[str, Route] = {"a": page("a"), "r": redirect("/a", 301)}
        settings = {**delta, "IRI_CANON_DELTA_TTL": "1h"}
        home(site, "/r", **routes)
        crawl(site, settings, start=["/"])
        make_older(path, age)
        home(site, "/a", **routes)
        assert crawl(site, settings, start=["/"]).got == fetched
        # It is as young as its last fetch now.
        home(site, "/a", **routes)
        assert crawl(site, settings, start=["/"]).got == ["home"]

    @pytest.mark.parametrize(
        ("value", "seconds"),
        [(90, 90.0), ("90", 90.0), (1.5, 1.5), ("12h", 43_200.0), (" 7 d ", 604_800.0), ("2w", 1_209_600.0)],
    )
    def test_times(self, value: object, seconds: float) -> None:
        assert read(BaseSettings({"IRI_CANON_DELTA_TTL": value})).delta_ttl == seconds
        assert read(BaseSettings({"IRI_CANON_DELTA_TTL": None})).delta_ttl is None

    @pytest.mark.parametrize("value", [0, -1, "0h", "12 hours", "h", "1e3", "nan", True, "1" * 400, [60]])
    def test_what_is_no_time_is_refused(self, value: object) -> None:
        with pytest.raises(OptionError, match=r"IRI_CANON_DELTA_TTL: .* is not a time"):
            read(BaseSettings({"IRI_CANON_DELTA_TTL": value}))


class TestItems:
    def test_only_pages_that_gave_items(
        self, crawl: Crawl, site: Site, delta: dict[str, Any], path: Path
    ) -> None:
        routes: dict[str, Route] = {
            "list": page("list", "/item", "/dropped"),
            "item": page("item"),
            "dropped": page("dropped"),
            "r": redirect("/item", 301),
        }
        job = {"spider": "tests.scrapy_plugin.delta_spiders.Some", "items": ["item", "dropped"]}
        drops = {"ITEM_PIPELINES": {"tests.scrapy_plugin.delta_spiders.Drops": 1}}
        home(site, "/list", "/r", **routes)
        first = crawl(site, {**delta, **drops}, start=["/"], **job)
        assert sorted(first.got) == ["dropped", "home", "item", "list"]
        with opened(path) as store:
            gave = {one.key.removeprefix(site.url): one.gave_items for one in store.pages()}
        assert gave == {"/": False, "/list": False, "/item": True, "/r": True, "/dropped": False}
        home(site, "/list", "/r", **routes)
        second = crawl(site, {**delta, "IRI_CANON_DELTA_ITEMS": True}, start=["/"], **job)
        assert second.got == ["home", "list", "dropped"]
        assert second.stat("iri_canon/delta/skipped") == 2
        home(site, "/list", "/r", **routes)
        assert crawl(site, delta, start=["/"], **job).got == ["home"]


NAMES = [f"/p{number}" for number in range(12)]


def tree() -> dict[str, Route]:
    routes: dict[str, Route] = {"/": page("home", *NAMES)}
    for name in NAMES:
        routes[name] = page(name, f"{name}/r")
        routes[f"{name}/r"] = redirect(f"{name}/end", 301)
        routes[f"{name}/end"] = page(f"{name}/end", name)
    return routes


class TestJobs:
    @pytest.mark.parametrize("apart", [False, True], ids=["in the job", "apart"])
    def test_a_job_that_goes_on_loses_nothing(
        self, crawl: Crawl, delta: dict[str, Any], tmp_path: Path, apart: bool
    ) -> None:
        settings = {**delta, "JOBDIR": str(tmp_path / "job")}
        if not apart:
            del settings["IRI_CANON_STORE"]
        with serving(tree()) as site:
            got: list[str] = []
            for stop in ("/p7", "/p3/end", "/p1/end", None):
                crawled = crawl(site, settings, start=["/"], stop_at=stop)
                assert crawled.raised is None
                assert crawled.stat("iri_canon/delta/skipped") == 0
                got += crawled.got
            assert sorted(got) == sorted(["home", *NAMES, *(f"{name}/end" for name in NAMES)])
            assert all(site.times(target) == 1 for target in set(site.targets))
            # Another job is another crawl, if it knows the pages of this one.
            other = crawl(site, {**settings, "JOBDIR": str(tmp_path / "other")}, start=["/"])
            assert other.got == (["home"] if apart else got[:1] + other.got[1:])
            assert len(other.got) == (1 if apart else len(got))

    def test_killed_and_resumed(
        self, process: Callable[..., Process], delta: dict[str, Any], tmp_path: Path
    ) -> None:
        reached, never = threading.Event(), threading.Event()

        def hanging(asked: Asked) -> Answer:
            reached.set()
            return Answer(wait_for=never)

        job: dict[str, Any] = {"seeds": ["/"], "got_file": str(tmp_path / "got")}
        settings = {**delta, "JOBDIR": str(tmp_path / "job")}
        with serving({**tree(), "/hang": hanging}) as site:
            running = process(site, settings, **job, hang_at="/p5/end")
            assert reached.wait(30)
            running.kill()
            never.set()
            assert process(site, settings, **job).result().raised is None
            got = set((tmp_path / "got").read_text().split())
            assert got == {"home", *NAMES, *(f"{name}/end" for name in NAMES)}


class TestDecision:
    """What needs no site."""

    def decide(self, path: Path, requests: list[Request], **options: Any) -> list[bool]:
        """Which of these requests a crawl skips that knows what the store does, and nothing else."""
        stores = Stores(open_seen(None, profile()), open_equivalences(f"sqlite:{path}", profile()))
        duplicates = CanonicalDupeFilter(Options(delta=True, **options), stores=stores)
        try:
            return [duplicates.request_seen(request) for request in requests]
        finally:
            stores.close()

    def test_what_this_crawl_has_kept_is_no_reason(self, path: Path) -> None:
        with opened(path) as store:
            store.keep_page("http://h/old", "http://h/old", time() - 1)
            store.keep_page("http://h/now", "http://h/now", time() + HOUR)
        assert self.decide(path, [Request("http://h/old"), Request("http://h/now")]) == [True, False]

    def test_only_a_get_that_nothing_but_its_url_tells_apart(self, path: Path) -> None:
        with opened(path) as store:
            store.keep_page("http://h/~a", "http://h/~a", 1.0)
        url = "http://h/%7Ea"
        requests = [
            Request(url),
            Request(url, method="HEAD"),
            Request(url, method="POST"),
            Request(url, body=b"x"),
            Request(url, meta={"verbatim_url": True}),
        ]
        assert self.decide(path, requests) == [True, False, False, False, False]

    def test_headers_that_count(self, path: Path) -> None:
        with opened(path) as store:
            store.keep_page("http://h/", "http://h/", 1.0)
        requests = [
            Request("http://h/"),
            Request("http://h/", headers={"Accept-Language": "en"}),
            Request("http://h/", headers={"Accept-Language": "de"}),
        ]
        headers = ((b"accept-language", (b"en",)),)
        assert self.decide(path, requests, headers=headers) == [True, True, False]
        assert self.decide(path, requests) == [True, True, True]

    def test_a_start_by_its_meta(self, path: Path) -> None:
        with opened(path) as store:
            store.keep_page("http://h/", "http://h/", 1.0)
        metas: list[dict[str, Any]] = [
            {"is_start_request": True},
            {"is_start_request": True, "depth": 0},
            {"is_start_request": True, "depth": 1},
            {"is_start_request": False},
            {},
        ]
        for meta, skipped in zip(metas, [False, False, True, True, True], strict=True):
            assert self.decide(path, [Request("http://h/", meta=meta)]) == [skipped]

    @pytest.mark.parametrize("url", ["http://[::1", "http://h/\ud800", "no scheme:", "http://h/é"])
    def test_no_url_raises(self, path: Path, url: str) -> None:
        request = Request("http://h/")
        request._url = url
        assert self.decide(path, [request, request]) == [False, True]


class TestOptions:
    @pytest.mark.parametrize("store", [{}, {"IRI_CANON_STORE": "memory:"}])
    def test_memory_is_refused_with_the_way_out(
        self, crawl: Crawl, plugin: dict[str, Any], store: dict[str, str]
    ) -> None:
        crawled = crawl({"/": page("home")}, {**plugin, **store, "IRI_CANON_DELTA": "true"}, start=["/"])
        assert crawled.raised
        assert crawled.site.targets == []
        told = crawled.said("CRITICAL")
        assert len(told) == 1
        assert "IRI_CANON_DELTA: memory:" in told[0]
        assert "IRI_CANON_STORE to sqlite:PATH" in told[0]
        assert "JOBDIR" in told[0]

    def test_a_job_has_a_store(self) -> None:
        options = read(BaseSettings({"IRI_CANON_DELTA": "1", "JOBDIR": "job"}))
        assert options.delta
        assert options.store.startswith("sqlite:")
        assert not options.delta_items
        assert read(BaseSettings({"IRI_CANON_DELTA_ITEMS": "yes"})).delta_items

    @pytest.mark.parametrize("name", ["DELTA", "DELTA_ITEMS"])
    def test_what_is_neither_true_nor_false_is_refused(self, name: str) -> None:
        with pytest.raises(OptionError, match=f"IRI_CANON_{name}: 'perhaps' is not one of"):
            read(BaseSettings({f"IRI_CANON_{name}": "perhaps", "IRI_CANON_STORE": "sqlite:x"}))
