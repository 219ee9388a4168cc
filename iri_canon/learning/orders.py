"""The order in which people number pages goes by what a page is called, and not by how a URL happens to spell it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from iri_canon.learning.classes import joined
from iri_canon.learning.kinds import PARAMETER
from iri_canon.learning.parts import split

_NUMBER: Final = re.compile(r"([0-9]+)")

NaturalOrder: TypeAlias = tuple[tuple[int, str], ...]
"""A name for comparison: each number counts as one, before any text."""

PageOrder: TypeAlias = tuple[NaturalOrder, NaturalOrder]
"""The page, and then the spelling."""


def natural_order(name: str) -> NaturalOrder:
    """The order in which people number pages.

    >>> sorted(["/p/10", "/p/9", "/p/a"], key=natural_order)
    ['/p/9', '/p/10', '/p/a']
    """
    parts = _NUMBER.split(name)
    # A number of more digits is the larger one, and so longer ones need not be read as numbers.
    return tuple(
        (len(part.lstrip("0")), part.lstrip("0")) if part.isdecimal() else (0, part) for part in parts
    )


def page_order(key: str, names: Iterable[str] = ()) -> PageOrder:
    """The order of a SCHEME key by its page; the spellings of one page follow each other.

    ``names`` are those of kinds: their parameters, and those for statistics and sessions, say nothing of the page.

    >>> spelt = ["http://a.example/p/9?sid=7", "http://www.a.example/p//10", "http://www.a.example/p///2?box=12"]
    >>> [page.rpartition("p/")[2] for page in sorted(spelt, key=page_order)]
    ['//2?box=12', '9?sid=7', '/10']
    """
    parts = split(key)
    also = [name.removeprefix(PARAMETER) for name in names if name.startswith(PARAMETER)]
    return natural_order(key if parts is None else str(joined(parts, also))), natural_order(key)
