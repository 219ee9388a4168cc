"""What joined two spellings are the steps that changed them; a step that changed both alike joined nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from iri_canon.errors import IriSyntaxError
from iri_canon.ladder import STEPS, Ladder, Rung, Step, key
from iri_canon.rung1_syntax import TEXT_STEPS


class Used(NamedTuple):
    """A step that joined something: what it is, and the clause that licenses it."""

    rung: Rung
    name: str
    clause: str


_SYNTAX: Final = Ladder(Rung.SYNTAX)
_SCHEME: Final = Ladder(Rung.SCHEME)
_PLACES: Final = {
    name: place
    for place, name in enumerate(
        [
            *(step.__name__ for step in TEXT_STEPS),
            "drop_fragment",
            *(step.__name__ for rung in (Rung.SYNTAX, Rung.SCHEME) for step in STEPS[rung]),
        ]
    )
}


def place_of(used: Used) -> tuple[Rung, int, str]:
    """Where a step stands among others: in the order of the ladder, those of the protocol rung by name.

    >>> place_of(Used(Rung.SYNTAX, "lowercase_scheme", "")) < place_of(Used(Rung.SCHEME, "drop_default_port", ""))
    True
    """
    return used.rung, _PLACES.get(used.name, len(_PLACES)), used.name


def joining(url: str, other: str) -> tuple[Rung, tuple[Used, ...]]:
    """The lowest pure rung on which two spellings are one, and the steps that join them there.

    Two that are one on none of these rungs are `Rung.PROTOCOL`; then the steps are those that bring them to their keys.
    Raises nothing.

    >>> rung, steps = joining("HTTP://h/%7ea", "http://h/~a#b")
    >>> rung.name, [step.name for step in steps]
    ('SYNTAX', ['drop_fragment', 'uppercase_triplets', 'decode_unreserved_triplets', 'lowercase_scheme'])
    >>> joining("http://H/%2fa", "http://H:80/%2fa")[1]
    (Used(rung=<Rung.SCHEME: 2>, name='drop_default_port', clause='...'),)
    """
    if url == other:
        return Rung.SIMPLE, ()
    if key(url, Rung.SYNTAX) == key(other, Rung.SYNTAX):
        return Rung.SYNTAX, used_by(_SYNTAX, url, other)
    rung = Rung.SCHEME if key(url) == key(other) else Rung.PROTOCOL
    return rung, used_by(_SCHEME, url, other)


def used_by(ladder: Ladder, url: str, other: str) -> tuple[Used, ...]:
    """The steps of a ladder that change two texts, but for those that change both alike."""
    changes = _changes(ladder, url), _changes(ladder, other)
    return in_order(used for used, *_ in (changes[0] - changes[1]) + (changes[1] - changes[0]))


def in_order(steps: Iterable[Used]) -> tuple[Used, ...]:
    """Each of some steps once, in the order of the ladder."""
    return tuple(sorted(set(steps), key=place_of))


def explained(ladder: Ladder, text: str) -> list[Step]:
    """The steps that change a text; none where it does not parse, since it is merged with nothing."""
    try:
        return ladder.explain(text)
    except IriSyntaxError:
        return []


def _changes(ladder: Ladder, text: str) -> Counter[tuple[Used, str, str]]:
    return Counter(
        (Used(step.rung, step.name, step.clause), *_region(step.before, step.after))
        for step in explained(ladder, text)
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
