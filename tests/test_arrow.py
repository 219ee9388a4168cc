"""Keys of Arrow columns are the keys of their texts, whatever the column is made of."""

import gzip
import re
from typing import Any

import pyarrow as pa
import pytest
from folders import NO_SHARED_FOLDER, shared_folder
from hypothesis import given
from hypothesis import strategies as st

from iri_canon import Rung, key
from iri_canon.arrow import keys

FOLDER = shared_folder()
LISTS = sorted((FOLDER / "urls").glob("*.txt.gz")) if FOLDER else []

#: Each differs from its key, is its key, and is no URL; with twins that only look alike.
TEXTS = [
    "HTTP://EXAMPLE.com:80/%7Ea/../b#c",
    "http://example.com/b",
    "http://example.com",
    "http://example.com/a%2Fb?c=%2f",
    "http://example.com/.a/..b/c./...",
    "http://example.com/a/..",
    "http://example.com/a/.?b",
    "http://example.com/a?b=/../c",
    "http://bücher.example/é",
    "http://1.2.3/",
    "not a url",
    "\0http://h/",
    "",
]
KINDS = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.int32(), pa.large_string()),
    pa.dictionary(pa.int64(), pa.string_view()),
]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def column(texts: list[str | None], kind: pa.DataType) -> pa.Array:
    """An array of any of the kinds."""
    if not pa.types.is_dictionary(kind):
        return pa.array(texts, kind)
    encoded = pa.array(texts, pa.large_string()).dictionary_encode()
    return pa.DictionaryArray.from_arrays(
        encoded.indices.cast(kind.index_type), encoded.dictionary.cast(kind.value_type)
    )


def expected(texts: list[str | None], rung: Rung = Rung.SCHEME) -> list[str | None]:
    return [None if text is None else key(text, rung) for text in texts]


@each_kind
@pytest.mark.parametrize("rung", Rung)
def test_each_kind_of_column_on_each_rung(kind: pa.DataType, rung: Rung) -> None:
    texts: list[str | None] = [None, *TEXTS, None, *TEXTS]
    found = keys(column(texts, kind), rung)
    found.validate(full=True)
    assert found.type == kind
    assert found.to_pylist() == expected(texts, rung)


@each_kind
def test_a_slice_is_no_more_than_it_shows(kind: pa.DataType) -> None:
    texts: list[str | None] = [None, *TEXTS, None]
    found = keys(column(texts, kind).slice(3, 6))
    assert found.to_pylist() == expected(texts[3:9])
    assert keys(column(texts, kind).slice(3, 0)).to_pylist() == []


@each_kind
def test_chunks_stay_chunks(kind: pa.DataType) -> None:
    chunks = [column([*TEXTS], kind), column([], kind), column([None, TEXTS[1]], kind)]
    found = keys(pa.chunked_array(chunks))
    assert isinstance(found, pa.ChunkedArray)
    assert (found.type, [len(chunk) for chunk in found.chunks]) == (kind, [len(TEXTS), 0, 2])
    assert found.to_pylist() == expected([*TEXTS, None, TEXTS[1]])
    assert keys(pa.chunked_array([], kind)).type == kind


@each_kind
def test_nothing_and_nulls(kind: pa.DataType) -> None:
    assert keys(column([], kind)).to_pylist() == []
    assert keys(column([None, None], kind)).to_pylist() == [None, None]
    assert keys(pa.nulls(2)).to_pylist() == [None, None]


def test_a_column_of_keys_is_not_copied() -> None:
    own, other = pa.array(["http://h/", None]), pa.array(["http://h/", "http://H/"])
    assert keys(own) is own
    assert keys(other).to_pylist() == ["http://h/", "http://h/"]


def test_two_spellings_in_a_dictionary_become_one_entry() -> None:
    array = pa.array(["http://H/", "http://h/", None, "http://h/b"]).dictionary_encode()
    found = keys(array)
    assert found.dictionary.to_pylist() == ["http://h/", "http://h/b"]
    assert found.indices.to_pylist() == [0, 0, None, 1]


def test_a_dictionary_without_texts_stays_as_it_is() -> None:
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.nulls(2))
    assert keys(array) is array
    assert keys(pa.chunked_array([array])).to_pylist() == [None, None]


def test_nulls_in_a_dictionary_are_nulls() -> None:
    array = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, None, 2], pa.int8()), pa.array(["http://H/", None, "b"])
    )
    assert keys(array).to_pylist() == ["http://h/", None, None, "b"]


def test_an_order_of_texts_is_none_of_their_keys() -> None:
    array = pa.DictionaryArray.from_arrays(
        pa.array([0, 1], pa.int8()), pa.array(["http://H/", "a"]), ordered=True
    )
    assert array.type.ordered
    assert not keys(array).type.ordered


def test_more_rows_than_are_taken_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iri_canon.arrow._ROWS", 4)
    texts: list[str | None] = [None, *TEXTS]
    assert keys(pa.array(texts)).to_pylist() == expected(texts)
    assert keys(pa.array(texts).slice(1, 9)).to_pylist() == expected(texts[1:10])


@pytest.mark.parametrize(
    "wrong",
    [
        pa.array([1]),
        pa.array([b"http://h/"]),
        pa.array([["http://h/"]]),
        pa.array([1]).dictionary_encode(),
        pa.chunked_array([[1]]),
        ["http://h/"],
        "http://h/",
        None,
    ],
    ids=lambda wrong: str(getattr(wrong, "type", wrong)),
)
def test_what_is_no_column_of_texts_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="keys are of"):
        keys(wrong)


@pytest.mark.parametrize("rung", [2, "SCHEME", None])
def test_what_is_no_rung_is_refused(rung: Any) -> None:
    with pytest.raises(TypeError, match="rung"):
        keys(pa.array(["http://h/"]), rung)


PARTS = re.split(
    " ", "http:// https:// h 1 . .. / ? # %2E %2e %7e %C3%A9 %2F % é _- :80 @ A xn-- [ ;=+ \\ file:/// \n \0"
)
URLS = st.builds("".join, st.lists(st.sampled_from([*PARTS, " "]), max_size=12))


@given(st.lists(st.none() | URLS | st.text(), max_size=20), st.sampled_from(Rung))
def test_the_keys_of_a_column_are_the_keys_of_its_texts(texts: list[str | None], rung: Rung) -> None:
    assert keys(pa.array(texts, pa.string()), rung).to_pylist() == expected(texts, rung)


@pytest.mark.skipif(not LISTS, reason=NO_SHARED_FOLDER)
@pytest.mark.parametrize("path", LISTS, ids=[path.name.removesuffix(".txt.gz") for path in LISTS])
def test_the_keys_of_real_urls(path: Any) -> None:
    texts: list[str | None] = gzip.decompress(path.read_bytes()).decode("utf-8", "replace").split("\n")  # type: ignore[assignment]
    assert keys(pa.array(texts, pa.string())).to_pylist() == expected(texts)
