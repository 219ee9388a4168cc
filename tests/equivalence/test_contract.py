"""All stores keep one contract, whatever their medium."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iri_canon.equivalence import (
    Equivalence,
    EquivalenceStore,
    Observation,
    Refusal,
    Seen,
    SeenStore,
    Stage,
    State,
    Suppressed,
    open_equivalences,
    profile,
)
from tests.equivalence.media import Memory, Sqlite

A, B, C = (bytes([number]) * 16 for number in (1, 2, 3))
ODD = "http://h/\ud800\udcff\0é"


class TestSeen:
    def test_an_unknown_digest(self, seen: SeenStore) -> None:
        assert seen.get(A) is None
        assert seen.spelling(A) is None
        assert len(seen) == 0
        seen.forget(A)

    @pytest.mark.parametrize("state", State)
    def test_a_state_is_what_was_put_last(self, seen: SeenStore, state: State) -> None:
        seen.put(A, State.DONE, 200)
        seen.put(A, state, 301)
        seen.put(B, State.CLAIMED)
        assert seen.get(A) == Seen(state, 301) == (state, 301)
        assert seen.get(B) == Seen(State.CLAIMED, 0)
        assert len(seen) == 2

    def test_what_was_forgotten_is_unknown(self, seen: SeenStore) -> None:
        seen.put(A, State.DONE, 200, "http://h/A")
        seen.put(B, State.DONE, 200, "http://h/B")
        seen.flush()
        seen.forget(A)
        assert seen.get(A) is None
        assert seen.spelling(A) is None
        assert seen.get(B) == Seen(State.DONE, 200)
        assert seen.spelling(B) == "http://h/B"
        assert len(seen) == 1

    @pytest.mark.parametrize("flushing", [False, True])
    def test_the_first_spelling_stays_until_it_is_forgotten(self, seen: SeenStore, flushing: bool) -> None:
        def flush() -> None:
            if flushing:
                seen.flush()

        seen.put(A, State.CLAIMED)
        assert seen.spelling(A) is None
        seen.put(A, State.CLAIMED, spelling=ODD)
        flush()
        seen.put(A, State.DONE, 200, spelling="http://h/other")
        flush()
        assert seen.spelling(A) == ODD
        seen.forget(A)
        flush()
        seen.put(A, State.DONE)
        assert seen.spelling(A) is None
        flush()
        seen.put(A, State.DONE, 200, spelling="http://h/new")
        flush()
        assert seen.spelling(A) == "http://h/new"

    def test_held_requests_are_handed_out_once_in_order(self, seen: SeenStore) -> None:
        seen.hold([b"1", b"\0"])
        seen.hold([b"3"])
        assert seen.held() == [b"1", b"\0", b"3"]
        assert seen.held() == []

    def test_it_says_when_it_was_made(self, medium: Memory | Sqlite) -> None:
        before = time.time()
        store = medium.seen()
        began = store.began
        assert before <= began <= time.time()
        store.close(clean=False)
        later = medium.seen()
        assert (later.began == began) == medium.persistent
        later.close(clean=True)

    def test_closing_twice(self, medium: Memory | Sqlite) -> None:
        store = medium.seen()
        store.close(clean=True)
        store.close(clean=True)
        store.put(A, State.DONE)
        store.flush()
        assert store.get(A) == Seen(State.DONE, 0)

    @settings(deadline=None, max_examples=50)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from([A, B, C]),
                st.sampled_from([*State, *Stage, None, "flush", "resolve"]),
                st.sampled_from([0, 200]),
            ),
            max_size=12,
        ),
        st.booleans(),
    )
    def test_a_reopened_store_knows_what_the_last_states_say(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        steps: list[tuple[bytes, State | Stage | str | None, int]],
        clean: bool,
    ) -> None:
        medium = Sqlite(tmp_path_factory.mktemp("seen"))
        store, expected = medium.seen(), {}
        entries: dict[bytes, Stage] = {}
        for digest, step, status in steps:
            if isinstance(step, State):
                store.put(digest, step, status)
                expected[digest] = Seen(step, status)
            elif isinstance(step, Stage):
                store.suppress(Suppressed(digest, "http://h/", (), A, "http://h/a", None, step, 0.0))
                entries[digest] = step
            elif step == "resolve":
                store.resolve(digest)
                entries.pop(digest, None)
            elif step is None:
                store.forget(digest)
                expected.pop(digest, None)
            else:
                store.flush()
            assert {each: store.get(each) for each in expected} == expected
            assert len(store) == len(expected)
        store.flush()
        store.close(clean=clean)
        survivors = {
            digest: Seen(State.COVERED) for digest, stage in entries.items() if stage is Stage.SKIPPED
        }
        for digest, known in expected.items():
            if known.state is State.DONE or (clean and known.state not in {State.FAILED, State.COVERED}):
                state = State.DONE if known.state is State.RECEIVED else known.state
                survivors[digest] = Seen(state, known.status)
        # Twice: what the second run did not touch must be as it was.
        for _ in range(2):
            again = medium.seen()
            assert {each: again.get(each) for each in (A, B, C) if again.get(each)} == survivors
            assert len(again) == len(survivors)
            assert {entry.digest: entry.stage for entry in again.suppressed()} == entries
            again.close(clean=True)


class TestSeenAcrossRuns:
    def test_a_clean_stop_keeps_spellings_and_held_requests(self, persistent: Memory | Sqlite) -> None:
        store = persistent.seen()
        store.put(A, State.CLAIMED, spelling=ODD)
        store.put(B, State.FAILED, spelling="http://h/b")
        store.hold([b"payload"])
        store.close(clean=True)
        store = persistent.seen()
        assert store.spelling(A) == ODD
        assert store.spelling(B) is None
        assert store.held() == [b"payload"]
        store.close(clean=True)
        store = persistent.seen()
        assert store.held() == []
        assert store.get(A) == Seen(State.CLAIMED, 0)
        store.close(clean=True)

    def test_an_unclean_stop_after_a_clean_one_releases_the_claims_of_both(
        self, persistent: Memory | Sqlite
    ) -> None:
        store = persistent.seen()
        store.put(A, State.CLAIMED)
        store.put(C, State.RECEIVED, 200)
        store.close(clean=True)
        store = persistent.seen()
        store.put(B, State.HOP, 301)
        store.close(clean=False)
        store = persistent.seen()
        assert store.get(A) is None
        assert store.get(B) is None
        assert store.get(C) == Seen(State.DONE, 200)
        store.close(clean=False)


def seen_redirect(source: str, target: str, time: float = 0.0, status: int = 301) -> Observation:
    return Observation(
        f"http://example.com{source}", f"http://example.com{target}", (status,), 200, time=time
    )


class TestEquivalences:
    def test_a_pair_holds_in_one_direction(self, pairs: EquivalenceStore) -> None:
        verdict = pairs.record(seen_redirect("/a", "/a/"))
        assert isinstance(verdict, Equivalence)
        assert pairs.representative("http://example.com/a") == "http://example.com/a/"
        assert pairs.representative("http://example.com/a/") is None
        assert pairs.equivalence("http://example.com/a") == verdict
        assert pairs.equivalence("http://example.com/a/") is None
        assert list(pairs.equivalences()) == [verdict]
        assert pairs.refusals() == {}

    def test_a_pair_holds_for_exactly_what_was_observed(self, pairs: EquivalenceStore) -> None:
        pairs.record(seen_redirect("/a", "/a/"))
        assert pairs.representative("http://example.com/b") is None
        assert pairs.representative("https://example.com/a") is None
        assert pairs.representative("http://example.com/a?") is None

    def test_other_redirects_are_stored_and_counted_and_join_nothing(self, pairs: EquivalenceStore) -> None:
        retired = replace(seen_redirect("/gone", "/"), source=f"http://example.com/gone{ODD[-4:]}")
        for observation in (retired, replace(retired, time=2.0), seen_redirect("/a", "/a/", status=302)):
            pairs.record(observation)
        assert pairs.refusals() == {"unexplained": 2, "temporary": 1}
        assert {(refusal.reason, seen.time) for seen, refusal in pairs.refused()} == {
            ("unexplained", 2.0),
            ("temporary", 0.0),
        }
        pairs.flush()
        assert len(list(pairs.refused())) == 2
        pairs.record(retired)
        assert pairs.refusals() == {"unexplained": 3, "temporary": 1}
        assert len(list(pairs.refused())) == 2
        assert list(pairs.equivalences()) == []

    def test_temporary_redirects_by_option(self, pairs: EquivalenceStore) -> None:
        pairs.record(seen_redirect("/a", "/a/", status=302), temporary=True)
        assert pairs.representative("http://example.com/a") == "http://example.com/a/"

    @pytest.mark.parametrize("flushing", [False, True])
    def test_chains_are_followed_to_the_end(self, pairs: EquivalenceStore, flushing: bool) -> None:
        pairs.record(seen_redirect("//A/", "//A", time=3))
        if flushing:
            pairs.flush()
        pairs.record(seen_redirect("//A", "/A", time=4))
        pairs.record(seen_redirect("/A", "/a", time=5))
        assert pairs.representative("http://example.com//A/") == "http://example.com/a"
        assert pairs.representative("http://example.com//A") == "http://example.com/a"
        assert pairs.representative("http://example.com/a") is None

    @pytest.mark.parametrize("flushing", [False, True])
    def test_a_newer_opposite_pair_replaces_the_older(self, pairs: EquivalenceStore, flushing: bool) -> None:
        pairs.record(seen_redirect("/a", "/a/", time=1))
        if flushing:
            pairs.flush()
        assert isinstance(pairs.record(seen_redirect("/a/", "/a", time=2)), Equivalence)
        assert pairs.representative("http://example.com/a") is None
        assert pairs.representative("http://example.com/a/") == "http://example.com/a"
        assert pairs.record(seen_redirect("/a", "/a/", time=1)) == Refusal("superseded")
        assert pairs.representative("http://example.com/a/") == "http://example.com/a"
        assert len(list(pairs.equivalences())) == 1

    def test_a_newer_target_replaces_the_older(self, pairs: EquivalenceStore) -> None:
        pairs.record(seen_redirect("/A/", "/A", time=1))
        pairs.record(seen_redirect("/A/", "/a", time=2))
        assert pairs.record(seen_redirect("/A/", "/a/", time=1)) == Refusal("superseded")
        assert pairs.representative("http://example.com/A/") == "http://example.com/a"

    @pytest.mark.parametrize("flushing", [False, True])
    def test_a_source_that_leads_elsewhere_is_a_source_no_more(
        self, pairs: EquivalenceStore, flushing: bool
    ) -> None:
        pairs.record(seen_redirect("/a", "/a/", time=2))
        if flushing:
            pairs.flush()
        pairs.record(seen_redirect("/a", "/", time=1))
        assert pairs.representative("http://example.com/a") == "http://example.com/a/"
        pairs.record(seen_redirect("/a", "/", time=3))
        assert pairs.representative("http://example.com/a") is None
        pairs.flush()
        assert list(pairs.equivalences()) == []

    @settings(max_examples=300)
    @given(
        st.lists(
            st.tuples(*[st.sampled_from(["/A", "/a", "/a/", "/A/", "//a"])] * 2, st.integers(0, 3)),
            max_size=20,
        )
    )
    def test_no_order_of_observations_makes_a_circle(self, steps: list[tuple[str, str, int]]) -> None:
        store = open_equivalences("memory:", profile())
        for source, target, seconds in steps:
            store.record(seen_redirect(source, target, time=seconds))
            known = {pair.source: pair.representative for pair in store.equivalences()}
            for start in known:
                end = start
                for _ in known:
                    end = known.get(end, end)
                assert end not in known
                assert store.representative(start) == end

    @pytest.mark.parametrize("key", ["", "\ud800", "http://example.com/\udcff", "\0", "é", "x" * 100_000])
    def test_a_key_of_any_text_is_no_source(self, pairs: EquivalenceStore, key: str) -> None:
        assert pairs.representative(key) is None
        assert pairs.equivalence(key) is None

    def test_the_journal_keeps_what_was_said(self, pairs: EquivalenceStore) -> None:
        pairs.journal(ODD, "http://h/", ("trailing-slash", "https"), 1.5)
        pairs.journal("http://h/1", "http://h/", (), 2.0)
        pairs.flush()
        pairs.journal("http://h/2", "http://h/", (), 2.5)
        assert [tuple(note) for note in pairs.journaled()] == [
            (ODD, "http://h/", ("trailing-slash", "https"), 1.5),
            ("http://h/1", "http://h/", (), 2.0),
            ("http://h/2", "http://h/", (), 2.5),
        ]

    def test_pairs_refusals_and_journal_outlive_the_store(self, persistent: Memory | Sqlite) -> None:
        observation = replace(seen_redirect("/a", "/a/#\ud800", time=7.25), digest=b"\0\xff", method="HEAD")
        with closing(persistent.equivalences()) as store:
            kept = store.record(observation)
            store.record(seen_redirect("/gone", "/"))
            store.journal("http://example.com/a", "http://example.com/a/", ("trailing-slash",), 8.0)
        with closing(persistent.equivalences()) as store:
            assert store.equivalence("http://example.com/a") == kept
            assert store.refusals() == {"unexplained": 1}
            assert len(list(store.journaled())) == 1
            store.record(seen_redirect("/a/", "/a", time=9))
        with closing(persistent.equivalences()) as store:
            assert store.representative("http://example.com/a/") == "http://example.com/a"
            assert store.equivalence("http://example.com/a") is None
            store.close()

    def test_a_closed_store_still_answers(self, pairs: EquivalenceStore) -> None:
        pairs.close()
        pairs.record(seen_redirect("/a", "/a/"))
        pairs.journal("http://h/", "http://h/", (), 0.0)
        assert pairs.representative("http://example.com/a") == "http://example.com/a/"
        assert pairs.representative("http://example.com/b") is None
