"""WARC by ISO 28500: records and none, what an answer says, and files that are cut, damaged or full of others."""

import gzip
import tracemalloc
from io import BytesIO

import pytest
from warcio.archiveiterator import WARCIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from iri_canon.logs import Hop, Record, WithoutUrl, exchanges, http_block
from iri_canon.logs.archives import is_warc
from iri_canon.logs.warc import records
from logs.archives import (
    TIME,
    FailingStream,
    bad,
    concurrent_to,
    http,
    request,
    until_it_fails,
    urls,
    warc_record,
)

URL = "http://h/a"
ONE, OTHER = "1", "2"


def read(octets: bytes) -> list[Record]:
    """The records of a file that has nothing else in it."""
    found, wrong = until_it_fails(records, octets)
    assert wrong is None
    assert all(isinstance(each, Record) for each in found), found
    return [each for each in found if isinstance(each, Record)]


def only(octets: bytes) -> Record:
    (found,) = read(octets)
    return found


def answered(*fields: str | bytes, status: str = "301 Moved") -> Record:
    """The record of one answer."""
    return only(warc_record("response", URL, http(status, *fields)))


def test_all_that_a_response_tells() -> None:
    block = http("301 Moved Permanently", "Location: /b", "Content-Type: text/html; charset=utf-8")
    found = only(
        warc_record("response", URL, block, "WARC-Payload-Digest: sha1:OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB")
    )
    assert (found.url, found.status, found.location) == (URL, 301, "/b")
    assert (found.digest, found.mime) == ("sha1:OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB", "text/html")
    assert (found.time, found.method, found.counts) == (TIME, "GET", True)
    assert found.hops() == (Hop(URL, "/b", 301),)
    assert (found.place.file, found.place.line, found.place.offset) == ("archive", 1, 0)


@pytest.mark.parametrize("version", ["1.0", "1.1", "0.17", "0.18"])
def test_versions(version: str) -> None:
    octets = warc_record("response", URL, http(), version=version)
    assert is_warc(octets)
    assert only(octets).status == 200


@pytest.mark.parametrize(
    "head", [b"WARC/1.0", b"WARC is a format\r\n", b"", b"HTTP/1.1 200\r\n", b"warc/1.0\r\n"]
)
def test_what_does_not_begin_as_a_warc(head: bytes) -> None:
    assert not is_warc(head)


@pytest.mark.parametrize("kind", ["response", "revisit", "resource", "Response"])
def test_records_of_what_was_captured(kind: str) -> None:
    assert only(warc_record(kind, URL, http())).url == URL


@pytest.mark.parametrize(
    "kind", ["warcinfo", "request", "metadata", "conversion", "continuation", "of-the-future"]
)
def test_what_is_no_capture_is_no_record_and_not_bad(kind: str) -> None:
    found = read(warc_record(kind, URL, http()) + warc_record("response", "http://h/b", http()))
    assert urls(found) == ["http://h/b"]


def test_a_revisit_has_the_status_that_it_kept_and_the_digest_of_the_page() -> None:
    digest = "WARC-Payload-Digest: sha1:A"
    found = only(warc_record("revisit", URL, http("200 OK", "Content-Type: text/css", body=b""), digest))
    assert (found.status, found.digest, found.mime) == (200, "sha1:A", "text/css")
    found = only(warc_record("revisit", URL, b"", digest))
    assert (found.status, found.digest, found.mime) == (None, "sha1:A", "")


@pytest.mark.parametrize(
    ("profile", "is_known"),
    [
        ("http://netpreserve.org/warc/1.0/revisit/identical-payload-digest", True),
        ("http://netpreserve.org/warc/1.1/revisit/identical-payload-digest", True),
        ("<http://netpreserve.org/warc/1.0/revisit/server-not-modified>", True),
        ("http://netpreserve.org/warc/1.0/revisit/uri-agnostic-identical-payload-digest", True),
        ("http://netpreserve.org/warc/1.0/revisit/nearly-identical-payload-digest", False),
        ("http://h/diff", False),
    ],
)
def test_a_revisit_of_a_profile_that_is_not_known_is_not_interpreted(profile: str, is_known: bool) -> None:
    fields = (f"WARC-Profile: {profile}", "WARC-Payload-Digest: sha1:A")
    found = only(warc_record("revisit", URL, http("301 Moved", "Location: /b", body=b""), *fields))
    assert (found.url, found.time) == (URL, TIME)
    assert (found.status, found.location, found.digest) == (
        (301, "/b", "sha1:A") if is_known else (None, None, None)
    )


