"""A picture repeats what a table says, so that who cannot see it loses nothing; its labels are escaped.

Plotly makes the figures. They name colours by what they mean, and the page puts in those of its theme.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import plotly.graph_objects as go
from markupsafe import Markup

from iri_canon.dedup.report.shown import label

MOST_BARS: Final = 12
"""Bars of a chart; the table beside it has all rows."""

_ROW: Final = 46
"""Height of a bar with its label above it, in pixels."""
_LABEL: Final = 30
"""Characters of a label: what fits on a phone beside the numbers."""


@dataclass(frozen=True, slots=True)
class Series:
    """What bars of one colour mean, or nothing where each bar says it itself.

    ``colour`` is the name of a variable of the page's style, without dashes.
    """

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a chart: its parts, one a series, and what is written at its end."""

    name: str
    parts: Sequence[int]
    note: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure for the page: ``told`` is what a screen reader says, ``figure`` is JSON for plotly.js."""

    name: str
    told: str
    series: Sequence[Series]
    figure: Markup


def bars(name: str, told: str, series: Sequence[Series], rows: Sequence[Bar]) -> Chart:
    """Lying bars, one a row, the parts side by side; the label and the numbers stand above each.

    >>> chart = bars("hosts", "Two hosts.", [Series("pages", "distinct")], [Bar("a", [3], "3"), Bar("b", [1], "1")])
    >>> chart.name, '"x":[3,1]' in chart.figure
    ('hosts', True)
    """
    rows = rows[:MOST_BARS]
    places = list(range(len(rows)))
    figure = go.Figure(
        [
            go.Bar(
                orientation="h",
                x=[row.parts[number] for row in rows],
                y=places,
                width=0.32,
                meta=each.colour,
                hoverinfo="text",
                hovertext=[_told(row, each, number) for row in rows],
            )
            for number, each in enumerate(series)
        ]
    )
    names = [_name(row.name, 0, "left", place) for place, row in zip(places, rows, strict=True)]
    notes = [_name(row.note, 1, "right", place) for place, row in zip(places, rows, strict=True)]
    figure.update_layout(
        annotations=[*names, *notes],
        barmode="stack",
        height=_ROW * len(rows) + 24,
        margin={"l": 2, "r": 2, "t": 8, "b": 8},
        xaxis={"visible": False, "fixedrange": True, "range": [0, max(1, *(sum(row.parts) for row in rows))]},
        yaxis={"visible": False, "fixedrange": True, "range": [len(rows) - 0.4, -0.7]},
    )
    return _chart(name, told, series, figure)


def times(name: str, told: str, series: Sequence[Series], rows: Sequence[Bar]) -> Chart:
    """Standing bars over time; the name of a row is its begin, as ISO 8601 writes it.

    >>> chart = times("times", "A day.", [Series("new", "distinct")], [Bar("2026-01-02", [3], "3")])
    >>> '"2026-01-02"' in chart.figure
    True
    """
    figure = go.Figure(
        [
            go.Bar(
                x=[row.name for row in rows],
                y=[row.parts[number] for row in rows],
                meta=each.colour,
                hoverinfo="text",
                hovertext=[_told(row, each, number) for row in rows],
                textposition="none",
            )
            for number, each in enumerate(series)
        ]
    )
    figure.update_layout(
        barmode="stack",
        bargap=0.1,
        height=300,
        margin={"l": 2, "r": 8, "t": 8, "b": 2},
        xaxis={"type": "date", "fixedrange": True, "automargin": True},
        yaxis={"fixedrange": True, "automargin": True, "rangemode": "tozero", "separatethousands": True},
    )
    return _chart(name, told, series, figure)


def _name(text: str, side: int, anchor: str, place: int) -> dict[str, Any]:
    """A text above a bar, at the left or the right end of the picture."""
    return {
        "text": label(text, _LABEL),
        "xref": "paper",
        "x": side,
        "xanchor": anchor,
        "y": place,
        "yshift": 18,
        "showarrow": False,
    }


def _told(row: Bar, series: Series, number: int) -> str:
    """What is shown of a part under the pointer."""
    part = f"{row.parts[number]:,}"
    if series.name:
        part = f"{label(series.name, _LABEL)}: {part}"
    return f"{label(row.name, 2 * _LABEL)}<br>{part}"


def _chart(name: str, told: str, series: Sequence[Series], figure: Any) -> Chart:
    figure.update_layout(showlegend=False, dragmode=False)
    made = figure.to_dict()
    made["layout"].pop("template", None)  # the page has its own colours
    # In a script element nothing ends the text but "</script", and nothing begins a comment but "<!--".
    return Chart(name, told, series, Markup(json.dumps(made, separators=(",", ":")).replace("<", "\\u003c")))
