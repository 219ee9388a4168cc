"""What became of a request is settled when it is in nobody's hands any longer, not when the first sign of it comes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from scrapy import Request

from scrapy_plugin.fingerprinter import DIGEST_SIZE
from scrapy_plugin.trails import Hop

NOT_CACHED: Final = "iri_canon_not_cached"
"""Meta key: ``dont_cache`` was set by this project, for this request alone."""


@dataclass(slots=True)
class Leaving:
    """A request that the downloader is done with, or soon will be: what follows decides what it was."""

    request: Request
    hop: Hop | None = None


@dataclass(slots=True)
class Answered:
    """A request that a response came to; ``reached``: its callback was called."""

    request: Request
    status: int
    reached: bool = False


def redirect_urls(request: Request) -> list[str]:
    """The URLs of the chain that led to a request, as Scrapy keeps them; [] where meta holds something else."""
    urls = request.meta.get("redirect_urls")
    return urls if isinstance(urls, list) and all(isinstance(url, str) for url in urls) else []


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
    """The requests of this process between the downloader and the end of their callback, by digest."""

    def __init__(self) -> None:
        self.leaving: dict[bytes, Leaving] = {}
        self.answered: dict[bytes, Answered] = {}

    def left(self, digest: bytes, request: Request, hop: Hop | None = None) -> None:
        """The downloader, or a middleware, is done with a request."""
        known = self.leaving.get(digest)
        if known is None or known.request is not request:
            self.leaving[digest] = Leaving(request, hop)
        elif hop is not None:
            known.hop = hop

    def source(self, urls: list[str]) -> tuple[bytes, Leaving] | None:
        """Take out the request that a redirect with these ``redirect_urls`` came from."""
        for digest, leaving in self.leaving.items():
            if leaving.request.url == urls[-1] and redirect_urls(leaving.request) == urls[:-1]:
                del self.leaving[digest]
                return digest, leaving
        return None

    def is_retry(self, digest: bytes, request: Request) -> bool:
        """Take out the request that a retry copied, if it is one that has just left."""
        leaving = self.leaving.get(digest)
        if (
            leaving is None
            or not request.dont_filter
            or retry_times(request) != retry_times(leaving.request) + 1
            or request.url != leaving.request.url
            or redirect_urls(request) != redirect_urls(leaving.request)
        ):
            return False
        del self.leaving[digest]
        return True

    def stays(self, digest: bytes, request: Request) -> None:
        """What became of a request that left is known."""
        leaving = self.leaving.get(digest)
        if leaving is not None and leaving.request is request:
            del self.leaving[digest]

    def answer(self, digest: bytes, request: Request, status: int) -> Answered:
        """A response came to a request."""
        known = self.answered.get(digest)
        if known is None or known.request is not request:
            known = self.answered[digest] = Answered(request, status)
        return known

    def pending(self, digest: bytes) -> bool:
        """Whether something is to be settled about a digest."""
        return digest in self.leaving or digest in self.answered

    def gone(self, active: Collection[Request]) -> list[tuple[bytes, Leaving]]:
        """Take out the requests that left the downloader without an answer."""
        gone = [
            (digest, leaving) for digest, leaving in self.leaving.items() if leaving.request not in active
        ]
        for digest, _ in gone:
            del self.leaving[digest]
        return gone

    def settled(self, active: Collection[Request]) -> list[tuple[bytes, Answered]]:
        """Take out the requests whose callback, and all that it gave, is through."""
        settled = [(digest, one) for digest, one in self.answered.items() if one.request not in active]
        for digest, _ in settled:
            del self.answered[digest]
        return settled
