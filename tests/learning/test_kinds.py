"""Kinds are the conventions of the catalogue, written for the parts of keys, and a pair has the fewest of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iri_canon import key, parse
from iri_canon.conventions import CONVENTIONS
from iri_canon.learning.classes import joined
from iri_canon.learning.kinds import LEARNABLE, kind_of, ordered, projection, sign
from iri_canon.learning.parts import Parts, split
from iri_canon.learning.sections import section_of

#: In the catalogue session-ids changes queries too, which are learned by parameter here.
SHARED = [name for name in LEARNABLE if name != "session-ids"]

PIECES = ["/", "//", "A", "a", "%40", "%2F", "%C3%A9", "index.html", "Index.HTML", "default.asp", ";jsessionid=1",
          "/(S(x))/", "=", "+", "x", "%28S(y)%29"]  # fmt: skip
QUERIES = ["a", "b=1", "A=2", "a=%40", "a=+", "a=%20", "sid=3", "utm_source=x", "", "b", "c=%26", "a="]

keys = st.builds(
    lambda scheme, host, pieces, query: key(f"{scheme}://{host}/{''.join(pieces)}{query}"),
    st.sampled_from(["http", "https"]),
    st.sampled_from(
        ["a.example", "www.a.example", "www.com", "10.1.2.3", "a.example:8080", "[::1]", "u@a.example"]
    ),
    st.lists(st.sampled_from(PIECES), max_size=5),
    st.one_of(
        st.just(""), st.lists(st.sampled_from(QUERIES), max_size=4).map(lambda some: "?" + "&".join(some))
    ),
)


def parts_of(text: str) -> Parts:
    parts = split(text)
    assert parts is not None
    return parts


@given(keys)
def test_split_loses_nothing(text: str) -> None:
    assert str(parts_of(text)) == text


@given(keys, st.sampled_from(SHARED))
def test_a_convention_is_that_of_the_catalogue(text: str, name: str) -> None:
    assert str(projection((name,))(parts_of(text))) == str(CONVENTIONS[name].project(parse(text)))


@given(keys, st.lists(st.sampled_from([*LEARNABLE, "param:a", "param:sid"]), max_size=4).map(ordered))
def test_a_projection_is_idempotent(text: str, kind: tuple[str, ...]) -> None:
    once = projection(kind)(parts_of(text))
    assert projection(kind)(once) == once


@given(keys, st.lists(st.sampled_from([*LEARNABLE, "param:a", "param:sid"]), max_size=3).map(ordered))
def test_what_a_projection_changes_has_a_kind_among_its_names(text: str, kind: tuple[str, ...]) -> None:
    source = parts_of(text)
    found = kind_of(source, projection(kind)(source))
    assert found is not None
    assert len(found) <= len(kind) or found == ()
    assert projection(found)(source) == projection(found)(projection(kind)(source))


@given(keys, keys)
def test_a_pair_of_a_kind_is_joined_by_it_and_by_nothing_smaller(one: str, other: str) -> None:
    source, target = parts_of(one), parts_of(other)
    kind = kind_of(source, target)
    if kind is None:
        return
    assert projection(kind)(source) == projection(kind)(target)
    assert (kind == ()) == (one == other)
    for name in kind:
        rest = ordered(set(kind) - {name})
        assert projection(rest)(source) != projection(rest)(target)


@given(keys)
def test_all_spellings_of_a_page_are_in_one_section(text: str) -> None:
    parts = parts_of(text)
    assert section_of(joined(parts).path) == section_of(parts.path)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("http://a.example/b", "http://a.example/b/", ("trailing-slash",)),
        ("http://a.example/b/index.html", "http://a.example/b/", ("default-document",)),
        ("http://a.example/b/index.html", "http://a.example/b", ("default-document", "trailing-slash")),
        ("http://a.example/B", "http://a.example/b", ("path-case",)),
        ("http://a.example/?b&a", "http://a.example/?a&b", ("query-order",)),
        ("http://a.example/?", "http://a.example/", ("empty-query",)),
        ("http://a.example/?a=b+c", "http://a.example/?a=b%20c", ("form-encoding",)),
        ("http://a.example/?sid=1&b", "http://a.example/?b", ("param:sid",)),
        ("http://a.example/?sid=1&b", "http://a.example/?sid=2&b", ("param:sid",)),
        ("http://a.example/?sid=1", "http://a.example/", ("param:sid",)),
        ("http://a.example/?page=1&sid=1&b", "http://a.example/?b&page=2", ("param:page", "param:sid")),
        ("http://www.a.example/", "https://a.example/", ("https", "www")),
        ("http://a.example/;jsessionid=1", "http://a.example/", ("session-ids",)),
        ("http://a.example/b", "http://a.example/c", None),
        ("http://a.example:8080/b", "https://a.example:8080/b", None),
        ("http://a.example/b", "http://b.example/b", None),
        ("http://u@a.example/b", "http://a.example/b", None),
        ("http://a.example/?a=1&a=2", "http://a.example/?a=2&a=1", ("param:a",)),
        ("http://a.example/?a=1&b=1&c=1&d=1", "http://a.example/?a=2&b=2&c=2&d=2", None),
    ],
)
def test_kinds(one: str, other: str, kind: tuple[str, ...] | None) -> None:
    assert kind_of(parts_of(one), parts_of(other)) == kind
    assert kind_of(parts_of(other), parts_of(one)) == kind


@pytest.mark.parametrize(
    "text", ["ftp://a.example/", "urn:a:b", "http://a.example", "http:/a", "http://", "http:///a", ""]
)
def test_what_no_convention_speaks_of_is_not_split(text: str) -> None:
    assert split(text) is None


@pytest.mark.parametrize(
    ("source", "target", "signs"),
    [
        ("http://a.example/b/", "http://a.example/b", "+"),
        ("http://a.example/b", "http://a.example/b/", "-"),
        ("http://a.example/b", "https://www.a.example/b", "+-"),
        ("http://a.example/?sid=1", "http://a.example/?sid=2", "?"),
    ],
)
def test_signs_tell_who_has_what_is_taken_away(source: str, target: str, signs: str) -> None:
    one, other = parts_of(source), parts_of(target)
    kind = kind_of(one, other)
    assert kind is not None
    assert "".join(sign(one, other, name) for name in kind) == signs
