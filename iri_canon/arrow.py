"""The keys of an Arrow column are the keys of its texts, one by one, in a column of the same type; nulls stay null."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon import grammar, kernel
from iri_canon.arguments import require
from iri_canon.ladder import Rung, key
from iri_canon.quick import KEPT_TRIPLET

_ROWS: Final = 1 << 16
"""Of a column, that are texts of Python's at a time, where there is no kernel."""
_MOST_OCTETS: Final = 2**31 - 1
"""Of the texts of a ``string`` array together; the sum of a column of keys may be beyond it: `ArrowInvalid` then."""
_SLACK: Final = 1 << 12
"""Octets of room for keys, beyond those that the texts have."""

_OCTET: Final = f"[{grammar.PATH.replace('/', '')}]|{KEPT_TRIPLET}"
_OCTET_BUT_DOT: Final = f"[{grammar.PATH.replace('/', '').replace('.', '')}]|{KEPT_TRIPLET}"
# No "." and no "..": RE2 looks neither ahead nor behind, so they are left out letter by letter.
_SEGMENT: Final = (
    rf"(?:(?:{_OCTET_BUT_DOT})(?:{_OCTET})*|\.(?:{_OCTET_BUT_DOT})(?:{_OCTET})*|\.\.(?:{_OCTET})+)?"
)
# http(s) URLs that are their own keys on every rung, as `iri_canon.quick` knows them, with a path and without
# dot-segments. What is none may be canonical all the same: its key is asked for.
_CANONICAL: Final = (
    r"\Ahttps?://(?:[a-z0-9_\-]+\.)*[a-z_\-][a-z0-9_\-]*"
    rf"(?:/{_SEGMENT})+(?:\?(?:[{grammar.QUERY}]|{KEPT_TRIPLET})*)?\z"
)


def keys(array: pa.Array | pa.ChunkedArray, rung: Rung = Rung.SCHEME) -> pa.Array | pa.ChunkedArray:
    """The keys of a column of texts on a rung: `iri_canon.key` of each.

    ``array`` is of ``string``, ``large_string``, ``string_view``, a dictionary of one of them, or ``null``; chunked or
    not. So is the answer, chunk by chunk; where no key differs from its text it may be ``array`` itself. A dictionary
    is encoded anew, since several of its texts may have one key, and is not ordered then. Raises `TypeError` for what
    is no such column and for a rung that is no `Rung`, `ValueError` for offsets that do not fit the data, and
    `pyarrow.ArrowInvalid` where the keys are more than the type of the column can hold; no text is a reason to raise.

    >>> keys(pa.array(["HTTP://EXAMPLE.com:80/%7Ea", None, "http://example.com/"])).to_pylist()
    ['http://example.com/~a', None, 'http://example.com/']
    >>> keys(pa.array([1]))
    Traceback (most recent call last):
    TypeError: keys are of texts, not of int64
    """
    require(rung, Rung, "rung")
    if not isinstance(array, (pa.Array, pa.ChunkedArray)):
        raise TypeError(f"keys are of a pyarrow array, not of {type(array).__name__}")
    if not _has_texts(array.type):
        raise TypeError(f"keys are of texts, not of {array.type}")
    if rung is Rung.SIMPLE or pa.types.is_null(array.type):
        return array
    if isinstance(array, pa.ChunkedArray):
        chunks = [_of_array(chunk, rung) for chunk in array.chunks]
        return pa.chunked_array(chunks, chunks[0].type if chunks else array.type)
    return _of_array(array, rung)


