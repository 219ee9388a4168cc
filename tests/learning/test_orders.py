"""What comes last is a page: no spelling of it stands in its place, and no number in a spelling is one of a page."""

from __future__ import annotations

import pytest

from iri_canon import key
from iri_canon.learning import page_order

HOST = "http://a.example"


def in_order(lower: str, higher: str, *names: str) -> bool:
    one, other = (page_order(key(url if "://" in url else HOST + url), names) for url in (lower, higher))
    return one < other


@pytest.mark.parametrize(
    ("lower", "higher"), [("/d/9", "/d/10"), ("/d/009", "/d/10"), ("/d?page=9", "/d?page=10")]
)
def test_pages_follow_each_other_by_number(lower: str, higher: str) -> None:
    assert in_order(lower, higher)
    assert not in_order(higher, lower)


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("/d///9", "/d//10"),
        ("/d/9/", "/d/10"),
        ("/D/9", "/d/10"),
        ("/d/x9", "/D/X10"),
        ("/d/x%409", "/d/x@10"),
        ("/d;jsessionid=F00D77/9", "/d/10"),
        ("https://a.example/d/9", "/d/10"),
        ("http://www.a.example/d/9", "/d/10"),
        ("/d?sort=up&page=9", "/d?page=10&sort=up"),
        ("/d?PHPSESSID=f77&page=9", "/d?PHPSESSID=a1&page=10"),
        ("/d?utm_source=z&page=9", "/d?page=10"),
    ],
)
def test_a_spelling_does_not_hide_the_place_of_its_page(lower: str, higher: str) -> None:
    assert in_order(lower, higher)
    assert not in_order(higher, lower)


def test_a_parameter_is_of_the_page_until_a_rule_speaks_of_it() -> None:
    lower, higher = "/d?box=77&page=9", "/d?box=5&page=10"
    assert in_order(lower, higher, "duplicate-slashes", "param:box")
    assert in_order(higher, lower, "duplicate-slashes", "param:other")


def test_spellings_of_one_page_follow_each_other() -> None:
    assert in_order("/d/9", "/d/9/")
    assert in_order("/d/9/", "/d/10")
    assert not in_order("/d/9", "/d/9")
