"""Lines that one program wrote are alike but for their values, and are cut at their quotes where that is certain.

Nothing is parsed: of a block whose lines are all that of the first one with other values, each quote is known, and what
stands between two of them is a name, a text, or what the first line has there. Where one line is another, or a value is
of another kind, nothing is said of the block.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from iri_canon.logs import jsonl
from iri_canon.logs.block_rows import column_of, mask_of

_TEXT: Final = pa.string()
_QUOTE: Final = '"'
_BACKSLASH: Final = "\\"
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
#: Quotes of a line, at most.
_MOST: Final = 400
#: Numbers of 300 digits are none that Python does not take.
_NUMBER: Final = r"-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?(?:[eE][+\-]?[0-9]{1,300})?"
_VALUE: Final = f"(?:{_NUMBER}|true|false|null)"
#: As many digits as a double has surely room for.
_TIME: Final = r"(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?"
_STATUS: Final = r"(?:0|[1-9][0-9]{0,8})"
_NULL: Final = "null"
_NULL_TEXT: Final = pa.scalar(_NULL, _TEXT)
_NO_TEXT: Final = pa.scalar(None, _TEXT)

_HEAD: Final = re.compile(r"\{ *")
_COLON: Final = re.compile(r" *: *")
_COMMA: Final = re.compile(r" *, *")
_END: Final = re.compile(r" *\}")
_BARE: Final = re.compile(rf"( *: *)({_VALUE})( *, *| *\}})")
_ESCAPE: Final = b"\\"
#: Stands for an escaped quote, behind its backslash, in blocks that do not have it.
_SIGN: Final = "\x7f"
_SPACE: Final = 0x20
_CONTROLS: Final = bytes(range(_SPACE))
#: Arrow ends a line at a CR, too.
_CARRIAGE_RETURN: Final = b"\r"
_SURROGATE_OR_NUL: Final = re.compile("[\ud800-\udfff\0]")


class _Bare(NamedTuple):
    """Where a value has no quotes: the part of the line, and what stands in it around the value."""

    part: int
    before: str
    after: str


class _Skeleton(NamedTuple):
    """What the lines of a block have in common, between their quotes."""

    same: Mapping[int, str]
    """Parts that are the same in all lines."""
    texts: Mapping[str, int]
    """Names, and the parts that are their texts."""
    bare: Mapping[str, _Bare]
    size: int


def columns(octets: bytes, names: frozenset[str]) -> dict[str, pa.Array] | None:
    """The fields of lines that are objects, of those ``names``, where all are alike; else None.

    ``octets`` are UTF-8. A field is there as texts, as whole numbers or as numbers; one that is null in all lines is
    not.

    >>> feed = b'{"url": "http://h/a", "status": 200}\\n{"url": "http://h/b", "status": null}\\n'
    >>> {name: column.to_pylist() for name, column in columns(feed, frozenset({"url", "status"})).items()}
    {'url': ['http://h/a', 'http://h/b'], 'status': [200, None]}
    >>> columns(feed + b'{"url": "http://h/c"}', frozenset({"url"}))
    """
    if _CARRIAGE_RETURN in octets or octets.startswith(_BYTE_ORDER_MARK):
        return None
    quoted = _without_escaped_quotes(octets)
    if quoted is None:
        return None
    end = quoted.find(b"\n")
    skeleton = _skeleton(quoted if end < 0 else quoted[:end])
    if skeleton is None:
        return None
    parts = _parts(quoted, skeleton.size)
    if parts is None:
        return None
    if not all(_is_same(parts[part], text) for part, text in skeleton.same.items()):
        return None
    found: dict[str, pa.Array] = {}
    for name, part in skeleton.texts.items():
        texts = None if _has_control(parts[part]) else _unescaped(parts[part], is_signed=quoted is not octets)
        if texts is None:
            return None
        if name in names:
            found[name] = texts
    for name, bare in skeleton.bare.items():
        values = _values(parts[bare.part], bare, _pattern(name, names))
        if values is None:
            return None
        if name in names and values.null_count < len(values):
            found[name] = values.cast(pa.int64() if name in jsonl.STATUSES else pa.float64())
    return found


def _without_escaped_quotes(octets: bytes) -> bytes | bytearray | None:
    """The same octets with another sign for an escaped quote, so that each quote begins or ends a text.

    None where the sign is among them already.

    >>> _without_escaped_quotes(rb'"a\\"b\\\\"')
    bytearray(b'"a\\\\\\x7fb\\\\\\\\"')
    """
    changed: bytearray | None = None
    place = octets.find(_ESCAPE)  # the fastest search there is, and there are few
    while place >= 0:
        if octets.startswith(b'"', place + 1):
            changed = changed or bytearray(octets)
            changed[place + 1] = ord(_SIGN)
        place = octets.find(_ESCAPE, place + 2)
    if changed is None:
        return octets
    return None if _SIGN.encode() in octets else changed


def _skeleton(line: bytes | bytearray) -> _Skeleton | None:
    """That of a line without escaped quotes; None where it is no flat object with names that come once.

    JSON has no controls in a text; those of the other lines are looked for in their values.
    """
    if len(line.translate(None, _CONTROLS)) < len(line):
        return None
    parts = line.decode("utf-8", "replace").split(_QUOTE, _MOST)
    if len(parts) >= _MOST or _HEAD.fullmatch(parts[0]) is None:
        return None
    same, texts, bare = {0: parts[0]}, dict[str, int](), dict[str, _Bare]()
    # a name, what follows it, and where that is a text, the text and what follows it
    place = 1
    while place + 1 < len(parts):
        name, behind = parts[place], parts[place + 1]
        if _BACKSLASH in name or name in texts or name in bare:
            return None
        same[place] = name
        value = _BARE.fullmatch(behind)
        if value is not None:
            bare[name] = _Bare(place + 1, value[1], value[3])
            end, place = value[3], place + 2
        elif _COLON.fullmatch(behind) and place + 3 < len(parts):
            texts[name] = place + 2
            end = same[place + 3] = parts[place + 3]
            same[place + 1] = behind
            place += 4
        else:
            return None
        if _END.fullmatch(end):
            return _Skeleton(same, texts, bare, len(parts)) if place == len(parts) else None
        if not _COMMA.fullmatch(end):
            return None
    return None


def _parts(octets: bytes | bytearray, size: int) -> list[pa.Array] | None:
    """What stands between quotes, one column a place; None where lines have other numbers of them."""
    names = [str(place) for place in range(size)]
    try:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(octets),
            read_options=pyarrow.csv.ReadOptions(
                use_threads=False, block_size=len(octets) + 1, column_names=names
            ),
            parse_options=pyarrow.csv.ParseOptions(
                delimiter=_QUOTE, quote_char=False, escape_char=False, ignore_empty_lines=False
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, _TEXT), strings_can_be_null=False, check_utf8=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    return [
        column.chunk(0) if column.num_chunks == 1 else column.combine_chunks() for column in table.columns
    ]


def _is_same(column: pa.Array, text: str) -> bool:
    """Whether each text is that one."""
    size, octets = len(column), text.encode("utf-8")
    lengths = pc.binary_length(column)
    if not size or pc.min_max(lengths).as_py() != {"min": len(octets), "max": len(octets)}:
        return False
    start = column.offset * len(octets)
    data = column.buffers()[2]
    return not octets or bool(data.slice(start, size * len(octets)).equals(pa.py_buffer(octets * size)))


def _has_control(texts: pa.Array) -> bool:
    """Whether one of some texts has a character that JSON lets no text have as it is."""
    ends = memoryview(texts.buffers()[1]).cast("i")
    start, size = ends[texts.offset], ends[texts.offset + len(texts)] - ends[texts.offset]
    octets = pa.Array.from_buffers(pa.uint8(), size, [None, texts.buffers()[2]], offset=start)
    return size > 0 and bool(pc.min(octets).as_py() < _SPACE)


def _unescaped(texts: pa.Array, *, is_signed: bool) -> pa.Array | None:
    """The texts that JSON has so between quotes; None where one is none, or is no text for a column.

    ``is_signed``: escaped quotes have their sign.
    """
    rows = _with_escapes(texts)
    if not rows:
        return texts
    found: list[str] = []
    for row in rows:
        text = texts[row].as_py()
        try:
            value = json.loads('"' + (text.replace(_SIGN, _QUOTE) if is_signed else text) + '"')
        except ValueError:
            return None
        if _SURROGATE_OR_NUL.search(value):
            return None
        found.append(value)
    return pc.replace_with_mask(texts, mask_of(rows, len(texts)), column_of(found))


def _with_escapes(texts: pa.Array) -> list[int]:
    """The rows that have a backslash, which are few."""
    ends = memoryview(texts.buffers()[1]).cast("i")[texts.offset : texts.offset + len(texts) + 1]
    octets = texts.buffers()[2].to_pybytes()
    found: list[int] = []
    place = octets.find(_ESCAPE, ends[0], ends[-1])
    while place >= 0:
        found.append(bisect_right(ends, place) - 1)
        place = octets.find(_ESCAPE, ends[found[-1] + 1], ends[-1])
    return found


def _pattern(name: str, names: frozenset[str]) -> str:
    """What a value without quotes may be, null aside."""
    if name not in names:
        return f"(?:{_VALUE})"
    if name in jsonl.STATUSES:
        return _STATUS
    return _TIME if name == "time" else _NULL


def _values(parts: pa.Array, bare: _Bare, pattern: str) -> pa.Array | None:
    """The values without quotes as texts, null where they are; None where one is of another kind."""
    encoded = parts.dictionary_encode()
    different = encoded.dictionary
    whole = rf"\A{re.escape(bare.before)}(?:{pattern}|{_NULL}){re.escape(bare.after)}\z"
    if not pc.all(pc.match_substring_regex(different, whole), min_count=0).as_py():
        return None
    values = pc.utf8_slice_codeunits(different, len(bare.before), -len(bare.after))
    values = pc.if_else(pc.equal(values, _NULL_TEXT), _NO_TEXT, values)
    return values.take(encoded.indices)
