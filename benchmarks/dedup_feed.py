"""`python -m benchmarks.dedup_feed FILE LINES`: a feed of real URLs, the same for the same number of lines."""

import json
import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.lists import url_lists

_BEGAN = datetime(2026, 12, 1, tzinfo=UTC)
_SEED = 5
#: Lines that are written at a time; they have one time of the day.
_LINES = 1_000


def urls() -> list[str]:
    """Real URLs without the lists of paths in files; octets that are no UTF-8 are replaced."""
    found = []
    for name, texts in url_lists().items():
        if not name.endswith("_files"):
            found += [text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for text in texts]
    return found


def write_feed(path: Path, lines: int) -> None:
    """A feed of answers, each URL as often as chance has it."""
    choice = random.Random(_SEED)
    known = urls()
    digests = [f"sha1:{choice.getrandbits(160):040x}" for _ in known]
    heads = [json.dumps({"url": url})[:-1] for url in known]
    with path.open("w", encoding="ascii") as file:
        for start in range(0, lines, _LINES):
            time = (_BEGAN + timedelta(seconds=start // 10)).isoformat()
            file.writelines(
                f'{heads[page]}, "status": 200, "time": "{time}", "digest": "{digests[page]}"}}\n'
                for page in choice.choices(range(len(known)), k=min(_LINES, lines - start))
            )


if __name__ == "__main__":
    write_feed(Path(sys.argv[1]), int(sys.argv[2]))
