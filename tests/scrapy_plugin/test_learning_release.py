"""What was skipped is fetched after all when what stood for it does not come, or stands for it no longer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scrapy_plugin.conftest import Crawl
from tests.scrapy_plugin.learned_sites import AUDITED, another, chain, names, plain, slashed
from tests.scrapy_plugin.site import Answer, Asked, Route, page, redirect
from tests.scrapy_plugin.test_learning import learned

LENGTH = 40
BROKEN = range(22, 30)
MIDDLEWARES = "tests.scrapy_plugin.learned_spiders."
PATTERN = r"/d/2[2-9]$"
SELDOM = {"IRI_CANON_AUDIT_SHARE": 0.01, "IRI_CANON_AUDIT_MINIMUM": 1}


def answered(status: int) -> dict[str, Route]:
    return {plain(number): Answer("<p id=name>no page</p>", status) for number in BROKEN}


def redirecting() -> dict[str, Route]:
    routes: dict[str, Route] = {plain(number): redirect(f"/else/{number}") for number in BROKEN}
    return routes | {f"/else/{number}": page(f"else{number}") for number in BROKEN}


NOT_A_PAGE: dict[str, tuple[dict[str, Route], dict[str, Any]]] = {
    "not found": (answered(404), {}),
    "failing": (answered(503), {}),
    "not found, and the callback wants that": (answered(404), {"HTTPERROR_ALLOW_ALL": True}),
    "redirected": (redirecting(), {}),
    "cut off": (
        {},
        {"DOWNLOADER_MIDDLEWARES": {MIDDLEWARES + "MarksPartial": 900}, "IN_THE_WAY_OF": PATTERN},
    ),
    "dropped": ({}, {"DOWNLOADER_MIDDLEWARES": {MIDDLEWARES + "Drops": 50}, "IN_THE_WAY_OF": PATTERN}),
}


@pytest.mark.parametrize("how", NOT_A_PAGE)
def test_a_witness_that_is_no_page(crawl: Crawl, plugin: dict[str, Any], how: str) -> None:
    other, settings = NOT_A_PAGE[how]
    crawled = crawl(chain(LENGTH, other=other), {**plugin, **AUDITED, **settings}, start=["/"])
    assert set(crawled.got) >= names(LENGTH)
    assert learned(crawled, "suppressed") >= 1
    assert learned(crawled, "rescheduled") >= 1
    assert crawled.said("fetched after all: ")
    assert all(crawled.site.times(slashed(number)) == 1 for number in BROKEN)
    assert not crawled.said("Traceback")


def test_a_witness_that_is_a_page_frees_nothing(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """The twin of the above; the page after the last one is linked, and there is none."""
    routes = chain(LENGTH)
    crawled = crawl(routes, {**plugin, **AUDITED}, start=["/"])
    assert learned(crawled, "rescheduled") == 0
    assert any(crawled.site.times(slashed(number)) == 0 for number in BROKEN)


def test_one_page_that_differs_at_the_end_is_found_by_its_sort(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """The first of each sort of URL is fetched in any case: here, one with a parameter."""

    def shown(number: int) -> str:
        return f"/d/{number}/?page=1" if number == LENGTH - 1 else slashed(number)

    other = {f"/d/{LENGTH - 1}/?page=1": another(LENGTH - 1)}
    crawled = crawl(chain(LENGTH, (plain, shown), other), {**plugin, **AUDITED, **SELDOM}, start=["/"])
    assert set(crawled.got) == names(LENGTH) | {f"other{LENGTH - 1}"}


@pytest.mark.parametrize("logged_in_at", ["d25", "d38"])
def test_a_log_in_frees_what_was_skipped(crawl: Crawl, plugin: dict[str, Any], logged_in_at: str) -> None:
    """A page that shows a member something else under the other spelling."""

    def member(number: int) -> Route:
        def answer(asked: Asked) -> Answer:
            links = (plain(number + 1), slashed(number + 1))
            if "in=1" in asked.cookie:
                return page(f"member{number}", *links)
            return page(f"d{number}", *links)

        return answer

    def login(asked: Asked) -> Answer:
        return redirect("/welcome", 303, cookie="in=1")

    other: dict[str, Route] = {slashed(number): member(number) for number in range(LENGTH)}
    other |= {"/login": login, "/welcome": page("welcome")}
    crawled = crawl(
        chain(LENGTH, other=other),
        {**plugin, **AUDITED},
        start=["/"],
        spider="tests.scrapy_plugin.learned_spiders.LogsIn",
        log_in_at=logged_in_at,
    )
    assert set(crawled.got) >= names(LENGTH) | {"welcome"}
    assert learned(crawled, "rescheduled") >= 1
    assert crawled.said("knows its visitor otherwise now")
    # Whatever was skipped, or comes after the log-in, is seen with a member's eyes.
    last = int(logged_in_at[1:])
    assert {f"member{number}" for number in range(last + 1, LENGTH)} <= set(crawled.got)
    assert all(crawled.site.times(slashed(number)) == 1 for number in range(LENGTH))


def test_without_a_log_in_nothing_of_it_happens(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """The twin: the same form is answered without a redirect or a cookie."""
    other: dict[str, Route] = {"/login": page("welcome")}
    crawled = crawl(
        chain(LENGTH, other=other),
        {**plugin, **AUDITED},
        start=["/"],
        spider="tests.scrapy_plugin.learned_spiders.LogsIn",
        log_in_at="d25",
    )
    assert set(crawled.got) == names(LENGTH) | {"welcome"}
    assert learned(crawled, "rescheduled") == 0


@pytest.mark.parametrize("status", [429, 503])
def test_audits_that_decide_nothing_give_all_back(crawl: Crawl, plugin: dict[str, Any], status: int) -> None:
    """Whatever is asked with a slash is answered with an error of the moment from the middle on."""
    other = {slashed(number): Answer(status=status) for number in range(15, LENGTH)}
    settings = {**plugin, **AUDITED, "RETRY_ENABLED": False, "IRI_CANON_AUDIT_MINIMUM": 1}
    crawled = crawl(chain(LENGTH, other=other), settings, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "undecided") > 3
    assert crawled.said("audits did not decide whether it holds")
    assert all(crawled.site.times(slashed(number)) == 1 for number in range(LENGTH))
    assert crawled.stats["finish_reason"] == "finished"


def test_errors_of_the_moment_are_made_up_for(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """The twin: one audit in two has an answer."""
    other = {slashed(number): Answer(status=429) for number in range(15, LENGTH, 2)}
    settings = {**plugin, **AUDITED, "RETRY_ENABLED": False, "IRI_CANON_AUDIT_MINIMUM": 6}
    crawled = crawl(chain(LENGTH, other=other), settings, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "agreed") >= 6
    assert not crawled.said("audits did not decide whether it holds")


def test_a_redirect_to_what_is_skipped_is_fetched(crawl: Crawl, plugin: dict[str, Any]) -> None:
    """A target is never skipped, whatever is known of it."""
    also = {number: [f"/to/{number}"] for number in range(15, LENGTH)}
    other: dict[str, Route] = {}
    for number in range(15, LENGTH):
        other[f"/to/{number}"] = redirect(slashed(number))
    crawled = crawl(chain(LENGTH, other=other, also=also), {**plugin, **AUDITED}, start=["/"])
    assert set(crawled.got) == names(LENGTH)
    assert learned(crawled, "suppressed") >= 10
    assert all(crawled.site.times(slashed(number)) == 1 for number in range(15, LENGTH))
    assert all(crawled.site.times(plain(number)) == 1 for number in range(LENGTH))