def test_a_resource_has_no_answer_even_where_its_octets_look_like_one() -> None:
    found = only(
        warc_record("resource", "ftp://h/a", http("301 Moved", "Location: /b"), "Content-Type: text/plain")
    )
    assert (found.status, found.location, found.mime) == (None, None, "text/plain")


def test_a_response_that_is_not_of_http() -> None:
    found = only(
        warc_record("response", "dns:h", b"20261201061035\nh. 5 IN A 192.0.2.1\n", "Content-Type: text/dns")
    )
    assert (found.url, found.status) == ("dns:h", None)


def test_a_truncated_payload_has_no_digest_of_the_page() -> None:
    digest = "WARC-Payload-Digest: sha1:A"
    assert only(warc_record("response", URL, http(), digest)).digest == "sha1:A"
    assert only(warc_record("response", URL, http(), digest, "WARC-Truncated: length")).digest is None
    assert only(warc_record("response", URL, http(), digest, "WARC-Truncated: disconnect")).digest is None
    assert only(warc_record("response", URL, http(), "WARC-Block-Digest: sha1:A")).digest is None


def test_a_revisit_leaves_out_the_page_and_keeps_its_digest() -> None:
    digest = "WARC-Payload-Digest: sha1:A"
    assert (
        only(warc_record("revisit", URL, http(body=b""), digest, "WARC-Truncated: length")).digest == "sha1:A"
    )
    assert only(warc_record("revisit", URL, http(body=b""), digest, "WARC-Truncated: time")).digest is None


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("<http://h/a>", "http://h/a"),
        ("<<http://h/a>>", "<http://h/a>"),
        ("<http://h/a", "<http://h/a"),
        ("http://h/a>", "http://h/a>"),
        ("http://h/a b", "http://h/a b"),
        ("http://h/é", "http://h/é"),
        (b"http://h/\xe9", "http://h/\udce9"),
        (b"http://h/\xc3\xa0", "http://h/à"),
        ("http://h/?a:b: c", "http://h/?a:b: c"),
    ],
)
def test_a_url_is_as_found_but_for_one_pair_of_brackets(written: str | bytes, url: str) -> None:
    assert only(warc_record("response", written, http())).url == url


def test_a_long_value_goes_on_in_the_next_lines() -> None:
    octets = warc_record("response", URL, http(), "X-Y: a\r\n b\r\n\tc", "WARC-Payload-Digest:\r\n sha1:A")
    assert only(octets).digest == "sha1:A"


@pytest.mark.parametrize("url", [None, "", "<>", " "])
def test_a_record_without_a_url(url: str | None) -> None:
    found, wrong = until_it_fails(records, warc_record("response", url, http()))
    assert (found, wrong) == ([WithoutUrl(found[0].place)], None)


def test_names_are_in_any_case() -> None:
    octets = warc_record("response", URL, http("301 Moved", "LOCATION: /b"), "WARC-Payload-Digest: sha1:A")
    head, _, rest = octets.partition(b"\r\n\r\n")
    for changed in (
        head.upper().replace(b"HTTP://H/A", b"http://h/a"),
        head.lower().replace(b"warc/", b"WARC/"),
    ):
        found = only(changed + b"\r\n\r\n" + rest)
        assert (found.url, found.status, found.location) == (URL, 301, "/b")
        assert found.digest is not None


def test_lines_may_end_in_lf_alone() -> None:
    octets = warc_record("response", URL, b"HTTP/1.1 301 Moved\nLocation: /b\n\n<p>", length="36")
    head, block = octets.split(b"\r\n\r\n", 1)
    found = only(head.replace(b"\r\n", b"\n") + b"\n\n" + block.rstrip(b"\r\n") + b"\n\n")
    assert found.location == "/b"


