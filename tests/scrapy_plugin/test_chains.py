"""The decision, row by row, and in random crawls against an oracle: no page lost, none fetched twice, no deadlock."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iri_canon.equivalence import SeenStore, State, open_seen, profile
from scrapy_plugin.chains import Chains, Verdict

PAGE, TWIN = b"page".rjust(16), b"twin".rjust(16)


def known(state: State | None) -> tuple[Chains[str], SeenStore]:
    seen = open_seen(None, profile())
    if state is not None:
        seen.put(PAGE, state, 200)
    return Chains[str](seen), seen


LINK = {
    None: Verdict.PASS,
    State.CLAIMED: Verdict.DUPLICATE,
    State.EXEMPT: Verdict.DUPLICATE,
    State.HOP: Verdict.DUPLICATE,
    State.RECEIVED: Verdict.DUPLICATE,
    State.DONE: Verdict.DUPLICATE,
    State.FAILED: Verdict.DUPLICATE,
}
FOLLOW = {
    None: Verdict.PASS,
    State.CLAIMED: Verdict.HOLD,
    State.EXEMPT: Verdict.HOLD,
    State.HOP: Verdict.REVISIT,
    State.RECEIVED: Verdict.HOLD,
    State.DONE: Verdict.DUPLICATE,
    State.FAILED: Verdict.REVISIT,
}
UNSAFE = {state: Verdict.PASS if state is None else Verdict.REVISIT for state in FOLLOW}


@pytest.mark.parametrize("state", LINK)
def test_link(state: State | None) -> None:
    chains, _ = known(state)
    assert chains.link(PAGE) is LINK[state]
    assert chains.state(PAGE) is (state or State.CLAIMED)


@pytest.mark.parametrize("state", LINK)
def test_link_when_what_failed_may_be_tried_again(state: State | None) -> None:
    _, seen = known(state)
    chains = Chains[str](seen, retry_failed=True)
    assert chains.link(PAGE) is (Verdict.PASS if state is State.FAILED else LINK[state])


@pytest.mark.parametrize("state", FOLLOW)
def test_follow(state: State | None) -> None:
    chains, _ = known(state)
    verdict = chains.follow(PAGE)
    assert verdict is FOLLOW[state]
    claims = verdict in {Verdict.PASS, Verdict.REVISIT}
    assert chains.state(PAGE) is (State.CLAIMED if claims else state)


@pytest.mark.parametrize("state", UNSAFE)
def test_follow_after_an_unsafe_method(state: State | None) -> None:
    chains, _ = known(state)
    assert chains.follow(PAGE, unsafe=True) is UNSAFE[state]
    fresh = state in {None, State.HOP, State.FAILED}
    assert chains.state(PAGE) is (State.CLAIMED if fresh else state)


@pytest.mark.parametrize("twin", LINK)
def test_link_whose_representative_is_known(twin: State | None) -> None:
    chains, seen = known(None)
    if twin is not None:
        seen.put(TWIN, twin)
    covered = twin in {State.CLAIMED, State.EXEMPT, State.RECEIVED, State.DONE}
    assert chains.link(PAGE, representative=lambda: TWIN) is (Verdict.TWIN if covered else Verdict.PASS)
    assert chains.state(PAGE) is (None if covered else State.CLAIMED)
    # In one direction only: the target itself, and a chain that comes to the source, are not skipped.
    assert chains.link(b"other".rjust(16), representative=lambda: None) is Verdict.PASS
    assert chains.follow(PAGE) in {Verdict.PASS, Verdict.HOLD}


@pytest.mark.parametrize("state", LINK)
def test_exempt(state: State | None) -> None:
    chains, _ = known(state)
    chains.exempt(PAGE)
    kept = state in {State.RECEIVED, State.DONE}
    assert chains.state(PAGE) is (state if kept else State.EXEMPT)


def test_events() -> None:
    for state in (None, *State):
        if state is State.CHAIN:
            continue
        chains, _ = known(state)
        chains.received(PAGE, 200)
        under_way = state in {State.CLAIMED, State.EXEMPT}
        assert chains.state(PAGE) is (State.RECEIVED if under_way else state)
        chains, _ = known(state)
        chains.hop(PAGE)
        stays = state in {State.RECEIVED, State.DONE, State.COVERED}
        assert chains.state(PAGE) is (state if stays else State.HOP)
        chains, _ = known(state)
        chains.cover(PAGE)
        assert chains.state(PAGE) is State.COVERED
        chains, _ = known(state)
        chains.failed(PAGE)
        unsettled = under_way or state is State.RECEIVED
        assert chains.state(PAGE) is (State.FAILED if unsettled else state)
        chains, _ = known(state)
        chains.done(PAGE, 200)
        assert chains.state(PAGE) is State.DONE
        chains, _ = known(state)
        chains.forget(PAGE)
        assert chains.state(PAGE) is (state if state in {State.DONE, State.COVERED} else None)


def test_what_waits_is_given_once() -> None:
    for event, given_out in (("hop", True), ("failed", True), ("done", True)):
        chains, _ = known(State.CLAIMED)
        chains.hold(PAGE, "x")
        assert chains.waited_for() == (PAGE,)
        arguments = (PAGE, 200) if event == "done" else (PAGE,)
        assert getattr(chains, event)(*arguments) == (["x"] if given_out else [])
        assert chains.waited_for() == ()


def test_tokens_are_counted() -> None:
    chains, seen = known(None)
    token = b"token".rjust(16)
    assert not chains.end(token)
    chains.begin(token)
    chains.begin(token)
    assert [chains.end(token) for _ in range(3)] == [True, True, False]
    assert seen.get(token) is None


# Random crawls.

LIMIT = 30


@dataclass
class Server:
    """Static redirects, walls that open with their own cookie, gates that give it, pages, failures.

    A gate gives the cookie of one wall, or (target -1) of the page that the Referer names, and leads back to it.
    """

    routes: dict[int, tuple[str, int]]
    cookies: set[int] = field(default_factory=set)
    fetched: Counter[int] = field(default_factory=Counter)
    pages: Counter[int] = field(default_factory=Counter)

    def get(self, node: int, referer: int | None = None) -> int | str | None:
        """A redirect's target, None for a failure, "page"."""
        self.fetched[node] += 1
        kind, target = self.routes[node]
        if kind == "fail":
            return None
        if kind == "redirect":
            return target
        if kind == "wall" and node not in self.cookies:
            if target == node:
                self.cookies.add(node)
            return target
        if kind == "gate" and target < 0:
            if referer is None:
                return None
            target = referer
        if kind == "gate":
            self.cookies.add(target)
            return target
        self.pages[node] += 1
        return "page"

    def end_of(self, node: int) -> int | None:
        """The page that a chain from a node comes to without any filter; None: there is none."""
        fresh = Server(self.routes)
        referer = None
        for _ in range(LIMIT):
            answer = fresh.get(node, referer)
            if not isinstance(answer, int):
                return node if answer == "page" else None
            referer, node = node, answer
        return None


