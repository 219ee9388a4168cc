"""Records of several logs become evidence by key: redirects with their last answer, contents, and what objects."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from iri_canon.equivalence import EquivalenceStore, RuleName, RuleState, open_equivalences, profile
from iri_canon.learning import Policy
from iri_canon.logs.digests import octets_of
from iri_canon.logs.lessons import LONGEST_CHAIN, Lessons, Taught
from logs.reading import records

A, B, C = "http://h.example/x/a/", "http://h.example/x/a", "http://h.example/x/A"


def taught(
    rows: Iterable[dict[str, Any]], *, temporary: bool = False, support: int = 5, more: str = ""
) -> tuple[Taught, EquivalenceStore]:
    """What the rows of a feed teach, and a crawl.log behind them."""
    lessons = Lessons()
    for record in (*records("jsonl", "\n".join(map(json.dumps, rows))), *records("heritrix", more)):
        lessons.add(record)
    store = open_equivalences(None, profile())
    return lessons.teach(store, Policy(support=support), temporary=temporary), store


def move(source: str = A, target: str = B, status: int = 301, **fields: Any) -> dict[str, Any]:
    return {"url": source, "status": status, "location": target, **fields}


def page(url: str = B, digest: str | None = None, status: int = 200, **fields: Any) -> dict[str, Any]:
    return {"url": url, "status": status, "digest": digest, **fields}


def pairs(store: EquivalenceStore) -> dict[str, str]:
    return {each.source: each.representative for each in store.equivalences()}


def state(store: EquivalenceStore, kind: str, section: str = "x", host: str = "h.example") -> str | None:
    rule = store.rule(RuleName(host, kind, section))
    return None if rule is None else rule.state.value


@pytest.mark.parametrize("status", [301, 308])
@pytest.mark.parametrize(
    "rows", [[move(), page()], [page(), move()], [move(A, "a"), page("HTTP://h.example:80/x/a")]]
)
def test_a_permanent_redirect_whose_target_answered_makes_a_pair(
    rows: list[dict[str, Any]], status: int
) -> None:
    moved = [{**row, "status": status} if "location" in row else row for row in rows]
    if moved[0].get("location") == "a":
        moved[0]["location"] = "../a"
    result, store = taught(moved)
    assert pairs(store) == {A: B}
    assert (result.pairs, dict(result.refused)) == (1, {})


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([move()], "unfinished"),
        ([move(), page(status=404)], "final-status"),
        ([move(), page(status=301)], "final-status"),
        ([move(status=302), page()], "temporary"),
        ([move(status=303), page()], "status"),
        ([move(status=200), page()], "status"),
        ([move(method="POST"), page()], "method"),
        ([move(), page(method="POST")], "unfinished"),
        ([move(target="http://h.example/"), page("http://h.example/")], "unexplained"),
        ([move(target=A), page(A)], "same-key"),
        ([move(target="http://[/"), page()], "location"),
        ([move(), move(B, A)], "unfinished"),
    ],
)
def test_anything_else_makes_none_and_is_counted(rows: list[dict[str, Any]], reason: str) -> None:
    result, store = taught(rows)
    assert pairs(store) == {}
    assert set(result.refused) == {reason}


def test_temporary_redirects_count_if_asked() -> None:
    assert pairs(taught([move(status=302), page()])[1]) == {}
    assert pairs(taught([move(status=302), page()], temporary=True)[1]) == {A: B}


def test_a_chain_makes_a_pair_of_each_of_its_ends() -> None:
    rows = [move(A, B), move(B, C, 308), page(C)]
    assert pairs(taught(rows)[1]) == {A: C, B: C}
    rows[1]["status"] = 302
    result, store = taught(rows)
    assert (pairs(store), dict(result.refused)) == ({}, {"temporary": 2})


def test_a_long_chain_shows_nothing() -> None:
    def chain(length: int) -> list[dict[str, Any]]:
        urls = [f"http://h.example/x{'/' * number}" for number in range(1, length + 2)]
        return [*map(move, urls, urls[1:]), page(urls[-1])]

    assert len(pairs(taught(chain(LONGEST_CHAIN))[1])) == LONGEST_CHAIN
    result, store = taught(chain(LONGEST_CHAIN + 1))
    assert (len(pairs(store)), dict(result.refused)) == (LONGEST_CHAIN, {"unfinished": 1})


def test_what_scrapy_followed_is_seen_once() -> None:
    followed = page(B, redirect_urls=[A], redirect_reasons=[301])
    result, store = taught([move(), followed])
    assert (result.pairs, pairs(store)) == (1, {A: B})
    assert pairs(taught([followed])[1]) == {A: B}
    assert pairs(taught([page(B, redirect_urls=[A], redirect_reasons=["meta refresh"])])[1]) == {}


def heritrix(status: int) -> str:
    begin = "2026-12-01T06:10:35.000Z"
    end = "text/html #001 20261201061034000+9"
    return (
        f"{begin} {status} 9 {A} L http://h.example/ {end} - - -\n{begin} 200 9 {B} LR {A} {end} sha1:A - -"
    )


def test_the_status_of_a_redirect_may_be_in_another_record() -> None:
    assert pairs(taught([], more=heritrix(301))[1]) == {A: B}
    for status, reason in ((302, "temporary"), (200, "status")):
        result, store = taught([], more=heritrix(status))
        assert (pairs(store), dict(result.refused)) == ({}, {reason: 1})


@pytest.mark.parametrize(("time", "digest", "count"), [(9, "1", 0), (10, "1", 0), (8, "1", 1), (9, "2", 1)])
def test_no_pair_where_both_answered_for_themselves_after_the_redirect(
    time: int, digest: str, count: int
) -> None:
    rows = [move(time=9), page(B, "2", time=9), page(A, digest, time=time)]
    result, store = taught(rows)
    assert len(pairs(store)) == count
    assert dict(result.refused) == ({} if count else {"contradicted": 1})


def spellings(count: int, digest: str = "{}", **fields: Any) -> list[dict[str, Any]]:
    """Pages with and without the name of the document; their relative links lead to the same places."""
    return [
        page(f"http://h.example/x/{number}{end}", digest.format(number) and f"{number}{digest}", **fields)
        for number in range(count)
        for end in ("/", "/index.html")
    ]


def test_equal_digests_bring_a_rule_into_force() -> None:
    result, store = taught(spellings(5))
    assert state(store, "default-document") == RuleState.IN_FORCE
    assert [(change.name.section, change.after.value) for change in result.changes] == [("x", "in force")]
    assert result.answers == 10
    assert state(taught(spellings(4))[1], "default-document") == RuleState.PROPOSED
    assert state(taught(spellings(4), support=4)[1], "default-document") == RuleState.IN_FORCE


@pytest.mark.parametrize(
    "last",
    [page("http://h.example/x/9/index.html", "other"), page("http://h.example/x/9/index.html", status=404)],
)
def test_one_that_differs_retracts_it(last: dict[str, Any]) -> None:
    rows = [*spellings(5), page("http://h.example/x/9/", "one"), last]
    assert state(taught(rows)[1], "default-document") == RuleState.RETRACTED


def test_redirects_bring_a_rule_into_force() -> None:
    rows = [
        row
        for number in range(5)
        for row in (
            move(f"http://h.example/x/{number}/", f"../{number}"),
            page(f"http://h.example/x/{number}"),
        )
    ]
    assert state(taught(rows)[1], "trailing-slash") == RuleState.IN_FORCE
    assert state(taught(rows[:-2])[1], "trailing-slash") == RuleState.PROPOSED


@pytest.mark.parametrize(
    "row",
    [
        {"digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"},  # of nothing
        {"digest": None},
        {"status": 206},
        {"method": "POST"},
        {"status": 503},
    ],
)
def test_what_is_no_content_teaches_nothing(row: dict[str, Any]) -> None:
    rows = [{**each, **row} for each in spellings(5)]
    assert list(taught(rows)[1].rules()) == []


def test_a_page_that_changes_by_itself_tells_nothing_of_others() -> None:
    steady = [page("http://h.example/x/1/", "one"), page("http://h.example/x/1/index.html", "other")]
    assert state(taught(steady)[1], "default-document") == RuleState.RETRACTED
    assert state(taught([*steady, page("http://h.example/x/1/", "another")])[1], "default-document") is None
    assert (
        state(taught([*steady, page("http://h.example/x/1/", "one")])[1], "default-document")
        == RuleState.RETRACTED
    )


def test_a_page_that_has_moved_tells_nothing_by_what_it_was() -> None:
    one, other = f"{B}/index.html", f"{B}/"
    rows = [page(one, "old", time=1), page(other, "new", time=3), move(one, other, time=2)]
    assert state(taught(rows)[1], "default-document") == RuleState.PROPOSED
    rows[0]["time"] = 3
    assert state(taught(rows)[1], "default-document") == RuleState.RETRACTED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("da39a3ee5e6b4b0d3255bfef95601890afd80701", "DA39A3EE5E6B4B0D3255BFEF95601890AFD80701"),
        ("sha1:OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB", "OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB"),
        ("MD5:0CC175B9C0F1B6A831C399E269772661", "0cc175b9c0f1b6a831c399e269772661"),
    ],
)
def test_one_digest_in_two_spellings(one: str, other: str) -> None:
    assert octets_of(one) == octets_of(other) is not None
    assert octets_of(one) != octets_of(f"{other}0")


def test_base32_is_not_taken_for_hexadecimal_digits() -> None:
    assert octets_of("ABCDEF23" * 4) != octets_of("abcdef23" * 4)
    assert octets_of("ABCDEF21" * 4) == octets_of("abcdef21" * 4)
    assert octets_of("etag-A") != octets_of("etag-a")
    assert len({octets_of(lone) for lone in ("\udc00", "\udc80", "\ud800", "?")}) == 4
    assert octets_of("") is octets_of("sha1:") is None
