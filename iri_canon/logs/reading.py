"""There is one door through which a log comes in columns; what is wrong with the log is in its tally."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyarrow as pa

from iri_canon.errors import LogError
from iri_canon.logs.columns import batches
from iri_canon.logs.opening import LogFile
from iri_canon.logs.records import Bad, Outcome
from iri_canon.logs.tally import Tally


def read(
    log: LogFile, tally: Tally, first: int = 0, tell: Callable[[Bad], None] | None = None
) -> Iterator[pa.RecordBatch]:
    """The records of a log in batches of `columns.SCHEMA`, numbered from ``first``.

    ``tell`` is given the first bad records of each reason, and may raise to stop. Else nothing is raised for what a
    log holds, nor for one that cannot be opened: ``tally.problem`` says why it was not read to its end, behind all
    records before. ``tally.format_name`` is the format that was named, or told from the content.

    >>> tally = Tally("missing.jsonl")
    >>> list(read(LogFile("missing.jsonl"), tally)), tally.problem
    ([], 'No such file or directory')
    """
    yield from batches(_outcomes(log, tally), tally, first, tell)
    tally.format_name = log.format_name
    if tally.problem is None and not log.is_empty and not tally.records:
        tally.problem = "no readable record"
        if log.is_guessed:
            tally.problem += f" of {log.format_name}, as it seems to be; --format names another format"


def _outcomes(log: LogFile, tally: Tally) -> Iterator[Outcome]:
    """What a log holds, as far as it can be read."""
    try:
        with log.outcomes() as outcomes:
            yield from outcomes
    except OSError as error:
        tally.problem = error.strerror or str(error)
    except LogError as error:
        tally.problem = str(error)
