"""Blocks have the lines that there are without blocks, at their places."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iri_canon.errors import LogError
from iri_canon.logs import blocks as blocks_module
from iri_canon.logs import lines as lines_module
from iri_canon.logs.blocks import Block, blocks
from iri_canon.logs.lines import lines_of
from iri_canon.logs.records import Line

LONGEST = 20
CHUNKS = st.lists(st.text("ab\n\r\ufeffé", max_size=30).map(str.encode) | st.binary(max_size=8))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks_module, "SIZE", 16)
    monkeypatch.setattr(blocks_module, "_LEAST", 4)
    for module in (blocks_module, lines_module):
        monkeypatch.setattr(module, "LONGEST_LINE", LONGEST)


def of(found: Iterator[Block]) -> list[Line]:
    return [line for block in found for line in block.lines("log")]


@given(CHUNKS)
def test_the_lines_of_blocks_are_the_lines(chunks: list[bytes]) -> None:
    assert of(blocks(chunks)) == list(lines_of(chunks, "log"))


@given(CHUNKS)
def test_a_block_ends_with_a_line(chunks: list[bytes]) -> None:
    found = [block.octets for block in blocks(chunks) if block.octets is not None]
    assert all(octets.endswith(b"\n") for octets in found[:-1])
    assert all(found)


@given(CHUNKS)
def test_halves_have_the_lines_of_the_whole(chunks: list[bytes]) -> None:
    def cut(block: Block) -> list[Line]:
        halves = block.halves()
        if halves is None:
            return list(block.lines("log"))
        assert all(half.octets for half in halves)
        return [line for half in halves for line in cut(half)]

    assert [line for block in blocks(chunks) for line in cut(block)] == list(lines_of(chunks, "log"))


@given(CHUNKS)
def test_what_is_cut_off_is_no_line(chunks: list[bytes]) -> None:
    def cut() -> Iterator[bytes]:
        yield from chunks
        raise LogError("cut off")

    found: list[Line] = []
    with pytest.raises(LogError, match="cut off"):
        found.extend(line for block in blocks(cut()) for line in block.lines("log"))
    whole = b"".join(chunks)
    assert [line.text for line in found] == [
        line.text for line in lines_of([whole[: whole.rfind(b"\n") + 1]], "log")
    ]


def test_a_line_that_is_too_long_is_not_kept() -> None:
    chunks = [b"a\n", *[b"b" * LONGEST] * 9, b"b\nc", b"\n"]
    found = list(blocks(chunks))
    assert [(block.octets, block.line, block.offset) for block in found] == [
        (b"a\n", 1, 0),
        (None, 2, 2),
        (b"c\n", 3, 2 + 9 * LONGEST + 2),
    ]
    assert [line.text for line in of(blocks(chunks))] == ["a", None, "c"]
    # one that is as long as a line may be is one
    assert [line.text for line in of(blocks([b"b" * LONGEST + b"\n"]))] == ["b" * LONGEST]


def test_blocks_are_no_smaller_than_they_should_be() -> None:
    sizes = [len(block.octets or b"") for block in blocks([b"abc\n"] * 100)]
    assert set(sizes[:-1]) == {16}
    assert sum(sizes) == 400


@pytest.mark.parametrize("octets", [b"", b"\n", b"a", b"a\n", b"abcdefgh\n", b"abcdefgh"])
def test_one_line_has_no_halves(octets: bytes) -> None:
    assert Block(octets).halves() is None
    assert Block(None).halves() is None
    assert Block(b"abcdefgh\n" + octets + b"\n").halves() is not None
