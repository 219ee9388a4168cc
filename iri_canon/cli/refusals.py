"""What was asked for is part of what is said of it, and a terminal does not obey it there either."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from iri_canon.display import terminal_line


class Commands(TyperGroup):
    """Commands whose usage errors are shown as `terminal_line` shows any text."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run the command. Raises what it raises."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = terminal_line(error.message)
            raise
