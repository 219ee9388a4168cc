"""Each member of a class is told by which steps it is one with its representative."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from iri_canon.dedup.steps import Used, in_order, joining, place_of, used_by
from iri_canon.ladder import Ladder, Rung
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

    def steps(self, codes: Iterable[int]) -> list[Used]:
        """The steps that have these numbers."""
        known = list(self._codes)
        return [known[code] for code in codes]

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


class Explainer:
    """Says by which steps members are one with what represents them.

    ``ladder`` has the conventions that the user assumes.
    """

    def __init__(self, codes: Codes, ladder: Ladder) -> None:
        self._codes = codes
        self._ladder = ladder

    def explain(self, pairs: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of the table ``used`` for an ``id``, its ``url``, the ``other`` one that represents it, and its ``key``.

        ``evidence`` are the steps of the protocol rung that join the keys of both, as numbers.
        """
        for batch in pairs:
            ids, *columns = (
                batch.column(name).to_pylist() for name in ("id", "url", "other", "key", "evidence")
            )
            rows = [
                self._row(restored(url), restored(other), restored(known), found)
                for url, other, known, found in zip(*columns, strict=True)
            ]
            rungs, steps, syntaxes = zip(*rows, strict=True) if rows else ((), (), ())
            yield pa.RecordBatch.from_pydict(
                {"id": ids, "rung": rungs, "steps": steps, "syntax": syntaxes}, schema=_USED
            )

    def _row(
        self, url: str, other: str, other_key: str, evidence: list[int] | None
    ) -> tuple[int, list[int], bytes | None]:
        rung, used, syntax = joining(url, other, other_key)
        if rung is Rung.PROTOCOL and self._ladder.assumed and self._ladder.equivalent(url, other):
            used, evidence = used_by(self._ladder, url, other), None
        if rung is Rung.PROTOCOL and evidence:
            used = in_order([*used, *self._codes.steps(evidence)])
        return int(rung), [self._codes[each] for each in used], None if syntax is None else _digest(syntax)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
