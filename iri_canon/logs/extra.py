"""Fields that were asked for by name are carried through beside a record, as one object in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

FIELD: Final = pa.field("extra", pa.string())
"""The column, behind those of `columns.SCHEMA`."""


class Extra:
    """The names of the fields.

    >>> Extra(["title", "price", "title"]).text_of({"url": "http://h/", "title": "é"})
    '{"title": "\\\\u00e9"}'
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(dict.fromkeys(names))

    def text_of(self, row: Mapping[str, Any]) -> str:
        """Those fields that a row has, in the order of asking; ASCII, so that any text has room in a column.

        JSON has no number that is none or infinite (RFC 8259 section 6): it is null. What JSON has no form for is text.

        >>> Extra(["price"]).text_of({"price": [float("inf"), 1.5]})
        '{"price": [null, 1.5]}'
        """
        fields = {name: row[name] for name in self._names if name in row}
        try:
            return json.dumps(fields, default=str, allow_nan=False)
        except ValueError:
            finite = json.loads(json.dumps(fields, default=str), parse_constant=lambda _: None)
            return json.dumps(finite)

    def added(self, batch: pa.RecordBatch, rows: Iterable[Mapping[str, Any]]) -> pa.RecordBatch:
        """A batch with the column, of one row a record."""
        return with_texts(batch, [self.text_of(row) for row in rows])


def with_texts(batch: pa.RecordBatch, texts: list[str]) -> pa.RecordBatch:
    """A batch with the column of these texts."""
    return batch.append_column(FIELD, pa.array(texts, pa.string()))
