"""A merge is a URL that was asked for and never sent, because another that was sent is held to be the same.

It is read off a crawl's own record, after the crawl, and named by the lowest rung of the ladder at which
the two are one. Where no rung joins them the merge has no licence in RFC 3986 or RFC 3987.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from scrapy import Request
from scrapy.utils.request import fingerprint

from iri_canon import Rung, explain, key, lowest_rung

NO_RUNG = "no rung"
OBSERVED = "observed"


def by_default(url: str) -> str:
    """What Scrapy's default fingerprinter takes a URL for."""
    return fingerprint(Request(url)).hex()


def by_key(url: str) -> str:
    """What the add-on takes it for."""
    return key(url)


def merges(
    asked: Mapping[str, int], sent: Iterable[str], identify: Callable[[str], str]
) -> dict[str, dict[str, int]]:
    """Count what was merged: rung -> step -> number.

    The rung `simple` counts links whose very text had been asked for; the others count distinct
    spellings that were never sent. A spelling for which several steps were needed counts for each, and
    once in the rung's `spellings`. Where no spelling that was sent has its key, only an observed pair
    can have held it back, which is the protocol rung.
    """
    first_sent: dict[str, str] = {}
    texts = set()
    for url in sent:
        texts.add(url)
        first_sent.setdefault(identify(url), url)
    counts: dict[str, Counter[str]] = {}
    repeats = sum(asked.values()) - len(asked)
    if repeats:
        counts[Rung.SIMPLE.name.lower()] = Counter(spellings=repeats)
    for url in asked:
        if url in texts:
            continue
        partner = first_sent.get(identify(url))
        if partner is None:
            rung, steps = Rung.PROTOCOL.name.lower(), {OBSERVED}
        else:
            lowest = lowest_rung(url, partner)
            rung = NO_RUNG if lowest is None else lowest.name.lower()
            steps = set() if lowest is None else _steps(url, partner)
        counts.setdefault(rung, Counter()).update({"spellings", *steps})
    return {rung: dict(sorted(counts[rung].items())) for rung in sorted(counts, key=_order)}


def _steps(one: str, other: str) -> set[str]:
    """The steps that one of the two needed; those that both needed join them only where there are no others."""
    needed, needed_too = ({step.name for step in explain(url)} for url in (one, other))
    return (needed ^ needed_too) or needed


def _order(rung: str) -> int:
    return len(Rung) if rung == NO_RUNG else Rung[rung.upper()]
