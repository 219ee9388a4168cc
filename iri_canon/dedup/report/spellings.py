"""A page is shown with each of its spellings, with the steps from each to the key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from iri_canon.dedup.report import shown
from iri_canon.dedup.report.parts import Part
from iri_canon.dedup.report.tables import Cell, Column, Table, number, text


def top(summary: Mapping[str, Any]) -> Part:
    """The pages that were fetched most often, with each spelling and why it is one."""
    found, title = summary["top"], "Pages and their spellings"
    if not found:
        return Part("top", title, ["No page was fetched twice."])
    rows = [
        [
            Cell(shown.url(row["representative"]) + _spellings(row)),
            number(row["count"]),
            number(row["spellings"]),
            text(row["rung"]),
            text(row["steps"]),
        ]
        for row in found
    ]
    columns = [
        Column("Page", "wide"),
        Column("Records", "number"),
        Column("Spellings", "number"),
        Column("Rung"),
        Column("Steps and observations", "note"),
    ]
    told = (
        "The pages that were met most often, those under several spellings first. "
        "The spellings unfold, with the steps from each to the key: what a step takes out, and what it puts in."
    )
    return Part("top", title, [told], tables=[Table("top-table", "Pages", columns, rows)])


def _spellings(row: Mapping[str, Any]) -> Markup:
    explained = {each["url"]: each["steps"] for each in row.get("explanation") or ()}
    items = [
        Markup("<li>{}{}</li>").format(
            shown.url(spelling), _explained(spelling, explained.get(spelling) or ())
        )
        for spelling in row["urls"]
    ]
    missing = row["spellings"] - len(row["urls"])
    if missing > 0:
        items.append(Markup('<li class="none">and {:,} more</li>').format(missing))
    if len(items) < 2 and not any(explained.values()):
        return Markup("")
    count = row["spellings"]
    return Markup(
        '<details class="spellings"><summary>{:,} {}</summary><p>Key: {}</p><ul>{}</ul></details>'
    ).format(count, "spelling" if count == 1 else "spellings", shown.key(row["key"]), Markup("").join(items))


def _explained(spelling: str, found: Sequence[Mapping[str, Any]]) -> Markup:
    before, items = spelling, []
    for step in found:
        after = step.get("after")
        told = Markup("<b>{}</b> <small>{} {}</small>").format(
            shown.line(step["name"]), shown.line(step.get("rung") or ""), shown.line(step.get("clause") or "")
        )
        changed = shown.change(before, after) if after is not None and after != before else Markup("")
        items.append(Markup("<li>{} {}</li>").format(told, changed))
        before = before if after is None else after
    return Markup('<ol class="steps">{}</ol>').format(Markup("").join(items)) if items else Markup("")