@pytest.mark.parametrize(
    ("fields", "location"),
    [
        (["Location: /b"], "/b"),
        (["location:/b"], "/b"),
        (["LOCATION: \t /b \t"], "/b"),
        (["Location: /b", "Location: /b"], "/b"),
        (["Location: /b", "Location: /c"], None),
        (["Location: /b", "location: /B"], None),
        (["Location: /b", "Location:"], None),
        (["Location:"], None),
        (["Content-Location: /b"], None),
        ([b"Location: /\xe9"], "/%E9"),
        ([b"Location: /\xc3\xa9"], "/%C3%A9"),
        ([b"Location: /\xc3\xa0"], "/%C3%A0"),  # A0 is a space in Latin-1
        ([b"Location: /\xc3\xa9", b"Location: /\xe9"], None),
        (["Location: /%E9?%2f#x y"], "/%E9?%2f#x y"),
        (["X: a\r\n \r\n b", "Location: /b"], "/b"),
        (["X: Location: /c", "Location: /b"], "/b"),
        (["no field", "Location: /b"], "/b"),
    ],
)
def test_the_one_location_octet_by_octet(fields: list[str | bytes], location: str | None) -> None:
    assert answered(*fields).location == location


def test_a_location_in_the_body_is_none() -> None:
    assert (
        only(warc_record("response", URL, http("301 Moved", body=b"Location: /b\r\n\r\n"))).location is None
    )


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("HTTP/1.1 200 OK", 200),
        ("HTTP/1.0 200", 200),
        ("HTTP/2 308 ", 308),
        ("HTTP/1.1  301 Moved", 301),
        ("HTTP/1.1 2000 OK", None),
        ("HTTP/1.1 OK", None),
        ("HTTP/1.1 099 Odd", None),
        ("HTTP/1.1", None),
        ("ICY 200 OK", None),
        ("", None),
    ],
)
def test_the_status_of_an_answer(line: str, status: int | None) -> None:
    assert only(warc_record("response", URL, line.encode() + b"\r\nA: b\r\n\r\nx")).status == status


def test_an_interim_answer_is_passed_over() -> None:
    final = http("301 Moved", "Location: /b")
    found = only(warc_record("response", URL, http("103 Early Hints", "Link: </c>", body=b"") + final))
    assert (found.status, found.location) == (301, "/b")
    found = only(warc_record("response", URL, http("101 Switching Protocols", body=b"") + final))
    assert (found.status, found.location) == (101, None)
    assert only(warc_record("response", URL, http("100 Continue", body=b""))).status == 100


def test_an_answer_whose_head_has_no_end_is_read_to_its_own() -> None:
    octets = warc_record("revisit", URL, b"HTTP/1.1 301 Moved\r\nLocation: /b") + warc_record(
        "response", URL, http()
    )
    assert [each.location for each in read(octets)] == ["/b", None]


def test_a_head_that_is_too_long_has_no_one_location(monkeypatch: pytest.MonkeyPatch) -> None:
    block = http("301 Moved", "Location: /b", "X: " + "a" * 500)
    assert only(warc_record("response", URL, block)).location == "/b"
    monkeypatch.setattr(http_block, "LONGEST_HEAD", 400)
    found = only(warc_record("response", URL, block))
    assert (found.status, found.location) == (301, None)


@pytest.mark.parametrize(
    ("date", "time"),
    [
        ("2026-12-01T06:10:35Z", TIME),
        ("2026-12-01T06:10:35.25Z", TIME + 0.25),
        ("2026-12-01T06:10Z", TIME - 35),
        ("2026-12-01", TIME - 35 - 600 - 6 * 3600),
        ("2026", 1767225600.0),
        ("20261201061035", None),
        ("2026-13-01T06:10:35Z", None),
        ("2026-12-01T06:10:35", None),
        ("now", None),
    ],
)
def test_dates(date: str, time: float | None) -> None:
    octets = warc_record("response", URL, http()).replace(b"2026-12-01T06:10:35Z", date.encode())
    assert only(octets).time == time


# The method of the request


def exchange(
    method: str, *, request_first: bool, request_tells: bool, url: str = URL, name: str = ""
) -> bytes:
    one, other = name + ONE, name + OTHER
    response = warc_record(
        "response", url, http(), *([] if request_tells else [concurrent_to(other)]), identifier=one
    )
    asked = warc_record(
        "request", url, request(method), *([concurrent_to(one)] if request_tells else []), identifier=other
    )
    return asked + response if request_first else response + asked


