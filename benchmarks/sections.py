"""A section of the measurements is a name, what measures it, and how its figures are told."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from benchmarks.tables import Table

Figures: TypeAlias = dict[str, Any]
#: What is published has no fewer rounds, and no smaller site.
ROUNDS, PAGES = 7, 20_000
Advance: TypeAlias = Callable[[], object]


def no_bar(name: str, steps: int) -> Advance:
    """What shows no progress."""
    return lambda: None


@dataclass(frozen=True, slots=True)
class Run:
    """How much is measured: `quick` is a look whether all of it works, and gives no figures to publish.

    `rounds` are medians' rounds, `pages` those of the sample site that is crawled.
    """

    quick: bool = False
    rounds: int = ROUNDS
    pages: int = PAGES
    bar: Callable[[str, int], Advance] = no_bar


@dataclass(frozen=True, slots=True)
class Section:
    """`measure` gives what JSON can hold; `text` and `tables` tell it."""

    name: str
    heading: str
    measure: Callable[[Run], Figures]
    text: Callable[[Figures], str]
    tables: Callable[[Figures], list[Table]]
