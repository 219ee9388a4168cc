"""What the settings of learned rules do: savings, rules taken back and pages lost, on random sites of known truth."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.scrapy_plugin.random_learning import sections
from tests.scrapy_plugin.random_learning.crawl import Job, Run
from tests.scrapy_plugin.random_learning.runs import AUDITED, OBSERVED, Pair, crawl_all, saved_in_all

SUPPORTS = (2, 3, 4, 5, 8, 12)
#: The least that the setting may be: as good as none, with the least minimum beside it.
NONE = 0.001
SHARES = (NONE, 0.02, 0.05, 0.1, 0.2, 0.5)
RARE = "rare"
RARE_EXCEPTION = sections.RARE
#: Beside so many sites there is one of rare exceptions.
OTHERS_TO_RARE = 3


@dataclass(frozen=True, slots=True)
class Row:
    """What one setting came to; `lost_rare` are pages of the sites whose exceptions are too rare for a sample."""

    setting: str
    saved: float
    suppressed: int
    audited: int
    in_force: int
    retracted: int
    rescheduled: int
    lost: int
    lost_rare: int


def settings_of() -> dict[str, dict[str, dict[str, Any]]]:
    """By table and row; what is not named is as installed."""
    shares = {f"{share:g}" if share > NONE else "none": {"IRI_CANON_AUDIT_SHARE": share} for share in SHARES}
    shares["none"]["IRI_CANON_AUDIT_MINIMUM"] = 1
    return {
        "support": {f"{support}": {"IRI_CANON_LEARN_SUPPORT": support} for support in SUPPORTS},
        "audit share": shares,
    }


def measure(
    seeds: Iterable[int], processes: int, progress: Callable[[], object] = lambda: None
) -> dict[str, list[Row]]:
    """Crawl the sites once without rules, and with each setting."""
    sites = [(seed, profile) for seed in seeds for profile in profiles(seed)]
    ways = {
        (table, row): AUDITED | chosen
        for table, rows in settings_of().items()
        for row, chosen in rows.items()
    }
    jobs = [Job(*site, dict(how)) for how in (OBSERVED, *ways.values()) for site in sites]
    runs = crawl_all(jobs, processes, progress)
    observed, others = runs[: len(sites)], runs[len(sites) :]
    tables: dict[str, list[Row]] = {}
    for number, (table, row) in enumerate(ways):
        audited = others[number * len(sites) : (number + 1) * len(sites)]
        tables.setdefault(table, []).append(_row(row, observed, audited))
    return tables


def steps(seeds: Iterable[int]) -> int:
    """How often `progress` is called."""
    sites = sum(len(profiles(seed)) for seed in seeds)
    return sites * (1 + sum(len(rows) for rows in settings_of().values()))


def profiles(seed: int) -> tuple[str, ...]:
    """The sites of a seed."""
    return ("", RARE) if seed % OTHERS_TO_RARE == 0 else ("",)


def _row(setting: str, observed: list[Run], audited: list[Run]) -> Row:
    pairs = [Pair(*two) for two in zip(observed, audited, strict=True)]
    wrong = [one for pair in pairs for one in (*pair.observed.errors, *pair.audited.errors)]
    if wrong:
        raise RuntimeError(f"a crawl went wrong: {wrong[0]}")

    def total(stat: str) -> int:
        return sum(pair.audited.learned.get(stat, 0) for pair in pairs)

    lost = {
        rare: sum(
            len(pages)
            for pair in pairs
            if (pair.observed.profile == RARE) == rare
            for pages in pair.lost.values()
        )
        for rare in (False, True)
    }
    return Row(
        setting=setting,
        saved=saved_in_all(pairs),
        suppressed=total("suppressed"),
        audited=total("audited"),
        in_force=total("rules/in_force"),
        retracted=total("rules/retracted"),
        rescheduled=total("rescheduled"),
        lost=lost[False],
        lost_rare=lost[True],
    )
