"""Rows of the URL standard's tests: an href, read as a browser reads it, against its base."""

from collections.abc import Iterator

from iri_canon import IRI, IriError, parse, prepare, resolve
from iri_canon.rung1_syntax import TEXT_STEPS
from iri_canon.schemes import lookup
from suites.claims import REFUSED, Claim, alike, valid, validity
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
    """What the href leads to, whether it is an IRI reference as it stands, and the parts of what it leads to."""
    try:
        found = _target(row)
    except IriError:
        found = REFUSED
    yield from forms(found, row)
    yield Claim(
        "IRI-reference", valid(row["input"], "IRI-reference"), str(row["input_valid_rfc3987"]).lower()
    )
    parts = _attributes(parse(row["expected"]))
    for name in sorted(parts.keys() & row["components"].keys()):
        yield Claim(name, parts[name], row["components"][name])


def _attributes(iri: IRI) -> dict[str, str]:
    """The parts as the URL standard names them, in which an absent part and an empty one are the same."""
    username, _, password = (iri.userinfo or "").partition(":")
    # The "/." before a path that would read as an authority is no part of `pathname`.
    is_guarded = iri.host is None and iri.path.startswith("/.//")
    return {
        "protocol": f"{iri.scheme}:",
        "username": username,
        "password": password,
        "hostname": iri.host or "",
        "port": iri.port or "",
        "pathname": iri.path[2:] if is_guarded else iri.path,
        "search": f"?{iri.query}" if iri.query else "",
        "hash": f"#{iri.fragment}" if iri.fragment else "",
    }


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
