"""Rows about references: resolution, its inverse, dot-segments; and about the grammar and the parts of a text."""

from collections.abc import Iterator
from urllib.parse import unquote

import iri_canon
from iri_canon import IriError
from iri_canon.path import remove_dot_segments as remove_dots
from suites.claims import REFUSED, Claim, alike, valid
from suites.reader import Row


def target(base: str, reference: str) -> str:
    """The target, or that there is none."""
    try:
        return iri_canon.resolve(base, reference)
    except IriError:
        return REFUSED


def resolve(row: Row) -> Iterator[Claim]:
    """A target: letter for letter where the row says so."""
    ours = target(row["base"], row["input"])
    yield (
        Claim("target", ours, row["expected"])
        if row.get("rfc_exact")
        else alike("target", ours, row["expected"])
    )


def resolve_error(row: Row) -> Iterator[Claim]:
    """A reference that a peer does not resolve."""
    yield Claim("target", target(row["base"], row["input"]), REFUSED)


def relativize(row: Row) -> Iterator[Claim]:
    """A relative reference that leads from the base to the input, which resolution must find again."""
    yield Claim("target", target(row["base"], row["expected"]), row["input"])


def remove_dot_segments(row: Row) -> Iterator[Claim]:
    """RFC 3986 5.2.4."""
    yield Claim("path", remove_dots(row["input"]), row["expected"])


def grammar(row: Row) -> Iterator[Claim]:
    """Whether the text is an IRI, or an IRI reference."""
    production = "IRI" if "scheme required" in row.get("note", "") else "IRI-reference"
    expected = str(row["expected_valid"]).lower()
    yield Claim(production, valid(row["input"], production), expected)
    if production == "IRI-reference":
        try:
            strict = iri_canon.parse(row["input"], strict=True) is not None
        except IriError:
            strict = False
        yield Claim("strict parse", str(strict).lower(), expected)


def parse_roundtrip(row: Row) -> Iterator[Claim]:
    """The text again."""
    yield Claim("text", str(iri_canon.parse(row["input"])), row["expected"])


def components(row: Row) -> Iterator[Claim]:
    """One component as a peer shows it: raw, decoded, or for display."""
    for name, expected in row["components"].items():
        yield Claim(name, _component(row["input"], name), str(expected))


def _component(text: str, name: str) -> str:
    # Such a peer normalises what it parses, and does not tell an absent part from an empty one.
    try:
        iri = iri_canon.parse(iri_canon.canonicalize(text))
    except IriError:
        return REFUSED
    name, _, shown = name.partition("_")
    part = getattr(iri, name) or ""
    if shown == "decoded":
        return unquote(part, errors="surrogateescape")
    if shown == "display":
        return iri_canon.to_iri(f"http://{part}", tounicode=True).removeprefix("http://")
    return str(part)
