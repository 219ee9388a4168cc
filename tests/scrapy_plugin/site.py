"""A site on 127.0.0.1 that answers from a table and keeps each request line as it came, byte for byte."""

from __future__ import annotations

import socketserver
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    target: str
    """The origin-form target, decoded as Latin-1: one character an octet."""
    headers: dict[str, str]
    body: bytes
    visit: int
    """How often this method and target came, this time included."""

    @property
    def host(self) -> str:
        return self.headers.get("host", "")

    @property
    def cookie(self) -> str:
        return self.headers.get("cookie", "")


@dataclass(frozen=True)
class Answer:
    body: str = ""
    status: int = 200
    headers: tuple[tuple[str, str | bytes], ...] = ()
    wait_for: threading.Event | None = None


Route = Answer | Callable[[Asked], Answer]


def page(name: str, *links: str, head: str = "") -> Answer:
    """A page that says what it is, with links."""
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    return Answer(f"<html><head>{head}</head><body><p id=name>{name}</p>{anchors}</body></html>")


def redirect(location: str | bytes, status: int = 302, cookie: str | None = None) -> Answer:
    headers: tuple[tuple[str, str | bytes], ...] = (("Location", location),)
    if cookie is not None:
        headers += (("Set-Cookie", f"{cookie}; Path=/"),)
    return Answer(status=status, headers=headers)


@dataclass
class Site:
    routes: dict[str, Route]
    port: int = 0
    lines: list[bytes] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    _visits: Counter[tuple[str, str]] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def targets(self) -> list[str]:
        """What was asked for, in order; other methods than GET are named."""
        return [one.target if one.method == "GET" else f"{one.method} {one.target}" for one in self.asked]

    def times(self, target: str) -> int:
        return self.targets.count(target)

    def answer(self, line: bytes, headers: dict[str, str], body: bytes) -> Answer:
        method, target, _ = line.decode("latin-1").split(" ")
        with self._lock:
            self.lines.append(line)
            self._visits[method, target] += 1
            asked = Asked(method, target, headers, body, self._visits[method, target])
            self.asked.append(asked)
        path, _, _ = target.partition("?")
        for name in (f"{method} {target}", target, path):
            if name in self.routes:
                route = self.routes[name]
                return route(asked) if callable(route) else route
        return Answer("<p id=name>none</p>", 404)


class _Handler(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        while line := self.rfile.readline().rstrip(b"\r\n"):
            headers: dict[str, str] = {}
            while header := self.rfile.readline().rstrip(b"\r\n"):
                name, _, value = header.decode("latin-1").partition(":")
                headers[name.strip().lower()] = value.strip()
            body = self.rfile.read(int(headers.get("content-length", "0")))
            answer = self.server.site.answer(line, headers, body)
            if answer.wait_for is not None:
                answer.wait_for.wait(30)
            self.wfile.write(_octets(answer))


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        """A crawl that was killed cuts its connections."""


def _octets(answer: Answer) -> bytes:
    body = answer.body.encode()
    headers = (
        ("Content-Type", "text/html; charset=utf-8"),
        *answer.headers,
        ("Content-Length", str(len(body))),
    )
    lines = [f"HTTP/1.1 {answer.status} X".encode()]
    for name, value in headers:
        lines.append(name.encode() + b": " + (value if isinstance(value, bytes) else value.encode()))
    return b"\r\n".join([*lines, b"", body])


@contextmanager
def serving(routes: dict[str, Route]) -> Iterator[Site]:
    """A site that runs until the block ends."""
    site = Site(routes)
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.site = site
        site.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
