"""The figures as two pictures: bars for each list and library, and curves of what grows; both axes as logarithms."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks import keys, lengths, seen, seen_child
from benchmarks.peers import OURS, PURE, SHORT
from benchmarks.sections import Figures

LISTS, GROWTH = "performance-lists.svg", "performance-growth.svg"
#: Ours stand out, the others are told apart by the order and the legend.
OWN_COLOURS = {OURS: "#b2182b", PURE: "#ef8a62"}
OTHERS = (
    "#053061",
    "#2166ac",
    "#4393c3",
    "#92c5de",
    "#1b7837",
    "#5aae61",
    "#a6dba0",
    "#762a83",
    "#9970ab",
    "#777777",
)
INCH_A_LIST = 1.05


def write(report: dict[str, Any], folder: Path) -> list[Path]:
    """Write what the report has figures for; the same figures give the same octets."""
    found = {name: each["figures"] for name, each in report["sections"].items()}
    paths = []
    # Text stays text, so that the picture is small and can be searched; names within it are no chance.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "benchmarks"}):
        if keys.SECTION.name in found:
            paths.append(_save(bars(found[keys.SECTION.name]), folder / LISTS))
        if lengths.SECTION.name in found and seen.SECTION.name in found:
            paths.append(
                _save(curves(found[lengths.SECTION.name], found[seen.SECTION.name]), folder / GROWTH)
            )
    return paths


def bars(figures: Figures) -> Figure:
    """A group for each list, a bar for each library."""
    lists = figures["keys"]
    who = [each for each in lists[keys.ALL]["ns"] if each != keys.EMPTY_CALL]
    colours = _colours(who)
    figure = Figure(figsize=(12, 1.5 + INCH_A_LIST * len(lists)), layout="constrained")
    axes = figure.subplots()
    height = 0.85 / len(who)
    for number, each in enumerate(who):
        places = [place + (number - (len(who) - 1) / 2) * height for place in range(len(lists))]
        values = [line["ns"][each] / 1000 for line in lists.values()]
        axes.barh(places, values, height, label=SHORT[each], color=colours[each])
    axes.set_yticks(range(len(lists)), [f"{name}\n{line['urls']:,} URLs" for name, line in lists.items()])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel(f"µs a URL, processor time, median of {figures['rounds']} rounds")
    axes.grid(axis="x", which="both", alpha=0.3)
    axes.margins(y=0.01)
    figure.legend(loc="outside upper center", ncols=len(who))
    return figure


def curves(long_texts: Figures, grown: Figures) -> Figure:
    """Time against length; memory, disk and look-ups against the number of URLs."""
    figure = Figure(figsize=(12, 9), layout="constrained")
    (time, memory), (room, look_ups) = figure.subplots(2, 2)
    for kind, style in ((lengths.ORDINARY, "-"), (lengths.HOSTILE, "--")):
        row = long_texts["ns"][kind]
        for who, colour in _colours(list(row)).items():
            micro = [ns / 1000 for ns in row[who]]
            label = f"{SHORT[who]}, {kind}"
            time.plot(
                long_texts["lengths"][: len(micro)], micro, style, marker="o", color=colour, label=label
            )
    _head(time, "A key, by the length of its text", "characters", "µs")
    ways = ((seen_child.MEMORY, "-", "the store"), (seen_child.REQUESTS, "--", "the whole filter"))
    for how, style, name in ways:
        _by_filter(memory, grown[how], "resident", 1e6, style, name)
    _head(memory, "In memory", "URLs", "resident MB")
    for what, style in (("disk", "-"), ("resident", "--")):
        _by_filter(room, grown[seen_child.JOB_DIR], what, 1e6, style, what)
    _head(room, "In a JOBDIR", "URLs", "MB")
    for how, style in ((seen_child.MEMORY, "-"), (seen_child.JOB_DIR, "--")):
        _by_filter(look_ups, grown[how], "look_up_ns", 1, style, how)
    _head(look_ups, "A look-up", "URLs", "ns")
    return figure


def _by_filter(
    axes: Any, by_filter: dict[str, list[dict[str, Any]]], what: str, unit: float, style: str, name: str
) -> None:
    for (who, rows), colour in zip(by_filter.items(), (OWN_COLOURS[OURS], OTHERS[0]), strict=True):
        # A process may end with less than it began with, and a logarithm has no place for it.
        points = [(row["urls"], row[what] / unit) for row in rows if row[what] > 0]
        axes.plot(*zip(*points, strict=True), style, marker="o", color=colour, label=f"{who}, {name}")


def _head(axes: Any, title: str, x: str, y: str) -> None:
    axes.set(title=title, xlabel=x, ylabel=y, xscale="log", yscale="log")
    axes.grid(which="both", alpha=0.3)
    axes.legend(fontsize="small", handlelength=4)


def _colours(who: Sequence[str]) -> dict[str, str]:
    others = iter(OTHERS)
    return {each: OWN_COLOURS[each] if each in OWN_COLOURS else next(others) for each in who}


def _save(figure: Figure, path: Path) -> Path:
    figure.savefig(path, format="svg", metadata={"Date": None})
    return path
