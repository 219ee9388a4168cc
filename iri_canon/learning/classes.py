"""A class is what all conventions make of a key: the spellings of a page are in one class, whatever its site holds."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from iri_canon.learning.kinds import LEARNABLE, PARAMETER, is_listed, ordered, parameters, projection
from iri_canon.learning.parts import Parts


def joined(parts: Parts, also: Iterable[str] = ()) -> Parts:
    """What all conventions make of a key, without the parameters that are for statistics and sessions, and these.

    >>> from iri_canon.learning.parts import split
    >>> str(joined(split("http://www.a.example/B/?utm_source=x&d=1&c=2")))
    'https://a.example/b?c=2&d=1'
    """
    listed = (name for name in parameters(parts.query) if is_listed(name))
    single = {*(PARAMETER + name for name in listed), *(PARAMETER + name for name in also)}
    return projection(ordered({*LEARNABLE, *single}))(parts)


def number_of(text: str) -> int:
    """64 bits that stand for a text where a rare mistake costs a comparison only."""
    octets = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(octets, digest_size=8).digest(), "big")


def digest_of(text: str) -> str:
    """32 hexadecimal digits that stand for a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
