"""What redirected for the time being is asked again where the visitor may be another one by then, and not else."""

from __future__ import annotations

from typing import Any

from scrapy import FormRequest, Request

from scrapy_plugin.sessions import FIRST, MOST_CHANGES, MOST_SITES, Sessions
from tests.scrapy_plugin.conftest import Crawl
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect


def consent(asked: Asked) -> Answer:
    """A gate that sets a cookie and sends back, and a page of its own for who has the cookie."""
    return page("consent") if "ok=1" in asked.cookie else redirect("/a", cookie="ok=1")


def behind_consent(asked: Asked) -> Answer:
    return page("a", "/b", "/consent") if "ok=1" in asked.cookie else redirect("/consent")


def test_gate_that_is_a_page_later(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/a"),
        "/a": behind_consent,
        "/consent": consent,
        "/b": page("b", "/consent", "/a"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["a", "b", "consent", "home"]
    assert crawled.site.times("/consent") == 2


def test_gate_that_stays_a_gate(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/a", "/go"),
        "/a": page("a", "/go", "/b"),
        "/b": page("b", "/go"),
        "/go": redirect("/a"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["a", "b", "home"]
    assert crawled.site.times("/go") == 1


def test_permanent_redirect_is_not_asked_again(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/old"),
        "/old": redirect("/a", 301, cookie="ok=1"),
        "/a": page("a", "/old", "/b"),
        "/b": page("b", "/old"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["a", "b", "home"]
    assert crawled.site.times("/old") == 1


def test_cookie_of_a_new_name_asks_once(crawl: Crawl, plugin: dict[str, Any]) -> None:
    def visit(asked: Asked) -> Answer:
        return redirect("/a", cookie=f"visit={asked.visit}")

    routes: dict[str, Route] = {"/": page("home", "/go"), "/go": visit, "/a": page("a", "/go", "/b")}
    routes |= {
        f"/{name}": page(name, "/go", f"/{further}") for name, further in zip("bcd", "cde", strict=True)
    }
    routes["/e"] = page("e", "/go")
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["a", "b", "c", "d", "e", "home"]
    assert crawled.site.times("/go") == 2


def test_page_linked_after_the_log_in(crawl: Crawl, plugin: dict[str, Any]) -> None:
    def account(asked: Asked) -> Answer:
        return page("account") if "in=1" in asked.cookie else redirect("/login")

    def login(asked: Asked) -> Answer:
        form = Answer('<p id="name">login</p><form action="/login"></form>')
        return redirect("/welcome", 303, cookie="in=1") if asked.method == "POST" else form

    routes: dict[str, Route] = {
        "/": page("home", "/account"),
        "/account": account,
        "/login": login,
        "/welcome": page("welcome", "/account", "/login"),
    }
    crawled = crawl(routes, plugin, start=["/"])
    assert sorted(crawled.got) == ["account", "home", "login", "welcome"]
    assert crawled.site.times("/account") == 2


def test_without_cookies_nothing_is_asked_again(crawl: Crawl, plugin: dict[str, Any]) -> None:
    routes: dict[str, Route] = {
        "/": page("home", "/go"),
        "/go": redirect("/a", cookie="ok=1"),
        "/a": page("a", "/go", "/b"),
        "/b": page("b", "/go"),
    }
    crawled = crawl(routes, {**plugin, "COOKIES_ENABLED": False}, start=["/"])
    assert crawled.site.times("/go") == 1


def test_a_site_cannot_change_without_end() -> None:
    sessions = Sessions()
    for number in range(MOST_CHANGES * 2):
        request = Request("http://a.example/")
        sessions.answered(request, "a.example", [b"c%d=1" % number], acted=True)
    assert sessions.stamp("a.example") == FIRST + MOST_CHANGES
    assert sessions.sent(request, "a.example") == FIRST + MOST_CHANGES
    assert sessions.stamp("b.test") == FIRST


def test_sites_do_not_fill_the_memory() -> None:
    sessions = Sessions()
    for number in range(MOST_SITES + 10):
        host = f"site{number}.example{number}"
        sessions.answered(Request(f"http://{host}/"), host, [], acted=True)
    assert sessions.stamp("site0.example0") == FIRST
    assert sessions.stamp(f"site{MOST_SITES}.example{MOST_SITES}") == FIRST + 1


def test_the_stamp_is_that_of_the_sending() -> None:
    sessions, early, form = Sessions(), Request("http://a.example/"), FormRequest("http://a.example/")
    sessions.send(early, "a.example")
    sessions.answered(form, "www.a.example", [], acted=True)
    assert sessions.sent(early, "a.example") == FIRST
    assert sessions.sent(Request("http://a.example/"), "a.example") == FIRST + 1


def test_another_cookie_of_a_known_name_changes_nothing() -> None:
    sessions = Sessions()
    for value in (b"1", b"2"):
        request = Request("http://a.example/")
        sessions.send(request, "a.example")
        sessions.answered(request, "a.example", [b"c=" + value], acted=False)
    assert sessions.sent(request, "a.example") == sessions.stamp("a.example")