@pytest.mark.parametrize("request_first", [True, False])
@pytest.mark.parametrize("request_tells", [True, False])
def test_the_method_is_that_of_the_concurrent_request(request_first: bool, request_tells: bool) -> None:
    octets = exchange("POST", request_first=request_first, request_tells=request_tells)
    assert only(octets).method == "POST"
    assert only(octets.replace(b"POST", b"HEAD")).method == "HEAD"
    apart = octets.replace(b"WARC-Concurrent-To", b"WARC-Refers-To")
    assert only(apart).method == "GET"


def test_both_may_name_a_third() -> None:
    response = warc_record("response", URL, http(), concurrent_to("3"), identifier=ONE)
    asked = warc_record(
        "request", URL, request("POST"), concurrent_to("4"), concurrent_to("3"), identifier=OTHER
    )
    assert only(response + asked).method == "POST"


def test_exchanges_are_kept_apart_and_in_order() -> None:
    octets = b"".join(
        exchange(
            "POST" if number % 3 else "GET",
            request_first=number % 2 == 0,
            request_tells=number % 5 == 0,
            url=f"http://h/{number}",
            name=f"{number}-",
        )
        for number in range(60)
    )
    found = read(octets)
    assert urls(found) == [f"http://h/{number}" for number in range(60)]
    assert [each.method for each in found] == ["POST" if number % 3 else "GET" for number in range(60)]


def test_a_request_that_comes_late_is_waited_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchanges, "APART", 3)
    asked = warc_record("request", URL, request("POST"), concurrent_to(ONE), identifier=OTHER)
    first = warc_record("response", URL, http(), identifier=ONE)
    between = [
        warc_record("response", f"http://h/{number}", http(), identifier=f"x{number}") for number in range(3)
    ]
    assert [each.method for each in read(first + b"".join(between[:2]) + asked)] == ["POST", "GET", "GET"]
    assert [each.method for each in read(first + b"".join(between) + asked)] == ["GET"] * 4


def test_a_request_that_is_none_of_http_has_no_method() -> None:
    response = warc_record("response", "dns:h", b"x", identifier=ONE)
    asked = warc_record("request", "dns:h", b"h IN A", concurrent_to(ONE), identifier=OTHER)
    assert only(response + asked).method == "GET"


# Files that are cut, or damaged

WHOLE = [
    warc_record("warcinfo", None, b"software: x\r\n"),
    warc_record("response", "http://h/0", http("301 Moved", "Location: /1")),
    warc_record("response", "http://h/1", http(), identifier=ONE),
]
LAST = warc_record("response", "http://h/2", http("200 OK", "A: b"), identifier=OTHER)
BEFORE = b"".join(WHOLE)
AT = len(BEFORE)


def test_a_file_cut_at_any_octet_of_its_last_record() -> None:
    assert until_it_fails(records, BEFORE + LAST)[1] is None
    assert until_it_fails(records, BEFORE)[1] is None
    for size in range(1, len(LAST)):
        found, wrong = until_it_fails(records, BEFORE + LAST[:size])
        is_whole = size >= len(LAST) - 4  # only the line ends behind the block are missing
        assert urls(found) == ["http://h/0", "http://h/1"] + ["http://h/2"] * is_whole, size
        what = "what ends the record" if is_whole else "the record"
        assert wrong == f"{what} at octet {AT} is cut off", size
        assert bad(found) == []


def test_data_that_fails_at_any_octet_of_the_last_record() -> None:
    for size in range(len(LAST) + 1):
        found, wrong = until_it_fails(records, FailingStream(BEFORE + LAST[:size]))
        assert urls(found)[:2] == ["http://h/0", "http://h/1"]
        assert wrong == "the gzip member at octet 0 is cut off"


class _Trickle:
    """Data that comes octet by octet."""

    def __init__(self, octets: bytes) -> None:
        self._octets = BytesIO(octets)

    def read(self, size: int = -1, /) -> bytes:
        return self._octets.read(min(size, 1))


def test_it_does_not_matter_how_the_data_comes() -> None:
    garbage = b"garbage\r\n" + b"WARC/1.x" * 20
    octets = BEFORE + garbage + LAST + exchange("POST", request_first=False, request_tells=True)
    at_once = until_it_fails(records, octets)
    trickled = until_it_fails(records, _Trickle(octets))  # type: ignore[arg-type]
    assert trickled == at_once
    assert at_once[1] is None


