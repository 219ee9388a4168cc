"""What a site answers to everyone, whatever was asked, is evidence of nothing."""

from __future__ import annotations

from typing import Final

from iri_canon.conventions.lists import names
from iri_canon.learning.parts import Parts
from iri_canon.learning.recent import Recent

UNRELATED: Final = 3
"""Paths that may have one content, or lead to one target; with more it is an answer to everything."""

MOST_REMEMBERED: Final = 200_000
"""Contents and targets remembered at once."""

_EVERYTHING: Final[frozenset[int]] = frozenset()


class Walls:
    """How many unrelated paths each content, and each target of redirects, was seen under.

    All are named by short digests; a path by that of what all conventions make of it.

    >>> walls = Walls()
    >>> [walls.seen("ab", path) for path in range(5)], walls.is_one("ab")
    ([False, False, False, True, False], True)
    """

    def __init__(self) -> None:
        self._paths: Recent[int | frozenset[int]] = Recent(MOST_REMEMBERED)

    def seen(self, witness: str, path: int) -> bool:
        """A path has this content, or leads there; True where that makes it a wall."""
        number = _number(witness)
        known = self._paths.get(number)
        if known is None:
            self._paths.put(number, path)
            return False
        if known in (path, _EVERYTHING):
            return False
        paths = (frozenset({known}) if isinstance(known, int) else known) | {path}
        self._paths.put(number, paths if len(paths) <= UNRELATED else _EVERYTHING)
        return len(paths) > UNRELATED

    def is_one(self, witness: str) -> bool:
        """Whether this content, or target, is known to be a wall."""
        return self._paths.get(_number(witness)) == _EVERYTHING


def _number(witness: str) -> int:
    return int(witness[:16], 16)


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
