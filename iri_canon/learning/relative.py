"""Equal octets are one page only where their links lead to the same places: a relative link begins where it stands.

Source: RFC 3986 section 5.2.3. At ``/a`` the link ``b`` leads to ``/b``, at ``/a/`` to ``/a/b``.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

from iri_canon.learning.classes import joined
from iri_canon.learning.parts import Parts, split

BASE_SIZE: Final = 8
"""Octets of a base."""

# Links that lead on; what a page is made of (images, style) may begin elsewhere.
_LINK: Final = re.compile(
    rb"""<(?:a|area|base|form|i?frame)(?=[\s/])(?:[^<>"']|"[^"<]*+"|'[^'<]*+')*?(?<=[\s"'/])"""
    rb"""(?:href|action|src)\s*+=\s*+"""
    rb"""(?:"([^"<>]*)|'([^'<>]*)|([^\s"'<>]+))""",
    re.IGNORECASE,
)
_ABSOLUTE: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*+:|[/\\#?]")


def base_of(document: bytes, url: str) -> bytes | None:
    """What stands for the place where the relative links of an HTML document begin; None where it has none.

    ``document`` is in an encoding that has ASCII, ``url`` a SCHEME key. Takes linear time.

    >>> page = b'<a href="b">on</a>'
    >>> base_of(page, "http://a.example/a") == base_of(page, "http://a.example/a/")
    False
    >>> base_of(page, "http://a.example/a/") == base_of(page, "http://a.example/A/?sid=1")
    True
    >>> base_of(b'<a href="/b">on</a><img src="c.png">', "http://a.example/a") is None
    True
    """
    parts = split(url)
    if parts is None:
        return None
    begins = climbs = False
    for link in _LINK.finditer(document):
        target = b"".join(link.groups(b"")).strip()
        if target and not _ABSOLUTE.match(target):
            begins = True
            climbs = climbs or b".." in target
    if not begins:
        return None
    depth, directory = _begin(parts)
    place = f"{depth if climbs else 0} {directory}"
    return blake2b(place.encode("utf-8", "surrogatepass"), digest_size=BASE_SIZE).digest()


def begin_alike(one: Parts, other: Parts) -> bool:
    """Whether every relative link leads from two keys to spellings of one place.

    >>> keys = map(split, ("http://a.example/d/a", "http://a.example/D/a?x", "http://a.example/d/a/"))
    >>> here, there, below = (key for key in keys if key is not None)
    >>> begin_alike(here, there), begin_alike(here, below)
    (True, False)
    """
    return _begin(one) == _begin(other)


def _begin(parts: Parts) -> tuple[int, str]:
    """How far up a link may climb, which hangs on each segment, empty ones too; and the directory."""
    directory = parts.path[: parts.path.rindex("/") + 1]
    return directory.count("/"), joined(parts._replace(path=directory, query=None)).path
