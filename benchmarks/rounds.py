"""Contestants take turns in every round, so that a busy moment of the machine hits them alike.

Processor time is taken, not the clock's: what else runs on the machine is not the contestant's doing.
"""

import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import thread_time_ns

WARM_UP = ("http://example.com/", "http://bücher.example:8080/a/../é?b=%7e&a#c", "http://[::1/")
#: How libraries refuse a URL; some do it by accident, looking for what is not there.
REFUSALS = (ValueError, AttributeError)


@dataclass(slots=True)
class Figures:
    """One contestant on one list: nanoseconds an entry, round by round, and how many entries it refused."""

    rounds: list[float] = field(default_factory=list)
    refused: int = 0

    @property
    def median(self) -> float:
        return median(self.rounds)


def time_over(function: Callable[[str], object], texts: Sequence[str]) -> tuple[float, int]:
    """Nanoseconds of processor time a text and the number of texts that were refused, which the time includes."""
    refused = 0
    start = thread_time_ns()
    for text in texts:
        try:
            function(text)
        except REFUSALS:
            refused += 1
    return (thread_time_ns() - start) / max(len(texts), 1), refused


def take_turns(
    contestants: dict[str, Callable[[str], object]],
    lists: dict[str, list[str]],
    rounds: int,
    progress: Callable[[], object],
) -> dict[str, dict[str, Figures]]:
    """Figures by list and contestant; who begins changes from round to round, and the first calls do not count."""
    figures = {name: {who: Figures() for who in contestants} for name in lists}
    for (
        function
    ) in contestants.values():  # tables that are made at the first call are nobody's price for a URL
        time_over(function, WARM_UP)
    for turn in range(rounds):
        for name, texts in lists.items():
            for who in rotated(contestants, turn):
                with collector_paused():
                    elapsed, figures[name][who].refused = time_over(contestants[who], texts)
                figures[name][who].rounds.append(elapsed)
                progress()
    return figures


def rotated(names: Iterable[str], turn: int) -> list[str]:
    """The names, beginning with another one each turn."""
    order = list(names)
    start = turn % len(order)
    return order[start:] + order[:start]


class collector_paused:  # noqa: N801
    """Garbage is collected before, not within, what is measured."""

    def __enter__(self) -> None:
        gc.collect()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        gc.enable()
