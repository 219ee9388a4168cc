"""Blocks of a feed are read at once where each line is an object that Arrow reads as `jsonl.records` does.

Arrow's parser is trusted with a block only if each of its lines begins with ``{`` and ends with ``}``, and it finds as
many objects as there are lines: between ``}`` and ``{`` JSON has a line break at the top level only, so then each line
is an object. Where it takes what Python refuses, `feed_doubts` knows it; it refuses names that come twice, which Python
takes: then the lines are read one by one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from iri_canon.logs import jsonl
from iri_canon.logs.alike_rows import columns
from iri_canon.logs.block_rows import EMPTY, Lines, Rows, is_utf8
from iri_canon.logs.blocks import Block
from iri_canon.logs.columns import HOPS, hops
from iri_canon.logs.feed_doubts import has_deep_or_long, is_strange, objects
from iri_canon.logs.lines import LONGEST_LINE
from iri_canon.logs.time_columns import times

_DECODER: Final = json.JSONDecoder()
_TEXT: Final = pa.string()
_NUMBER: Final = pa.float64()
_CHAIN, _REASONS = jsonl.CHAIN
_NAMES: Final = (
    *jsonl.STATUSES,
    *jsonl.DIGESTS,
    *jsonl.LOCATIONS,
    "method",
    "time",
    "mime",
    *jsonl.CHAIN,
)
_FIELDS: Final = frozenset({"url", *_NAMES})
#: What a text is where it is none.
_NOTHING: Final = pa.array(["", "-"], _TEXT)
_LONGEST_NOTHING: Final = 1
_NO_TEXT: Final = pa.scalar(None, _TEXT)
_GET: Final = pa.scalar("GET", _TEXT)
_FALSE: Final = pa.scalar(False, pa.bool_())
_ZERO: Final = pa.scalar(0, pa.int32())
_MOST: Final = pa.scalar(jsonl.MOST, pa.int64())
_LEAST: Final = pa.scalar(-jsonl.MOST, pa.int64())
_MOST_DIGITS: Final = r"\A[0-9]{1,9}\z"


class Feed:
    """Reads the blocks of one feed. The types of its fields are learnt from its rows (`learn`).

    >>> feed = Feed()
    >>> block = Block(b'{"url": "http://h/", "status": 200}\\n{"url": null}\\n')
    >>> feed.rows(block)
    >>> feed.learn(['{"url": "http://h/", "status": 200}'])
    True
    >>> found = feed.rows(block)
    >>> found.columns["status"].to_pylist(), found.without_url
    ([200], 1)
    """

    def __init__(self) -> None:
        self._known = _Known({})

    def learn(self, texts: Iterable[str]) -> bool:
        """Take the type of each field from the first row that has it; whether one was new."""
        types = dict(self._known.types)
        for text in texts:
            row = row_in(text)
            for name in _NAMES:
                kind = _type_of(name, row.get(name))
                if kind is not None:
                    types.setdefault(name, kind)
        if len(types) == len(self._known.types):
            return False
        self._known = _Known(types)  # a new one: blocks are being read by the old one
        return True

    def rows(self, block: Block) -> Rows | None:
        """The records of a block; None where one of its lines may be read in another way."""
        known = self._known
        found = _alike(block)
        if found is not None:
            return found
        lines = Lines.of(block)
        if lines is None or block.octets is None or is_strange(lines.whole, block.octets):
            return None
        octets = block.octets
        good = pc.and_(pc.starts_with(lines.texts, "{"), pc.ends_with(lines.texts, "}"))
        if not pc.all(good).as_py():
            among = objects(lines, octets)
            if among is None:
                return None
            lines, octets = among
        if not lines.size:
            return Rows(lines, {"url": pa.array([], _TEXT)})
        if has_deep_or_long(lines.texts):
            return None
        try:
            table = pj.read_json(
                pa.BufferReader(octets),
                read_options=pj.ReadOptions(use_threads=False, block_size=len(octets) + 1),
                parse_options=known.parsing,
            )
        except (pa.ArrowInvalid, UnicodeDecodeError):
            return None
        if table.num_rows != lines.size:
            return None
        return known.records(lines, table)


class _Known:
    """The types of the fields of a feed, as far as they are known, and how it is read by them."""

    def __init__(self, types: Mapping[str, pa.DataType]) -> None:
        self.types = types
        # a field whose type is not known may only be null
        fields = [(name, types.get(name, pa.null())) for name in _NAMES]
        self.parsing = pj.ParseOptions(
            explicit_schema=pa.schema([("url", _TEXT), *fields]),
            unexpected_field_behavior="ignore",
            newlines_in_values=False,
        )

    def records(self, lines: Lines, table: pa.Table) -> Rows:
        """The records among some lines, of what was read of them."""
        urls = _column(table, "url")
        without = 0
        if urls.null_count or _shortest(urls) == 0:
            has_url = pc.fill_null(pc.not_equal(urls, EMPTY), _FALSE)
            without = len(urls) - has_url.true_count
            lines, table = lines.filter(has_url), table.filter(has_url).combine_chunks()
            urls = urls.filter(has_url)
        methods = self._first(table, _texts, "method")
        columns = {
            "url": urls,
            "status": self._first(table, _statuses, *jsonl.STATUSES),
            "location": self._first(table, _texts, *jsonl.LOCATIONS),
            "digest": self._first(table, _texts, *jsonl.DIGESTS),
            "time": self._first(table, _times, "time"),
            "method": None if methods is None else pc.if_else(pc.equal(methods, _GET), _NO_TEXT, methods),
            "mime": self._first(table, _texts, "mime"),
            "led_by": self._led_by(table, urls),
        }
        told = {name: column for name, column in columns.items() if column is not None}
        return Rows(lines, told, without)

    def _first(self, table: pa.Table, read: Callable[[pa.Array], pa.Array], *names: str) -> pa.Array | None:
        """Of several fields the first that is not null, as it is read; None where none is known."""
        found = is_there = None
        for name in names:
            if name in self.types:
                column = _column(table, name)
                values = read(column)
                if found is None:
                    found, is_there = values, pc.is_valid(column)
                else:
                    found = pc.if_else(is_there, found, values)
                    is_there = pc.or_(is_there, pc.is_valid(column))
        return found

    def _led_by(self, table: pa.Table, urls: pa.Array) -> pa.Array | None:
        """Chains are seldom, and are read one by one."""
        if self.types.get(_CHAIN) != pa.list_(_TEXT) or _REASONS not in self.types:
            return None
        chains, reasons = _column(table, _CHAIN), _column(table, _REASONS)
        has_chain = pc.fill_null(pc.greater(pc.list_value_length(chains), _ZERO), _FALSE)
        if not pc.any(has_chain).as_py():
            return None
        rows = zip(*(column.filter(has_chain).to_pylist() for column in (urls, chains, reasons)), strict=True)
        found = iter([hops(jsonl.led_by({_CHAIN: chain, _REASONS: told}, url)) for url, chain, told in rows])
        return pa.array([next(found) if there else None for there in has_chain.to_pylist()], HOPS)


def _alike(block: Block) -> Rows | None:
    """The records of a block whose lines are alike; None where they are not."""
    octets = block.octets
    if not octets or len(octets) > LONGEST_LINE or not is_utf8(octets):
        return None
    found = columns(octets, _FIELDS)
    if found is None or "url" not in found:
        return None
    lines = Lines.uncut(block, len(found["url"]))
    return _Known({name: column.type for name, column in found.items()}).records(lines, pa.table(found))


def row_in(text: str) -> dict[str, Any]:
    """The object that a line of a feed begins with, commas and brackets of an array aside; empty where there is none.

    >>> row_in('[{"url": "http://h/"},'), row_in("]")
    ({'url': 'http://h/'}, {})
    """
    start = text.find("{")
    if start < 0:
        return {}
    try:
        row, _ = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _type_of(name: str, value: object) -> pa.DataType | None:
    """The type of a field that has a value in it; None where that is no value, or not read at once."""
    kind = None
    if isinstance(value, str):
        kind = _TEXT
    elif isinstance(value, bool):
        kind = pa.bool_()
    elif isinstance(value, int):
        kind = pa.int64() if name in jsonl.STATUSES else _NUMBER
    elif isinstance(value, float):
        kind = None if name in jsonl.STATUSES else _NUMBER  # a whole number beside it would be a status
    elif isinstance(value, list):
        if all(isinstance(each, str) for each in value):
            kind = pa.list_(_TEXT)
        elif all(isinstance(each, int) and not isinstance(each, bool) for each in value):
            kind = pa.list_(pa.int64())
    return kind


def _column(table: pa.Table, name: str) -> pa.Array:
    column = table.column(name)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _texts(column: pa.Array) -> pa.Array:
    if not pa.types.is_string(column.type):
        return pa.nulls(len(column), _TEXT)
    if _shortest(column) > _LONGEST_NOTHING:  # most often; then nothing is copied
        return column
    return pc.if_else(pc.is_in(column, value_set=_NOTHING), _NO_TEXT, column)


def _shortest(texts: pa.Array) -> int:
    """Octets of the shortest of some texts; 0 where there is none."""
    return pc.min(pc.binary_length(texts)).as_py() or 0


def _statuses(column: pa.Array) -> pa.Array:
    if pa.types.is_string(column.type):
        is_number = pc.match_substring_regex(column, pattern=_MOST_DIGITS)
        return pc.if_else(is_number, column, _NO_TEXT).cast(pa.int32())
    if not pa.types.is_integer(column.type):
        return pa.nulls(len(column), pa.int32())
    is_status = pc.and_(pc.less(column, _MOST), pc.greater(column, _LEAST))
    return pc.if_else(is_status, column, pa.scalar(None, pa.int64())).cast(pa.int32())


def _times(column: pa.Array) -> pa.Array:
    if not pa.types.is_string(column.type) and not pa.types.is_floating(column.type):
        return pa.nulls(len(column), _NUMBER)
    return times(column)
