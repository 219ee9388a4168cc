"""A temporary redirect speaks of one visit: once the server knows the visitor otherwise, its URL may be a page.

RFC 9110 15.4.3: a client ought to go on using the URL it asked for. So what redirected for the time being is asked
again when it is linked later, if the redirect itself set a new cookie (a gate), or if since then the site
has answered an unsafe method with a redirect or a cookie (a log-in). Else it is known, and so is a permanent
redirect in any case.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.utils.httpobj import urlparse_cached

MOST_CHANGES: Final = 1_000
"""Log-ins, and cookies, of one site that count: a site that sets ever new ones may not be asked without end."""

MOST_SITES: Final = 10_000
"""Sites remembered; the one that was not heard of for the longest time is forgotten."""

FIRST: Final = 2
"""The stamp of a session in which nothing has changed; one less is that of a gate then, and 0 stands for no session."""


@dataclass(slots=True)
class _Site:
    stamp: int = FIRST
    cookies: set[bytes] = field(default_factory=set)


def site_of(host: str) -> str:
    """The part of a host name that its cookies may be shared under, as far as two labels tell; an address whole.

    >>> site_of("login.example.com"), site_of("127.0.0.1"), site_of("localhost")
    ('example.com', '127.0.0.1', 'localhost')
    """
    if ":" in host or host.replace(".", "").isdigit():
        return host
    return ".".join(host.split(".")[-2:])


def _identity(set_cookie: bytes) -> bytes:
    """RFC 6265 5.3: a cookie is known by its name and path (and by its domain, which the site stands for)."""
    pair, *attributes = set_cookie.split(b";")
    path = [one.strip()[5:] for one in attributes if one.strip()[:5].lower() == b"path="]
    return b";".join((pair.partition(b"=")[0].strip(), *path[-1:]))


class Sessions:
    """What changed in the sessions of sites, as stamps that only grow.

    >>> sessions, gate, page = Sessions(), Request("http://example.com/gate"), Request("http://example.com/")
    >>> for request in (page, gate):
    ...     sessions.send(request, "example.com")
    >>> sessions.answered(gate, "example.com", [b"id=1; Path=/"], acted=False)
    >>> [sessions.sent(request, "example.com") < sessions.stamp("example.com") for request in (page, gate)]
    [False, True]
    """

    def __init__(self) -> None:
        self._sites: OrderedDict[str, _Site] = OrderedDict()
        self._sent: WeakKeyDictionary[Request, int] = WeakKeyDictionary()
        self.has_changed = False
        """Whether any site knows its visitor otherwise than at first."""

    def stamp_for(self, request: Request) -> int:
        """The stamp of the session that a request would go out with now."""
        # As long as no site has changed there is no host to be found in a URL.
        return self.stamp(urlparse_cached(request).hostname or "") if self.has_changed else FIRST

    def stamp(self, host: str) -> int:
        """The stamp of a host's session now."""
        site = self._sites.get(site_of(host))
        return FIRST if site is None else site.stamp

    def send(self, request: Request, host: str) -> None:
        """A request goes out, with the session as it is."""
        self._sent[request] = self.stamp(host)

    def sent(self, request: Request, host: str) -> int:
        """The stamp of the session that a request went out with; one less if its answer set a new cookie."""
        known = self._sent.get(request)
        return self.stamp(host) if known is None else known

    def answered(self, request: Request, host: str, set_cookies: Iterable[bytes], *, acted: bool) -> None:
        """A response came; ``acted``: to an unsafe method, and it redirected or set a cookie."""
        site = self._sites.setdefault(site_of(host), _Site())
        self._sites.move_to_end(site_of(host))
        if len(self._sites) > MOST_SITES:
            self._sites.popitem(last=False)
        if acted and site.stamp < FIRST + MOST_CHANGES:
            site.stamp += 1
            self.has_changed = True
        new = set(map(_identity, set_cookies)) - site.cookies
        if new and len(site.cookies) < MOST_CHANGES:
            site.cookies |= new
            self._sent[request] = self.sent(request, host) - 1
