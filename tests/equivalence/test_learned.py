"""What was learned, what was skipped for it and what is done are kept alike by all stores."""

from __future__ import annotations

from contextlib import closing

import pytest

from iri_canon.equivalence import (
    EquivalenceStore,
    Example,
    KnownPage,
    Observation,
    Rule,
    RuleName,
    RuleState,
    Seen,
    SeenStore,
    Stage,
    State,
    Suppressed,
)
from tests.equivalence.media import Memory, Sqlite

A, B, C = (bytes([number]) * 16 for number in (1, 2, 3))
ODD = "http://h/\ud800\udcff\0é"
SLASH = RuleName("example.com", "trailing-slash", "docs")


def rule(name: RuleName = SLASH, contradictions: int = 0) -> Rule:
    return Rule(name, contradictions=contradictions, examples=[Example(ODD, "http://h/", "301", 1.5)])


def skipped(digest: bytes = A, time: float = 1.0, stage: Stage = Stage.SKIPPED) -> Suppressed:
    return Suppressed(digest, ODD, (SLASH,), B, f"{ODD}/", b"\0payload", stage, time)


class TestRules:
    def test_an_unknown_rule(self, pairs: EquivalenceStore) -> None:
        assert pairs.rule(SLASH) is None
        assert list(pairs.rules()) == []
        assert pairs.forget_rule(SLASH) is False

    @pytest.mark.parametrize("flushing", [False, True])
    def test_a_rule_is_known_by_its_whole_name(self, pairs: EquivalenceStore, flushing: bool) -> None:
        pairs.keep_rule(rule())
        if flushing:
            pairs.flush()
        assert pairs.rule(SLASH) == rule()
        for other in (
            SLASH._replace(host="example.com:8080"),
            SLASH._replace(kind="https"),
            SLASH._replace(section=""),
        ):
            assert pairs.rule(other) is None
            assert pairs.forget_rule(other) is False
        assert pairs.rule(SLASH) == rule()

    @pytest.mark.parametrize("flushing", [False, True])
    def test_the_rule_that_was_kept_last_counts(self, pairs: EquivalenceStore, flushing: bool) -> None:
        pairs.keep_rule(rule())
        if flushing:
            pairs.flush()
        pairs.keep_rule(rule(contradictions=1))
        assert pairs.rule(SLASH) == rule(contradictions=1)
        assert list(pairs.rules()) == [rule(contradictions=1)]

    @pytest.mark.parametrize("flushing", [False, True])
    def test_what_the_caller_does_to_its_rule_later_is_its_own(
        self, pairs: EquivalenceStore, flushing: bool
    ) -> None:
        mine = rule()
        pairs.keep_rule(mine)
        mine.contradictions = 7
        mine.examples.clear()
        if flushing:
            pairs.flush()
        assert pairs.rule(SLASH) == rule()
        for got in (pairs.rule(SLASH), *pairs.rules()):
            assert got is not None
            got.state = RuleState.RETRACTED
            got.examples.clear()
        assert pairs.rule(SLASH) == rule()

    @pytest.mark.parametrize("flushing", [False, True])
    def test_a_forgotten_rule_is_unknown_until_it_is_kept_again(
        self, pairs: EquivalenceStore, flushing: bool
    ) -> None:
        other = SLASH._replace(section="*")
        for name in (SLASH, other):
            pairs.keep_rule(rule(name))
        if flushing:
            pairs.flush()
        assert pairs.forget_rule(SLASH) is True
        assert pairs.rule(SLASH) is None
        assert [each.name for each in pairs.rules()] == [other]
        assert pairs.forget_rule(SLASH) is False
        pairs.keep_rule(rule(contradictions=2))
        assert pairs.rule(SLASH) == rule(contradictions=2)

    def test_rules_come_by_name_and_those_of_a_host_alone(self, pairs: EquivalenceStore) -> None:
        names = [
            RuleName(host, kind, section)
            for host in ("a.example", "a.example:81", "b.example", "\ud800")
            for kind in ("https", "param:é")
            for section in ("", "*", "x")
        ]
        for name in names[::-2]:
            pairs.keep_rule(rule(name))
        pairs.flush()
        for name in names[::2]:
            pairs.keep_rule(rule(name))
        assert [each.name for each in pairs.rules()] == sorted(names)
        assert [each.name for each in pairs.rules("a.example")] == sorted(names[:6])
        assert list(pairs.rules("a")) == []

    def test_rules_outlive_the_store(self, persistent: Memory | Sqlite) -> None:
        gone = SLASH._replace(host="gone.example")
        with closing(persistent.equivalences()) as store:
            for kept in (rule(), rule(gone)):
                store.keep_rule(kept)
        with closing(persistent.equivalences()) as store:
            assert list(store.rules()) == [rule(), rule(gone)]
            store.keep_rule(rule(contradictions=1))
            store.forget_rule(gone)
        with closing(persistent.equivalences()) as store:
            assert list(store.rules()) == [rule(contradictions=1)]


