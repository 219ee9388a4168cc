"""Redirects join what a crawl would take from them, and what `iri-canon learn` does: one judge, one order of events."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from logs.reading import records

from dedup.running import A, B, C, Row, classes, deduplicated, feed, groups, move, page, rows_of
from iri_canon import key
from iri_canon.equivalence import open_equivalences, profile
from iri_canon.logs.lessons import LONGEST_CHAIN, Lessons
from iri_canon.logs.records import Record


def joined(rows: Iterable[Row], **options: Any) -> bool:
    """Whether A and B are one class of a feed."""
    return any({A, B} <= set(urls) for urls in groups(rows, **options))


def refused(rows: Iterable[Row], **options: Any) -> dict[str, int]:
    """Why redirects of a feed join nothing."""
    with deduplicated(feed(rows), **options) as engine:
        found: dict[str, int] = engine.summary()["redirects"]["refused"]
        return found


@pytest.mark.parametrize("status", [301, 308])
def test_a_permanent_redirect_whose_target_answered_joins(status: int) -> None:
    for rows in ([move(), page()], [page(), move()]):
        moved = [{**row, "status": status} if "location" in row else row for row in rows]
        (row,) = classes(moved)
        assert row == {
            "key": B,
            "representative": B,
            "count": 2,
            "urls": [each["url"] for each in moved],
            "rung": "protocol",
            "steps": ["observed-redirect", "trailing-slash"],
        }


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([move()], "unfinished"),
        ([move(), page(status=404)], "final-status"),
        ([move(), page(status=301)], "final-status"),
        ([move(status=302), page()], "temporary"),
        ([move(status=303), page()], "status"),
        ([move(status=200), page()], "status"),
        ([move(status=None), page()], "status"),
        ([move(method="POST"), page()], "method"),
        ([move(), page(method="POST")], "unfinished"),
        ([move(target="http://h.example/"), page("http://h.example/"), page()], "unexplained"),
        ([move(target=A), page(A), page()], "same-key"),
        ([move(target="http://[/"), page()], "location"),
        ([move(), move(B, A)], "unfinished"),
    ],
)
def test_anything_else_joins_nothing_and_is_counted(rows: list[Row], reason: str) -> None:
    assert not joined(rows)
    assert set(refused(rows)) == {reason}


def test_temporary_redirects_count_if_asked() -> None:
    assert not joined([move(status=302), page()])
    assert joined([move(status=307), page()], temporary=True)
    assert not joined([move(status=303), page()], temporary=True)


def test_a_redirect_is_found_over_logs_by_key() -> None:
    with deduplicated(feed([move(target="HTTP://H.example:80/x/./a#top")]), feed([page()])) as engine:
        assert [row["urls"] for row in rows_of(engine.classes())] == [[A, B]]
    with deduplicated(feed([move(target="HTTP://H.example:81/x/./a#top")]), feed([page()])) as engine:
        assert [row["urls"] for row in rows_of(engine.classes())] == [[A], [B]]


def test_the_target_represents_the_class_whatever_came_first() -> None:
    other = "HTTP://h.example/x/a"
    (row,) = classes([move(), page(other), page()])
    # the first of the spellings of the target, though another one is its own key
    assert (row["representative"], row["key"], row["urls"]) == (other, B, [A, other, B])
    assert row["steps"] == ["lowercase_scheme", "observed-redirect", "trailing-slash"]


def test_a_chain_joins_all_that_it_passes() -> None:
    rows = [move(A, B), move(B, C, 308), page(C)]
    (row,) = classes(rows)
    assert (row["representative"], row["urls"]) == (C, [A, B, C])
    rows[1]["status"] = 302
    assert groups(rows) == [[A], [B], [C]]
    assert refused(rows) == {"temporary": 2}


def test_a_long_chain_shows_nothing() -> None:
    def chain(length: int) -> list[dict[str, Any]]:
        urls = [f"http://h.example/x{'/' * number}" for number in range(1, length + 2)]
        return [*map(move, urls, urls[1:]), page(urls[-1])]

    assert len(groups(chain(LONGEST_CHAIN))) == 1
    # the first one only: each of the others is near enough to the end
    assert [len(urls) for urls in groups(chain(LONGEST_CHAIN + 1))] == [1, LONGEST_CHAIN + 1]


def test_a_circle_shows_nothing() -> None:
    assert groups([move(A, B), move(B, C), move(C, A)]) == [[A], [B], [C]]
    assert refused([move(A, B), move(B, C), move(C, A)]) == {"unfinished": 3}


def test_what_only_a_redirect_mentions_is_a_spelling_where_it_joined() -> None:
    followed = page(B, redirect_urls=[A], redirect_reasons=[301])
    (row,) = classes([followed])
    assert (row["urls"], row["count"], row["representative"]) == ([B, A], 1, B)
    assert groups([page(B, redirect_urls=[A], redirect_reasons=[302])]) == [[B]]
    assert groups([page(B, redirect_urls=[A], redirect_reasons=["meta refresh"])]) == [[B]]
    assert groups([page(B, redirect_urls=["http://h.example/q"], redirect_reasons=[301])]) == [[B]]


def test_how_a_chain_began_is_told_by_the_record_of_its_redirect_alone() -> None:
    followed = page(B, redirect_urls=[A], redirect_reasons=[301], time=9)
    posted = move(method="POST", time=1)
    for rows in ([posted, followed], [followed, posted]):
        assert (joined(rows), refused(rows)) == (False, {"method": 1})
        assert taught(rows, temporary=False) == ({}, {"method": 1})
    # Its twins: one that was got, and one that says nothing of a redirect with this status.
    for told in (move(time=1), move(method="HEAD", time=1), move(method="POST", status=308, time=1)):
        assert joined([told, followed])
        assert taught([told, followed], temporary=False) == ({A: B}, {})
    # A 308 keeps the method, so that the last request of the chain tells that of the first.
    kept = page(B, redirect_urls=[A], redirect_reasons=[308], method="POST", time=2)
    assert not joined([kept, page(B, time=3)])


def test_what_scrapy_followed_is_seen_once() -> None:
    followed = page(B, redirect_urls=[A], redirect_reasons=[301])
    with deduplicated(feed([move(), followed])) as engine:
        assert engine.summary()["redirects"] == {
            "observed": 1,
            "joined": 1,
            "refused": {},
            "examples": [
                {"source": A, "target": B, "statuses": [301], "joined": True, "why": ["trailing-slash"]}
            ],
        }


@pytest.mark.parametrize(
    ("time", "digest", "is_joined"), [(9, "1", False), (10, "1", False), (8, "1", True), (9, "2", True)]
)
def test_no_class_where_both_answered_for_themselves_after_the_redirect(
    time: int, digest: str, is_joined: bool
) -> None:
    rows = [move(time=9), page(B, "2", time=9), page(A, digest, time=time)]
    assert joined(rows) is is_joined
    if not is_joined:
        assert refused(rows) == {"contradicted": 1}


def test_the_newest_redirect_of_a_source_counts() -> None:
    home = "http://h.example/"
    old, new = move(time=1), move(target=home, time=2)
    pages = [page(time=1), page(home, time=1)]
    assert groups([old, new, *pages]) == [[A], [B], [home]]
    assert refused([old, new, *pages]) == {"superseded": 1, "unexplained": 1}
    assert groups([{**old, "time": 3}, new, *pages]) == [[A, B], [home]]


def test_a_page_that_answers_by_now_is_no_source() -> None:
    slash = "http://h.example/x//a"
    rows = [move(A, B, time=1), page(B, time=1), page(A, time=2), move(slash, A, time=3)]
    assert groups(rows) == [[A, slash], [B]]
    rows[-1]["time"] = 0.5
    assert groups(rows) == [[A, B, slash]]


# What the two sides of the law are fed with: few URLs, so that redirects meet, and times that are told apart, so that
# which redirect is newest does not hang on how the records of one moment follow each other.
URLS = [
    A, B, C, "HTTP://h.example/x/a", "http://h.example/x//a", "https://h.example/x/a", "http://www.h.example/x/a/",
    "http://h.example/", "http://h.example/q?b=1&a=2", "http://h.example/q?a=2&b=1", "http://[", "http://h.example/%zz",
]  # fmt: skip
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "url": st.sampled_from(URLS),
            "status": st.sampled_from([200, 200, 301, 301, 308, 302, 303, 404, 503]),
            "digest": st.sampled_from([None, "1", "2", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"]),
            "location": st.sampled_from([None, *URLS, "../a", "", "//"]),
            "method": st.sampled_from(["GET", "GET", "HEAD", "POST"]),
        }
    ),
    max_size=14,
)


def taught(rows: Iterable[Row], *, temporary: bool) -> tuple[dict[str, str], dict[str, int]]:
    """The pairs that `iri-canon learn` takes from the same records, and what it refuses."""
    lessons = Lessons()
    for record in feed(rows):
        assert isinstance(record, Record)
        lessons.add(record)
    store = open_equivalences(None, profile())
    result = lessons.teach(store, temporary=temporary)
    return {pair.source: pair.representative for pair in store.equivalences()}, dict(result.refused)


def components(keys: Iterable[str], pairs: dict[str, str]) -> set[frozenset[str]]:
    """The classes of keys that pairs make, the slow way."""
    label = {each: {each} for each in (*keys, *pairs.keys(), *pairs.values())}
    for source, target in pairs.items():
        union = label[source] | label[target]
        for each in union:
            label[each] = union
    return {frozenset(each & set(keys)) for each in label.values()} - {frozenset()}


@settings(max_examples=10)
@given(rows=ROWS, temporary=st.booleans(), times=st.booleans())
@example(rows=[move(), page(), move(B, A)], temporary=False, times=True)
@example(rows=[move(C, A), move(A, B), page(B), page(A)], temporary=False, times=False)
@example(
    rows=[move(A, B, method="POST"), page(B, redirect_urls=[A], redirect_reasons=[301])],
    temporary=False,
    times=True,
)
@example(rows=[move(A, B), move(C, A), page(B), page(A)], temporary=False, times=False)
def test_what_learn_joins_is_joined_and_nothing_else(
    rows: list[dict[str, Any]], temporary: bool, times: bool
) -> None:
    check_against_learn(rows, temporary=temporary, times=times)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@settings(max_examples=200)
@given(rows=ROWS, temporary=st.booleans(), times=st.booleans())
def test_what_learn_joins_is_joined_over_many_logs(
    rows: list[dict[str, Any]], temporary: bool, times: bool
) -> None:
    check_against_learn(rows, temporary=temporary, times=times)


def check_against_learn(rows: list[dict[str, Any]], *, temporary: bool, times: bool) -> None:
    """Both read the same records: the pairs of one make the classes of the other, and reasons are the same."""
    # One digest never stands at two keys: what equal digests join, learn does not.
    rows = [
        {**row, "digest": f"{key(row['url'])} {row['digest']}".replace(":", "")}
        if row.get("digest") in ("1", "2")
        else row
        for row in rows
    ]
    if times:
        rows = [{**row, "time": 100 + (place * 7) % 15} for place, row in enumerate(rows)]
    pairs, reasons = taught(rows, temporary=temporary)
    with deduplicated(feed(rows), temporary=temporary) as engine:
        found = {frozenset(map(key, row["urls"])) for row in rows_of(engine.classes())}
        summary = engine.summary()["redirects"]
    assert found == components([key(row["url"]) for row in rows], pairs)
    assert summary["joined"] == len(pairs)
    for reason in {*reasons, *summary["refused"]} - {"superseded", "location"}:
        assert summary["refused"].get(reason) == reasons.get(reason), reason


def test_heritrix_redirects_join() -> None:
    begin, end = "2026-12-01T06:10:35.000Z", "text/html #001 20261201061034000+9"

    def log(status: int) -> str:
        return f"{begin} {status} 9 {A} L http://h.example/ {end} - - -\n{begin} 200 9 {B} LR {A} {end} sha1:A - -"

    for status, count in ((301, 1), (302, 2), (200, 2)):
        with deduplicated(records("heritrix", log(status))) as engine:
            assert len(rows_of(engine.classes())) == count


def test_rows_are_json() -> None:
    with deduplicated(feed([move(), page()])) as engine:
        assert json.loads(json.dumps(engine.summary()))["redirects"]["joined"] == 1
