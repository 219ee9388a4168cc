"""What a block holds, all lines at once; a reader that is not sure of one line says nothing of the block."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.logs.blocks import Block
from iri_canon.logs.columns import SCHEMA
from iri_canon.logs.lines import LONGEST_LINE

# Python's own values would be converted at each call, in a tenth of a millisecond
_SPACE: Final = pa.scalar(0x20, pa.uint8())
_ONE: Final = pa.scalar(1, pa.int64())
_ZERO: Final = pa.scalar(0, pa.int64())
_FIRST: Final = pa.scalar(0, pa.int32())
_TRUE: Final = pa.scalar(True, pa.bool_())
EMPTY: Final = pa.scalar("", pa.string())


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a block as a column, without their line feeds, each with its number and its offset.

    ``whole`` is the block as one text, but for the last line feed. ``texts`` None: they were not cut yet.
    """

    whole: pa.Array
    texts: pa.Array | None
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
        whole = _whole(octets)
        texts = pc.split_pattern(whole, "\n").flatten()
        sizes = pc.add(pc.binary_length(texts).cast(pa.int64()), _ONE)
        if pc.max(sizes).as_py() > LONGEST_LINE:
            return None
        before = pa.scalar(block.offset, pa.int64())
        offsets = pc.subtract(pc.cumulative_sum(sizes, start=before), sizes)
        return cls(whole, texts, count(len(texts), block.line), offsets)

    @classmethod
    def uncut(cls, block: Block) -> Lines | None:
        """The same without their texts, where there is no control but line feeds; this takes little time.

        >>> lines = Lines.uncut(Block(b"a\\nb\\n", 7, 90))
        >>> lines.numbers.to_pylist(), lines.offsets.to_pylist(), lines.cut(7).to_pylist()
        ([7, 8], [90, 92], ['a', 'b'])
        >>> Lines.uncut(Block(b"a\\r\\n"))
        """
        octets = block.octets
        if not octets or not _is_utf8(octets):
            return None
        numbers = pa.Array.from_buffers(pa.uint8(), len(octets), [None, pa.py_buffer(octets)])
        is_control = pc.less(numbers, _SPACE)
        if is_control.true_count != octets.count(b"\n"):
            return None
        ends = pc.add(pc.indices_nonzero(is_control).cast(pa.int64()), _ONE)
        if octets.endswith(b"\n"):
            ends = ends[:-1]
        starts = pa.concat_arrays([pa.repeat(_ZERO, 1), ends])
        if len(ends) and pc.max(pc.subtract(ends, starts[:-1])).as_py() > LONGEST_LINE:
            return None
        return cls(
            _whole(octets),
            None,
            count(len(starts), block.line),
            pc.add(starts, pa.scalar(block.offset, pa.int64())),
        )

    def cut(self, first: int) -> pa.Array:
        """The texts, of a block that begins with the line of number ``first``."""
        if self.texts is not None:
            return self.texts
        return (
            pc.split_pattern(self.whole, "\n")
            .flatten()
            .take(pc.subtract(self.numbers, pa.scalar(first, pa.int64())))
        )

    def filter(self, mask: pa.Array) -> Lines:
        """Those that a mask is true for."""
        return Lines(
            self.whole,
            None if self.texts is None else self.texts.filter(mask),
            self.numbers.filter(mask),
            self.offsets.filter(mask),
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
        return len(self.lines.numbers)

    def batch(self, file: str, first: int) -> pa.RecordBatch:
        """A batch of records that count, numbered from ``first``; ``file`` is carried, too."""
        size = self.size
        known = {
            "number": count(size, first),
            "counts": pa.repeat(_TRUE, size),
            "file": pa.DictionaryArray.from_arrays(pa.repeat(_FIRST, size), column_of([file])),
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


def column_of(texts: Sequence[str]) -> pa.Array:
    """A column of texts, none of them with a lone surrogate.

    `pyarrow.array` looks for further libraries at each call, which takes most of a millisecond where they are missing.

    >>> column_of(["a", "é"]).to_pylist()
    ['a', 'é']
    """
    octets = [text.encode("utf-8") for text in texts]
    ends = struct.pack(f"={len(octets) + 1}i", *accumulate(map(len, octets), initial=0))
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(octets))]
    return pa.Array.from_buffers(pa.string(), len(octets), buffers)


def mask_of(rows: Iterable[int], size: int) -> pa.Array:
    """A column of so many truth values, true in some rows.

    >>> mask_of([1], 3).to_pylist()
    [False, True, False]
    """
    bits = bytearray(size // 8 + 1)
    for row in rows:
        bits[row >> 3] |= 1 << (row & 7)
    return pa.Array.from_buffers(pa.bool_(), size, [None, pa.py_buffer(bits)])


def _whole(octets: bytes) -> pa.Array:
    size = len(octets) - octets.endswith(b"\n")
    ends = pa.py_buffer(struct.pack("=ii", 0, size))
    return pa.Array.from_buffers(pa.string(), 1, [None, ends, pa.py_buffer(octets)])


def _is_utf8(octets: bytes) -> bool:
    if octets.isascii():
        return True
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
