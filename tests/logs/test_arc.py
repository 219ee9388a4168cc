"""ARC by the Internet Archive's description of its versions 1 and 2."""

from io import BytesIO

import pytest
from warcio.archiveiterator import ArchiveIterator

from iri_canon.logs import Hop, Record, WithoutUrl, arc
from iri_canon.logs.arc import records
from iri_canon.logs.archives import is_arc
from logs.archives import (
    TIME,
    FailingStream,
    arc_document,
    arc_head,
    bad,
    http,
    members,
    until_it_fails,
    urls,
)

URL = "http://h/a"
#: Result code, checksum, location, offset, file name.
COLUMNS = " {} 8ab2 {} 1024 a.arc"


def read(octets: bytes) -> list[Record]:
    """The records of a file that has nothing else in it."""
    found, wrong = until_it_fails(records, octets)
    assert wrong is None
    assert all(isinstance(each, Record) for each in found), found
    return [each for each in found if isinstance(each, Record)]


def only(octets: bytes) -> Record:
    (found,) = read(octets)
    return found


@pytest.mark.parametrize("version", [1, 2])
def test_the_description_of_the_file_is_no_record(version: int) -> None:
    assert is_arc(arc_head(version))
    assert read(arc_head(version)) == []
    assert urls(read(arc_head(version) + arc_document(URL, http()) + arc_head(version))) == [URL]


@pytest.mark.parametrize(
    "head", [b"WARC/1.0\r\n", b"", b"http://h/a 192.0.2.1 20261201061035 text/html 9\n", b"file"]
)
def test_what_does_not_begin_as_an_arc(head: bytes) -> None:
    assert not is_arc(head)


def test_all_that_a_document_of_version_1_tells() -> None:
    block = http("301 Moved", b"Location: /\xe9", "Content-Type: text/plain; charset=utf-8")
    found = only(arc_head() + arc_document(URL, block))
    assert (found.url, found.status, found.mime, found.time) == (URL, 301, "text/plain", TIME)
    assert found.hops() == (Hop(URL, "/%E9", 301),)
    assert (found.digest, found.method, found.counts) == (None, "GET", True)
    assert (found.place.line, found.place.offset) == (2, len(arc_head()))


def test_two_locations_are_none() -> None:
    for fields, location in (
        (("Location: /b", "Location: /b"), "/b"),
        (("Location: /b", "Location: /c"), None),
    ):
        assert only(arc_document(URL, http("301 Moved", *fields))).location == location


def test_a_document_of_version_2_tells_by_its_answer() -> None:
    found = only(
        arc_head(2) + arc_document(URL, http("301 Moved", "Location: /b"), columns=COLUMNS.format(302, "/c"))
    )
    assert (found.url, found.status, found.location, found.mime) == (URL, 301, "/b", "text/html")
    # the checksum is of the headers, too: two of one page differ
    assert found.digest is None
    # what an answer does not say is not taken from elsewhere
    found = only(arc_document(URL, http("301 Moved"), columns=COLUMNS.format(302, "/c")))
    assert (found.status, found.location) == (301, None)


def test_a_document_of_version_2_that_is_no_answer_tells_by_its_line() -> None:
    found = only(arc_document(URL, b"<p>", columns=COLUMNS.format(301, "/b")))
    assert (found.status, found.location) == (301, "/b")
    found = only(arc_document(URL, b"<p>", columns=COLUMNS.format("-", "-")))
    assert (found.status, found.location) == (None, None)


def test_a_document_of_version_1_that_is_no_answer_has_no_status() -> None:
    found = only(arc_document("ftp://h/a", b"220 ready\r\n", mime="text/plain"))
    assert (found.url, found.status, found.location, found.mime) == ("ftp://h/a", None, None, "text/plain")


@pytest.mark.parametrize(
    "columns", ["", COLUMNS.format(200, "-"), " 200 - - - -", " 200 - - 20261201061035 a.arc"]
)
@pytest.mark.parametrize("mime", ["text/html", "text/html; charset=utf-8", ""])
@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1", "-"])
@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("http://h/a", "http://h/a"),
        ("http://h/a b", "http://h/a b"),
        ("http://h/a 1.1.1.1 20261201061035 c", "http://h/a 1.1.1.1 20261201061035 c"),
        ("http://h/\u00e9", "http://h/\u00e9"),
        (b"http://h/\xe9", "http://h/\udce9"),
        ("dns:h", "dns:h"),
    ],
)
def test_a_url_and_a_type_may_have_spaces(
    written: str | bytes, url: str, address: str, mime: str, columns: str
) -> None:
    found = only(arc_document(written, b"x", mime=mime, columns=columns, address=address))
    assert (found.url, found.mime, found.time) == (url, mime.partition(";")[0], TIME)
    assert found.status == (200 if columns else None)


