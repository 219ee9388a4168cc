"""Every duplicate can be explained: which earlier URL, which rung, which named steps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from iri_canon import IriError, Ladder, Rung
from scrapy_plugin import stats


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why two URLs are one."""

    earlier: str
    rung: str
    """The lowest rung at which they are one, in lower case; ``fingerprinter`` where the user's own says so."""

    steps: tuple[str, ...] = ()

    @property
    def stat(self) -> str:
        """What counts it."""
        return stats.FILTERED + self.rung

    def __str__(self) -> str:
        named = f": {', '.join(self.steps)}" if self.steps else ""
        return f"same as {self.earlier} (by rung {self.rung.upper()}{named})"


@dataclass(frozen=True, slots=True)
class DoneBefore:
    """Why a URL is not fetched that this crawl knows nothing of.

    >>> str(DoneBefore("http://example.com/", 1.5))
    'done by an earlier crawl at 1970-01-01T00:00:01Z, as http://example.com/'
    """

    page: str
    time: float
    stat: str = stats.DELTA_SKIPPED

    def __str__(self) -> str:
        try:
            when = f"{datetime.fromtimestamp(self.time, UTC):%Y-%m-%dT%H:%M:%SZ}"
        except (ValueError, OverflowError, OSError):
            when = f"{self.time:.0f}"  # It may come from a file.
        return f"done by an earlier crawl at {when}, as {self.page}"


def explained(ladder: Ladder, url: str, earlier: str) -> Explanation:
    """Explain two URLs that have one key on a ladder.

    >>> str(explained(Ladder(), "HTTP://example.com/", "http://example.com/"))
    'same as http://example.com/ (by rung SYNTAX: lowercase_scheme)'
    """
    if url == earlier:
        return Explanation(earlier, Rung.SIMPLE.name.lower())
    rung = ladder.lowest_rung(url, earlier)
    if rung is None:
        return Explanation(earlier, "fingerprinter")
    steps = dict.fromkeys((*_steps(ladder, url), *_steps(ladder, earlier)))
    return Explanation(earlier, rung.name.lower(), tuple(steps))


def _steps(ladder: Ladder, url: str) -> list[str]:
    try:
        steps = ladder.explain(url)
    except IriError:
        return []
    return [f"{step.name} (assumed)" if step.rung is Rung.PROTOCOL else step.name for step in steps]
