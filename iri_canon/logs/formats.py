"""A format is known by what is in it, and only then by the name of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from iri_canon.logs import archives, cdx, combined, delimited, heritrix, jsonl, scrapy_log, sitemap, urls
from iri_canon.logs.lines import lines_of
from iri_canon.logs.records import Line, Outcome


class Format(NamedTuple):
    """How the lines of a format are recognised and read."""

    is_one: Callable[[str], bool]
    records: Callable[[Iterable[Line]], Iterator[Outcome]]
    endings: tuple[str, ...]
    """Of the names of files that are likely of the format, in lower case, before that of a compression."""
    tells: str
    """What is looked for in it, for people."""


class SiteFormat(NamedTuple):
    """A format of lines that do not say of which site they are; as `Format`, but for the site."""

    is_one: Callable[[str], bool]
    records: Callable[[Iterable[Line], str | None], Iterator[Outcome]]
    endings: tuple[str, ...]
    tells: str


class StreamFormat(NamedTuple):
    """How a format is recognised and read that is not made of lines.

    ``is_one`` is given what the data begins with, 64 KiB and more where there are as many. ``records`` is given the
    decompressed data and the name of the file; where the data is cut off or damaged it ends before that, and whoever
    opened the file raises what was wrong behind the last record. It raises `LogError` where the data itself is cut.
    """

    is_one: Callable[[bytes], bool]
    records: Callable[[BinaryIO, str], Iterator[Outcome]]
    endings: tuple[str, ...]
    tells: str


class PathFormat(NamedTuple):
    """How a format is recognised that is read by the path of its file, from its end: no stream of it has records."""

    is_one: Callable[[bytes], bool]
    endings: tuple[str, ...]
    tells: str


AnyFormat: TypeAlias = Format | SiteFormat | StreamFormat | PathFormat

_FIELDS: Final = f"url, {', '.join(' or '.join(names) for names in jsonl.KEYS)}"
_KEYS: Final = f"the keys {_FIELDS}"
_COLUMNS: Final = f"the columns {_FIELDS}"
_NOTHING: Final = "redirects and digests; it has none of them"

FORMATS: Final[dict[str, AnyFormat]] = {
    "jsonl": Format(jsonl.is_one, jsonl.records, (".jsonl", ".jl", ".ndjson", ".json"), _KEYS),
    "cdxj": Format(cdx.is_json_one, cdx.json_records, (".cdxj",), _KEYS),
    "cdx": Format(
        cdx.is_one, cdx.records, (".cdx",), "the columns a (URL), s (status), k (digest), r (redirect)"
    ),
    "heritrix": Format(
        heritrix.is_one, heritrix.records, ("crawl.log",), "statuses, digests, and hop paths that end in R"
    ),
    "combined": SiteFormat(
        combined.is_one, combined.records, ("access.log", "access_log"), _NOTHING
    ),
    "scrapy-log": Format(scrapy_log.is_one, scrapy_log.records, (".log",), "redirects; it has no digests"),
    "csv": Format(delimited.is_one, delimited.records, (".csv", ".tsv"), _COLUMNS),
    "sitemap": StreamFormat(sitemap.is_one, sitemap.records, ("sitemap.xml",), _NOTHING),
    "warc": StreamFormat(
        archives.is_warc, archives.warc_records, (".warc",), "redirects, digests, and the methods of requests"
    ),
    "arc": StreamFormat(archives.is_arc, archives.arc_records, (".arc",), "redirects; it has no digests"),
    "parquet": PathFormat(archives.is_parquet, (".parquet",), _COLUMNS),
    "urls": Format(urls.is_one, urls.records, (), _NOTHING),
}  # fmt: skip

LOOKED_AT: Final = 100
"""Lines that are looked at to tell the format."""

_OF_THE_FIRST_LINE: Final = frozenset({"jsonl", "csv"})
"""Logs of other formats print objects, too, and words with delimiters between."""
_COMPRESSIONS: Final = (".gz", ".zst", ".zstd")


def detect(name: str, head: bytes, *, is_whole: bool = True) -> str | None:
    """The format of what a file begins with, or else the one that its name tells; None where neither does.

    Without ``is_whole`` the file goes on behind the last line that has ended. Of the lines, the first that looks like
    one of any format decides. A list of URLs looks like nothing else, and most of its lines have a scheme; one that is
    called a table is a table.

    >>> detect("a.log", b'\\n{"url": "http://h/"}'), detect("crawl.log.gz", b"?"), detect("a.txt", b"h/a\\nh/b")
    ('jsonl', 'heritrix', None)
    >>> detect("a.txt", b'http://h/\\n{"url": "http://h/"}\\nhttp://h/b'), detect("a.csv", b"http://h/,200")
    ('urls', 'csv')
    """
    for format_name, known in FORMATS.items():
        if isinstance(known, StreamFormat | PathFormat) and known.is_one(head):
            return format_name
    texts = _first_lines(head, is_whole)
    by_name = _by_name(name)
    return _by_line(texts) or (by_name if by_name == "csv" else _by_most_lines(texts) or by_name)


def _first_lines(head: bytes, is_whole: bool) -> list[str]:
    end = len(head) if is_whole else head.rfind(b"\n") + 1
    found: list[str] = []
    for line in lines_of([head[:end]], ""):
        if len(found) == LOOKED_AT:
            break
        found.append(line.text or "")
    return found


def _by_line(texts: list[str]) -> str | None:
    full = (text for text in texts if not jsonl.is_empty(text))
    for place, text in enumerate(full):
        for format_name, known in FORMATS.items():
            if not isinstance(known, Format | SiteFormat) or format_name == "urls":
                continue
            if (place == 0 or format_name not in _OF_THE_FIRST_LINE) and known.is_one(text):
                return format_name
    return None


def _by_most_lines(texts: list[str]) -> str | None:
    return "urls" if urls.is_list(texts) else None


def _by_name(name: str) -> str | None:
    stem = name.lower()
    for ending in _COMPRESSIONS:
        stem = stem.removesuffix(ending)
    return next((each for each, known in FORMATS.items() if stem.endswith(known.endings)), None)
