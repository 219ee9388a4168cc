"""The counts of a run as short tables: how many URLs each rung leaves, and by which steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from iri_canon.cli.output import out
from iri_canon.cli.tables import NONE, show

_STEPS: Final = 10
"""That are shown; those that join most come first."""


def show_summary(summary: Mapping[str, Any]) -> None:
    """Print what `iri_canon.dedup.Engine.summary` found."""
    show(("what", "number", "of records"), list(_counts(summary)), numbers=("number", "of records"))
    steps = summary["steps"][:_STEPS]
    if steps:
        out("")
        show(
            ("step", "rung", "clause", "records", "spellings", "pages"),
            [
                (
                    step["step"],
                    step["rung"],
                    step["clause"] or NONE,
                    *(str(step[name]) for name in ("records", "spellings", "classes")),
                )
                for step in steps
            ],
            numbers=("records", "spellings", "pages"),
            spare=("clause",),
        )


def _counts(summary: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    records = summary["records"]

    def row(what: str, count: int) -> tuple[str, str, str]:
        # spellings that are only mentioned are of no record
        return what, str(count), f"{count / records:.1%}" if count <= records > 0 else NONE

    yield row("records", records)
    for rung, count in summary["rungs"].items():
        yield row(f"URLs at the {rung} rung", count)
    yield row("pages", summary["classes"])
    yield row("duplicates", summary["duplicates"])
    if summary["against"] is not None:
        joins, name = summary["against"]["joins"], summary["against"]["name"]
        yield "pairs joined by iri-canon", str(joins["ours"]), NONE
        yield f"pairs joined by {name}", str(joins["theirs"]), NONE
        yield "pairs joined by both", str(joins["both"]), NONE
