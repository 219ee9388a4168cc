"""What the user assumes joins as the ladder with these conventions does, and tells them as assumed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.running import A, B, Row, classes, deduplicated, feed, groups, move, page, rows_of
from iri_canon import Ladder
from iri_canon.rung3_protocol import ASSUMED_CLAUSE


def test_assumed_conventions_join() -> None:
    urls = ["http://h/a/", "HTTP://h/a", "http://h/b/", "https://h/a"]
    assert groups(urls) == [["http://h/a/"], ["HTTP://h/a"], ["http://h/b/"], ["https://h/a"]]
    (row, other, secure) = classes(urls, conventions=("trailing-slash",))
    assert (row["urls"], row["rung"], row["steps"]) == (
        ["http://h/a/", "HTTP://h/a"],
        "protocol",
        ["lowercase_scheme", "trailing-slash"],
    )
    # its own key, and so the representative, though it is not what the convention makes of it
    assert (row["representative"], row["key"]) == ("http://h/a/", "http://h/a/")
    assert (other["urls"], secure["urls"]) == (["http://h/b/"], ["https://h/a"])


def test_the_shortest_that_is_its_own_key_represents_what_has_no_target() -> None:
    urls = ["http://h/a?utm_source=feed", "HTTP://h/a", "http://h/a?utm_source=x", "http://h/a?utm_source=y"]
    (row,) = classes(urls, conventions=("tracking-params",))
    assert row["representative"] == "http://h/a?utm_source=x"
    (row,) = classes([*urls, "http://h/a"], conventions=("tracking-params",))
    assert row["representative"] == "http://h/a"
    # of two as long the first; and what redirects showed goes before all
    (row,) = classes(["http://h/B", "http://h/b"], conventions=("path-case",))
    assert row["representative"] == "http://h/B"
    (row,) = classes([move(A, B), page(B), A], conventions=("trailing-slash",))
    assert row["representative"] == B


def test_a_convention_that_changes_both_alike_is_no_step() -> None:
    (row,) = classes(["http://h/a/?", "http://h/a/"], conventions=("trailing-slash", "empty-query"))
    assert row["steps"] == ["empty-query"]


def test_presets_are_their_conventions() -> None:
    urls = ["http://h/?b=1&a=2", "http://h/?a=2&b=1", "http://www.h.example/", "http://h.example/"]
    assert groups(urls, conventions=("scrapy",)) == [urls[:2], [urls[2]], [urls[3]]]
    assert groups(urls, conventions=("archive",)) == [urls[:2], urls[2:]]


def test_assumed_and_observed_join_together() -> None:
    rows: list[Row | str] = [move(A, B), page(B), "https://h.example/x/a"]
    (row,) = classes(rows, conventions=("https",))
    assert row["representative"] == B
    assert row["steps"] == ["observed-redirect", "trailing-slash", "https"]
    with deduplicated(feed(rows), conventions=("https",)) as engine:
        clauses = {(each["step"], each["clause"]) for each in engine.summary()["steps"]}
        pairs = {row["url"]: row["steps"] for row in rows_of(engine.pairs())}
    assert ("https", ASSUMED_CLAUSE) in clauses
    assert ("trailing-slash", ASSUMED_CLAUSE) not in clauses
    assert pairs == {A: ["observed-redirect", "trailing-slash"], "https://h.example/x/a": ["https"]}


@settings(max_examples=15)
@given(
    st.lists(
        st.sampled_from(
            [
                f"{head}{path}{query}"
                for head in (
                    "http://h.example",
                    "https://www.h.example",
                    "HTTP://h.example:80",
                    "http://h.example:1",
                )
                for path in ("/", "/a", "/a/", "//a", "/A/index.html")
                for query in ("", "?", "?b=1&a=2", "?a=2&b=1")
            ]
        ),
        max_size=12,
    ),
    st.sampled_from(
        [("https",), ("archive",), ("query-order", "trailing-slash"), ("www", "default-document")]
    ),
)
def test_classes_are_those_of_the_ladder(urls: list[str], conventions: tuple[str, ...]) -> None:
    ladder = Ladder(conventions=conventions)
    expected: dict[str, list[str]] = {}
    for url in urls:
        expected.setdefault(ladder.key(url), []).append(url)
    assert groups(urls, conventions=conventions) == [
        list(dict.fromkeys(members)) for members in expected.values()
    ]
