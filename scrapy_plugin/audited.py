"""Audited learning in one piece, as the filter sees it: evidence, rules, what they skip, and the audit of that."""

from __future__ import annotations

import logging
from random import Random

from scrapy import Request, Spider
from scrapy.crawler import Crawler

from iri_canon import StoreError, key
from iri_canon.equivalence import Stage
from iri_canon.learning import Coverage, Learner, Policy, Sampler
from scrapy_plugin.audit import Audit
from scrapy_plugin.delta import Delta
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.flow import Flow
from scrapy_plugin.journal import Journal
from scrapy_plugin.learning import Evidence
from scrapy_plugin.options import Options
from scrapy_plugin.release import Release
from scrapy_plugin.sessions import FIRST, Sessions
from scrapy_plugin.stores import Stores
from scrapy_plugin.suppression import Suppression
from scrapy_plugin.telling import Telling
from scrapy_plugin.witnesses import Keys, Witnesses

logger = logging.getLogger(__name__)


class Audited:
    """Evidence becomes rules, rules skip requests, audits look at what was skipped, and what falls is fetched."""

    def __init__(
        self,
        options: Options,
        stores: Stores,
        identities: Identities,
        sessions: Sessions,
        telling: Telling,
        crawler: Crawler | None,
        delta: Delta | None,
    ) -> None:
        seen, pairs = stores.seen, stores.pairs
        self._seen = seen
        self._in_file = options.job_dir is not None
        self._identities = identities
        self._telling = telling
        self._crawler = crawler
        policy = Policy(
            support=options.learn_support,
            audit_share=options.audit_share,
            audit_minimum=options.audit_minimum,
        )
        random = Random()
        self._learner = Learner(pairs, policy)
        self._sampler = Sampler(policy, random)
        self._keys = Keys(identities, options)
        self._delta = delta
        self._is_audited = False
        self._witnesses = witnesses = Witnesses(seen, delta)
        self._journal = Journal(seen, in_file=self._in_file)
        self._release = Release(self._journal, witnesses, self._learner, self._sampler, seen, pairs, telling)
        self._audit = Audit(
            self._journal, self._learner, self._sampler, seen, telling, random, self._release.heed
        )
        self._suppression = Suppression(
            self._keys,
            identities,
            self._learner,
            # What another run or crawl claimed is known to the stores alone.
            Coverage(
                self._learner, FIRST, sees_all=self._keys.are_usual and delta is None and not self._in_file
            ),
            self._sampler,
            witnesses,
            sessions,
            self._journal,
            self._release,
            self._audit,
            seen,
            telling,
            crawler,
        )
        self.evidence = Evidence(
            self._learner,
            self._keys,
            identities,
            sessions,
            witnesses,
            self._journal,
            self._release,
            self._audit,
            telling,
            seen if self._in_file else None,
        )
        self.rules = self._learner.rules
        self.skips = self._suppression.skips
        self.covers = self._suppression.covers
        self.claimed = self._suppression.claimed
        self.met = self._release.met

    def may_skip(self, request: Request, digest: bytes, canonical: str) -> bool:
        """Whether a request that passed may be skipped yet: not if it is an audit, or if others hang on its answer."""
        if digest in self._journal or self._journal.skipped_for(digest) or self._audit.awaits(digest):
            return False
        return self._suppression.may_cover(request, digest, canonical)

    def settled(self, digest: bytes) -> None:
        """A request has become a hop, done or failed."""
        self._audit.settled(digest)
        self._release.settled(digest)

    def turn(self, flow: Flow) -> bool:
        """Send some of what is to be fetched after all; whether anything was sent."""
        return self._release.turn(flow, self._spider(), self._suppression.covers_still)

    def idle(self, flow: Flow) -> bool:
        """Nothing is under way: whether anything more was sent."""
        self._is_audited = False
        if self._sends(flow):
            return True
        self._audit.give_up()
        self._release.sweep()
        if self._sends(flow):
            return True
        # What cannot be sent decides nothing: others are drawn for it.
        while drawn := self._audit.draw():
            for entry in drawn:
                if self._release.send(entry):
                    self._audit.begin(key(entry.url), entry)
            if self._sends(flow):
                return True
            self._audit.give_up()
        self._is_audited = not self._audit.lacking()
        return False

    def restore(self) -> None:
        """Take up what the last run of a job left."""
        if not self._in_file:
            return
        # Only what bears no method, body or header of its own was learned of.
        plain = Request("http://localhost/")
        try:
            for name, record in self._seen.contents():
                self._learner.load(name, record)
                self._suppression.restore(name, self._identities.at(plain, name))
        except StoreError as error:
            logger.error("What was learned of pages cannot be read: %s", error)
        for entry in self._release.restore():
            self._sampler.restore(key(entry.url), entry.rules)

    def close(self) -> None:
        """Say what was not looked at as planned, and what became of the rules."""
        skipped = sum(entry.stage is Stage.SKIPPED for entry in self._journal)
        lacking = self._audit.lacking() + self._release.waiting
        if self._in_file:
            if skipped or lacking:
                self._telling.say(
                    logging.INFO,
                    "%(skipped)d requests are skipped by learned rules; the next run of this job fetches what of them"
                    " is to be fetched still: %(lacking)d",
                    skipped=skipped,
                    lacking=lacking,
                )
        elif lacking:
            self._telling.say(
                logging.WARNING,
                "Stopped before %(lacking)d of %(skipped)d URLs that learned rules skipped were fetched to see whether"
                " the rules hold, or because they do not",
                skipped=skipped + self._release.waiting,
                lacking=lacking,
            )
        self.evidence.close()
        # What was not audited as planned is skipped by this crawl alone.
        if self._delta is not None and self._is_audited:
            for entry in self._journal:
                if entry.stage is Stage.SKIPPED and self._witnesses.has_brought(entry.witness):
                    self._delta.cover(key(entry.url), key(entry.witness_url))

    def _sends(self, flow: Flow) -> bool:
        while self._release.waiting:
            if self.turn(flow):
                return True
        return False

    def _spider(self) -> Spider | None:
        return self._crawler.spider if self._crawler is not None else None
