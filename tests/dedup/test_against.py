"""Two canonicalizations are compared by the pairs that each joins: counted as if every pair were looked at."""

from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.running import A, B, deduplicated, feed, page
from iri_canon import key


def against(rows: list[Any], other: Any, **options: Any) -> dict[str, Any]:
    with deduplicated(feed(rows), **options) as engine:
        return engine.against(other, "other")


def folded(url: str) -> str:
    return url.lower().rstrip("/")


def test_what_each_joins_alone_is_shown() -> None:
    found = against(["http://h/a", "http://h/a#b", "http://h/a/", "http://h/A", "http://h:80/a"], folded)
    assert found == {
        "name": "other",
        "joins": {"ours": 3, "theirs": 3, "both": 0},
        "only_ours": 3,
        "only_theirs": 3,
        "examples": {
            "only_ours": [["http://h/a", "http://h/a#b", ["drop_fragment"]]],
            "only_theirs": [["http://h/a", "http://h/a/"]],
        },
        "content": None,
    }


def test_digests_say_what_is_wrong_and_what_is_missed() -> None:
    rows = [
        page("http://h/a/1", "1"), page("http://h:80/a/1", "1"),  # ours, right
        page("http://h/b/1", "2"), page("http://h/b/1#x", "3"),  # ours, wrong
        page("http://h/c/1", "4"), page("http://h/c/1/", "4"),  # theirs, right, missed by us
        page("http://h/D/1", "5"), page("http://h/d/1", "6"),  # theirs, wrong
        page("http://h/e/1", "7"), page("http://h/e/1#x", None),  # nothing is known
    ]  # fmt: skip

    def other(url: str) -> str:
        return "c" if "/c/" in url else url.lower()

    # as digests would join what they show here, they are told apart by status: the conventions explain them
    found = against([*rows, page("http://h/c/1/", "8")], other)["content"]
    assert found["theirs"] == {"precision": 0.0, "recall": 0.0, "wrong": 1, "missed": 1, "pairs": 1}
    assert found["ours"] == {"precision": 0.5, "recall": 1.0, "wrong": 1, "missed": 0, "pairs": 2}
    assert found["by_rung"] == [
        {"rung": "syntax", "precision": 0.0, "wrong": 1, "pairs": 1},
        {"rung": "scheme", "precision": 1.0, "wrong": 0, "pairs": 1},
    ]
    assert found["by_step"] == [
        {"rung": "syntax", "step": "drop_fragment", "precision": 0.0, "wrong": 1, "pairs": 1},
        {"rung": "scheme", "step": "drop_default_port", "precision": 1.0, "wrong": 0, "pairs": 1},
    ]
    assert found["by_host"] == [
        {
            "host": "h",
            "precision": 0.5,
            "recall": 1.0,
            "wrong": 1,
            "missed": 0,
            "pairs": 2,
            "their_wrong": 1,
            "their_missed": 1,
        }
    ]


def test_equal_pages_that_no_convention_explains_are_missed() -> None:
    rows = [page("http://h/x", "1"), page("http://h/y", "1")]
    found = against(rows, key)["content"]
    assert (found["ours"]["missed"], found["ours"]["recall"], found["ours"]["precision"]) == (1, 0.0, None)
    # an answer to everything is no page, and another site's page is another page
    wall = [page(f"http://h/{place}", "1") for place in range(5)]
    assert against(wall, key)["content"] is None
    assert against([rows[0], page("http://i/y", "1")], key)["content"]["ours"]["missed"] == 0


def test_a_page_that_changes_says_nothing() -> None:
    rows = [page("http://h/x", "1"), page("http://h:80/x", "2")]
    assert against(rows, key)["content"]["ours"]["wrong"] == 1
    assert against([*rows, page("http://h/x", "2")], key)["content"]["ours"] == {
        "precision": None,
        "recall": None,
        "wrong": 0,
        "missed": 0,
        "pairs": 0,
    }


SPELLINGS = [
    A,
    B,
    "HTTP://h.example/x/a",
    "http://h.example:80/x/a",
    "http://h.example/x/a#b",
    "http://i.example/",
    "http://[",
]


@settings(max_examples=15)
@given(
    rows=st.lists(st.tuples(st.sampled_from(SPELLINGS), st.sampled_from([None, "1", "2"])), max_size=9),
    theirs=st.fixed_dictionaries({url: st.integers(0, 2) for url in SPELLINGS}),
)
def test_pairs_are_counted_as_if_each_were_looked_at(
    rows: list[tuple[str, str | None]], theirs: dict[str, int]
) -> None:
    found = against([page(url, digest, status=206) for url, digest in rows], lambda url: str(theirs[url]))
    pairs = list(combinations(dict.fromkeys(url for url, _ in rows), 2))
    ours = {pair for pair in pairs if key(pair[0]) == key(pair[1])}
    others = {pair for pair in pairs if theirs[pair[0]] == theirs[pair[1]]}
    assert found["joins"] == {"ours": len(ours), "theirs": len(others), "both": len(ours & others)}
    assert (found["only_ours"], found["only_theirs"]) == (len(ours - others), len(others - ours))
    for one, another, _ in found["examples"]["only_ours"]:
        assert ours - others >= {(one, another)}
    for one, another in found["examples"]["only_theirs"]:
        assert others - ours >= {(one, another)}
    assert bool(found["examples"]["only_ours"]) is bool(ours - others)
    assert bool(found["examples"]["only_theirs"]) is bool(others - ours)
