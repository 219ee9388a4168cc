"""An archive is written by strangers: whatever it holds is read in linear time, and alike however it comes."""

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import is_linear

from iri_canon.logs import Bad, Record, WithoutUrl, arc, warc
from iri_canon.logs.records import Outcome
from logs.archives import arc_document, arc_head, concurrent_to, http, request, until_it_fails, warc_record

Read = Callable[[BinaryIO, str], Iterable[Outcome]]

GOOD = {
    "warc": [
        warc_record(
            "response", "http://h/a", http("301 Moved", "Location: /b"), concurrent_to("2"), identifier="1"
        ),
        warc_record("request", "http://h/a", request("POST"), identifier="2"),
        warc_record("revisit", "<http://h/b>", http(body=b"")),
    ],
    "arc": [
        arc_head(),
        arc_document("http://h/a", http("301 Moved", "Location: /b")),
        arc_document("dns:h", b"x"),
    ],
}
READ: dict[str, Read] = {"warc": warc.records, "arc": arc.records}
PIECES = st.sampled_from(
    [
        *GOOD["warc"],
        *GOOD["arc"],
        *(
            b"WARC/1.1\r\n",
            b"WARC-Type: response\r\n",
            b"WARC-Target-URI: <http://h/a>\r\n",
            b"Content-Length: 5\r\n",
        ),
        *(b"\r\n", b"\n", b" ", b"\r\n\r\n", b"\0", b"WARC/", b"HTTP/1.1 100\r\n\r\n", b"HTTP/1.1 301 \r\n"),
        *(b"Location: /\xe9\r\n", b"http://h/a 192.0.2.1 20261201061035 text/html 5\n", b"20261201061035 "),
    ]
)


class _InParts:
    """Data that comes in parts of some sizes."""

    def __init__(self, octets: bytes, sizes: list[int]) -> None:
        self._octets = BytesIO(octets)
        self._sizes = iter(sizes)

    def read(self, size: int = -1, /) -> bytes:
        return self._octets.read(min(size, next(self._sizes, size)))


@pytest.mark.parametrize("name", READ)
@given(pieces=st.lists(PIECES, max_size=12), sizes=st.lists(st.integers(1, 40), max_size=60))
def test_whatever_it_holds_it_comes_to_an_outcome_however_it_comes(
    name: str, pieces: list[bytes], sizes: list[int]
) -> None:
    octets = b"".join(pieces)
    found, wrong = until_it_fails(READ[name], octets)
    assert all(isinstance(each, (Record, WithoutUrl, Bad)) for each in found)
    assert until_it_fails(READ[name], _InParts(octets, sizes)) == (found, wrong)  # type: ignore[arg-type]
    places = [each.place for each in found]
    assert [each.offset for each in places] == sorted(each.offset for each in places)
    assert all(each.offset < len(octets) for each in places)


@pytest.mark.parametrize("name", READ)
@given(data=st.data())
def test_a_changed_octet_costs_no_record_before_it(name: str, data: st.DataObject) -> None:
    octets = bytearray(b"".join(GOOD[name]))
    whole, _ = until_it_fails(READ[name], bytes(octets))
    place = data.draw(st.integers(0, len(octets) - 1))
    octets[place] ^= data.draw(st.integers(1, 255))
    found, _ = until_it_fails(READ[name], bytes(octets))
    starts = [0]
    for each in GOOD[name]:
        starts.append(starts[-1] + len(each))
    last = max(start for start in starts if start <= place)
    # the request of a record before it may have changed, and with it the method
    before = [each.place for each in whole if each.place.offset < last]
    assert [each.place for each in found][: len(before)] == before


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "versions": lambda size: b"WARC/1.0\r\n" * (size // 10),
    "versions in one line": lambda size: b"WARC/1.0 " * (size // 9),
    "headers": lambda size: b"WARC/1.0\r\n\r\n" * (size // 12),
    "lengths": lambda size: b"WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 999999999\r\n\r\n" * (size // 54),
    "lengths too long": lambda size: b"".join(
        b"WARC/1.0\r\nWARC-Type: x\r\nContent-Length: %d\r\n\r\n" % left for left in range(size - 99, 99, -50)
    ),
    "versions within lines": lambda size: b"aWARC/1.0\r\n" * (size // 11),
    "types within": lambda size: b"WARC/1.0\r\n" + b"aWARC/1.0\r\nWARC-Type: x\r\n" * (size // 25) + b"\r\n",
    "interim answers": lambda size: warc_record(
        "response", "http://h/", b"HTTP/1.1 100\r\n\r\n" * (size // 16)
    ),
    "folds": lambda size: warc_record(
        "response", "http://h/", b"HTTP/1.1 200\r\nA: b" + b"\r\n c" * (size // 4)
    ),
    "line ends": lambda size: b"\r" * size,
    "spaces": lambda size: b"WARC/1.0" + b" " * size,
    "columns": lambda size: b"1 20261201 " * (size // 11) + b"9\n",
    "lines": lambda size: b"1 20261201 9\n" * (size // 13),
    "documents": lambda size: b"h 1 20261201 x 99999999\n" * (size // 24),
    "same identifiers": lambda size: warc_record("response", "h", b"", identifier="1") * (size // 150),
}


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_archives_take_linear_time(name: str, what: str) -> None:
    def read(text: str) -> object:
        return until_it_fails(READ[name], text.encode("latin-1"))

    small, large = (HOSTILE[what](size).decode("latin-1") for size in (100_000, 400_000))
    assert is_linear(read, small, large)
