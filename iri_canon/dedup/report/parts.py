"""A part of the report answers one question: its answer in a sentence, a picture where there is one, and the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, Final

from markupsafe import Markup

from iri_canon.dedup.report import shown
from iri_canon.dedup.report.charts import Bar, Chart, Series, bars, times
from iri_canon.dedup.report.tables import Cell, Column, Table, number, percent, share, text

RUNGS: Final = {
    "simple": ("the text as found", "5.3.1"),
    "syntax": ("case, triplets, dots", "5.3.2"),
    "scheme": ("ports, host names", "5.3.3"),
    "protocol": ("redirects, digests", "5.3.4"),
}
"""The rungs of the ladder: what is compared there, in few words, and the clause of RFC 3987."""

_PAGES: Final = (Series("distinct pages", "first"), Series("fetched again", "again"))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the page: ``name`` is its id, ``told`` the paragraphs before the picture."""

    name: str
    title: str
    told: Sequence[Markup | str]
    chart: Chart | None = None
    tables: Sequence[Table] = ()


def ladder(summary: Mapping[str, Any]) -> Part:
    """How many URLs are told apart after each rung."""
    rungs, records = summary["rungs"], summary["records"]
    rows, drawn = [], [Bar("Records read", [records, 0, 0, 0, 0], f"{records:,}")]
    before = records
    for place, (rung, (how, clause)) in enumerate(RUNGS.items(), 1):
        distinct = rungs[rung]
        fewer = max(0, before - distinct)
        rows.append(
            [
                text(f"{rung.capitalize()}: {how}"),
                text(f"RFC 3987 {clause}"),
                number(distinct),
                number(fewer),
                share(fewer, records),
            ]
        )
        parts = [0] * 5
        parts[place] = distinct
        drawn.append(Bar(f"{rung.capitalize()}: {how}", parts, f"{distinct:,} (\u2212{fewer:,})"))
        before = distinct
    drawn_told = ", ".join(f"{rungs[rung]:,} after the {rung} rung" for rung in RUNGS)
    series = [Series("", colour) for colour in ("records", *RUNGS)]
    columns = [
        Column("Rung"),
        Column("Clause"),
        Column("Distinct URLs", "number"),
        Column("Fewer than before", "number"),
        Column("Of all records", "number"),
    ]
    told = (
        "How many URLs are told apart after each rung of the ladder. What is fewer on the first rung was fetched "
        "again under the very same text; on the others, under another spelling of it."
    )
    return Part(
        "ladder",
        "The ladder",
        [told],
        bars("ladder-chart", f"Distinct URLs of {records:,} records: {drawn_told}.", series, drawn),
        [Table("ladder-table", "Distinct URLs after each rung", columns, rows, data=False)],
    )


def steps(summary: Mapping[str, Any]) -> Part:
    """What made the spellings one."""
    found, title = summary["steps"], "Duplicates by step"
    if not found:
        return Part("steps", title, ["No step was needed: no page was found under two spellings."])
    rungs = [rung for rung in RUNGS if any(row["rung"] == rung for row in found)]
    drawn = [
        Bar(
            str(row["step"]),
            [row["records"] if row["rung"] == rung else 0 for rung in rungs],
            f"{row['records']:,}",
        )
        for row in found
    ]
    rows = [
        [
            text(row["step"]),
            text(row["rung"]),
            text(row["clause"]),
            number(row["records"]),
            number(row["spellings"]),
            number(row["classes"]),
        ]
        for row in found
    ]
    columns = [
        Column("Step", "wide"),
        Column("Rung"),
        Column("Clause", "note"),
        Column("Records", "number"),
        Column("Spellings", "number"),
        Column("Pages", "number"),
    ]
    told = (
        "Which steps it took to see that another spelling is the same page. "
        "A spelling may need several, and is then counted with each."
    )
    chart = bars(
        "steps-chart",
        _first("Records of other spellings, by step", drawn),
        [Series(rung, rung) for rung in rungs],
        drawn,
    )
    return Part("steps", title, [told], chart, [Table("steps-table", "Steps", columns, rows)])


def hosts(summary: Mapping[str, Any]) -> Part:
    """Where pages were fetched again: by host."""
    return _places(
        "hosts",
        "Duplicates by host",
        "Hosts",
        "Hosts whose pages were fetched again, most of them first.",
        [(_host(row), [text(_host(row))], row) for row in summary["hosts"]],
        [Column("Host", "wide")],
    )