@pytest.mark.parametrize(
    "garbage",
    [b"x", b"garbage\r\n", b"\0" * 70_000, b"WARC/", b"WARC/1.0 is a format", b"<p>WARC/1.0\r\n" + b"a" * 99],
)
def test_behind_garbage_the_next_record_is_found(garbage: bytes) -> None:
    found, wrong = until_it_fails(records, BEFORE + garbage + LAST + WHOLE[1])
    assert urls(found) == ["http://h/0", "http://h/1", "http://h/2", "http://h/0"]
    assert bad(found)[0] == (AT, "no record begins here")
    assert wrong is None


def test_garbage_at_the_end_is_one_bad_record_and_the_beginning_of_another_is_cut_off() -> None:
    found, wrong = until_it_fails(records, BEFORE + b"garbage")
    assert (urls(found), bad(found), wrong) == (
        ["http://h/0", "http://h/1"],
        [(AT, "no record begins here")],
        None,
    )
    found, wrong = until_it_fails(records, BEFORE + b"WARC/1.")
    assert (urls(found), bad(found), wrong) == (
        ["http://h/0", "http://h/1"],
        [],
        f"the record at octet {AT} is cut off",
    )


def test_a_record_that_was_cut_off_before_others_costs_itself() -> None:
    # a file that ends too early, and the next one behind it
    cut = warc_record("response", URL, http(body=b"0123456789" * 30))
    for size in range(len(cut) - 60, len(cut) - 4):
        found, wrong = until_it_fails(records, BEFORE + cut[:size] + LAST + BEFORE + LAST)
        assert urls(found) == ["http://h/0", "http://h/1", "http://h/2"] * 2
        assert (bad(found), wrong) == ([(AT, "the block is shorter than its Content-Length")], None)
    # as long as it says, to the end of the file and beyond
    found, wrong = until_it_fails(
        records, warc_record("response", URL, http(), length="100000") + BEFORE + LAST
    )
    assert urls(found) == ["http://h/0", "http://h/1", "http://h/2"]
    assert (bad(found), wrong) == ([(0, "the block is shorter than its Content-Length")], None)


def test_a_warc_in_a_record_is_its_page() -> None:
    inner = http("200 OK", "Content-Type: application/warc", body=BEFORE + LAST)
    found, wrong = until_it_fails(records, BEFORE + warc_record("response", URL, inner) + LAST)
    assert urls(found) == ["http://h/0", "http://h/1", URL, "http://h/2"]
    assert (bad(found), wrong) == ([], None)
    assert urls(read(warc_record("response", URL, inner))) == [URL]


def test_a_file_of_something_else_is_one_bad_record() -> None:
    found, wrong = until_it_fails(records, b'{"url": "http://h/a"}\n' * 9)
    assert ([each.reason for each in found], wrong) == (["no record begins here"], None)  # type: ignore[union-attr]
    assert until_it_fails(records, b"") == ([], None)
    assert until_it_fails(records, b"\r\n\r\n") == ([], None)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (warc_record("response", URL, http(), length=None), "the Content-Length is none"),
        (warc_record("response", URL, http(), length="-1"), "the Content-Length is none"),
        (warc_record("response", URL, http(), length="1e3"), "the Content-Length is none"),
        (warc_record("response", URL, http(), length="9" * 30), "the Content-Length is none"),
        (warc_record("response", URL, http(), "Content-Length: 7"), "the Content-Length is none"),
        (warc_record(None, URL, http()), "no WARC-Type"),
        (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Targ", "the header is cut off"),
        (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/trunc", "the header is cut off"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n", "the header is cut off"),
        (b"WARC/1.0\r\n", "the header is cut off"),
    ],
)
def test_a_bad_record_costs_itself(record: bytes, reason: str) -> None:
    found, wrong = until_it_fails(records, BEFORE + record + LAST)
    assert urls(found) == ["http://h/0", "http://h/1", "http://h/2"]
    assert (bad(found), wrong) == ([(AT, reason)], None)


def test_a_url_may_end_as_a_version_does() -> None:
    octets = warc_record("response", "http://h/WARC/1.0", http()) + LAST
    assert urls(read(octets)) == ["http://h/WARC/1.0", "http://h/2"]


