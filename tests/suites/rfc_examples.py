"""The examples of RFC 3986 and RFC 3987: each says itself which function it is about."""

from collections.abc import Iterator
from typing import Any

import oracle

import iri_canon
from iri_canon import Rung
from suites.claims import Check, Claim
from suites.reader import Row, options
from suites.references import grammar

#: The carriers that an example of RFC 3987 5.2 names.
CARRIERS: dict[str, tuple[Any, ...]] = {"HTML": ("html",), "HTML or XML": ("html", "xml")}


def valid(row: Row) -> Iterator[Claim]:
    """1.1.2: URIs, in canonical form already."""
    yield from grammar(row)
    yield Claim("URI", str(iri_canon.is_valid(row["input"], "URI")), str(row["expected_valid"]))
    yield Claim("canonical form", iri_canon.canonicalize(row["input"]), row["input"])


def parse(row: Row) -> Iterator[Claim]:
    """3: the components."""
    iri = iri_canon.parse(row["input"])
    for name, expected in row["components"].items():
        yield Claim(name, str(getattr(iri, name)), str(expected))


def resolve(row: Row) -> Iterator[Claim]:
    """5.4."""
    yield Claim("target", iri_canon.resolve(row["base"], row["input"], **options(row)), row["expected"])


def remove_dot_segments(row: Row) -> Iterator[Claim]:
    """5.2.4, by way of a base that leaves the path as it is."""
    base = "x://h/" if row["input"].startswith("/") else "x:y"
    yield Claim("path", iri_canon.resolve(base, row["input"]), base[:-1] + row["expected"])


def equivalence(row: Row) -> Iterator[Claim]:
    """6.2: the lowest rung on which two texts are one."""
    texts = row["input"], row["equivalent_to"]
    if options(row).get("purpose") == "retrieval":  # RFC 3987 5.1: the fragment is no part of what is fetched
        yield Claim("key", iri_canon.key(texts[0], Rung.SYNTAX), iri_canon.key(texts[1], Rung.SYNTAX))
        yield Claim("canonical form", *map(iri_canon.canonicalize, texts), same=False)
    else:
        yield Claim("lowest rung", str(iri_canon.lowest_rung(*texts)), str(Rung[row["rung"].upper()]))


def distinct(row: Row) -> Iterator[Claim]:
    """6.2: two identifiers on a rung, which differ by what their fragments say, too."""
    rung = Rung[row["rung"].upper()]
    texts = row["input"], row["different_from"]
    yield Claim("canonical form", *(iri_canon.canonicalize(text, rung) for text in texts), same=False)
    if all("#" not in text for text in texts):
        yield Claim("key", *(iri_canon.key(text, rung) for text in texts), same=False)


def normalize(row: Row) -> Iterator[Claim]:
    """6.2.2 and 6.2.3: the form on a rung, as a URI or (RFC 3987 5.3.2.3) as an IRI."""
    form = iri_canon.canonicalize(row["input"], Rung[row["rung"].upper()])
    if options(row).get("form") == "iri":
        yield Claim("IRI", iri_canon.to_iri(form), row["expected"])
    else:
        yield Claim("scheme form", iri_canon.canonicalize(row["input"]), row["expected"])
        if row["rfc_form"] != "scheme":
            yield Claim("form", form, row["expected"])


def redirect_equivalence(row: Row) -> Iterator[Claim]:
    """RFC 3987 5.3.4: one page once the redirect was observed, and not before."""
    observed = options(row)["observed_redirect"]

    class Observed:
        def representative(self, key: str) -> str | None:
            return observed["to"] if key == observed["from"] else None

    texts = row["input"], row["equivalent_to"]
    ladder = iri_canon.Ladder(Rung.PROTOCOL, equivalences=Observed())
    yield Claim("lowest rung", str(ladder.lowest_rung(*texts)), str(Rung.PROTOCOL))
    yield Claim("lowest rung unobserved", str(iri_canon.lowest_rung(*texts)), str(None))


def iri_to_uri(row: Row) -> Iterator[Claim]:
    """RFC 3987 3.1."""
    toascii = options(row).get("toascii_host", False)
    yield Claim("URI", iri_canon.to_uri(row["input"], toascii=toascii), row["expected"])


def uri_to_iri(row: Row) -> Iterator[Claim]:
    """RFC 3987 3.2."""
    tounicode = options(row).get("tounicode_host", False)
    yield Claim("IRI", iri_canon.to_iri(row["input"], tounicode=tounicode), row["expected"])


def nfc_note(row: Row) -> Iterator[Claim]:
    """RFC 3987 3.1 step 1: Unicode text keeps its characters, octets in a legacy charset are brought to NFC."""
    yield Claim("URI", iri_canon.to_uri(row["input"]), oracle.to_uri(row["input"]))
    for text in (row["input"], row["expected"]):
        yield Claim("key", iri_canon.key(text), iri_canon.key(row["different_from"]), same=False)
    legacy = row["different_from"].encode("windows-1258")
    yield Claim("URI", iri_canon.to_uri(legacy, encoding="windows-1258"), oracle.to_uri(row["expected"]))


def is_nfc(row: Row) -> Iterator[Claim]:
    """RFC 3987 5.3.2.2: whether NFC or not, text that is Unicode already is mapped as it is."""
    yield Claim("URI", iri_canon.to_uri(row["input"]), oracle.to_uri(row["input"]))


def escape_resolution(row: Row) -> Iterator[Claim]:
    """RFC 3987 5.2."""
    for carrier in CARRIERS[options(row)["carrier"]]:
        yield Claim(carrier, iri_canon.prepare(row["input"], carrier), row["expected"])


def bidi(row: Row) -> Iterator[Claim]:
    """RFC 3987 4: no rung changes what the rules on bidi text are about."""
    text = row.get("logical_hebrew", row["input"])
    yield Claim("key of the IRI", iri_canon.key(iri_canon.to_iri(iri_canon.key(text))), iri_canon.key(text))


def bidi_formatting(row: Row) -> Iterator[Claim]:
    """RFC 3987 4.1, 3.2 step 4: such a character is never decoded."""
    yield from bidi(row)
    uri = iri_canon.to_uri(row["input"])
    yield Claim("IRI", iri_canon.to_iri(uri), uri)


CHECKS: dict[str, Check] = {
    "valid": valid,
    "parse": parse,
    "remove_dot_segments": remove_dot_segments,
    "resolve": resolve,
    "equivalence": equivalence,
    "distinct": distinct,
    "normalize": normalize,
    "redirect_equivalence": redirect_equivalence,
    "iri_to_uri": iri_to_uri,
    "uri_to_iri": uri_to_iri,
    "nfc_note": nfc_note,
    "is_nfc": is_nfc,
    "escape_resolution": escape_resolution,
    "bidi": bidi,
    "bidi_forbidden_char": bidi_formatting,
}
