"""Names that conventions look for are data: one a line, and nothing but the whole name counts."""

from __future__ import annotations

from functools import cache


@cache
def names(of: str) -> frozenset[str]:
    """The names in ``iri_canon/data/OF.txt``; ``#`` begins a comment.

    >>> "gclid" in names("tracking-params"), "" in names("tracking-params")
    (True, False)
    """
    from importlib.resources import files  # Not at the top: it costs more than all else of this package.

    text = files("iri_canon").joinpath("data", f"{of}.txt").read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(line for line in lines if line)
