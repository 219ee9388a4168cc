"""`python docs/make_suites.py` prints how many cases of each suite are equal, and writes docs/suites.md."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> int:
    """Run the command: exit status 1 where the folder of public vectors is absent."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from folders import NO_SHARED_FOLDER
    from suites import page, reader

    if not reader.are_there():
        print(NO_SHARED_FOLDER, file=sys.stderr)
        return 1
    page.PATH.write_text(page.page(), encoding="utf-8")
    print("\n".join([*page.counts(), "", page.judged()]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
