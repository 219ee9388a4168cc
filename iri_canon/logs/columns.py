"""Records become columns: one schema for every format, numbered in the order of reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import pyarrow as pa

from iri_canon.logs.records import Bad, Hop, Outcome, Record
from iri_canon.logs.tally import Tally

HOPS: Final = pa.list_(pa.struct([("source", pa.string()), ("target", pa.string()), ("status", pa.int32())]))

SCHEMA: Final = pa.schema(
    [
        pa.field("number", pa.int64(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        ("status", pa.int32()),
        ("location", pa.string()),
        ("digest", pa.string()),
        ("time", pa.float64()),
        ("method", pa.string()),
        ("mime", pa.string()),
        ("led_by", HOPS),
        pa.field("counts", pa.bool_(), nullable=False),
        pa.field("file", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("line", pa.int64(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
    ]
)
"""``number`` counts the records of a run from 0; ``time`` is in seconds since 1970; ``offset`` in octets of the
decompressed data; ``method`` null is GET, ``mime`` null is not told. Text may be `carried`."""

PLACES: Final = ("file", "line", "offset")
"""The columns that say where a record stands; to find that takes its time."""

WITHOUT_PLACES: Final = pa.schema([field for field in SCHEMA if field.name not in PLACES])
"""For those who do not ask where a record stands."""

ROWS: Final = 1 << 16
"""Of a batch, at most."""

MARK: Final = "\0"
"""What a text begins with that is `carried` otherwise than as it is."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def carried(text: str) -> str:
    """Text as a column holds it: a column is UTF-8, and has no octets that were none, nor lone surrogates.

    Such text, and text that begins with NUL, stands behind a NUL with its surrogates spelt out. Two texts are equal
    where they are equal carried.

    >>> carried("http://h/\\udce9"), carried("http://h/é")
    ('\\x00http://h/\\\\udce9', 'http://h/é')
    """
    if _SURROGATE.search(text) is None and not text.startswith(MARK):
        return text
    return MARK + text.replace("\\", "\\\\").encode("utf-8", "backslashreplace").decode("utf-8")


def restored(text: str) -> str:
    """The text that `carried` was given.

    >>> restored(carried("a\\\\\\udce9\\\\udce9")) == "a\\\\\\udce9\\\\udce9"
    True
    """
    if not text.startswith(MARK):
        return text
    return re.sub(
        r"\\(\\|u([0-9a-f]{4}))", lambda found: chr(int(found[2], 16)) if found[2] else "\\", text[1:]
    )


def batches(
    outcomes: Iterable[Outcome], tally: Tally, first: int = 0, tell: Callable[[Bad], None] | None = None
) -> Iterator[pa.RecordBatch]:
    """The records among some outcomes, numbered from ``first``; what is none is counted.

    ``tell`` is given the first bad ones of each reason, and may raise to stop. What the outcomes raise is raised behind
    a last batch of what came before it.
    """
    rows: list[Record] = []
    try:
        for each in outcomes:
            if isinstance(each, Record):
                rows.append(each)
                tally.records += each.counts
                if len(rows) == ROWS:
                    yield batch_of(rows, first)
                    first += ROWS
                    rows = []
            elif isinstance(each, Bad):
                if tally.add_bad(each) and tell is not None:
                    tell(each)
            else:
                tally.without_url += 1
    except Exception:
        if rows:
            yield batch_of(rows, first)
        raise
    if rows:
        yield batch_of(rows, first)


def batch_of(rows: list[Record], first: int) -> pa.RecordBatch:
    """One batch of all rows, numbered from ``first``."""
    return pa.RecordBatch.from_arrays(
        [
            pa.array(range(first, first + len(rows)), pa.int64()),
            pa.array([carried(row.url) for row in rows], pa.string()),
            pa.array([row.status for row in rows], pa.int32()),
            pa.array([_carried(row.location) for row in rows], pa.string()),
            pa.array([_carried(row.digest) for row in rows], pa.string()),
            pa.array([row.time for row in rows], pa.float64()),
            pa.array([None if row.method == "GET" else carried(row.method) for row in rows], pa.string()),
            pa.array([carried(row.mime) if row.mime else None for row in rows], pa.string()),
            pa.array([hops(row.led_by) for row in rows], HOPS),
            pa.array([row.counts for row in rows], pa.bool_()),
            pa.array([carried(row.place.file) for row in rows], pa.string()).dictionary_encode(),
            pa.array([row.place.line for row in rows], pa.int64()),
            pa.array([row.place.offset for row in rows], pa.int64()),
        ],
        schema=SCHEMA,
    )


def hops(led_by: Iterable[Hop]) -> list[tuple[str, str, int | None]] | None:
    """What a column has for the redirects that led to a record; None where there are none."""
    return [(carried(hop.source), carried(hop.target), hop.status) for hop in led_by] or None


def _carried(text: str | None) -> str | None:
    return None if text is None else carried(text)
