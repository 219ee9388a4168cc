"""An index of captures has one a line: its header says by letters what stands where, or it is JSON (CDXJ)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from iri_canon.logs.jsonl import record_of
from iri_canon.logs.records import Bad, Line, Outcome, Place, Record, WithoutUrl, number, time_in

_MARK: Final = "CDX"
#: The columns of an index without a header, by how many there are.
_USUAL: Final = {11: list("NbamskrMSVg"), 9: list("NbamskrVg")}
_STAMP_SIZES: Final = frozenset({8, 10, 12, 14, 17})
_NONE: Final = "-"


def records(lines: Iterable[Line]) -> Iterator[Outcome]:
    """The captures of a CDX. ``a`` is the URL, ``b`` the time, ``s`` the status, ``k`` the digest, ``r`` the redirect.

    The delimiter is the character before the word CDX, or behind it where the line begins with it. A header may come
    again, with other columns.

    >>> header, line = " CDX N b a s r", "h)/a 20261201061035 http://h/a 301 http://h/b"
    >>> [each.hops() for each in records(Line(Place("a", 1, 0), text) for text in (header, line))]
    [(Hop(source='http://h/a', target='http://h/b', status=301),)]
    """
    delimiter, columns = " ", None
    for place, text in lines:
        if text is None:
            yield Bad(place, "longer than a line may be")
        elif is_header(text):
            delimiter = text[0] if text[0] != "C" else text[len(_MARK)]
            columns = text.removeprefix(text[0] if text[0] != "C" else "").split(delimiter)[1:]
        elif text.strip():
            yield _record(place, text.split(delimiter), columns)


def is_header(text: str) -> bool:
    """Whether a line says what the columns are.

    >>> is_header(" CDX N b a"), is_header("CDX N b a"), is_header("CDX"), is_header("cdx,h)/ 2026")
    (True, True, False, False)
    """
    return (
        text[1 : len(_MARK) + 1] == _MARK and text[0] != "C" and text[len(_MARK) + 1 :][:1] == text[0]
    ) or (text.startswith(_MARK) and text[len(_MARK) : len(_MARK) + 1] in {" ", "\t", ",", "|"})


def is_one(text: str) -> bool:
    """Whether a line looks like one of a CDX."""
    fields = text.split(" ")
    return is_header(text) or (
        len(fields) in _USUAL and len(fields[1]) == 14 and time_in(fields[1]) is not None
    )


def _record(place: Place, fields: list[str], columns: list[str] | None) -> Outcome:
    columns = columns or _USUAL.get(len(fields))
    if columns is None or len(fields) != len(columns):
        return Bad(place, "not as many columns as there should be")
    row = dict(zip(columns, fields, strict=True))
    if "a" not in row:
        return Bad(place, "no column has the URL (a)")
    stamp, status = row.get("b", _NONE), row.get("s", _NONE)
    if stamp != _NONE and not (stamp.isascii() and stamp.isdigit() and len(stamp) in _STAMP_SIZES):
        return Bad(place, "the date (b) is none")
    if status != _NONE and number(status) is None:
        return Bad(place, "the status (s) is no number")
    if row["a"] in {"", _NONE}:
        return WithoutUrl(place)
    told = {name: None if row.get(name, _NONE) in {"", _NONE} else row[name] for name in "rkm"}
    return Record(
        place=place,
        url=row["a"],
        status=number(status),
        location=told["r"],
        digest=told["k"],
        time=time_in(stamp[:14]),
        mime=told["m"] or "",
    )


def json_records(lines: Iterable[Line]) -> Iterator[Outcome]:
    """The captures of a CDXJ: a key, 14 digits, and an object; lines that begin with "!" are about the file."""
    for place, text in lines:
        if text is None:
            yield Bad(place, "longer than a line may be")
        elif text.strip() and not text.startswith("!"):
            yield _json_record(place, text)


def is_json_one(text: str) -> bool:
    """Whether a line looks like one of a CDXJ."""
    _, stamp, rest = [*text.split(" ", 2), "", ""][:3]
    return text.startswith("!OpenWayback-CDXJ") or (rest.lstrip().startswith("{") and stamp.isdigit())


def _json_record(place: Place, text: str) -> Outcome:
    fields = text.split(" ", 2)
    if len(fields) != 3:
        return Bad(place, "not as many columns as there should be")
    if not (fields[1].isascii() and fields[1].isdigit()):
        return Bad(place, "the date is none")
    try:
        row = json.loads(fields[2])
    except ValueError:
        return Bad(place, "not JSON")
    except RecursionError:
        return Bad(place, "nested too deeply")
    if not isinstance(row, dict):
        return Bad(place, "not an object")
    return record_of(place, {**row, "time": fields[1][:14]})