def random_routes(random: Random) -> dict[int, tuple[str, int]]:
    count = random.randint(2, 9)
    routes: dict[int, tuple[str, int]] = {}
    for node in range(count):
        kind = random.choice(("page", "redirect", "redirect", "wall", "wall", "fail"))
        routes[node] = (kind, node if kind == "wall" else random.randrange(count))
    shared = count
    if random.random() < 0.5:
        routes[shared] = ("gate", -1)
    for node in range(count):
        if routes[node][0] == "wall" and shared in routes and random.random() < 0.6:
            routes[node] = ("wall", shared)
        elif routes[node][0] == "wall" and random.random() < 0.6:
            gate = len(routes)
            routes[gate] = ("gate", node)
            routes[node] = ("wall", gate)
    return routes


@dataclass(frozen=True)
class Task:
    node: int
    hops: int = 0
    referer: int | None = None


class Crawl:
    """What the filter's adapter does, over numbers, in random order."""

    def __init__(self, random: Random, server: Server) -> None:
        self.random = random
        self.server = server
        self.chains: Chains[Task] = Chains(open_seen(None, profile()))
        self.queue: deque[Task] = deque()
        self.flying: list[tuple[Task, int | str | None]] = []
        self.reading: list[int] = []
        self.idle_releases = 0

    def link(self, node: int) -> None:
        if self.chains.link(self.digest(node)) is Verdict.PASS:
            self.queue.append(Task(node))

    def follow(self, task: Task) -> None:
        verdict = self.chains.follow(self.digest(task.node))
        if verdict is Verdict.HOLD:
            self.chains.hold(self.digest(task.node), task)
        elif verdict is not Verdict.DUPLICATE:
            self.queue.append(task)

    @staticmethod
    def digest(node: int) -> bytes:
        return node.to_bytes(16, "big")

    def release(self, tasks: list[Task]) -> None:
        for task in tasks:
            self.follow(task)

    def land(self, task: Task, answer: int | str | None) -> None:
        digest = self.digest(task.node)
        if answer == "page":
            self.chains.received(digest, 200)
            self.reading.append(task.node)
        elif answer is None or task.hops >= LIMIT:
            self.release(self.chains.failed(digest))
        elif isinstance(answer, int):
            released = self.chains.hop(digest)
            self.release(released)
            self.follow(Task(answer, task.hops + 1, task.node))

    def run(self, links: list[int]) -> None:
        waiting = list(links)
        while True:
            steps = [name for name in ("queue", "flying", "reading") if getattr(self, name)]
            steps += ["links"] if waiting else []
            if not steps:
                break
            step = self.random.choice(steps)
            if step == "links":
                self.link(waiting.pop(self.random.randrange(len(waiting))))
            elif step == "queue":
                task = self.queue.popleft() if self.random.random() < 0.5 else self.queue.pop()
                self.flying.append((task, self.server.get(task.node, task.referer)))
            elif step == "flying":
                self.land(*self.flying.pop(self.random.randrange(len(self.flying))))
            else:
                node = self.reading.pop(self.random.randrange(len(self.reading)))
                self.chains.done(self.digest(node), 200)
        self.idle_releases = len(self.chains.waited_for())


@settings(max_examples=1500, deadline=None)
@given(st.integers(min_value=0, max_value=2**63))
def test_random_crawls_against_the_oracle(seed: int) -> None:
    random = Random(seed)
    server = Server(random_routes(random))
    links = [random.randrange(len(server.routes)) for _ in range(random.randint(1, 12))]
    crawl = Crawl(random, server)
    crawl.run(links)
    expected = {server.end_of(node) for node in links} - {None}
    assert set(server.pages) >= expected, "a page is lost"
    assert all(count == 1 for count in server.pages.values()), "a page was fetched twice"
    assert crawl.idle_releases == 0, "a chain waits for what never comes"
    for node in set(links):
        kind, _ = server.routes[node]
        if kind == "page":
            assert server.fetched[node] == 1
