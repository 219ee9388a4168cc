"""What an import costs a process that has just begun: each in one of its own, in turn."""

import subprocess
import sys
from statistics import median

from benchmarks.peers import OURS, PEERS
from benchmarks.rounds import rotated
from benchmarks.sections import Figures, Run, Section
from benchmarks.tables import Table, times

QUICK_ROUNDS = 1
#: A process is short: more rounds cost little.
ROUNDS_TIMES = 3
SCRIPT = """\
import sys
from time import perf_counter_ns, process_time_ns
clock, own = perf_counter_ns(), process_time_ns()
try:
    __import__(sys.argv[1])
except ImportError:
    sys.exit(3)
print(perf_counter_ns() - clock, process_time_ns() - own, len(sys.modules))
"""
MISSING = 3
TEXT = """\
`import` in a fresh interpreter, its own start not counted; what was compiled is in its cache. Medians of {rounds}
rounds in turn; modules are all that are loaded then, the interpreter's own included.
"""


def measure(run: Run) -> Figures:
    """Milliseconds by module, of the clock and of the processor."""
    turns = QUICK_ROUNDS if run.quick else run.rounds * ROUNDS_TIMES
    names = [peer.module for peer in PEERS]
    advance = run.bar("imports", (turns + 1) * len(names))
    taken: dict[str, list[tuple[float, float, int]]] = {}
    for turn in range(-1, turns):  # the first compiles
        for name in rotated(names, turn):
            found = imported(name)
            if found is not None and turn >= 0:
                taken.setdefault(name, []).append(found)
            advance()
    figures = {
        name: {
            "ms": median(clock for clock, _, _ in each),
            "cpu_ms": median(own for _, own, _ in each),
            "modules": each[0][2],
        }
        for name, each in taken.items()
    }
    return {"rounds": turns, "imports": figures}


def imported(module: str) -> tuple[float, float, int] | None:
    """Milliseconds of the clock and of the processor, and modules loaded; None where it is not installed."""
    asked = [sys.executable, "-c", SCRIPT, module]
    told = subprocess.run(asked, stdout=subprocess.PIPE, text=True, check=False)
    if told.returncode == MISSING:
        return None
    told.check_returncode()
    clock, own, modules = map(int, told.stdout.split())
    return clock / 1e6, own / 1e6, modules


def text(figures: Figures) -> str:
    return TEXT.format(rounds=figures["rounds"])


def tables(figures: Figures) -> list[Table]:
    ours = next(peer.module for peer in PEERS if peer.name == OURS)
    whole = figures["imports"]
    rows = [
        (
            name,
            f"{one['ms']:.1f}",
            f"{one['cpu_ms']:.1f}",
            f"{one['modules']:,}",
            times(one["ms"] / whole[ours]["ms"]),
        )
        for name, one in whole.items()
    ]
    headings = ("import", "ms", "ms of processor time", "modules", f"times {ours}")
    return [Table("Imports", headings, rows)]


SECTION = Section("imports", "An import", measure, text, tables)
