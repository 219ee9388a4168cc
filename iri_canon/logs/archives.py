"""An archive is told by what it begins with, before any library that reads it is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from iri_canon.errors import LogError
from iri_canon.logs.records import Outcome

WARC_VERSION: Final = re.compile(rb"WARC/[01]\.[0-9]{1,2}[ \t]{0,9}\r?\n")
"""The line that a record of a WARC begins with (ISO 28500 section 4)."""

ARC_FILE: Final = "filedesc:"
"""The scheme of what describes an ARC, at its head (Internet Archive, "Arc File Format")."""

PARQUET_MARKS: Final = (b"PAR1", b"PARE")
"""The octets that a Parquet file begins and ends with; the other are those of one that is encrypted."""

_MISSING: Final = "{} needs a library: pip install 'iri-canon[logs]'"


def is_warc(head: bytes) -> bool:
    """Whether data begins as a WARC does.

    >>> is_warc(b"WARC/1.0\\r\\nWARC-Type: warcinfo\\r\\n"), is_warc(b"WARC/ is a format\\n")
    (True, False)
    """
    return WARC_VERSION.match(head.lstrip(b"\r\n")) is not None


def is_arc(head: bytes) -> bool:
    """Whether data begins as an ARC does.

    >>> is_arc(b"filedesc://a.arc 0.0.0.0 20261201061035 text/plain 76\\n"), is_arc(b"WARC/1.0\\r\\n")
    (True, False)
    """
    return head.lstrip(b"\r\n").startswith(ARC_FILE.encode())


def is_parquet(head: bytes) -> bool:
    """Whether data begins as a Parquet file does.

    >>> is_parquet(b"PAR1\\x15\\x04"), is_parquet(b"PAR")
    (True, False)
    """
    return head.startswith(PARQUET_MARKS)


def warc_records(stream: BinaryIO, name: str) -> Iterator[Outcome]:
    """`warc.records`. Raises ``LogError`` where its library is missing."""
    try:
        from iri_canon.logs import warc
    except ImportError:
        raise LogError(_MISSING.format("WARC")) from None
    yield from warc.records(stream, name)


def arc_records(stream: BinaryIO, name: str) -> Iterator[Outcome]:
    """`arc.records`. Raises ``LogError`` where its library is missing."""
    try:
        from iri_canon.logs import arc
    except ImportError:
        raise LogError(_MISSING.format("ARC")) from None
    yield from arc.records(stream, name)