def test_the_same_length_twice_is_warc() -> None:
    octets = warc_record("response", URL, b"HTTP/1.1 200\r\n\r\n", "Content-Length: 16")
    assert only(octets).status == 200


def test_a_header_that_is_too_long_costs_itself() -> None:
    long = warc_record("response", URL, http(), "X: " + "a" * (1 << 20))
    found, wrong = until_it_fails(records, BEFORE + long + LAST)
    assert urls(found) == ["http://h/0", "http://h/1", "http://h/2"]
    assert (bad(found), wrong) == ([(AT, "the header is longer than one may be")], None)
    url = "http://h/" + "a" * 100_000
    assert only(warc_record("response", url, http())).url == url


def test_a_length_that_is_too_small_costs_no_record() -> None:
    short = warc_record("response", URL, http(body=b"0123456789"), length=str(len(http(body=b""))))
    found, wrong = until_it_fails(records, BEFORE + short + LAST)
    assert urls(found) == ["http://h/0", "http://h/1", URL, "http://h/2"]
    assert [reason for _, reason in bad(found)] == ["no record begins here"]
    assert wrong is None


def test_a_member_for_each_record_or_one_for_all_is_read_alike() -> None:
    records_of = [*WHOLE, LAST]
    plain = until_it_fails(records, b"".join(records_of))
    for packed in (b"".join(map(gzip.compress, records_of)), gzip.compress(b"".join(records_of))):
        assert until_it_fails(records, gzip.GzipFile(fileobj=BytesIO(packed))) == plain  # type: ignore[arg-type]


class _Long:
    """A record whose block has a gigabyte, and one behind it."""

    def __init__(self, size: int) -> None:
        block = http("301 Moved", "Location: /b", body=b"")
        octets = warc_record("response", URL, block, length=str(len(block) + size))
        self._head = BytesIO(octets.removesuffix(b"\r\n\r\n"))
        self._left = size
        self._rest = BytesIO(b"\r\n\r\n" + LAST)

    def read(self, size: int = -1, /) -> bytes:
        if head := self._head.read(size):
            return head
        step = min(size, self._left)
        self._left -= step
        return b"\n" * step if step else self._rest.read(size)


def test_a_record_of_a_gigabyte_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        found, wrong = until_it_fails(records, _Long(1 << 30))  # type: ignore[arg-type]
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (urls(found), wrong) == ([URL, "http://h/2"], None)
    assert most < 3_000_000


# What another program writes, and what it reads


def written() -> bytes:
    """A file of warcio's own."""
    stream = BytesIO()
    writer = WARCWriter(stream, gzip=False)
    writer.write_record(writer.create_warcinfo_record("a.warc", {"software": "x"}))
    for number in range(3):
        answer = StatusAndHeaders(
            "301 Moved", [("Location", f"/{number}?a=b"), ("Content-Type", "text/html")], "HTTP/1.1"
        )
        asked = StatusAndHeaders("POST / HTTP/1.1", [("Host", "h")], is_http_request=True)
        response = writer.create_warc_record(
            f"http://h/{number}", "response", payload=BytesIO(b"page"), http_headers=answer
        )
        concurrent = writer.create_warc_record(f"http://h/{number}", "request", http_headers=asked)
        writer.write_request_response_pair(concurrent, response)
    revisit = writer.create_revisit_record(
        "http://h/3",
        "sha1:A",
        "http://h/0",
        "2026-12-01T06:10:35Z",
        http_headers=StatusAndHeaders("200 OK", [], "HTTP/1.1"),
    )
    writer.write_record(revisit)
    return stream.getvalue()


def test_what_warcio_writes_is_read_as_warcio_reads_it() -> None:
    octets = written()
    theirs = [
        (
            each.rec_headers.get_header("WARC-Target-URI"),
            int(each.http_headers.get_statuscode()),
            each.http_headers.get_header("Location"),
            each.rec_headers.get_header("WARC-Payload-Digest"),
        )
        for each in WARCIterator(BytesIO(octets))
        if each.rec_type in {"response", "revisit"}
    ]
    ours = read(octets)
    assert [(each.url, each.status, each.location, each.digest) for each in ours] == theirs
    assert [each.method for each in ours] == ["POST"] * 3 + ["GET"]
