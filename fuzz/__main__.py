"""`python -m fuzz --seconds N [TARGET ...]` seeks what breaks a law; `python -m fuzz TARGET FILE` tries it again."""

import argparse
import importlib.util
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from fuzz import ROOT, corpus
from fuzz.targets import TARGETS, run

#: Where the inputs that break a law are left.
FINDINGS: Final = ROOT / "fuzz" / "findings"
LONGEST_INPUT: Final = 512
SECONDS_FOR_ONE_INPUT: Final = 20
MEGABYTES: Final = 2048


def main() -> int:
    """The exit status: 0 where no law is broken, 1 where one is, 2 where nothing could run."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="TARGET", help=f"{', '.join(TARGETS)}; all if none is named"
    )
    parser.add_argument(
        "--seconds",
        type=int,
        default=120,
        help="for all targets together (default: 120); no target stops before it has started and run through all seeds,"
        " so that few seconds are exceeded",
    )
    arguments = parser.parse_args()
    names: list[str] = arguments.names or list(TARGETS)
    if len(names) == 2 and names[0] in TARGETS and Path(names[1]).is_file():
        return replay(names[0], Path(names[1]))
    if len(names) == 2 and names[0] in TARGETS and names[1] not in TARGETS:
        parser.error(f"no such file, and no target: {names[1]!r} (targets: {', '.join(TARGETS)})")
    if unknown := [name for name in names if name not in TARGETS]:
        parser.error(f"no target {unknown[0]!r}: there are {', '.join(TARGETS)}")
    if importlib.util.find_spec("atheris") is None:
        return without_atheris()
    return fuzz(names, arguments.seconds)


def without_atheris() -> int:
    """atheris has wheels for CPython up to 3.14 on Linux (x86_64), and needs LLVM's sources elsewhere."""
    has_wheel = sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info < (3, 15)
    if has_wheel:
        print(
            "fuzzing needs atheris: install the extra 'fuzz' (in a clone: pip install '.[fuzz]')",
            file=sys.stderr,
        )
        return 2
    print(
        f"fuzzing skipped: atheris has no wheel for Python {platform.python_version()} on {platform.platform()}"
    )
    return 0


def replay(name: str, path: Path) -> int:
    """Try one input again, without atheris: a law that it breaks shows as its traceback."""
    run(TARGETS[name], path.read_bytes())
    print(f"{name}: {path} breaks no law")
    return 0


def fuzz(names: list[str], seconds: int) -> int:
    """Each target in a process of its own, as many at once as there are processors."""
    FINDINGS.mkdir(exist_ok=True)
    workers = min(len(names), os.cpu_count() or 1)
    share = max(1, seconds * workers // len(names))
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds"
        dictionary = corpus.write(seeds)
        with ThreadPoolExecutor(workers) as pool:
            outcomes = pool.map(lambda name: fuzz_one(name, share, seeds, dictionary), names)
            return max(outcomes, default=0)


def fuzz_one(name: str, seconds: int, seeds: Path, dictionary: Path) -> int:
    """Run one target for a time; a line says how much was tried, or what broke and how to try it again."""
    grown = seeds.with_name(f"{name}.corpus")
    grown.mkdir()
    before = set(FINDINGS.iterdir())
    start = time.monotonic()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "fuzz.engine", name, str(grown), str(seeds)),
            f"-dict={dictionary}",
            f"-max_total_time={seconds}",
            f"-max_len={LONGEST_INPUT}",
            f"-timeout={SECONDS_FOR_ONE_INPUT}",
            f"-rss_limit_mb={MEGABYTES}",
            f"-artifact_prefix={FINDINGS}/{name}-",
            "-print_final_stats=1",
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="backslashreplace",
        check=False,
    )
    if done.returncode == 0:
        inputs = _figure(r"stat::number_of_executed_units: *([0-9]+)", done.stdout)
        coverage = _figure(r"cov: ([0-9]+)", done.stdout)
        took = f"{time.monotonic() - start:.0f} s"
        print(f"{name}: {inputs} inputs in {took}, coverage {coverage}, no law broken", flush=True)
        return 0
    print(done.stdout[-4000:])
    found = [path for path in sorted(set(FINDINGS.iterdir()) - before) if path.name.startswith(f"{name}-")]
    for path in found:
        print(f"input {path.read_bytes()!r}\ntry it again: python -m fuzz {name} {path}")
    if not found:  # without an input it is no law: a module that is missing, a fuzzer that was killed
        print(f"{name}: the fuzzer itself failed with exit status {done.returncode}", flush=True)
        return 2
    print(f"{name}: a law is broken", flush=True)
    return 1


def _figure(pattern: str, output: str) -> str:
    found = re.findall(pattern, output)
    return f"{int(found[-1]):,}" if found else "unknown"


if __name__ == "__main__":
    sys.exit(main())
