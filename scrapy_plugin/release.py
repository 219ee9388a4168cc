"""What was skipped is fetched once its witness brings no page, or a rule that skipped it is no longer in force."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import urlsplit
from weakref import WeakSet

from scrapy import Request, Spider

from iri_canon import StoreError, key
from iri_canon.equivalence import EVERYWHERE, EquivalenceStore, RuleState, SeenStore, Stage, State, Suppressed
from iri_canon.learning import Learner, Lesson, Sampler
from scrapy_plugin import stats
from scrapy_plugin.chains import UNDER_WAY
from scrapy_plugin.flow import Flow
from scrapy_plugin.holding import Link, Waiting
from scrapy_plugin.journal import Journal
from scrapy_plugin.sessions import site_of
from scrapy_plugin.telling import Telling
from scrapy_plugin.witnesses import Witnesses

logger = logging.getLogger(__name__)

AT_ONCE: Final = 200
"""Requests that go back to the scheduler in one turn: some milliseconds, in which nothing else happens."""


class Release:
    """What is fetched after all, in the order in which that was found."""

    def __init__(
        self,
        journal: Journal,
        witnesses: Witnesses,
        learner: Learner,
        sampler: Sampler,
        seen: SeenStore,
        pairs: EquivalenceStore,
        telling: Telling,
    ) -> None:
        self._journal = journal
        self._witnesses = witnesses
        self._learner = learner
        self._sampler = sampler
        self._seen = seen
        self._pairs = pairs
        self._telling = telling
        self._queue: deque[bytes] = deque()
        # What waits for its turn because its witness is no page: by then there may be another one.
        self._orphans: set[bytes] = set()
        self.sent: WeakSet[Request] = WeakSet()
        """What no rule skips again."""

    def free(self, entries: Iterable[Suppressed], reason: str, *, told_at: int = logging.DEBUG) -> None:
        """Fetch what was skipped."""
        count = 0
        for entry in entries:
            count += self.send(entry)
        if count:
            self._telling.count(stats.RESCHEDULED, count)
            self._telling.say(
                told_at,
                "%(count)d skipped requests are fetched after all: %(reason)s",
                count=count,
                reason=reason,
            )

    def send(self, entry: Suppressed) -> bool:
        """Let a skipped request wait for its turn; False: it does already."""
        if entry.stage is Stage.SENT:
            return False
        self._journal.send(entry.digest)
        self._queue.append(entry.digest)
        return True

    def heed(self, lesson: Lesson) -> None:
        """Tell what became of rules, and fetch what was skipped by one that is not in force any longer."""
        fell = False
        for change in lesson.changes:
            self._telling.changed(change, self._learner.rules.get(change.name))
            entries = []
            if change.before is RuleState.IN_FORCE:
                fell = True
                self._sampler.forget(change.name)
                entries = self._journal.skipped_by(change.name)
            if change.after is RuleState.RETRACTED:
                # The rule of the whole host gives way in this section.
                wide = change.name._replace(section=EVERYWHERE)
                entries += self._journal.skipped_by(wide, change.name.section)
            self.free(
                entries, f"{change.name} is {change.after.value} ({change.reason})", told_at=logging.INFO
            )
        if fell:
            # Before anything that was learned with it is on the medium: what is skipped by this rule must not stay so.
            try:
                self._pairs.flush()
            except StoreError as error:
                logger.error("%s", error)

    def visitor_changed(self, host: str) -> None:
        """A site knows its visitor otherwise: what was skipped there may be another page now."""
        site = site_of(host)
        entries = [entry for entry in self._journal if site_of(urlsplit(entry.url).hostname or "") == site]
        self.free(entries, f"{site} knows its visitor otherwise now", told_at=logging.INFO)

    def settled(self, digest: bytes) -> None:
        """A request has become a hop, done or failed: if it is no page, what was skipped for it is fetched."""
        self._journal.resolve(digest)
        if not self._witnesses.may_bring(digest):
            waiting = self._journal.skipped_for(digest)
            if waiting:
                self._orphans.update(entry.digest for entry in waiting)
                self.free(waiting, f"{waiting[0].witness_url} is no page")

    def met(self, digest: bytes) -> None:
        """Another request for it passed, and that settles it."""
        if digest in self._journal:
            self._journal.send(digest)

    def look(self, digest: bytes, asked: str) -> None:
        """An answer came: what was skipped for a wall, or for links that lead elsewhere there, is fetched."""
        skipped = self._journal.skipped_for(digest)
        if skipped:
            freed = [entry for entry in skipped if not self._learner.may_stand(asked, key(entry.url))]
            self.free(freed, f"the answer to {asked} does not stand for them")

    def turn(
        self, flow: Flow, spider: Spider | None, covers_still: Callable[[Suppressed, Request], bool]
    ) -> bool:
        """Send some of what waits for its turn; whether anything was sent.

        ``covers_still`` is asked for what was skipped for a redirect: the page that this led to is another witness.
        """
        sent = False
        for _ in range(min(AT_ONCE, len(self._queue))):
            sent |= self._crawl(self._queue.popleft(), flow, spider, covers_still)
        return sent

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._queue)

    def _crawl(
        self,
        digest: bytes,
        flow: Flow,
        spider: Spider | None,
        covers_still: Callable[[Suppressed, Request], bool],
    ) -> bool:
        known, entry = self._seen.get(digest), self._journal.get(digest)
        is_orphan = digest in self._orphans
        # This turn only: if it is skipped and sent again, it may be an audit that has to be fetched.
        self._orphans.discard(digest)
        if entry is None or (known is not None and known.state is not State.COVERED):
            return False
        self._journal.send(digest)
        request = self._journal.request(digest, spider)
        if is_orphan and request is not None and covers_still(entry, request):
            self._telling.count(stats.MOVED)
            return False
        self._seen.forget(digest)
        if request is not None:
            self.sent.add(request)
            try:
                flow.crawl(Waiting(request, Link.NEW))
            except Exception:
                # Whatever a scheduler of the user's raises, the others have to go on; this one is tried again when
                # nothing is under way, or by the next run.
                self._seen.put(digest, State.COVERED)
                logger.exception("%s could not be scheduled", request)
                return False
            known = self._seen.get(digest)
            if known is not None and known.state in UNDER_WAY:
                return True
        # Another component refuses it, or its page is known by now, or it cannot be read again.
        self._journal.resolve(digest)
        return False

    def sweep(self) -> None:
        """Nothing is under way: what waits for anything waits in vain."""
        for entry in self._journal:
            if entry.stage is Stage.SKIPPED:
                if not self._witnesses.has_brought(entry.witness):
                    self.free([entry], f"{entry.witness_url} did not come")
                elif not self._learner.may_stand(key(entry.witness_url), key(entry.url)):
                    self.free([entry], f"the answer to {entry.witness_url} does not stand for it")
                continue
            known = self._seen.get(entry.digest)
            if known is None or known.state is State.COVERED:
                self._queue.append(entry.digest)
            else:
                self._journal.resolve(entry.digest)

    def restore(self) -> list[Suppressed]:
        """What the last run left: those that stay skipped. What must not stay so waits for its turn."""
        try:
            left = list(self._seen.suppressed())
        except StoreError as error:
            logger.error("What was skipped cannot be read: %s", error)
            return []
        staying = []
        for entry in left:
            self._journal.adopt(entry)
            known = self._seen.get(entry.digest)
            state = None if known is None else known.state
            if state is not None and state is not State.COVERED:
                if state in UNDER_WAY:
                    self._journal.send(entry.digest)
                else:
                    self._journal.resolve(entry.digest)
            elif entry.stage is Stage.SENT:
                self._queue.append(entry.digest)
            elif self._is_in_force(entry) and self._witnesses.may_bring(entry.witness):
                staying.append(entry)
            else:
                self.free([entry], "its rule or its witness did not outlive the last run")
        return staying

    def _is_in_force(self, entry: Suppressed) -> bool:
        rules = [self._learner.rules.get(name) for name in entry.rules]
        return all(rule is not None and rule.state is RuleState.IN_FORCE for rule in rules)
