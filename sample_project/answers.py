"""How a URL answers: each function makes the answer of one route, and each answer needs only what it was sent.

Cookies are the client's, so that an answer depends on them and not on the order in which others came.
"""

from __future__ import annotations

import hashlib
from collections import deque
from datetime import UTC, datetime

from sample_project.pages import Answer, Received, Reply


def show(page: str, *, cookies: tuple[str, ...] = ()) -> Answer:
    """The page itself."""
    return lambda received: Reply(200, page, cookies=cookies)


def changing(page: str) -> Answer:
    """The page itself, with a token of its own for each answer, and the time of it."""

    def answer(received: Received) -> Reply:
        token = hashlib.sha256(f"{received.url} {received.visit}".encode()).hexdigest()
        at = f"<p>Served on {datetime.now(UTC):%Y-%m-%d at %H:%M:%S}</p>"
        return Reply(200, page, note=f'<input type="hidden" name="token" value="{token[:20]}">{at}')

    return answer


def redirect(location: str, status: int = 301, *, cookies: tuple[str, ...] = ()) -> Answer:
    """A redirect, the same for everyone."""
    return lambda received: Reply(status, location=location, cookies=cookies)


def refresh(target: str, *, cookies: tuple[str, ...] = ()) -> Answer:
    """A document that is no page and only refreshes to another one."""
    return lambda received: Reply(200, refresh=target, cookies=cookies)


def after(cookie: str, page: Answer, until: Answer) -> Answer:
    """`page` for those who have the cookie, `until` for all others."""
    return lambda received: (page if cookie in received.cookies else until)(received)


def busy_first(then: Answer) -> Answer:
    """503 on the first visit."""
    return lambda received: Reply(503) if received.visit == 1 else then(received)


def by_method(post: Answer, other: Answer | None = None) -> Answer:
    """`post` for a POST, and for every other method `other`, or else 405."""

    def answer(received: Received) -> Reply:
        if received.method == "POST":
            return post(received)
        return other(received) if other else Reply(405)

    return answer


def maze(page: str, here: str, turn: str, cookie: str, path: str, turns: int) -> Answer:
    """Redirect to `turn` until the cookie has counted so many turns."""

    def answer(received: Received) -> Reply:
        taken = int(received.cookies.get(cookie, "0"))
        if taken >= turns:
            return Reply(200, page)
        return Reply(302, location=turn, cookies=(f"{cookie}={taken + 1}; Path={path}",))

    return answer


class Gate:
    """One gate before several pages: it lets the visitor through to the page that has waited longest.

    The gate's URL names no page, so the redirect to it is one text for all of them: the visitor's
    session (a cookie) remembers which pages were asked for.
    """

    def __init__(self, url: str, cookie: str) -> None:
        self._url = url
        self._cookie = cookie
        self._waiting: dict[str, deque[str]] = {}
        self._open: dict[str, set[str]] = {}

    def before(self, page: str, url: str) -> Answer:
        """The page at `url`, behind the gate."""

        def answer(received: Received) -> Reply:
            session = received.cookies.get(self._cookie)
            if session is None:
                return Reply(403)
            if url in self._open.setdefault(session, set()):
                return Reply(200, page)
            self._waiting.setdefault(session, deque()).append(url)
            return Reply(302, location=self._url)

        return answer

    def pass_on(self, lobby: str) -> Answer:
        """The gate's own answer; with nobody waiting it leads to the lobby."""

        def answer(received: Received) -> Reply:
            session = received.cookies.get(self._cookie, "")
            waiting = self._waiting.get(session)
            if not waiting:
                return Reply(302, location=lobby)
            url = waiting.popleft()
            self._open[session].add(url)
            return Reply(302, location=url)

        return answer
