"""Rows about requests: which have one fingerprint, by the plug-in's fingerprinter."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from iri_canon import key
from suites.claims import Claim
from suites.reader import Row, options, rows


@cache
def _fingerprinter(names: frozenset[tuple[str, Any]]) -> Any:
    from scrapy.utils.test import get_crawler

    from scrapy_plugin import CanonicalFingerprinter

    return CanonicalFingerprinter.from_crawler(get_crawler(settings_dict=dict(names)))


def fingerprint(url: str, request: Row, arguments: Row) -> str:
    """The fingerprint of a request, as hexadecimal digits; arguments of Scrapy's function become settings."""
    from scrapy import Request

    settings = {
        "IRI_CANON_KEEP_FRAGMENTS": arguments.get("keep_fragments", False),
        "IRI_CANON_HEADERS": ",".join(arguments.get("include_headers", ())),
    }
    return str(_fingerprinter(frozenset(settings.items())).fingerprint(Request(url, **request)).hex())


def _of(row: Row) -> str:
    asked = options(row)
    return fingerprint(row["input"], asked.get("request", {}), asked.get("kwargs", {}))


def _other(row: Row, name: str) -> str:
    asked = options(row)
    return fingerprint(row[name], asked["other_request"], asked["other_kwargs"])


def equivalence(row: Row) -> Iterator[Claim]:
    """One request; where the two differ by the URL alone, its keys must say the same."""
    ours, theirs = _of(row), _other(row, "equivalent_to")
    keys = key(row["input"]), key(row["equivalent_to"])
    asked = options(row)
    if (asked["request"], asked.get("kwargs")) == (asked["other_request"], asked["other_kwargs"]) == ({}, {}):
        yield Claim("key", *keys)
        yield Claim("fingerprint as the key", str(ours == theirs), str(keys[0] == keys[1]))
    else:
        yield Claim("fingerprint", ours, theirs)


def distinct(row: Row) -> Iterator[Claim]:
    """Two requests."""
    yield Claim("fingerprint", _of(row), _other(row, "different_from"), same=False)


def sha1(row: Row) -> Iterator[Claim]:
    """A digest, and the rows that share it."""
    yield Claim("digest", _of(row), row["expected"])
    others = [each for each in rows("scrapy_fingerprint") if each["kind"] == row["kind"]]
    ours = [each["id"] for each in others if _of(each) == _of(row)]
    theirs = [each["id"] for each in others if each["expected"] == row["expected"]]
    yield Claim("rows of one digest", " ".join(ours), " ".join(theirs))


def seen(row: Row) -> Iterator[Claim]:
    """A URL of the tests of Scrapy's filter: new each, whatever stands before it."""
    for other in rows("scrapy_fingerprint"):
        if other["kind"] == row["kind"] and other is not row:
            yield Claim("fingerprint", _of(row), _of(other), same=False)
