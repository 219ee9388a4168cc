"""A digest that is kept for long costs its octets, two more for what is known of it, and a share of a list.

A dict takes about 100 octets for a digest: an object, a reference to it and a place. Here some digests share one
array of octets, and which array a digest is in follows from its hash. The search in an array is exact, and done in C.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from iri_canon.equivalence.stores import DIGEST_SIZE, Seen

_RECORD: Final = DIGEST_SIZE + 2
_LOAD: Final = 32
"""Digests to an array, on average: fewer cost more arrays, more take longer to search."""
_RARE: Final = 0xFFFF
"""The code of what has no code of its own, where more kinds of knowledge occur than two octets can number."""


class DigestTable:
    """What is known of digests of ``DIGEST_SIZE`` octets, in little memory; it grows by one array at a time.

    >>> from iri_canon.equivalence.stores import State
    >>> table = DigestTable()
    >>> table.put(bytes(16), Seen(State.DONE, 200))
    >>> table.get(bytes(16)).status, table.get(b"x" * 16), len(table)
    (200, None, 1)
    """

    __slots__ = ("_codes", "_full", "_kinds", "_length", "_mask", "_rare", "_shards", "_split")

    def __init__(self) -> None:
        # Linear hashing: the list always has a power of two of places, and an array that was not split yet, those
        # from `_split` on to the half, stands in two of them. So the hash alone names the place.
        self._shards = [bytearray()] * 2
        self._mask = 1
        self._split = 0
        self._length = 0
        self._full = _LOAD
        self._kinds: list[Seen] = []
        self._codes: dict[Seen, int] = {}
        self._rare: dict[bytes, Seen] = {}

    def get(self, digest: bytes) -> Seen | None:
        """What is known of a digest."""
        shard = self._shards[hash(digest) & self._mask]
        at = shard.find(digest)
        if at > 0 and at % _RECORD:
            at = _aligned(shard, digest)
        if at < 0:
            return None
        code = shard[at + DIGEST_SIZE] | shard[at + DIGEST_SIZE + 1] << 8
        return self._rare[digest] if code == _RARE else self._kinds[code]

    def put(self, digest: bytes, seen: Seen) -> None:
        """Set what is known of a digest."""
        code = self._codes.get(seen)
        if code is None:
            code = self._number(seen)
        octets = code.to_bytes(2, "little")
        shard = self._shards[hash(digest) & self._mask]
        at = shard.find(digest)
        if at > 0 and at % _RECORD:
            at = _aligned(shard, digest)
        if at >= 0:
            if self._rare:
                self._rare.pop(digest, None)
            shard[at + DIGEST_SIZE : at + _RECORD] = octets
        else:
            shard += digest + octets
            self._length += 1
            if self._length > self._full:
                self._grow()
        if code == _RARE:
            self._rare[digest] = seen

    def pop(self, digest: bytes) -> None:
        """Drop a digest; one that is not there is no error."""
        shard = self._shards[hash(digest) & self._mask]
        at = _aligned(shard, digest)
        if at >= 0:
            del shard[at : at + _RECORD]
            self._length -= 1
            self._rare.pop(digest, None)

    def __len__(self) -> int:
        return self._length

    def __contains__(self, digest: bytes) -> bool:
        return _aligned(self._shards[hash(digest) & self._mask], digest) >= 0

    def items(self) -> Iterator[tuple[bytes, Seen]]:
        """All digests with what is known of them, in no order; nothing may be changed meanwhile."""
        for number in range(len(self._shards) // 2 + self._split):
            shard = bytes(self._shards[number])
            for at in range(0, len(shard), _RECORD):
                digest = shard[at : at + DIGEST_SIZE]
                code = shard[at + DIGEST_SIZE] | shard[at + DIGEST_SIZE + 1] << 8
                yield digest, self._rare[digest] if code == _RARE else self._kinds[code]

    def _number(self, seen: Seen) -> int:
        code = len(self._kinds)
        if code == _RARE:
            return code
        self._kinds.append(seen)
        self._codes[seen] = code
        return code

    def _grow(self) -> None:
        """Split the next array by one more bit of the hash."""
        shards, number = self._shards, self._split
        half = len(shards) // 2
        shard = bytes(shards[number])
        staying: list[bytes] = []
        going: list[bytes] = []
        for at in range(0, len(shard), _RECORD):
            to = going if hash(shard[at : at + DIGEST_SIZE]) & half else staying
            to.append(shard[at : at + _RECORD])
        shards[number] = bytearray(b"".join(staying))
        shards[number + half] = bytearray(b"".join(going))
        self._full += _LOAD
        self._split = number + 1
        if self._split == half:
            shards += shards
            self._mask = len(shards) - 1
            self._split = 0


def _aligned(shard: bytearray, digest: bytes) -> int:
    """Where the record of a digest begins; -1: nowhere. Its octets may also occur across two records."""
    at = shard.find(digest)
    while at > 0 and at % _RECORD:
        at = shard.find(digest, at + 1)
    return at
