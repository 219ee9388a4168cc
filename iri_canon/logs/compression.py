"""What is compressed is read as its data: gzip or zstd, by its first octets, part for part, in bounded memory.

Source: RFC 1952 section 2.2 (gzip: members behind each other), RFC 8878 section 3.1 (zstd: frames behind each other).
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Protocol

from iri_canon.errors import LogError

if TYPE_CHECKING:
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDict
    else:
        from backports.zstd import ZstdDict

CHUNK: Final = 1 << 16
"""Octets that are read, and at most given, at once."""

PLAIN_CHUNK: Final = 1 << 20
"""The same of a file that is not compressed."""

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
#: RFC 8878 3.1.2: a frame to be skipped begins with any of sixteen numbers.
_SKIPPED: Final = tuple(bytes([number]) + b"\x2a\x4d\x18" for number in range(0x50, 0x60))
#: What WARC files in zstd have at their head: the dictionary of all frames, which may be compressed itself.
_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
_LONGEST_DICTIONARY: Final = 1 << 24
_OTHERS: Final = {b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"PK\x03\x04": "zip"}


class _Part(Protocol):
    """A member or a frame that is being read, as `compression.zstd` has it."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...


class _Member:
    """A member of a gzip file."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._member.eof

    @property
    def unused_data(self) -> bytes:
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int = CHUNK, /) -> bytes:
        found = self._member.decompress(self._member.unconsumed_tail + data, max_length)
        self.needs_input = not self._member.unconsumed_tail and len(found) < max_length
        return found


def octets_of(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """All that a file has, in chunks: large ones, but of one that is compressed, and may be a bomb.

    >>> from io import BytesIO
    >>> list(octets_of(BytesIO(b"plain").read))
    [b'plain']
    """
    chunk = read(CHUNK)
    size = CHUNK if chunk.startswith((_GZIP, _ZSTD, *_SKIPPED)) else PLAIN_CHUNK
    while chunk:
        yield chunk
        chunk = read(size)


def decompressed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The data of a file in chunks; the first has at least four octets, if the file does.

    Raises `LogError` behind the last good data of a file that is cut off or damaged, with the offset in the file of the
    member or frame; at once for another compression, and for zstd where the library for it is missing.

    >>> import gzip
    >>> list(decompressed(iter([gzip.compress(b"a") + gzip.compress(b"b")]))), list(decompressed(iter([b"plain"])))
    ([b'a', b'b'], [b'plain'])
    """
    first = next(chunks, b"")
    chunks = chain([first], chunks)
    for mark, name in _OTHERS.items():
        if first.startswith(mark):
            raise LogError(f"compressed by {name}, which is not read; pipe it in decompressed")
    if first.startswith(_GZIP):
        # zeros between the members are padding
        yield from _data(chunks, "gzip member", _Member, zlib.error, b"\0")
    elif first.startswith((_ZSTD, *_SKIPPED)):
        yield from _frames(chunks)
    elif first:
        yield from chunks


def _data(
    chunks: Iterator[bytes], what: str, new: Callable[[], _Part], damage: type[Exception], padding: bytes
) -> Iterator[bytes]:
    part: _Part | None = None
    start = fed = 0
    for chunk in chunks:
        fed += len(chunk)
        while True:
            if part is None:
                chunk = chunk.lstrip(padding)
                if not chunk:
                    break
                part, start = new(), fed - len(chunk)
            try:
                data = part.decompress(chunk, CHUNK)
            except damage as error:
                raise LogError(f"the {what} at octet {start} {_reason(error)}") from None
            if data:
                yield data
            if part.eof:
                chunk, part = part.unused_data, None
            elif part.needs_input:
                break
            else:  # a bomb costs no memory: there may be more to come
                chunk = b""
    if part is not None:
        raise LogError(f"the {what} at octet {start} is cut off")


def _reason(error: Exception) -> str:
    text = str(error)
    if "too much memory" in text:  # a frame can ask for 2 GiB and more; 128 MiB are what zstd itself takes
        return "needs more than 128 MiB of memory; pipe it in decompressed"
    if "Dictionary" in text:
        return "needs a dictionary that is not in the file"
    return "is damaged"


def _frames(chunks: Iterator[bytes]) -> Iterator[bytes]:
    zstd = _library()
    head, dictionary = _head(chunks, zstd)
    yield from _data(
        chain([head], chunks), "zstd frame", lambda: zstd.ZstdDecompressor(dictionary), zstd.ZstdError, b""
    )


def _library() -> Any:
    """The module of Python 3.14, or its backport."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise LogError("compressed by zstd, which needs a library: pip install 'iri-canon[logs]'") from None
    return zstd


def _head(chunks: Iterator[bytes], zstd: Any) -> tuple[bytes, ZstdDict | None]:
    """What a file begins with, and the dictionary in it; a frame that has none is skipped like any other."""
    head = next(chunks, b"")
    if not head.startswith(_DICTIONARY):
        return head, None
    end = 8 + int.from_bytes(head[4:8], "little")
    if end > _LONGEST_DICTIONARY:
        return head, None
    held = [head]
    size = len(head)
    while size < end and (chunk := next(chunks, b"")):
        held.append(chunk)
        size += len(chunk)
    head = b"".join(held)
    content = head[8:end]
    try:
        if content.startswith(_ZSTD):
            content = zstd.ZstdDecompressor().decompress(content, _LONGEST_DICTIONARY)
        return head, zstd.ZstdDict(content)
    except (zstd.ZstdError, ValueError):
        return head, None
