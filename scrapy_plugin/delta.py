"""What an earlier crawl has done is not fetched again, unless it is a start, too old, or led to by what may change.

A page is kept under the SCHEME key of its URL, and of each URL that a permanent redirect led from to it. A temporary
redirect speaks of one visit (RFC 9110 15.4.3): the next may lead to another page, so its URL is no name of this one.
What a learned rule covered by a page is a name of it while the rule is in force: that is for the rule to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import time
from typing import Final

from scrapy import Request

from iri_canon import Ladder, Rung
from iri_canon.equivalence import KnownPage
from scrapy_plugin import stats
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.options import Options
from scrapy_plugin.outcomes import Answered, redirect_status, redirect_urls
from scrapy_plugin.stores import Stores
from scrapy_plugin.telling import Telling

PERMANENT: Final = frozenset({301, 308})
TEMPORARY: Final = frozenset({302, 307})
"""RFC 9110 15.4.3 and 15.4.8; they count where the user said so. 303 leads to another resource (15.4.4)."""

LONGEST: Final = 10_000
"""Targets of redirects that wait at once: those that are never fetched (off site) must not fill the memory."""

MOST_NAMES: Final = 1_000
"""Names of one page that wait for it."""


class Delta:
    """The pages that earlier crawls have done, and those that this one adds."""

    def __init__(self, options: Options, stores: Stores, identities: Identities, telling: Telling) -> None:
        self._pairs = stores.pairs
        self._began = stores.seen.began
        self._time_to_live = options.delta_ttl
        self._only_items = options.delta_items
        self._lasting = PERMANENT | TEMPORARY if options.temporary_redirects else PERMANENT
        self._identities = identities
        self._telling = telling
        self._key = Ladder(Rung.SCHEME, keep_fragment=options.keep_fragments).key
        self._is_assuming = bool(options.conventions)
        self._is_told_by_more = bool(options.headers) or options.own_fingerprinter is not None
        # By the digest of a target the names that lead to it, each with the key that it leads to: conventions that are
        # assumed give several keys one digest, and another crawl may not assume them.
        self._leading: dict[bytes, list[tuple[str, str]]] = {}

    def skips(self, request: Request) -> bool:
        """Whether an earlier crawl has done the page of a request; then it is told, and what led here names it too."""
        if _is_start(request):
            return False
        pages = (self._counting(name) for name in self._names(request))
        known = next((page for page in pages if page is not None and not page.covered), None)
        if known is None:
            return False
        self._telling.done_before(request, known)
        self._keep(self._take(self._identities.of(request)[0], known.key), known)
        return True

    def follow(
        self, source: bytes, asked: Request, redirect: Request, target: bytes, *, unsafe: bool
    ) -> None:
        """A redirect led on from one digest to another; ``unsafe``: in a chain that began with an unsafe method."""
        name, to = self._key(redirect_urls(redirect)[-1]), self._key(redirect.url)
        names = [*self._take(source, name), name]
        if unsafe or redirect_status(redirect) not in self._lasting or self._name(asked) is None:
            return
        if len(self._leading) >= LONGEST and target not in self._leading:
            del self._leading[next(iter(self._leading))]
        waiting = self._leading.setdefault(target, [])
        waiting += [(name, to) for name in names[: max(MOST_NAMES - len(waiting), 0)]]

    def reached(self, request: Request, digest: bytes) -> None:
        """A redirect came upon a page that this crawl has done."""
        name = self._name(request)
        known = None if name is None else self._pairs.page(name)
        if known is not None and not known.covered:
            self._keep(self._take(digest, known.key), known)

    def done(self, answered: Answered) -> None:
        """A callback got a page, and all that it gave is through."""
        page = self._name(answered.request)
        names = self._take(answered.digest, page)
        # What answered with an error may be a page next time, and a callback that raised may not have got it whole.
        if page is None or answered.raised or not 200 <= answered.status <= 299:
            return
        self._keep((*names, page), KnownPage(page, page, time(), answered.gave_items))
        self._telling.count(stats.DELTA_KEPT)

    def cover(self, key: str, witness: str) -> None:
        """A learned rule has skipped a key to the end of the crawl, for one whose page is done."""
        known = self._pairs.page(witness)
        if known is not None and not known.covered:
            self._pairs.keep_page(key, known.page, known.time, gave_items=known.gave_items, covered=True)

    def was_covered(self, key: str, witness: str) -> bool:
        """Whether rules skipped a key in an earlier crawl for one whose page that crawl has done."""
        known, page = self._counting(key), self._counting(witness)
        return known is not None and known.covered and page is not None and known.page == page.page

    def abandon(self, digest: bytes) -> None:
        """The target of redirects came to nothing."""
        self._leading.pop(digest, None)

    def _take(self, digest: bytes, key: str | None) -> list[str]:
        """The names that lead to a key, which wait no longer."""
        return [name for name, to in self._leading.pop(digest, ()) if to == key]

    def _keep(self, names: Iterable[str], known: KnownPage) -> None:
        for name in names:
            self._pairs.keep_page(name, known.page, known.time, gave_items=known.gave_items)

    def _name(self, request: Request) -> str | None:
        """The name that a request asks for; None where more than a URL tells it from others."""
        if request.method != "GET" or request.body or request.meta.get("verbatim_url"):
            return None
        digest, canonical = self._identities.of(request)
        if self._is_told_by_more and digest != self._identities.of(Request(request.url))[0]:
            return None
        return canonical if canonical and not self._is_assuming else self._key(request.url)

    def _names(self, request: Request) -> Iterator[str]:
        """Its own name, what the conventions that are assumed make of it, and what observed pairs do."""
        name = self._name(request)
        if name is None:
            return
        yield name
        if self._is_assuming and (assumed := self._identities.of(request)[1]) not in {"", name}:
            yield assumed
        key, hash_mark, fragment = name.partition("#")
        representative = self._pairs.representative(key)
        if representative is not None:
            # A pair says nothing of fragments: the same one belongs to both.
            yield representative + hash_mark + fragment

    def _counting(self, name: str) -> KnownPage | None:
        """The page that a name had in an earlier crawl, if that counts still."""
        known = self._pairs.page(name)
        if known is None or known.time >= self._began or (self._only_items and not known.gave_items):
            return None
        is_old = self._time_to_live is not None and time() - known.time >= self._time_to_live
        return None if is_old else known


def _is_start(request: Request) -> bool:
    """Whether a request is a start, or what one was redirected to.

    What a callback gives with a copy of ``response.meta`` is none: Scrapy gives it a depth.
    """
    return request.meta.get("is_start_request") is True and not request.meta.get("depth")
