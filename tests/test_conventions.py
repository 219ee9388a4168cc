"""Each convention joins what it is for and nothing else, alone and together with any others."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iri_canon import Ladder, canonicalize, key, parse
from iri_canon.conventions import CONVENTIONS, PRESETS, Assumed, explaining, select
from iri_canon.conventions.lists import names
from iri_canon.errors import ConventionError
from iri_canon.iri import IRI

CASES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("vectors").joinpath("conventions.toml").read_text(encoding="utf-8")
)["case"]

hosts = st.sampled_from(
    [
        "example.com",
        "www.example.com",
        "www.www.example.com",
        "www.com",
        "10.2.3.4",
        "[::1]",
        "www.com.",
        "a.b.",
    ]
)
paths = st.lists(
    st.sampled_from(
        [
            "/",
            "//",
            "A",
            "a",
            "%40",
            "%2F",
            "%3B",
            "%C3%A9",
            "index.html",
            "Index.HTML",
            "Default.asp",
            ".",
            "..",
            ";jsessionid=1",
            ";jsessionid%3D",
            ";JSESSIONID=",
            "(S(x))",
            "%28S%28y%29%29",
            "(A(x)F(y))",
            "=",
            "+",
            "%",
        ]
    ),
    max_size=7,
).map("".join)
queries = st.none() | st.lists(
    st.sampled_from(
        [
            "&",
            "=",
            "a",
            "b=1",
            "A",
            "+",
            "%20",
            "%2B",
            "%26",
            "%3D",
            "%40",
            "utm_source",
            "gclid=1",
            "sid=1",
            "SID",
            "PHPSESSID=",
            "?",
            "/",
            ";",
            "jsessionid=2",
            "%5F",
        ]
    ),
    max_size=8,
).map("".join)
schemes = st.sampled_from(["http", "https", "ws", "urn"])
ports = st.sampled_from(["", ":80", ":443", ":8080"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    query = draw(queries)
    tail = "" if query is None else f"?{query}"
    return f"{draw(schemes)}://{draw(hosts)}{draw(ports)}/{draw(paths)}{tail}"


canonical = texts().map(canonicalize).map(parse).map(lambda iri: iri.replace(fragment=None))
subsets = st.sets(st.sampled_from(sorted(CONVENTIONS))).map(select)


def projected(iri: IRI, chosen: tuple[Any, ...]) -> IRI:
    for convention in chosen:
        iri = convention.project(iri)
    return iri


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_vectors(case: dict[str, Any]) -> None:
    ladder = Ladder(conventions=case["conventions"])
    assert len({ladder.key(text) for text in case["joined"]}) == 1
    apart = [case["joined"][0], *case["distinct"]]
    for one, other in combinations(apart, 2):
        assert ladder.key(one) != ladder.key(other), (one, other)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_nothing_is_joined_unless_asked(case: dict[str, Any]) -> None:
    assert len({key(text) for text in case["joined"]}) > 1
    assert len({key(text) for text in case["distinct"]}) == len(case["distinct"])


def test_each_convention_has_a_pair_and_a_twin() -> None:
    alone = [case["conventions"][0] for case in CASES if len(case["conventions"]) == 1]
    assert set(alone) >= set(CONVENTIONS) | set(PRESETS)
    assert all(len(case["joined"]) > 1 and case["distinct"] for case in CASES)


def test_the_conventions_are_those_that_are_promised() -> None:
    promised = (
        "trailing-slash https www default-document query-order duplicate-slashes path-case empty-query form-encoding "
        "encoded-delims tracking-params session-ids"
    )
    assert set(CONVENTIONS) == set(promised.split())


@given(canonical, subsets)
def test_any_subset_is_idempotent_and_its_result_moves_under_none_of_it(
    iri: IRI, chosen: tuple[Any, ...]
) -> None:
    once = projected(iri, chosen)
    for convention in chosen:
        assert convention.project(once) is once, convention.name


@given(canonical, subsets)
def test_a_projection_of_a_canonical_iri_is_canonical(iri: IRI, chosen: tuple[Any, ...]) -> None:
    once = projected(iri, chosen)
    assert canonicalize(str(once)) == str(once)


@given(canonical, st.sampled_from(sorted(CONVENTIONS)))
def test_a_projection_changes_its_components_only_and_gives_the_object_back_otherwise(
    iri: IRI, name: str
) -> None:
    after = CONVENTIONS[name].project(iri)
    changed = {part for part in IRI.__slots__ if getattr(iri, part) != getattr(after, part)}
    assert changed <= CONVENTIONS[name].components
    assert bool(changed) == (after is not iri)
    if iri.scheme not in ("http", "https"):
        assert after is iri


@settings(max_examples=500)  # Each looks for the smallest of up to a thousand sets.
@given(canonical, canonical, subsets)
def test_what_explains_a_pair_joins_it_and_no_smaller_set_does(
    one: IRI, other: IRI, chosen: tuple[Any, ...]
) -> None:
    for source, target in ((one, other), (one, projected(one, chosen))):
        explanation = explaining(source, target)
        if explanation is None:
            assert projected(source, select(CONVENTIONS)) != projected(target, select(CONVENTIONS))
            continue
        assert projected(source, select(explanation)) == projected(target, select(explanation))
        for fewer in combinations(explanation, max(len(explanation) - 1, 0)):
            if len(fewer) < len(explanation):
                assert projected(source, select(fewer)) != projected(target, select(fewer))


@pytest.mark.parametrize(
    ("source", "target", "explanation"),
    [
        ("http://example.com/a", "http://example.com/a", ()),
        ("http://example.com/a", "http://example.com/a/", ("trailing-slash",)),
        ("http://example.com/", "https://www.example.com/", ("https", "www")),
        (
            "http://example.com/D/index.html",
            "http://example.com/d",
            ("path-case", "default-document", "trailing-slash"),
        ),
        ("http://example.com/a;jsessionid=1?sid=2", "http://example.com/a", ("session-ids",)),
        ("http://example.com/?b&a=", "http://example.com/?a&b", ("form-encoding", "query-order")),
        ("http://example.com/gone", "http://example.com/", None),
        ("http://example.com/", "https://example.org/", None),
        ("http://example.com:8080/", "https://example.com/", None),
        ("http://u@example.com/", "http://example.com/", None),
        ("http://10.2.3.4/", "http://2.3.4/", None),
        ("ws://www.example.com/", "ws://example.com/", None),
        ("http://example.com/a?x=1", "http://example.com/a", None),
    ],
)
def test_explaining(source: str, target: str, explanation: tuple[str, ...] | None) -> None:
    assert explaining(parse(source), parse(target)) == explanation


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(
        ConventionError, match=r"unknown convention 'slash'; known are .*trailing-slash.*archive"
    ):
        select(["www", "slash"])
    assert [convention.name for convention in select("www")] == ["www"]


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*", ["example.com", "10.2.3.4", "[::1]"], []),
        ("example.com", ["example.com"], ["www.example.com", "badexample.com", "example.com.", "com"]),
        (
            "*.example.com",
            ["example.com", "a.example.com", "a.b.example.com"],
            ["badexample.com", "example.com.a", "com"],
        ),
        ("EXAMPLE.com", ["example.com"], ["xample.com"]),
        ("*.fa\u00df.example", ["xn--fa-hia.example", "a.xn--fa-hia.example"], ["fass.example"]),
        ("10.2.3.4", ["10.2.3.4"], ["1.10.2.3.4", "11.2.3.4"]),
        ("[0:0::1]", ["[::1]"], ["[::2]"]),
    ],
)
def test_host_patterns(pattern: str, matching: list[str], others: list[str]) -> None:
    assumed = Assumed({pattern: ["empty-query"]})
    assert assumed
    assert all(assumed.for_host(host) for host in matching)
    assert not any(assumed.for_host(host) for host in others)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "*.",
        "**",
        "*example.com",
        "a.*.com",
        "*.10.2.3.4",
        "*.3.4",
        "http://example.com",
        "example.com:80",
        ".com",
    ],
)
def test_patterns_that_match_no_host_are_refused(pattern: str) -> None:
    with pytest.raises(ConventionError, match="host pattern"):
        Assumed({pattern: ["www"]})


def test_all_patterns_that_match_count_together() -> None:
    assumed = Assumed(
        {"*": ["https"], "*.example.com": ["www"], "a.example.com": ["archive"], "example.org": []}
    )
    assert [each.name for each in assumed.for_host("b.example.com")] == ["https", "www"]
    assert [each.name for each in assumed.for_host("a.example.com")] == [
        each.name for each in select(["archive"])
    ]
    assert [each.name for each in assumed.for_host("example.org")] == ["https"]
    assert not Assumed({"example.com": []})
    assert not Assumed({})


def test_a_host_that_loses_its_www_is_treated_as_the_one_that_never_had_it() -> None:
    ladder = Ladder(conventions={"www.example.com": ["www"], "example.com": ["trailing-slash"]})
    once = ladder.key("http://www.example.com/a/")
    assert once == ladder.key(once) == ladder.key("http://example.com/a")


@pytest.mark.parametrize("of", ["tracking-params", "session-ids", "default-documents"])
def test_lists_hold_whole_names(of: str) -> None:
    assert len(names(of)) > 5
    assert not any(set(name) & set(" \t#&=%/;?") for name in names(of))
    assert of != "session-ids" or all(name == name.lower() for name in names(of))
