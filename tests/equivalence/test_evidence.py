"""A redirect makes a pair where it is permanent, ends well and is explained; any other is refused by its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from iri_canon import key
from iri_canon.equivalence import Equivalence, Observation, Refusal, judge

SLASH = Observation(
    "http://Example.com:80/a/#top", "http://example.com/%61", (301,), 200, digest=b"d", time=3.0
)


def test_a_pair_is_directed_from_source_to_target_by_scheme_keys() -> None:
    assert judge(SLASH) == Equivalence(
        "http://example.com/a/", "http://example.com/a", ("trailing-slash",), SLASH
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"method": "POST"}, "method"),
        ({"method": "get"}, "method"),
        ({"single_location": False}, "location"),
        ({"statuses": ()}, "status"),
        ({"statuses": (200,)}, "status"),
        ({"statuses": (300,)}, "status"),
        ({"statuses": (301, 303)}, "status"),
        ({"statuses": (302,)}, "temporary"),
        ({"statuses": (301, 307, 308)}, "temporary"),
        ({"final_status": 404}, "final-status"),
        ({"final_status": 304}, "final-status"),
        ({"final_status": 301}, "final-status"),
        ({"final_status": 0}, "final-status"),
        ({"target": "http://example.com/a/"}, "same-key"),
        ({"target": "http://example.com/a/#top"}, "same-key"),
        ({"source": "http://[", "target": "http://example.com/"}, "unparseable"),
        ({"source": "http://example.com/", "target": "http://h:x/\udc80"}, "unparseable"),
        ({"target": "http://example.com/"}, "unexplained"),
        ({"target": "http://example.org/a"}, "unexplained"),
        ({"source": "urn:a:b/", "target": "urn:a:b"}, "unexplained"),
        ({"source": "http://10.2.3.4/", "target": "http://2.3.4/"}, "unexplained"),
        ({"source": "http://example.com/%E9", "target": "http://example.com/%C3%A9"}, "unexplained"),
    ],
)
def test_refusals(change: dict[str, object], reason: str) -> None:
    refused = replace(SLASH, **change)  # type: ignore[arg-type]
    assert judge(refused) == Refusal(reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change", [{"method": "HEAD"}, {"statuses": (308,)}, {"statuses": (301, 308, 301)}, {"final_status": 206}]
)
def test_what_counts_as_well(change: dict[str, object]) -> None:
    assert isinstance(judge(replace(SLASH, **change)), Equivalence)  # type: ignore[arg-type]


def test_temporary_redirects_count_by_option_and_see_other_never() -> None:
    assert isinstance(judge(replace(SLASH, statuses=(302, 307, 301)), temporary=True), Equivalence)
    assert judge(replace(SLASH, statuses=(303,)), temporary=True) == Refusal("status")


def test_only_www_and_https_cross_hosts() -> None:
    crossing = replace(SLASH, source="http://www.example.com/", target="https://example.com/")
    verdict = judge(crossing)
    assert isinstance(verdict, Equivalence)
    assert verdict.conventions == ("https", "www")
    assert judge(replace(crossing, target="https://m.example.com/")) == Refusal("unexplained")
    assert judge(replace(crossing, target="https://example.com:8443/")) == Refusal("unexplained")


@pytest.mark.parametrize(
    "text", ["\ud800", "", "http://", "http://\udcff/", "a" * 10_000, "%", "http://h:99999/"]
)
def test_no_text_raises(text: str) -> None:
    assert isinstance(judge(replace(SLASH, source=text)), Refusal)
    assert isinstance(judge(replace(SLASH, target=text)), Refusal)
    assert judge(replace(SLASH, source=text, target=text)) == Refusal("same-key")
    assert key(text) == key(text)
