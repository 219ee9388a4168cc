"""One line turns it on, what the user set himself stays, and the add-on is no more than the settings by hand."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings, Settings
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.request import RequestFingerprinter

import scrapy_plugin
from iri_canon import IriError
from iri_canon.learning import Policy
from scrapy_plugin import (
    Addon,
    CanonicalDupeFilter,
    CanonicalFingerprinter,
    CanonicalSpiderMiddleware,
    RedirectObserver,
)
from scrapy_plugin.options import OptionError, read
from tests.scrapy_plugin.conftest import ADDON, ALONE, Crawl
from tests.scrapy_plugin.site import Answer, Route, page, redirect
from tests.scrapy_plugin.test_redirects import walled

BY_HAND: dict[str, Any] = {
    "DUPEFILTER_CLASS": "scrapy_plugin.CanonicalDupeFilter",
    "REQUEST_FINGERPRINTER_CLASS": "scrapy_plugin.CanonicalFingerprinter",
    "DOWNLOADER_MIDDLEWARES": {"scrapy_plugin.RedirectObserver": 610},
    "SPIDER_MIDDLEWARES": {"scrapy_plugin.CanonicalSpiderMiddleware": 1100},
}


class OwnObserver(RedirectObserver):
    """A user's class made from this project's."""


class OwnFilter(RFPDupeFilter):
    """A user's own."""


class OwnFingerprinter(RequestFingerprinter):
    """A user's own."""


class OwnSpider(Spider):
    name = "own"


def updated(settings: dict[str, Any], priority: str = "project") -> Settings:
    merged = Settings()
    merged.setdict(settings, priority)
    crawler = Crawler(OwnSpider, merged)
    build_from_crawler(Addon, crawler).update_settings(crawler.settings)
    return crawler.settings


def components(settings: Settings) -> dict[str, Any]:
    """The settings that decide, with classes instead of names."""

    def loaded(name: str) -> dict[Any, Any]:
        return {load_object(one): order for one, order in settings.getdict(name).items()}

    return {
        name: loaded(name) if name.endswith("MIDDLEWARES") else load_object(settings[name])
        for name in BY_HAND
    }


def test_the_add_on_is_the_settings_by_hand() -> None:
    assert components(updated({})) == components(Settings(BY_HAND))
    before, after = Settings(), updated({})
    assert {name for name in after if after[name] != before[name]} == set(BY_HAND)


def test_the_add_on_crawls_as_the_settings_by_hand(crawl: Crawl) -> None:
    names = [f"/p{number}" for number in range(5)]
    routes: dict[str, Route] = {
        "/": page("home", *names, "/w", "/r", "/s", "/missing"),
        **{name: page(name, *names, f"{name}#x", "/w") for name in names},
        "/w": walled("w"),
        "/r": redirect("/p1", 301),
        "/s": lambda asked: Answer(status=503) if asked.visit == 1 else redirect("/s/", 301),
        "/s/": page("s"),
    }
    told = []
    for settings in (ADDON, BY_HAND):
        crawled = crawl(routes, {**settings, "CONCURRENT_REQUESTS": 1}, start=["/"])
        stats = {name: count for name, count in crawled.stats.items() if isinstance(count, int)}
        for by_chance in ("bytes", "memusage", "per_minute", "log_count"):
            stats = {name: count for name, count in stats.items() if by_chance not in name}
        told.append((crawled.got, crawled.site.targets, stats))
    assert told[0] == told[1]


@pytest.mark.parametrize("priority", ["command", "addon", "project", "spider", "cmdline"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DUPEFILTER_CLASS", "scrapy.dupefilters.BaseDupeFilter"),
        ("DUPEFILTER_CLASS", "scrapy.dupefilters.RFPDupeFilter"),
        ("DUPEFILTER_CLASS", OwnFilter),
        ("REQUEST_FINGERPRINTER_CLASS", "scrapy.utils.request.RequestFingerprinter"),
        ("REQUEST_FINGERPRINTER_CLASS", OwnFingerprinter),
    ],
)
def test_classes_that_the_user_set_stay(name: str, value: Any, priority: str) -> None:
    settings = updated({name: value}, priority)
    assert settings[name] == value
    assert settings.getpriority(name) == Settings({name: value}, priority).getpriority(name)


