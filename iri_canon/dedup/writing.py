"""An output is written whole or not at all: beside its place first, and put there when all of it is written."""

from __future__ import annotations

import errno
import io
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, BinaryIO, Final, Self, TypeAlias

import pyarrow as pa

from iri_canon.dedup import written_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import ReadableBuffer

Batches: TypeAlias = Iterable[pa.RecordBatch]
Writer: TypeAlias = Callable[[pa.Schema, Batches, BinaryIO], None]

_ROWS: Final = 1 << 15
"""Of a row group in Parquet, at least: a column of URLs has some megabytes then."""
_COMPRESSIONS: Final = {".gz": "gzip", ".zst": "zstd"}


class Output:
    """A file that is to be: a context that leaves nothing behind unless `commit` was called.

    What stands at the path stays until then, for everyone who looks. A symbolic link stays, too: what it leads to is
    replaced. What is no file (a pipe, a device) is written into at once.

    Raises ``OSError`` that names the path: on entering for a folder that is missing or cannot be written to, later
    for a full disk.
    """

    def __init__(self, path: str, *, replaces: bool = False) -> None:
        self.path = path
        self._replaces = replaces
        self._target = Path(os.path.realpath(path))
        self._partial: Path | None = None
        self._stream: BinaryIO | None = None

    def __enter__(self) -> Self:
        with self._named():
            if is_stream(Path(self.path)):
                self._stream = Path(self.path).open("wb")
            else:
                self._partial = self._target.with_name(f".iri-canon-{secrets.token_hex(8)}")
                self._stream = self._partial.open("xb")
        return self

    @property
    def stream(self) -> BinaryIO:
        """What is written goes here, once the context is entered."""
        assert self._stream is not None
        return self._stream

    def finish(self) -> None:
        """Have all of it on the disk; `commit` does so too where that was not done before."""
        with self._named():
            if not self.stream.closed:
                self.stream.flush()
                if self._partial is not None:
                    os.fsync(self.stream.fileno())
                    self.stream.close()

    def commit(self) -> None:
        """Put the file in its place. Raises ``FileExistsError`` if one came there meanwhile that is to stay."""
        self.finish()
        with self._named():
            if self._partial is not None and (self._replaces or not self._linked(self._partial)):
                self._partial.replace(self._target)
                self._partial = None

    def _linked(self, partial_file: Path) -> bool:
        """Give the file its name as a second one, which fails where there is one; False where no file has two."""
        try:
            os.link(partial_file, self._target)
        except FileExistsError:
            raise
        except OSError:
            if self._target.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            return False
        return True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    def discard(self) -> None:
        """Leave nothing behind that was not committed; at any moment, and twice is no error."""
        if self._stream is not None:
            with suppress(OSError):  # what is left in the buffer is not wanted
                self._stream.close()
        if self._partial is not None:
            self._partial.unlink(missing_ok=True)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Errors bear the name that the user gave."""
        try:
            yield
        except OSError as error:
            raise type(error)(error.errno, error.strerror, self.path) from error


def is_stream(path: Path) -> bool:
    """Whether a path is something to write into that is no file: a pipe, a terminal, ``/dev/null``."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def row_writer_of(name: str) -> Writer | None:
    """How rows are written into a file of a name: by its suffix; None where that says nothing.

    >>> row_writer_of("out.csv.gz") is None, row_writer_of("OUT.JSONL") is WRITERS[".jsonl"], row_writer_of("out.txt")
    (False, True, None)
    """
    plain, compression = _compression_of(name)
    writer = WRITERS.get(Path(plain).suffix)
    if writer is None or compression is None:
        return writer
    return None if writer is _parquet else partial(_compressed, compression, writer)


def url_writer_of(name: str) -> Writer:
    """How a list of URLs is written: as text, compressed if the name says so."""
    compression = _compression_of(name)[1]
    return write_urls if compression is None else partial(_compressed, compression, write_urls)


def write_urls(schema: pa.Schema, batches: Batches, stream: BinaryIO) -> None:
    """Write the column ``url`` as lines, octets as they were found."""
    stream.writelines(written_text.url_lines(part.column("url")) for part in _pieces(batches))


def write_json_lines(schema: pa.Schema, batches: Batches, stream: BinaryIO) -> None:
    """Write an object a line."""
    stream.writelines(map(written_text.json_lines, _pieces(batches)))


def _csv(schema: pa.Schema, batches: Batches, stream: BinaryIO) -> None:
    stream.write(",".join(schema.names).encode() + b"\n")
    stream.writelines(map(written_text.csv_lines, _pieces(batches)))


def _parquet(schema: pa.Schema, batches: Batches, stream: BinaryIO) -> None:
    import pyarrow.parquet as pq  # its library takes a while

    # Rows are in the order of the log: the least and the largest text of some of them let no reader pass them over.
    numbers = [field.name for field in schema if pa.types.is_integer(field.type)]
    held: list[pa.RecordBatch] = []
    with pq.ParquetWriter(stream, schema, compression="zstd", write_statistics=numbers or False) as writer:
        for batch in batches:
            held.append(written_text.as_unicode(batch))
            if sum(each.num_rows for each in held) >= _ROWS:
                writer.write_table(pa.Table.from_batches(held, schema))
                held = []
        if held:
            writer.write_table(pa.Table.from_batches(held, schema))


def _pieces(batches: Batches) -> Iterator[pa.RecordBatch]:
    return chain.from_iterable(map(written_text.pieces, batches))


def _compressed(
    compression: str, writer: Writer, schema: pa.Schema, batches: Batches, stream: BinaryIO
) -> None:
    with pa.CompressedOutputStream(pa.PythonFile(_LeftOpen(stream), "w"), compression) as compressed:
        writer(schema, batches, compressed)


class _LeftOpen(io.RawIOBase):
    """A stream that what writes into it does not close."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, octets: ReadableBuffer, /) -> int:
        return self._stream.write(octets)


def _compression_of(name: str) -> tuple[str, str | None]:
    """A name in lower case without the suffix of a compression, and which that is."""
    lower = name.lower()
    suffix = Path(lower).suffix
    return lower.removesuffix(suffix) if suffix in _COMPRESSIONS else lower, _COMPRESSIONS.get(suffix)


WRITERS: Final[Mapping[str, Writer]] = MappingProxyType(
    {".jsonl": write_json_lines, ".csv": _csv, ".parquet": _parquet}
)
"""By the suffix of the file."""
