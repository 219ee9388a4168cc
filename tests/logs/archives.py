"""Archives as their specifications have them, made octet by octet: what a library would not write is written, too."""

import gzip
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import BinaryIO

from iri_canon.errors import LogError
from iri_canon.logs import Bad, Record
from iri_canon.logs.records import Outcome

DATE = "2026-12-01T06:10:35Z"
TIME = 1796105435.0
STAMP = "20261201061035"


def http(status: str = "200 OK", *fields: str | bytes, body: bytes = b"x") -> bytes:
    """An answer of HTTP/1.1 (RFC 9112 section 2.1)."""
    lines = [
        f"HTTP/1.1 {status}".encode(),
        *(each.encode() if isinstance(each, str) else each for each in fields),
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def request(method: str = "GET") -> bytes:
    """A request of HTTP/1.1."""
    return f"{method} /a HTTP/1.1\r\nHost: h\r\n\r\n".encode()


def warc_record(
    kind: str | None,
    url: str | bytes | None = None,
    block: bytes = b"",
    *fields: str,
    version: str = "1.1",
    identifier: str | None = None,
    length: str | None = "",
) -> bytes:
    """A record (ISO 28500 section 4): version, fields, an empty line, the block, two line ends."""
    lines = [f"WARC/{version}".encode()]
    if kind is not None:
        lines.append(f"WARC-Type: {kind}".encode())
    if identifier is not None:
        lines.append(f"WARC-Record-ID: <urn:uuid:{identifier}>".encode())
    if url is not None:
        lines.append(b"WARC-Target-URI: " + (url.encode() if isinstance(url, str) else url))
    lines.append(f"WARC-Date: {DATE}".encode())
    lines += [each.encode() for each in fields]
    if length is not None:
        lines.append(f"Content-Length: {length or len(block)}".encode())
    return b"\r\n".join(lines) + b"\r\n\r\n" + block + b"\r\n\r\n"


def concurrent_to(identifier: str) -> str:
    """The field that names another record of one exchange."""
    return f"WARC-Concurrent-To: <urn:uuid:{identifier}>"


def arc_head(version: int = 1, name: str = "a.arc") -> bytes:
    """The description of an ARC: its line, version and origin, and what the columns are."""
    if version == 1:
        columns = "URL IP-address Archive-date Content-type Archive-length"
        middle = ""
    else:
        columns = "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename"
        columns += " Archive-length"
        middle = f" 200 - - 0 {name}"
    block = f"{version} 0 iri-canon\n{columns}\n".encode()
    return f"filedesc://{name} 0.0.0.0 {STAMP} text/plain{middle} {len(block)}\n".encode() + block + b"\n"


def arc_document(
    url: str | bytes, block: bytes, *, mime: str = "text/html", columns: str = "", address: str = "192.0.2.1"
) -> bytes:
    """A document behind its line; ``columns`` are those of version 2 between the type and the length."""
    line = url.encode() if isinstance(url, str) else url
    return line + f" {address} {STAMP} {mime}{columns} {len(block)}\n".encode() + block + b"\n"


def members(records: Iterable[bytes]) -> bytes:
    """A gzip member for each record, as WARC and ARC files are compressed."""
    return b"".join(map(gzip.compress, records))


class FailingStream(BytesIO):
    """Data that cannot be read to its end."""

    def __init__(self, octets: bytes, reason: str = "the gzip member at octet 0 is cut off") -> None:
        super().__init__(octets)
        self.reason = reason

    def read1(self, size: int | None = -1, /) -> bytes:
        """Some octets; where there are no more, the reason is raised."""
        octets = super().read1(-1 if size is None else size)
        if not octets:
            raise LogError(self.reason)
        return octets


def until_it_fails(
    read: Callable[[BinaryIO, str], Iterable[Outcome]], stream: bytes | BinaryIO
) -> tuple[list[Outcome], str | None]:
    """What an archive holds, and what was wrong at last."""
    found: list[Outcome] = []
    try:
        found.extend(iter(read(BytesIO(stream) if isinstance(stream, bytes) else stream, "archive")))
    except LogError as error:
        return found, str(error)
    return found, None


def urls(found: Iterable[Outcome]) -> list[str]:
    """Of the records among some outcomes."""
    return [each.url for each in found if isinstance(each, Record)]


def bad(found: Iterable[Outcome]) -> list[tuple[int, str]]:
    """Offsets and reasons of the bad ones among some outcomes."""
    return [(each.place.offset, each.reason) for each in found if isinstance(each, Bad)]
