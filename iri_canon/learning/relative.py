"""Equal octets are one page only where their links lead to the same places: a relative link begins where it stands.

Source: RFC 3986 section 5.2.3. At ``/a`` the link ``b`` leads to ``/b``, at ``/a/`` to ``/a/b``. A document has
relative links unless each of its links is seen to be none: there is no end of ways to hide one.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

from iri_canon.learning.classes import joined
from iri_canon.learning.parts import Parts, split

BASE_SIZE: Final = 8
"""Octets of a base."""

# Whatever the markup around it is: what looks like an attribute that holds a link. In lower case.
_LINK: Final = re.compile(rb"""(?:href|src|action|cite|poster|background|data)\s{0,9}=\s{0,9}["']?\s{0,9}""")
_BEGINS_ANYWHERE: Final = re.compile(rb"[/\\#]|https?:[/\\]{2}|mailto:|tel:|javascript:|data:")


def base_of(document: bytes, url: str, *, is_html: bool = True) -> bytes | None:
    """What stands for the place where the relative links of a document begin; None where it surely has none.

    ``document`` is in an encoding that has ASCII, ``url`` a SCHEME key. What is not HTML may have links of any kind.
    Takes linear time.

    >>> page = b'<a href="b">on</a>'
    >>> base_of(page, "http://a.example/a") == base_of(page, "http://a.example/a/")
    False
    >>> base_of(page, "http://a.example/a/") == base_of(page, "http://a.example/A/?sid=1")
    True
    >>> base_of(b'<a href="/b">on</a><img src="//b.example/c.png">', "http://a.example/a") is None
    True
    """
    parts = split(url)
    if parts is None:
        return None
    lower = document.lower()
    if is_html and all(_BEGINS_ANYWHERE.match(lower, link.end()) for link in _LINK.finditer(lower)):
        return None
    depth, directory = _begin(parts)
    place = f"{depth} {directory}".encode("utf-8", "surrogatepass")
    return blake2b(place, digest_size=BASE_SIZE).digest()


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
