"""A table is headings and texts; the terminal and the page show the same one."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich import table as rich_table
from rich.markup import escape


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts; the first `names` columns are names, the others figures. A marked row asks to be looked at."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    marked: frozenset[int] = frozenset()
    note: str = ""

    def for_terminal(self) -> rich_table.Table:
        shown = rich_table.Table(
            title=escape(self.title),
            title_justify="left",
            caption=escape(self.note) or None,
            caption_justify="left",
            box=box.SIMPLE_HEAD,
            padding=(0, 1, 0, 0),
            pad_edge=False,
        )
        for number, heading in enumerate(self.headings):
            shown.add_column(escape(heading), justify="left" if number < self.names else "right")
        for number, cells in enumerate(self.rows):
            shown.add_row(*map(escape, cells), style="bold red" if number in self.marked else None)
        return shown

    def for_page(self) -> str:
        rules = ["---" if number < self.names else "---:" for number in range(len(self.headings))]
        lines = [_line(self.headings), _line(rules)]
        lines += [
            _line([f"**{cell}**" if cell and number in self.marked else cell for cell in cells])
            for number, cells in enumerate(self.rows)
        ]
        note = f"\n{self.note}\n" if self.note else ""
        return f"{self.title}:\n\n{''.join(lines)}{note}"


def micro(nanoseconds: float) -> str:
    """Microseconds, with three figures that count."""
    return f"{nanoseconds / 1000:.3g}" if nanoseconds < 1_000_000 else f"{nanoseconds / 1000:,.0f}"


def times(ratio: float) -> str:
    """How many times as much, with as many digits as mean something."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
