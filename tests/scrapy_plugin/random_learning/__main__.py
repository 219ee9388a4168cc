"""`python -m tests.scrapy_plugin.random_learning`: crawl random sites in both modes and print what came of it."""

from __future__ import annotations

import argparse
import sys

from tests.scrapy_plugin.random_learning.runs import AUDITED, compare, figures
from tests.scrapy_plugin.random_learning.sites import ALONE, PROFILES, plan


def main() -> int:
    """Exit status 1 where pages were lost or a crawl failed, but for the sites with rare exceptions."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.scrapy_plugin.random_learning", description=__doc__
    )
    parser.add_argument("--seeds", default="0-199", help="One seed, or the first and the last of a range.")
    parser.add_argument(
        "--profile",
        default="",
        choices=("", *PROFILES, "rare", *ALONE),
        metavar="PROFILE",
        help=f"Only such sites: {', '.join(PROFILES)}; and what no seed gives alone: rare, {', '.join(ALONE)}.",
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="A setting of the audited crawl."
    )
    given = parser.parse_args()
    first, _, last = given.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    settings = AUDITED | dict(one.split("=", 1) for one in given.set)
    if len(seeds) == 1:
        made = plan(seeds[0], given.profile)
        print(f"seed {made.seed}, {made.profile}: {made.settings}", *made.sections, sep="\n")
    pairs = compare(
        seeds, settings, profile=given.profile, processes=given.processes,
        progress=lambda: print(".", end="", file=sys.stderr, flush=True),
    )  # fmt: skip
    print(file=sys.stderr)
    failures = [one for pair in pairs for one in pair.failures()]
    print(*figures(pairs), *failures, sep="\n")
    if len(seeds) == 1:
        print(*(page for pair in pairs for pages in pair.lost.values() for page in pages), sep="\n")
    return int(bool(failures) and given.profile != "rare")


if __name__ == "__main__":
    sys.exit(main())