@pytest.mark.parametrize(
    "placed",
    [
        {"scrapy_plugin.RedirectObserver": 650},
        {"scrapy_plugin.redirect_observer.RedirectObserver": 650},
        {RedirectObserver: 650},
        {OwnObserver: 650},
        {"scrapy_plugin.RedirectObserver": None},
        {"scrapy_plugin.redirect_observer.RedirectObserver": None},
        '{"scrapy_plugin.RedirectObserver": 650}',
    ],
)
def test_middlewares_that_the_user_placed_stay(placed: Any) -> None:
    settings = updated({"DOWNLOADER_MIDDLEWARES": placed})
    expected = Settings({"DOWNLOADER_MIDDLEWARES": placed}).getdict("DOWNLOADER_MIDDLEWARES")
    assert settings.getdict("DOWNLOADER_MIDDLEWARES") == expected


def test_other_middlewares_stay() -> None:
    other = {"scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": 901, "no.such.Thing": None}
    settings = updated({"DOWNLOADER_MIDDLEWARES": other})
    assert settings.getdict("DOWNLOADER_MIDDLEWARES") == {**other, RedirectObserver: 610}


def test_placed_in_the_base_setting() -> None:
    base = {**Settings().getdict("SPIDER_MIDDLEWARES_BASE"), CanonicalSpiderMiddleware: 1001}
    settings = updated({"SPIDER_MIDDLEWARES_BASE": base})
    assert settings.getdict("SPIDER_MIDDLEWARES") == {}


def test_the_filter_takes_the_answer_of_the_users_fingerprinter(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/a?x=1&y=2", "/a?y=2&x=1", "/w"),
        "/a": page("a"),
        "/w": walled("w"),
    }
    ours = crawl(routes, plugin, start=["/"])
    assert sorted(ours.got) == ["a", "a", "home", "w"]
    own = {**plugin, "REQUEST_FINGERPRINTER_CLASS": "scrapy.utils.request.RequestFingerprinter"}
    theirs = crawl(routes, own, start=["/"])
    assert sorted(theirs.got) == ["a", "home", "w"]
    assert theirs.stat("iri_canon/filtered/fingerprinter") == 1


@pytest.mark.parametrize("off", [False, "False", "0", 0, "no"])
def test_turned_off(crawl: Crawl, off: Any) -> None:
    with pytest.raises(NotConfigured):
        updated({"IRI_CANON_ENABLED": off})
    crawler = Crawler(OwnSpider, Settings({"IRI_CANON_ENABLED": off}))
    crawler.request_fingerprinter = RequestFingerprinter()
    for middleware in (RedirectObserver, CanonicalSpiderMiddleware):
        with pytest.raises(NotConfigured):
            middleware.from_crawler(crawler)
    assert type(CanonicalDupeFilter.from_crawler(crawler)) is RFPDupeFilter
    assert type(CanonicalFingerprinter.from_crawler(crawler)) is RequestFingerprinter


