"""Answers meet where every convention, or all but one parameter, makes them one; only there are they compared."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from iri_canon.learning.content import Content
from iri_canon.learning.kinds import LEARNABLE, PARAMETER, is_listed, ordered, parameters, projection
from iri_canon.learning.parts import Parts
from iri_canon.learning.recent import Recent

MOST_MEMBERS: Final = 8
"""Answers of one class that are compared with each new one."""

MOST_CLASSES: Final = 200_000
"""Classes remembered at once: answers that are further apart are not compared."""

MOST_UNLISTED: Final = 6
"""Parameters of one query that are looked at one by one; a query with more teaches nothing of them."""

_RECORD: Final = struct.Struct(">H16s16s")
_NO_TEXT: Final = bytes(16)


@dataclass(slots=True)
class Page:
    """What one spelling was answered with: a content, an error, or a redirect to a key."""

    key: str
    status: int
    content: Content | None = None
    target: str | None = None
    epoch: int = 0
    """How often the site has changed its visitors' view by then: answers of two epochs are not compared."""


def record_of(status: int, content: Content | None) -> bytes:
    """An answer as octets, for a store; ``read_record`` undoes it."""
    body, text = (bytes(16), None) if content is None else content
    return _RECORD.pack(status if content is not None else 0, body, text or _NO_TEXT)


def read_record(record: bytes) -> tuple[int, Content] | None:
    """Status and content of an answer; None for one without content, and for what is no record.

    >>> read_record(record_of(200, Content(b"b" * 16, None)))
    (200, Content(body=b'bbbbbbbbbbbbbbbb', text=None))
    """
    if len(record) != _RECORD.size:
        return None
    status, body, text = _RECORD.unpack(record)
    return (status, Content(body, None if text == _NO_TEXT else text)) if status else None


def joined(parts: Parts, also: Iterable[str] = ()) -> Parts:
    """What all conventions make of a key, without the parameters that are for statistics and sessions, and these.

    >>> from iri_canon.learning.parts import split
    >>> str(joined(split("http://www.a.example/B/?utm_source=x&d=1&c=2")))
    'https://a.example/b?c=2&d=1'
    """
    listed = (name for name in parameters(parts.query) if is_listed(name))
    single = {*(PARAMETER + name for name in listed), *(PARAMETER + name for name in also)}
    return projection(ordered({*LEARNABLE, *single}))(parts)


def number_of(text: str) -> int:
    """64 bits that stand for a text where a rare mistake costs a comparison only."""
    octets = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(octets, digest_size=8).digest(), "big")


def digest_of(text: str) -> str:
    """32 hexadecimal digits that stand for a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class Pages:
    """The answers of this crawl by class."""

    def __init__(self) -> None:
        self._classes: Recent[list[Page]] = Recent(MOST_CLASSES)

    def add(
        self, page: Page, parts: Parts, matters: Callable[[str], bool] = lambda parameter: False
    ) -> Iterator[Page]:
        """Keep an answer; those that it has to be compared with.

        ``matters`` tells the parameters of which nothing more is to be learned, since they change the page.
        """
        met: dict[str, Page] = {}
        for name in self._classes_of(parts, matters):
            members = self._classes.get(name)
            if members is None:
                self._classes.put(name, [page])
                continue
            others = [other for other in members if other.key != page.key]
            met.update((other.key, other) for other in others)
            members[:] = [*others, page] if len(others) < MOST_MEMBERS else members
        return (other for other in met.values() if other.epoch == page.epoch)

    def _classes_of(self, parts: Parts, matters: Callable[[str], bool]) -> Iterator[int]:
        yield number_of(str(joined(parts)))
        unlisted = [name for name in parameters(parts.query) if not is_listed(name) and not matters(name)]
        if len(unlisted) <= MOST_UNLISTED:
            for name in unlisted:
                yield number_of(str(joined(parts, (name,))))