def test_a_date_of_another_size_is_no_time() -> None:
    for date, time in (("20261201061035", TIME), ("202612010610", None), ("20261301061035", None)):
        octets = arc_document(URL, b"x").replace(b"20261201061035", date.encode())
        assert only(octets).time == time


def test_a_document_without_a_url() -> None:
    found, wrong = until_it_fails(records, arc_document("-", http()) + arc_document(URL, http()))
    assert isinstance(found[0], WithoutUrl)
    assert (urls(found), wrong) == ([URL], None)


WHOLE = [
    arc_head(),
    arc_document("http://h/0", http("301 Moved", "Location: /1")),
    arc_document("http://h/1", http()),
]
LAST = arc_document("http://h/2", http("200 OK", "A: b"))
BEFORE = b"".join(WHOLE)
AT = len(BEFORE)


def test_a_file_cut_at_any_octet_of_its_last_document() -> None:
    assert until_it_fails(records, BEFORE)[1] is None
    assert urls(read(BEFORE + LAST)) == ["http://h/0", "http://h/1", "http://h/2"]
    assert urls(read(BEFORE + LAST[:-1])) == [
        "http://h/0",
        "http://h/1",
        "http://h/2",
    ]  # what follows it ends it
    for size in range(1, len(LAST) - 1):
        found, wrong = until_it_fails(records, BEFORE + LAST[:size])
        assert urls(found) == ["http://h/0", "http://h/1"], size
        assert wrong == f"the document at octet {AT} is cut off", size
        assert bad(found) == []


def test_data_that_fails_at_any_octet_of_the_last_document() -> None:
    for size in range(len(LAST) + 1):
        found, wrong = until_it_fails(records, FailingStream(BEFORE + LAST[:size]))
        assert urls(found)[:2] == ["http://h/0", "http://h/1"]
        assert urls(found)[2:] == ["http://h/2"] * (size >= len(LAST) - 1)
        assert wrong == "the gzip member at octet 0 is cut off"


@pytest.mark.parametrize(
    "garbage",
    [
        b"garbage\n",
        b"\0" * 70_000 + b"\n",
        b"http://h/a 192.0.2.1 20261201061035 text/html\n",
        b"http://h/a 192.0.2.1 20261201061035 text/html -9\n",
        b"http://h/a 192.0.2.1 soon text/html 9\n",
        b"http://h/a an-address 20261201061035 text/html 9\n",
        b"192.0.2.1 20261201061035 text/html 9\n",
        b"one line\nand another\n\n",
    ],
)
def test_behind_garbage_the_next_document_is_found(garbage: bytes) -> None:
    found, wrong = until_it_fails(records, BEFORE + garbage + LAST)
    assert urls(found) == ["http://h/0", "http://h/1", "http://h/2"]
    assert (bad(found), wrong) == ([(AT, "no line about a document begins here")], None)


def test_a_line_that_is_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    long = arc_document("http://h/" + "a" * 1000, http())
    assert len(read(long + LAST)) == 2
    monkeypatch.setattr(arc, "LONGEST_LINE", 500)
    found, wrong = until_it_fails(records, BEFORE + long + LAST)
    assert urls(found) == ["http://h/0", "http://h/1", "http://h/2"]
    assert (bad(found), wrong) == ([(AT, "no line about a document begins here")], None)


def test_a_file_of_something_else_has_no_record() -> None:
    found, wrong = until_it_fails(records, b'{"url": "http://h/a"}\n' * 9)
    assert (urls(found), len(bad(found)), wrong) == ([], 1, None)
    assert until_it_fails(records, b"") == ([], None)


def test_it_is_read_as_warcio_reads_it() -> None:
    octets = BEFORE + LAST
    for packed in (octets, members([*WHOLE, LAST])):
        theirs = [
            (
                each.rec_headers.get_header("uri"),
                int(each.http_headers.get_statuscode()),
                each.http_headers.get_header("Location"),
            )
            for each in ArchiveIterator(BytesIO(packed))
            if each.rec_type == "response"
        ]
        assert [(each.url, each.status, each.location) for each in read(octets)] == theirs
