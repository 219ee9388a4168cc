"""What became of a request is settled when it is in nobody's hands any longer, not when the first sign of it comes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from scrapy import Request
from scrapy.http import Response

from scrapy_plugin.fingerprinter import DIGEST_SIZE
from scrapy_plugin.trails import Hop

NOT_CACHED: Final = "iri_canon_not_cached"
"""Meta key: ``dont_cache`` was set by this project, for this request alone."""


SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""RFC 9110 9.2.1."""


@dataclass(slots=True)
class Leaving:
    """A request that the downloader is done with, or soon will be: what follows decides what it was."""

    request: Request
    digest: bytes
    hop: Hop | None = None


@dataclass(slots=True)
class Answered:
    """A request that a response came to; ``reached``: its callback was called, which ``raised``, or gave items."""

    request: Request
    digest: bytes
    status: int
    reached: bool = False
    gave_items: bool = False
    raised: bool = False


def redirect_urls(request: Request) -> list[str]:
    """The URLs of the chain that led to a request, as Scrapy keeps them; [] where meta holds something else."""
    urls = request.meta.get("redirect_urls")
    return urls if isinstance(urls, list) and all(isinstance(url, str) for url in urls) else []


def status_of(response: Response) -> int:
    """The status code of a response; 0 for a number that no status code is (RFC 9110 15), however long."""
    return response.status if 100 <= response.status <= 999 else 0


def redirect_status(request: Request) -> int:
    """The status of the redirect that led to a request, as Scrapy keeps it; 0 where that is none, or not known."""
    reasons = request.meta.get("redirect_reasons")
    status = reasons[-1] if isinstance(reasons, list) and reasons else 0
    return status if isinstance(status, int) else 0


def is_permanent(request: Request) -> bool:
    """Whether the redirect that led to a request was permanent (RFC 9110 15.4.2, 15.4.9)."""
    return redirect_status(request) in {301, 308}


def retry_times(request: Request) -> int:
    """How often a request was retried; 0 where meta holds something else."""
    times = request.meta.get("retry_times")
    return times if isinstance(times, int) else 0


def token_of(urls: Iterable[str]) -> bytes:
    """The digest of a chain, from the URLs it passed through."""
    octets = (url.encode("utf-8", "surrogatepass") for url in urls)
    joined = b"".join(b"%d:%b," % (len(one), one) for one in octets)
    return blake2b(joined, digest_size=DIGEST_SIZE, person=b"chain").digest()


def mind_cache(request: Request, *, revisit: bool) -> None:
    """Keep Scrapy's HTTP cache from answering a chain that comes again with the answer to its former visit."""
    meta = request.meta
    if revisit:
        if "dont_cache" not in meta:
            meta["dont_cache"] = meta[NOT_CACHED] = True
    elif meta.pop(NOT_CACHED, False):
        meta.pop("dont_cache", None)


class Outcomes:
    """The requests of this process between the downloader and the end of their callback."""

    def __init__(self) -> None:
        self._leaving: dict[Request, Leaving] = {}
        self._answered: dict[Request, Answered] = {}

    def left(self, digest: bytes, request: Request, hop: Hop | None = None) -> None:
        """The downloader, or a middleware, is done with a request."""
        known = self._leaving.get(request)
        if known is None:
            self._leaving[request] = Leaving(request, digest, hop)
        elif hop is not None:
            known.hop = hop

    def take_source(self, urls: list[str]) -> tuple[Leaving, bool] | None:
        """Take out the request that a redirect with these ``redirect_urls`` came from, and whether it may be unsafe.

        Of several that it may have come from, the safe ones are taken first: the redirect that an unsafe method
        got must find its own.
        """
        found = [
            leaving
            for request, leaving in self._leaving.items()
            if request.url == urls[-1] and redirect_urls(request) == urls[:-1]
        ]
        if not found:
            return None
        found.sort(key=lambda leaving: leaving.request.method not in SAFE_METHODS)
        del self._leaving[found[0].request]
        return found[0], found[-1].request.method not in SAFE_METHODS

    def take_original(self, retry: Request) -> Leaving | None:
        """Take out the request that a retry copied, if it is one that has just left."""
        times, urls = retry_times(retry), redirect_urls(retry)
        if not retry.dont_filter or not times:
            return None
        for request in self._leaving:
            if (
                request.url == retry.url
                and request.method == retry.method
                and request.body == retry.body
                and retry_times(request) == times - 1
                and redirect_urls(request) == urls
            ):
                return self._leaving.pop(request)
        return None

    def leaving(self, digest: bytes) -> list[Request]:
        """The requests for a digest that left, and of which it is not known yet what they were."""
        return [request for request, leaving in self._leaving.items() if leaving.digest == digest]

    def stays(self, request: Request) -> None:
        """What became of a request that left is known."""
        self._leaving.pop(request, None)

    def answer(self, digest: bytes, request: Request, status: int) -> Answered:
        """A response came to a request."""
        known = self._answered.get(request)
        if known is None:
            known = self._answered[request] = Answered(request, digest, status)
        return known

    def answered(self, request: Request | None) -> Answered | None:
        """What came to a request; None: nothing, or it is settled."""
        return None if request is None else self._answered.get(request)

    def take_gone(self, active: Collection[Request]) -> list[Leaving]:
        """Take out the requests that left the downloader without an answer."""
        gone = [leaving for request, leaving in self._leaving.items() if request not in active]
        for leaving in gone:
            del self._leaving[leaving.request]
        return gone

    def take_settled(self, active: Collection[Request]) -> list[Answered]:
        """Take out the requests whose callback, and all that it gave, is through."""
        settled = [answered for request, answered in self._answered.items() if request not in active]
        for answered in settled:
            del self._answered[answered.request]
        return settled

    def __len__(self) -> int:
        return len(self._answered)
