"""What a lesson changes is written before anything that hangs on it, and what comes back comes back once."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request

from iri_canon import Ladder, StoreError
from iri_canon.equivalence import (
    RuleName,
    RuleState,
    Stage,
    State,
    Suppressed,
    open_seen,
    profile,
)
from iri_canon.equivalence.memory import MemoryEquivalences
from iri_canon.learning import Change, Learner, Lesson, Policy, Sampler
from scrapy_plugin.fingerprinter import CanonicalIdentities
from scrapy_plugin.holding import Waiting
from scrapy_plugin.journal import Journal
from scrapy_plugin.release import AT_ONCE, Release
from scrapy_plugin.stores import Stores
from scrapy_plugin.telling import Telling
from scrapy_plugin.witnesses import Witnesses

SLASH = RuleName("a.example", "trailing-slash", "d")
WWW = RuleName("a.example", "www", "d")
WITNESS, OTHER = b"w" * 16, b"o" * 16


class Pairs(MemoryEquivalences):
    """Says what was written when."""

    def __init__(self, *, broken: bool = False) -> None:
        super().__init__()
        self.flushed = 0
        self.broken = broken

    def flush(self) -> None:
        self.flushed += 1
        if self.broken:
            raise StoreError("no room")


class Crawl:
    """Stands for the way back into the crawl: it keeps what comes, and claims it."""

    def __init__(self, desk: Desk, *, refuses: bool = False, fails: bool = False) -> None:
        self.desk, self.refuses, self.fails = desk, refuses, fails
        self.sent: list[Request] = []

    def crawl(self, waiting: Waiting) -> None:
        if self.fails:
            raise OSError("no room")
        if not self.refuses:
            self.sent.append(waiting.request)
            self.desk.seen.put(self.desk.of(waiting.request)[0], State.CLAIMED)


class Desk:
    """A release with all that it needs, and nothing of Scrapy but requests."""

    def __init__(self, pairs: Pairs | None = None) -> None:
        self.pairs = pairs or Pairs()
        self.seen = open_seen(None, profile())
        learner = Learner(self.pairs, Policy())
        identities = CanonicalIdentities(Ladder())
        self.of = identities.of
        telling = Telling(identities, Ladder(), Stores(self.seen, self.pairs), None, debug=False)
        self.journal = Journal(self.seen, in_file=False)
        self.release = Release(
            self.journal,
            Witnesses(self.seen, None),
            learner,
            Sampler(Policy()),
            self.seen,
            self.pairs,
            telling,
        )

    def skip(self, url: str, *rules: RuleName, witness: bytes = WITNESS) -> Request:
        request = Request(url)
        digest = self.of(request)[0]
        entry = Suppressed(digest, url, rules, witness, "http://a.example/w", None, Stage.SKIPPED, 1.0)
        assert self.journal.keep(entry, request, None)
        self.seen.put(digest, State.COVERED)
        return request

    def turn(self, crawl: Any, *, stays: bool = False) -> bool:
        """Skip again what is offered again, if it ``stays``."""

        def covers_still(entry: Suppressed, request: Request) -> bool:
            moved = entry._replace(witness=OTHER, stage=Stage.SKIPPED)
            return stays and self.journal.keep(moved, request, None)

        return self.release.turn(crawl, None, covers_still)


def fell(name: RuleName, after: RuleState = RuleState.RETRACTED) -> Lesson:
    return Lesson((Change(name, RuleState.IN_FORCE, after, "seen otherwise"),))


@pytest.mark.parametrize("after", [RuleState.RETRACTED, RuleState.PROPOSED])
def test_a_rule_that_falls_is_written_and_gives_back_its_own(after: RuleState) -> None:
    desk = Desk()
    crawl = Crawl(desk)
    both = desk.skip("http://a.example/d/1/", SLASH, WWW)
    own = desk.skip("http://a.example/d/2/", SLASH)
    desk.skip("http://a.example/d/3/", WWW)
    desk.release.heed(fell(SLASH, after))
    assert desk.pairs.flushed == 1
    assert desk.turn(crawl)
    # The very objects, and no other.
    assert [id(request) for request in crawl.sent] == [id(both), id(own)]
    desk.release.heed(fell(SLASH, after))
    assert not desk.turn(crawl)


def test_a_rule_that_comes_gives_nothing_back() -> None:
    desk = Desk()
    desk.skip("http://a.example/d/1/", SLASH)
    desk.release.heed(Lesson((Change(SLASH, RuleState.PROPOSED, RuleState.IN_FORCE, "shown"),)))
    assert desk.pairs.flushed == 0
    assert desk.release.waiting == 0


def test_a_rule_of_the_whole_host_gives_way_in_one_section() -> None:
    desk = Desk()
    crawl = Crawl(desk)
    wide = SLASH._replace(section="*")
    here = desk.skip("http://a.example/d/1/", wide)
    desk.skip("http://a.example/e/1/", wide)
    desk.release.heed(Lesson((Change(SLASH, RuleState.PROPOSED, RuleState.RETRACTED, "seen otherwise"),)))
    desk.turn(crawl)
    assert crawl.sent == [here]


def test_a_medium_that_fails_is_told_and_nothing_stays_for_it(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(Pairs(broken=True))
    crawl = Crawl(desk)
    request = desk.skip("http://a.example/d/1/", SLASH)
    desk.release.heed(fell(SLASH))
    assert "no room" in caplog.text
    assert desk.turn(crawl)
    assert crawl.sent == [request]


@pytest.mark.parametrize(
    ("state", "status", "comes_back"),
    [
        (State.DONE, 200, False),
        (State.DONE, 204, True),
        (State.DONE, 404, True),
        (State.FAILED, 0, True),
        (State.HOP, 0, True),
        (None, 0, True),
    ],
)
def test_what_becomes_of_a_witness_decides(state: State | None, status: int, comes_back: bool) -> None:
    desk = Desk()
    crawl = Crawl(desk)
    mine = desk.skip("http://a.example/d/1/", SLASH)
    desk.seen.put(OTHER, State.CLAIMED)
    desk.skip("http://a.example/d/2/", SLASH, witness=OTHER)
    if state is not None:
        desk.seen.put(WITNESS, state, status)
    desk.release.settled(WITNESS)
    assert desk.turn(crawl) is comes_back
    assert crawl.sent == ([mine] if comes_back else [])


def test_another_witness_keeps_skipped_what_has_lost_its_own() -> None:
    for stays in (True, False):
        desk = Desk()
        crawl = Crawl(desk)
        mine = desk.skip("http://a.example/d/1/", SLASH)
        desk.seen.put(WITNESS, State.HOP)
        desk.release.settled(WITNESS)
        assert desk.turn(crawl, stays=stays) is not stays
        assert crawl.sent == ([] if stays else [mine])
        moved = desk.journal.get(desk.of(mine)[0])
        assert moved is not None
        assert (moved.witness, moved.stage) == ((OTHER, Stage.SKIPPED) if stays else (WITNESS, Stage.SENT))
        # It hangs on the other one now.
        desk.seen.put(OTHER, State.FAILED)
        desk.release.settled(OTHER)
        assert desk.turn(crawl) is stays
        assert crawl.sent == [mine]


def test_what_had_lost_its_witness_once_is_fetched_when_it_is_sent_for_another_reason() -> None:
    desk = Desk()
    crawl = Crawl(desk)
    digest = desk.of(desk.skip("http://a.example/d/1/", SLASH))[0]
    desk.seen.put(WITNESS, State.HOP)
    desk.release.settled(WITNESS)
    desk.journal.resolve(digest)
    assert not desk.turn(crawl, stays=True)
    again = desk.skip("http://a.example/d/1/", SLASH, witness=OTHER)
    entry = desk.journal.get(digest)
    assert entry is not None
    assert desk.release.send(entry)
    assert desk.turn(crawl, stays=True)
    assert crawl.sent == [again]


def test_no_witness_keeps_skipped_what_a_rule_that_fell_had_skipped() -> None:
    desk = Desk()
    crawl = Crawl(desk)
    mine = desk.skip("http://a.example/d/1/", SLASH)
    desk.release.heed(fell(SLASH))
    assert desk.turn(crawl, stays=True)
    assert crawl.sent == [mine]


def test_what_another_component_refuses_is_not_tried_again() -> None:
    desk = Desk()
    request = desk.skip("http://a.example/d/1/", SLASH)
    desk.release.heed(fell(SLASH))
    assert not desk.turn(Crawl(desk, refuses=True))
    assert len(desk.journal) == 0
    assert desk.seen.get(desk.of(request)[0]) is None


def test_what_a_scheduler_fails_at_is_tried_again() -> None:
    desk = Desk()
    request = desk.skip("http://a.example/d/1/", SLASH)
    desk.release.heed(fell(SLASH))
    assert not desk.turn(Crawl(desk, fails=True))
    desk.release.sweep()
    crawl = Crawl(desk)
    assert desk.turn(crawl)
    assert crawl.sent == [request]


def test_what_another_request_has_taken_over_is_left_to_it() -> None:
    desk = Desk()
    crawl = Crawl(desk)
    request = desk.skip("http://a.example/d/1/", SLASH)
    desk.release.heed(fell(SLASH))
    digest = desk.of(request)[0]
    desk.seen.put(digest, State.CLAIMED)
    desk.release.met(digest)
    assert not desk.turn(crawl)
    assert desk.journal.get(digest) is not None
    desk.seen.put(digest, State.DONE, 200)
    desk.release.settled(digest)
    assert desk.journal.get(digest) is None


def test_not_everything_at_once() -> None:
    desk = Desk()
    crawl = Crawl(desk)
    for number in range(AT_ONCE * 2 + 1):
        desk.skip(f"http://a.example/d/{number}/", SLASH)
    desk.release.heed(fell(SLASH))
    for sent in (AT_ONCE, AT_ONCE * 2, AT_ONCE * 2 + 1):
        assert desk.turn(crawl)
        assert len(crawl.sent) == sent
    assert not desk.turn(crawl)


def test_a_log_in_is_one_of_its_site() -> None:
    desk = Desk()
    crawl = Crawl(desk)
    here = [desk.skip(f"http://{host}/d/1/", SLASH) for host in ("a.example", "www.a.example:8080")]
    desk.skip("http://b.test/d/1/", SLASH)
    desk.release.visitor_changed("login.a.example")
    desk.turn(crawl)
    assert crawl.sent == here