def test_turned_off_it_is_scrapy(crawl: Crawl) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/p", "/q?b=1&a=2", "/q?a=2&b=1"),
        "/p": walled("p"),
        "/q": page("q"),
    }
    told = []
    for settings in ({}, {**ADDON, "IRI_CANON_ENABLED": False}, {**BY_HAND, "IRI_CANON_ENABLED": "False"}):
        crawled = crawl(routes, {**settings, "CONCURRENT_REQUESTS": 1}, start=["/"])
        told.append((crawled.raised, crawled.got, crawled.site.targets))
        assert not [name for name in crawled.stats if name.startswith("iri_canon")]
    assert told[0] == told[1] == told[2]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"IRI_CANON_LEARN": "always"}, "IRI_CANON_LEARN: 'always' is not one of: off, observed, audited"),
    ({"IRI_CANON_LEARN_SUPPORT": 1}, "IRI_CANON_LEARN_SUPPORT: 1 is not a whole number from 2 to 64"),
    ({"IRI_CANON_LEARN_SUPPORT": 65}, "IRI_CANON_LEARN_SUPPORT: 65 is not a whole number from 2 to 64"),
    ({"IRI_CANON_LEARN_SUPPORT": 2.5}, "IRI_CANON_LEARN_SUPPORT: 2.5 is not a whole number"),
    ({"IRI_CANON_LEARN_SUPPORT": True}, "IRI_CANON_LEARN_SUPPORT: True is not a whole number"),
    ({"IRI_CANON_AUDIT_SHARE": "0"}, "IRI_CANON_AUDIT_SHARE: '0' is not a number from 0.001 to 1"),
    ({"IRI_CANON_AUDIT_SHARE": 1.01}, "IRI_CANON_AUDIT_SHARE: 1.01 is not a number from 0.001 to 1"),
    ({"IRI_CANON_AUDIT_SHARE": "nan"}, "IRI_CANON_AUDIT_SHARE: 'nan' is not a number from 0.001 to 1"),
    (
        {"IRI_CANON_AUDIT_MINIMUM": "0"},
        "IRI_CANON_AUDIT_MINIMUM: '0' is not a whole number from 1 to 1000000",
    ),
    ({"IRI_CANON_AUDIT_MINIMUM": 10**6 + 1}, "IRI_CANON_AUDIT_MINIMUM: 1000001 is not a whole number"),
    ({"IRI_CANON_AUDIT_MINIMUM": "few"}, "IRI_CANON_AUDIT_MINIMUM: 'few' is not a whole number"),
    ({"IRI_CANON_CONVENTIONS": "https,wwww"}, "IRI_CANON_CONVENTIONS: "),
    ({"IRI_CANON_CONVENTIONS": {"*.": ["www"]}}, "IRI_CANON_CONVENTIONS: "),
    ({"IRI_CANON_CONVENTIONS": 7}, "IRI_CANON_CONVENTIONS: 7 is not a list of names"),
    ({"IRI_CANON_CONVENTIONS": "{broken"}, "IRI_CANON_CONVENTIONS: "),
    (
        {"IRI_CANON_STORE": "redis://127.0.0.1/0"},
        "IRI_CANON_STORE: 'redis://127.0.0.1/0' is not in this version",
    ),
    ({"IRI_CANON_STORE": "here"}, "IRI_CANON_STORE: 'here' is not one of: memory:, sqlite:PATH"),
    ({"IRI_CANON_ENABLED": "maybe"}, "IRI_CANON_ENABLED: 'maybe' is not one of: True, False"),
    ({"IRI_CANON_KEEP_FRAGMENTS": 2}, "IRI_CANON_KEEP_FRAGMENTS: 2 is not one of"),
    ({"IRI_CANON_TEMPORARY_REDIRECTS": "302"}, "IRI_CANON_TEMPORARY_REDIRECTS: '302' is not one of"),
    ({"IRI_CANON_RETRY_FAILED": []}, "IRI_CANON_RETRY_FAILED: [] is not one of"),
    ({"IRI_CANON_HEADERS": ["A B"]}, "IRI_CANON_HEADERS: "),
    ({"IRI_CANON_ITEM_FIELD": 3}, "IRI_CANON_ITEM_FIELD: 3 is not the name of a field"),
    ({"IRI_CANON_DELTA": True}, "IRI_CANON_DELTA: memory: keeps no page for the next crawl"),
    ({"IRI_CANON_DELTA_TTL": "soon"}, "IRI_CANON_DELTA_TTL: 'soon' is not a time"),
    (
        {"IRI_CANON_CONVENTION": "www"},
        "IRI_CANON_CONVENTION: there is no such setting; did you mean IRI_CANON_CONVENTIONS?",
    ),
    (
        {"IRI_CANNON_LEARN": "off"},
        "IRI_CANNON_LEARN: there is no such setting; did you mean IRI_CANON_LEARN?",
    ),
    (
        {"IRI_CANON_XYZ": 1},
        "IRI_CANON_XYZ: there is no such setting; the settings are IRI_CANON_AUDIT_MINIMUM, ",
    ),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG, ids=[str(wrong) for wrong, _ in WRONG])
