"""What a block holds, all lines at once; a reader that is not sure of one line says nothing of the block."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.logs.blocks import Block
from iri_canon.logs.columns import SCHEMA
from iri_canon.logs.lines import LONGEST_LINE

# Python's own values would be converted at each call, in a tenth of a millisecond
_ONE: Final = pa.scalar(1, pa.int64())
_FIRST: Final = pa.scalar(0, pa.int32())
_TRUE: Final = pa.scalar(True, pa.bool_())
EMPTY: Final = pa.scalar("", pa.string())


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a block as a column, without their line feeds, each with its number and its offset.

    ``whole`` is the block as one text, but for the last line feed.
    """

    whole: pa.Array
    texts: pa.Array
    numbers: pa.Array
    offsets: pa.Array

    @classmethod
    def of(cls, block: Block) -> Lines | None:
        """None where not all of them are texts that a column holds as they are: NUL, octets that are no UTF-8.

        >>> lines = Lines.of(Block(b"a\\nb\\n", 7, 90))
        >>> lines.texts.to_pylist(), lines.numbers.to_pylist(), lines.offsets.to_pylist()
        (['a', 'b'], [7, 8], [90, 92])
        """
        octets = block.octets
        if octets is None or b"\0" in octets or not _is_utf8(octets):
            return None
        octets = octets.removesuffix(b"\n")
        ends = pa.py_buffer(struct.pack("=ii", 0, len(octets)))
        whole = pa.Array.from_buffers(pa.string(), 1, [None, ends, pa.py_buffer(octets)])
        texts = pc.split_pattern(whole, "\n").flatten()
        sizes = pc.add(pc.binary_length(texts).cast(pa.int64()), _ONE)
        if pc.max(sizes).as_py() > LONGEST_LINE:
            return None
        before = pa.scalar(block.offset, pa.int64())
        offsets = pc.subtract(pc.cumulative_sum(sizes, start=before), sizes)
        return cls(whole, texts, count(len(texts), block.line), offsets)

    def filter(self, mask: pa.Array) -> Lines:
        """Those that a mask is true for."""
        return Lines(
            self.whole, self.texts.filter(mask), self.numbers.filter(mask), self.offsets.filter(mask)
        )


def count(size: int, first: int) -> pa.Array:
    """Whole numbers from ``first``.

    >>> count(3, 5).to_pylist()
    [5, 6, 7]
    """
    return pc.cumulative_sum(pa.repeat(_ONE, size), start=pa.scalar(first - 1, pa.int64()))


@dataclass(frozen=True, slots=True)
class Rows:
    """The records among the lines of a block. A column that is not given is null; all text is `columns.carried`."""

    lines: Lines
    columns: Mapping[str, pa.Array]
    without_url: int = 0

    @property
    def size(self) -> int:
        """How many records there are."""
        return len(self.lines.texts)

    def batch(self, file: str, first: int) -> pa.RecordBatch:
        """A batch of records that count, numbered from ``first``; ``file`` is carried, too."""
        size = self.size
        known = {
            "number": count(size, first),
            "counts": pa.repeat(_TRUE, size),
            "file": pa.DictionaryArray.from_arrays(pa.repeat(_FIRST, size), pa.array([file], pa.string())),
            "line": self.lines.numbers,
            "offset": self.lines.offsets,
            **self.columns,
        }
        arrays = [known.get(field.name) for field in SCHEMA]
        return pa.RecordBatch.from_arrays(
            [
                pa.nulls(size, field.type) if array is None else array
                for field, array in zip(SCHEMA, arrays, strict=True)
            ],
            schema=SCHEMA,
        )


def _is_utf8(octets: bytes) -> bool:
    if octets.isascii():
        return True
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
