"""Every duplicate can be explained: which earlier URL, which rung, which named steps."""

from __future__ import annotations

from dataclasses import dataclass

from iri_canon import IriError, Ladder, Rung


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why two URLs are one."""

    earlier: str
    rung: str
    """The lowest rung at which they are one, in lower case; ``fingerprinter`` where the user's own says so."""

    steps: tuple[str, ...] = ()

    def __str__(self) -> str:
        named = f": {', '.join(self.steps)}" if self.steps else ""
        return f"same as {self.earlier} (by rung {self.rung.upper()}{named})"


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
