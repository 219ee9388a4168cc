"""Nothing is dropped without a stat, and each drop can be explained in a line of the log."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from time import time

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.utils.request import referer_str

from iri_canon import Ladder, Rung, __version__, key
from iri_canon.equivalence import Example, KnownPage, Rule, RuleName, RuleState
from iri_canon.learning import Change
from scrapy_plugin import stats
from scrapy_plugin.explanation import DoneBefore, Explanation, explained
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.options import Options
from scrapy_plugin.stores import Stores

# The name under which Scrapy users find the lines of a duplicate filter.
logger = logging.getLogger("scrapy_plugin.dupefilter")


class Telling:
    """The stats and the log of a filter."""

    def __init__(
        self, identities: Identities, ladder: Ladder, stores: Stores, crawler: Crawler | None, *, debug: bool
    ) -> None:
        self._identities = identities
        self._ladder = ladder
        self._stores = stores
        self._crawler = crawler
        self._debug = debug
        self._told = False
        self._skipped: tuple[Request, Explanation | DoneBefore] | None = None
        self.twin: tuple[Request, str] | None = None
        """The request that was asked about last and has a representative, with that."""

    def start(self, options: Options) -> None:
        """Say in the log what the filter goes by."""
        conventions = options.conventions or "none"
        seen = "memory" if options.seen_path is None else str(options.seen_path)
        logger.info(
            "iri-canon %(version)s: conventions assumed: %(conventions)s; learning: %(learn)s;"
            " pairs in %(pairs)s; seen in %(seen)s",
            {
                "version": __version__,
                "conventions": conventions if isinstance(conventions, str) else json.dumps(conventions),
                "learn": options.learn,
                "pairs": options.store,
                "seen": seen,
            },
            extra=self._extra(),
        )

    def say(self, level: int, line: str, **told: object) -> None:
        """Write a line to the log, in the name of the filter."""
        logger.log(level, line, told, extra=self._extra())

    def skipped(self, request: Request, witness: str, rules: Iterable[Rule]) -> None:
        """A request is skipped by learned rules: note it, and keep what explains it until it is told as a duplicate."""
        learned = [(f"learned {_place(rule.name)}", rule.support) for rule in rules]
        self._stores.pairs.journal(request.url, witness, tuple(name for name, _ in learned), time())
        steps = tuple(f"{name}, support {support}" for name, support in learned)
        self._skipped = request, Explanation(witness, Rung.PROTOCOL.name.lower(), steps)

    def changed(self, change: Change, rule: Rule | None) -> None:
        """Tell that a rule has come into force or is so no longer, or, in debug, that it will not be."""
        shown: list[Example] = []
        if rule is not None:
            shown = rule.counterexamples if change.after is RuleState.RETRACTED else rule.examples
        example = f"; for example {shown[-1].source} and {shown[-1].target}" if shown else ""
        self.say(
            logging.INFO if RuleState.IN_FORCE in (change.before, change.after) else logging.DEBUG,
            "Learned rule %(rule)s: %(before)s -> %(after)s (%(reason)s; support %(support)d%(example)s)",
            rule=_place(change.name),
            before=change.before.value,
            after=change.after.value,
            reason=change.reason,
            support=0 if rule is None else rule.support,
            example=example,
        )

    def done_before(self, request: Request, page: KnownPage) -> None:
        """A request is skipped since an earlier crawl has done its page: keep that until it is told as a duplicate."""
        self._skipped = request, DoneBefore(page.page, page.time)

    def count(self, name: str, count: int = 1) -> None:
        """Add to a stat."""
        if self._crawler is not None and self._crawler._stats is not None:
            self._crawler.stats.inc_value(name, count)

    def close(self, observed: Mapping[str, int], known: int) -> None:
        """Write the stats that are known at the end."""
        for outcome, count in observed.items():
            if count:
                self.count(stats.OBSERVED + outcome, count)
        if self._crawler is not None and self._crawler._stats is not None:
            self._crawler.stats.set_value(stats.KNOWN, known)

    def duplicate(self, request: Request) -> None:
        """Count and tell a duplicate, as Scrapy's own filter does, with the reason."""
        explanation = self._explain(request)
        self.twin = None
        self.count("dupefilter/filtered")
        self.count(explanation.stat)
        told = {"request": request, "explanation": explanation, "referer": referer_str(request)}
        extra = self._extra()
        if self._debug:
            line = "Filtered duplicate request: %(request)s - %(explanation)s (referer: %(referer)s)"
            logger.debug(line, told, extra=extra)
        elif not self._told:
            self._told = True
            line = (
                "Filtered duplicate request: %(request)s - %(explanation)s"
                " - no more duplicates will be shown (see DUPEFILTER_DEBUG to show all duplicates)"
            )
            logger.debug(line, told, extra=extra)

    def _extra(self) -> dict[str, Spider | None]:
        return {"spider": self._crawler.spider if self._crawler is not None else None}

    def _explain(self, request: Request) -> Explanation | DoneBefore:
        skipped, self._skipped = self._skipped, None
        if skipped is not None and skipped[0] is request:
            return skipped[1]
        if self.twin is not None and self.twin[0] is request:
            return self._explain_twin(request.url, self.twin[1])
        digest, canonical = self._identities.of(request)
        earlier = self._stores.seen.spelling(digest) or canonical or request.url
        return explained(self._ladder, request.url, earlier)

    def _explain_twin(self, url: str, representative: str) -> Explanation:
        pair = self._stores.pairs.equivalence(key(url))
        because = pair.conventions if pair is not None else ()
        self._stores.pairs.journal(url, representative, because, time())
        statuses = " ".join(map(str, pair.observation.statuses)) if pair is not None else ""
        steps = (f"observed redirect {statuses}".rstrip(), *(f"explained by {name}" for name in because))
        return Explanation(representative, Rung.PROTOCOL.name.lower(), steps)


def _place(name: RuleName) -> str:
    return f"{name.kind} at {name.host}/{name.section}"
