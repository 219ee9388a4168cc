"""docs/performance.md: sections with figures are written by a run, sections written by hand are left as they are."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks import glance
from benchmarks.sections import Section
from benchmarks.tables import Table

HEAD = """\
# Performance

Written by `python -m benchmarks page`, from figures that `python -m benchmarks --json FILE` measured; no figure in
those sections comes from elsewhere. Each says when and where it was measured. What follows them is written by hand.

"""
MADE_WITH = "Who takes part"
#: Where a page has no part that was written by hand, there is a place for it.
BY_HAND = "Where the time goes, and what did not pay"
MEASURED = "Measured on {date}, {machine}, load {load:.2f} before it; {seconds:,.0f} s."
HEADING = re.compile(r"^## (.+)\n", re.MULTILINE)


def write(path: Path, report: dict[str, Any], sections: Iterable[Section]) -> None:
    """Write the page; what the report has no figures for stays as it is."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(page(before, report, sections), encoding="utf-8")


def page(before: str, report: dict[str, Any], sections: Iterable[Section]) -> str:
    """The page, from the one that was there before and a report."""
    kept = parts(before)
    written: dict[str, str] = {}
    if all(name in report["sections"] for name in glance.AIMS):
        written[glance.HEADING] = table_of(glance.HEADING, [glance.table(report)])
    elif glance.HEADING in kept:
        written[glance.HEADING] = kept[glance.HEADING]
    written[MADE_WITH] = table_of(MADE_WITH, [made_with(report)])
    for section in sections:
        if section.name in report["sections"]:
            written[section.heading] = section_of(section, report["sections"][section.name])
        elif section.heading in kept:
            written[section.heading] = kept[section.heading]
    by_hand = {heading: text for heading, text in kept.items() if heading not in written}
    if not by_hand:
        by_hand[BY_HAND] = f"## {BY_HAND}\n"
    return HEAD + "\n".join(text.strip("\n") + "\n" for text in (*written.values(), *by_hand.values()))


def parts(page: str) -> dict[str, str]:
    """The sections of a page by heading, heading included."""
    starts = [*HEADING.finditer(page)]
    ends = [*(match.start() for match in starts), len(page)][1:]
    return {match[1]: page[match.start() : end] for match, end in zip(starts, ends, strict=True)}


def section_of(section: Section, measured: dict[str, Any]) -> str:
    """One section, with where and when."""
    figures = measured["figures"]
    told = f"{section.text(figures)}\n{MEASURED.format(**measured)}"
    return table_of(section.heading, section.tables(figures), told)


def table_of(heading: str, tables: Iterable[Table], text: str = "") -> str:
    told = "\n\n".join([text, *(table.for_page().strip("\n") for table in tables)]).strip("\n")
    return f"## {heading}\n\n{told}\n"


def made_with(report: dict[str, Any]) -> Table:
    """The versions of everyone, and why someone is not here."""
    rows = [(name, number, "") for name, number in report["versions"].items()]
    rows += [(name, "", f"left out: {why}") for name, why in report["left_out"].items()]
    return Table("Versions", ("library", "version", "remark"), rows, names=3)
