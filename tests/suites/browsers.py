"""Rows of the URL standard's tests: an href, read as a browser reads it, against its base."""

from collections.abc import Iterator

from iri_canon import IriError, parse, prepare, resolve
from iri_canon.rung1_syntax import TEXT_STEPS
from iri_canon.schemes import lookup
from suites.claims import REFUSED, Claim, alike, validity
from suites.comparing import forms
from suites.reader import Row


def _target(row: Row) -> str:
    base = row.get("base")
    if base is None:
        return prepare(row["input"], "href")
    base = prepare(base, "href")
    return resolve(base, _reference(row["input"], parse(base).scheme))


def _reference(text: str, scheme: str | None) -> str:
    """The reference of an href: what `prepare` reads into slashes holds for documents of the http family."""
    prepared = prepare(text, "href")
    if lookup((scheme or "").lower()).host == "web" or parse(prepared).scheme is not None:
        return prepared
    for step in TEXT_STEPS:
        text = step(text)
    return text


def href(row: Row) -> Iterator[Claim]:
    """What the href leads to."""
    try:
        found = _target(row)
    except IriError:
        found = REFUSED
    yield from forms(found, row)


def parse_failure(row: Row) -> Iterator[Claim]:
    """An href that leads nowhere: by the grammar as it stands (`rfc`), or by what its target needs."""
    try:
        found = validity(row["input"] if row["judge"] == "rfc" else _target(row))
    except IriError:
        found = REFUSED
    yield Claim("validity", "valid" if found == "valid" else REFUSED, REFUSED)


def query_in_encoding(row: Row) -> Iterator[Claim]:
    """A query of a document in some encoding, which RFC 3987 3.1 maps by way of UTF-8 all the same."""
    yield alike("query", f"http://example.com/?{row['input']}", f"http://example.com/?{row['expected']}")
