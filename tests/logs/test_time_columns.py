"""A column of times has what each of its values is alone."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iri_canon.logs import time_columns
from iri_canon.logs.records import time_in
from iri_canon.logs.time_columns import times

ZONES = st.sampled_from(["Z", "+00:00", "-00:00", "+0000", "+01:00", "-0330", ""])
PRECISIONS = st.sampled_from(["auto", "seconds", "milliseconds", "microseconds", "minutes", "hours"])
TEXTS = st.one_of(
    st.builds(lambda time, sep, zone: time.isoformat(sep) + zone, st.datetimes(), st.sampled_from("T "), ZONES),
    st.datetimes().map(lambda time: time.strftime("%Y%m%d%H%M%S")),
    (st.floats() | st.integers(0, 10**16)).map(str),
    st.text("0123456789-T:.Z+ ", max_size=26),
    st.sampled_from(["2026-12-01T06:10:60Z", "2026-02-30T06:10:35Z", "2026-12-01T24:00:00Z", "0000-01-01T00:00:00"]),
    st.sampled_from(["2026-12-01T06:10:35.123456789Z", "2026-12-01T06:10:35.Z", "20260230000000"]),
    st.just("1969-12-31T23:59:59.9Z"),
)  # fmt: skip
OF_ONE_KIND = st.builds(
    lambda found, zone, precision: [time.isoformat(timespec=precision) + zone for time in found],
    st.lists(st.datetimes(min_value=datetime(1960, 1, 1))),  # noqa: DTZ001
    ZONES,
    PRECISIONS,
)


def expected(values: list[str | None] | list[float | None]) -> list[float | None]:
    return [None if value is None else time_in(value) for value in values]


@given(st.lists(st.none() | TEXTS) | OF_ONE_KIND)
def test_texts(values: list[str | None]) -> None:
    assert times(pa.array(values, pa.string())).to_pylist() == expected(values)


@given(st.lists(st.none() | st.floats() | st.integers(0, 10**15).map(float)))
def test_numbers(values: list[float | None]) -> None:
    assert times(pa.array(values, pa.float64())).to_pylist() == expected(values)


@pytest.mark.parametrize(
    "values",
    [
        ["2026-12-01T06:10:35Z", None, "2027-01-01 00:00:00Z"],
        ["2026-12-01T06:10:35.123456+00:00", "2026-12-01T06:10:35+00:00"],
        ["2026-12-01T06:10:35", "2026-12-01 06:10:35.5"],
        ["20261201061035", "20261201061036"],
    ],
    ids=str,
)
def test_common_times_are_read_at_once(values: list[str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = expected(values)
    monkeypatch.setattr(time_columns, "time_in", lambda _: pytest.fail("one by one"))
    assert times(pa.array(values, pa.string())).to_pylist() == wanted
    with pytest.raises(pytest.fail.Exception):
        times(pa.array([*values, "2026-12-01T06:10:35+01:00"], pa.string()))


def test_a_time_is_what_it_says() -> None:
    told = datetime(2026, 12, 1, 6, 10, 35, 500_000, UTC)
    assert times(pa.array([told.isoformat()])).to_pylist() == [told.timestamp()]
