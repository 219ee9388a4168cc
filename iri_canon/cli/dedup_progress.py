"""Standard error during a run: lines, and on a terminal a bar below them that goes when the run ends."""

from __future__ import annotations

import sys
from typing import Final, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from iri_canon.cli.output import complain
from iri_canon.display import terminal_line

_LONGEST_NAME: Final = 30


class Telling:
    """What a run tells of itself. A context manager.

    ``total`` is the size of all logs in octets, None where one of them has none (standard input): the bar then shows
    what was read, and no time left. ``quiet``: no bar, and no more than `problem`.
    """

    def __init__(self, total: int | None, *, quiet: bool) -> None:
        self._quiet = quiet
        self._total = total
        self._before = 0
        self._records = 0
        self._console: Console | None = None
        self._bar: Progress | None = None
        self._task = TaskID(0)

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr is not None and sys.stderr.isatty():
            self._console = Console(stderr=True)
            self._show(
                BarColumn(bar_width=None),
                DownloadColumn(),
                TransferSpeedColumn(),
                TextColumn("{task.fields[records]}", markup=False),
                TimeElapsedColumn(),
                TimeRemainingColumn(compact=True),
            )
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def _show(self, *columns: ProgressColumn) -> None:
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            *columns,
            console=self._console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("", total=self._total, records="")
        self._bar.start()

    def end(self) -> None:
        """Take the bar away, before standard output is written to."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def note(self, line: str) -> None:
        """Say what a quiet run does not say."""
        if not self._quiet:
            self.problem(line)

    def problem(self, line: str) -> None:
        """Say what is wrong."""
        if self._bar is None:
            complain(line)
        else:  # above the bar
            shown = terminal_line(line).encode("utf-8", "backslashreplace").decode("utf-8")
            self._bar.console.print(Text(shown), soft_wrap=True)

    def reading(self, name: str) -> None:
        """A log is begun."""
        self._describe(f"reading {_short(name)}")

    def moved(self, records: int, position: int | None) -> None:
        """So many records more were read, up to an octet of the log if that is known."""
        self._records += records
        if self._bar is not None:
            done = None if position is None else self._before + position
            self._bar.update(self._task, completed=done, records=f"{self._records:,} records")

    def was_read(self, size: int) -> None:
        """A log is at its end."""
        self._before += size
        self.moved(0, 0)

    def working(self, what: str) -> None:
        """The logs are read; what is done now has no known end."""
        if self._bar is not None:
            self.end()
            self._show(SpinnerColumn(), TimeElapsedColumn())
            self._describe(what)

    def _describe(self, text: str) -> None:
        if self._bar is not None:
            self._bar.update(self._task, description=text)


def _short(name: str) -> str:
    shown = terminal_line(name)
    return shown if len(shown) <= _LONGEST_NAME else f"...{shown[3 - _LONGEST_NAME :]}"
