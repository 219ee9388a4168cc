"""What a log held is counted: records, bad ones by reason with the first of each, those without a URL."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from iri_canon.logs.records import Bad

EXAMPLES: Final = 3
"""Bad records of one reason that are kept."""


@dataclass(slots=True)
class Tally:
    """The counts of one log. ``problem`` is why it was not read to its end; None: it was.

    >>> tally = Tally("a.jsonl")
    >>> tally.records += 2
    >>> str(tally)
    'a.jsonl: 2 records, 0 bad, 0 without URL'
    """

    file: str
    format_name: str | None = None
    records: int = 0
    bad: Counter[str] = field(default_factory=Counter)
    examples: list[Bad] = field(default_factory=list)
    without_url: int = 0
    problem: str | None = None

    def add_bad(self, bad: Bad) -> bool:
        """Count a bad record; whether it is one of the first of its reason."""
        self.bad[bad.reason] += 1
        is_shown = self.bad[bad.reason] <= EXAMPLES
        if is_shown:
            self.examples.append(bad)
        return is_shown

    def as_json(self) -> dict[str, Any]:
        """For a program."""
        return {
            "file": self.file,
            "format": self.format_name,
            "records": self.records,
            "bad": dict(self.bad),
            "without_url": self.without_url,
            "problem": self.problem,
        }

    def __str__(self) -> str:
        return f"{self.file}: {self.records} records, {self.bad.total()} bad, {self.without_url} without URL"
