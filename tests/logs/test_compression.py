"""Zstd (RFC 8878): frames behind each other, skipped ones, cut, damaged, with a dictionary; gzip where it is alike."""

import gzip
import struct
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from iri_canon.errors import LogError
from iri_canon.logs.compression import CHUNK, decompressed
from logs.reading import all_of, log, until_it_fails, urls

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ROWS = [f'{{"url": "http://h/{number}"}}\n'.encode() for number in range(3)]
SKIPPED = struct.pack("<II", 0x184D2A50, 4) + b"skip"
CHECKED = {zstd.CompressionParameter.checksum_flag: 1}


def in_pieces(octets: bytes, size: int) -> Iterator[bytes]:
    return (octets[start : start + size] for start in range(0, len(octets), size))


def until_damaged(octets: bytes, size: int = CHUNK) -> tuple[bytes, str | None]:
    """The data, and what was wrong at last."""
    found: list[bytes] = []
    try:
        found.extend(decompressed(in_pieces(octets, size)))
    except LogError as error:
        return b"".join(found), str(error)
    return b"".join(found), None


@pytest.mark.parametrize("compress", [gzip.compress, zstd.compress])
def test_parts_follow_each_other(compress) -> None:  # type: ignore[no-untyped-def]
    octets = b"".join(map(compress, ROWS))
    for size in (5, 64, CHUNK):
        assert until_damaged(octets, size) == (b"".join(ROWS), None)
    assert until_damaged(compress(b"")) == (b"", None)
    assert until_damaged(b"") == (b"", None)


def test_frames_to_be_skipped_have_no_data() -> None:
    one, two, three = map(zstd.compress, ROWS)
    octets = SKIPPED + one + two + SKIPPED + three + SKIPPED
    assert until_damaged(octets) == (b"".join(ROWS), None)
    assert until_damaged(SKIPPED) == (b"", None)
    assert until_damaged(b"\x50\x2a\x4d\x17" + octets[4:])[0] != b"".join(ROWS)  # that is no number of one


@pytest.mark.parametrize("size", [7, CHUNK])
def test_a_frame_that_is_cut_off_gives_what_came_before(size: int) -> None:
    before, last = zstd.compress(ROWS[0]), zstd.compress(ROWS[1])
    for end in range(1, len(last)):
        data, wrong = until_damaged(before + last[:end], size)
        assert data.startswith(ROWS[0]) and (ROWS[0] + ROWS[1]).startswith(data)
        assert wrong == f"the zstd frame at octet {len(before)} is cut off"
    assert until_damaged(before + last, size) == (ROWS[0] + ROWS[1], None)


def test_a_damaged_frame_is_told_with_its_offset() -> None:
    before, last = SKIPPED + zstd.compress(ROWS[0]), zstd.compress(ROWS[1], options=CHECKED)
    for place in (0, 4, len(last) - 1):
        octets = bytearray(before + last)
        octets[len(before) + place] ^= 0xFF
        data, wrong = until_damaged(bytes(octets))
        assert data.startswith(ROWS[0])
        assert wrong == f"the zstd frame at octet {len(before)} is damaged"
    assert (
        until_damaged(before + last + b"junk")[1]
        == f"the zstd frame at octet {len(before + last)} is damaged"
    )


def test_a_frame_that_needs_too_much_memory_says_so() -> None:
    options = {zstd.CompressionParameter.window_log: 28}
    for level, wrong in ((28, "needs more than 128 MiB of memory; pipe it in decompressed"), (27, None)):
        options[zstd.CompressionParameter.window_log] = level
        compressor = zstd.ZstdCompressor(options=options)
        octets = compressor.compress(ROWS[0]) + compressor.flush()
        data, told = until_damaged(zstd.compress(b"a") + octets)
        assert told == (
            None if wrong is None else f"the zstd frame at octet {len(zstd.compress(b'a'))} {wrong}"
        )
        assert data == (b"a" if wrong else b"a" + ROWS[0])


DICTIONARY = zstd.train_dict(
    [f'{{"url": "http://h/{n}", "status": {n % 9}}}'.encode() for n in range(900)], 2_000
)


@pytest.mark.parametrize("is_compressed", [False, True])
@pytest.mark.parametrize("size", [7, CHUNK])
def test_a_dictionary_at_the_head_is_that_of_all_frames(is_compressed: bool, size: int) -> None:
    content = DICTIONARY.dict_content
    content = zstd.compress(content) if is_compressed else content
    head = struct.pack("<II", 0x184D2A5D, len(content)) + content
    frames = b"".join(zstd.compress(row, zstd_dict=DICTIONARY) for row in ROWS)
    assert until_damaged(head + frames, size) == (b"".join(ROWS), None)
    assert until_damaged(frames, size) == (
        b"",
        "the zstd frame at octet 0 needs a dictionary that is not in the file",
    )
    for end in (9, len(head) - 1):
        assert until_damaged(head[:end], size) == (b"", "the zstd frame at octet 0 is cut off")
    # what is no dictionary is skipped, however long it says it is
    assert until_damaged(struct.pack("<II", 0x184D2A5D, 4) + b"skip" + zstd.compress(b"a"), size) == (
        b"a",
        None,
    )
    long = struct.pack("<II", 0x184D2A5D, 1 << 31) + b"skip"
    assert until_damaged(long, size) == (b"", "the zstd frame at octet 0 is cut off")


@pytest.mark.parametrize("compress", [gzip.compress, zstd.compress])
def test_a_bomb_takes_no_memory(compress) -> None:  # type: ignore[no-untyped-def]
    octets = compress(bytes(50_000_000))
    tracemalloc.start()
    try:
        assert sum(map(len, decompressed(in_pieces(octets, CHUNK)))) == 50_000_000
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1_000_000


def test_a_log_in_zstd(tmp_path: Path) -> None:
    octets = b"".join(map(zstd.compress, ROWS))
    file = log(tmp_path, octets, "a.txt")
    assert urls(all_of(file)) == ["http://h/0", "http://h/1", "http://h/2"]
    assert file.format_name == "jsonl"
    assert until_it_fails(log(tmp_path, octets[:-1], "a.txt"))[1] is not None


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    monkeypatch.delattr("backports.zstd", raising=False)
    assert until_damaged(zstd.compress(b"a")) == (
        b"",
        "compressed by zstd, which needs a library: pip install 'iri-canon[logs]'",
    )
    assert until_damaged(gzip.compress(b"a")) == (b"a", None)
