"""A witness is another claim that a rule in force covers just this key by, whenever it was claimed."""

from __future__ import annotations

from iri_canon.learning import Coverage, Policy
from iri_canon.learning.claimed import SORTINGS
from tests.learning.test_learner import HOST, Crawl


def keys(coverage: Coverage, url: str) -> list[str]:
    return [witness.key.removeprefix(HOST) for witness in coverage.witnesses(HOST + url)]


def test_claims_of_before_the_rule_are_found_too() -> None:
    crawl = Crawl()
    coverage = Coverage(crawl.learner)
    coverage.claim(f"{HOST}/docs/9", 7)
    coverage.claim("http://b.example/docs/9")
    assert keys(coverage, "/docs/9/") == []
    crawl.same(range(3))
    (witness,) = coverage.witnesses(f"{HOST}/docs/9/")
    assert (witness.key, witness.stamp) == (f"{HOST}/docs/9", 7)
    assert [str(name) for name in witness.rules] == ["a.example/docs: trailing-slash"]
    (computed,) = coverage.witnesses(f"{HOST}/docs/never/")
    assert (computed.key, computed.stamp) == (f"{HOST}/docs/never", None)


def test_claims_are_sorted_anew_when_another_rule_comes_into_force() -> None:
    crawl = Crawl()
    coverage = Coverage(crawl.learner)
    crawl.same(range(3))
    coverage.claim(f"{HOST}/docs/9/")
    coverage.claim(f"{HOST}/docs/X")
    assert keys(coverage, "/docs/x/") == ["/docs/x"]  # what the rule makes of it, claimed or not
    crawl.same(range(3), "/docs/{}q", "/docs/{}Q")
    assert keys(coverage, "/docs/x/") == ["/docs/X", "/docs/x"]


def test_nothing_is_found_once_the_rule_is_retracted() -> None:
    crawl = Crawl()
    coverage = Coverage(crawl.learner)
    coverage.claim(f"{HOST}/docs/9")
    crawl.same(range(3))
    assert keys(coverage, "/docs/9/")
    crawl.page("/docs/z", "<p>one")
    crawl.page("/docs/z/", "<p>another")
    assert keys(coverage, "/docs/9/") == []


def test_another_section_and_another_difference_are_not_covered() -> None:
    crawl = Crawl()
    coverage = Coverage(crawl.learner)
    crawl.same(range(3))
    for claimed in ("/news/9", "/docs/9?a", "/docs/8"):
        coverage.claim(HOST + claimed)
    assert keys(coverage, "/news/9/") == []
    assert keys(coverage, "/docs/9/?b") == ["/docs/9?b"]  # what the rule makes of it, claimed or not
    assert keys(coverage, "/docs/9/?a") == ["/docs/9?a"]


def test_many_witnesses_of_one_class_do_not_fill_it() -> None:
    crawl = Crawl(Policy(support=2))
    coverage = Coverage(crawl.learner)
    for page in range(4):
        crawl.same([page], "/docs/{}", "/docs/{0}?ref={0}")
    for value in range(100):
        coverage.claim(f"{HOST}/docs/9?ref={value}")
    assert len(keys(coverage, "/docs/9?ref=x")) <= 5


def test_a_site_that_changes_its_rules_with_every_page_is_not_sorted_anew_each_time() -> None:
    crawl = Crawl(Policy(support=2))
    coverage = Coverage(crawl.learner)
    found = []
    for page in range(300):
        coverage.claim(f"{HOST}/docs/x{page}")
        for more in (page, -page - 1):
            crawl.page(f"/docs/y{more}", f"<p>{more}")
            crawl.page(f"/docs/y{more}?p{page}=1", f"<p>{more}")
        witnesses = coverage.witnesses(f"{HOST}/docs/x0?p{page}=1")
        found.append(any(witness.stamp is not None for witness in witnesses))
    assert all(found[:SORTINGS])
    assert sum(found) < 300
    # Of what is claimed once the rules are settled all is found.
    coverage.claim(f"{HOST}/docs/z")
    assert keys(coverage, "/docs/z?p299=1") == ["/docs/z"]
