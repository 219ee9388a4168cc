"""Times in a column are read as `records.time_in` reads each of them, the common ones all at once."""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.logs.records import MOST_SECONDS, time_in

# ISO 8601 in UTC, without the leap seconds, and the years before 1000, which Arrow reads in another way
_IN_UTC: Final = (
    r"\A[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+\-]00:?00)?\z"
)
_ZONE: Final = r"(?:Z|[+\-]00:?00)\z"
_DIGITS: Final = r"\A([12][0-9]{3})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})\z"
_DIGITS_SIZE: Final = pa.scalar(14, pa.int32())
_AS_ISO: Final = r"\1-\2-\3T\4:\5:\6"
#: How the texts of a column may end that are in UTC, all in one way.
_ZONES: Final = ("Z", "+00:00", "")
_MICRO: Final = pa.scalar(1_000_000, pa.int64())
#: Characters of a time in ISO 8601, up to its seconds.
_SIZE: Final = 19


def times(column: pa.Array) -> pa.Array:
    """Seconds since 1970 of a column of ``double`` or of ``string``, null for what is no time.

    >>> times(pa.array(["2026-12-01T06:10:35.5Z", "20261201061035", "2026-13-01T06:10:35Z", None])).to_pylist()
    [1796105435.5, 1796105435.0, None, None]
    >>> times(pa.array([1796105435500.0, -1.0])).to_pylist()
    [1796105435.5, None]
    """
    if pa.types.is_floating(column.type):
        return _of_numbers(column)
    if pc.any(pc.equal(pc.binary_length(column), _DIGITS_SIZE)).as_py():
        column = pc.replace_substring_regex(column, pattern=_DIGITS, replacement=_AS_ISO, max_replacements=1)
    found = _of_one_zone(column)
    return _of_texts(column) if found is None else found


def _of_numbers(numbers: pa.Array) -> pa.Array:
    is_time = pc.and_(pc.greater_equal(numbers, 0), pc.less(numbers, MOST_SECONDS * 1000))
    seconds = pc.if_else(pc.less(numbers, MOST_SECONDS), numbers, pc.divide(numbers, 1000))
    return pc.if_else(is_time, seconds, None)


def _of_one_zone(texts: pa.Array) -> pa.Array | None:
    """Where all have one zone, which is UTC; None where they have not, or one is none of ISO 8601 since 1970."""
    zone = next(zone for zone in _ZONES if pc.all(pc.ends_with(texts, zone), min_count=0).as_py())
    shortest = pc.min(pc.binary_length(texts)).as_py()
    if shortest is None or shortest < _SIZE + len(zone):  # a day or an hour
        return None
    try:
        microseconds = texts.cast(pa.timestamp("us", "UTC" if zone else None)).cast(pa.int64())
    except pa.ArrowInvalid:
        return None
    if pc.min(microseconds).as_py() < 0:
        return None
    seconds = pc.divide(microseconds, _MICRO)
    fractions = pc.subtract(microseconds, pc.multiply(seconds, _MICRO))
    return pc.add(
        seconds.cast(pa.float64()), pc.divide(fractions.cast(pa.float64()), _MICRO.cast(pa.float64()))
    )


def _of_texts(texts: pa.Array) -> pa.Array:
    is_common = pc.match_substring_regex(texts, pattern=_IN_UTC)
    others = pc.fill_null(pc.invert(is_common), False)
    has_others = pc.any(others).as_py()
    try:
        found = _in_utc(pc.if_else(is_common, texts, None) if has_others else texts)
    except pa.ArrowInvalid:  # a day that no month has, an hour that no day has
        return _one_by_one(texts)
    return pc.replace_with_mask(found, others, _one_by_one(texts.filter(others))) if has_others else found


def _in_utc(texts: pa.Array) -> pa.Array:
    whole = (
        pc.utf8_slice_codeunits(texts, 0, _SIZE).cast(pa.timestamp("s")).cast(pa.int64()).cast(pa.float64())
    )
    fractions = pc.replace_substring_regex(
        pc.utf8_slice_codeunits(texts, _SIZE), pattern=_ZONE, replacement=""
    )
    if not pc.any(pc.not_equal(fractions, "")).as_py():
        return whole
    return pc.add(whole, pc.if_else(pc.equal(fractions, ""), "0", fractions).cast(pa.float64()))


def _one_by_one(texts: pa.Array) -> pa.Array:
    return pa.array([time_in(text) for text in texts.to_pylist()], pa.float64())
