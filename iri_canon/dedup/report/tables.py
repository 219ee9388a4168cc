"""A table is columns and cells; a cell is shown as HTML and sorted by what it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from markupsafe import Markup

from iri_canon.dedup.report import shown

NONE: Final = Markup('<span class="none">none</span>')


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table holds at a place. ``order`` sorts it where its text does not: numbers do."""

    shown: Markup
    order: float | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A heading. ``kind`` is ``"number"``, ``"text"``, ``"note"`` for words, or for what takes most room ``"wide"``.

    ``"half"`` is for two such columns.
    """

    name: str
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings. ``name`` is its id in the page, ``title`` its caption, ``note`` what stands below it."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    data: bool = field(default=True, kw_only=True)
    """Whether it is sorted, searched and paged: not where its few rows have an order of their own."""


def number(value: object) -> Cell:
    """A count, with commas.

    >>> number(1234).shown, number(None).shown
    (Markup('1,234'), Markup('&ndash;'))
    """
    if not isinstance(value, int | float):
        return Cell(Markup("&ndash;"), -1.0)
    return Cell(Markup(f"{value:,}"), float(value))


def share(part: object, whole: object = 1) -> Cell:
    """A part of a whole, in percent with one decimal; unknown where there is no whole.

    >>> share(1, 3).shown, share(0.5).shown, share(1, 0).shown
    (Markup('33.3 %'), Markup('50.0 %'), Markup('&ndash;'))
    """
    if not isinstance(part, int | float) or not isinstance(whole, int | float) or not whole:
        return Cell(Markup("&ndash;"), -1.0)
    return Cell(Markup(percent(part, whole)), part / whole)


def percent(part: float, whole: float) -> str:
    """A part of a whole, as text; what is not all is never called 100 %, what is not nothing never 0 %.

    >>> percent(1, 4), percent(9_999_999, 10_000_000), percent(1, 10_000_000), percent(0, 0)
    ('25.0 %', '99.9 %', '0.1 %', '0.0 %')
    """
    if not part or not whole:
        return "0.0 %"
    rounded = round(100 * part / whole, 1)
    if part < whole:
        rounded = min(rounded, 99.9)
    return f"{max(rounded, 0.1):.1f} %"


def url(text: object) -> Cell:
    """A URL."""
    return Cell(shown.url("" if text is None else str(text)))


def text(value: object) -> Cell:
    """Any text, a list of texts, or nothing."""
    if isinstance(value, list | tuple):
        return Cell(Markup(", ").join(shown.text(each) for each in value) if value else NONE)
    return Cell(NONE if value is None or value == "" else shown.text(value))


def table_of(name: str, title: str, rows: Iterable[Mapping[str, Any]], note: str = "") -> Table:
    """A table of rows whose keys are its headings: of what another may have given more of.

    >>> made = table_of("t", "T", [{"host": "a", "precision": 0.5, "pairs": 3}])
    >>> [column.name for column in made.columns], [str(cell.shown) for cell in made.rows[0]]
    (['Host', 'Precision', 'Pairs'], ['<bdi>a</bdi>', '50.0 %', '3'])
    """
    rows = list(rows)
    names = list(dict.fromkeys(key for row in rows for key in row))
    is_number = {key: all(isinstance(row.get(key), int | float | None) for row in rows) for key in names}
    return Table(
        name,
        title,
        [Column(key.replace("_", " ").capitalize(), "number" if is_number[key] else "text") for key in names],
        [[_any(key, row.get(key), is_number[key]) for key in names] for row in rows],
        note,
    )


def _any(key: str, value: object, is_number: bool) -> Cell:
    if key in ("precision", "recall"):
        return share(value)
    return number(value) if is_number else text(value)