def sections(summary: Mapping[str, Any]) -> Part:
    """Where pages were fetched again: by the first segment of the path."""
    return _places(
        "sections",
        "Duplicates by section",
        "Sections",
        "A section is what the first segment of the path names on a host; / is what stands right under the root.",
        [
            (
                f"{_host(row)}/{row['section']}",
                [text(_host(row)), text(f"/{row['section']}")],
                row,
            )
            for row in summary["sections"]
        ],
        [Column("Host", "wide"), Column("Section", "note")],
    )


def _host(row: Mapping[str, Any]) -> str:
    return row["host"] or "(no host)"


def _places(
    name: str,
    title: str,
    caption: str,
    told: str,
    found: Sequence[tuple[str, list[Cell], Mapping[str, Any]]],
    first: list[Column],
) -> Part:
    rows, drawn = [], []
    for label, cells, row in found:
        again = max(0, row["records"] - row["classes"])
        drawn.append(
            Bar(
                label,
                [min(row["classes"], row["records"]), again],
                f"{again:,} of {row['records']:,}",
            )
        )
        rows.append(
            [
                *cells,
                number(row["records"]),
                number(row["spellings"]),
                number(row["classes"]),
                number(again),
                share(again, row["records"]),
            ]
        )
    columns = [
        *first,
        Column("Records", "number"),
        Column("Spellings", "number"),
        Column("Pages", "number"),
        Column("Fetched again", "number"),
        Column("Share", "number"),
    ]
    if not found:
        return Part(name, title, ["No record has a host."])
    chart = bars(f"{name}-chart", _first(f"{title}, of all records", drawn), _PAGES, drawn)
    return Part(name, title, [told], chart, [Table(f"{name}-table", caption, columns, rows)])


def over_time(summary: Mapping[str, Any]) -> Part:
    """When pages were fetched again."""
    bucket = summary.get("bucket") or "hour"
    found = [row for row in summary.get("times") or () if row.get("from")]
    if not found:
        return Part("times", "Over time", ["The records have no times, or they were not kept."])
    drawn, rows = [], []
    for row in found:
        again = max(0, row["records"] - row["new"])
        drawn.append(Bar(row["from"], [row["new"], again], f"{again:,} of {row['records']:,}"))
        rows.append(
            [
                text(row["from"]),
                number(row["records"]),
                number(row["new"]),
                number(again),
                share(again, row["records"]),
            ]
        )
    columns = [
        Column(bucket.capitalize()),
        Column("Records", "number"),
        Column("Pages seen first", "number"),
        Column("Fetched again", "number"),
        Column("Share", "number"),
    ]
    begin, end = (shown.plain(str(row["from"]), 30) for row in (found[0], found[-1]))
    drawn_told = f"Records by {bucket} from {begin} to {end}: pages seen first, and fetched again."
    series = (Series("pages seen first", "first"), Series("fetched again", "again"))
    picture = _by_month(drawn)
    told = (
        f"Records of each {bucket} (UTC): pages that the logs had not shown before, and those fetched again."
    )
    if picture is not drawn:
        told += " The picture has a bar a month."
    return Part(
        "times",
        "Over time",
        [told],
        times("times-chart", drawn_told, series, picture),
        [Table("times-table", f"Records by {bucket}", columns, rows)],
    )


def _by_month(days: list[Bar]) -> list[Bar]:
    """The bars of days, or of months where a day of so many years would be no broader than a line."""
    first, last = days[0].name[:4], days[-1].name[:4]
    if not (first.isdecimal() and last.isdecimal()) or int(last) - int(first) < 2:
        return days
    months: dict[str, list[int]] = {}
    for day in days:
        month = months.setdefault(day.name[:7], [0] * len(day.parts))
        month[:] = map(add, month, day.parts)
    return [Bar(month, parts, "") for month, parts in months.items()]


def _first(title: str, drawn: Sequence[Bar]) -> str:
    """What a screen reader says of a chart: the first three rows; the table has all of them."""
    told = "; ".join(f"{shown.plain(bar.name, 60)}: {bar.note}" for bar in drawn[:3])
    return f"{title}: {told}. The table below has all rows."


def headline(summary: Mapping[str, Any]) -> Markup:
    """The one sentence of the report."""
    records, duplicates = summary["records"], summary["duplicates"]
    if not records:
        return Markup("There was no record to read.")
    if duplicates <= 0:
        return Markup("{:,} records, and no page was fetched twice.").format(records)
    return Markup(
        "<b>{}</b> of {:,} records fetched a page again: {:,} duplicates, {:,} distinct pages."
    ).format(percent(duplicates, records), records, duplicates, summary["classes"])
