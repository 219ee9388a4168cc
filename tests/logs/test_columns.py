"""Columns hold what records hold, text that is no UTF-8 as well."""

from collections.abc import Iterator

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iri_canon.errors import LogError
from iri_canon.logs import Bad, Hop, Place, Record, WithoutUrl
from iri_canon.logs.columns import SCHEMA, batches, carried, restored
from iri_canon.logs.tally import Tally

PLACE = Place("a.log", 3, 40)


@given(st.text(st.characters(exclude_categories=())))
def test_a_text_comes_back(text: str) -> None:
    assert restored(carried(text)) == text
    carried(text).encode()


@given(st.text("\\ud8f0\ud800\0a"), st.text("\\ud8f0\ud800\0a"))
def test_two_texts_stay_two(one: str, other: str) -> None:
    assert (carried(one) == carried(other)) == (one == other)


def test_all_that_a_record_has_is_there() -> None:
    record = Record(
        PLACE,
        "http://h/\udce9",
        301,
        "/b",
        "sha1:A",
        5.5,
        "HEAD",
        "text/html",
        (Hop("http://h/0", "/a", 308),),
        False,
    )
    tally = Tally("a.log")
    (batch,) = batches([record, WithoutUrl(PLACE), Bad(PLACE, "odd")], tally, 7)
    assert batch.schema.equals(SCHEMA)
    assert batch.to_pylist() == [
        {
            "number": 7,
            "url": "\0http://h/\\udce9",
            "status": 301,
            "location": "/b",
            "digest": "sha1:A",
            "time": 5.5,
            "method": "HEAD",
            "mime": "text/html",
            "led_by": [{"source": "http://h/0", "target": "/a", "status": 308}],
            "counts": False,
            "file": "a.log",
            "line": 3,
            "offset": 40,
        }
    ]
    assert (tally.records, tally.bad, tally.without_url) == (0, {"odd": 1}, 1)  # a mention counts nowhere


def test_what_came_before_a_failure_is_there() -> None:
    def cut() -> Iterator[Record]:
        yield Record(PLACE, "http://h/")
        raise LogError("cut off")

    found: list[pa.RecordBatch] = []
    with pytest.raises(LogError, match="cut off"):
        found.extend(iter(batches(cut(), Tally("a"))))
    assert [batch.num_rows for batch in found] == [1]
