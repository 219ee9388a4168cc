"""What a site answers to everyone, whatever was asked, is evidence of nothing."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from iri_canon.conventions.lists import names
from iri_canon.learning.parts import Parts

UNRELATED: Final = 3
"""Paths that may have one content, or lead to one target; with more it is an answer to everything."""

MOST_REMEMBERED: Final = 500_000
"""Contents and targets remembered at once; the one that came first is forgotten."""


class Walls:
    """How many unrelated paths each content, and each target of redirects, was seen under.

    A content or target is named by a digest, a path by what all conventions make of it.

    >>> walls = Walls()
    >>> [walls.seen("ab", f"/{page}") for page in range(5)], walls.is_one("ab")
    ([False, False, False, True, False], True)
    """

    def __init__(self) -> None:
        self._paths: OrderedDict[str, str | frozenset[str] | None] = OrderedDict()

    def seen(self, witness: str, path: str) -> bool:
        """A path has this content, or leads there; True where that makes it a wall."""
        known = self._paths.get(witness, "")
        if known is None or known == path:
            return False
        if known == "":
            self._paths[witness] = path
            if len(self._paths) > MOST_REMEMBERED:
                self._paths.popitem(last=False)
            return False
        paths = frozenset({known} if isinstance(known, str) else known) | {path}
        if len(paths) <= UNRELATED:
            self._paths[witness] = paths
            return False
        self._paths[witness] = None
        return True

    def is_one(self, witness: str | None) -> bool:
        """Whether this content, or target, is known to be a wall."""
        return witness is not None and self._paths.get(witness, "") is None


def is_wall(target: Parts) -> bool:
    """Whether a URL is a home page, or by its name one where a site stops its visitor (data/walls.txt).

    >>> from iri_canon.learning.parts import split
    >>> [is_wall(split(f"http://a.example/{path}")) for path in ("", "user/Log-In.php?next=a", "docs/blogging")]
    [True, True, False]
    """
    if target.path == "/":
        return True
    stops = names("walls")
    segments = (segment.partition(".")[0].lower() for segment in target.path.split("/"))
    return any(segment.replace("-", "").replace("_", "") in stops for segment in segments)
