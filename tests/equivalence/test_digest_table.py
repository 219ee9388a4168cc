"""The table tells what a dict would, whatever was put, changed and dropped before."""

from __future__ import annotations

from hashlib import blake2b
from random import Random

import pytest

from iri_canon.equivalence import Seen, State, digest_table, memory
from iri_canon.equivalence.digest_table import DigestTable
from iri_canon.equivalence.memory import MemorySeen


def digest(number: int) -> bytes:
    return blake2b(number.to_bytes(8, "big"), digest_size=16).digest()


DONE, FAILED = Seen(State.DONE, 200), Seen(State.FAILED, 503)


def test_it_tells_what_a_dict_does() -> None:
    random = Random(1)
    table, told = DigestTable(), dict[bytes, Seen]()
    for _ in range(20_000):
        one = digest(random.randrange(3_000))
        if random.random() < 0.2:
            table.pop(one)
            told.pop(one, None)
        else:
            seen = Seen(random.choice(list(State)), random.randrange(600))
            table.put(one, seen)
            told[one] = seen
    assert len(table) == len(told) > 2_000
    assert dict(table.items()) == told
    assert [table.get(digest(number)) for number in range(4_000)] == [
        told.get(digest(number)) for number in range(4_000)
    ]
    assert digest(1_000_000) not in table
    assert all(one in table for one in told)


def test_arrays_stay_short() -> None:
    table = DigestTable()
    for number in range(10_000):
        table.put(digest(number), DONE)
    assert max(map(len, table._shards)) < 200 * digest_table._RECORD


def test_what_stands_across_two_records_is_not_there() -> None:
    table = DigestTable()
    # Without a split the two digests lie side by side in the one array there is.
    first, second = b"a" * 8 + b"b" * 8, b"c" * 8 + b"d" * 8
    table.put(first, DONE)
    table.put(second, FAILED)
    (octets,) = {bytes(shard) for shard in table._shards}
    across = octets[10:26]
    assert table.get(across) is None
    assert across not in table
    table.pop(across)
    assert (table.get(first), table.get(second), len(table)) == (DONE, FAILED, 2)
    table.put(across, Seen(State.HOP))
    assert (table.get(across), table.get(first), table.get(second)) == (Seen(State.HOP), DONE, FAILED)


def test_more_kinds_than_can_be_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest_table, "_RARE", 3)
    table = DigestTable()
    for number in range(10):
        table.put(digest(number), Seen(State.HOP, number))
    assert [table.get(digest(number)) for number in range(10)] == [Seen(State.HOP, n) for n in range(10)]
    assert len(table._rare) == 7
    table.put(digest(9), Seen(State.HOP, 0))
    table.put(digest(8), Seen(State.HOP, 77))
    table.pop(digest(7))
    assert set(table._rare) == {digest(number) for number in (3, 4, 5, 6, 8)}
    assert dict(table.items())[digest(8)] == table.get(digest(8)) == Seen(State.HOP, 77)
    assert table.get(digest(9)) == Seen(State.HOP, 0)


@pytest.mark.parametrize("newest", [1, 7, 1_000_000])
def test_a_store_tells_the_same_wherever_it_keeps_a_state(
    newest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "NEWEST", newest)
    store = MemorySeen()
    for number in range(100):
        store.put(digest(number), State.CLAIMED, 0, f"http://example.com/{number}")
    for number in range(50):
        store.put(digest(number), State.DONE, 200)
    store.forget(digest(0))
    store.forget(digest(99))
    store.forget(digest(100))
    assert len(store) == 98
    assert [store.get(digest(number)) for number in (0, 1, 50, 99)] == [None, DONE, Seen(State.CLAIMED), None]
    assert store.spelling(digest(1)) == "http://example.com/1"
    assert store.release({State.CLAIMED}) == 49
    assert len(store) == 49
    assert store.get(digest(50)) is None
    assert store.spelling(digest(50)) is None
    assert store.get(digest(49)) == DONE
