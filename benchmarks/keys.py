"""One text at a time: our key, both tiers where there are two, and every peer, over each list and over all of them."""

from statistics import median

from benchmarks import rounds
from benchmarks.lists import shared_folder, url_lists
from benchmarks.peers import CAN_ADA, OURS, PURE, SHORT, W3LIB, Function, contestants
from benchmarks.sections import Figures, Run, Section
from benchmarks.tables import Table, micro, times

QUICK_LINES, QUICK_ROUNDS = 200, 2
ALL = "all lists"
EMPTY_CALL = "an empty call"
TEXT = """\
Everyone gets each text in turn, in one process; who begins changes from round to round. The figures are processor
time, medians of {rounds} rounds, with the loop and its call in them: for a call that does nothing that is
{empty:.0f} ns. can_ada, yarl, urlcanon and Scrapy take two calls for a text; the function around them is in their
figures. Caches are left as they are, for everyone: a list that is shorter than a cache is read from it after the
first round. The other libraries do other work (a WHATWG URL parser is no canonicalizer by RFC 3987, ural and surt
leave out more than any RFC allows, and none of them explains itself), so the ratios say what a crawl pays, not who
is better.

{data}: {urls:,} URLs. Here `iri_canon.key` is the {tier}.
{left_out}
![each list, each library](performance-lists.svg)
"""


def nothing(text: str) -> None:
    """What the loop alone costs."""


def measure(run: Run) -> Figures:
    """Nanoseconds a URL by list and contestant, and by round over all lists."""
    functions, left_out = contestants()
    return over(url_lists(QUICK_LINES if run.quick else None), functions, run) | {
        "left_out": left_out,
        "shared": shared_folder() is not None,
    }


def over(lists: dict[str, list[str]], functions: dict[str, Function], run: Run) -> Figures:
    """The same over lists and functions of one's own."""
    turns = QUICK_ROUNDS if run.quick else run.rounds
    everyone = functions | {EMPTY_CALL: nothing}
    advance = run.bar("one text", turns * len(lists) * len(everyone))
    by_list = rounds.take_turns(everyone, lists, turns, advance)
    sizes = {name: len(texts) for name, texts in lists.items()}
    whole = sum(sizes.values())
    by_round = {
        who: [
            sum(by_list[name][who].rounds[turn] * size for name, size in sizes.items()) / whole
            for turn in range(turns)
        ]
        for who in everyone
    }
    keys = {
        name: {"urls": sizes[name], "ns": {who: one.median for who, one in row.items()}}
        for name, row in by_list.items()
    }
    keys[ALL] = {"urls": whole, "ns": {who: median(each) for who, each in by_round.items()}}
    return {
        "rounds": turns,
        "keys": keys,
        "by_round": by_round,
        "refused": {who: sum(row[who].refused for row in by_list.values()) for who in everyone},
    }


def ratios(figures: Figures, who: str, to: str) -> tuple[float, float, float]:
    """How many times the time of `to` it takes over all lists, round by round: the least, the median, the most."""
    pairs = zip(figures["by_round"][who], figures["by_round"][to], strict=True)
    found = [one / other for one, other in pairs]
    return min(found), median(found), max(found)


def text(figures: Figures) -> str:
    left_out = "".join(f"\nLeft out: {who} ({why}).\n" for who, why in figures["left_out"].items())
    data = "Public lists of real URLs, junk included" if figures["shared"] else "The project's own list"
    whole = figures["keys"][ALL]
    tier = (
        "kernel; its other tier is measured beside it"
        if PURE in whole["ns"]
        else "pure tier, the only one built"
    )
    return TEXT.format(
        rounds=figures["rounds"],
        empty=whole["ns"][EMPTY_CALL],
        data=data,
        urls=whole["urls"],
        tier=tier,
        left_out=left_out,
    )


def tables(figures: Figures) -> list[Table]:
    return [overall(figures), ahead(figures), by_list(figures)]


def overall(figures: Figures) -> Table:
    """Everyone over all lists, with the spread of the rounds."""
    rows = []
    for who, each in figures["by_round"].items():
        least, middle, most = ratios(figures, who, OURS)
        refused = f"{figures['refused'][who]:,}"
        rows.append((who, micro(median(each)), times(middle), f"{times(least)} to {times(most)}", refused))
    headings = ("over all lists", "µs a URL", f"times {OURS}", "least to most of the rounds", "refused")
    return Table("All lists together", headings, rows)


def ahead(figures: Figures) -> Table:
    """How many times as fast ours is, list by list."""
    tiers = [who for who in (OURS, PURE) if who in figures["by_round"]]
    others = [who for who in (CAN_ADA, W3LIB) if who in figures["by_round"]]
    pairs = [(one, other) for one in tiers for other in others]
    rows = []
    for name, line in figures["keys"].items():
        cells = (times(line["ns"][other] / line["ns"][one]) for one, other in pairs)
        rows.append((name, *cells))
    headings = ("list", *(f"{SHORT[one]}: {SHORT[other]}" for one, other in pairs))
    return Table("How many times as fast as the fastest parser and as Scrapy's canonicalizer", headings, rows)


def by_list(figures: Figures) -> Table:
    """Everyone on every list."""
    who = [each for each in figures["by_round"] if each != EMPTY_CALL]
    rows = [
        (name, f"{line['urls']:,}", *(micro(line["ns"][each]) for each in who))
        for name, line in figures["keys"].items()
    ]
    names = ", ".join(f"{SHORT[each]}: {each}" for each in who if SHORT[each] != each)
    headings = ("list", "URLs", *(SHORT[each] for each in who))
    return Table("Each list, median of the rounds, µs a URL", headings, rows, note=f"{names}.")


SECTION = Section("keys", "A key", measure, text, tables)
