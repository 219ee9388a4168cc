"""Whatever was claimed and whatever rules came and went, the witnesses are those that a look at every claim finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iri_canon import key
from iri_canon.conventions.lists import names
from iri_canon.equivalence import EVERYWHERE, Rule, RuleName, RuleState
from iri_canon.learning import Coverage, Learner, Policy, Standing
from iri_canon.learning import claimed as claimed_module
from iri_canon.learning.kinds import LEARNABLE, kind_of, ordered, projection
from iri_canon.learning.parts import Parts, split
from iri_canon.learning.rulebook import Rulebook
from iri_canon.learning.sections import section_of
from tests.learning.rulestore import Kept

HOSTS = ["a.example", "www.a.example", "b.example", "a.example:8080"]
KINDS = [*LEARNABLE, "param:sid", "param:a"]
SECTIONS = ["", "docs", "a", EVERYWHERE]
PIECES = [
    "docs",
    "Docs",
    "a",
    "A",
    "x",
    "index.html",
    "x.html",
    "",
    "%40",
    "%2F",
    "a;jsessionid=1",
    "(S(x))",
    "é",
]
QUERIES = ["", "a=1", "sid=1&b", "b&sid=2", "b=/c/", "a", "b", "a=+", "a=%20", "b&a=1", "b=c?d"]

urls = st.builds(
    lambda scheme, host, pieces, query: key(f"{scheme}://{host}/{'/'.join(pieces)}{query}"),
    st.sampled_from(["http", "https", "ftp"]),
    st.sampled_from([*HOSTS, "u@a.example"]),
    st.lists(st.sampled_from(PIECES), max_size=4),
    st.one_of(st.just(""), st.sampled_from(QUERIES).map("?{}".format)),
)
odd = st.sampled_from(
    ["", "http:", "http://", "http:///a/b", "http://a.example", "https://?a/b", "//a.example/b"]
)
rule_names = st.builds(RuleName, st.sampled_from(HOSTS), st.sampled_from(KINDS), st.sampled_from(SECTIONS))
events = st.lists(
    st.one_of(
        st.tuples(st.just("claim"), urls | odd),
        st.tuples(st.just("alone"), urls | odd),
        st.tuples(st.just("rule"), rule_names),
        st.tuples(st.just("object"), rule_names),
        st.tuples(st.just("doubt"), rule_names),
    ),
    max_size=30,
)


def in_force(name: RuleName) -> Rule:
    known = Rule(name, RuleState.IN_FORCE, since=1.0, last=1.0).as_json()
    known["supports"] = {f"{page:032x}": ["body", str(page % 4), f"{page:032x}"] for page in range(16)}
    return Rule.from_json(known)


class Site:
    """A learner whose rules are set by hand, and a coverage beside all that was claimed."""

    def __init__(self, *, sees_all: bool) -> None:
        self.learner = Learner(Kept(), Policy(support=2))
        self.coverage = Coverage(self.learner, sees_all=sees_all)
        self.claimed: list[str] = []

    def do(self, what: str, subject: str | RuleName) -> None:
        if isinstance(subject, str):
            if what == "claim":
                self.coverage.claim(subject)
            elif not self.coverage.claim_alone(subject):
                return
            else:
                # A surely lonely one has no witness among all that was claimed.
                assert not list(self.looked_for(subject))
            self.claimed.append(subject)
            return
        rule = self.learner.rules.obtain(subject, 1.0)
        assert rule is not None
        if what == "rule":
            rule.supports = in_force(subject).supports
        elif what == "object":
            rule.contradictions = 1 - rule.contradictions
        else:
            rule.supports = {}
        self.learner.rules.decide(rule, 1.0)

    def looked_for(self, text: str) -> Iterator[tuple[str, tuple[RuleName, ...]]]:
        """Each claim that rules in force join with a key."""
        source = split(text)
        for other in dict.fromkeys(self.claimed):
            target = split(other)
            if source is None or target is None or other == text:
                continue
            if not self.learner.rules.has_rules_at(source.site) or source.site != target.site:
                continue
            kind = kind_of(source, target)
            section = section_of(source.path)
            rules = self.learner.rules.covering(source, target, kind, section, is_page=True) if kind else ()
            if rules:
                yield other, rules


@pytest.fixture(autouse=True)
def _many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds have tests of their own."""
    monkeypatch.setattr(claimed_module, "MOST_WITNESSES", 1000)
    monkeypatch.setattr(claimed_module, "SORTINGS", 1000)


def projected(learner: Learner, text: str) -> str | None:
    parts = split(text)
    if parts is None:
        return None
    found = learner.rules.of_site(parts.site).projection(section_of(parts.path))
    return None if found is None else str(found(parts))


