"""A rule speaks of one host, one kind of difference and one section, and keeps what speaks for and against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from iri_canon.errors import IriError

EVERYWHERE: Final = "*"
"""The section of a rule that several sections agree on: the whole host."""

CONTENTS: Final = ("body", "text")
"""The channels of equal contents (see ``Support``)."""

MOST_SUPPORTS: Final = 64
"""Pages that support one rule and are told apart; more make it no surer than the audit does."""

MOST_OF_A_SECTION: Final = MOST_SUPPORTS // 8
"""Of them, pages of one section that support a rule for the whole host, so that others have room beside them."""

EITHER_WAY: Final = "?"
"""The direction of redirects that have none, or not one (see ``Support``)."""

MOST_EXAMPLES: Final = 3

_MOST: Final = 10**12
_LAST: Final = 1e11
"""Seconds; more than 3,000 years."""


class RuleState(StrEnum):
    """What a rule is good for."""

    PROPOSED = "proposed"
    """Something speaks for it, not enough yet."""
    IN_FORCE = "in force"
    """Enough speaks for it and nothing against it."""
    RETRACTED = "retracted"
    """Something speaks against it: it stays so until it is forgotten, or what spoke proves to be no evidence."""


class RuleName(NamedTuple):
    """What a rule speaks of.

    ``host`` is the authority of the keys without userinfo, ``kind`` names what two keys differ in
    (``trailing-slash``, ``param:sid``), ``section`` is the first path segment, "" for pages at the
    root, ``EVERYWHERE`` for the whole host.

    >>> print(RuleName("example.com", "trailing-slash", "docs"))
    example.com/docs: trailing-slash
    """

    host: str
    kind: str
    section: str

    def __str__(self) -> str:
        return f"{self.host}/{self.section}: {self.kind}"


class Support(NamedTuple):
    """One page that showed that a kind of difference is none there."""

    channel: str
    """``body`` or ``text`` for equal content; for a redirect ``+`` where the source has what the convention takes
    away, ``-`` where the target has it, ``?`` where both have it or none (the site's own order of parameters)."""
    section: str
    witness: str
    """What both had in common, in hexadecimal digits: the digest of the content, or of the redirect's target."""


class Objection(NamedTuple):
    """One pair that showed that a kind of difference is one there; ``witnesses`` as in ``Support``."""

    section: str
    witnesses: tuple[str, ...]


class Example(NamedTuple):
    """An observed pair, for people."""

    source: str
    target: str
    how: str
    time: float


@dataclass(slots=True)
class Rule:
    """What is known of a rule; times are seconds since the epoch.

    >>> rule = Rule(RuleName("example.com", "trailing-slash", "docs"), since=1.0)
    >>> Rule.from_json(rule.as_json()) == rule, rule.state.value, rule.support
    (True, 'proposed', 0)
    """

    name: RuleName
    state: RuleState = RuleState.PROPOSED
    since: float = 0.0
    """When the state was reached."""
    last: float = 0.0
    """When the last evidence came."""
    supports: dict[str, Support] = field(default_factory=dict)
    """By page: the digest of what its spellings have in common."""
    values: set[str] = field(default_factory=set)
    """Of a parameter: the values (digests) that were seen to change nothing."""
    objections: list[Objection] = field(default_factory=list)
    contradictions: int = 0
    agreed: int = 0
    """Audits that confirmed it."""
    suppressed: int = 0
    """Requests that were skipped because of it."""
    examples: list[Example] = field(default_factory=list)
    counterexamples: list[Example] = field(default_factory=list)

    @property
    def support(self) -> int:
        """How many pages speak for it; ``MOST_SUPPORTS`` stands for that many or more."""
        return len(self.supports)

    def as_json(self) -> dict[str, Any]:
        """The rule as JSON knows it; ``from_json`` undoes it."""
        return {
            **self.name._asdict(),
            "state": self.state.value,
            "since": self.since,
            "last": self.last,
            "supports": {page: list(support) for page, support in self.supports.items()},
            "values": sorted(self.values),
            "objections": [[section, list(witnesses)] for section, witnesses in self.objections],
            "contradictions": self.contradictions,
            "agreed": self.agreed,
            "suppressed": self.suppressed,
            "examples": [list(example) for example in self.examples],
            "counterexamples": [list(example) for example in self.counterexamples],
        }

    @classmethod
    def from_json(cls, known: Mapping[str, Any]) -> Rule:
        """The rule that ``as_json`` wrote. Raises ``IriError`` that names what is wrong.

        >>> Rule.from_json({"host": "a.example", "kind": 1})
        Traceback (most recent call last):
        iri_canon.errors.IriError: no rule: kind is 1
        """
        if not isinstance(known, Mapping):
            raise IriError("no rule: not an object")
        return cls(
            name=RuleName(*(_text(known, part) for part in RuleName._fields)),
            state=_state(known),
            since=_time(known, "since"),
            last=_time(known, "last"),
            supports={str(page): _support(support) for page, support in _items(known, "supports")},
            values={_texts("values", [value])[0] for value in _list(known, "values")},
            objections=[_objection(objection) for objection in _list(known, "objections")],
            contradictions=_count(known, "contradictions"),
            agreed=_count(known, "agreed"),
            suppressed=_count(known, "suppressed"),
            examples=[_example("examples", example) for example in _list(known, "examples")],
            counterexamples=[
                _example("counterexamples", example) for example in _list(known, "counterexamples")
            ],
        )


def has_room(rule: Rule, section: str) -> bool:
    """Whether one more page of a section is kept in support of a rule."""
    if rule.support >= MOST_SUPPORTS:
        return False
    if rule.name.section != EVERYWHERE:
        return True
    return sum(each.section == section for each in rule.supports.values()) < MOST_OF_A_SECTION


def _wrong(part: str, value: object) -> IriError:
    return IriError(f"no rule: {part} is {str(value)[:80]}")


def _text(known: Mapping[str, Any], part: str) -> str:
    return _texts(part, [known.get(part)])[0]


def _texts(part: str, values: Iterable[object]) -> tuple[str, ...]:
    texts: list[str] = []
    for value in values:
        if not isinstance(value, str):
            raise _wrong(part, value)
        texts.append(value)
    return tuple(texts)


def _state(known: Mapping[str, Any]) -> RuleState:
    state = _text(known, "state")
    try:
        return RuleState(state)
    except ValueError:
        raise _wrong("state", state) from None


def _time(known: Mapping[str, Any], part: str) -> float:
    value = known.get(part)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _wrong(part, value)
    if not 0 <= value <= _LAST:  # NaN is not, either
        raise IriError(f"no rule: {part} is no time from 0 to {_LAST:.0f}")
    return float(value)


def _count(known: Mapping[str, Any], part: str) -> int:
    value = known.get(part)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(part, value)
    if not 0 <= value <= _MOST:
        raise IriError(f"no rule: {part} is no count from 0 to {_MOST}")
    return value


def _list(known: Mapping[str, Any], part: str) -> list[Any]:
    value = known.get(part)
    if not isinstance(value, list):
        raise _wrong(part, value)
    return value


def _items(known: Mapping[str, Any], part: str) -> Iterable[tuple[Any, Any]]:
    value = known.get(part)
    if not isinstance(value, Mapping):
        raise _wrong(part, value)
    return value.items()


def _support(value: object) -> Support:
    if not isinstance(value, list) or len(value) != len(Support._fields):
        raise _wrong("supports", value)
    return Support(*_texts("supports", value))


def _objection(value: object) -> Objection:
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[1], list):
        raise _wrong("objections", value)
    return Objection(_texts("objections", value[:1])[0], _texts("objections", value[1]))


def _example(part: str, value: object) -> Example:
    if not isinstance(value, list) or len(value) != len(Example._fields):
        raise _wrong(part, value)
    source, target, how = _texts(part, value[:3])
    return Example(source, target, how, _time({part: value[3]}, part))
