"""Each answer and each redirect that a crawl sees is evidence once, and only what was asked and answered whole."""

from __future__ import annotations

from time import time
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import Response
from w3lib.encoding import http_content_type_encoding

from iri_canon import key
from iri_canon.equivalence import Equivalence, Observation, Refusal, RuleState, SeenStore
from iri_canon.learning import Learner, content_of, record_of
from scrapy_plugin import stats
from scrapy_plugin.audit import Audit
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.journal import Journal
from scrapy_plugin.outcomes import status_of
from scrapy_plugin.release import Release
from scrapy_plugin.sessions import FIRST, Sessions, site_of
from scrapy_plugin.telling import Telling
from scrapy_plugin.witnesses import Keys, Witnesses, host_of

_NOT_WHOLE = frozenset({"partial", "dataloss"})
"""Scrapy's flags of an answer that was cut off."""

_STATES = {
    RuleState.PROPOSED: stats.PROPOSED,
    RuleState.IN_FORCE: stats.IN_FORCE,
    RuleState.RETRACTED: stats.RETRACTED,
}


class Evidence:
    """What goes to the learner, and from it to the audit and to what is skipped."""

    def __init__(
        self,
        learner: Learner,
        keys: Keys,
        identities: Identities,
        sessions: Sessions,
        witnesses: Witnesses,
        journal: Journal,
        release: Release,
        audit: Audit,
        telling: Telling,
        kept: SeenStore | None,
    ) -> None:
        self._learner = learner
        self._keys = keys
        self._identities = identities
        self._sessions = sessions
        self._witnesses = witnesses
        self._journal = journal
        self._release = release
        self._audit = audit
        self._telling = telling
        # Where contents outlive the process.
        self._kept = kept
        self._hosts: dict[str, set[str]] = {}

    def answered(self, response: Response, request: Request, digest: bytes, *, is_holder: bool) -> None:
        """A final answer; ``is_holder``: the request is the one that its digest was claimed for."""
        if not _NOT_WHOLE.isdisjoint(response.flags):
            self._witnesses.cut_off(digest)
            self._release.free(self._journal.skipped_for(digest), f"{request.url} was cut off")
            return
        status = status_of(response)
        if status != 200 or not response.body.strip():
            self._witnesses.cut_off(digest)
            self._release.free(self._journal.skipped_for(digest), f"{request.url} brought no page")
        asked = self._keys.of(request, *self._identities.of(request))
        # A browser behind Scrapy follows redirects by itself: then this is the answer to another URL.
        if asked is None or (response.url != request.url and key(response.url) != asked):
            return
        host = host_of(request)
        stamp = self._sessions.stamp(host)
        if self._sessions.sent(request, host) != stamp:
            # It went out before a log-in, or is what a gate says: another visitor is shown something else.
            return
        authority = asked.partition("://")[2].partition("/")[0].rpartition("@")[2]
        self._hosts.setdefault(site_of(host), set()).add(authority)
        media_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        now = time()
        charset = http_content_type_encoding(media_type)
        content = content_of(response.body, media_type, charset, url=asked, time=now)
        audited = is_holder and self._audit.is_concerned(digest)
        lesson = self._learner.answered(asked, status, content, now, audited=audited)
        self._release.heed(lesson)
        if audited:
            self._audit.answered(digest, lesson)
        self._release.look(digest, asked)
        if stamp != FIRST:
            self._learner.rules.keep_private(authority)
        if self._kept is not None and content is not None and stamp == FIRST:
            # A resumed crawl begins without cookies: what was seen after a log-in stands for nothing there.
            self._kept.keep_content(asked, record_of(status, content))

    def redirected(self, observation: Observation, verdict: Equivalence | Refusal) -> None:
        """What a redirect showed is complete."""
        source = key(observation.source)
        audited = self._audit.is_of(source)
        lesson = self._learner.redirected(observation, verdict, audited=audited)
        self._release.heed(lesson)
        if audited:
            self._audit.redirected(source, lesson)

    def visitor_changed(self, host: str) -> None:
        """A site knows its visitor otherwise from now on (a log-in)."""
        site = site_of(host)
        known = (name for name in self._learner.rules.hosts() if site_of(_hostname(name)) == site)
        for authority in sorted({*self._hosts.get(site, ()), *known}):
            self._release.heed(self._learner.doubt(authority, time()))
        self._release.visitor_changed(host)

    def close(self) -> None:
        """Write what waits, and say what became of the rules of the hosts that answered."""
        self._learner.save()
        counts = dict.fromkeys(_STATES.values(), 0)
        for authorities in self._hosts.values():
            for authority in authorities:
                for rule in self._learner.rules.at(authority):
                    counts[_STATES[rule.state]] += 1
        for name, count in counts.items():
            self._telling.count(name, count)


def _hostname(authority: str) -> str:
    """The host of an authority, as the sessions of sites know it."""
    return urlsplit(f"//{authority}").hostname or ""
