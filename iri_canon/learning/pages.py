"""Answers meet where every convention, or all but one parameter, makes them one; only there are they compared."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from iri_canon.learning.classes import joined, number_of
from iri_canon.learning.content import Content
from iri_canon.learning.kinds import is_listed, parameters
from iri_canon.learning.parts import Parts
from iri_canon.learning.recent import Recent

MOST_MEMBERS: Final = 8
"""Answers of one class that are compared with each new one."""

MOST_CLASSES: Final = 200_000
"""Classes remembered at once: answers that are further apart are not compared."""

MOST_UNLISTED: Final = 6
"""Parameters of one query that are looked at one by one; a query with more teaches nothing of them."""

_RECORD: Final = struct.Struct(">H16s16s8s")
_NO_TEXT: Final = bytes(16)
_NO_BASE: Final = bytes(8)


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
    if content is None:
        return _RECORD.pack(0, _NO_TEXT, _NO_TEXT, _NO_BASE)
    return _RECORD.pack(status, content.body, content.text or _NO_TEXT, content.base or _NO_BASE)


def read_record(record: bytes) -> tuple[int, Content] | None:
    """Status and content of an answer; None for one without content, and for what is no record.

    >>> read_record(record_of(200, Content(b"b" * 16, None)))
    (200, Content(body=b'bbbbbbbbbbbbbbbb', text=None, base=None))
    """
    if len(record) != _RECORD.size:
        return None
    status, body, text, base = _RECORD.unpack(record)
    content = Content(body, None if text == _NO_TEXT else text, None if base == _NO_BASE else base)
    return (status, content) if status else None


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

    def find(self, key: str, parts: Parts) -> Page | None:
        """The last answer to a key, if it is remembered."""
        members = self._classes.get(number_of(str(joined(parts)))) or ()
        return next((page for page in members if page.key == key), None)

    def _classes_of(self, parts: Parts, matters: Callable[[str], bool]) -> Iterator[int]:
        yield number_of(str(joined(parts)))
        unlisted = [name for name in parameters(parts.query) if not is_listed(name) and not matters(name)]
        if len(unlisted) <= MOST_UNLISTED:
            for name in unlisted:
                yield number_of(str(joined(parts, (name,))))
