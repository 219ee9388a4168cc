"""A request is skipped only where a rule in force says which other request brings its page, and is journaled first."""

from __future__ import annotations

from time import time

from scrapy import Request
from scrapy.crawler import Crawler

from iri_canon import key
from iri_canon.equivalence import SeenStore, Stage, Suppressed
from iri_canon.learning import Coverage, Learner, Sampler, Standing, Witness
from scrapy_plugin import stats
from scrapy_plugin.audit import Audit
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.journal import Journal
from scrapy_plugin.release import Release
from scrapy_plugin.sessions import FIRST, Sessions
from scrapy_plugin.telling import Telling
from scrapy_plugin.witnesses import Keys, Witnesses


class Suppression:
    """What the filter asks of a request that it knows nothing of."""

    def __init__(
        self,
        keys: Keys,
        identities: Identities,
        learner: Learner,
        coverage: Coverage,
        sampler: Sampler,
        witnesses: Witnesses,
        sessions: Sessions,
        journal: Journal,
        release: Release,
        audit: Audit,
        seen: SeenStore,
        telling: Telling,
        crawler: Crawler | None,
    ) -> None:
        self._keys = keys
        self._identities = identities
        self._learner = learner
        self._coverage = coverage
        self._sampler = sampler
        self._witnesses = witnesses
        self._sessions = sessions
        self._journal = journal
        self._release = release
        self._audit = audit
        self._seen = seen
        self._telling = telling
        self._crawler = crawler

    def may_cover(self, request: Request, digest: bytes, canonical: str) -> bool:
        """Whether any rule may speak of a request."""
        key = self._keys.of(request, digest, canonical)
        return key is not None and request not in self._release.sent and self._learner.in_force(key)

    def skips(self, request: Request, digest: bytes, canonical: str) -> bool:
        """Whether a request that knows no claim of its own is skipped; what is not skipped is claimed."""
        key = self._keys.of(request, digest, canonical)
        if key is not None:
            # Most have no other one. Where a visitor was told apart a claim is not as usual.
            if not self._sessions.has_changed and self._coverage.claim_alone(key):
                return False
            if self._covers(request, digest, key):
                return True
        self._claim(request, key)
        return False

    def covers(self, request: Request, digest: bytes, canonical: str) -> bool:
        """Whether a request that was claimed is skipped by now."""
        key = self._keys.of(request, digest, canonical)
        return key is not None and self._covers(request, digest, key)

    def claimed(self, request: Request, digest: bytes, canonical: str) -> None:
        """A request passed that was not asked about, and may bring the page of others."""
        key = self._keys.of(request, digest, canonical)
        if key is not None and not self._sessions.has_changed:
            self._coverage.claim(key)
        else:
            self._claim(request, key)

    def restore(self, key: str, digest: bytes) -> None:
        """A request of an earlier run brought a page."""
        if self._witnesses.may_bring(digest):
            self._coverage.claim(key)

    def _claim(self, request: Request, key: str | None) -> None:
        if key is not None:
            self._coverage.claim(key, self._sessions.stamp_for(request))
        elif request.method == "GET":
            # Its digest may be that of a request which rules speak of.
            self._coverage.miss()

    def _covers(self, request: Request, digest: bytes, key: str) -> bool:
        """It is journaled then. One that is due to be audited is not skipped."""
        found = self._witness(request, key, digest)
        if found is None or request in self._release.sent:
            return False
        witness, brings = found
        url = self._seen.spelling(brings) or witness.key
        entry = Suppressed(digest, request.url, witness.rules, brings, url, None, Stage.SKIPPED, time())
        spider = self._crawler.spider if self._crawler is not None else None
        if not self._journal.keep(entry, request, spider):
            return False
        # An answer of an earlier crawl is not there to be compared with: that crawl has audited what it skipped.
        is_of_this_crawl = self._seen.get(brings) is not None
        if is_of_this_crawl and self._sampler.is_due(key, witness.rules):
            self._journal.send(digest)
            self._audit.begin(key, entry)
            self._learner.suppressed(witness.rules)
            return False
        rules = [rule for name in witness.rules if (rule := self._learner.rules.get(name)) is not None]
        self._learner.suppressed(witness.rules)
        self._telling.count(stats.SUPPRESSED)
        self._telling.skipped(request, url, rules)
        return True

    def covers_still(self, entry: Suppressed, request: Request) -> bool:
        """Whether another request brings the page of a skipped one, whose witness is none: it stays skipped then."""
        found = self._witness(request, key(entry.url), entry.digest)
        if found is None:
            return False
        witness, brings = found
        url = self._seen.spelling(brings) or witness.key
        moved = entry._replace(
            rules=witness.rules, witness=brings, witness_url=url, stage=Stage.SKIPPED, time=time()
        )
        spider = self._crawler.spider if self._crawler is not None else None
        return self._journal.keep(moved, request, spider)

    def _witness(self, request: Request, key: str, digest: bytes) -> tuple[Witness, bytes] | None:
        stamp = self._sessions.stamp_for(request)
        if stamp != FIRST:
            # What is shown to one visitor hangs on more than rules for all: private pages lie among public ones.
            return None
        found: dict[str, bytes] = {}

        def stands(other: str, claimed_in: int | None) -> Standing:
            # The same request for the other URL: with the method, the headers, and what else makes two requests one.
            brings = found[other] = self._identities.at(request, other)
            if brings == digest or claimed_in not in (None, FIRST):
                return Standing.NONE
            standing = self._witnesses.standing(brings)
            if not standing and self._witnesses.was_done_before(brings, other, key):
                standing = Standing.PAGE
            return standing if standing and self._learner.may_stand(other, key) else Standing.NONE

        witness = next(self._coverage.witnesses(key, stands), None)
        return None if witness is None else (witness, found[witness.key])