def known(store: EquivalenceStore) -> list[KnownPage]:
    """All names; what each look-up finds is what the list says."""
    pages = list(store.pages())
    assert [store.page(page.key) for page in pages] == pages
    return pages


class TestPages:
    def test_an_unknown_page(self, pairs: EquivalenceStore) -> None:
        assert pairs.page("http://h/") is None
        assert pairs.page(ODD) is None
        assert known(pairs) == []
        assert pairs.forget_pages(["http://h/", ODD]) == 0
        assert pairs.forget_pages([]) == 0

    @pytest.mark.parametrize("flushing", [False, True])
    def test_a_page_has_several_names(self, pairs: EquivalenceStore, flushing: bool) -> None:
        for name in ("http://h/b", "http://h/a", ODD):
            pairs.keep_page(name, "http://h/b", 2.5)
        if flushing:
            pairs.flush()
        assert known(pairs) == sorted(
            KnownPage(name, "http://h/b", 2.5, False) for name in ("http://h/a", "http://h/b", ODD)
        )
        assert pairs.page("http://h/c") is None

    @pytest.mark.parametrize("flushing", [False, True])
    def test_what_is_newer_counts_and_items_once_given_stay(
        self, pairs: EquivalenceStore, flushing: bool
    ) -> None:
        def keep(page: str, time: float, *, gave_items: bool) -> KnownPage | None:
            pairs.keep_page("k", page, time, gave_items=gave_items)
            if flushing:
                pairs.flush()
            return pairs.page("k")

        assert keep("p", 2.0, gave_items=False) == KnownPage("k", "p", 2.0, False)
        assert keep("p", 1.0, gave_items=True) == KnownPage("k", "p", 2.0, False)
        assert keep("p", 2.0, gave_items=True) == KnownPage("k", "p", 2.0, True)
        assert keep("p", 2.0, gave_items=False) == KnownPage("k", "p", 2.0, True)
        assert keep("p", 3.0, gave_items=False) == KnownPage("k", "p", 3.0, True)
        assert keep("q", 2.0, gave_items=False) == KnownPage("k", "p", 3.0, True)
        # Another page's items say nothing of this one.
        assert keep("q", 3.0, gave_items=False) == KnownPage("k", "q", 3.0, False)

    @pytest.mark.parametrize("flushing", [False, True])
    def test_what_a_rule_says_and_what_an_answer_says(self, pairs: EquivalenceStore, flushing: bool) -> None:
        def keep(time: float, *, covered: bool) -> KnownPage | None:
            pairs.keep_page("k", "p", time, covered=covered)
            if flushing:
                pairs.flush()
            return pairs.page("k")

        assert keep(1.0, covered=True) == KnownPage("k", "p", 1.0, False, True)
        assert keep(2.0, covered=False) == KnownPage("k", "p", 2.0, False, False)
        assert keep(1.0, covered=True) == KnownPage("k", "p", 2.0, False, False)
        assert keep(3.0, covered=True) == KnownPage("k", "p", 3.0, False, True)
        assert pairs.forget_pages(["k"]) == 1

    @pytest.mark.parametrize("flushing", [False, True])
    @pytest.mark.parametrize("named", ["http://h/1", "http://h/2", "http://h/page"])
    def test_a_page_is_forgotten_under_all_its_names_by_each_of_them(
        self, pairs: EquivalenceStore, named: str, flushing: bool
    ) -> None:
        for name in ("http://h/1", "http://h/page"):
            pairs.keep_page(name, "http://h/page", 1.0)
        pairs.keep_page("http://h/other", "http://h/other", 1.0)
        if flushing:
            pairs.flush()
        # One name is on the medium and another waits.
        pairs.keep_page("http://h/2", "http://h/page", 1.0)
        assert pairs.forget_pages([named, named, "http://h/3"]) == 3
        assert [page.key for page in known(pairs)] == ["http://h/other"]
        assert pairs.forget_pages([named]) == 0
        pairs.keep_page(named, named, 0.5)
        assert pairs.page(named) == KnownPage(named, named, 0.5, False)

    def test_a_page_that_is_no_name_of_itself_is_forgotten_by_its_key(self, pairs: EquivalenceStore) -> None:
        pairs.keep_page("http://h/1", "http://h/page", 1.0)
        assert pairs.forget_pages(["http://h/page"]) == 1
        assert known(pairs) == []

    def test_a_page_is_forgotten_by_the_source_of_a_pair(self, pairs: EquivalenceStore) -> None:
        pairs.record(Observation("http://h/page/", "http://h/page", (301,), 200))
        for name in ("http://h/page", "http://h/1"):
            pairs.keep_page(name, "http://h/page", 1.0)
        pairs.keep_page("http://h/other", "http://h/other", 1.0)
        assert pairs.forget_pages(["http://h/other/"]) == 0
        assert pairs.forget_pages(["http://h/page/"]) == 2
        assert [page.key for page in known(pairs)] == ["http://h/other"]

    def test_a_name_that_moved_to_another_page_stays_with_that(self, pairs: EquivalenceStore) -> None:
        pairs.keep_page("http://h/1", "http://h/old", 1.0)
        pairs.keep_page("http://h/old", "http://h/old", 1.0)
        pairs.flush()
        pairs.keep_page("http://h/1", "http://h/new", 2.0)
        assert pairs.forget_pages(["http://h/old"]) == 1
        assert pairs.page("http://h/1") == KnownPage("http://h/1", "http://h/new", 2.0, False)

    def test_pages_outlive_the_store(self, persistent: Memory | Sqlite) -> None:
        with closing(persistent.equivalences()) as store:
            store.keep_page(ODD, "http://h/", 1.5, gave_items=True, covered=True)
            store.keep_page("http://h/gone", "http://h/gone", 1.5)
        with closing(persistent.equivalences()) as store:
            assert known(store)[1] == KnownPage(ODD, "http://h/", 1.5, True, True)
            assert store.forget_pages(["http://h/gone"]) == 1
        with closing(persistent.equivalences()) as store:
            assert known(store) == [KnownPage(ODD, "http://h/", 1.5, True, True)]


