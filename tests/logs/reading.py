"""Logs that a test writes, read as any other."""

import io
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from iri_canon.errors import LogError
from iri_canon.logs import FORMATS, Bad, LogFile, Place, Record
from iri_canon.logs.formats import PathFormat, SiteFormat, StreamFormat
from iri_canon.logs.records import Line, Outcome

SITE = "http://h/"
"""Whose access logs the tests have."""


def lines(text: str, file: str = "log") -> Iterator[Line]:
    """The lines of a text."""
    for number, line in zip(count(1), text.splitlines(), strict=False):
        yield Line(Place(file, number, 0), line)


def outcomes_of(format_name: str, text: str) -> Iterator[Outcome]:
    """What the parts of a log are, one by one."""
    known = FORMATS[format_name]
    if isinstance(known, StreamFormat):
        yield from known.records(io.BytesIO(text.encode("utf-8", "surrogateescape")), "log")
    elif isinstance(known, SiteFormat):
        yield from known.records(lines(text), SITE)
    else:
        assert not isinstance(known, PathFormat)
        yield from known.records(lines(text))


def outcomes(format_name: str, text: str) -> list[Outcome]:
    """What the parts of a log are."""
    return list(outcomes_of(format_name, text))


def records(format_name: str, text: str) -> list[Record]:
    """The records of a log without anything else."""
    found = outcomes(format_name, text)
    assert all(isinstance(each, Record) for each in found), found
    return [each for each in found if isinstance(each, Record)]


def reasons(format_name: str, text: str) -> list[str]:
    """Why the lines of a log that are bad are so."""
    return [each.reason for each in outcomes(format_name, text) if isinstance(each, Bad)]


def all_of(log: LogFile) -> list[Outcome]:
    """What a file holds, to its end."""
    with log.outcomes() as found:
        return list(found)


def log(tmp_path: Path, octets: bytes, name: str = "log", format_name: str | None = None) -> LogFile:
    """A file of some octets; of requests to `SITE` if it is an access log."""
    path = tmp_path / name
    path.write_bytes(octets)
    return LogFile(str(path), format_name, site=SITE)


def urls(found: list[Outcome]) -> list[str]:
    """The URLs of the records among some outcomes."""
    return [each.url for each in found if isinstance(each, Record)]


def until_it_fails(file: LogFile) -> tuple[list[Outcome], str | None]:
    """What a file holds, and what was wrong at last."""
    found: list[Outcome] = []
    try:
        with file.outcomes() as each:
            found.extend(iter(each))
    except LogError as error:
        return found, str(error)
    return found, None
