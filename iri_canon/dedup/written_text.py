"""Columns become text column by column, never row by row: JSON, CSV and lines, each octet as it was found or escaped.

Text in the columns is `iri_canon.logs.columns.carried`: an octet that is no UTF-8 is ``\\udcXX`` in JSON, itself in CSV
and in lists of URLs, and its triplet where a column has to be UTF-8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon import percent
from iri_canon.logs.columns import MARK, restored
from iri_canon.logs.extra import FIELD

#: The column that holds JSON objects as text: what was carried through on demand.
EXTRA: Final = FIELD.name

_TEXT: Final = pa.large_string()
_OCTETS: Final = pa.large_binary()
#: RFC 8259 7: what has to be escaped besides the quotation mark and the backslash.
_CONTROLS: Final = {chr(code): f"\\u{code:04x}" for code in range(0x20)} | {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}
_CONTROL_OCTETS: Final = bytes(range(0x20))
_LARGEST: Final = 1 << 22
"""Octets of a batch that becomes text at once; a row may be larger."""


def pieces(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """A batch in parts that do not need much memory as text.

    >>> [part.num_rows for part in pieces(pa.record_batch({"url": ["a", "b"]}))]
    [2]
    """
    if batch.num_rows < 2 or batch.nbytes <= _LARGEST:
        yield batch
    else:
        half = batch.num_rows // 2
        yield from pieces(batch.slice(0, half))
        yield from pieces(batch.slice(half))


def json_lines(batch: pa.RecordBatch) -> pa.Buffer:
    """One JSON object a row, each on a line (LF).

    >>> json_lines(pa.record_batch({"url": ["http://h/\\""], "count": [2], "urls": [["a", "b"]]})).to_pybytes()
    b'{"url": "http://h/\\\\"", "count": 2, "urls": ["a", "b"]}\\n'
    """
    parts: list[pa.Array | pa.Scalar] = []
    for place, name in enumerate(batch.schema.names):
        parts += [_constant(f'{", " if place else "{"}"{name}": '), json_of(batch.column(place), name)]
    return _joined([*parts, _constant("}\n")])


def csv_lines(batch: pa.RecordBatch) -> pa.Buffer:
    """RFC 4180 2, but for the end of a line (LF): a row a line; a list is a JSON array, null an empty field.

    >>> csv_lines(pa.record_batch({"url": ["http://h/,"], "urls": [["a"]], "rung": [None]})).to_pybytes()
    b'"http://h/,","[""a""]",\\n'
    """
    parts: list[pa.Array | pa.Scalar] = []
    for place, name in enumerate(batch.schema.names):
        parts += [_constant(","), _field(batch.column(place), name)]
    return _joined([*parts[1:], _constant("\n")])


def url_lines(column: pa.Array) -> pa.Buffer:
    """A URL a line, its octets as found, without the line breaks in it: they belong to no URL (`iri_canon.key`).

    >>> url_lines(pa.array(["http://h/a\\nb", "http://h/é"])).to_pybytes()
    b'http://h/ab\\nhttp://h/\\xc3\\xa9\\n'
    """
    texts = column.cast(_TEXT)
    for end in "\r\n":
        texts = pc.replace_substring(texts, end, "")
    return _joined([_as_octets(texts), _constant("\n")])


def as_unicode(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The same rows in plain text, for readers that know nothing of `carried`.

    >>> from iri_canon.logs.columns import carried
    >>> as_unicode(pa.record_batch({"url": [carried("http://h/\\udce9")]})).to_pylist()
    [{'url': 'http://h/%E9'}]
    """
    return pa.RecordBatch.from_arrays(
        [_unicode(column) for column in batch.columns],
        schema=batch.schema,
    )


def json_of(column: pa.Array, name: str = "") -> pa.Array:
    """What JSON has for each value, as text."""
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        offsets, values = _parts(column)
        quoted = pa.LargeListArray.from_arrays(offsets, _quoted(values))
        joined = pc.binary_join(quoted, pa.scalar(", ", _TEXT))
        written = pc.binary_join_element_wise(_text("["), joined, _text("]"), _text(""))
        written = pc.if_else(pc.is_valid(column), written, pa.scalar(None, _TEXT))
    elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        written = column.cast(_TEXT) if name == EXTRA else _quoted(column)
    else:
        written = column.cast(pa.string()).cast(_TEXT)
    return pc.fill_null(written, "null")


def _quoted(column: pa.Array) -> pa.Array:
    """RFC 8259 7. What is `carried` has its backslashes doubled and its surrogates spelt out already."""
    texts = column.cast(_TEXT)
    if _has_any(texts, b'"\\' + _CONTROL_OCTETS):
        marked = pc.starts_with(texts, MARK)
        bare = pc.replace_substring(texts, MARK, "", max_replacements=1)
        texts = pc.if_else(marked, bare, pc.replace_substring(texts, "\\", "\\\\"))
        texts = pc.replace_substring(texts, '"', '\\"')
        if _has_any(texts, _CONTROL_OCTETS):
            for control, written in _CONTROLS.items():
                texts = pc.replace_substring(texts, control, written)
    return pc.binary_join_element_wise(_text('"'), texts, _text('"'), _text(""))


def _field(column: pa.Array, name: str) -> pa.Array:
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        octets = column.cast(_OCTETS) if name == EXTRA else _as_octets(column.cast(_TEXT))
    else:
        octets = pc.if_else(pc.is_valid(column), json_of(column, name), pa.scalar(None, _TEXT)).cast(_OCTETS)
    octets = pc.fill_null(octets, b"")
    if not _has_any(octets, b'",\r\n'):
        return octets
    special = pc.match_substring_regex(octets, '[",\r\n]')
    doubled = pc.replace_substring(octets, b'"', b'""')
    quote = _constant('"')
    return pc.if_else(
        special, pc.binary_join_element_wise(quote, doubled, quote, pa.scalar(b"", _OCTETS)), octets
    )


def _as_octets(texts: pa.Array) -> pa.Array:
    return _with_restored(texts, texts.cast(_OCTETS), _octets)


def _octets(text: str) -> bytes:
    """What a text was read from; a lone surrogate that stands for no octet is spelt out."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def _unicode(column: pa.Array) -> pa.Array:
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        offsets, values = _parts(column)
        rebuilt = pa.LargeListArray.from_arrays(
            offsets, _unicode(values).cast(_TEXT), mask=pc.is_null(column)
        )
        return rebuilt.cast(column.type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    return _with_restored(column, column, _triplets)


def _triplets(text: str) -> str:
    """As `iri_canon.key` writes what is no character: an octet as its triplet."""
    return "".join(percent.triplets(each) if "\ud800" <= each <= "\udfff" else each for each in text)


def _with_restored(
    texts: pa.Array, written: pa.Array, convert: Callable[[str], bytes] | Callable[[str], str]
) -> pa.Array:
    """What was written, but of texts that are `carried` what becomes of them restored."""
    marked = pc.fill_null(pc.starts_with(texts, MARK), False)
    if not pc.any(marked).as_py():
        return written
    found = [convert(restored(text)) for text in pc.filter(texts, marked).to_pylist()]
    return pc.replace_with_mask(written, marked, pa.array(found, written.type))


def _parts(column: pa.Array) -> tuple[pa.Array, pa.Array]:
    """The offsets of a column of lists, from 0, and the values that they point into."""
    lengths = pc.fill_null(pc.list_value_length(column), 0).cast(pa.int64())
    start = pa.array([0], pa.int64())
    return pa.concat_arrays([start, pc.cumulative_sum(lengths)]), column.flatten()


def _has_any(texts: pa.Array, octets: bytes) -> bool:
    """Whether any of these octets is in any of the (large) texts: a look at all of them at once."""
    data = texts.buffers()[2]
    if data is None:
        return False
    offsets = memoryview(texts.buffers()[1]).cast("q")
    text = bytes(memoryview(data)[offsets[texts.offset] : offsets[texts.offset + len(texts)]])
    return len(text.translate(None, octets)) != len(text)


def _text(text: str) -> pa.Scalar:
    return pa.scalar(text, _TEXT)


def _constant(text: str) -> pa.Scalar:
    return pa.scalar(text.encode(), _OCTETS)


def _joined(parts: list[pa.Array | pa.Scalar]) -> pa.Buffer:
    """The octets of all rows, one behind the other."""
    rows = pc.binary_join_element_wise(*(part.cast(_OCTETS) for part in parts), pa.scalar(b"", _OCTETS))
    octets = rows.buffers()[2]
    if octets is None:
        return pa.py_buffer(b"")
    return octets.slice(0, memoryview(rows.buffers()[1]).cast("q")[len(rows)])
