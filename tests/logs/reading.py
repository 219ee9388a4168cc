"""Logs that a test writes, read as any other."""

from collections.abc import Iterator
from itertools import count

from iri_canon.logs import FORMATS, Bad, LogFile, Place, Record
from iri_canon.logs.records import Line, Outcome


def lines(text: str, file: str = "log") -> Iterator[Line]:
    """The lines of a text."""
    for number, line in zip(count(1), text.splitlines(), strict=False):
        yield Line(Place(file, number, 0), line)


def outcomes(format_name: str, text: str) -> list[Outcome]:
    """What the lines of a log are."""
    return list(FORMATS[format_name].records(lines(text)))


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
