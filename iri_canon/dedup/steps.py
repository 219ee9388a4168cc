"""What joined two spellings are the steps that changed them; a step that changed both alike joined nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from iri_canon.conventions import CONVENTIONS
from iri_canon.errors import IriSyntaxError
from iri_canon.ladder import STEPS, Ladder, Rung, Step, key
from iri_canon.rung1_syntax import TEXT_STEPS


class Used(NamedTuple):
    """A step that joined something: what it is, and the clause that licenses it."""

    rung: Rung
    name: str
    clause: str


#: Text that no text step changes, and no space: what stands before a delimiter stays apart from what is behind it.
_PLAIN: Final = re.compile(r"[!-~]+")
_ENDS_AUTHORITY: Final = re.compile(r"[?#]")
_WEB: Final = tuple(f"{scheme}://" for scheme in ("http", "https", "HTTP", "HTTPS", "Http", "Https"))
_SCHEME: Final = Ladder(Rung.SCHEME)
_PLACES: Final = {
    name: place
    for place, name in enumerate(
        [
            *(step.__name__ for step in TEXT_STEPS),
            "drop_fragment",
            *(step.__name__ for rung in (Rung.SYNTAX, Rung.SCHEME) for step in STEPS[rung]),
            "observed-redirect",
            "equal-digest",
            "learned-rule",
            *CONVENTIONS,
        ]
    )
}


def place_of(used: Used) -> tuple[Rung, int, str]:
    """Where a step stands among others: in the order of the ladder, what was observed before conventions.

    >>> place_of(Used(Rung.SYNTAX, "lowercase_scheme", "")) < place_of(Used(Rung.SCHEME, "drop_default_port", ""))
    True
    """
    return used.rung, _PLACES.get(used.name, len(_PLACES)), used.name


class Joint(NamedTuple):
    """How a spelling is one with another: the lowest pure rung, and the steps up to it."""

    rung: Rung
    steps: tuple[Used, ...]
    syntax: str | None
    """Its syntax key; None where the other one has the same."""


def joining(url: str, other: str, other_key: str | None = None) -> Joint:
    """How two spellings are one on the lowest pure rung on which they are.

    Two that are one on none of these rungs are `Rung.PROTOCOL`; then the steps are those that bring them to their keys.
    ``other_key`` is the SCHEME key of the other one, where it is known. Raises nothing.

    >>> joint = joining("HTTP://h/%7ea", "http://h/~a#b")
    >>> joint.rung.name, [step.name for step in joint.steps], joint.syntax
    ('SYNTAX', ['drop_fragment', 'uppercase_triplets', 'decode_unreserved_triplets', 'lowercase_scheme'], None)
    >>> joining("http://H/%2fa", "http://H:80/%2fa").steps
    (Used(rung=<Rung.SCHEME: 2>, name='drop_default_port', clause='...'),)
    """
    if url == other:
        return Joint(Rung.SIMPLE, (), None)
    if other_key is None:
        other_key = key(other)
    if url.startswith(_WEB) and other.startswith(_WEB) and _PLAIN.fullmatch(url) and _PLAIN.fullmatch(other):
        return _joining_plain(url, other, other_key)
    return _joining_any(url, other, other_key)


def _joining_any(url: str, other: str, other_key: str) -> Joint:
    steps, other_steps = explained(_SCHEME, url), _known(other)
    syntax = _syntax_key(url, steps)
    if syntax == _syntax_key(other, other_steps):
        pure = ([step for step in each if step.rung <= Rung.SYNTAX] for each in (steps, other_steps))
        return Joint(Rung.SYNTAX, _differing(*pure), None)
    rung = Rung.SCHEME if (steps[-1].after if steps else url) == other_key else Rung.PROTOCOL
    return Joint(rung, _differing(steps, other_steps), syntax)


@lru_cache(1 << 12)
def _known(text: str) -> list[Step]:
    """The steps of what represents several spellings."""
    return explained(_SCHEME, text)


def _syntax_key(text: str, steps: list[Step]) -> str:
    return next((step.after for step in reversed(steps) if step.rung <= Rung.SYNTAX), text)


def _joining_plain(url: str, other: str, other_key: str) -> Joint:
    """The same for what has a host, and nothing that text steps change: fragments and what is alike are left out.

    Most spellings differ by a fragment or in the authority, so ways are short there.
    """
    base, *fragment = url.partition("#")
    other_base, *other_fragment = other.partition("#")
    if fragment != other_fragment:
        joint = joining(base, other_base, other_key)
        dropped = _walk_of_heads("http://h/#", "http://h/").steps
        return Joint(max(joint.rung, Rung.SYNTAX), in_order([*joint.steps, *dropped]), joint.syntax)
    if other != other_key:
        return _joining_any(url, other, other_key)
    end, other_end = _end_of_authority(url), _end_of_authority(other)
    if min(end, other_end) > 0 and url[end:] == other[other_end:]:
        # What follows is in both, and no step changes it; there are many URLs of one scheme and authority.
        joint = _walk_of_heads(url[: end + 1], other[: other_end + 1])
        return joint if joint.syntax is None else joint._replace(syntax=joint.syntax + url[end + 1 :])
    return _walk(url, other)


@lru_cache(1 << 14)
def _walk_of_heads(url: str, other: str) -> Joint:
    return _walk(url, other)


def _walk(url: str, other: str) -> Joint:
    """How a spelling is one with its key, or with another one that is its own."""
    steps = explained(_SCHEME, url)
    syntax = _syntax_key(url, steps)
    if syntax == other:
        steps = [step for step in steps if step.rung <= Rung.SYNTAX]
        rung = Rung.SYNTAX
    else:
        rung = Rung.SCHEME if (steps[-1].after if steps else url) == other else Rung.PROTOCOL
    used = in_order(Used(step.rung, step.name, step.clause) for step in steps)
    return Joint(rung, used, None if syntax == other else syntax)


def _end_of_authority(url: str) -> int:
    """Where the path begins with a slash behind the authority of a web URL; not above 0 where it does not."""
    start = url.find("://") + 3
    end = url.find("/", start)
    return -1 if _ENDS_AUTHORITY.search(url, start, max(start, end)) else end


def used_by(ladder: Ladder, url: str, other: str) -> tuple[Used, ...]:
    """The steps of a ladder that change two texts, but for those that change both alike."""
    return _differing(explained(ladder, url), explained(ladder, other))


def _differing(steps: Iterable[Step], other_steps: Iterable[Step]) -> tuple[Used, ...]:
    one, other = _changes(steps), _changes(other_steps)
    return in_order(used for used, *_ in (one - other) + (other - one))


def in_order(steps: Iterable[Used]) -> tuple[Used, ...]:
    """Each of some steps once, in the order of the ladder."""
    return tuple(sorted(set(steps), key=place_of))


def explained(ladder: Ladder, text: str) -> list[Step]:
    """The steps that change a text; none where it does not parse, since it is merged with nothing."""
    try:
        return ladder.explain(text)
    except IriSyntaxError:
        return []


def _changes(steps: Iterable[Step]) -> Counter[tuple[Used, str, str]]:
    return Counter(
        (Used(step.rung, step.name, step.clause), *_region(step.before, step.after)) for step in steps
    )


def _region(before: str, after: str) -> tuple[str, str]:
    """What a change took away, and what it put there."""
    start = _alike(before, after)
    before, after = before[start:], after[start:]
    end = _alike(before[::-1], after[::-1])
    return before[: len(before) - end], after[: len(after) - end]


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
