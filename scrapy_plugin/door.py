"""What was queued before a rule came into force is looked at once more before it is sent, and may be skipped then.

A queue is often longer than what has been answered: most spellings of a page wait there by the time a site has shown
that they are one.
"""

from __future__ import annotations

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from iri_canon.equivalence import State
from scrapy_plugin.audited import Audited
from scrapy_plugin.chains import Chains
from scrapy_plugin.claims import Claims
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.flow import Flow
from scrapy_plugin.holding import Waiting
from scrapy_plugin.outcomes import redirect_urls, retry_times
from scrapy_plugin.telling import Telling


class Skipped(IgnoreRequest):
    """A request that is skipped by a learned rule, and journaled: neither its callback nor its errback is called."""


class Door:
    """The last look at a request."""

    def __init__(
        self,
        identities: Identities,
        chains: Chains[Waiting],
        claims: Claims,
        flow: Flow,
        telling: Telling,
        audited: Audited,
    ) -> None:
        self._identities = identities
        self._chains = chains
        self._claims = claims
        self._flow = flow
        self._telling = telling
        self._audited = audited

    def pass_through(self, request: Request) -> None:
        """Raises ``Skipped`` for a request that the filter let pass and would skip by now."""
        if not self._audited.rules.has_rules or request.dont_filter or request.callback is NO_CALLBACK:
            return
        if redirect_urls(request) or retry_times(request):
            return
        digest, canonical = self._identities.of(request)
        # A download that a callback makes by itself holds no claim. Neither does what comes out of a disk queue, which
        # cannot be told from it.
        if self._chains.state(digest) is not State.CLAIMED or not self._claims.is_holder(request, digest):
            return
        if not self._audited.may_skip(request, digest, canonical):
            return
        # The one that is skipped is called back by nobody; the one that is kept is as the spider made it.
        kept = request.copy()
        if not self._audited.covers(kept, digest, canonical):
            return
        self._flow.release(self._chains.cover(digest))
        self._telling.duplicate(kept)
        request.errback = None
        raise Skipped(f"{request.url}: skipped by a learned rule")
