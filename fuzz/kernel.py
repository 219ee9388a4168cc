"""`python -m fuzz.kernel --texts N`: the kernel and Python make the same keys of texts mutated at random.

Each text goes through the kernel alone and in a column, whose buffers are no longer than they must be, so that a
sanitizer sees what reads or writes beside them. Every 64th is compared with the steps that `explain` walks, too.
"""

import argparse
import gzip
import random
import struct
import time
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Final

from folders import shared_folder

from fuzz import corpus
from iri_canon import IriSyntaxError, Ladder, kernel, quick

#: Texts of a column, and of how many one is compared with the steps.
ROWS: Final = 256
STEPPED: Final = 64
LONGEST: Final = 2_000
LADDER: Final = Ladder()
PIECES: Final = (
    *corpus.WORDS, "/", ".", "\r", "\x00", "\x7f", "\x80", "\xff", "\udce9", "\udcc3\udca9", "\ud800", "\udfff",
    ":0", ":080", ":8080", ":65535", "localhost", "file://localhost", "ftp://h:21", "ws://h:80", "wss://h:443",
    "http://h", "https://h:443", "%2E", "/%2e/", "/%2e%2E", "1.2.3.4", ".1", "~", "!$&'()*+,;=", "A", "a" * 9,
    "x" * 300,
)  # fmt: skip


def main() -> int:
    """The exit status: 0 where all keys are the same, 1 where some differ, 2 where there is no kernel."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.kernel", description=__doc__)
    parser.add_argument("--texts", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if kernel.tier() != "kernel":
        print("there is no kernel to compare with: it is not built, or turned off")
        return 2
    chance, seeds = random.Random(arguments.seed), list(texts())
    began, done, own, wrong = time.perf_counter(), 0, 0, 0
    while done < arguments.texts:
        mutants = [mutated(chance, seeds) for _ in range(ROWS)]
        done += ROWS
        own += sum(kernel.scheme_key(text) is not None for text in mutants)
        for text in differing(mutants):
            wrong += 1
            if wrong <= 20:
                print(ascii(text))
    seconds = time.perf_counter() - began
    print(
        f"{done} texts from {len(seeds)} seeds in {seconds:.0f} s: {own} keys of the kernel's own, {wrong} differ"
    )
    return 1 if wrong else 0


def texts() -> Iterator[str]:
    """The texts of the vectors, and the lists of URLs where they are."""
    yield from corpus.texts()
    folder = shared_folder()
    for path in sorted((folder / "urls").glob("*.txt.gz")) if folder else ():
        yield from gzip.decompress(path.read_bytes()).decode("utf-8", "surrogateescape").split("\n")


def mutated(chance: random.Random, seeds: list[str]) -> str:
    """A seed with one to four changes, half of them behind its authority."""
    text = chance.choice(seeds)
    for _ in range(1 + int(4 * chance.random())):
        first = text.find("/", 8) + 1 if chance.random() < 0.5 else 0
        at = first + int((len(text) + 1 - first) * chance.random())
        to = min(len(text), at + int(12 * chance.random()))
        match int(8 * chance.random()):
            case 0 | 1 | 2:
                text = text[:at] + chance.choice(PIECES) + text[at:]
            case 3:
                text = text[:at] + text[to:]
            case 4:
                text = text[:at] + text[at:to].swapcase() + text[to:]
            case 5:
                text = text[:to] + text[at:to] * int(4 * chance.random()) + text[to:]
            case 6:
                character = chr(int(chance.choice((0x100, 0x110000)) * chance.random()))
                text = text[:at] + character + text[at:]
            case _:
                text = text[:at] + chance.choice(seeds)[at:]
    return text[:LONGEST]


def differing(texts: list[str]) -> Iterator[str]:
    """Those that have another key by the kernel than in Python, alone or in a column; what it leaves has none."""
    octets = [text.encode("utf-8", "surrogatepass") for text in texts]
    columns = in_a_column(octets, wide=len(texts[0]) % 2 == 0)
    for row, (text, in_column) in enumerate(zip(texts, columns, strict=True)):
        alone = kernel.scheme_key(text)
        read = octets[row].decode("utf-8", "surrogateescape")
        expected = None if alone is None and in_column is None else reference(text)
        wrong = (
            (alone is not None and alone != expected),
            (in_column is not None and in_column != (expected if read == text else reference(read))),
            (expected is not None and row % STEPPED == 0 and expected != by_steps(text)),
        )
        if any(wrong):
            yield text


def reference(text: str) -> str:
    """The key by Python."""
    key = quick.scheme_key(text)
    return quick.key_by_steps(text) if key is None else key


def by_steps(text: str) -> str:
    """The key by the steps of the ladder."""
    try:
        return LADDER.canonicalize(text)
    except IriSyntaxError:
        return text


def in_a_column(rows: list[bytes], *, wide: bool, room: int = 64) -> list[str | None]:
    """What the kernel makes of a column in a room that grows as it is asked for; None for what it leaves to Python."""
    assert kernel.compiled is not None
    offsets = packed(rows, wide=wide)
    data, key_offsets, others = b"".join(rows), bytearray(len(offsets)), bytearray(len(rows) // 8 + 1)
    keys, row = bytearray(room), 0
    while True:
        row, *_ = kernel.compiled.fill(
            wide, offsets, data, None, 0, len(rows), key_offsets, keys, others, row
        )
        if row == len(rows):
            break
        keys = keys + bytearray(len(keys))
    left = [row for row in range(len(rows)) if others[row >> 3] >> (row & 7) & 1]
    marks = [b"left: %d" % row for row in left]
    keys = keys[: unpacked(key_offsets, wide=wide)[-1]] + bytearray(len(b"".join(marks)))
    kernel.compiled.insert(
        wide, key_offsets, keys, len(rows), others, packed(marks, wide=wide), b"".join(marks)
    )
    ends = unpacked(key_offsets, wide=wide)
    found = [bytes(keys[begin:end]) for begin, end in pairwise(ends)]
    assert [found[row] for row in left] == marks
    return [None if row in left else key.decode("ascii") for row, key in enumerate(found)]


def packed(rows: list[bytes], *, wide: bool) -> bytes:
    """The offsets of a column of these rows."""
    return struct.pack(f"={len(rows) + 1}{'q' if wide else 'i'}", *accumulate(map(len, rows), initial=0))


def unpacked(offsets: bytearray, *, wide: bool) -> tuple[int, ...]:
    """Offsets as numbers."""
    return struct.unpack(f"={len(offsets) // (8 if wide else 4)}{'q' if wide else 'i'}", offsets)


if __name__ == "__main__":
    raise SystemExit(main())
