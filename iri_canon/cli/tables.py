"""A terminal gets a table, anything else lines with tabs between, the names first; neither gets what it would obey."""

import sys
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iri_canon.cli.output import octets, out
from iri_canon.display import terminal_line

#: Characters of a terminal's line that hold all columns.
WIDE = 140
NONE = "-"
#: How the section of the pages at the root is shown, and named.
ROOT = "/"


def show(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Collection[str] = (),
    spare: Collection[str] = (),
) -> None:
    """Print rows. Columns that are numbers stand at the right; a narrow terminal does without those that are spare.

    Where there is no row nothing is printed. The line with the names of the columns begins with ``#``.
    """
    if not sys.stdout.isatty():
        for place, row in enumerate(rows):
            if place == 0:
                out("#" + "\t".join(columns))
            out("\t".join(terminal_line(cell) for cell in row))
        return
    console = Console()
    shown = [place for place, name in enumerate(columns) if console.width >= WIDE or name not in spare]
    table = Table(box=box.SIMPLE, padding=(0, 1 if console.width >= WIDE else 0), show_edge=False)
    for place in shown:
        is_number = columns[place] in numbers
        table.add_column(columns[place], justify="right" if is_number else "left", no_wrap=is_number)
    for row in rows:
        table.add_row(*(cell(row[place]) for place in shown))
    if table.row_count:
        sys.stdout.buffer.flush()
        console.print(table)


def cell(text: str) -> Text:
    """Any text as rich may show it: no markup, no control."""
    return Text(octets(terminal_line(text)).decode("utf-8", "backslashreplace"), overflow="fold")


def moment(time: float) -> str:
    """A time in seconds since 1970 as ISO 8601 has it, in UTC; a hyphen for the beginning.

    >>> moment(1796105435.5), moment(0), moment(1e300)
    ('2026-12-01T06:10:35Z', '-', '1e+300')
    """
    if not time:
        return NONE
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return str(time)
