"""Each member of a class is told by which steps it is one with its representative."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from iri_canon.dedup.steps import Used, joining, place_of
from iri_canon.ladder import Rung, key
from iri_canon.logs.columns import restored

_USED: Final = pa.schema(
    [("id", pa.int64()), ("rung", pa.int32()), ("steps", pa.list_(pa.int32())), ("syntax", pa.binary())]
)


class Codes:
    """Steps have numbers in tables.

    >>> from iri_canon.ladder import Rung
    >>> codes = Codes()
    >>> codes[Used(Rung.SCHEME, "b", "")], codes[Used(Rung.SYNTAX, "a", "")], codes[Used(Rung.SCHEME, "b", "")]
    (0, 1, 0)
    >>> codes.as_batch().column("place").to_pylist()
    [1, 0]
    """

    def __init__(self) -> None:
        self._codes: dict[Used, int] = {}

    def __getitem__(self, used: Used) -> int:
        return self._codes.setdefault(used, len(self._codes))

    def names(self, codes: pa.ListArray) -> pa.ListArray:
        """The names of the steps in a column of lists of numbers."""
        names = pa.array([used.name for used in self._codes], pa.string())
        return pa.ListArray.from_arrays(codes.offsets, names.take(codes.values), mask=None)

    def as_batch(self) -> pa.RecordBatch:
        """All of them, with the place of each in the order of the ladder."""
        steps = list(self._codes)
        places = {used: place for place, used in enumerate(sorted(steps, key=place_of))}
        return pa.RecordBatch.from_pydict(
            {
                "code": pa.array(range(len(steps)), pa.int32()),
                "rung": pa.array([int(used.rung) for used in steps], pa.int32()),
                "name": pa.array([used.name for used in steps], pa.string()),
                "clause": pa.array([used.clause for used in steps], pa.string()),
                "place": pa.array([places[used] for used in steps], pa.int32()),
            }
        )


def explain_members(pairs: Iterable[pa.RecordBatch], codes: Codes) -> Iterator[pa.RecordBatch]:
    """The rung and the steps for each ``id`` with its ``url`` and the ``other`` one that represents it."""
    for batch in pairs:
        rows: list[tuple[int, list[int], bytes | None]] = []
        for carried_url, carried_other in zip(
            batch.column("url").to_pylist(), batch.column("other").to_pylist(), strict=True
        ):
            url, other = restored(carried_url), restored(carried_other)
            rung, used = joining(url, other)
            syntax = None if rung <= Rung.SYNTAX else _digest(key(url, Rung.SYNTAX))
            rows.append((int(rung), [codes[each] for each in used], syntax))
        rungs, steps, syntaxes = zip(*rows, strict=True) if rows else ((), (), ())
        columns = [batch.column("id"), pa.array(rungs), pa.array(steps), pa.array(syntaxes)]
        yield pa.RecordBatch.from_arrays(
            [column.cast(field.type) for column, field in zip(columns, _USED, strict=True)], schema=_USED
        )


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
