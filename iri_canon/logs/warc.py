"""A WARC has a record a capture; one that cannot be read costs itself, and a cut one is none.

Source: ISO 28500:2009 and 28500:2017 (WARC 1.0 and 1.1), sections 4 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import BinaryIO, Final, NamedTuple

from iri_canon.logs.archives import WARC_VERSION
from iri_canon.logs.exchanges import Exchanges
from iri_canon.logs.http_block import (
    END_OF_HEAD,
    LONGEST_HEAD,
    Answer,
    Head,
    answer_ahead,
    head_of,
    media_type,
    method_ahead,
    text_of,
)
from iri_canon.logs.octet_stream import OVERLAP, OctetStream
from iri_canon.logs.records import Bad, Outcome, Place, Record, WithoutUrl, time_in

_MARK: Final = b"WARC/"
_ANOTHER: Final = re.compile(rb"\n" + WARC_VERSION.pattern)
_END_OR_ANOTHER: Final = re.compile(END_OF_HEAD.pattern + b"|" + _ANOTHER.pattern)
#: The records that tell of a URL; warcinfo, metadata, conversion and continuation are about others.
_KINDS: Final = frozenset({"response", "revisit", "resource"})
#: Those of both versions, and that of the same page at another URL; some writers leave the field out.
_PROFILE: Final = re.compile(
    r"(?:<?https?://netpreserve\.org/warc/1\.[0-9]/revisit/"
    r"(?:(?:uri-agnostic-)?identical-payload-digest|server-not-modified)/?>?)?"
)
_SIZE: Final = re.compile("[0-9]{1,18}")
#: W3CDTF, the profile of ISO 8601 that a WARC-Date has: 1.1 allows it to end behind any part.
_DATE: Final = re.compile(
    r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]{1,9})?))?Z)?)?)?"
)
_FROM_PARTS: Final = ("", "01", "01", "00", "00", "00")


class _Capture(NamedTuple):
    """What one record is: an outcome, a request with its method, or neither."""

    outcome: Outcome | None = None
    ids: tuple[str, ...] = ()
    method: str | None = None
    is_lost: bool = False
    """Whether the next record is to be looked for."""


def records(stream: BinaryIO, name: str) -> Iterator[Outcome]:
    """The responses, revisits and resources of a WARC, which ``stream`` has decompressed.

    The line of a place is the number of the record in the file. Status, Location and media type are those of the answer
    in the block; the method is that of the concurrent request; the digest is that of the payload, unless only the
    beginning of it was kept. Raises ``LogError``, and what reading the stream raised, behind the last whole record.

    >>> from io import BytesIO
    >>> block = b"HTTP/1.1 301 Moved\\r\\nLocation: /b\\r\\n\\r\\n"
    >>> head = b"WARC/1.1\\r\\nWARC-Type: response\\r\\nWARC-Target-URI: http://h/a\\r\\nContent-Length: 36\\r\\n\\r\\n"
    >>> [each.hops() for each in records(BytesIO(head + block + b"\\r\\n\\r\\n"), "a.warc")]
    [(Hop(source='http://h/a', target='/b', status=301),)]
    """
    octets = OctetStream(stream)
    exchanges = Exchanges()
    for outcome, ids, method, _ in _captures(octets, name):
        if method is not None:
            yield from exchanges.add_request(method, ids)
        elif outcome is not None:
            yield from exchanges.add(outcome, ids)
    yield from exchanges.rest()
    if octets.problem is not None:
        raise octets.problem


def _captures(octets: OctetStream, name: str) -> Iterator[_Capture]:
    start: int | None = None
    for number in count(1):
        line_ends = octets.skip_line_ends()
        if octets.is_at_end():
            if start is not None and line_ends < 2:
                octets.fail(f"what ends the record at octet {start} is cut off")
            return
        start = octets.offset
        capture = _capture(octets, Place(name, number, start))
        if capture is None:
            octets.fail(f"the record at octet {start} is cut off")
            return
        yield capture
        if capture.is_lost:
            start = None
            if not octets.skip_to(WARC_VERSION):
                return


def _capture(octets: OctetStream, place: Place) -> _Capture | None:
    """The next record, or why it is none; None: it is cut off."""
    begin = octets.head(OVERLAP)
    if WARC_VERSION.match(begin) is None:
        if len(begin) < OVERLAP and b"\n" not in begin and _MARK.startswith(begin[: len(_MARK)]):
            return None
        return _lost(octets, begin, Bad(place, "no record begins here"))
    head = octets.head_through(_END_OR_ANOTHER, LONGEST_HEAD)
    if head is None:
        head = octets.head(LONGEST_HEAD)
        if len(head) < LONGEST_HEAD:
            return None
        return _lost(octets, head, Bad(place, "the header is longer than one may be"))
    told = head_of(head)
    # a URL may end as a version does, but no record has two types
    has_two = len(told.fields.get("warc-type", ())) > 1 and WARC_VERSION.search(head, 1) is not None
    if has_two or _ANOTHER.search(head):
        return _lost(octets, head, Bad(place, "the header is cut off"))
    size = _size(told)
    if size is None:
        return _lost(octets, head, Bad(place, "the Content-Length is none"))
    octets.skip(len(head))
    capture = _read(octets, place, told, size)
    left = size - octets.skip_before(WARC_VERSION, size)
    # a WARC may be in a WARC; but where the block does not end as one, it was cut off before what begins in it
    swallowed = octets.head(left) if octets.may_put_back(left) else b""
    is_whole = octets.skip(left) == left
    if swallowed and not (is_whole and _is_at_an_end(octets)):
        octets.put_back(swallowed)
        return _Capture(Bad(place, "the block is shorter than its Content-Length"))
    return capture if is_whole else None


def _lost(octets: OctetStream, head: bytes, bad: Bad) -> _Capture:
    """Go on to the last version in what was looked at: what stands before it has no header that ends."""
    versions = [found.start() for found in WARC_VERSION.finditer(head, 1)]
    octets.skip(versions[-1] if versions else max(1, len(head) - OVERLAP))
    return _Capture(bad, is_lost=True)


def _is_at_an_end(octets: OctetStream) -> bool:
    """Whether a block may have ended here."""
    begin = octets.head(2 * OVERLAP).lstrip(b"\r\n")
    return not begin or WARC_VERSION.match(begin) is not None


def _read(octets: OctetStream, place: Place, head: Head, size: int) -> _Capture:
    """What a record is whose block the next octets are."""
    kind = head.field("warc-type").lower()
    if not kind:
        return _Capture(Bad(place, "no WARC-Type"))
    if kind == "request":
        return _Capture(None, _ids(head), method_ahead(octets, size))
    if kind not in _KINDS:
        return _Capture()
    url = head.field("warc-target-uri")
    url = text_of(url[1:-1] if url.startswith("<") and url.endswith(">") else url)
    if not url:
        return _Capture(WithoutUrl(place))
    answer, digest = _answer(octets, kind, head, size)
    record = Record(
        place=place,
        url=url,
        status=answer.status,
        location=answer.location,
        digest=digest,
        time=_time(head.field("warc-date")),
        mime=answer.mime,
    )
    return _Capture(record, _ids(head))


def _answer(octets: OctetStream, kind: str, head: Head, size: int) -> tuple[Answer, str | None]:
    """What was answered, and the digest of all of it.

    ISO 28500 section 6.7: a revisit of a profile that is not known is not to be interpreted; one of an identical
    payload is truncated by its length, as it leaves out what was stored before, and its digest is that of the page.
    """
    if kind == "resource":
        answer = Answer(mime=media_type(head.field("content-type")))
    elif kind == "revisit" and not _PROFILE.fullmatch(head.field("warc-profile")):
        return Answer(), None
    else:
        answer = answer_ahead(octets, size)
    reason = head.field("warc-truncated").lower()
    is_whole = not reason or (kind == "revisit" and reason == "length")
    return answer, (text_of(head.field("warc-payload-digest")) or None) if is_whole else None


def _size(head: Head) -> int | None:
    sizes = set(head.fields.get("content-length", ()))
    size = sizes.pop() if len(sizes) == 1 else ""
    return int(size) if _SIZE.fullmatch(size) else None


def _ids(head: Head) -> tuple[str, ...]:
    """The identifier of a record, and those of the records that it is concurrent to."""
    return tuple(filter(None, (head.field("warc-record-id"), *head.fields.get("warc-concurrent-to", ()))))


def _time(date: str) -> float | None:
    """The time that a date begins with.

    >>> _time("2026-12-01T06:10:35.5Z"), _time("2026-12"), _time("2026")
    (1796105435.5, 1796083200.0, 1767225600.0)
    >>> _time("20261201061035")
    """
    found = _DATE.fullmatch(date)
    if found is None:
        return None
    year, month, day, hour, minute, second = (
        part or usual for part, usual in zip(found.groups(), _FROM_PARTS, strict=True)
    )
    return time_in(f"{year}-{month}-{day}T{hour}:{minute}:{second}Z")
