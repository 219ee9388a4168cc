"""A sitemap, or an index of some, has a URL in each ``loc``; its XML is read as it comes, nothing is expanded.

Source: the protocol of sitemaps.org, version 0.9, and XML 1.0. A sitemap in text is a list of URLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, TypeAlias
from xml.parsers import expat

from iri_canon.errors import LogError
from iri_canon.logs.compression import CHUNK
from iri_canon.logs.records import Bad, Outcome, Place, Record, WithoutUrl

#: What each root has in it. Of an entry only its own ``loc`` counts: pictures and videos have theirs deeper.
_ENTRIES: Final = {"urlset": "url", "sitemapindex": "sitemap"}
_URL: Final = "loc"
_LONGEST_URL: Final = 1 << 20
"""Characters; the protocol has 2,048."""
_LONGEST_PART: Final = 1 << 22
"""Octets of a tag or a comment, which the parser holds until it ends."""
_DEEPEST: Final = 64
_SPACE: Final = " \t\r\n"
#: XML 1.0 2.8: what may stand before the root, and the root.
_ROOT: Final = re.compile(
    rb"(?:\s++|(?><\?.*?\?>)|(?><!--.*?-->)|(?><!DOCTYPE[^\[>]*+(?:\[[^\]]*+\]\s*+)?>))*+"
    rb"<(?:[\w.\-]++:)?(?:urlset|sitemapindex)[\s>/]",
    re.DOTALL,
)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

# Typeshed has no name for a parser that needs no import at run time.
_Parser: TypeAlias = Any


def records(stream: BinaryIO, file: str) -> Iterator[Outcome]:
    """The URLs of a sitemap, without the white space around them, each with the place of its ``loc``.

    An entry without one has no URL. Raises `LogError` behind what stands before the place where the XML is broken,
    declares entities, is nested too deeply, or has another root.

    >>> import io
    >>> text = b"<urlset><url><loc> http://h/?a&amp;b </loc><lastmod>2026</lastmod></url><url/></urlset>"
    >>> [getattr(each, "url", None) for each in records(io.BytesIO(text), "sitemap.xml")]
    ['http://h/?a&b', None]
    """
    reader = _Reader(file)
    octets = stream.read(CHUNK)
    # A blank line before the declaration is not XML, and is what many generators write.
    begin = octets.removeprefix(_BYTE_ORDER_MARK).lstrip(_SPACE.encode())
    reader.skip(octets[: len(octets) - len(begin)])
    octets = begin
    while octets:
        problem = reader.feed(octets)
        yield from reader.found
        reader.found.clear()
        if problem is not None:
            raise problem
        octets = stream.read(CHUNK)
    problem = reader.feed(b"", is_last=True)
    yield from reader.found
    if problem is not None:
        raise problem


def is_one(head: bytes) -> bool:
    """Whether what a file begins with is the head of a sitemap.

    >>> is_one(b"<?xml version='1.0'?><!-- a --><urlset xmlns='a'>"), is_one(b"<rss>"), is_one(b"a <urlset>")
    (True, False, False)
    """
    if head.startswith(_UTF_16):
        head = head.decode("utf-16", "replace").encode("utf-8", "replace")
    return _ROOT.match(head.removeprefix(_BYTE_ORDER_MARK)) is not None


class _Reader:
    """The state of reading: the names of the open elements, and the text of the ``loc`` that is open."""

    def __init__(self, file: str) -> None:
        self.found: list[Outcome] = []
        self._file = file
        self._lines_before = 0
        self._octets_before = 0
        self._fed = 0
        self._open: list[str] = []
        self._entry: Place | None = None
        """The place of the entry that is open and has shown no URL yet."""
        self._place = Place(file, 1, 0)
        self._pieces: list[str] | None = None
        self._length = 0
        self._is_whole = True
        self._parser: _Parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity
        self._parser.SkippedEntityHandler = self._skipped

    def skip(self, octets: bytes) -> None:
        """Take note of what stands before the XML."""
        self._lines_before, self._octets_before = octets.count(b"\n"), len(octets)

    def feed(self, octets: bytes, *, is_last: bool = False) -> LogError | None:
        """Read on; what is wrong."""
        self._fed += len(octets)
        try:
            self._parser.Parse(octets, is_last)
        except expat.ExpatError as error:
            return self._problem(f"the XML is broken ({expat.ErrorString(error.code)})")
        except LogError as error:
            return error
        except (LookupError, ValueError):  # what the declaration names is no codec, or one of several octets
            return self._problem("the encoding of the XML is not read")
        if self._fed - max(self._parser.CurrentByteIndex, 0) > _LONGEST_PART:
            return self._problem("a part of the XML does not end")
        return None

    def _problem(self, reason: str) -> LogError:
        return LogError(f"line {self._here().line}, byte {self._here().offset}: {reason}")

    def _here(self) -> Place:
        return Place(
            self._file,
            self._lines_before + self._parser.CurrentLineNumber,
            self._octets_before + max(self._parser.CurrentByteIndex, 0),
        )

    def _start(self, name: str, attributes: object) -> None:
        depth = len(self._open)
        _, _, local = name.rpartition(":")
        if depth == 0:
            if local not in _ENTRIES:
                raise self._problem("the root of the XML is that of no sitemap")
        elif depth == _DEEPEST:
            raise self._problem("the XML is nested too deeply")
        elif depth == 1 and name == self._named(_ENTRIES[self._open[0].rpartition(":")[2]]):
            self._entry = self._here()
        elif depth == 2 and self._entry is not None and name == self._named(_URL):
            self._place, self._pieces, self._length = self._here(), [], 0
            self._is_whole = True
        self._open.append(name)

    def _named(self, local: str) -> str:
        """A name with the prefix of the root: other namespaces have elements of the same names."""
        prefix, colon, _ = self._open[0].rpartition(":")
        return f"{prefix}{colon}{local}"

    def _text(self, text: str) -> None:
        if self._pieces is not None:
            self._length += len(text)
            if self._length <= _LONGEST_URL:
                self._pieces.append(text)

    def _end(self, name: str) -> None:
        self._open.pop()
        depth = len(self._open)
        if depth == 2 and self._pieces is not None:
            self._add("".join(self._pieces).strip(_SPACE))
            self._pieces = None
        elif depth == 1 and self._entry is not None:
            self.found.append(WithoutUrl(self._entry))
            self._entry = None

    def _add(self, url: str) -> None:
        if self._length > _LONGEST_URL:
            self.found.append(Bad(self._place, "longer than a URL may be"))
        elif not self._is_whole:
            self.found.append(Bad(self._place, "a reference to an entity that the file does not declare"))
        elif not url:
            return
        else:
            self.found.append(Record(place=self._place, url=url))
        self._entry = None

    def _entity(self, *declared: object) -> None:
        raise self._problem("the XML declares entities, which are not read")

    def _skipped(self, *name: object) -> None:
        """Take note that a document type elsewhere, which is not fetched, would have had some of the text."""
        self._is_whole = False
