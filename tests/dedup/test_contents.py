"""Equal digests of two 200s join what conventions explain, unless what came later says otherwise."""

from typing import Any

import pytest

from dedup.running import A, B, C, classes, deduplicated, feed, groups, move, page
from iri_canon.dedup.contents import MOST_HUBS

ONE, OTHER = "a" * 40, "b" * 40
EMPTY = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


def joined(*rows: dict[str, Any], **options: Any) -> bool:
    return any({A, B} <= set(urls) for urls in groups(rows, **options))


def test_equal_digests_join_what_conventions_explain() -> None:
    (row,) = classes([page(A, ONE), page(B, f"sha1:{ONE.upper()}")])
    assert row == {
        "key": B,
        "representative": B,
        "count": 2,
        "urls": [A, B],
        "rung": "protocol",
        "steps": ["equal-digest", "trailing-slash"],
    }


@pytest.mark.parametrize(
    "rows",
    [
        [page(A, ONE), page(B, OTHER)],
        [page(A, EMPTY), page(B, EMPTY)],
        [page(A, ONE, status=206), page(B, ONE, status=206)],
        [page(A, ONE, status=404), page(B, ONE, status=404)],
        [page(A, ONE), page(B, ONE, method="POST")],
        [page(A, None), page(B, None)],
        [page("http://h.example/x/1", ONE), page("http://h.example/x/2", ONE)],
        [page("http://h.example/x", ONE), page("http://i.example/x", ONE)],
        [page("http://h.example/x?id=1", ONE), page("http://h.example/x?id=2", ONE)],
        [page("urn:a:b", ONE), page("urn:a:b/", ONE)],
        [page("http://[", ONE), page("http://[/", ONE)],
    ],
)
def test_anything_else_stays_apart(rows: list[dict[str, Any]]) -> None:
    assert [len(urls) for urls in groups(rows)] == [1] * len(rows)


def test_what_was_seen_to_differ_later_stays_apart() -> None:
    alike = page(A, ONE, time=1), page(B, ONE, time=2)
    assert joined(*alike)
    assert joined(*alike, page(A, OTHER, time=3))  # a page changes, and nobody looked at the other one
    assert not joined(*alike, page(A, OTHER, time=3), page(B, ONE, time=3))
    assert joined(*alike, page(A, OTHER, time=3), page(B, OTHER, time=3))


def test_without_times_all_has_to_agree() -> None:
    assert joined(page(A, ONE), page(B, ONE))
    assert not joined(page(A, ONE), page(B, ONE), page(A, OTHER))
    assert joined(page(A, ONE), page(B, ONE), page(A, OTHER), page(B, OTHER))


def test_a_key_that_leads_elsewhere_by_now_is_none_of_the_pages() -> None:
    home = "http://h.example/"
    alike = page(A, ONE, time=1), page(B, ONE, time=1)
    assert not joined(*alike, move(A, home, time=2), page(home, time=2))
    assert not joined(*alike, page(A, status=404, time=2))
    assert joined(*alike, page(A, status=503, time=2))
    assert joined(*alike, move(A, home, time=0.5), page(home, time=2))


def test_a_page_in_many_spellings_is_one_class() -> None:
    rows = [page(f"http://h.example/x;jsessionid={place:032d}", ONE) for place in range(3 * MOST_HUBS)]
    assert len(groups(rows)) == 1
    assert len(groups([*rows[:-1], {**rows[-1], "digest": OTHER}])) == 2


def test_one_content_at_many_pages_joins_none_of_them() -> None:
    rows = [page(f"http://h.example/x/{place}", ONE) for place in range(50)]
    assert len(groups(rows)) == 50
    assert len(groups([*rows, page("http://h.example/x/7/", ONE)])) == 50


def test_digests_and_redirects_make_one_class_with_all_their_steps() -> None:
    rows = [page(A, ONE), move("https://h.example/x/a", C), page(B, ONE), page(C, OTHER), move(B + "//", B)]
    found = classes(rows)
    assert [row["urls"] for row in found] == [[A, B, B + "//"], ["https://h.example/x/a", C]]
    assert found[0]["representative"] == B  # a redirect ends there
    assert found[0]["steps"] == ["observed-redirect", "equal-digest", "duplicate-slashes", "trailing-slash"]


def test_the_summary_counts_pages_with_digests_and_what_they_joined() -> None:
    with deduplicated(
        feed([page(A, ONE), page(B, ONE), page(C, OTHER), page("http://h.example/")])
    ) as engine:
        assert engine.summary()["digests"] == {"pages": 3, "joined": 1}
