"""A table in text has its columns named by its first row; a quoted field may have delimiters and line breaks in it.

Source: RFC 4180 section 2. Commas, semicolons, tabs and bars delimit, whichever makes a column ``url``.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from iri_canon.errors import LogError
from iri_canon.logs import jsonl
from iri_canon.logs.lines import LONGEST_LINE
from iri_canon.logs.records import Bad, Line, Outcome, Place

URL: Final = "url"

_DELIMITERS: Final = (",", ";", "\t", "|")
_QUOTE: Final = '"'
_INSIDE: Final = re.compile(r'(?:[^"]++|"")*+')
#: Lines that a quoted field may go over: a quote that nobody closed is not to take the rest of the file.
_MOST_LINES: Final = 100_000
#: A whole number as tables of numbers with gaps write it.
_DOT: Final = "."
_WHOLE: Final = re.compile(r"([0-9]+)\.0+")
_NAMES: Final = frozenset(
    {URL, "method", "time", "mime"}.union(jsonl.STATUSES, jsonl.DIGESTS, jsonl.LOCATIONS, jsonl.CHAIN)
)
_SPACE: Final = " \t\r"
_OPEN: Final = "a quote that is not closed"


class Row(NamedTuple):
    """A row with its fields by the names of their columns, those that are known in lower case."""

    place: Place
    fields: dict[str, str]


def records(lines: Iterable[Line]) -> Iterator[Outcome]:
    """The records of a table; its columns are what the fields of a feed are, by name, in any case; lists are JSON.

    Raises `LogError` where the first row names no column ``url``.

    >>> texts = ["status;url", '301;"http://h/;a"', "200"]
    >>> for each in records(Line(Place("a.csv", number, 0), text) for number, text in enumerate(texts, 1)):
    ...     print(each.url if isinstance(each, jsonl.Record) else each)
    http://h/;a
    a.csv:3: byte 0: not as many columns as there should be
    """
    return map(outcome_of, rows(lines))


def outcome_of(row: Row | Bad) -> Outcome:
    """What a row of `rows` is."""
    return row if isinstance(row, Bad) else jsonl.record_of(row.place, _values(row.fields))


def rows(lines: Iterable[Line]) -> Iterator[Row | Bad]:
    """The rows of a table behind the first, which names the columns; blank lines are none.

    Of columns with one name the first counts. A row that is bad costs its first line: those that its quotes took are
    read again. Raises `LogError` as `records` does.
    """
    source = _Lines(iter(lines))
    table: _Table | None = None
    while (line := source.take()) is not None:
        if table is None:
            if line.text is None or line.text.strip(_SPACE):
                table = _table(line)
        elif line.text is None:
            yield Bad(line.place, "longer than a line may be")
        elif line.text.strip(_SPACE):
            yield table.row(line.place, line.text, source)


def _values(fields: dict[str, str]) -> Mapping[str, object]:
    """The fields of a row as they would be in a feed: none that is empty, a status without a fraction, lists."""
    values: dict[str, object] = {name: value for name, value in fields.items() if value}
    for name in jsonl.STATUSES:
        if _DOT in fields.get(name, "") and (whole := _WHOLE.fullmatch(fields[name])):
            values[name] = whole[1]
    for name in jsonl.CHAIN:
        if name in fields:
            values[name] = _json(fields[name])
    return values


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def is_one(text: str) -> bool:
    """Whether a line names the columns of a table, one of them ``url``.

    >>> is_one("time\\turl"), is_one('"URL"'), is_one("the url"), is_one("http://h/url")
    (True, True, False, False)
    """
    return _Table.of(text) is not None


class _RowError(Exception):
    """Why a row is none."""


@dataclass(slots=True)
class _Lines:
    """Lines that can be put back."""

    rest: Iterator[Line]
    back: deque[Line] = field(default_factory=deque)
    alone: int = 0
    """The number of the last line that was tried with lines before it: up to it no row goes over lines. So each line
    is read twice at most."""

    def take(self) -> Line | None:
        return self.back.popleft() if self.back else next(self.rest, None)

    def put_back(self, taken: list[Line]) -> None:
        if taken:
            self.back.extendleft(reversed(taken))
            self.alone = taken[-1].place.line - 1  # with the last one something may begin


def _table(line: Line) -> _Table:
    table = None if line.text is None else _Table.of(line.text)
    if table is None:
        raise LogError("the first row names no column url")
    return table


@dataclass(frozen=True, slots=True)
class _Table:
    columns: dict[str, int]
    """Where each name stands; of columns with one name the first counts."""
    width: int
    delimiter: str
    """Empty where url is the only column: then a line is a field, whatever it has in it."""

    @classmethod
    def of(cls, text: str) -> _Table | None:
        """The table that a first row announces; None: it is no such row."""
        if URL not in text.lower():
            return None
        for delimiter in _DELIMITERS:
            names: list[str] = []
            try:
                is_open = _scan(text, delimiter, names, None) is not None
            except _RowError:
                continue
            names = [name.strip() for name in names]
            names = [name.lower() if name.lower() in _NAMES else name for name in names]
            if URL in names and not is_open:
                columns: dict[str, int] = {}
                for place, name in enumerate(names):
                    columns.setdefault(name, place)
                return cls(columns, len(names), delimiter if len(names) > 1 else "")
        return None

    def row(self, place: Place, text: str, source: _Lines) -> Row | Bad:
        """The row that begins with a line, and goes on over others where its quotes are open."""
        fields: list[str] = []
        taken: list[Line] = []
        try:
            begun = None
            if _QUOTE in text or not self.delimiter:
                begun = _scan(text, self.delimiter, fields, None)
            else:
                fields = text.split(self.delimiter)
            size = len(text)
            last = Line(place, text)
            while begun is not None:
                following = source.take() if place.line > source.alone else None
                if following is None:
                    raise _RowError(_OPEN)
                taken.append(following)
                if following.text is None:
                    raise _RowError(_OPEN)
                size += len(following.text)
                if len(taken) > _MOST_LINES or size > LONGEST_LINE:
                    raise _RowError(_OPEN)
                begun.append(_line_break(last, following))
                begun = _scan(following.text, self.delimiter, fields, begun)
                last = following
            if len(fields) != self.width:
                raise _RowError("not as many columns as there should be")
        except _RowError as reason:
            source.put_back(taken)
            return Bad(place, str(reason))
        return Row(place, {name: fields[column] for name, column in self.columns.items()})


def _scan(text: str, delimiter: str, fields: list[str], begun: list[str] | None) -> list[str] | None:
    """Add the fields of a line to some; the pieces of a last one whose quotes are open: ``begun`` for the next.

    A quote within a field that does not begin with one is text.
    """
    position = 0
    while True:
        if begun is None and text.startswith(_QUOTE, position):
            begun = []
            position += 1
        if begun is None:
            end = text.find(delimiter, position) if delimiter else -1
            fields.append(text[position:] if end < 0 else text[position:end])
            if end < 0:
                return None
            position = end + 1
            continue
        inside = _INSIDE.match(text, position)
        assert inside is not None  # the pattern matches any text
        begun.append(inside[0])
        if inside.end() == len(text):
            return begun
        fields.append("".join(begun).replace(_QUOTE * 2, _QUOTE))
        begun = None
        position = inside.end() + 1
        if position == len(text):
            return None
        if not delimiter or text[position] != delimiter:
            raise _RowError("text behind a closing quote")
        position += 1


def _line_break(line: Line, following: Line) -> str:
    """What ended a line within quotes: a field is kept as it is."""
    assert line.text is not None  # told by the caller
    size = len(line.text.encode("utf-8", "surrogateescape"))
    return "\r\n" if following.place.offset - line.place.offset - size == 2 else "\n"
