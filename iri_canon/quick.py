"""The syntax and scheme rungs in one go, for URLs with an authority; equal to the steps, or it gives up (None).

`explain` walks the steps, this module is what a crawl can afford. Tests hold the two equal on every list.
"""

import re
from functools import lru_cache
from typing import Final

from iri_canon import grammar, percent, rung1_syntax, rung2_scheme
from iri_canon.errors import IriSyntaxError
from iri_canon.iri import IRI
from iri_canon.parse import PARTS, parse, split_authority
from iri_canon.path import remove_dot_segments

#: Scheme and authority are kept in the cache if they are no longer than this together, so that hostile text cannot
#: fill the memory.
LONGEST_CACHED: Final = 255

#: A triplet in upper case whose octet is no unreserved character.
KEPT_TRIPLET: Final = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])"
_PATH_AND_QUERY: Final = (
    rf"(/(?:[{grammar.PATH}]++|{KEPT_TRIPLET})*+(?:\?(?:[{grammar.QUERY}]++|{KEPT_TRIPLET})*+)?)"
)
# http(s) and file URLs in canonical form, recognised but for dot-segments: the last label does not begin with a
# digit, so that it is no IPv4 address, and there is no userinfo and no port. No group: the path is empty.
_CANONICAL: Final = re.compile(
    r"(?:https?|file(?!://localhost(?:[/?]|\Z)))://(?:[a-z0-9_\-]++\.)*+[a-z_\-][a-z0-9_\-]*+"
    rf"{_PATH_AND_QUERY}?|file://{_PATH_AND_QUERY}"
)
_NORMAL_PATH: Final = re.compile(rf"(?:[{grammar.PATH}]++|{KEPT_TRIPLET})*+")
_NORMAL_QUERY: Final = re.compile(rf"(?:[{grammar.QUERY}]++|{KEPT_TRIPLET})*+")
_normalize_path = percent.normalizer(grammar.PATH)
_normalize_query = percent.normalizer(grammar.QUERY)
_canonical = _CANONICAL.fullmatch
_dot_segment = re.compile(r"/\.\.?(?:[/?#]|\Z)").search
_is_normal_path = _NORMAL_PATH.fullmatch
_is_normal_query = _NORMAL_QUERY.fullmatch
_parts = PARTS.fullmatch


def scheme_key(text: object) -> str | None:
    """The key at the scheme rung, without the fragment; None for what takes the steps one by one, or is no text.

    >>> scheme_key("HTTP://Example.com:80/%7Ea/../b#c"), scheme_key("mailto:a@b"), scheme_key("http:///")
    ('http://example.com/b', None, None)
    """
    if not isinstance(text, str):
        return None
    if "/." not in text or not _dot_segment(text):
        canonical = _canonical(text)
        if canonical:
            return text if canonical.lastindex else f"{text}/"
    if text[:1] <= " " or text[-1:] <= " " or "\n" in text or "\t" in text or "\r" in text:
        text = text.strip(grammar.C0_OR_SPACE).translate(grammar.WITHOUT_TAB_OR_NEWLINE)
    scheme, authority, path, query, _ = _parts(text).groups()  # type: ignore[union-attr]
    if scheme is None or authority is None:
        return None
    begin = site(scheme, authority) if len(scheme) + len(authority) <= LONGEST_CACHED else None
    if begin is None:
        return None
    if not _is_normal_path(path):
        path = _normalize_path(path)
    if "/." in path:  # behind the normalizer, which may have decoded "%2E"
        path = remove_dot_segments(path)
    if query is None:
        return begin + (path or "/")
    return f"{begin}{path or '/'}?{query if _is_normal_query(query) else _normalize_query(query)}"


def key_by_steps(text: str) -> str:
    """The key at the scheme rung, without the fragment, of any text; what does not parse is its own.

    >>> key_by_steps("MAILTO:a@B#c"), key_by_steps("http:///%7E"), key_by_steps("http://[/ ")
    ('mailto:a@b', 'http:///~', 'http://[/ ')
    """
    found = text
    for text_step in rung1_syntax.TEXT_STEPS:
        text = text_step(text)
    try:
        iri, _ = _climb(parse(text).replace(fragment=None))
    except IriSyntaxError:
        return found
    return str(iri)


@lru_cache(16384)
def site(scheme: str, authority: str) -> str | None:
    """Scheme and authority on the scheme rung, by its own steps; None where they do not reach it."""
    try:
        iri = IRI(scheme, *split_authority(authority), "/", None, None)
    except IriSyntaxError:
        return None
    iri, reaches = _climb(iri)
    return str(iri)[:-1] if reaches else None


def _climb(iri: IRI) -> tuple[IRI, bool]:
    """The value on the scheme rung, or else on the syntax rung; whether it is on the former."""
    for step in rung1_syntax.STEPS:
        iri = step(iri)
    reaches = rung2_scheme.reaches(iri)
    if reaches:
        for step in rung2_scheme.STEPS:
            iri = step(iri)
    return iri, reaches


def forget_sites() -> None:
    """Empty the cache, when the table of schemes has changed."""
    site.cache_clear()
