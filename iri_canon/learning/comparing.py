"""Two answers show that two spellings are one page, or that they are not, or nothing.

Source: RFC 3987 section 5.3.4, RFC 9110 section 15.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from iri_canon.learning.classes import digest_of
from iri_canon.learning.content import Content
from iri_canon.learning.pages import Page
from iri_canon.learning.walls import Walls

TRANSIENT: Final = frozenset({408, 425, 429, 502, 503, 504})
"""RFC 9110 15.5.9, 15.6.3 to 15.6.5, RFC 8470, RFC 6585: errors of the moment say nothing of the resource."""


class Alike(NamedTuple):
    """Both have one content: ``channel`` and ``witness`` as `iri_canon.equivalence.rules.Support` has them."""

    channel: str
    witness: str


class Apart(NamedTuple):
    """They are no one page: why, and what shows it."""

    how: str
    witnesses: tuple[str, ...]


def is_telling(status: int) -> bool:
    """Whether an error says something of the resource, and not only of the moment.

    >>> [is_telling(status) for status in (200, 301, 404, 500, 503)]
    [False, False, True, True, False]
    """
    return 400 <= status <= 599 and status not in TRANSIENT


def witnesses(content: Content | None) -> tuple[str, ...]:
    """What names a content: the digests of its body and of its text."""
    if content is None:
        return ()
    return (content.body.hex(),) if content.text is None else (content.body.hex(), content.text.hex())


def compare(one: Page, other: Page, walls: Walls) -> Alike | Apart | None:
    """What two answers show.

    None where one is an answer to everything, where neither is a page, and where relative links begin elsewhere.

    >>> page, error = Page("http://a.example/", 200, Content(b"b" * 16, None)), Page("http://a.example/?", 404)
    >>> compare(page, page, Walls()).channel, compare(page, error, Walls()).how, compare(error, error, Walls())
    ('body', 'error 404', None)
    """
    shown = (*witnesses(one.content), *witnesses(other.content))
    if any(map(walls.is_one, shown)):
        return None
    if one.content is None or other.content is None:
        return _one_sided(one if one.content is None else other, shown, walls) if shown else None
    if one.content.base != other.content.base:
        # Even where both look the same, their links lead to different places.
        return None
    if one.content.body == other.content.body:
        return Alike("body", one.content.body.hex())
    if one.content.text is not None and one.content.text == other.content.text:
        return Alike("text", one.content.text.hex())
    return Apart("different content", shown)


def _one_sided(without: Page, shown: tuple[str, ...], walls: Walls) -> Apart | None:
    if without.target is None:
        return Apart(f"error {without.status}", shown)
    target = digest_of(without.target)
    return (
        None if walls.is_one(target) else Apart(f"redirect elsewhere, to {without.target}", (*shown, target))
    )
