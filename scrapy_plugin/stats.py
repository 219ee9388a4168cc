"""What the plug-in did is told in Scrapy's stats, under these names only."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "iri_canon/"

FILTERED: Final = PREFIX + "filtered/"
"""Followed by the lowest rung at which a duplicate and the earlier URL are one, or ``fingerprinter``."""

HELD: Final = PREFIX + "chain/held"
RELEASED: Final = PREFIX + "chain/released"
DROPPED: Final = PREFIX + "chain/dropped"
REVISITED: Final = PREFIX + "chain/revisited"
ASKED_AGAIN: Final = PREFIX + "chain/asked_again"
RESTORED: Final = PREFIX + "chain/restored"
NOT_KEPT: Final = PREFIX + "chain/not_kept"
RETRY_RESET: Final = PREFIX + "retry/dont_filter_reset"
FAILED: Final = PREFIX + "failed"
DONE: Final = PREFIX + "done"
OBSERVED: Final = PREFIX + "redirects/"
"""Followed by ``recorded``, or by the reason why an observation joins nothing."""

MALFORMED: Final = PREFIX + "malformed"
MALFORMED_SEEDS: Final = PREFIX + "malformed/start"
FIELD_SKIPPED: Final = PREFIX + "item_field/skipped"
DELTA_SKIPPED: Final = PREFIX + "delta/skipped"
DELTA_KEPT: Final = PREFIX + "delta/kept"
KNOWN: Final = PREFIX + "known"

SUPPRESSED: Final = PREFIX + "learned/suppressed"
RESCHEDULED: Final = PREFIX + "learned/rescheduled"
MOVED: Final = PREFIX + "learned/moved"
AUDITED: Final = PREFIX + "learned/audited"
AGREED: Final = PREFIX + "learned/agreed"
DISAGREED: Final = PREFIX + "learned/disagreed"
UNDECIDED: Final = PREFIX + "learned/undecided"
PROPOSED: Final = PREFIX + "learned/rules/proposed"
IN_FORCE: Final = PREFIX + "learned/rules/in_force"
RETRACTED: Final = PREFIX + "learned/rules/retracted"
