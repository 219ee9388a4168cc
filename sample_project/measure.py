"""Found, lost and fetched twice are counted by the server's truth alone, never by a key of ours or of Scrapy's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sample_project.pages import Site


@dataclass(frozen=True, slots=True)
class Result:
    """What one crawl came to; `lost` and `twice` name pages, `unexpected` URLs that nobody had linked."""

    name: str
    pages: int
    found: int
    lost: tuple[str, ...]
    requests: int
    twice: Mapping[str, int]
    unexpected: tuple[str, ...]
    merged: Mapping[str, Mapping[str, int]]
    seconds: float
    stats: Mapping[str, Any]

    @property
    def fetched_twice(self) -> int:
        """How many times a page's content left the server after the first."""
        return sum(self.twice.values())

    def learned(self, name: str) -> int:
        """A stat of what the add-on learned and did by it, such as "suppressed" or "rules/in_force"."""
        return int(self.stats.get(f"iri_canon/learned/{name}", 0))

    @property
    def requests_per_page(self) -> float:
        """Requests for each page found; infinite where none was."""
        return self.requests / self.found if self.found else float("inf")

    def lost_by_section(self, site: Site) -> dict[str, list[str]]:
        """The pages lost, by section, in the site's order."""
        sections: dict[str, list[str]] = {}
        for identity in self.lost:
            sections.setdefault(site.pages[identity].section, []).append(identity)
        return sections

    def as_json(self, site: Site) -> dict[str, Any]:
        """The result for machines."""
        return {
            "pages": self.pages,
            "found": self.found,
            "lost": len(self.lost),
            "requests": self.requests,
            "requests_per_found_page": round(self.requests_per_page, 4),
            "fetched_twice": self.fetched_twice,
            "merged": {rung: dict(steps) for rung, steps in self.merged.items()},
            "lost_pages": self.lost_by_section(site),
            "twice_pages": dict(self.twice),
            "unexpected_requests": list(self.unexpected),
            "seconds": round(self.seconds, 2),
            "stats": dict(self.stats),
        }


def measure(
    name: str, site: Site, report: Mapping[str, Any], merged: Mapping[str, Mapping[str, int]], seconds: float
) -> Result:
    """Compare a crawl's report (see `sample_project.recorder`) with the truth of the site it crawled."""
    received = {identity for identity in report["items"] if identity in site.pages}
    return Result(
        name=name,
        pages=len(site.pages),
        found=len(received),
        lost=tuple(identity for identity in site.pages if identity not in received),
        requests=site.requests,
        twice={identity: times - 1 for identity, times in site.served.items() if times > 1},
        unexpected=tuple(site.unexpected),
        merged=merged,
        seconds=seconds,
        stats=report["stats"],
    )
