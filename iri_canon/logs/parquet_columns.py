"""A column of any type that can hold texts, statuses or times is read as such; a value that is none is null."""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.logs.columns import MARK, carried
from iri_canon.logs.jsonl import MOST
from iri_canon.logs.records import number
from iri_canon.logs.time_columns import times

_TEXTS: Final = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_string_view,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_binary_view,
    pa.types.is_fixed_size_binary,
)
_IN_A_SECOND: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def is_text(kind: pa.DataType) -> bool:
    """Whether values of a type are texts, as octets or in a dictionary as well.

    >>> is_text(pa.dictionary(pa.int8(), pa.binary())), is_text(pa.null()), is_text(pa.int8())
    (True, True, False)
    """
    if isinstance(kind, pa.BaseExtensionType):
        return is_text(kind.storage_type)
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return pa.types.is_null(kind) or any(is_one(kind) for is_one in _TEXTS)


def texts_in(column: pa.Array) -> pa.Array:
    """The texts of a column, `carried`; all null where its type is none of texts.

    >>> texts_in(pa.array([b"http://h/a", b"http://h/\\xe9", None])).to_pylist()
    ['http://h/a', '\\x00http://h/\\\\udce9', None]
    """
    column = _plain(column)
    if not is_text(column.type) or pa.types.is_null(column.type):
        return pa.nulls(len(column), pa.string())
    octets = column.cast(pa.large_binary())
    try:
        texts = octets.cast(pa.string())
    except pa.ArrowInvalid:  # some are no UTF-8: Parquet asks for it, and nothing looks
        texts = None
    if texts is None or pc.any(pc.starts_with(texts, pattern=MARK)).as_py():
        return pa.array([_text(value) for value in octets.to_pylist()], pa.string())
    return texts


def statuses_in(column: pa.Array) -> pa.Array:
    """The statuses of a column of numbers or texts, as 32-bit integers. A fraction is none.

    >>> statuses_in(pa.array([200.0, float("nan"), 1e99, None, 2.5])).to_pylist()
    [200, None, None, None, None]
    >>> statuses_in(pa.array(["301", "-"])).to_pylist()
    [301, None]
    """
    column = _plain(column)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        numbers = column.cast(pa.float64(), safe=False)
        is_one = pc.and_(pc.less(pc.abs(numbers), MOST), pc.equal(numbers, pc.floor(numbers)))
        return pc.if_else(is_one, numbers, None).cast(pa.int32())
    if is_text(column.type):
        return pa.array(
            [None if text is None else number(text) for text in texts_in(column).to_pylist()], pa.int32()
        )
    return pa.nulls(len(column), pa.int32())


def seconds_in(column: pa.Array) -> pa.Array:
    """The times of a column in seconds since 1970: of time stamps, days, and what `times` reads. Without a zone: UTC.

    >>> import datetime
    >>> seconds_in(pa.array([datetime.datetime(2026, 12, 1, 6, 10, 35, 500000), None])).to_pylist()
    [1796105435.5, None]
    >>> seconds_in(pa.array([datetime.date(2026, 12, 1)])).to_pylist(), seconds_in(pa.array([True])).to_pylist()
    ([1796083200.0], [None])
    """
    column = _plain(column)
    if pa.types.is_date(column.type):
        column = column.cast(pa.timestamp("ms"))
    if pa.types.is_timestamp(column.type):
        seconds = pc.divide(
            column.cast(pa.int64()).cast(pa.float64(), safe=False), _IN_A_SECOND[column.type.unit]
        )
        return pc.if_else(pc.greater_equal(seconds, 0), seconds, None)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return times(column.cast(pa.float64(), safe=False))
    if is_text(column.type):
        return times(texts_in(column))
    return pa.nulls(len(column), pa.float64())


def _plain(column: pa.Array) -> pa.Array:
    if isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _text(octets: bytes | None) -> str | None:
    return None if octets is None else carried(octets.decode("utf-8", "surrogateescape"))
