"""A list of URLs has one a line, as it was found; blank lines and lines that begin with ``#`` are about the list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from iri_canon.logs.records import Bad, Line, Outcome, Record

SPACE: Final = " \t\r"
"""What stands around a URL in a line is layout: RFC 3986 appendix C has no white space at the ends of one."""
COMMENT: Final = "#"
_WITH_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://[^\s\"<>]+")


def records(lines: Iterable[Line]) -> Iterator[Outcome]:
    """The URLs of a list, without the spaces and tabs around them; nothing else of a line is changed.

    A line that is no URL, or a relative one, is a record as well: its key is its text.

    >>> from iri_canon.logs.records import Place
    >>> texts = ["# seeds", "", " http://h/a b\\t", "h/#top"]
    >>> [each.url for each in records(Line(Place("a.txt", number, 0), text) for number, text in enumerate(texts))]
    ['http://h/a b', 'h/#top']
    """
    for place, text in lines:
        if text is None:
            yield Bad(place, "longer than a line may be")
        elif not is_passed_over(text):
            yield Record(place=place, url=text.strip(SPACE))


def is_passed_over(text: str) -> bool:
    """Whether a line is blank or a comment.

    >>> is_passed_over(" \\t"), is_passed_over("\\t# a"), is_passed_over("/#a")
    (True, True, False)
    """
    stripped = text.strip(SPACE)
    return not stripped or stripped.startswith(COMMENT)


def is_one(text: str) -> bool:
    """Whether a line is a URL that begins with a scheme and ``//`` and has nothing beside it.

    >>> is_one("http://h/a"), is_one("http://h/a 200"), is_one("h/a"), is_one("mailto:a@h")
    (True, False, False, False)
    """
    return _WITH_SCHEME.fullmatch(text.strip(SPACE)) is not None


def is_list(texts: Iterable[str]) -> bool:
    """Whether most of some lines are such URLs: a list as found has other things in it.

    >>> is_list(["# seeds", "http://h/a", "http://h/b", "javascript:a()"]), is_list(["http://h/a", "h/b"])
    (True, False)
    """
    counted = [is_one(text) for text in texts if not is_passed_over(text)]
    return sum(counted) * 2 > len(counted)
