"""An ARC has a line about a document, and then the document; all but the descriptions of the file are records.

Source: Internet Archive, "Arc File Format", versions 1.0 (15 September 1996) and 2.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import BinaryIO, Final

from iri_canon.logs.http_block import answer_ahead, media_type, text_of
from iri_canon.logs.octet_stream import OctetStream
from iri_canon.logs.records import Bad, Outcome, Place, Record, WithoutUrl, number, time_in

LONGEST_LINE: Final = 1 << 20
"""Octets of a line about a document; a longer one is none."""

_FILE: Final = "filedesc:"
_END_OF_LINE: Final = re.compile(rb"\n")
#: URL, IP address, date, type, length: a URL and a type may have spaces in them, the others have not.
_VERSION_1: Final = re.compile(
    r"(?P<url>\S.*) (?P<ip>[0-9A-Fa-f.:]+|-) (?P<date>[0-9]{8,17}) (?P<mime>.*) (?P<size>[0-9]{1,18})"
)
#: The same, with result code, checksum, location, offset and file name before the length.
_VERSION_2: Final = re.compile(
    r"(?P<url>\S.*) (?P<ip>[0-9A-Fa-f.:]+|-) (?P<date>[0-9]{8,17}) (?P<mime>.*)"
    r" (?P<status>[0-9]{1,3}|-) (?P<checksum>\S+) (?P<location>\S+) (?P<offset>[0-9]+|-) (?P<file>\S+)"
    r" (?P<size>[0-9]{1,18})"
)
_STAMP_SIZE: Final = 14
_NONE: Final = "-"


def is_one(head: bytes) -> bool:
    """Whether the data of a log begins as an ARC does.

    >>> is_one(b"filedesc://a.arc 0.0.0.0 20261201061035 text/plain 76\\n"), is_one(b"WARC/1.0\\r\\n")
    (True, False)
    """
    return head.lstrip(b"\r\n").startswith(_FILE.encode())
