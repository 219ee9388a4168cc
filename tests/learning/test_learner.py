"""What speaks for a rule and against it, with the twin that teaches nothing, or the contrary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from iri_canon.equivalence import Observation, Rule, RuleName, RuleState, judge
from iri_canon.errors import IriError
from iri_canon.learning import Content, Coverage, Learner, Lesson, Policy, Standing, content_of, record_of
from tests.learning.rulestore import Kept

HOST = "http://a.example"
SLASH = RuleName("a.example", "trailing-slash", "docs")


def text(body: str) -> Content | None:
    return content_of(body.encode(), "text/html")


class Crawl:
    """Answers and redirects, told to a learner one after the other."""

    def __init__(self, policy: Policy | None = None, kept: Kept | None = None) -> None:
        self.kept = kept or Kept()
        self.learner = Learner(self.kept, policy or Policy(support=3))
        self.time = 0.0

    def page(self, url: str, body: str, *, audited: bool = False, status: int = 200) -> Lesson:
        self.time += 1
        content = text(body) if status == 200 else None
        return self.learner.answered(
            HOST + url if url[0] == "/" else url, status, content, self.time, audited=audited
        )

    def redirect(
        self, source: str, target: str, *statuses: int, final: int = 200, audited: bool = False
    ) -> Lesson:
        self.time += 1
        ends = [HOST + url if url[0] == "/" else url for url in (source, target)]
        observation = Observation(ends[0], ends[1], statuses or (301,), final, time=self.time)
        return self.learner.redirected(observation, judge(observation), audited=audited)

    def same(self, pages: Iterable[object], one: str = "/docs/{}", other: str = "/docs/{}/") -> None:
        for page in pages:
            self.page(one.format(page), f"<p>page {page}")
            self.page(other.format(page), f"<p>page {page}")

    def rule(
        self, kind: str = "trailing-slash", section: str = "docs", host: str = "a.example"
    ) -> Rule | None:
        return self.learner.rules.get(RuleName(host, kind, section))

    def state(
        self, kind: str = "trailing-slash", section: str = "docs", host: str = "a.example"
    ) -> str | None:
        rule = self.rule(kind, section, host)
        return None if rule is None else rule.state.value


def changes(lesson: Lesson) -> list[tuple[str, str, str]]:
    return [(str(name), before.value, after.value) for name, before, after, _ in lesson.changes]


def test_enough_pages_bring_a_rule_into_force_and_no_fewer() -> None:
    crawl = Crawl()
    crawl.same(range(2))
    assert crawl.state() == "proposed"
    crawl.page("/docs/2", "<p>page 2")
    assert changes(crawl.page("/docs/2/", "<p>page 2")) == [
        ("a.example/docs: trailing-slash", "proposed", "in force")
    ]


def test_a_section_and_a_host_have_rules_of_their_own() -> None:
    crawl = Crawl()
    crawl.same(range(3))
    crawl.same(range(3), "/news/{}", "/news/{}/extra/")
    crawl.same(range(2), "http://b.example/docs/{}", "http://b.example/docs/{}/")
    assert (crawl.state(), crawl.state(section="news"), crawl.state(host="b.example")) == (
        "in force",
        None,
        "proposed",
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p>page", "<p>page"),
        ("<p>page<!-- 0.031 s -->", "<p>page<!-- 0.129 s -->"),
        ("<meta name=csrf-token content=4f9aXk20>page", "<meta name=csrf-token content=9bd3Xk20>page"),
    ],
)
def test_what_only_volatile_parts_tell_apart_is_equal(one: str, other: str) -> None:
    crawl = Crawl()
    for page in range(8):
        crawl.page(f"/docs/{page}", f"{one} {page}")
        crawl.page(f"/docs/{page}/", f"{other} {page}")
    assert crawl.state() == "in force"


def test_one_contradiction_retracts_for_ever_and_for_the_next_crawl_too() -> None:
    crawl = Crawl()
    crawl.same(range(3))
    crawl.page("/docs/9", "<p>one")
    lesson = crawl.page("/docs/9/", "<p>another")
    assert ("a.example/docs: trailing-slash", "in force", "retracted") in changes(lesson)
    crawl.same(range(10, 30))
    assert crawl.state() == "retracted"
    crawl.learner.save()
    later = Crawl(kept=crawl.kept)
    later.same(range(30, 40))
    assert later.state() == "retracted"


@pytest.mark.parametrize("status", [400, 403, 404, 410, 500])
def test_an_error_on_one_side_contradicts(status: int) -> None:
    crawl = Crawl()
    crawl.page("/docs/1", "<p>one")
    crawl.page("/docs/1/", "", status=status)
    assert crawl.state() == "retracted"


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504, 204, 206])
def test_an_error_of_the_moment_and_an_empty_answer_say_nothing(status: int) -> None:
    crawl = Crawl()
    crawl.page("/docs/1", "<p>one")
    crawl.page("/docs/1/", "", status=status)
    assert crawl.rule() is None


def test_errors_on_both_sides_say_nothing() -> None:
    crawl = Crawl()
    crawl.page("/docs/1", "", status=404)
    crawl.page("/docs/1/", "", status=404)
    assert crawl.rule() is None


def test_empty_bodies_say_nothing() -> None:
    crawl = Crawl()
    crawl.same([])
    for page in range(9):
        crawl.page(f"/docs/{page}", " ")
        crawl.page(f"/docs/{page}/", "")
    assert crawl.rule() is None


def test_one_answer_to_everything_shows_nothing_however_often() -> None:
    crawl = Crawl()
    for page in range(50):
        crawl.page(f"/docs/{page}", "<p>welcome")
        crawl.page(f"/docs/{page}/", "<p>welcome")
    assert crawl.state() == "proposed"
    rule = crawl.rule()
    assert rule is not None
    assert rule.support == 0


def test_what_proves_to_be_a_wall_is_taken_back_on_both_sides() -> None:
    crawl = Crawl()
    crawl.page("/docs/1", "<p>log in")
    crawl.page("/docs/1/", "<p>page 1")
    assert crawl.state() == "retracted"
    for page in range(2, 5):
        lesson = crawl.page(f"/docs/{page}", "<p>log in")
    assert changes(lesson) == [
        ("a.example/docs: trailing-slash", "retracted", "proposed"),
        ("a.example/*: trailing-slash", "retracted", "proposed"),
    ]


def test_pages_whose_relative_links_begin_elsewhere_teach_nothing_however_alike() -> None:
    for link, state in (("/next", "in force"), ("next", None)):
        crawl = Crawl()
        for page in range(5):
            for end in ("", "/"):
                url = f"{HOST}/docs/{page}{end}"
                body = b"<p>page %d <a href=%s>on</a>" % (page, link.encode())
                crawl.learner.answered(url, 200, content_of(body, "text/html", url=url), 1.0)
        assert crawl.state() == state


def test_redirects_teach_a_direction() -> None:
    crawl = Crawl()
    for page in range(3):
        crawl.redirect(f"/docs/{page}/", f"/docs/{page}")
    assert crawl.state() == "in force"
    assert covered(crawl, ["/docs/9"], "/docs/9/") == ["/docs/9"]
    assert covered(crawl, ["/docs/9/"], "/docs/9") == []


def test_redirects_both_ways_hold_for_a_spelling_that_answered_itself() -> None:
    crawl = Crawl()
    for page in range(3):
        crawl.redirect(f"/docs/{page}/", f"/docs/{page}")
    assert changes(crawl.redirect("/docs/7", "/docs/7/")) == []
    assert crawl.state() == "in force"
    for claimed, other in (("/docs/9", "/docs/9/"), ("/docs/9/", "/docs/9")):
        assert covered(crawl, [claimed], other, Standing.PAGE) == [claimed]
        # Which of the two redirects is not known before one of them has answered.
        assert covered(crawl, [claimed], other, Standing.UNDER_WAY) == []
        assert covered(crawl, [claimed], other, Standing.NONE) == []


def test_redirects_to_an_order_of_the_sites_own_have_no_direction() -> None:
    crawl = Crawl()
    for page in range(3):
        crawl.redirect(f"/docs/{page}?b=1&c=2&a=3", f"/docs/{page}?c=2&b=1&a=3")
    assert crawl.state("query-order") == "in force"
    own, other = "/docs/9?c=2&b=1&a=3", "/docs/9?b=1&a=3&c=2"
    assert covered(crawl, [own], other, Standing.PAGE) == [own]
    assert covered(crawl, [own], other, Standing.UNDER_WAY) == []
    assert covered(crawl, [own], "/docs/9?b=1&a=4&c=2", Standing.PAGE) == []


def test_both_ways_take_as_many_as_one_way() -> None:
    crawl = Crawl()
    crawl.redirect("/docs/1/", "/docs/1")
    crawl.redirect("/docs/2", "/docs/2/")
    assert crawl.state() == "proposed"
    crawl.redirect("/docs/3", "/docs/3/")
    assert crawl.state() == "in force"
    crawl.page("/docs/9", "<p>one")
    crawl.page("/docs/9/", "<p>another")
    assert crawl.state() == "retracted"


def test_contents_teach_both_ways() -> None:
    crawl = Crawl()
    crawl.same(range(3))
    assert covered(crawl, ["/docs/9"], "/docs/9/") == ["/docs/9"]
    assert covered(crawl, ["/docs/9/"], "/docs/9") == ["/docs/9/"]


def covered(
    crawl: Crawl, claimed: Iterable[str], url: str, standing: Standing = Standing.UNDER_WAY
) -> list[str]:
    coverage = Coverage(crawl.learner)
    for each in claimed:
        coverage.claim(HOST + each if each[0] == "/" else each)
    wanted = HOST + url if url[0] == "/" else url
    return [
        witness.key.removeprefix(HOST)
        for witness in coverage.witnesses(wanted, lambda key, stamp: standing)
        if witness.stamp is not None
    ]


@pytest.mark.parametrize("final", [404, 500])
def test_a_redirect_to_an_error_contradicts_the_spelling_that_is_a_page(final: int) -> None:
    crawl = Crawl()
    crawl.page("/docs/1", "<p>one")
    crawl.redirect("/docs/1/", "/docs/other", final=final)
    assert crawl.state() == "retracted"


def test_a_redirect_elsewhere_contradicts_whichever_came_first() -> None:
    for order in (0, 1):
        crawl = Crawl()
        if order:
            crawl.redirect("/docs/1/", "/docs/other")
        crawl.page("/docs/1", "<p>one")
        if not order:
            crawl.redirect("/docs/1/", "/docs/other")
        assert crawl.state() == "retracted"


@pytest.mark.parametrize("target", ["/", "/user/login?next=1", "/docs/sign-in.php", "/consent"])
def test_a_redirect_home_or_to_a_log_in_page_teaches_nothing(target: str) -> None:
    crawl = Crawl()
    crawl.page("/docs/1", "<p>one")
    crawl.redirect("/docs/1/", target)
    assert crawl.rule() is None


def test_a_target_of_many_is_no_evidence() -> None:
    crawl = Crawl()
    crawl.page("/docs/1", "<p>one")
    for page in range(1, 6):
        crawl.redirect(f"/docs/{page}/", "/docs/gone")
    assert crawl.state() == "proposed"


def test_a_temporary_redirect_to_the_other_spelling_teaches_nothing() -> None:
    crawl = Crawl()
    for page in range(9):
        crawl.page(f"/docs/{page}", f"<p>page {page}")
        crawl.redirect(f"/docs/{page}/", f"/docs/{page}", 302)
    assert crawl.rule() is None


def test_a_redirect_that_drops_two_things_at_once_shows_of_both_that_they_do_not_matter() -> None:
    crawl = Crawl()
    for page in range(3):
        crawl.redirect(f"http://www.a.example/docs/{page}", f"https://a.example/docs/{page}")
    assert crawl.state("https", host="www.a.example") == "in force"
    assert crawl.state("www", host="www.a.example") == "in force"
    assert crawl.state("https", host="a.example") is None
    target = "https://a.example/docs/9"
    assert covered(crawl, [target], "http://www.a.example/docs/9") == [target]
    assert covered(crawl, [target], "https://www.a.example/docs/9") == [target]
    assert covered(crawl, [target], "http://a.example/docs/9") == []
    assert covered(crawl, ["http://www.a.example/docs/9"], target) == []


def test_contents_that_are_alike_though_two_things_differ_show_of_both_that_they_do_not_matter() -> None:
    crawl = Crawl()
    crawl.same(range(3), "/docs/{}?b=1&a=1", "/docs/{}/?a=1&b=1")
    assert crawl.state() == crawl.state("query-order") == "in force"
    assert covered(crawl, ["/docs/9"], "/docs/9/") == ["/docs/9"]


def test_contents_that_differ_where_two_things_do_tell_nothing_of_either() -> None:
    crawl = Crawl()
    crawl.page("/docs/1?b=1&a=1", "<p>one")
    crawl.page("/docs/1/?a=1&b=1", "<p>another")
    assert crawl.rule() is crawl.rule("query-order") is None


def test_two_rules_together_cover_what_differs_twice() -> None:
    crawl = Crawl()
    crawl.same(range(3))
    for page in range(3):
        crawl.page(f"/docs/{page}?b=1&a=1", f"<p>q {page}")
        crawl.page(f"/docs/{page}?a=1&b=1", f"<p>q {page}")
    assert covered(crawl, ["/docs/9?b=2&a=2"], "/docs/9/?a=2&b=2") == ["/docs/9?b=2&a=2"]
    assert covered(crawl, ["/docs/9?b=2&a=2"], "/docs/9/?a=2&b=3") == []


def test_equal_contents_stay_within_one_host() -> None:
    crawl = Crawl()
    crawl.same(range(9), "http://www.a.example/docs/{}", "http://a.example/docs/{}")
    assert crawl.rule("www") is None
    assert crawl.rule("www", host="www.a.example") is None
    crawl.page("http://www.a.example/docs/x", "<p>one")
    crawl.page("http://a.example/docs/x", "<p>another")
    assert crawl.state("www", host="www.a.example") == "retracted"


class TestParameters:
    def test_one_that_never_changes_the_page_is_insignificant(self) -> None:
        crawl = Crawl()
        for page in range(3):
            crawl.page(f"/docs/{page}?ref={page}", f"<p>page {page}")
            crawl.page(f"/docs/{page}?ref={page + 50}", f"<p>page {page}")
        assert crawl.state("param:ref") == "in force"
        assert covered(crawl, ["/docs/9?ref=0&b=1"], "/docs/9?b=1&ref=51") == ["/docs/9?ref=0&b=1"]
        assert covered(crawl, ["/docs/9?ref=0&b=1"], "/docs/9?b=2&ref=51") == []

    def test_the_absent_one_is_a_value(self) -> None:
        crawl = Crawl()
        crawl.same(range(3), "/docs/{}", "/docs/{0}?ref={0}")
        assert covered(crawl, ["/docs/9"], "/docs/9?ref=1") == ["/docs/9"]

    def test_a_value_that_was_not_seen_may_change_the_page(self) -> None:
        crawl = Crawl()
        crawl.same(range(3), "/docs/{}?lang=en", "/docs/{}?lang=de")
        assert crawl.state("param:lang") == "in force"
        assert covered(crawl, ["/docs/9?lang=en"], "/docs/9?lang=de") == ["/docs/9?lang=en"]
        assert covered(crawl, ["/docs/9?lang=en"], "/docs/9?lang=fr") == []

    def test_enough_values_speak_for_all(self) -> None:
        crawl = Crawl()
        crawl.same(range(6), "/docs/{}", "/docs/{0}?ref={0}")
        assert covered(crawl, ["/docs/9"], "/docs/9?ref=99") == ["/docs/9"]

    def test_one_that_changes_the_page_is_significant_for_ever(self) -> None:
        crawl = Crawl()
        crawl.page("/docs/1?page=1", "<p>first")
        crawl.page("/docs/1?page=2", "<p>second")
        crawl.same(range(2, 20), "/docs/{}?page=1", "/docs/{}?page=2")
        assert crawl.state("param:page") == "retracted"

    def test_a_soft_404_for_every_value_is_no_support(self) -> None:
        crawl = Crawl()
        for item in range(40):
            for more in range(2):
                crawl.page(f"/docs/show?id={item}&more={more}", "<p>no such item")
        assert crawl.state("param:id") == "proposed"
        assert crawl.state("param:more") == "proposed"

    def test_a_redirect_that_drops_an_unknown_one_teaches_nothing(self) -> None:
        crawl = Crawl()
        for page in range(9):
            crawl.redirect(f"/docs/{page}?id={page}", f"/docs/{page}")
            crawl.redirect(f"/docs/{page}?utm_source={page}", f"/docs/{page}")
        assert crawl.rule("param:id") is None
        assert crawl.state("param:utm_source") == "in force"


class TestWholeHosts:
    def test_sections_that_agree_widen_a_rule_and_one_that_objects_narrows_it(self) -> None:
        crawl = Crawl(Policy(support=2, sections=3))
        for section in ("a", "b", "c"):
            crawl.same(range(2), f"/{section}/{{}}-{section}", f"/{section}/{{}}-{section}/")
        assert crawl.state(section="*") == "proposed"  # the three have the same contents, which count once
        for section in ("a", "b", "c"):
            crawl.same([f"{section}{page}" for page in range(2)], f"/{section}/{{}}", f"/{section}/{{}}/")
        assert crawl.state(section="*") == "in force"
        assert covered(crawl, ["/new/1"], "/new/1/") == ["/new/1"]
        crawl.page("/d/1", "<p>one")
        lesson = crawl.page("/d/1/", "<p>two")
        assert ("a.example/*: trailing-slash", "in force", "retracted") in changes(lesson)
        assert covered(crawl, ["/new/1"], "/new/1/") == []
        assert covered(crawl, ["/a/x"], "/a/x/") == ["/a/x"]
        assert covered(crawl, ["/d/x"], "/d/x/") == []


class TestAudits:
    def test_agreement_is_counted_and_does_not_support_twice(self) -> None:
        crawl = Crawl()
        crawl.same(range(3))
        crawl.page("/docs/9", "<p>page 9")
        assert crawl.page("/docs/9/", "<p>page 9", audited=True).agreed == (SLASH,)
        crawl.page("/docs/9//", "<p>page 9")
        crawl.page("/docs/8", "<p>page 8")
        crawl.page("/docs/8?sid=1", "<p>page 8")
        assert crawl.page("/docs/8/", "<p>page 8", audited=True).agreed == (SLASH,)
        rule = crawl.rule()
        assert rule is not None
        assert rule.agreed == 2

    def test_one_disagreement_retracts(self) -> None:
        crawl = Crawl()
        crawl.same(range(3))
        crawl.page("/docs/9", "<p>page 9")
        lesson = crawl.page("/docs/9/", "<p>another", audited=True)
        assert lesson.disagreed == (SLASH,)
        assert ("a.example/docs: trailing-slash", "in force", "retracted") in changes(lesson)

    def test_of_two_rules_that_skipped_a_page_together_both_are_retracted(self) -> None:
        crawl = Crawl()
        crawl.same(range(3))
        crawl.same(range(3), "/docs/{}q", "/docs/{}Q")
        crawl.page("/docs/z", "<p>page z")
        lesson = crawl.page("/docs/Z/", "<p>another", audited=True)
        assert {name.kind for name in lesson.disagreed} == {"path-case", "trailing-slash"}
        assert crawl.state() == crawl.state("path-case") == "retracted"

    def test_a_wall_decides_nothing(self) -> None:
        crawl = Crawl()
        crawl.same(range(3))
        for page in range(20, 25):
            crawl.page(f"/docs/{page}", "<p>consent")
        crawl.page("/docs/9", "<p>page 9")
        lesson = crawl.page("/docs/9/", "<p>consent", audited=True)
        assert lesson == Lesson()

    def test_a_redirect_to_the_witness_agrees(self) -> None:
        crawl = Crawl()
        for page in range(3):
            crawl.redirect(f"/docs/{page}/", f"/docs/{page}")
        assert crawl.redirect("/docs/9/", "/docs/9", audited=True).agreed == (SLASH,)
        assert crawl.redirect("/docs/8/", "/docs/8", 302, audited=True).agreed == (SLASH,)


def test_doubt_clears_what_was_learned_and_what_it_could_be_compared_with() -> None:
    crawl = Crawl()
    crawl.same(range(3))
    crawl.page("/docs/9", "<p>anonymous")
    lesson = crawl.learner.doubt("a.example", 99.0)
    assert ("a.example/docs: trailing-slash", "in force", "proposed") in changes(lesson)
    crawl.page("/docs/9/", "<p>hello, reader")
    assert crawl.state() == "proposed"
    crawl.same(range(20, 23))
    assert crawl.state() == "in force"


def test_what_one_visitor_was_shown_is_nothing_for_crawls_to_come() -> None:
    crawl = Crawl()
    crawl.learner.doubt("a.example", 0.0)
    crawl.same(range(3))
    crawl.same(range(3), "http://b.example/docs/{}", "http://b.example/docs/{}/")
    crawl.page("/docs/x", "<p>one")
    crawl.page("/docs/X", "<p>another")
    assert crawl.state() == crawl.state(host="b.example") == "in force"
    crawl.learner.save()
    later = Crawl(kept=crawl.kept)
    assert (later.state(), later.state(host="b.example")) == ("proposed", "in force")
    assert later.state("path-case") == "retracted"


def test_a_policy_that_asks_for_more_takes_a_rule_out_of_force() -> None:
    crawl = Crawl()
    crawl.same(range(3))
    crawl.learner.save()
    assert Crawl(Policy(support=3), crawl.kept).state() == "in force"
    assert Crawl(Policy(support=4), crawl.kept).state() == "proposed"


def test_a_wall_and_links_that_begin_elsewhere_stand_for_no_page() -> None:
    crawl = Crawl()
    for url, body in (("/docs/1", "<a href=/x>1"), ("/docs/2", "<a href=x>2")):
        content = content_of(body.encode(), "text/html", url=HOST + url)
        crawl.learner.answered(HOST + url, 200, content, 0.0)
    may_stand = crawl.learner.may_stand
    assert may_stand(f"{HOST}/docs/1", f"{HOST}/docs/1/")
    assert not may_stand(f"{HOST}/docs/2", f"{HOST}/docs/2/")
    assert may_stand(f"{HOST}/docs/2", f"{HOST}/docs/2?sid=1")
    assert may_stand(f"{HOST}/docs/unknown", f"{HOST}/docs/unknown/")
    for page in range(3, 8):
        crawl.page(f"/docs/{page}", "<p>no such page")
    assert not may_stand(f"{HOST}/docs/3", f"{HOST}/docs/3?sid=1")


def test_doubt_of_another_host_changes_nothing() -> None:
    crawl = Crawl()
    crawl.same(range(3))
    assert crawl.learner.doubt("b.example", 99.0) == Lesson()
    assert crawl.state() == "in force"


def test_rules_serve_the_next_crawl() -> None:
    crawl = Crawl()
    crawl.same(range(3))
    crawl.learner.suppressed([SLASH])
    crawl.learner.save()
    later = Crawl(kept=crawl.kept)
    assert later.learner.in_force(f"{HOST}/docs/5")
    assert not later.learner.in_force("http://b.example/docs/5")
    assert covered(later, ["/docs/9"], "/docs/9/") == ["/docs/9"]
    rule = later.rule()
    assert rule is not None
    assert rule.suppressed == 1


def test_the_same_pair_supports_once_in_however_many_crawls() -> None:
    kept = Kept()
    for _ in range(5):
        crawl = Crawl(kept=kept)
        crawl.same([1])
        crawl.learner.save()
    rule = crawl.rule()
    assert rule is not None
    assert (rule.support, rule.state) == (1, RuleState.PROPOSED)


def test_an_answer_of_an_earlier_run_is_compared_with() -> None:
    crawl = Crawl()
    record = record_of(200, text("<p>page 1"))
    crawl.learner.load(f"{HOST}/docs/1", record)
    crawl.page("/docs/1/", "<p>page 1")
    rule = crawl.rule()
    assert rule is not None
    assert rule.support == 1


@pytest.mark.parametrize("record", [b"", b"short", bytes(33), bytes(43), record_of(404, None)])
def test_a_record_without_content_is_left_out(record: bytes) -> None:
    crawl = Crawl()
    crawl.learner.load(f"{HOST}/docs/1", record)
    crawl.page("/docs/1/", "<p>page 1")
    assert crawl.rule() is None


@pytest.mark.parametrize(
    "url", ["urn:a:b", "mailto:a@b.example", "no url", "http://[::1", "ftp://a.example/"]
)
def test_what_no_convention_speaks_of_teaches_nothing(url: str) -> None:
    crawl = Crawl()
    assert crawl.learner.answered(url, 200, text("<p>x"), 0.0) == Lesson()
    assert not crawl.learner.in_force(url)
    assert list(Coverage(crawl.learner).witnesses(url)) == []


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("support", lambda: Policy(support=1)),
        ("support", lambda: Policy(support=65)),
        ("sections", lambda: Policy(sections=1)),
        ("audit_share", lambda: Policy(audit_share=0)),
        ("audit_share", lambda: Policy(audit_share=1e-310)),
        ("audit_share", lambda: Policy(audit_share=float("nan"))),
        ("audit_share", lambda: Policy(audit_share=1.5)),
        ("audit_minimum", lambda: Policy(audit_minimum=0)),
    ],
)
def test_a_policy_that_cannot_be_is_refused_by_name(name: str, policy: Callable[[], Policy]) -> None:
    with pytest.raises(IriError, match=name):
        policy()


def values(several: int) -> Iterator[str]:
    return (f"v{value}" for value in range(several))


def test_a_site_that_makes_up_parameters_does_not_fill_the_memory() -> None:
    crawl = Crawl()
    for value in values(3_000):
        crawl.page(f"/docs/1?{value}=1", "<p>a")
        crawl.page(f"/docs/1?{value}=2", "<p>b")
    assert len(crawl.learner.rules.at("a.example")) <= 2_000
