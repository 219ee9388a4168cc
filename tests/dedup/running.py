"""Logs that a test writes as rows of a feed, deduplicated."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from logs.reading import records

from iri_canon.dedup import Engine, Options
from iri_canon.logs.columns import batches, restored
from iri_canon.logs.records import Outcome
from iri_canon.logs.tally import Tally

Row = Mapping[str, Any]

A, B, C = "http://h.example/x/a/", "http://h.example/x/a", "http://h.example/x/A"


def feed(rows: Iterable[Row | str]) -> list[Outcome]:
    """The records of a feed; a row that is a text is a URL."""
    lines = (json.dumps({"url": row} if isinstance(row, str) else row) for row in rows)
    return list(records("jsonl", "\n".join(lines)))


@contextmanager
def deduplicated(*logs: Iterable[Outcome], **options: Any) -> Iterator[Engine]:
    """An engine that has read some logs and put them into classes."""
    with Engine(Options(**options)) as engine:
        first = 0
        for log in logs:
            tally = Tally("log")
            engine.read(batches(log, tally, first))
            first += tally.records
        engine.cluster()
        yield engine


def rows_of(given: Iterable[Any]) -> list[dict[str, Any]]:
    """The rows of batches, with their texts as they were found."""
    return [
        {name: _restored(value) for name, value in row.items()}
        for batch in given
        for row in batch.to_pylist()
    ]


def _restored(value: Any) -> Any:
    if isinstance(value, list):
        return [_restored(each) for each in value]
    return restored(value) if isinstance(value, str) else value


def classes(rows: Iterable[Row | str], **options: Any) -> list[dict[str, Any]]:
    """The classes of a feed."""
    with deduplicated(feed(rows), **options) as engine:
        return rows_of(engine.classes())


def groups(rows: Iterable[Row | str], **options: Any) -> list[list[str]]:
    """The spellings of each class of a feed."""
    return [row["urls"] for row in classes(rows, **options)]


def move(source: str = A, target: str = B, status: int | None = 301, **fields: Any) -> dict[str, Any]:
    """A row of a redirect."""
    return {"url": source, "status": status, "location": target, **fields}


def page(url: str = B, digest: str | None = None, status: int = 200, **fields: Any) -> dict[str, Any]:
    """A row of a page."""
    return {"url": url, "status": status, "digest": digest, **fields}