class TestSuppressed:
    @pytest.mark.parametrize("flushing", [False, True])
    def test_an_entry_is_kept_whole(self, seen: SeenStore, flushing: bool) -> None:
        entries = [
            skipped(A),
            skipped(B, stage=Stage.SENT)._replace(rules=(), payload=None),
            skipped(C)._replace(rules=(RuleName(ODD, "www", ""), SLASH), url="", payload=b""),
        ]
        for entry in entries:
            seen.suppress(entry)
        if flushing:
            seen.flush()
        assert list(seen.suppressed()) == entries
        assert [type(entry.stage) for entry in seen.suppressed()] == [Stage] * 3
        assert [type(name) for entry in seen.suppressed() for name in entry.rules] == [RuleName] * 3

    @pytest.mark.parametrize("flushing", [False, True])
    def test_the_oldest_comes_first_and_a_newer_entry_takes_its_place(
        self, seen: SeenStore, flushing: bool
    ) -> None:
        for entry in (skipped(B, 2.0), skipped(C, 1.0), skipped(A, 1.0)):
            seen.suppress(entry)
        if flushing:
            seen.flush()
        assert [entry.digest for entry in seen.suppressed()] == [C, A, B]
        seen.suppress(skipped(C, 1.0, Stage.SENT))
        assert list(seen.suppressed()) == [skipped(C, 1.0, Stage.SENT), skipped(A, 1.0), skipped(B, 2.0)]
        seen.resolve(C)
        seen.suppress(skipped(C, 1.0))
        if flushing:
            seen.flush()
        assert [entry.digest for entry in seen.suppressed()] == [A, C, B]

    @pytest.mark.parametrize("flushing", [False, True])
    def test_one_is_found_by_its_digest(self, seen: SeenStore, flushing: bool) -> None:
        for entry in (skipped(A), skipped(B)):
            seen.suppress(entry)
        if flushing:
            seen.flush()
        assert seen.suppressed_as(A) == skipped(A)
        seen.suppress(skipped(A, stage=Stage.SENT))
        assert seen.suppressed_as(A) == skipped(A, stage=Stage.SENT)
        assert seen.suppressed_as(C) is None
        seen.resolve(A)
        assert seen.suppressed_as(A) is None
        assert seen.suppressed_as(B) == skipped(B)

    @pytest.mark.parametrize("flushing", [False, True])
    def test_what_was_resolved_is_gone(self, seen: SeenStore, flushing: bool) -> None:
        for digest in (A, B):
            seen.suppress(skipped(digest))
        if flushing:
            seen.flush()
        seen.resolve(A)
        seen.resolve(A)
        seen.resolve(C)
        assert list(seen.suppressed()) == [skipped(B)]
        if flushing:
            seen.flush()
        assert list(seen.suppressed()) == [skipped(B)]

    @pytest.mark.parametrize("flushing", [False, True])
    def test_entries_may_change_while_they_are_read(self, seen: SeenStore, flushing: bool) -> None:
        digests = [bytes([number]) * 16 for number in range(20)]
        for digest in digests[:10]:
            seen.suppress(skipped(digest))
        if flushing:
            seen.flush()
        for digest in digests[10:]:
            seen.suppress(skipped(digest))
        read = []
        for entry in seen.suppressed():
            read.append(entry.digest)
            seen.suppress(entry._replace(stage=Stage.SENT))
            if flushing:
                seen.flush()
        assert read == digests
        for entry in seen.suppressed():
            assert entry.stage is Stage.SENT
            seen.resolve(entry.digest)
        assert list(seen.suppressed()) == []

    def test_an_entry_changes_no_state(self, seen: SeenStore) -> None:
        seen.suppress(skipped(A))
        assert seen.get(A) is None
        seen.put(A, State.COVERED, spelling=ODD)
        seen.resolve(A)
        assert seen.get(A) == Seen(State.COVERED)
        assert seen.spelling(A) == ODD
        seen.suppress(skipped(A))
        seen.forget(A)
        assert list(seen.suppressed()) == [skipped(A)]
        assert seen.get(A) is None

    def test_what_is_covered_can_be_released(self, seen: SeenStore) -> None:
        seen.put(A, State.COVERED)
        seen.put(B, State.CLAIMED)
        assert seen.release({State.COVERED}) == 1
        assert seen.get(A) is None
        assert seen.get(B) == Seen(State.CLAIMED)

    def test_a_closed_store_still_takes_entries(self, medium: Memory | Sqlite) -> None:
        store = medium.seen()
        store.close(clean=True)
        store.suppress(skipped(A))
        store.keep_content("http://h/", b"record")
        assert list(store.suppressed()) == [skipped(A)]
        assert list(store.contents()) == [("http://h/", b"record")]
        store.resolve(A)
        assert list(store.suppressed()) == []

    @pytest.mark.parametrize("clean", [False, True])
    def test_over_a_stop_the_entries_decide_what_is_covered(
        self, persistent: Memory | Sqlite, clean: bool
    ) -> None:
        covered, sent, resolved, lonely, done, forgotten = (bytes([number]) * 16 for number in range(6))
        store = persistent.seen()
        for digest in (covered, sent, resolved, done, forgotten):
            store.suppress(skipped(digest))
        for digest in (covered, sent, resolved, lonely, done, forgotten):
            store.put(digest, State.COVERED, spelling=ODD)
        store.flush()
        store.suppress(skipped(sent, stage=Stage.SENT))
        store.forget(sent)
        store.resolve(resolved)
        store.put(done, State.CLAIMED)
        store.put(done, State.DONE, 200)
        store.forget(forgotten)
        store.flush()
        store.close(clean=clean)
        # Twice: what the second run did not touch must be as it was.
        for _ in range(2):
            store = persistent.seen()
            assert store.get(covered) == Seen(State.COVERED)
            assert store.spelling(covered) == ODD
            # It is for the caller to send it again: nothing refuses it.
            assert store.get(sent) is None
            # Nobody could fetch these again if they were refused.
            assert store.get(resolved) is None
            assert store.get(lonely) is None
            assert store.get(done) == Seen(State.DONE, 200)
            assert store.get(forgotten) == Seen(State.COVERED)
            assert {entry.digest: entry.stage for entry in store.suppressed()} == {
                covered: Stage.SKIPPED,
                sent: Stage.SENT,
                done: Stage.SKIPPED,
                forgotten: Stage.SKIPPED,
            }
            store.close(clean=clean)

    @pytest.mark.parametrize("stage", Stage)
    @pytest.mark.parametrize("state", [State.CLAIMED, State.EXEMPT, State.HOP])
    def test_what_was_under_way_after_all_stays_so_over_a_clean_stop_alone(
        self, persistent: Memory | Sqlite, state: State, stage: Stage
    ) -> None:
        store = persistent.seen()
        store.suppress(skipped(A))
        store.put(A, State.COVERED)
        store.put(A, state, 301)
        store.suppress(skipped(A, stage=stage))
        store.close(clean=True)
        store = persistent.seen()
        assert store.get(A) == Seen(state, 301)
        store.close(clean=False)
        store = persistent.seen()
        assert store.get(A) == (Seen(State.COVERED) if stage is Stage.SKIPPED else None)
        assert list(store.suppressed()) == [skipped(A, stage=stage)]
        store.close(clean=False)

    @pytest.mark.parametrize("clean", [False, True])
    def test_entries_and_contents_outlive_the_store(self, persistent: Memory | Sqlite, clean: bool) -> None:
        store = persistent.seen()
        for time, digest in enumerate((C, A, B)):
            store.suppress(skipped(digest, float(time)))
        store.keep_content(ODD, b"\0record")
        store.keep_content("http://h/", b"old")
        store.flush()
        store.close(clean=clean)
        store = persistent.seen()
        assert list(store.suppressed()) == [skipped(C, 0.0), skipped(A, 1.0), skipped(B, 2.0)]
        assert list(store.contents()) == [("http://h/", b"old"), (ODD, b"\0record")]
        store.resolve(A)
        store.suppress(skipped(B, 2.0, Stage.SENT))
        store.keep_content("http://h/", b"new")
        store.flush()
        store.close(clean=clean)
        store = persistent.seen()
        assert list(store.suppressed()) == [skipped(C, 0.0), skipped(B, 2.0, Stage.SENT)]
        assert list(store.contents()) == [("http://h/", b"new"), (ODD, b"\0record")]
        store.close(clean=clean)


class TestContents:
    @pytest.mark.parametrize("flushing", [False, True])
    def test_the_record_that_was_kept_last_counts(self, seen: SeenStore, flushing: bool) -> None:
        assert list(seen.contents()) == []
        seen.keep_content(ODD, b"")
        seen.keep_content("http://h/a", b"1")
        if flushing:
            seen.flush()
        seen.keep_content("http://h/a", b"2")
        seen.keep_content("http://h/A", b"\xff")
        assert list(seen.contents()) == [("http://h/A", b"\xff"), ("http://h/a", b"2"), (ODD, b"")]
