"""`python -m suites` prints how many cases of each suite are equal; `--write` makes docs/suites.md."""

import sys

from suites.page import PATH, counts, page
from suites.reader import are_there


def main(arguments: list[str]) -> int:
    """Run the command: exit status 2 without the vectors, or for an argument that it does not know."""
    if not are_there() or arguments not in ([], ["--write"]):
        print("usage: python -m suites [--write], beside the folder of public vectors", file=sys.stderr)
        return 2
    if arguments:
        PATH.write_text(page(), encoding="utf-8")
    else:
        print("\n".join(counts()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
