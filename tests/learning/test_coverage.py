"""A witness is another claim that a rule in force covers just this key by, whenever it was claimed."""

from __future__ import annotations

from iri_canon.learning import Coverage, Policy
from tests.learning.test_learner import HOST, Crawl


def keys(coverage: Coverage, url: str) -> list[str]:
    return [witness.key.removeprefix(HOST) for witness in coverage.witnesses(HOST + url)]


def test_claims_of_before_the_rule_are_found_too() -> None:
    crawl = Crawl()
    coverage = Coverage(crawl.learner)
    coverage.claim(f"{HOST}/docs/9", b"nine", 7)
    coverage.claim("http://b.example/docs/9", b"other")
    assert keys(coverage, "/docs/9/") == []
    crawl.same(range(3))
    (witness, computed) = coverage.witnesses(f"{HOST}/docs/9/")
    assert (witness.key, witness.digest, witness.stamp) == (f"{HOST}/docs/9", b"nine", 7)
    assert [str(name) for name in witness.rules] == ["a.example/docs: trailing-slash"]
    assert (computed.key, computed.digest) == (f"{HOST}/docs/9", None)


def test_claims_are_sorted_anew_when_another_rule_comes_into_force() -> None:
    crawl = Crawl()
    coverage = Coverage(crawl.learner)
    crawl.same(range(3))
    coverage.claim(f"{HOST}/docs/9/", b"nine")
    coverage.claim(f"{HOST}/docs/X", b"ex")
    assert keys(coverage, "/docs/x/") == ["/docs/x"]  # what the rule makes of it, claimed or not
    crawl.same(range(3), "/docs/{}q", "/docs/{}Q")
    assert keys(coverage, "/docs/x/") == ["/docs/X", "/docs/x"]


def test_nothing_is_found_once_the_rule_is_retracted() -> None:
    crawl = Crawl()
    coverage = Coverage(crawl.learner)
    coverage.claim(f"{HOST}/docs/9", b"nine")
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
        coverage.claim(HOST + claimed, b"digest")
    assert keys(coverage, "/news/9/") == []
    assert keys(coverage, "/docs/9/?b") == ["/docs/9?b"]
    assert keys(coverage, "/docs/9/?a") == ["/docs/9?a", "/docs/9?a"]


def test_many_witnesses_of_one_class_do_not_fill_it() -> None:
    crawl = Crawl(Policy(support=2))
    coverage = Coverage(crawl.learner)
    for page in range(4):
        crawl.same([page], "/docs/{}", "/docs/{0}?ref={0}")
    for value in range(100):
        coverage.claim(f"{HOST}/docs/9?ref={value}", b"digest")
    assert len(keys(coverage, "/docs/9?ref=x")) <= 5
