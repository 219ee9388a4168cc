"""A response and its request are one exchange where either says so; the order of the records is kept.

Source: ISO 28500:2017 section 5.7 (WARC-Concurrent-To).
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from iri_canon.logs.records import Outcome, Record

APART: Final = 1024
"""Records from the response to its request, at most: writers put down an exchange at once."""

_KEPT: Final = 4 * APART
"""Identifiers of requests whose response may follow."""


@dataclass(slots=True, eq=False)
class _Held:
    outcome: Outcome
    open_ids: tuple[str, ...]
    """By which its request may still be found; none: it has it, or needs none."""


class Exchanges:
    """Gives each record the method of its request, whichever of the two comes first.

    >>> from iri_canon.logs.records import Place
    >>> exchanges = Exchanges()
    >>> list(exchanges.add(Record(Place("a", 1, 0), "http://h/"), ("<urn:a>",)))
    []
    >>> [each.method for each in exchanges.add_request("POST", ("<urn:b>", "<urn:a>"))]
    ['POST']
    """

    def __init__(self) -> None:
        self._held: deque[_Held] = deque()
        self._open: dict[str, list[_Held]] = {}
        self._methods: OrderedDict[str, str] = OrderedDict()

    def add(self, outcome: Outcome, ids: tuple[str, ...] = ()) -> Iterator[Outcome]:
        """Take what a record is, with its identifier and those it is concurrent to; gives what is settled by now."""
        held = _Held(outcome, ())
        if isinstance(outcome, Record):
            method = next((self._methods[each] for each in ids if each in self._methods), None)
            if method is None:
                held.open_ids = tuple(dict.fromkeys(ids))
                for each in held.open_ids:
                    self._open.setdefault(each, []).append(held)
            else:
                held.outcome = _by(method, outcome)
        self._held.append(held)
        yield from self._settled()

    def add_request(self, method: str, ids: tuple[str, ...]) -> Iterator[Outcome]:
        """Take a request, with the same identifiers; gives what is settled by now."""
        for each in ids:
            self._methods[each] = method
            self._methods.move_to_end(each)
            for held in tuple(self._open.get(each, ())):
                held.outcome = _by(method, held.outcome)
                self._close(held)
        while len(self._methods) > _KEPT:
            self._methods.popitem(last=False)
        yield from self._settled()

    def rest(self) -> Iterator[Outcome]:
        """All that is held when no more records follow."""
        while self._held:
            yield self._held.popleft().outcome
        self._open.clear()

    def _settled(self) -> Iterator[Outcome]:
        while self._held and (not self._held[0].open_ids or len(self._held) > APART):
            first = self._held.popleft()
            self._close(first)
            yield first.outcome

    def _close(self, held: _Held) -> None:
        for each in held.open_ids:
            those = self._open[each]
            those.remove(held)
            if not those:
                del self._open[each]
        held.open_ids = ()


def _by(method: str, outcome: Outcome) -> Outcome:
    if isinstance(outcome, Record) and outcome.method != method:
        return replace(outcome, method=method)
    return outcome
