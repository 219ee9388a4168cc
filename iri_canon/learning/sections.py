"""A section is a directory right under the root, the same for all spellings of a page.

So it is read off a path that every convention has been applied to.
"""

from __future__ import annotations

import re
from typing import Final

from iri_canon.conventions import paths
from iri_canon.conventions.lists import names
from iri_canon.learning.parts import Parts

LONGEST: Final = 100
"""Characters of a section's name; longer ones are cut, so that rules stay small."""

_UNUSUAL: Final = re.compile(r"//|%|;|/\(")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,4})?")


def section_of(path: str) -> str:
    """The first segment of a path where another one is left behind it; "" at the root.

    >>> [section_of(path) for path in ("/docs/a", "/Docs//a/", "/docs/", "/docs/index.html", "/", "/docs/a/index.html")]
    ['docs', 'docs', '', '', '', 'docs']
    """
    if _UNUSUAL.search(path):
        path = paths.single_slashes(paths.without_session(paths.decode_delimiters(path)))
    first, _, rest = path[1:].partition("/")
    if not rest or rest.lower() in names("default-documents"):
        return ""
    return first[:LONGEST].lower()


def stratum_of(parts: Parts) -> tuple[str, ...]:
    """What may set a group of pages apart within a section: a directory, a kind of document, parameters, a language.

    >>> from iri_canon.learning.parts import split
    >>> stratum_of(split("http://a.example/docs/en/a.html?lang=de&page=7"))
    ('en', 'html', 'lang=de&page')
    """
    segments = [segment for segment in parts.path.split("/") if segment]
    directory = segments[1].lower() if len(segments) > 2 else ""
    name, dot, suffix = (segments[-1] if segments else "").rpartition(".")
    document = suffix.lower() if name and dot and len(suffix) <= 5 else ""
    return (directory, document, "&".join(sorted(map(_trait, (parts.query or "").split("&")))))


def _trait(pair: str) -> str:
    """The name of a parameter, and its value where that may be a language."""
    name, _, value = pair.partition("=")
    return f"{name}={value.lower()}" if _LANGUAGE.fullmatch(value) else name
