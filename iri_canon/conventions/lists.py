"""Names that conventions look for are data: one a line, and nothing but the whole name counts."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def names(of: str) -> frozenset[str]:
    """The names in ``iri_canon/data/OF.txt``; ``#`` begins a comment.

    >>> "gclid" in names("tracking-params"), "" in names("tracking-params")
    (True, False)
    """
    text = files("iri_canon").joinpath("data", f"{of}.txt").read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(line for line in lines if line)
