"""docs/suites.md: the counts of each suite, and each kind of difference with its reason."""

from collections.abc import Iterator

from folders import ROOT

from suites.differences import Kind, kinds
from suites.reader import FILES, rows
from suites.tally import tally

PATH = ROOT / "docs/suites.md"
COUNTED_WITH = "idna 3.20 and its tables of Unicode 18.0.0"

HEAD = f"""\
# Other people's test suites

The public test vectors beside the checkout (`../shared/vectors/`, or the folder that `IRI_CANON_SHARED` names) run as
one test a row, by the row's identifier: `pytest tests/test_suites.py`. Their texts are not part of this project. A row
is compared with what this library has for it: `tests/suites/checks.py` says which function that is.

This page is made by `python docs/make_suites.py`, which prints the counts, too; a test holds it to what the code does.
Some counts hang on the tables of the installed idna: these are of {COUNTED_WITH}.

## Counts

Each case is in one column, so that a line adds up to its cases:

* **equal**: all that the row claims holds, letter for letter where its `rfc_form` or `rfc_exact` says so;
* **by a convention**: the peer takes for granted what is a named convention here, and agrees under it;
* **no counterpart**: a function that this library does not have;
* **equal, denied**: the answers are one, but the suites' judge holds that the RFCs give another one; the last table
  has the reasons;
* **other differences**: each of a kind that the next two tables list with its reason. A row of no kind fails.
"""

KINDS = """\
## Kinds of differences

A row that takes two kinds counts for both, so that the cases here may be more than those of the column above; the
kinds of conventions and of missing counterparts are among them. The file that tells the kinds apart, by conditions and
rewritings that a machine checks, is `tests/vectors/differences.toml`; a kind that no longer occurs, or whose count has
changed, fails.
"""

JUDGED = """\
## Rows that the judge has wrong

The suites come with a judgement which rows follow from the RFCs. These rows are judged to do so, and do not; they are
among the other differences.
"""

AGREED = """\
## Agreements that the judge denies

These are the column "equal, denied": the judge holds that the answer contradicts the RFCs, but it is ours as well.
"""


def judged() -> str:
    """How many rows follow from the RFCs, in a sentence."""
    found = sum(row.get("judge") == "rfc" for suite in FILES for row in rows(suite))
    against = sum(sum(kind.cases.values()) for kind in kinds() if kind.is_against_the_judge)
    return f"Of {found} rows that the suites' judge holds to follow from the RFCs, all but {against} hold (see below)."


def counts() -> Iterator[str]:
    """The table of counts, line by line."""
    yield "| suite | cases | equal | by a convention | no counterpart | equal, denied | other differences |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    total = [0] * 6
    for suite in FILES:
        found = tally(suite)
        numbers = [
            found.cases,
            found.equal,
            found.by_convention,
            found.no_counterpart,
            found.agreed,
            found.listed,
        ]
        total = [a + b for a, b in zip(total, numbers, strict=True)]
        yield f"| `{suite}` | {' | '.join(map(str, numbers))} |"
    yield f"| all | {' | '.join(map(str, total))} |"


def table(chosen: list[Kind]) -> Iterator[str]:
    """Kinds with their reasons and counts, line by line."""
    yield "| kind | why | cases |"
    yield "|---|---|---|"
    for kind in chosen:
        cases = ", ".join(f"{suite} {count}" for suite, count in kind.cases.items())
        yield f"| {kind.name} | {kind.why.replace('|', '&#124;')} | {cases} |"


def page() -> str:
    """The whole page."""
    against = [kind for kind in kinds() if kind.is_against_the_judge]
    agreed = [kind for kind in kinds() if kind.explains_agreement]
    others = [kind for kind in kinds() if kind not in against + agreed]
    lines = [HEAD, *counts(), "", judged(), "", KINDS, *table(others), "", JUDGED, *table(against), ""]
    return "\n".join([*lines, AGREED, *table(agreed)]) + "\n"
