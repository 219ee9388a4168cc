"""All outputs are judged before a log is read: their suffixes, and that nothing is written over that is to stay."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Self, cast

import pyarrow as pa
import typer

from iri_canon.cli.dedup_logs import state_of
from iri_canon.cli.files import refuse_existing
from iri_canon.cli.output import octets
from iri_canon.dedup.writing import (
    WRITERS,
    Output,
    Writer,
    is_stream,
    row_writer_of,
    url_writer_of,
    write_json_lines,
    write_urls,
)
from iri_canon.display import terminal_line

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STDOUT: Final = "-"


class Outputs:
    """The outputs of a run by their options; `STDOUT` is standard output. A context manager.

    What was not committed leaves nothing behind. Raises `typer.BadParameter` for what cannot be meant: two outputs of
    one name, one that is among the ``inputs``, or that exists and may not be replaced, and for the options of ``rows``
    an unknown suffix. Entering raises ``OSError`` for a place that cannot be written to.
    """

    def __init__(
        self, wanted: Mapping[str, str | None], inputs: Sequence[str], *, rows: Collection[str], force: bool
    ) -> None:
        self._paths = {option: path for option, path in wanted.items() if path is not None}
        self._force = force
        self._files: dict[str, Output] = {}
        self._stack = ExitStack()
        read = [state for each in inputs if (state := state_of(each)) is not None]
        named: dict[str, str] = {}
        for option, path in self._paths.items():
            earlier = named.setdefault(path if path == STDOUT else os.path.realpath(path), option)
            if earlier != option:
                raise typer.BadParameter(f"{path} is the output of {earlier}, too", param_hint=option)
            if path != STDOUT:
                if option in rows:
                    named_writer(path, option)
                _judge(path, option, read, force)
        self.has_stdout = STDOUT in self._paths.values()
        """Whether standard output is one of them."""
        if self.has_stdout and _is_among(read):
            raise typer.BadParameter("standard output is a file that is read, too")

    def __contains__(self, option: object) -> bool:
        return option in self._paths

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            for option, path in self._paths.items():
                if path != STDOUT:
                    file = self._files[option] = Output(path, replaces=self._force)
                    stack.callback(file.discard)  # first: it may be interrupted while it is opened
                    stack.enter_context(file)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def write_rows(self, option: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        """Write rows by the suffix of the output, JSON lines to standard output."""
        path = self._paths[option]
        self._write(
            option, write_json_lines if path == STDOUT else named_writer(path, option), schema, batches
        )

    def write_urls(self, option: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        """Write the URLs of rows, one a line."""
        path = self._paths[option]
        self._write(option, write_urls if path == STDOUT else url_writer_of(path), schema, batches)

    def write_text(self, option: str, text: str) -> None:
        """Write a text as UTF-8."""
        stream = self._stream(option)
        with self._named(option):
            stream.write(octets(text))
            stream.flush()

    def finish(self) -> None:
        """Have all that was written on the disk, and out: what can still fail, fails here."""
        sys.stdout.buffer.flush()
        for file in self._files.values():
            file.finish()

    def commit(self) -> None:
        """Put all files in their places, once they are finished."""
        for file in self._files.values():
            file.commit()

    def _write(
        self, option: str, writer: Writer, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
    ) -> None:
        stream = self._stream(option)
        with self._named(option):
            writer(schema, batches, stream)
            stream.flush()

    @contextmanager
    def _named(self, option: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if option in self._files and error.filename is None:  # a full disk does not say which
                error.filename = self._paths[option]
            raise

    def _stream(self, option: str) -> BinaryIO:
        if option in self._files:
            return self._files[option].stream
        return cast(BinaryIO, _Terminal()) if sys.stdout.isatty() else sys.stdout.buffer


def named_writer(path: str, option: str) -> Writer:
    """How rows are written into a file of a name. Raises `typer.BadParameter`."""
    writer = row_writer_of(path)
    if writer is None:
        raise typer.BadParameter(
            f"{path} does not end in {', '.join(WRITERS)} (the first two also with .gz or .zst)",
            param_hint=option,
        )
    return writer


def _judge(path: str, option: str, read: Sequence[os.stat_result], force: bool) -> None:
    """Raises `typer.BadParameter` for a file that cannot be meant as an output."""
    if Path(path).is_dir():
        raise typer.BadParameter(f"{path} is a directory", param_hint=option)
    if not Path(os.path.realpath(path)).parent.is_dir():
        raise typer.BadParameter(f"{path}: no such folder", param_hint=option)
    state = state_of(path)
    if state is None or is_stream(Path(path)):
        return
    if any(os.path.samestat(state, each) for each in read):
        raise typer.BadParameter(f"{path} is read, too", param_hint=option)
    refuse_existing(path, force, option)


def _is_among(read: Sequence[os.stat_result]) -> bool:
    """Whether standard output is one of some files, as a shell appends to it."""
    try:
        state = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):  # none of the system
        return False
    return stat.S_ISREG(state.st_mode) and any(os.path.samestat(state, each) for each in read)


class _Terminal(io.RawIOBase):
    """Standard output where it is a terminal: it shows each line, and obeys none."""

    def writable(self) -> bool:
        return True

    def write(self, given: ReadableBuffer, /) -> int:
        text = bytes(given)
        lines = text.decode("utf-8", "surrogateescape").split("\n")
        sys.stdout.buffer.write(octets("\n".join(map(terminal_line, lines))))
        sys.stdout.buffer.flush()
        return len(text)
