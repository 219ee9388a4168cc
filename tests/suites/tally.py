"""How many cases of each suite are equal, equal by a convention, or different, and by which kinds."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

from suites.differences import Case, kinds, reasons
from suites.reader import rows


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of one suite: ``cases`` is the sum of the other numbers."""

    cases: int
    equal: int
    by_convention: int
    no_counterpart: int
    agreed: int
    listed: int
    unlisted: int
    kinds: Counter[str] = field(default_factory=Counter)


@cache
def verdict(suite: str, index: int) -> tuple[str, ...] | None:
    """The kinds that explain how a row differs, computed once a run."""
    return reasons(Case(suite, rows(suite)[index]))


@cache
def tally(suite: str) -> Tally:
    """The counts of a suite."""
    conventions = {kind.name for kind in kinds() if kind.is_convention}
    missing = {kind.name for kind in kinds() if kind.is_missing}
    agreeing = {kind.name for kind in kinds() if kind.explains_agreement}
    verdicts = [verdict(suite, index) for index in range(len(rows(suite)))]
    found = [set(each) for each in verdicts if each]
    by_convention = sum(each <= conventions for each in found)
    no_counterpart = sum(bool(each & missing) for each in found)
    agreed = sum(each <= agreeing for each in found)
    return Tally(
        cases=len(verdicts),
        equal=verdicts.count(()),
        by_convention=by_convention,
        no_counterpart=no_counterpart,
        agreed=agreed,
        listed=len(found) - by_convention - no_counterpart - agreed,
        unlisted=verdicts.count(None),
        kinds=Counter(name for each in found for name in each),
    )
