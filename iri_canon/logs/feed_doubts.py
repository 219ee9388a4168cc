"""Where Arrow's parser of JSON may read a line in another way than Python's, a doubt is raised.

Arrow refuses what Python refuses but for numbers out of bounds, deep nesting, ``Inf``, ``-NaN``, and octets that are no
UTF-8; it takes several objects a line, and objects of several lines.
"""

from __future__ import annotations

import re
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.logs.block_rows import EMPTY, Lines

#: Octets of a line that can neither be nested too deeply for Python, nor have too long a number for it.
_SURE: Final = 512
#: In a longer line: what opens that often may be nested too deeply.
_DEEP: Final = 256
_LONG_NUMBER: Final = f"[0-9]{{{_SURE}}}"
#: What may be a number that Arrow's parser knows and Python does not, or an escaped NUL. Each begins with what RE2
#: finds fast.
_MAYBE_STRANGE: Final = (r"Inf[\s,\]}]", r"-NaN[\s,\]}]", r"\\u0000")
_STRANGE: Final = re.compile(rb"(?:[-:,\[\s]Inf|-NaN)[\s,\]}]|\\u0000")


def is_strange(whole: pa.Array, octets: bytes) -> bool:
    """Whether a block, once more as a column of one text, may have a number that Python does not know, or a NUL."""
    if not any(pc.match_substring_regex(whole, pattern=pattern)[0].as_py() for pattern in _MAYBE_STRANGE):
        return False
    return _STRANGE.search(octets) is not None


def objects(lines: Lines, octets: bytes) -> tuple[Lines, bytes] | None:
    """The lines without blank ones, and the octets without the commas of an array; None where some are no object."""
    texts = lines.texts
    ends = pc.utf8_rtrim(texts, "\r")
    with_comma = pc.ends_with(ends, "},")
    is_object = pc.and_(pc.starts_with(texts, "{"), pc.or_(pc.ends_with(ends, "}"), with_comma))
    is_blank = pc.equal(ends, EMPTY)
    if not pc.all(pc.or_(is_object, is_blank)).as_py():
        return None
    if pc.any(is_blank).as_py():
        lines = lines.filter(is_object)
    if pc.any(with_comma).as_py():
        octets = re.sub(rb"\},(?=\r*(?:\n|\Z))", b"}", octets)
    return lines, octets


def has_deep_or_long(texts: pa.Array) -> bool:
    """Whether one of some lines may be nested too deeply for Python, or have too long a number for it."""
    sizes = pc.binary_length(texts)
    if pc.max(sizes).as_py() <= _SURE:
        return False
    long = texts.filter(pc.greater(sizes, _SURE))
    opened = pc.add(pc.count_substring(long, "["), pc.count_substring(long, "{"))
    if pc.max(opened).as_py() > _DEEP:
        return True
    return bool(pc.any(pc.match_substring_regex(long, pattern=_LONG_NUMBER)).as_py())
