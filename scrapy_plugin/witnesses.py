"""A request stands for a page only while it may bring it, and only for the visitor that the site took it for."""

from __future__ import annotations

from typing import Final

from scrapy import Request
from scrapy.utils.httpobj import urlparse_cached

from iri_canon import key
from iri_canon.equivalence import SeenStore, State
from iri_canon.learning import Standing
from scrapy_plugin.chains import UNDER_WAY
from scrapy_plugin.delta import Delta
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.options import Options

_ANSWERED: Final = frozenset({State.RECEIVED, State.DONE})


class Keys:
    """The SCHEME key of a request that rules may speak of.

    Those are a GET of a page as anyone is given it: no body, no fragment that counts, no cookie jar of its own, no
    other value than usual of a header that counts.
    """

    def __init__(self, identities: Identities, options: Options) -> None:
        self._identities = identities
        self._has_fragments = options.keep_fragments
        self._has_headers = bool(options.headers)
        # What the filter goes by is this key then, but where a fingerprinter of the user's makes none.
        self._is_canonical = not options.conventions and not options.keep_fragments
        self.are_usual = self._is_canonical and not options.headers and options.own_fingerprinter is None
        """Whether a request that rules may speak of is told from all others by its key alone."""

    def of(self, request: Request, digest: bytes, canonical: str) -> str | None:
        """The key; None: no rule speaks of it. Digest and canonical form are those that the filter goes by."""
        if request.method != "GET" or request.body:
            return None
        meta = request.meta
        if meta.get("verbatim_url") or meta.get("cookiejar") is not None:
            return None
        if self.are_usual:
            return canonical
        if self._has_fragments and "#" in request.url:
            return None
        if self._has_headers and digest != self._identities.of(Request(request.url))[0]:
            return None
        return canonical if self._is_canonical and canonical else key(request.url)


class Witnesses:
    """Which of the requests that passed bring a page."""

    def __init__(self, seen: SeenStore, delta: Delta | None) -> None:
        self._get = seen.get
        self._delta = delta
        self._cut_off: set[bytes] = set()
        self._done_before: set[bytes] = set()

    def may_bring(self, digest: bytes) -> bool:
        """Whether a request is under way, or has brought a page: an answer of 200 that came whole."""
        known = self._get(digest)
        if known is None:
            return digest in self._done_before
        if digest in self._cut_off:
            return False
        return known.state in UNDER_WAY or (known.state in _ANSWERED and known.status == 200)

    def standing(self, digest: bytes) -> Standing:
        """What became of a request, as far as its page goes."""
        if not self.may_bring(digest):
            return Standing.NONE
        known = self._get(digest)
        return Standing.UNDER_WAY if known is not None and known.state in UNDER_WAY else Standing.PAGE

    def has_brought(self, digest: bytes) -> bool:
        """Whether a callback got the page."""
        known = self._get(digest)
        return (known is None or known.state is State.DONE) and self.may_bring(digest)

    def was_done_before(self, digest: bytes, witness: str, key: str) -> bool:
        """Whether only an earlier crawl has brought the page of a witness, and skipped a key for it by rules.

        It stands for the page from then on, until something is known of it in this crawl.
        """
        if self._delta is None or self._get(digest) is not None or not self._delta.was_covered(key, witness):
            return False
        self._done_before.add(digest)
        return True

    def cut_off(self, digest: bytes) -> None:
        """An answer did not come whole, or had nothing in it: it stands for no page."""
        self._cut_off.add(digest)


def host_of(request: Request) -> str:
    """The host of a request, as the sessions of sites know it."""
    return urlparse_cached(request).hostname or ""