@settings(max_examples=200)
@given(events, urls, st.booleans())
def test_witnesses_are_what_a_look_at_every_claim_finds(
    some: list[tuple[str, str | RuleName]], text: str, sees_all: bool
) -> None:
    site = Site(sees_all=sees_all)
    for what, subject in some:
        site.do(what, subject)
    claimed = set(site.claimed)
    found = list(
        site.coverage.witnesses(
            text, lambda other, stamp: Standing.PAGE if other in claimed else Standing.NONE
        )
    )
    assert {(one.key, one.rules) for one in found} == set(site.looked_for(text))
    assert len({one.key for one in found}) == len(found)


@settings(max_examples=200)
@given(events, urls)
def test_the_place_of_a_key_is_that_of_its_parts(some: list[tuple[str, str | RuleName]], text: str) -> None:
    site = Site(sees_all=True)
    for what, subject in some:
        site.do(what, subject)
    place = site.coverage._place(text)
    parts = split(text)
    if parts is None or not site.learner.rules.has_rules_at(parts.site):
        assert place is None
        return
    assert place is not None
    section, made = place
    assert section.name == section_of(parts.path)
    assert made == (projected(site.learner, text) or text)


@settings(max_examples=200)
@given(urls, st.lists(st.sampled_from(KINDS), max_size=4).map(ordered))
def test_what_rules_make_of_a_key_is_a_key_in_the_same_section(text: str, kind: tuple[str, ...]) -> None:
    parts = split(text)
    if parts is not None:
        made: Parts = projection(kind)(parts)
        assert key(str(made)) == str(made)
        assert split(str(made)) == made
        assert (made.site, section_of(made.path)) == (parts.site, section_of(parts.path))


@given(st.lists(st.tuples(st.sampled_from(["rule", "object", "doubt"]), rule_names), max_size=12))
def test_what_is_in_force_is_what_a_look_at_every_rule_finds(some: Iterable[tuple[str, RuleName]]) -> None:
    site = Site(sees_all=True)
    book: Rulebook = site.learner.rules
    for what, name in some:
        site.do(what, name)
        for host in HOSTS:
            for section in (*SECTIONS[:3], "other"):
                rules = {rule.name: rule for rule in book.at(host) if rule.state is RuleState.IN_FORCE}
                wanted = {}
                for kind in KINDS:
                    own = book.get(RuleName(host, kind, section))
                    wide = rules.get(RuleName(host, kind, EVERYWHERE))
                    if own is not None and own.state is RuleState.IN_FORCE:
                        wanted[kind] = own
                    elif wide is not None and (own is None or own.state is not RuleState.RETRACTED):
                        wanted[kind] = wide
                assert dict(book.in_force(host, section)) == wanted


def test_every_default_document_has_a_dot() -> None:
    assert all("." in name for name in names("default-documents"))


def test_a_claim_that_was_not_told_is_asked_for() -> None:
    site = Site(sees_all=True)
    site.do("rule", RuleName("a.example", "trailing-slash", "docs"))
    asked: list[str] = []

    def stands(other: str, stamp: int | None) -> Standing:
        asked.append(other)
        return Standing.NONE

    assert not list(site.coverage.witnesses("http://a.example/docs/1/", stands))
    assert asked == []
    site.coverage.miss()
    assert not list(site.coverage.witnesses("http://a.example/docs/1/", stands))
    assert asked == ["http://a.example/docs/1"]
    assert not site.coverage.claim_alone("http://a.example/docs/1/")


def test_what_waited_too_long_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claimed_module, "MOST_WAITING", 3)
    site = Site(sees_all=True)
    for page in range(3):
        site.do("claim", f"http://a.example/docs/{page}")
    site.do("rule", RuleName("a.example", "trailing-slash", "docs"))
    found = list(site.coverage.witnesses("http://a.example/docs/never/"))
    assert [(one.key, one.stamp) for one in found] == [("http://a.example/docs/never", None)]


def test_what_was_claimed_between_two_times_of_rules_is_found() -> None:
    site = Site(sees_all=True)
    name = RuleName("a.example", "trailing-slash", "docs")
    site.do("rule", name)
    site.do("alone", "http://a.example/docs/1")
    site.do("doubt", name)
    site.do("claim", "http://a.example/docs/2")
    assert not list(site.coverage.witnesses("http://a.example/docs/2/"))
    site.do("rule", name)
    for page in (1, 2):
        (witness,) = site.coverage.witnesses(f"http://a.example/docs/{page}/")
        assert (witness.key, witness.stamp) == (f"http://a.example/docs/{page}", 0)
    assert not list(site.coverage.witnesses("http://a.example/docs/3/"))
