"""A format is known by what its lines look like, and only then by the name of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from iri_canon.logs import cdx, heritrix, jsonl, scrapy_log
from iri_canon.logs.records import Line, Outcome


class Format(NamedTuple):
    """How the lines of a format are recognised and read."""

    is_one: Callable[[str], bool]
    records: Callable[[Iterable[Line]], Iterator[Outcome]]
    endings: tuple[str, ...]
    """Of the names of files that are likely of the format, in lower case, before that of a compression."""
    tells: str
    """What is looked for in it, for people."""


_KEYS: Final = f"the keys url, {', '.join(' or '.join(names) for names in jsonl.KEYS)}"

FORMATS: Final[dict[str, Format]] = {
    "jsonl": Format(jsonl.is_one, jsonl.records, (".jsonl", ".jl", ".ndjson", ".json"), _KEYS),
    "cdxj": Format(cdx.is_json_one, cdx.json_records, (".cdxj",), _KEYS),
    "cdx": Format(
        cdx.is_one, cdx.records, (".cdx",), "the columns a (URL), s (status), k (digest), r (redirect)"
    ),
    "heritrix": Format(
        heritrix.is_one, heritrix.records, ("crawl.log",), "statuses, digests, and hop paths that end in R"
    ),
    "scrapy-log": Format(scrapy_log.is_one, scrapy_log.records, (".log",), "redirects; it has no digests"),
}


def detect(name: str, lines: Iterable[str]) -> str | None:
    """The format of the first of some lines that looks like any, else by the name; None where neither tells.

    Only the first line that holds anything makes a feed: logs of other formats print objects, too.

    >>> detect("a.log", ["", '{"url": "http://h/"}']), detect("crawl.log.gz", ["?"]), detect("a.txt", ["http://h/"])
    ('jsonl', 'heritrix', None)
    >>> detect("a.txt", ["http://h/", '{"url": "http://h/"}'])
    """
    full = (text for text in lines if not jsonl.is_empty(text))
    for place, text in enumerate(full):
        for format_name, known in FORMATS.items():
            if (place == 0 or format_name != "jsonl") and known.is_one(text):
                return format_name
    stem = name.lower().removesuffix(".gz")
    return next((each for each, known in FORMATS.items() if stem.endswith(known.endings)), None)
