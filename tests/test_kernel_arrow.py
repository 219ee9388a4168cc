"""A column has the keys of its texts in either tier: nulls, slices, octets that are no UTF-8, and too many of them."""

import random
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.kernel import PIECES, mutated, texts
from iri_canon import Rung, kernel, key
from iri_canon.arrow import keys

needs_kernel = pytest.mark.skipif(
    not kernel.IS_BUILT,
    reason="there is no kernel: it was not built (install a C compiler, then `pip install -e .`)",
)
TIERS = [pytest.param("kernel", marks=needs_kernel), "python"]
KINDS = [pa.string(), pa.large_string()]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)

ROWS = [
    b"HTTP://H/", b"http://h/", None, b"http://h/a?b", b"http://H/%7e", b"", b"/relative/../a", b"http://b\xc3\xbccher.example/",
    b"http://h/\xff\xed\xa0\x80", b"\xff", b"http://\xff/", b"http://h:99999/", b" http://h/ ", b"http://h/\t", None,
    b"http://h/" + b"\xc3\xa9" * 3000, b"http://u@h/a", b"http://h/a/b/../.", b"http://h/\x00", b"http://\xef\xb7\xba.example/",
]  # fmt: skip


@pytest.fixture
def tier(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "python":
        monkeypatch.setattr(kernel, "compiled", None)
    elif kernel.compiled is None:
        pytest.skip("IRI_CANON_PURE is set")
    return str(request.param)


def column(rows: list[bytes | None], kind: pa.DataType) -> pa.Array:
    """Octets, whether they are UTF-8 or not, as texts."""
    binary = pa.large_binary() if pa.types.is_large_string(kind) else pa.binary()
    return pa.array(rows, binary).view(kind)


def octets(array: pa.Array) -> list[bytes | None]:
    binary = pa.large_binary() if pa.types.is_large_string(array.type) else pa.binary()
    found: list[bytes | None] = array.view(binary).to_pylist()
    return found


def expected(rows: list[bytes | None]) -> list[bytes | None]:
    return [None if row is None else key(row).encode("utf-8", "surrogateescape") for row in rows]


@pytest.mark.parametrize("tier", TIERS, indirect=True)
@each_kind
def test_slices_with_nulls_and_octets_that_are_no_utf8(tier: str, kind: pa.DataType) -> None:
    array, whole = column(ROWS, kind), expected(ROWS)
    for begin in range(len(ROWS) + 1):
        for length in (0, 1, 2, 7, 9, len(ROWS)):
            found = keys(array.slice(begin, length))
            assert octets(found) == whole[begin : begin + length], (begin, length)
            assert found.null_count == whole[begin : begin + length].count(None)


@pytest.mark.parametrize("tier", TIERS, indirect=True)
@each_kind
def test_slices_of_what_was_answered(tier: str, kind: pa.DataType) -> None:
    found = keys(column(ROWS, kind).slice(3))
    assert octets(keys(found.slice(2, 9))) == expected(ROWS[5:14])
    assert octets(pa.concat_arrays([found, found])) == 2 * expected(ROWS[3:])


@pytest.mark.parametrize("tier", TIERS, indirect=True)
@each_kind
def test_more_rows_than_there_is_room_for(tier: str, kind: pa.DataType) -> None:
    rows: list[bytes | None] = [b"http://h/" + b"\xc3\xa9" * (row % 97) for row in range(3_000)]
    assert octets(keys(column(rows, kind))) == expected(rows)
    assert octets(keys(column(rows, kind).slice(999, 1_001))) == expected(rows[999:2_000])


@pytest.mark.parametrize("tier", TIERS, indirect=True)
def test_texts_of_nulls_are_not_read(tier: str) -> None:
    array = pa.Array.from_buffers(
        pa.string(), 3, [pa.py_buffer(b"\x05"), pa.array([0, 8, 14, 22], pa.int32()).buffers()[1], pa.py_buffer(b"http://HnotURLhttp://H")]
    )  # fmt: skip
    assert keys(array).to_pylist() == ["http://h/", None, "http://h/"]


@needs_kernel
def test_keys_that_may_be_too_many_octets_are_large_strings_on_the_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("iri_canon.arrow._MOST_OCTETS", 10)
    array = column(ROWS, pa.string())
    found = keys(array)
    assert (found.type, octets(found)) == (pa.string(), expected(ROWS))


@pytest.mark.parametrize("tier", TIERS, indirect=True)
@each_kind
def test_mutated_texts(tier: str, kind: pa.DataType) -> None:
    chance, seeds = random.Random(5), list(texts())
    rows: list[bytes | None] = [
        None if chance.random() < 0.1 else mutated(chance, seeds).encode("utf-8", "surrogatepass")
        for _ in range(2_000)
    ]
    assert octets(keys(column(rows, kind))) == expected(rows)


CELLS = st.none() | st.binary(max_size=9) | st.builds(
    lambda pieces: "".join(pieces).encode("utf-8", "surrogatepass"), st.lists(st.sampled_from(PIECES), max_size=9)
)  # fmt: skip


@given(st.lists(CELLS, max_size=20), st.sampled_from(KINDS), st.integers(0, 20))
def test_any_column(rows: list[bytes | None], kind: pa.DataType, begin: int) -> None:
    assert octets(keys(column(rows, kind).slice(begin))) == expected(rows[begin:])
    assert octets(keys(column(rows, kind), Rung.PROTOCOL)) == expected(rows)


@needs_kernel
def test_threads_do_not_wait_for_each_other() -> None:
    """Several at once have the keys that one has; the time is not looked at."""
    array = column([row for row in ROWS if row] * 500, pa.large_string())
    once = octets(keys(array))
    with ThreadPoolExecutor(4) as pool:
        assert [octets(found) == once for found in pool.map(lambda _: keys(array), range(8))] == [True] * 8


@needs_kernel
def test_offsets_that_do_not_fit_are_no_reason_to_read_beside() -> None:
    """Arrow looks at the first and the last one only, unless it is asked to, and reads beside its data."""
    if kernel.compiled is None:
        pytest.skip("IRI_CANON_PURE is set")
    offsets = pa.array([0, 1_000_000_000, 9], pa.int32()).buffers()[1]
    array = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"http://h/")])
    with pytest.raises(ValueError, match="do not fit"):
        keys(array)
