"""A page is what the server says it is: its identity is stated here and never computed from a URL.

`Site` holds the truth (page -> the URLs that truly are it), the routes (one exact request target each)
and the state of one crawl. A route is found by text alone: what two targets have in common is no
concern of the server, so no notion of equivalence under test can leak into the truth.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import quote

HOME = "http://site.example/"
ASCII = "".join(map(chr, range(0x21, 0x7F)))
DEFAULT_PORTS = {"http": "80", "https": "443"}


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came: the URL in the form of `wire`, the cookies, and the number of this visit."""

    method: str
    url: str
    cookies: Mapping[str, str] = field(default_factory=dict)
    visit: int = 1


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; `page` names the page whose content it carries, and is None for all that is no page.

    `note` is markup that stands in the page besides its content: what is another one each time.
    """

    status: int
    page: str | None = None
    location: str | None = None
    cookies: tuple[str, ...] = ()
    refresh: str | None = None
    note: str = ""


Answer: TypeAlias = Callable[[Received], Reply]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the truth: `urls` answer with its content, `aliases` redirect to it for good."""

    identity: str
    section: str
    urls: tuple[str, ...]
    aliases: tuple[str, ...] = ()


def wire(url: str) -> str:
    """The URL by which a server knows a request: what no server can see is gone, the target is untouched.

    The host comes in any case and with or without its port in the Host field, an empty path arrives as
    "/", the fragment never leaves the client, and text outside ASCII leaves it as UTF-8 triplets.

    >>> wire("http://Site.Example:80/%7ea/./b?x#top")
    'http://site.example/%7ea/./b?x'
    >>> wire("https://site.example?q=é")
    'https://site.example/?q=%C3%A9'
    """
    scheme, _, rest = url.partition("#")[0].partition("://")
    cut = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
    authority, target = rest[:cut].lower(), rest[cut:]
    host, colon, port = authority.rpartition(":")
    if colon and port.lstrip("0") in ("", DEFAULT_PORTS.get(scheme.lower())):
        authority = host
    if not target.startswith("/"):
        target = "/" + target
    return f"{scheme.lower()}://{authority}{quote(target, safe=ASCII)}"


class Site:
    """The truth, the routes and the state of one crawl.

    `requests` counts what arrived, `served` how often each page's content left, `unexpected` lists the
    requests for which there is no route: a client that keeps to the spellings it was given makes none.
    """

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.sections: dict[str, str] = {}
        self.requests = 0
        self.served: Counter[str] = Counter()
        self.unexpected: list[str] = []
        self._routes: dict[str, Answer] = {}
        self._visits: Counter[str] = Counter()
        self._links: dict[str, list[str]] = {}
        self._forms: dict[str, str] = {}
        self._titles: dict[str, str] = {}

    def add(
        self,
        section: str,
        name: str,
        *urls: str,
        aliases: Sequence[str] = (),
        links: Sequence[str] = (),
        form: str | None = None,
        title: str | None = None,
    ) -> str:
        """State that a page is, and return its identity; the routes to it are told by `route`.

        What a reader sees of it is `title`, or else the identity. Raises `ValueError` where the identity is
        taken: a page is stated once.
        """
        identity = f"{section}/{name}"
        if identity in self.pages:
            raise ValueError(f"page {identity} is stated twice")
        self.pages[identity] = Page(identity, section, urls, tuple(aliases))
        self._links[identity] = list(links)
        if form is not None:
            self._forms[identity] = form
        if title is not None:
            self._titles[identity] = title
        return identity

    def route(self, url: str, answer: Answer) -> None:
        """Answer requests for exactly this URL; `ValueError` where another answer has it."""
        target = wire(url)
        if target in self._routes:
            raise ValueError(f"two answers for {target}")
        self._routes[target] = answer

    def has_route(self, url: str) -> bool:
        """Whether something answers at this URL."""
        return wire(url) in self._routes

    def hosts(self, scheme: str) -> list[str]:
        """The host names that something answers at by this scheme."""
        starts = (url.split("/", 3) for url in self._routes)
        return sorted(
            {authority.partition(":")[0] for found, _, authority, _ in starts if found == scheme + ":"}
        )

    def link(self, identity: str, href: str) -> None:
        """Put one more link on a page."""
        self._links[identity].append(href)

    def respond(self, method: str, url: str, cookies: Mapping[str, str]) -> Reply:
        """Answer one request and count it; `url` is in the form of `wire`."""
        self.requests += 1
        self._visits[url] += 1
        answer = self._routes.get(url)
        if answer is None:
            self.unexpected.append(url)
            return Reply(404)
        reply = answer(Received(method, url, cookies, self._visits[url]))
        if reply.page is not None:
            self.served[reply.page] += 1
        return reply

    def body(self, reply: Reply) -> str:
        """The HTML of a reply; only a page has links and says who it is, and a 200 that is no page is empty."""
        if reply.status == 200 and reply.page is None and reply.refresh is None:
            return ""
        head = (
            f'<meta http-equiv="refresh" content="0; url={html.escape(reply.refresh)}">'
            if reply.refresh
            else ""
        )
        if reply.page is None:
            return (
                f"<!doctype html><html><head>{head}<title>{reply.status}</title></head><body></body></html>\n"
            )
        name = html.escape(reply.page)
        title = html.escape(self._titles.get(reply.page, reply.page))
        links = "".join(
            f'<li><a href="{html.escape(href)}">{html.escape(href)}</a>' for href in self._links[reply.page]
        )
        form = self._forms.get(reply.page)
        log_in = (
            f'<form method="post" action="{html.escape(form)}"><input name="user" value="reader"></form>'
            if form
            else ""
        )
        return (
            f'<!doctype html><html><head><meta charset="utf-8"><meta name="page" content="{name}">'
            f"<title>{title}</title></head><body><h1>{title}</h1>{reply.note}{log_in}<ul>{links}</ul></body></html>\n"
        )
