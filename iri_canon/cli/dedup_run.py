"""What the command dedup does: all is judged first, each log is read once, and outputs get their places at the end."""

from __future__ import annotations

import json
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import typer

from iri_canon import IriError
from iri_canon.cli.dedup_against import Other, other_of
from iri_canon.cli.dedup_logs import format_of, named_logs, site_of, state_of
from iri_canon.cli.dedup_outputs import Outputs
from iri_canon.cli.dedup_progress import Telling
from iri_canon.cli.dedup_table import show_summary
from iri_canon.cli.output import complain, out
from iri_canon.cli.stopping import Stopping
from iri_canon.conventions import select
from iri_canon.dedup import CLASSES, PAIRS, SEEDS, Engine, Options
from iri_canon.errors import ConventionError, StoreError
from iri_canon.logs import Bad, LogFile
from iri_canon.logs.extra import FIELD
from iri_canon.logs.reading import read
from iri_canon.logs.tally import Tally

_ROWS: Final = "--output"
_URLS: Final = "--urls"
_PAIRS: Final = "--pairs"
_STATS: Final = "--stats"
_REPORT: Final = "--report"
_SQLITE: Final = "sqlite:"
_COUNTS: Final = {
    "records": "records",
    "spellings": "spellings",
    "classes": "pages",
    "duplicates": "duplicates",
}
"""What the last line has, and what it calls it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the command, as they were given."""

    logs: list[str]
    format_name: str = "auto"
    output: str | None = None
    urls: str | None = None
    pairs: str | None = None
    stats: str | None = None
    report: str | None = None
    conventions: list[str] = field(default_factory=list)
    store: str | None = None
    site: str | None = None
    temporary: bool = False
    against: str | None = None
    keep: list[str] = field(default_factory=list)
    memory: str = "1GB"
    spill: str | None = None
    threads: int | None = None
    strict: bool = False
    force: bool = False
    quiet: bool = False
    as_json: bool = False


def dedup(asked: Asked) -> None:
    """Do it. Raises `typer.BadParameter` for what cannot be meant, `typer.Exit` with the exit status if it is not 0."""
    other = other_of(asked.against)
    site = site_of(asked.site)
    format_name = format_of(asked.format_name, site)
    _refuse_unknown_conventions(asked.conventions)
    names, again = named_logs(asked.logs)
    store = None if asked.store is None else asked.store.removeprefix(_SQLITE)
    inputs = [*names, *(path for path in (store, other and other.path) if path)]
    outputs = _outputs(asked, inputs)
    logs = [LogFile(name, format_name, site=site) for name in names]
    _give_memory_back()
    options = Options(
        conventions=tuple(asked.conventions),
        store=store,
        temporary=asked.temporary,
        memory=asked.memory,
        spill=asked.spill,
        threads=asked.threads,
        times=asked.report is not None or asked.stats is not None or asked.as_json,
    )
    with Stopping() as stopping:
        try:
            with (
                outputs,
                _engine(options) as engine,
                Telling(_size(names), quiet=asked.quiet) as telling,
            ):
                for name in again:
                    telling.note(f"iri-canon: {name}: named before; it is read once")
                run = _Run(asked, engine, outputs, telling, stopping)
                run.read(logs, [_size([name]) or 0 for name in names])
                run.write(other)
                outputs.finish()
                stopping.finish()
                outputs.commit()
        except duckdb.Error as error:
            stopping.check()
            complain(f"iri-canon: {_told(error)}")
            raise typer.Exit(1) from None
        except OSError as error:
            if error.filename is None:  # standard output, which the way in knows to name
                raise
            complain(f"iri-canon: {error.filename}: {error.strerror}")
            raise typer.Exit(1) from None
    if run.has_problem:
        raise typer.Exit(1)


def _give_memory_back() -> None:
    """Of Arrow's allocators take the one that holds least of what is free, where there is a choice."""
    if "jemalloc" in pa.supported_memory_backends():
        pa.set_memory_pool(pa.jemalloc_memory_pool())


def _refuse_unknown_conventions(names: list[str]) -> None:
    try:
        select(names)
    except ConventionError as unknown:
        raise typer.BadParameter(str(unknown), param_hint="--conventions") from unknown


def _outputs(asked: Asked, inputs: list[str]) -> Outputs:
    wanted = {
        _ROWS: asked.output,
        _URLS: asked.urls,
        _PAIRS: asked.pairs,
        _STATS: asked.stats,
        _REPORT: asked.report,
    }
    outputs = Outputs(wanted, inputs, rows=(_ROWS, _PAIRS), force=asked.force)
    if asked.as_json and outputs.has_stdout:
        raise typer.BadParameter("standard output has another output already", param_hint="--json")
    return outputs


def _engine(options: Options) -> Engine:
    try:
        return Engine(options)
    except StoreError as error:
        complain(f"iri-canon: {error}")
        raise typer.Exit(1) from None
    except IriError as error:
        raise typer.BadParameter(str(error)) from error


