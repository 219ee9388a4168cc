"""Chunks read as a file: all that is good comes first, however far its reader reads ahead."""

import io
from collections.abc import Iterator

import pytest

from iri_canon.errors import LogError
from iri_canon.logs.streams import ChunkStream

CHUNKS = [b"", b"one\ntwo\n", b"t", b"", b"hree\n" + b"a" * 100_000]


def failing(error: Exception) -> Iterator[bytes]:
    yield from CHUNKS
    raise error


@pytest.mark.parametrize("size", [1, 7, 1 << 16, 1 << 20])
def test_all_of_it_comes(size: int) -> None:
    stream = ChunkStream(iter(CHUNKS))
    reader = io.BufferedReader(stream, size)
    assert reader.readline() == b"one\n"
    assert reader.read(3) == b"two"
    assert reader.read() == b"".join(CHUNKS)[7:]
    assert (reader.read(), stream.problem) == (b"", None)


@pytest.mark.parametrize("size", [1, 7, 1 << 16, 1 << 20])
def test_what_goes_wrong_ends_it_and_is_kept(size: int) -> None:
    error = LogError("cut off")
    stream = ChunkStream(failing(error))
    reader = io.BufferedReader(stream, size)
    assert reader.read(1 << 20) == b"".join(CHUNKS)
    assert (reader.read(1), reader.readline(), stream.problem) == (b"", b"", error)


def test_an_error_of_the_system_is_raised() -> None:
    reader = io.BufferedReader(ChunkStream(failing(OSError("gone"))))
    with pytest.raises(OSError, match="gone"):
        reader.read()
