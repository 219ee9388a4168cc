"""Octets are looked at before they are taken; what fails is told behind the last good one, and memory has a bound."""

from __future__ import annotations

import re
from typing import BinaryIO, Final

from iri_canon.errors import LogError

OVERLAP: Final = 32
"""Octets that a pattern given to `OctetStream` may match, at most."""

MOST_PUT_BACK: Final = 1 << 24
"""Octets that are kept to be read again, at once."""

_CHUNK: Final = 1 << 16
_LINE_ENDS: Final = re.compile(rb"[\r\n]*")


class OctetStream:
    """The data of a log, read in one direction. ``offset`` is that of the next octet.

    >>> from io import BytesIO
    >>> octets = OctetStream(BytesIO(b"WARC/1.0"))
    >>> octets.skip(5), octets.offset, octets.head(9), octets.skip(9), octets.is_at_end()
    (5, 5, b'1.0', 3, True)
    """

    def __init__(self, stream: BinaryIO) -> None:
        # what a larger read had got before it failed would be lost with it
        self._read = getattr(stream, "read1", stream.read)
        self._held = bytearray()
        self._at = 0
        self._has_ended = False
        self._put_back = 0
        self.offset = 0
        self.problem: Exception | None = None
        """Why the data ends where it does, if not as it should."""

    def head(self, size: int, start: int = 0) -> bytes:
        """The next octets from ``start`` up to ``size``, which stay; fewer where the data ends."""
        while len(self._held) - self._at < size and self._fill():
            pass
        return bytes(self._held[self._at + start : self._at + size])

    def head_through(self, end: re.Pattern[bytes], most: int, start: int = 0) -> bytes | None:
        """The next octets from ``start`` through the first match of ``end``, which stay.

        None where there is no match within ``most`` octets.
        """
        looked_at = start
        while True:
            found = end.search(self._held, self._at + looked_at, self._at + most)
            if found is not None:
                return bytes(self._held[self._at + start : found.end()])
            held = len(self._held) - self._at
            if held >= most or not self._fill():
                return None
            looked_at = max(start, held - OVERLAP)

    def skip(self, size: int) -> int:
        """Go on by some octets; how many of them there were."""
        left = size
        while True:
            step = min(left, len(self._held) - self._at)
            self._at += step
            left -= step
            if not left or not self._fill():
                break
        self.offset += size - left
        return size - left

    def skip_before(self, pattern: re.Pattern[bytes], size: int) -> int:
        """Go on to the first match that begins within some octets, or by all of them; how many there were."""
        left = size
        while (found := pattern.search(self._held, self._at, self._at + left + OVERLAP)) is None:
            held = len(self._held) - self._at
            if held >= left + OVERLAP:
                break
            left -= self.skip(max(0, min(left, held - OVERLAP)))
            if not self._fill():
                break
        step = left if found is None else min(left, found.start() - self._at)
        return size - left + self.skip(step)

    def may_put_back(self, size: int) -> bool:
        """Whether as many octets may be put back: not more in all than were read, so that time stays linear."""
        return size <= MOST_PUT_BACK and self._put_back + size <= self.offset + MOST_PUT_BACK

    def put_back(self, octets: bytes) -> None:
        """Undo a skip of these octets, which was the last."""
        self._held[: self._at] = octets
        self._at = 0
        self.offset -= len(octets)
        self._put_back += len(octets)

    def skip_to(self, pattern: re.Pattern[bytes]) -> bool:
        """Go on to the next match, or to the end; whether there is a match."""
        while (found := pattern.search(self._held, self._at)) is None:
            self.skip(max(0, len(self._held) - self._at - OVERLAP))
            if not self._fill():
                self.skip(len(self._held) - self._at)
                return False
        self.skip(found.start() - self._at)
        return True

    def skip_line_ends(self) -> int:
        """Go on behind all CR and LF; how many LF there were."""
        count = 0
        while True:
            found = _LINE_ENDS.match(self._held, self._at)
            size = 0 if found is None else found.end() - self._at
            count += self._held.count(b"\n", self._at, self._at + size)
            self.skip(size)
            if self._at < len(self._held) or not self._fill():
                return count

    def is_at_end(self) -> bool:
        """Whether there is no more."""
        return not self.head(1)

    def fail(self, reason: str) -> None:
        """Say why the data ends too early, unless reading it had failed before."""
        self.problem = self.problem or LogError(reason)

    def _fill(self) -> bool:
        if self._has_ended:
            return False
        chunk = b""
        try:
            chunk = self._read(_CHUNK)
        except (LogError, OSError) as error:
            self.problem = error
        if not chunk:
            self._has_ended = True
            return False
        del self._held[: self._at]
        self._at = 0
        self._held += chunk
        return True
