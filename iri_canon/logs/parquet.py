"""A Parquet file gives its columns by their names; a row group that is damaged costs itself.

Source: Apache Parquet format; the names are those of feeds, and of the index of Common Crawl.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from iri_canon.errors import LogError
from iri_canon.logs.archives import PARQUET_MARKS
from iri_canon.logs.columns import HOPS, ROWS, SCHEMA, hops, restored
from iri_canon.logs.extra import Extra, with_texts
from iri_canon.logs.jsonl import CHAIN, DIGESTS, LOCATIONS, STATUSES, led_by
from iri_canon.logs.parquet_columns import is_text, seconds_in, statuses_in, texts_in
from iri_canon.logs.records import Bad, Place
from iri_canon.logs.tally import Tally

FORMAT: Final = "parquet"

TIMES: Final = ("time", "fetch_time")
TYPES: Final = ("mime", "content_mime_type", "content_mime_detected")
"""Besides the names that feeds have. Of columns with several names, in each row the first that has a value counts."""

_URL: Final = "url"
_METHOD: Final = "method"
#: Why only the beginning of a body was kept; its digest is that of the beginning.
_TRUNCATED: Final = "content_truncated"
_COLUMNS: Final = (_URL, *STATUSES, *DIGESTS, *LOCATIONS, *TIMES, *TYPES, _METHOD, _TRUNCATED, *CHAIN)
_NONE: Final = ("", "-")
#: Octets of a column that are read at once; a column of a row group may have gigabytes.
_BUFFER: Final = 1 << 20
_LARGEST_BATCH: Final = 1 << 26
#: What pyarrow raises for what it cannot read.
_DAMAGE: Final = (OSError, ValueError, pa.ArrowException)


def batches(
    path: Path,
    tally: Tally,
    first: int = 0,
    tell: Callable[[Bad], None] | None = None,
    *,
    extra: Sequence[str] = (),
) -> Iterator[pa.RecordBatch]:
    """The rows of a Parquet file in batches of `columns.SCHEMA`, numbered from ``first``; ``tally`` counts them.

    The columns are those of a feed (`jsonl.records`), and of `TIMES` and `TYPES`. The offset of a row is its number
    from 0, its line that from 1. A null is no URL. Columns named in ``extra`` come as one more column of that name: an
    object in JSON.

    ``tell`` is given the first bad ones of each reason, and may raise to stop. Raises ``OSError`` for a file that
    cannot be opened, ``LogError`` for one that is no Parquet or has no URLs, and behind all rows of a damaged one.
    """
    tally.format_name = FORMAT
    with path.open("rb") as stream:
        head = stream.read(len(PARQUET_MARKS[0]))
    if not head:
        return
    with _opened(path, head) as (file, names):
        wanted = _wanted(file.schema_arrow, names, extra)
        row, damaged = 0, 0
        for group in range(file.num_row_groups):
            end = row + file.metadata.row_group(group).num_rows
            for found in _rows_of(file, group, wanted):
                if found is None:
                    damaged += 1
                    bad = Bad(Place(tally.file, row + 1, row), "the row group is damaged")
                    if tally.add_bad(bad) and tell is not None:
                        tell(bad)
                    break
                try:
                    batch = _batch(found, Place(tally.file, row + 1, row), first, extra)
                except pa.ArrowException as error:
                    raise LogError(f"a column is of a type that is not read: {error}") from error
                tally.without_url += found.num_rows - batch.num_rows
                tally.records += batch.num_rows
                first += batch.num_rows
                row += found.num_rows
                if batch.num_rows:
                    yield batch
            row = end
        if damaged:
            raise LogError(f"{damaged} of {file.num_row_groups} row groups are damaged")
        if row and not tally.records:
            raise LogError("no readable record")


@contextmanager
def _opened(path: Path, head: bytes) -> Iterator[tuple[pq.ParquetFile, list[str]]]:
    """A file, and the names of its columns."""
    if head not in PARQUET_MARKS:
        raise LogError("no Parquet file")
    try:
        file = pq.ParquetFile(path, buffer_size=_BUFFER, page_checksum_verification=True)
        names = file.schema_arrow.names
    except _DAMAGE:
        what = "encrypted" if head == PARQUET_MARKS[1] else "cut off or damaged"
        raise LogError(f"the Parquet file is {what}: what it ends with cannot be read") from None
    with file:
        yield file, names


def _wanted(schema: pa.Schema, names: list[str], extra: Sequence[str]) -> list[str]:
    """The columns that are read."""
    if _URL not in names:
        raise LogError("no column has the URL (url)")
    if not is_text(schema.field(names.index(_URL)).type):
        raise LogError("the column url has no texts")
    return [name for name in dict.fromkeys((*_COLUMNS, *extra)) if name in names]


def _rows_of(file: pq.ParquetFile, group: int, wanted: list[str]) -> Iterator[pa.RecordBatch | None]:
    """The rows of a row group as they come, and None where they cannot be read any further."""
    rows = file.iter_batches(batch_size=_batch_size(file, group), row_groups=[group], columns=wanted)
    while True:
        try:
            found = next(rows, None)
            if found is None:
                return
            found.validate()
        except _DAMAGE:
            yield None
            return
        yield found


def _batch_size(file: pq.ParquetFile, group: int) -> int:
    """As many rows as memory has room for: a feed may carry whole pages.

    What a damaged file says of its single columns is not asked for: pyarrow 26 can abort on it.
    """
    told = file.metadata.row_group(group)
    return int(min(ROWS, max(1, told.num_rows * _LARGEST_BATCH // max(1, told.total_byte_size))))


def _batch(rows: pa.RecordBatch, place: Place, first: int, extra: Sequence[str]) -> pa.RecordBatch:
    """The rows that have a URL, from ``place`` on, numbered from ``first``."""
    count = rows.num_rows
    urls = texts_in(_column(rows, _URL))
    columns = [
        pa.arange(first, first + count),
        urls,
        _first_of(rows, STATUSES, statuses_in, pa.int32()),
        _told(_first_of(rows, LOCATIONS, texts_in, pa.string()), _NONE),
        _digests(rows),
        _first_of(rows, TIMES, seconds_in, pa.float64()),
        _told(_first_of(rows, (_METHOD,), texts_in, pa.string()), (*_NONE, "GET")),
        _told(_first_of(rows, TYPES, texts_in, pa.string()), _NONE),
        _led_by(rows, urls),
        pa.array([True] * count, pa.bool_()),
        pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), pa.array([place.file])),
        pa.arange(place.line, place.line + count),
        pa.arange(place.offset, place.offset + count),
    ]
    batch = pa.RecordBatch.from_arrays(columns, schema=SCHEMA)
    if extra:
        batch = with_texts(batch, _extra(rows, extra))
    is_record = pc.fill_null(pc.not_equal(urls, ""), False)
    if not pc.all(is_record).as_py():
        # the rows themselves may be of types that pyarrow does not filter
        batch = batch.filter(is_record)
        batch = batch.set_column(0, SCHEMA.field(0), pa.arange(first, first + batch.num_rows))
    return batch


def _column(rows: pa.RecordBatch, name: str) -> pa.Array:
    return rows.column(rows.schema.names.index(name))


def _first_of(
    rows: pa.RecordBatch, names: Sequence[str], read: Callable[[pa.Array], pa.Array], kind: pa.DataType
) -> pa.Array:
    found = [read(_column(rows, name)) for name in names if name in rows.schema.names]
    return pc.coalesce(*found) if found else pa.nulls(rows.num_rows, kind)


def _told(texts: pa.Array, none: Sequence[str]) -> pa.Array:
    """Texts, null where they are what stands for none."""
    return pc.if_else(pc.is_in(texts, pa.array(none)), None, texts)


def _digests(rows: pa.RecordBatch) -> pa.Array:
    digests = _told(_first_of(rows, DIGESTS, texts_in, pa.string()), _NONE)
    if _TRUNCATED not in rows.schema.names:
        return digests
    reasons = _told(texts_in(_column(rows, _TRUNCATED)), _NONE)
    return pc.if_else(pc.is_valid(reasons), None, digests)


def _led_by(rows: pa.RecordBatch, urls: pa.Array) -> pa.Array:
    if not all(name in rows.schema.names for name in CHAIN):
        return pa.nulls(rows.num_rows, HOPS)
    chains = _values(rows, CHAIN)
    found = [
        hops(led_by(chain, restored(url))) if url else None
        for url, chain in zip(urls.to_pylist(), chains, strict=True)
    ]
    return pa.array(found, HOPS)


def _extra(rows: pa.RecordBatch, names: Sequence[str]) -> list[str]:
    present = [name for name in dict.fromkeys(names) if name in rows.schema.names]
    return list(map(Extra(names).text_of, _values(rows, present)))


def _values(rows: pa.RecordBatch, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Of each row what the columns of these names have."""
    columns = [_column(rows, name) for name in names]
    for row in range(rows.num_rows):
        yield {name: _value(column[row]) for name, column in zip(names, columns, strict=True)}


def _value(scalar: pa.Scalar) -> Any:
    """A value for a program; octets are text, those that are no UTF-8 as surrogates."""
    try:
        value = scalar.as_py()
    except UnicodeDecodeError:
        value = scalar.cast(pa.large_binary()).as_py() if is_text(scalar.type) else None
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
