"""Sites whose pages come one after the other, under several spellings, so that there is time to learn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.scrapy_plugin.site import Answer, Route, page, redirect

AUDITED: dict[str, Any] = {"IRI_CANON_LEARN": "audited", "CONCURRENT_REQUESTS": 1, "DEPTH_PRIORITY": 1}
"""One after the other, and in the order of the links."""

Spelling = Callable[[int], str]


def plain(number: int) -> str:
    return f"/d/{number}"


def slashed(number: int) -> str:
    return f"/d/{number}/"


def chain(
    length: int,
    spellings: Iterable[Spelling] = (plain, slashed),
    other: Mapping[str, Route] | None = None,
    *,
    also: Mapping[int, Iterable[str]] | None = None,
) -> dict[str, Route]:
    """Page after page, each linked under all spellings by the one before; ``other`` answers in place of pages.

    ``also`` has further links, by the number of the page.
    """
    spelt = list(spellings)
    routes: dict[str, Route] = {"/": page("home", *(one(0) for one in spelt))}
    for number in range(length):
        further = [one(number + 1) for one in spelt] if number + 1 < length else []
        links = [*(also or {}).get(number, ()), *further]
        for one in spelt:
            routes[one(number)] = page(f"d{number}", *links)
    return {**routes, **(other or {})}


def names(length: int) -> set[str]:
    """What the pages of a chain are called."""
    return {"home", *(f"d{number}" for number in range(length))}


def moved(length: int, source: Spelling, target: Spelling, status: int = 301) -> dict[str, Route]:
    """Each source redirects to its target."""
    return {source(number): redirect(target(number), status) for number in range(length)}


def another(number: int, *links: str) -> Answer:
    """A page that is another one than its number has."""
    return page(f"other{number}", *links)


def others(first: int, length: int) -> dict[str, Route]:
    """From the first one on, the end of a chain has other pages behind a slash."""
    return {
        slashed(number): another(
            number, *(one(number + 1) for one in (plain, slashed) if number + 1 < length)
        )
        for number in range(first, length)
    }
