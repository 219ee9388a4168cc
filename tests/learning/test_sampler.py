"""What an audit draws, and what it leaves open."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

from iri_canon.equivalence import RuleName
from iri_canon.learning import Group, Policy, Sampler, bound

RULES = (RuleName("a.example", "trailing-slash", "docs"),)
DOCS = Group(RULES[0], "docs")


def url(page: int, folder: str = "", query: str = "") -> str:
    return f"http://a.example/docs/{folder}{page}/{query}"


@pytest.mark.parametrize("share", [0.02, 0.1, 0.25])
def test_no_long_run_is_skipped_whole(share: float) -> None:
    sampler = Sampler(Policy(audit_share=share), Random(3))
    due = [sampler.is_due(url(page), RULES) for page in range(5_000)]
    longest = max(len(run) for run in "".join(".x"[drawn] for drawn in due).split("x"))
    assert longest <= 2 * round(1 / share) - 2
    assert share * 5_000 <= sum(due) <= share * 5_000 * 1.1 + 60


def test_everything_is_fetched_where_the_share_is_whole() -> None:
    sampler = Sampler(Policy(audit_share=1))
    assert all(sampler.is_due(url(page), RULES) for page in range(50))


@pytest.mark.parametrize(
    "fresh",
    [url(500, "fr/"), url(500, query="?lang=fr"), url(500, query="?print"), "http://a.example/docs/500.pdf"],
)
def test_the_first_of_each_sort_is_fetched(fresh: str) -> None:
    for seed in range(20):
        sampler = Sampler(Policy(audit_share=0.01), Random(seed))
        for page in range(60):
            sampler.is_due(url(page), RULES)
        assert sampler.is_due(fresh, RULES)


def test_sorts_without_number_do_not_make_an_audit_of_everything() -> None:
    sampler = Sampler(Policy(audit_share=0.01), Random(1))
    due = [sampler.is_due(url(1, f"{page}/"), RULES) for page in range(2_000)]
    assert sum(due) <= 2_000 / 8 + 60


def test_what_is_short_at_the_end_is_told_and_made_up_for() -> None:
    sampler = Sampler(Policy(audit_minimum=3), Random(1))
    for page in range(2):
        sampler.restore(url(page), RULES)
    assert (sampler.groups(), sampler.shortfall(DOCS)) == ((DOCS,), 2)
    for page in range(2, 40):
        sampler.restore(url(page), RULES)
    assert sampler.shortfall(DOCS) == 4
    for page in range(4):
        sampler.draw(url(page), RULES)
    assert sampler.shortfall(DOCS) == 0
    sampler.settle(url(1), RULES, "undecided")
    assert (sampler.shortfall(DOCS), sampler.undecided(DOCS)) == (1, 1)
    sampler.settle(url(2), RULES, "agreed")
    assert sampler.shortfall(DOCS) == 1


def test_a_rule_that_fell_is_audited_anew() -> None:
    sampler = Sampler(Policy(), Random(1))
    for page in range(40):
        sampler.restore(url(page), RULES)
        sampler.draw(url(page), RULES)
    sampler.forget(RULES[0]._replace(section="news"))
    assert (sampler.groups(), sampler.shortfall(DOCS)) == ((DOCS,), 0)
    sampler.forget(RULES[0])
    assert sampler.groups() == ()
    assert sampler.is_due(url(50), RULES)


def test_sections_under_one_rule_are_audited_apart() -> None:
    everywhere = RULES[0]._replace(section="*")
    sampler = Sampler(Policy(audit_minimum=1))
    sampler.restore("http://a.example/a/1/", (everywhere,))
    sampler.restore("http://a.example/b/1/", (everywhere,))
    assert sampler.groups() == (Group(everywhere, "a"), Group(everywhere, "b"))
    assert [sampler.shortfall(group) for group in sampler.groups()] == [1, 1]


def test_one_request_is_an_audit_of_all_rules_that_skip_it() -> None:
    both = (*RULES, RULES[0]._replace(kind="path-case"))
    sampler = Sampler(Policy(), Random(1))
    due = sum(sampler.is_due(url(page), both) for page in range(400))
    assert due <= 400 * 0.1 * 1.2 + 20
    assert all(sampler.shortfall(group) == 0 for group in sampler.groups())
    sampler.forget(both[1])
    assert sampler.groups() == (DOCS,)


@pytest.mark.parametrize(
    ("agreed", "suppressed"), [(0, 9), (1, 1), (3, 10), (10, 100), (60, 61), (200, 1_000)]
)
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_the_bound_is_the_most_that_the_sample_may_have_missed(
    agreed: int, suppressed: int, confidence: float
) -> None:
    missed = [
        comb(suppressed - wrong, agreed) / comb(suppressed, agreed)
        for wrong in range(suppressed - agreed + 1)
    ]
    most = max(wrong for wrong, chance in enumerate(missed) if chance > 1 - confidence)
    assert bound(agreed, suppressed, confidence) == pytest.approx(most / suppressed)


@pytest.mark.parametrize(("agreed", "suppressed"), [(0, 0), (5, 5), (9, 5), (-1, 0)])
def test_nothing_is_left_open_where_all_was_fetched(agreed: int, suppressed: int) -> None:
    assert bound(agreed, suppressed) == 0