def _told(error: duckdb.Error) -> str:
    """An error of the engine in one line, with the way out."""
    told = str(error).splitlines()[0]
    return f"{told}; --memory gives it more" if isinstance(error, duckdb.OutOfMemoryException) else told


def _size(names: list[str]) -> int | None:
    """Octets of some logs; None where one of them is no file."""
    states = [state_of(name) for name in names]
    if any(state is not None and not stat.S_ISREG(state.st_mode) for state in states):
        return None
    return sum(state.st_size for state in states if state is not None)


class _Run:
    """A run, log by log and then output by output."""

    def __init__(
        self, asked: Asked, engine: Engine, outputs: Outputs, telling: Telling, stopping: Stopping
    ) -> None:
        self.has_problem = False
        self._asked = asked
        self._engine = engine
        self._outputs = outputs
        self._telling = telling
        self._stopping = stopping
        self._tallies: list[Tally] = []
        self._counts: Counter[str] = Counter()
        self._first = 0

    def read(self, logs: list[LogFile], sizes: list[int]) -> None:
        for log, size in zip(logs, sizes, strict=True):
            self._telling.reading(log.name)
            tally = Tally(log.name)
            self._tallies.append(tally)
            self._engine.read(self._batches(log, tally))
            self._telling.was_read(size)
            self._tell(log, tally)

    def _batches(self, log: LogFile, tally: Tally) -> Iterator[pa.RecordBatch]:
        found = read(log, tally, self._first, self._tell_bad, extra=self._asked.keep, places=False)
        for batch in found:
            self._stopping.check()
            self._first += batch.num_rows
            self._telling.moved(batch.num_rows, log.position)
            yield batch

    def _tell_bad(self, bad: Bad) -> None:
        self._telling.note(str(bad))
        if self._asked.strict:
            self._telling.problem(f"iri-canon: {bad.place.file}: a bad record; nothing is written (--strict)")
            raise typer.Exit(1)

    def _tell(self, log: LogFile, tally: Tally) -> None:
        if log.is_guessed and tally.records:
            self._telling.note(f"iri-canon: {log.name}: read as {tally.format_name}")
        if tally.problem is not None:
            self.has_problem = True
            self._telling.problem(f"iri-canon: {log.name}: {tally.problem}")
            if self._asked.strict:
                raise typer.Exit(1)
        self._telling.note(str(tally))

    def write(self, other: Other | None) -> None:
        asked, engine, outputs, telling = self._asked, self._engine, self._outputs, self._telling
        telling.working("comparing")
        engine.cluster()
        summary = self._summary(other) if self._needs_summary else None
        if outputs.has_stdout:
            telling.end()
        telling.working("writing")
        if _ROWS in outputs:
            schema = CLASSES.append(FIELD) if asked.keep else CLASSES
            outputs.write_rows(_ROWS, schema, self._counted(engine.classes()))
        if _URLS in outputs:
            outputs.write_urls(_URLS, SEEDS, engine.seeds())
        if _PAIRS in outputs:
            outputs.write_rows(_PAIRS, PAIRS, engine.pairs())
        if summary is not None and _STATS in outputs:
            outputs.write_text(_STATS, json.dumps(summary, indent=2) + "\n")
        if summary is not None and _REPORT in outputs:
            from iri_canon.dedup.report import render  # its libraries take half a second to import

            outputs.write_text(_REPORT, render(summary))
        telling.end()
        self._sum_up(summary)

    @property
    def _needs_summary(self) -> bool:
        """Whether anything but the counts of the rows is told; it takes its time over a large log."""
        asked = self._asked
        is_written = asked.as_json or asked.against is not None or asked.stats or asked.report
        return bool(is_written) or (asked.output is None and not asked.quiet)

    def _summary(self, other: Other | None) -> dict[str, Any]:
        summary = self._engine.summary(self._tallies)
        if other is not None:
            summary["against"] = self._engine.against(other.key, other.name)
        return summary

    def _counted(self, classes: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in classes:
            self._stopping.check()
            count = batch.column("count")
            self._counts["records"] += _sum(count)
            self._counts["spellings"] += _sum(pc.list_value_length(batch.column("urls")))
            self._counts["classes"] += batch.num_rows
            # a page that is only mentioned is of no record, and repeats none
            self._counts["duplicates"] += _sum(pc.max_element_wise(pc.subtract(count, 1), 0))
            yield batch

    def _sum_up(self, summary: dict[str, Any] | None) -> None:
        asked = self._asked
        if summary is not None and asked.as_json:
            out(json.dumps(summary))
        elif summary is not None and asked.output is None and not self._outputs.has_stdout:
            if not asked.quiet:
                show_summary(summary)
        else:
            counts = summary or self._counts
            told = ", ".join(f"{counts[name]} {called}" for name, called in _COUNTS.items())
            self._telling.note(f"iri-canon: {told}")


def _sum(numbers: pa.Array) -> int:
    return pc.sum(numbers).as_py() or 0
