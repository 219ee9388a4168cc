"""`python -m benchmarks.dedup_ways WAY LOG [MEMORY]`: one way to count the pages of a feed, in a process of its own."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

LOOP = "json.loads, canonicalize_url, set"
DUCKDB = "DuckDB count(distinct url)"
READING = "reading and keys"
COMMAND = "iri-canon dedup"


def loop(log: str, _: str | None) -> int:
    """What a crawl's own script does; a URL that w3lib refuses stands for itself."""
    from w3lib.url import canonicalize_url

    found = set()
    with Path(log).open(encoding="utf-8") as lines:
        for line in lines:
            url = json.loads(line)["url"]
            try:
                found.add(canonicalize_url(url))
            except ValueError:
                found.add(url)
    return len(found)


def duckdb_count(log: str, _: str | None) -> int:
    """No canonicalization at all."""
    import duckdb

    found = duckdb.execute("SELECT count(DISTINCT url) FROM read_json(?)", [log]).fetchone()
    assert found is not None
    return int(found[0])


def reading(log: str, _: str | None) -> int:
    """All columns of the log, and the keys of its distinct URLs."""
    import pyarrow as pa

    from iri_canon.arrow import keys
    from iri_canon.logs import LogFile
    from iri_canon.logs.reading import read
    from iri_canon.logs.tally import Tally

    urls = pa.chunked_array(
        [batch.column("url") for batch in read(LogFile(log), Tally(log))], pa.string()
    ).unique()
    return len(keys(urls).unique())


def command(log: str, memory: str | None) -> int:
    """End to end: the classes in a file of Parquet."""
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "classes.parquet"
        asked = [sys.executable, "-m", "iri_canon", "dedup", log, "-o", str(output), "--quiet"]
        subprocess.run([*asked, *(["--memory", memory] if memory else [])], check=True)
        return int(pq.ParquetFile(output).metadata.num_rows)


WAYS: dict[str, Callable[[str, str | None], int]] = {
    LOOP: loop,
    DUCKDB: duckdb_count,
    READING: reading,
    COMMAND: command,
}

if __name__ == "__main__":
    way, log, memory = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None
    print(WAYS[way](log, memory))
