"""Rows that say which texts are one: normalised forms, equivalence, difference, refusal."""

from collections.abc import Iterator

import iri_canon
from iri_canon import IriError, Rung
from suites.claims import REFUSED, Claim, alike, canonical, validity
from suites.reader import Row, function, options

#: Functions of w3lib that make of a text what a browser would ask for.
AS_A_BROWSER = {"safe_url_string", "safe_download_url"}
#: Functions whose input is a part of a URL.
HOST_ALONE = {"normalize_host": "http://{}/"}
#: The rungs at which the expected text is, letter for letter, the canonical form (`rfc_form`).
LITERAL = {
    "syntax": (Rung.SYNTAX,),
    "scheme": (Rung.SCHEME,),
    "syntax+scheme": (Rung.SYNTAX, Rung.SCHEME),
}


def forms(text: str, row: Row) -> Iterator[Claim]:
    """What a row with a normalised form claims of the text that stands for its input."""
    expected, form = row["expected"], row.get("rfc_form")
    if form == "scheme-nofragment":
        yield Claim("key", iri_canon.key(text), expected)
    elif form in LITERAL:
        for rung in LITERAL[form]:
            yield Claim(f"{rung.name.lower()} form", canonical(text, rung), expected)
    else:
        yield alike("canonical form", text, expected)


def normalize(row: Row) -> Iterator[Claim]:
    """A peer's normalised form."""
    yield from forms(_read(_input(row), row), row)


def _read(text: str, row: Row) -> str:
    """The text as a browser reads an href, for peers that set out to do the same."""
    return iri_canon.prepare(text, "href") if function(row) in AS_A_BROWSER else text


def _input(row: Row) -> str:
    """The text of a row, octets read as the peer was told to."""
    if options(row).get("input_type") != "bytes":
        return str(row["input"])
    octets = row["input"].encode("utf-8", "surrogateescape")
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets.decode(str(options(row).get("encoding", "utf-8")), "surrogateescape")


def equivalence(row: Row) -> Iterator[Claim]:
    """Two spellings of one page."""
    ours, theirs = (iri_canon.key(_read(row[name], row)) for name in ("input", "equivalent_to"))
    yield Claim("key", ours, theirs)


def distinct(row: Row) -> Iterator[Claim]:
    """Two pages."""
    yield Claim("key", iri_canon.key(row["input"]), iri_canon.key(row["different_from"]), same=False)


def reject(row: Row) -> Iterator[Claim]:
    """What a peer refuses."""
    found = validity(HOST_ALONE.get(function(row), "{}").format(row["input"]))
    yield Claim("validity", "valid" if found == "valid" else REFUSED, REFUSED)


def to_uri(row: Row) -> Iterator[Claim]:
    """A whole IRI in the form that goes on the wire, the host looked up."""
    try:
        ours = iri_canon.to_uri(row["input"], toascii=True)
    except IriError:
        ours = REFUSED
    yield Claim("URI", ours, row["expected"])


def to_iri(row: Row) -> Iterator[Claim]:
    """A whole URI in the form that people read."""
    try:
        ours = iri_canon.to_iri(row["input"], tounicode=True)
    except IriError:
        ours = REFUSED
    yield Claim("IRI", ours, row["expected"])
