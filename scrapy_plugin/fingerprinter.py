"""A fingerprint is a digest of what makes two requests one at the scheme rung: nothing observed, nothing assumed.

The HTTP cache and the media pipelines share it, so it must be the same in every crawl.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Protocol
from weakref import WeakKeyDictionary, ref

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.utils.request import RequestFingerprinter, RequestFingerprinterProtocol

from iri_canon import Ladder, Rung
from scrapy_plugin.options import Options, read

DIGEST_SIZE: Final = 16


@lru_cache(64)
def _bare(method: str) -> bytes:
    """What stands before the key of a request that has no body and no header that counts."""
    return _part(method.encode("utf-8", "surrogatepass")) + _part(b"") + b"0;"


def _part(octets: bytes) -> bytes:
    return b"%d:%b," % (len(octets), octets)


class Identities(Protocol):
    """Digest and key of requests."""

    def of(self, request: Request) -> tuple[bytes, str]:
        """The digest and the key of a request."""

    def at(self, request: Request, url: str) -> bytes:
        """The digest of a request as it would be for another URL."""

    def sources(self, request: Request, urls: Iterable[str]) -> list[bytes]:
        """The digests of a request as they would be for the URLs that led to it."""


class CanonicalIdentities:
    """Digest and key of requests on one ladder.

    Every part of a digest but the last is preceded by its length, so that no two requests read alike.
    """

    def __init__(self, ladder: Ladder, headers: tuple[tuple[bytes, tuple[bytes, ...]], ...] = ()) -> None:
        self._key = ladder.key
        self._headers = headers
        # Weakly, and not in meta: a redirect copies meta to another URL's request. What a WeakKeyDictionary adds to
        # a dict of references (it may be changed while it is walked) costs each request some calls.
        known: dict[ref[Request], tuple[bytes, str]] = {}
        self._known = known

        def forget(reference: ref[Request]) -> None:
            known.pop(reference, None)

        self._forget = forget

    def of(self, request: Request) -> tuple[bytes, str]:
        """The digest and the key of a request."""
        known = self._known.get(ref(request))
        if known is None:
            url = request.url
            key = url if request.meta.get("verbatim_url") else self._key(url)
            known = self._known[ref(request, self._forget)] = (self._digest(request, key), key)
        return known

    def at(self, request: Request, url: str) -> bytes:
        """The digest of a request as it would be for another URL."""
        return self._digest(request, url if request.meta.get("verbatim_url") else self._key(url))

    def sources(self, request: Request, urls: Iterable[str]) -> list[bytes]:
        """The digests of a request as they would be for the URLs that led to it."""
        return [self.at(request, url) for url in urls]

    def _digest(self, request: Request, key: str) -> bytes:
        before = _bare(request.method) if not request.body and not self._headers else self._before(request)
        return blake2b(before + key.encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).digest()

    def _before(self, request: Request) -> bytes:
        parts = [_part(request.method.encode("utf-8", "surrogatepass")), _part(request.body)]
        values_of = [(name, request.headers.getlist(name) or usual) for name, usual in self._headers]
        present = [(name, values) for name, values in values_of if values]
        parts.append(b"%d;" % len(present))
        for name, values in present:
            parts += [_part(name), b"%d;" % len(values), *map(_part, values)]
        return b"".join(parts)


class ForeignIdentities:
    """Digest of requests by the fingerprinter that the user set; which key it made of the URL only it knows: ""."""

    def __init__(self, fingerprinter: RequestFingerprinterProtocol) -> None:
        self._fingerprint = fingerprinter.fingerprint
        # What a fingerprint is made of may change on the way (headers that middlewares set): the first one counts.
        self._known: WeakKeyDictionary[Request, bytes] = WeakKeyDictionary()

    def of(self, request: Request) -> tuple[bytes, str]:
        """The digest and the key of a request."""
        known = self._known.get(request)
        if known is None:
            known = self._known[request] = self._digest(request)
        return known, ""

    def at(self, request: Request, url: str) -> bytes:
        """The digest of a request as it would be for another URL; of none, where no request can be for it."""
        try:
            return self._digest(request.replace(url=url))
        except ValueError:
            octets = url.encode("utf-8", "surrogatepass")
            return blake2b(octets, digest_size=DIGEST_SIZE, person=b"none").digest()

    def sources(self, request: Request, urls: Iterable[str]) -> list[bytes]:
        """The digests of a request as they would be for the URLs that led to it."""
        return [self.at(request, url) for url in urls]

    def _digest(self, request: Request) -> bytes:
        fingerprint = self._fingerprint(request)
        if len(fingerprint) == DIGEST_SIZE:
            return fingerprint
        return blake2b(fingerprint, digest_size=DIGEST_SIZE).digest()


class CanonicalFingerprinter:
    """Scrapy's REQUEST_FINGERPRINTER_CLASS: method, body, chosen headers and the key of the URL at the scheme rung.

    >>> fingerprint = CanonicalFingerprinter(Options()).fingerprint
    >>> fingerprint(Request("http://example.com:80/%7Ea")) == fingerprint(Request("http://EXAMPLE.com/~a"))
    True
    >>> fingerprint(Request("http://example.com/a/")) == fingerprint(Request("http://example.com/a"))
    False
    """

    def __init__(self, options: Options) -> None:
        ladder = Ladder(Rung.SCHEME, keep_fragment=options.keep_fragments)
        self.identities = CanonicalIdentities(ladder, options.headers)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RequestFingerprinterProtocol:
        """Raises ``OptionError`` for a wrong setting; with IRI_CANON_ENABLED false it is Scrapy's own."""
        options = read(crawler.settings)
        return cls(options) if options.enabled else RequestFingerprinter.from_crawler(crawler)

    def fingerprint(self, request: Request) -> bytes:
        """16 octets that tell requests for different resources apart."""
        return self.identities.of(request)[0]


def choose_identities(options: Options, crawler: Crawler | None, ladder: Ladder) -> Identities:
    """What the filter tells requests apart by: the fingerprinter that the user set, else the keys of a ladder."""
    if options.own_fingerprinter is not None and crawler is not None:
        return ForeignIdentities(crawler.request_fingerprinter)
    fingerprinter = crawler._request_fingerprinter if crawler is not None else None
    if isinstance(fingerprinter, CanonicalFingerprinter) and not options.conventions:
        return fingerprinter.identities
    return CanonicalIdentities(ladder, options.headers)
