"""A page behind a redirect is never lost, with the add-on and with the filter alone."""

from __future__ import annotations

from threading import Barrier
from typing import Any

import pytest

from tests.scrapy_plugin.conftest import Crawl
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect


def walled(name: str, *links: str, cookie: str = "seen=1") -> Route:
    """Without its cookie a redirect to itself, with it the page."""

    def answer(asked: Asked) -> Answer:
        return page(name, *links) if cookie in asked.cookie else redirect(asked.target, cookie=cookie)

    return answer


def test_redirect_to_itself_with_a_cookie(crawl: Crawl, plugin: dict[str, Any]) -> None:
    crawled = crawl({"/": page("home", "/p"), "/p": walled("p")}, plugin, start=["/"])
    assert crawled.got == ["home", "p"]
    assert crawled.site.times("/p") == 2
    assert crawled.failed == []


def test_seed_that_redirects_to_itself(crawl: Crawl, plugin: dict[str, Any]) -> None:
    crawled = crawl({"/p": walled("p", "/p", "/q"), "/q": page("q", "/p")}, plugin, seeds=["/p"])
    assert sorted(crawled.got) == ["p", "q"]


def test_there_and_back(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/a"),
        "/a": lambda asked: page("a") if "b=1" in asked.cookie else redirect("/b"),
        "/b": redirect("/a", cookie="b=1"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["home", "a"]
    assert crawled.site.targets == ["/", "/a", "/b", "/a"]


def test_reordered_query(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/s?qux=1&foo=2"),
        "/s?qux=1&foo=2": redirect("/s?foo=2&qux=1"),
        "/s?foo=2&qux=1": page("sorted"),
    }
    assumed = {**plugin, "IRI_CANON_CONVENTIONS": ["query-order"]}
    for settings in (plugin, assumed):
        crawled = crawl(routes, settings, start=["/"])
        assert crawled.got == ["home", "sorted"]


def test_raw_to_encoded_spelling(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/m%c3%a1s"),
        "/m%c3%a1s": redirect("/m%C3%A1s", 301),
        "/m%C3%A1s": page("mas"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["home", "mas"]


@pytest.mark.parametrize("assumed", [[], ["trailing-slash"]])
def test_slash(crawl: Crawl, plugin: dict[str, Any], assumed: list[str]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/d", "/d/"),
        "/d": redirect("/d/", 301),
        "/d/": page("d", "/d", "/d/"),
    }
    crawled = crawl(routes, {**plugin, "IRI_CANON_CONVENTIONS": assumed}, start=["/"])
    assert sorted(crawled.got) == ["d", "home"]
    assert crawled.site.times("/d/") == 1


def test_meta_refresh(crawl: Crawl, plugin: dict[str, Any]) -> None:
    refresh = '<meta http-equiv="refresh" content="0;url=../login">'
    routes: dict[str, Route] = {
        "/": lambda asked: page("home") if "in=1" in asked.cookie else page("no", head=refresh),
        "/login": redirect("/", cookie="in=1"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["home"]
    assert [target for target in crawled.site.targets if target != "/../login"] in (
        ["/", "/login", "/"],
        ["/", "/"],
    )


def test_target_seen_before_is_not_fetched_again(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B159, B168, B173."""
    routes: dict[str, Route] = {
        "/": page("home", "/b"),
        "/b": page("b", "/r"),
        "/r": redirect("/b", 301),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["home", "b"]
    assert crawled.site.targets == ["/", "/b", "/r"]
    assert crawled.stat("dupefilter/filtered") == 1


def test_each_url_of_a_chain_is_known_afterwards(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/old"),
        "/old": redirect("/mid", 301),
        "/mid": redirect("/new", 301),
        "/new": page("new", "/old", "/mid", "/new"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["home", "new"]
    assert crawled.site.targets == ["/", "/old", "/mid", "/new"]
    assert crawled.stat("dupefilter/filtered") == 3


def test_after_a_retry_the_next_redirect_is_filtered(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B160."""
    routes: dict[str, Route] = {
        "/sbn": page("sbn", "/s"),
        "/s": redirect("/b", 307),
        "/b": lambda asked: Answer(status=503) if asked.visit == 1 else redirect("/sbn", 307),
    }
    crawled = crawl(routes, plugin, start=["/sbn"])
    assert crawled.got == ["sbn"]
    assert crawled.site.targets == ["/sbn", "/s", "/b", "/b"]
    assert crawled.stat("iri_canon/retry/dont_filter_reset") == 1


def test_a_page_behind_a_retry_and_a_redirect_is_found(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/s"),
        "/s": lambda asked: Answer(status=503) if asked.visit == 1 else redirect("/p", 301),
        "/p": lambda asked: Answer(status=503) if asked.visit == 1 else page("p", "/s"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["home", "p"]
    assert crawled.site.targets == ["/", "/s", "/s", "/p", "/p"]


def test_retried_seed_keeps_its_own_dont_filter(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """The flag is the user's: what the seed redirects to is fetched though it was seen."""
    routes: dict[str, Route] = {
        "/p": lambda asked: page(f"p{asked.visit}", "/x"),
        "/x": page("x"),
        "/seed": lambda asked: Answer(status=503) if asked.visit < 3 else redirect("/p"),
    }
    crawled = crawl(routes, {**plugin, "CONCURRENT_REQUESTS": 1}, seeds=["/p", "/seed"])
    assert sorted(crawled.got) == ["p1", "p2", "x"]


@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_shared_gate(crawl: Crawl, plugin: dict[str, Any], concurrency: int) -> None:
    """Each page sends to one gate, which gives a cookie for the page that the Referer names, and sends back."""
    names = [f"/p{number}" for number in range(6)]

    def wall(asked: Asked) -> Answer:
        return page(asked.target, *names) if f"{asked.target[1:]}=1" in asked.cookie else redirect("/gate")

    def gate(asked: Asked) -> Answer:
        came_from = asked.headers["referer"].rpartition("/")[2]
        return redirect(f"/{came_from}", cookie=f"{came_from}=1")

    routes: dict[str, Route] = {"/": page("home", *names), "/gate": gate, **dict.fromkeys(names, wall)}
    crawled = crawl(routes, {**plugin, "CONCURRENT_REQUESTS": concurrency}, start=["/"])
    assert sorted(crawled.got) == sorted(["home", *names])
    assert crawled.site.times("/gate") == len(names)
    assert all(crawled.site.times(name) == 2 for name in names)


def test_one_gate_leads_to_one_page(crawl: Crawl, plugin: dict[str, Any]) -> None:
    names = [f"/p{number}" for number in range(6)]
    routes: dict[str, Route] = {
        "/": page("home", *names),
        "/gate": lambda asked: redirect("/hall", cookie="gate=1"),
        "/hall": page("hall"),
        **dict.fromkeys(names, lambda asked: redirect("/gate")),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["hall", "home"]
    assert crawled.site.times("/hall") == 1


def test_interlocked_chains(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """Each of two pages sends to the other, at once; each opens when the other was asked for."""
    both_asked = Barrier(2)

    def door(own: str, other: str) -> Route:
        def answer(asked: Asked) -> Answer:
            if asked.visit == 1:
                both_asked.wait(20)
            opened = f"{other}=1" in asked.cookie
            return page(own) if opened else redirect(f"/{other}", cookie=f"{own}=1")

        return answer

    routes: dict[str, Route] = {"/": page("home", "/a", "/b"), "/a": door("a", "b"), "/b": door("b", "a")}
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["a", "b", "home"]
    assert sorted(crawled.site.targets) == ["/", "/a", "/a", "/b", "/b"]


def test_seeds_are_recorded(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/a": page("a", "/a", "/b", "/c"),
        "/b": page("b", "/a", "/%62", "/b#x"),
        "/c": page("c", "/a", "/b"),
    }
    crawled = crawl(routes, plugin, seeds=["/a", "/b"])
    assert sorted(crawled.got) == ["a", "b", "c"]
    # A seed is never filtered itself.
    crawled = crawl(routes, plugin, seeds=["/c", "/c"])
    assert sorted(crawled.got) == ["a", "b", "c", "c"]


def test_scheduler_of_another_make(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B195."""
    routes: dict[str, Route] = {
        "/": page("home", "/p", "/r", "/p#x"),
        "/p": walled("p"),
        "/r": redirect("/p"),
    }
    settings = {**plugin, "SCHEDULER": "tests.scrapy_plugin.spiders.PlainScheduler"}
    crawled = crawl(routes, settings, start=["/"])
    assert sorted(crawled.got) == ["home", "p"]
    assert crawled.site.times("/p") == 2


@pytest.mark.parametrize("status", [301, 302])
def test_several_redirects_onto_one_target_at_once(crawl: Crawl, plugin: dict[str, Any], status: int) -> None:
    """B171."""
    names = [f"/r{number}" for number in range(5)]
    routes: dict[str, Route] = {
        "/": page("home", *names),
        "/t": page("t", *names, "/t"),
        **dict.fromkeys(names, redirect("/t", status)),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["home", "t"]
    assert crawled.site.times("/t") == 1
    assert crawled.stat("iri_canon/chain/held") == crawled.stat("iri_canon/chain/dropped")


def test_redirects_at_once_onto_a_page_behind_a_cookie_wall(crawl: Crawl, plugin: dict[str, Any]) -> None:
    names = [f"/r{number}" for number in range(5)]
    routes: dict[str, Route] = {
        "/": page("home", *names),
        "/t": walled("t"),
        **dict.fromkeys(names, redirect("/t")),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["home", "t"]
    assert crawled.site.times("/t") == 2


def test_target_that_fails_for_one_chain_is_tried_by_the_next(crawl: Crawl, plugin: dict[str, Any]) -> None:
    names = ["/r0", "/r1"]
    routes: dict[str, Route] = {
        "/": page("home", *names),
        "/t": lambda asked: Answer(status=404) if asked.visit == 1 else page("t"),
        **dict.fromkeys(names, redirect("/t")),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["home", "t"]


def test_log_in_that_leads_back_to_a_seen_page(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B161."""
    form = '<form action="/" method="post"></form>'
    routes: dict[str, Route] = {
        "GET /": lambda asked: (
            page("members", "/m") if "in=1" in asked.cookie else Answer(f"<p id=name>door</p>{form}")
        ),
        "POST /": redirect("/", cookie="in=1"),
        "/m": page("m", "/"),
    }
    for seeds in ({"start": ["/"]}, {"seeds": ["/"]}):
        crawled = crawl(routes, plugin, **seeds)
        assert crawled.got == ["door", "members", "m"]
        assert crawled.site.targets == ["/", "POST /", "/", "/m"]


def test_log_in_over_several_hops(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": lambda asked: (
            page("members", "/m")
            if "in=1" in asked.cookie
            else Answer("<p id=name>door</p><form action=/login></form>")
        ),
        "POST /login": redirect("/welcome", 303, cookie="half=1"),
        "/welcome": redirect("/", cookie="in=1"),
        "/m": page("m", "/", "/welcome"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["door", "members", "m"]
    # "/welcome" gave a cookie, so it might show a page to who has it.
    assert crawled.site.targets == ["/", "POST /login", "/welcome", "/", "/m", "/welcome"]


@pytest.mark.parametrize("seeds", ["start", "seeds"])
def test_spider_that_copies_meta(crawl: Crawl, plugin: dict[str, Any], seeds: str) -> None:
    routes: dict[str, Route] = {
        "/": redirect("/home"),
        "/home": page("home", "/", "/home", "/a", "/b"),
        "/a": redirect("/b"),
        "/b": walled("b", "/", "/a", "/b", "/home", "/c"),
        "/c": page("c", "/", "/a", "/b", "/c", "/home"),
    }
    crawled = crawl(routes, plugin, copy_meta=True, **{seeds: ["/"]})
    assert sorted(crawled.got) == ["b", "c", "home"]
    assert sorted(crawled.site.targets) == ["/", "/a", "/b", "/b", "/c", "/home"]


def test_two_spelling_loop_ends_at_the_limit(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B167."""
    routes: dict[str, Route] = {
        "/": page("home", "/a%2C1"),
        "/a%2C1": redirect("/a%2c1", 301),
        "/a%2c1": redirect("/a%2C1", 301),
    }
    crawled = crawl(routes, {**plugin, "REDIRECT_MAX_TIMES": 5}, start=["/"])
    assert crawled.got == ["home"]
    assert len(crawled.site.targets) == 1 + 6
    assert len(crawled.said("max redirections reached")) == 1
    assert crawled.stats["finish_reason"] == "finished"


def test_location_with_raw_octets(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B162."""
    routes: dict[str, Route] = {
        "/": page("home", "/r", "/l"),
        "/r": redirect(b"/n/\xd8\xa7", 301),
        "/n/%D8%A7": page("alef"),
        "/l": redirect(b"/n/\xe9", 301),
        "/n/%E9": page("latin"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["alef", "home", "latin"]


def test_the_same_location_twice(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B175."""
    routes: dict[str, Route] = {
        "/": page("home", "/x/"),
        "/x/": Answer(status=301, headers=(("Location", "/x"), ("Location", "/x"))),
        "/x": page("x"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["home", "x"]


def test_redirect_off_site(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """B176."""
    routes: dict[str, Route] = {
        "/": page("home", "/ad", "/p"),
        "/ad": redirect("http://ads.example.org/"),
        "/p": page("p", "/ad"),
    }
    crawled = crawl(routes, plugin, start=["/"], allowed_domains=["127.0.0.1"])
    assert sorted(crawled.got) == ["home", "p"]
    assert crawled.site.targets.count("/ad") == 1
    assert crawled.stat("offsite/filtered") == 1


def test_redirect_off_site_after_a_retry(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """A retry's leaked dont_filter would let it pass the off-site check."""
    routes: dict[str, Route] = {
        "/": page("home", "/ad"),
        "/ad": lambda asked: Answer(status=503) if asked.visit == 1 else redirect("http://ads.example.org/"),
    }
    crawled = crawl(routes, plugin, start=["/"], allowed_domains=["127.0.0.1"])
    assert crawled.got == ["home"]
    assert crawled.stat("offsite/filtered") == 1
    assert crawled.stat("downloader/request_count") == 3
