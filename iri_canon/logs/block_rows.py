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
from iri_canon.logs.columns import SCHEMA, WITHOUT_PLACES
from iri_canon.logs.lines import LONGEST_LINE

# Python's own values would be converted at each call, in a tenth of a millisecond
_LINE_FEED: Final = pa.scalar(0x0A, pa.uint8())
_ONE: Final = pa.scalar(1, pa.int64())
_ZERO: Final = pa.scalar(0, pa.int64())
_FIRST: Final = pa.scalar(0, pa.int32())
_TRUE: Final = pa.scalar(True, pa.bool_())
EMPTY: Final = pa.scalar("", pa.string())


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of a block, each with its number and its offset, which are looked for when they are asked for.

    ``whole`` is the block as one text, but for the last line feed. ``texts`` are the lines without their line feeds;
    None: they were not cut yet. ``kept`` are the places of the lines in the block; None: all ``size`` of them.
    """

    block: Block
    whole: pa.Array
    texts: pa.Array | None
    size: int
    kept: pa.Array | None = None

    @classmethod
    def of(cls, block: Block) -> Lines | None:
        """None where not all of them are texts that a column holds as they are: NUL, octets that are no UTF-8.

        >>> lines = Lines.of(Block(b"a\\nb\\n", 7, 90))
        >>> lines.texts.to_pylist(), lines.numbers.to_pylist(), lines.offsets.to_pylist()
        (['a', 'b'], [7, 8], [90, 92])
        """
        octets = block.octets
        if octets is None or b"\0" in octets or not is_utf8(octets):
            return None
        whole = _whole(octets)
        texts = pc.split_pattern(whole, "\n").flatten()
        if pc.max(pc.binary_length(texts)).as_py() >= LONGEST_LINE:
            return None
        return cls(block, whole, texts, len(texts))

    @classmethod
    def uncut(cls, block: Block, size: int) -> Lines:
        """The same without their texts, of a block of UTF-8 with so many lines.

        >>> lines = Lines.uncut(Block(b"a\\nb\\n", 7, 90), 2)
        >>> lines.numbers.to_pylist(), lines.offsets.to_pylist(), lines.cut().to_pylist()
        ([7, 8], [90, 92], ['a', 'b'])
        """
        return cls(block, _whole(block.octets or b""), None, size)

    @property
    def numbers(self) -> pa.Array:
        """The number of each line in its log."""
        first = pa.scalar(self.block.line, pa.int64())
        if self.kept is None:
            return count(self.size, self.block.line)
        return pc.add(self.kept.cast(pa.int64()), first)

    @property
    def offsets(self) -> pa.Array:
        """The offset of each line in its log."""
        octets = self.block.octets or b""
        numbers = pa.Array.from_buffers(pa.uint8(), len(octets), [None, pa.py_buffer(octets)])
        ends = pc.add(pc.indices_nonzero(pc.equal(numbers, _LINE_FEED)).cast(pa.int64()), _ONE)
        starts = pa.concat_arrays([pa.repeat(_ZERO, 1), ends])
        kept = starts[: self.size] if self.kept is None else starts.take(self.kept)
        return pc.add(kept, pa.scalar(self.block.offset, pa.int64()))

    def cut(self) -> pa.Array:
        """Their texts."""
        if self.texts is not None:
            return self.texts
        texts = pc.split_pattern(self.whole, "\n").flatten()
        return texts if self.kept is None else texts.take(self.kept)

    def filter(self, mask: pa.Array) -> Lines:
        """Those that a mask is true for."""
        places = pc.indices_nonzero(mask)
        return Lines(
            self.block,
            self.whole,
            None if self.texts is None else self.texts.filter(mask),
            len(places),
            places if self.kept is None else self.kept.take(places),
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
        return self.lines.size

    def batch(self, file: str | None, first: int) -> pa.RecordBatch:
        """A batch of records that count, numbered from ``first``.

        ``file`` is carried, too; None: `columns.SCHEMA` without its `columns.PLACES`.
        """
        size = self.size
        schema = WITHOUT_PLACES if file is None else SCHEMA
        known = {"number": count(size, first), "counts": pa.repeat(_TRUE, size), **self.columns}
        if file is not None:
            known |= {
                "file": pa.DictionaryArray.from_arrays(pa.repeat(_FIRST, size), column_of([file])),
                "line": self.lines.numbers,
                "offset": self.lines.offsets,
            }
        arrays = [known.get(field.name) for field in schema]
        return pa.RecordBatch.from_arrays(
            [
                pa.nulls(size, field.type) if array is None else array
                for field, array in zip(schema, arrays, strict=True)
            ],
            schema=schema,
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


def is_utf8(octets: bytes) -> bool:
    """Whether octets are UTF-8, without surrogates.

    >>> is_utf8("é".encode()), is_utf8(b"\\xe9")
    (True, False)
    """
    if octets.isascii():
        return True
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
