"""The time of a key against the length of its text: ordinary text, text full of work, and the slowest hostile kind."""

from statistics import median

from benchmarks import hostile
from benchmarks.peers import CAN_ADA, OURS, PURE, SHORT, W3LIB, Function, contestants
from benchmarks.rounds import collector_paused, rotated, time_over
from benchmarks.sections import Figures, Run, Section
from benchmarks.tables import Table, times

LENGTHS, QUICK_LENGTHS = (100, 1_000, 10_000, 100_000, 1_000_000), (100, 2_000)
QUICK_ROUNDS = 1
#: Characters that one round goes through, whatever the length of a text.
ENOUGH, QUICK_ENOUGH = 200_000, 2_000
ORDINARY, WORK, HOSTILE = "ordinary", "all of it changes", "the slowest hostile"
KINDS = {
    ORDINARY: hostile.Kind("path/of-a/page_", "http://www.example.com/", "?id=1&name=two"),
    WORK: hostile.Kind("%7Ea/../%c3%a9/", "HTTP://www.Example.com:80/", "?id=%41"),
}
#: Seconds that one text may take; who takes longer is given no longer text.
PATIENCE = 3.0
#: Nanoseconds that are more than the noise of a clock.
MEASURABLE = 20e6
PARTNERS = (OURS, PURE, CAN_ADA, W3LIB)
TEXT = """\
Microseconds of processor time for one text, medians of {rounds} rounds in turn, with what it takes a character in
brackets (ns): where that stays, time is linear. The slowest of {kinds} hostile kinds at the largest length is
"{slowest}" (for `iri_canon.key`); there the others are given the same text, and what they refuse costs them what
they took to refuse it. Who takes more than {patience:g} s for one text is given no longer one.

![time against length, memory and look-ups against the number of URLs](performance-growth.svg)
"""


def measure(run: Run) -> Figures:
    """Nanoseconds a text by kind, contestant and length."""
    functions, _ = contestants()
    lengths = QUICK_LENGTHS if run.quick else LENGTHS
    turns, enough = (QUICK_ROUNDS, QUICK_ENOUGH) if run.quick else (run.rounds, ENOUGH)
    own = {who: function for who, function in functions.items() if who in PARTNERS}
    advance = run.bar("lengths", 1 + turns * len(lengths) * 3 * len(own))
    slowest = hostile.worst_of(functions[OURS], lengths[-1] // 100, lengths[-1], hostile.tried(run)).kind
    advance()
    kinds = KINDS | {HOSTILE: hostile.KINDS[slowest]}
    taken: dict[str, dict[str, dict[int, list[float]]]] = {
        kind: {who: {length: [] for length in lengths} for who in own} for kind in kinds
    }
    out_of_patience: set[tuple[str, str]] = set()
    for turn in range(turns):
        for name, kind in kinds.items():
            for length in lengths:
                text = kind.text(length)
                for who in rotated(own, turn):
                    advance()
                    if (name, who) in out_of_patience and (turn == 0 or not taken[name][who][length]):
                        continue
                    spent = one_text(own[who], text, enough)
                    taken[name][who][length].append(spent)
                    if spent > PATIENCE * 1e9:
                        out_of_patience.add((name, who))
    return {
        "rounds": turns,
        "slowest": slowest,
        "lengths": list(lengths),
        "ns": {
            kind: {
                who: [median(each) for each in by_length.values() if each] for who, by_length in row.items()
            }
            for kind, row in taken.items()
        },
    }


def one_text(function: Function, text: str, enough: int) -> float:
    """Nanoseconds of processor time, of as many calls as can be told from none, or go through enough characters."""
    with collector_paused():
        spent, _ = time_over(function, [text])
        calls = min(enough // len(text), int(MEASURABLE / max(spent, 1)))
        if calls > 1:
            spent, _ = time_over(function, [text] * calls)
    return spent


def at_longest(figures: Figures, kind: str, who: str) -> float | None:
    """Nanoseconds for the longest text; None for who was not given it."""
    ns = figures["ns"][kind][who]
    return ns[-1] if len(ns) == len(figures["lengths"]) else None


def text(figures: Figures) -> str:
    return TEXT.format(
        rounds=figures["rounds"], kinds=len(hostile.KINDS), slowest=figures["slowest"], patience=PATIENCE
    )


def tables(figures: Figures) -> list[Table]:
    lengths = figures["lengths"]
    rows = []
    for kind, row in figures["ns"].items():
        for who, ns in row.items():
            cells = [
                f"{one / 1000:,.1f} ({times(one / length)})" for one, length in zip(ns, lengths, strict=False)
            ]
            longest, peers = at_longest(figures, kind, who), at_longest(figures, ORDINARY, CAN_ADA)
            ratio = times(longest / peers) if longest and peers else ""
            rows.append((kind, SHORT[who], *cells, *[""] * (len(lengths) - len(ns)), ratio))
    headings = (
        *("text", "who", *(f"{length:,}" for length in lengths)),
        "longest: times can_ada on ordinary text",
    )
    return [Table("µs a text by its length in characters (ns a character)", headings, rows, names=2)]


SECTION = Section("lengths", "A key of a long text", measure, text, tables)
