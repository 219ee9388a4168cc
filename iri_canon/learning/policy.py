"""A rule comes into force by enough support and no contradiction, and by nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from iri_canon.equivalence import EVERYWHERE, Rule, RuleState
from iri_canon.equivalence.rules import CONTENTS, EITHER_WAY, MOST_SUPPORTS
from iri_canon.errors import IriError


@dataclass(frozen=True, slots=True)
class Policy:
    """How much has to speak for a rule, and how much of what it skips is fetched after all. Raises ``IriError``.

    ``support``: pages that show it, in one section. ``sections``: sections that agree before a rule holds for the
    whole host, which then takes ``support`` times as many pages. ``audit_share``: the share of the skipped requests
    that is fetched after all, in the long run; ``audit_minimum``: at least so many in each section.

    >>> Policy(audit_share=0)
    Traceback (most recent call last):
    iri_canon.errors.IriError: audit_share is 0; it is from 0.001 to 1
    """

    support: int = 4
    sections: int = 3
    audit_share: float = 0.1
    audit_minimum: int = 3

    def __post_init__(self) -> None:
        for name, least, most in (
            ("support", 2, MOST_SUPPORTS),
            ("sections", 2, 8),
            ("audit_minimum", 1, 10**6),
        ):
            if not least <= getattr(self, name) <= most:
                raise IriError(f"{name} is {getattr(self, name)}; it is from {least} to {most}")
        if not 0.001 <= self.audit_share <= 1:
            raise IriError(f"audit_share is {self.audit_share}; it is from 0.001 to 1")

    def state_of(self, rule: Rule) -> RuleState:
        """The state that a rule has by its evidence."""
        if rule.contradictions:
            return RuleState.RETRACTED
        if self.is_symmetric(rule) or self.direction_of(rule) is not None:
            return RuleState.IN_FORCE
        return RuleState.PROPOSED

    def is_symmetric(self, rule: Rule) -> bool:
        """Whether equal contents alone carry a rule: then it holds both ways.

        Each content counts once, however many pages have it: one answer to everything shows nothing.
        """
        shown = {each.witness for each in rule.supports.values() if each.channel in CONTENTS}
        return self._is_enough(rule, len(shown), CONTENTS)

    def direction_of(self, rule: Rule) -> str | None:
        """The sign (see ``Support``) by which redirects alone carry a rule; None: they do not.

        ``EITHER_WAY``: which of two spellings is the site's own differs from page to page, or cannot be told by sign.
        """
        directions = Counter(
            support.channel for support in rule.supports.values() if support.channel not in CONTENTS
        )
        if not self._is_enough(rule, directions.total(), directions):
            return None
        return next(iter(directions)) if len(directions) == 1 else EITHER_WAY

    def _is_enough(self, rule: Rule, pages: int, channels: Collection[str]) -> bool:
        if rule.name.section != EVERYWHERE:
            return pages >= self.support
        agreeing = {each.section for each in rule.supports.values() if each.channel in channels}
        wanted = min(self.support * self.sections, MOST_SUPPORTS)
        return len(agreeing) >= self.sections and pages >= wanted
