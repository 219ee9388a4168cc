"""A run that is stopped ends by way of its clean-up: one line, and the status that a shell expects of the signal."""

from __future__ import annotations

import signal
import sys
from types import FrameType, TracebackType
from typing import Any, Final, Self

import typer

from iri_canon.cli.output import complain

#: A stopped program has this and the number of the signal as its exit status.
_BY_SIGNAL: Final = 128
#: Some are not known everywhere.
_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopping:
    """While it is entered, Ctrl-C, SIGTERM and SIGHUP end what runs; `typer.Exit` leaves it. A context manager.

    To be entered in the main thread. What is ignored (``nohup``) stays so.
    """

    def __init__(self) -> None:
        self._number: int | None = None
        self._before: dict[int, Any] = {}
        self._is_lost = self._is_at_its_end = False

    def __enter__(self) -> Self:
        self._unraisable = sys.unraisablehook
        sys.unraisablehook = self._not_raised
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) not in {signal.SIG_IGN, None}:
                self._before[number] = signal.signal(number, self._stop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        sys.unraisablehook = self._unraisable
        # Whatever a library made of the interruption: this is why it failed.
        if error is not None and not isinstance(error, typer.Exit):
            self.check()

    def check(self) -> None:
        """Raises `typer.Exit` if it was stopped."""
        if self._number is not None:
            complain("iri-canon: interrupted")
            raise typer.Exit(_BY_SIGNAL + self._number) from None

    def finish(self) -> None:
        """From now on nothing stops the run, which is at its last step. Raises `typer.Exit` if it was before."""
        self._is_at_its_end = True
        self.check()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        is_first = self._number is None or self._is_lost  # a second one would end the clean-up
        if is_first and not self._is_at_its_end:
            self._number, self._is_lost = number, False
            raise KeyboardInterrupt

    def _not_raised(self, error: sys.UnraisableHookArgs) -> None:
        """An interruption that came where nothing can be raised, as at the end of a generator, is not over."""
        if isinstance(error.exc_value, KeyboardInterrupt) and self._number is not None:
            self._is_lost = True
        else:
            self._unraisable(error)
