"""What becomes of a request settles its own claim and no other; a hop is known no longer than its page may come."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from scrapy import Request
from scrapy.utils.request import RequestFingerprinter

from iri_canon.equivalence import open_seen, profile
from scrapy_plugin.chains import TURNS_ALONE, Chains
from scrapy_plugin.fingerprinter import ForeignIdentities
from tests.scrapy_plugin.conftest import Crawl
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect, serving
from tests.scrapy_plugin.spiders import ByNumber

ONE_AT_A_TIME = {"CONCURRENT_REQUESTS": 1}
NOWHERE = "http://127.0.0.1:1/x"
SPIDERS = "tests.scrapy_plugin.spiders"
FINGERPRINTER = {"REQUEST_FINGERPRINTER_CLASS": f"{SPIDERS}.ByNumber"}


@pytest.fixture(params=["memory", "disk"])
def queue(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """Where requests wait: what comes from a disk queue is another object than what went there."""
    return {} if request.param == "memory" else {"JOBDIR": str(tmp_path)}


# A hop whose page nobody got.


@pytest.mark.parametrize("status", [301, 302])
def test_hop_whose_target_only_memory_could_keep(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path, status: int
) -> None:
    """The crawl stops while the target waits behind all else."""
    settings = {**plugin, **ONE_AT_A_TIME, "JOBDIR": str(tmp_path), "REDIRECT_PRIORITY_ADJUST": -100}
    between = [f"/{number}" for number in range(5)]
    routes: dict[str, Route] = {
        "/": page("home", *between, "/stop", "/a"),
        "/a": redirect("/b", status),
        "/b": page("b"),
        "/stop": page("stop"),
        **{name: page(name) for name in between},
    }
    with serving(routes) as site:
        spider = f"{SPIDERS}.Unserializable"
        first = crawl(site, settings, seeds=["/"], spider=spider, stop_at="stop")
        assert first.got[:2] == ["home", "stop"]
        assert site.targets[:3] == ["/", "/a", "/stop"]
        assert site.times("/b") == 0
        second = crawl(site, settings, seeds=["/"], spider=spider)
        assert sorted({*first.got, *second.got}) == sorted(["home", "stop", "b", *between])


@pytest.mark.parametrize("target", ["/b", NOWHERE])
def test_hop_whose_target_failed_is_asked_in_the_next_run(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path, target: str
) -> None:
    settings = {**plugin, "JOBDIR": str(tmp_path), "RETRY_ENABLED": False}
    routes: dict[str, Route] = {
        "/": page("home", "/a"),
        "/a": redirect(target, 301),
        "/b": Answer(status=503),
    }
    with serving(routes) as site:
        first = crawl(site, settings, seeds=["/"])
        assert (first.got, len(first.failed)) == (["home"], 1)
        site.routes |= {"/a": redirect("/b", 301), "/b": page("b")}
        second = crawl(site, settings, seeds=["/"])
        assert second.got == ["home", "b"]


@pytest.mark.parametrize("target", ["/b", NOWHERE])
@pytest.mark.parametrize("retry", [False, True])
def test_hop_whose_target_failed_is_linked_again(
    crawl: Crawl, plugin: dict[str, Any], target: str, retry: bool
) -> None:
    """A hop may be tried again where what it leads to may be."""
    routes: dict[str, Route] = {
        "/": page("home", "/2", "/a"),
        "/2": page("2", "/3"),
        "/3": page("3", "/4"),
        "/4": page("4", "/a"),
        "/a": lambda asked: redirect(target if asked.visit == 1 else "/b"),
        "/b": lambda asked: Answer(status=404) if target == "/b" and asked.visit == 1 else page("b"),
    }
    settings = {**plugin, **ONE_AT_A_TIME, "RETRY_ENABLED": False, "IRI_CANON_RETRY_FAILED": retry}
    crawled = crawl(routes, settings, start=["/"])
    assert crawled.got == ["home", "2", "3", "4", *(["b"] if retry else [])]
    assert crawled.site.times("/a") == (2 if retry else 1)


def test_hop_whose_target_another_chain_got(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """Both chains end in /b; the one that failed there leaves nothing open."""
    routes: dict[str, Route] = {
        "/": page("home", "/2", "/a", "/c"),
        "/2": page("2", "/3"),
        "/3": page("3", "/b"),
        "/a": redirect("/b"),
        "/c": redirect("/b"),
        "/b": lambda asked: Answer(status=404) if asked.visit == 1 else page("b"),
    }
    settings = {**plugin, **ONE_AT_A_TIME, "IRI_CANON_RETRY_FAILED": True}
    crawled = crawl(routes, settings, start=["/"])
    assert sorted(crawled.got) == ["2", "3", "b", "home"]
    assert crawled.site.times("/b") == 2


# A request that is announced to the filter and never scheduled.


def test_refused_request_leaves_no_trace(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {"/": page("home", "/x"), "/x": page("x", "/x")}
    crawled = crawl(routes, plugin, seeds=["/x", "/"], spider=f"{SPIDERS}.Refuses")
    assert crawled.extra == ["GET"]
    assert crawled.got == ["home", "x"]


def test_request_refused_at_the_end_leaves_no_trace(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    """Nothing comes after it in this run."""
    settings = {**plugin, "JOBDIR": str(tmp_path)}
    with serving({"/": page("home", "/x"), "/x": page("x")}) as site:
        assert crawl(site, settings, seeds=["/x"], spider=f"{SPIDERS}.Refuses").got == []
        assert crawl(site, settings, seeds=["/"]).got == ["home", "x"]


def test_stats_that_count_nothing(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """Without a count of what was scheduled, what is announced is believed."""
    settings = {**plugin, "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector"}
    routes: dict[str, Route] = {"/": page("home", "/", "/x"), "/x": page("x", "/", "/x")}
    crawled = crawl(routes, settings, seeds=["/", "/x"])
    assert sorted(crawled.got) == ["home", "x"]


# Requests of one URL that are not one request.


@pytest.mark.parametrize("sent", ["GET", "POST"])
@pytest.mark.parametrize("answered", ["GET", "POST"])
@pytest.mark.parametrize("order", [605, 620])
def test_two_methods_of_one_url_are_answered_at_once(
    crawl: Crawl, plugin: dict[str, Any], sent: str, answered: str, order: int
) -> None:
    """Both redirect to a page that was seen. What each was is told apart, and each comes to its callback."""
    middleware = {f"{SPIDERS}.OneAfterTheOther": order}
    routes: dict[str, Route] = {
        "/home": lambda asked: page(f"home {asked.visit}"),
        "GET /login": redirect("/home", cookie="visited=1"),
        "POST /login": redirect("/home", 303, cookie="in=1"),
    }
    settings = {**plugin, "DOWNLOADER_MIDDLEWARES": middleware, "FIRST_METHOD": answered}
    crawled = crawl(routes, settings, seeds=["/home"], spider=f"{SPIDERS}.GetsAndPosts", sent_first=sent)
    # Which of the two a redirect came from shows in nothing that Scrapy tells: the GET's passes as the POST's does.
    assert sorted(method for method, _ in crawled.extra) == ["GET", "POST"]
    assert sorted(crawled.got) == ["home 1", "home 2", "home 3"]


def queued_and_downloaded() -> dict[str, Route]:
    """The answer of /p waits until /go is asked for, unless a callback downloads it by itself."""
    go = Event()

    def answer_go(asked: Asked) -> Answer:
        go.set()
        return page("go")

    return {
        "/": page("home"),
        "/p": lambda asked: replace(page("p"), wait_for=None if "x-inline" in asked.headers else go),
        "/r": redirect("/p"),
        "/go": answer_go,
    }


def test_page_that_a_callback_downloads_while_it_is_queued(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """The claim is that of the queued request, and the redirect to it waits for that."""
    crawled = crawl(queued_and_downloaded(), plugin, start=["/"], spider=f"{SPIDERS}.InlineQueued")
    assert crawled.extra == ["p"]
    assert crawled.got == ["home", "p"]
    assert crawled.site.times("/p") == 2
    assert crawled.stat("iri_canon/failed") == 0
    assert crawled.stat("iri_canon/chain/dropped") == 1


def test_page_that_a_callback_downloads_while_it_is_on_disk(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    """Which of the two requests the claim is for cannot be told: the page may come twice, and is not lost."""
    settings = {**plugin, "JOBDIR": str(tmp_path)}
    crawled = crawl(queued_and_downloaded(), settings, start=["/"], spider=f"{SPIDERS}.InlineQueued")
    assert crawled.extra == ["p"]
    assert set(crawled.got) == {"home", "p"}


@pytest.mark.parametrize("order", [560, 620])
def test_copy_that_a_middleware_puts_in_a_requests_place(
    crawl: Crawl, plugin: dict[str, Any], queue: dict[str, Any], order: int
) -> None:
    """What it replaces came to nothing, and yet has not failed."""
    routes: dict[str, Route] = {
        "/": page("home", "/r", "/a"),
        "/a": page("a", "/a"),
        "/r": redirect("/a"),
    }
    middleware = {f"{SPIDERS}.Replays": order}
    settings = {**plugin, **queue, **ONE_AT_A_TIME, "DOWNLOADER_MIDDLEWARES": middleware}
    crawled = crawl(routes, settings, start=["/"])
    assert sorted(crawled.got) == ["a", "home"]
    assert crawled.site.times("/a") == 2
    assert crawled.stat("iri_canon/failed") == 0


def test_request_that_the_spider_keeps_while_it_is_on_disk(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    """The object that comes back from the disk fails, and its claim ends, though the one that went there lives."""
    settings = {**plugin, "JOBDIR": str(tmp_path), "RETRY_ENABLED": False}
    routes: dict[str, Route] = {
        "/": page("home", "/x", NOWHERE),
        "/x": lambda asked: Answer(status=503) if asked.visit == 1 else page("x"),
    }
    with serving(routes) as site:
        spider = f"{SPIDERS}.Keeps"
        first = crawl(site, settings, seeds=["/"], spider=spider)
        assert (first.got, first.stat("iri_canon/failed")) == (["home"], 2)
        second = crawl(site, settings, seeds=["/"], spider=spider)
        assert second.got == ["home", "x"]
        assert len(second.failed) == 1


def test_page_that_the_spider_keeps_the_request_of_is_done(
    crawl: Crawl, plugin: dict[str, Any], tmp_path: Path
) -> None:
    settings = {**plugin, "JOBDIR": str(tmp_path)}
    crawled = crawl(
        {"/": page("home", "/x"), "/x": page("x")}, settings, start=["/"], spider=f"{SPIDERS}.Keeps"
    )
    assert crawled.got == ["home", "x"]
    assert crawled.stat("iri_canon/done") == 2


def test_users_own_dont_filter_with_the_meta_of_a_retry(
    crawl: Crawl, plugin: dict[str, Any], queue: dict[str, Any]
) -> None:
    """It looks as a retry does, and is none: the page that it redirects to comes again."""
    routes: dict[str, Route] = {
        "/": page("home", "/retry", "/t"),
        "/retry": lambda asked: Answer(status=503) if asked.visit == 1 else page("retried"),
        "/t": lambda asked: page(f"t{asked.visit}"),
        "/r": redirect("/t"),
    }
    settings = {**plugin, **queue, **ONE_AT_A_TIME}
    crawled = crawl(routes, settings, start=["/"], spider=f"{SPIDERS}.CopiesRetry")
    assert crawled.got == ["home", "t1", "retried", "t2"]
    assert crawled.stat("iri_canon/retry/dont_filter_reset") == 0
    assert crawled.site.times("/r") == 2


# Many chains through one gate.


def test_a_gate_that_many_pages_share_costs_each_of_them_one_wait(
    crawl: Crawl, plugin: dict[str, Any]
) -> None:
    number = 300
    names = [f"/p{one}" for one in range(number)]
    came: list[str] = []

    def wall(asked: Asked) -> Answer:
        if asked.visit > 1:
            return page(asked.target)
        came.append(asked.target)
        return redirect("/gate")

    routes: dict[str, Route] = {
        "/": page("home", *names),
        "/gate": lambda asked: redirect(came.pop(0)),
        **dict.fromkeys(names, wall),
    }
    # All of them are at the gate before it answers the second time.
    settings = {**plugin, "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 16}
    crawled = crawl(routes, settings, start=["/"])
    assert len(crawled.got) == 1 + number
    assert len(set(crawled.got)) == 1 + number
    assert crawled.stat("iri_canon/chain/held") < 2 * number


def test_one_goes_on_at_first_and_then_twice_as_many_each_time() -> None:
    chains = Chains[int](open_seen(None, profile()))
    gate, number = b"gate".rjust(16), 100
    chains.link(gate)
    for one in range(number):
        chains.hold(gate, one)
    alone = [chains.hop(gate) for _ in range(TURNS_ALONE)]
    assert [len(some) for some in alone] == [1] * TURNS_ALONE
    went = [*alone, chains.hop(gate), chains.failed(gate), chains.hop(gate), chains.hop(gate)]
    assert [len(some) for some in went[TURNS_ALONE:]] == [1, 2, 4, 8]
    # In the order they came in; and a page is the answer for all that are left.
    assert [*chain(*went), *chains.done(gate, 200)] == list(range(number))
    chains.hold(gate, 0)
    chains.hold(gate, 1)
    assert chains.failed(gate) == [0]


def test_one_chain_goes_first(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """The page comes to the second request for it, and none goes on for nothing."""
    names = [f"/r{one}" for one in range(12)]
    asked_all = Event()

    def end(asked: Asked) -> Answer:
        return Answer(status=404, wait_for=asked_all) if asked.visit == 1 else page("t")

    def hop(asked: Asked) -> Answer:
        asked_by.add(asked.target)
        if len(asked_by) == len(names):
            asked_all.set()
        return redirect("/t")

    asked_by: set[str] = set()
    routes: dict[str, Route] = {"/": page("home", *names), "/t": end, **dict.fromkeys(names, hop)}
    crawled = crawl(routes, plugin, start=["/"])
    assert crawled.got == ["home", "t"]
    assert crawled.site.times("/t") == 2


# Fingerprinters that users set.


@pytest.mark.parametrize(
    "meta",
    [
        {"redirect_urls": ["x"]},
        {"redirect_urls": ["", "http://[::1/"]},
        {"redirect_urls": ["\udcff"]},
        {"redirect_urls": "http://127.0.0.1/"},
        {"redirect_urls": [None]},
        {"redirect_urls": []},
        {"redirect_urls": ["x"], "retry_times": "1"},
        {"redirect_urls": ["http://127.0.0.1/"], "redirect_reasons": 5},
    ],
)
@pytest.mark.parametrize(
    "end", [page("end"), redirect("/t"), Answer(status=404)], ids=["page", "hop", "error"]
)
def test_own_fingerprinter_and_meta_of_no_use(
    crawl: Crawl, plugin: dict[str, Any], meta: dict[str, Any], end: Answer
) -> None:
    settings = {
        **plugin,
        **FINGERPRINTER,
        "REDIRECT_ENABLED": meta.get("redirect_urls") != "http://127.0.0.1/",
    }
    crawled = crawl({"/": end, "/t": page("t")}, settings, start=["/"], meta=meta)
    assert crawled.raised is None
    assert crawled.said("Traceback") == []
    assert crawled.said("ERROR: ") == []
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.site.times("/") == 1


def test_own_fingerprint_is_the_one_that_a_request_came_with(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """A middleware changes what it is made of; what becomes of the request is still known to be its own."""
    settings = {**plugin, **FINGERPRINTER, "DOWNLOADER_MIDDLEWARES": {f"{SPIDERS}.Numbers": 500}}
    routes: dict[str, Route] = {
        "/": page("home", "/a", "/b"),
        "/a": page("a", "/b", "/"),
        "/b": page("b", "/a"),
    }
    crawled = crawl(routes, settings, start=["/"])
    assert sorted(crawled.got) == ["a", "b", "home"]
    assert crawled.stat("iri_canon/done") == 3
    assert crawled.stat("iri_canon/known") == 3


@pytest.mark.parametrize("fingerprinter", [ByNumber(), RequestFingerprinter()])
def test_digest_for_a_url_that_no_request_can_have(fingerprinter: Any) -> None:
    identities = ForeignIdentities(fingerprinter)
    request = Request("http://example.com/")
    digests = identities.sources(request, ["x", "", "\udcff", "http://example.com/"])
    assert [len(digest) for digest in digests] == [16] * 4
    assert len(set(digests)) == 4
    assert digests[3] == identities.of(request)[0]