def test_wrong_settings_are_refused_by_name(crawl: Crawl, wrong: dict[str, Any], words: str) -> None:
    for plugin in (ADDON, ALONE):
        crawled = crawl({"/": page("home")}, {**plugin, **wrong}, start=["/"])
        assert crawled.raised
        assert crawled.site.targets == []
        told = crawled.said("CRITICAL")
        assert len(told) == 1
        assert words in told[0]


RIGHT: list[dict[str, Any]] = [
    {"IRI_CANON_CONVENTIONS": "https, www"},
    {"IRI_CANON_CONVENTIONS": '["https", "www"]'},
    {"IRI_CANON_CONVENTIONS": '{"*": ["https"], "*.example.com": "www,trailing-slash"}'},
    {"IRI_CANON_CONVENTIONS": {"*": ["https"], "example.com": ("www",)}},
    {"IRI_CANON_CONVENTIONS": ["scrapy"]},
    {"IRI_CANON_CONVENTIONS": ""},
    {"IRI_CANON_CONVENTIONS": None},
    {"IRI_CANON_LEARN": "OFF", "IRI_CANON_STORE": "", "IRI_CANON_HEADERS": "Accept-Language"},
    {"IRI_CANON_STORE": "memory:", "IRI_CANON_RETRY_FAILED": "1", "IRI_CANON_KEEP_FRAGMENTS": "true"},
    {"IRI_CANON_LEARN": "Audited", "IRI_CANON_LEARN_SUPPORT": "2", "IRI_CANON_AUDIT_SHARE": "1"},
    {"IRI_CANON_LEARN": "audited", "IRI_CANON_AUDIT_SHARE": 1, "IRI_CANON_AUDIT_MINIMUM": " 1"},
    {"IRI_CANON_LEARN": "audited", "IRI_CANON_LEARN_SUPPORT": 64, "IRI_CANON_AUDIT_MINIMUM": "1000000"},
    {"IRI_CANON_DELTA": "False", "IRI_CANON_TEMPORARY_REDIRECTS": "yes", "IRI_CANON_ITEM_FIELD": "key"},
]


@pytest.mark.parametrize(
    ("setting", "field", "limits"),
    [("LEARN_SUPPORT", "support", (2, 64)), ("AUDIT_MINIMUM", "audit_minimum", (1, 10**6))],
)
def test_the_limits_are_those_of_the_policy(setting: str, field: str, limits: tuple[int, int]) -> None:
    for limit, beyond in zip(limits, (limits[0] - 1, limits[1] + 1), strict=True):
        read(BaseSettings({f"IRI_CANON_{setting}": limit}))
        Policy(**{field: limit})
        with pytest.raises(OptionError, match=f"IRI_CANON_{setting}: {beyond} "):
            read(BaseSettings({f"IRI_CANON_{setting}": beyond}))
        with pytest.raises(IriError, match=f"{field} is {beyond}"):
            Policy(**{field: beyond})


@pytest.mark.parametrize("right", RIGHT, ids=str)
def test_settings_may_be_strings(crawl: Crawl, plugin: dict[str, Any], right: dict[str, Any]) -> None:
    crawled = crawl({"/": page("home")}, {**plugin, **right}, start=["/"])
    assert crawled.raised is None
    assert crawled.got == ["home"]


def test_item_field(crawl: Crawl) -> None:
    settings = {**ADDON, "IRI_CANON_ITEM_FIELD": "key"}
    spider = "tests.scrapy_plugin.spiders.Items"
    crawled = crawl({"/%7Ea": page("home")}, settings, start=["/%7Ea"], spider=spider)
    url = f"{crawled.site.url}/~a"
    assert crawled.extra == [{"key": url}, {"key": "own"}, {"key": url}, "Bare"]
    assert crawled.stat("iri_canon/item_field/skipped") == 1


def test_public_names() -> None:
    assert all(hasattr(scrapy_plugin, name) for name in scrapy_plugin.__all__)
