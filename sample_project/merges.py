"""A merge is a spelling that was found and never sent, because another that was sent is held to be the same.

It is read off a crawl's own record, after the crawl, and named by the lowest rung of the ladder at which
the two are one: spellings as they stood in the page, so that what Scrapy's `Request` respells is named
too. Where no rung joins them the merge has no licence in RFC 3986 or RFC 3987.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from scrapy import Request
from scrapy.utils.request import fingerprint

from iri_canon import Rung, explain, key, lowest_rung

NO_RUNG = "no rung"
OBSERVED = "observed"
LEARNED = "observed or learned"
SPELLINGS = "spellings"


def by_default(url: str) -> str:
    """What Scrapy's default fingerprinter takes a URL for."""
    return fingerprint(Request(url)).hex()


def by_key(url: str) -> str:
    """What the add-on takes it for."""
    return key(url)


def merges(
    linked: Mapping[str, int], sent: Iterable[str], identify: Callable[[str], str], shown: str = OBSERVED
) -> dict[str, dict[str, int]]:
    """Count what was merged: rung -> step -> number.

    `linked` says how often each spelling was found, in the order of finding; `sent` are request URLs.
    The rung `simple` counts links whose very text had been found before; the others count spellings.
    A spelling for which several steps were needed counts for each, and once in the rung's `spellings`.
    Where no spelling that was sent is held to be the same, only what the site showed can have held it
    back, which is the protocol rung; its step is called `shown`.
    """
    waiting = dict.fromkeys(sent)
    first_sent: dict[str, str] = {}
    held: list[tuple[str, str]] = []
    for spelling in linked:
        url = Request(spelling).url
        if url in waiting:
            del waiting[url]
            first_sent.setdefault(identify(url), spelling)
        else:
            held.append((spelling, identify(url)))
    for url in waiting:  # Reached by a redirect alone.
        first_sent.setdefault(identify(url), url)
    counts: dict[str, Counter[str]] = {}
    if repeats := sum(linked.values()) - len(linked):
        counts[Rung.SIMPLE.name.lower()] = Counter({SPELLINGS: repeats})
    for spelling, identity in held:
        rung, steps = _licence(spelling, first_sent.get(identity), shown)
        counts.setdefault(rung, Counter()).update({SPELLINGS, *steps})
    return {rung: dict(sorted(counts[rung].items())) for rung in sorted(counts, key=_order)}


def _licence(spelling: str, partner: str | None, shown: str) -> tuple[str, set[str]]:
    if partner is None:
        return Rung.PROTOCOL.name.lower(), {shown}
    rung = lowest_rung(spelling, partner)
    return (NO_RUNG, set()) if rung is None else (rung.name.lower(), _steps(spelling, partner))


def _steps(one: str, other: str) -> set[str]:
    """The steps that one of the two needed; those that both needed join them only where there are no others."""
    needed, needed_too = ({step.name for step in explain(url)} for url in (one, other))
    return (needed ^ needed_too) or needed


def _order(rung: str) -> int:
    return len(Rung) if rung == NO_RUNG else Rung[rung.upper()]
