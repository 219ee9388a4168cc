"""The keys of an Arrow column are the keys of its texts, one by one, in a column of the same type; nulls stay null."""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon import grammar
from iri_canon.arguments import require
from iri_canon.ladder import Rung, key
from iri_canon.quick import KEPT_TRIPLET

_ROWS: Final = 1 << 16
"""Of a column, that are texts of Python's at a time."""

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
    is no such column and for a rung that is no `Rung`, else nothing.

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
    """Of ``string`` or ``large_string``: what is faster than this takes its place."""
    rest = pc.invert(pc.match_substring_regex(texts, pattern=_CANONICAL))
    if not pc.any(rest).as_py():
        return texts
    parts = []
    for start in range(0, len(texts), _ROWS):
        part, is_rest = texts.slice(start, _ROWS), rest.slice(start, _ROWS)
        others = part.filter(is_rest).dictionary_encode()
        found = pa.array([key(text, rung) for text in others.dictionary.to_pylist()], texts.type)
        parts.append(pc.replace_with_mask(part, is_rest, found.take(others.indices)))
    return parts[0] if len(parts) == 1 else pa.concat_arrays(parts)