def _has_texts(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return any(
        of(kind)
        for of in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
    )


def _of_array(array: pa.Array, rung: Rung) -> pa.Array:
    kind = array.type
    if pa.types.is_null(kind.value_type if pa.types.is_dictionary(kind) else kind):
        return array
    if pa.types.is_dictionary(kind):
        return _of_dictionary(array, rung)
    if pa.types.is_string_view(kind):  # what is asked of a column is not answered for views
        return _of_texts(array.cast(pa.large_string()), rung).cast(kind)
    return _of_texts(array, rung)


def _of_dictionary(array: pa.DictionaryArray, rung: Rung) -> pa.DictionaryArray:
    kind = array.type
    found = _of_array(array.dictionary, rung)
    if pa.types.is_string_view(kind.value_type):
        found = found.cast(pa.large_string())
    encoded = found.dictionary_encode()
    indices = encoded.indices.take(array.indices).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(indices, encoded.dictionary.cast(kind.value_type))


def _of_texts(texts: pa.Array, rung: Rung) -> pa.Array:
    """Of ``string`` or ``large_string``."""
    if kernel.compiled is not None and rung >= Rung.SCHEME and len(texts):
        return _by_the_kernel(kernel.compiled, texts, rung)
    rest = pc.invert(pc.match_substring_regex(texts, pattern=_CANONICAL))
    if not pc.any(rest).as_py():
        return texts
    parts = []
    for start in range(0, len(texts), _ROWS):
        part, is_rest = texts.slice(start, _ROWS), rest.slice(start, _ROWS)
        parts.append(pc.replace_with_mask(part, is_rest, _one_by_one(part.filter(is_rest), rung)))
    return parts[0] if len(parts) == 1 else pa.concat_arrays(parts)


def _one_by_one(texts: pa.Array, rung: Rung) -> pa.Array:
    """The keys of texts without nulls, each asked for once; octets that are not UTF-8 are no reason to raise."""
    is_large = pa.types.is_large_string(texts.type)
    others = texts.view(pa.large_binary() if is_large else pa.binary()).dictionary_encode()
    keys = [key(octets, rung).encode("utf-8", "surrogateescape") for octets in others.dictionary.to_pylist()]
    # Large ones, which are one array however much they are; what is too much for the others is refused by the cast.
    found = pa.array(keys, pa.large_binary()).take(others.indices)
    return (found if is_large else found.cast(pa.binary())).view(texts.type)


# Arrow's "Variable-size Binary Layout": the bits of the rows that are no nulls, the offsets of the rows, their octets.


def _by_the_kernel(compiled: ModuleType, texts: pa.Array, rung: Rung) -> pa.Array:
    """Into new buffers, where the rows that the kernel leaves to Python are empty until the end."""
    rows, is_large = len(texts), pa.types.is_large_string(texts.type)
    width = 8 if is_large else 4
    validity, offsets, data = texts.buffers()
    if not texts.null_count:
        validity = None
    # The bits are shared. They begin with an octet: so do the offsets, before the first row if need be.
    whole, shift = divmod(texts.offset, 8)
    key_offsets = pa.py_buffer(bytearray(width * (shift + rows + 1)))
    offsets_of_rows = _octets(key_offsets)[width * shift :]
    others = pa.allocate_buffer(rows // 8 + 1)
    keys = pa.allocate_buffer(_room(texts, width))
    row, asked, is_own = 0, 0, True
    while True:
        row, more, is_same = compiled.fill(
            is_large, _octets(offsets), _octets(data), validity and _octets(validity), texts.offset, rows,
            offsets_of_rows, _octets(keys), _octets(others), row,
        )  # fmt: skip
        asked, is_own = asked + more, is_own and is_same
        if row == rows:
            break
        if not is_large and keys.size > _MOST_OCTETS:
            return _by_the_kernel(compiled, texts.cast(pa.large_string()), rung).cast(texts.type)
        keys = _larger(keys, 2 * keys.size)
    if is_own and not asked:
        return texts
    used = _offset(offsets_of_rows, rows, width)
    if asked:
        found = _one_by_one(texts.filter(_bits(others, rows)), rung)
        _, found_offsets, found_octets = found.buffers()
        used += _offset(_octets(found_offsets), asked, width)
        if not is_large and used > _MOST_OCTETS:
            return _by_the_kernel(compiled, texts.cast(pa.large_string()), rung).cast(texts.type)
        if used > keys.size:
            keys = _larger(keys, used)
        compiled.insert(
            is_large, offsets_of_rows, _octets(keys), rows, _octets(others),
            _octets(found_offsets), _octets(found_octets),
        )  # fmt: skip
    buffers = [validity and validity.slice(whole), key_offsets, keys.slice(0, used)]
    return pa.Array.from_buffers(texts.type, rows, buffers, texts.null_count, shift)


def _octets(buffer: pa.Buffer | None) -> memoryview:
    return memoryview(buffer).cast("B") if buffer is not None and buffer.size else memoryview(b"")


def _offset(offsets: memoryview, row: int, width: int) -> int:
    return int.from_bytes(offsets[width * row : width * (row + 1)], sys.byteorder, signed=True)


def _room(texts: pa.Array, width: int) -> int:
    """About what the keys take: most are as long as their texts."""
    offsets = _octets(texts.buffers()[1])
    length = _offset(offsets, texts.offset + len(texts), width) - _offset(offsets, texts.offset, width)
    return max(length, 0) * 9 // 8 + _SLACK


def _larger(buffer: pa.Buffer, size: int) -> pa.Buffer:
    larger = pa.allocate_buffer(size)
    memoryview(larger)[: buffer.size] = memoryview(buffer)
    return larger


def _bits(buffer: pa.Buffer, rows: int) -> pa.BooleanArray:
    return pa.Array.from_buffers(pa.bool_(), rows, [None, buffer])
