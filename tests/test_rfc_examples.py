"""The examples of RFC 3986 and RFC 3987 as the public vector file has them, each by its identifier."""

import json
from collections.abc import Callable
from typing import Any

import oracle
import pytest
from folders import shared_folder

import iri_canon
from iri_canon import Rung

Row = dict[str, Any]
FOLDER = shared_folder()
ROWS: list[Row] = (
    [json.loads(line) for line in (FOLDER / "vectors/rfc_examples.jsonl").open(encoding="utf-8")]
    if FOLDER
    else []
)
pytestmark = pytest.mark.skipif(not ROWS, reason="the folder of public vectors is absent")

CARRIERS = {"HTML": ("html",), "HTML or XML": ("html", "xml")}
#: Kinds whose rules (RFC 3987 section 4) belong to the findings on an IRI, which never change a key.
ABOUT_FINDINGS = {"bidi", "bidi_forbidden_char"}


def valid(row: Row) -> None:
    assert str(iri_canon.parse(row["input"])) == row["input"]
    assert oracle.is_uri_reference(row["input"]) is row["expected_valid"]
    assert iri_canon.canonicalize(row["input"]) == row["input"]


def parse(row: Row) -> None:
    iri = iri_canon.parse(row["input"])
    assert {name: getattr(iri, name) for name in row["components"]} == row["components"]


def remove_dot_segments(row: Row) -> None:
    # by way of a base that leaves the path as it is
    base = "x://h/" if row["input"].startswith("/") else "x:y"
    assert iri_canon.resolve(base, row["input"]) == base[:-1] + row["expected"]


def resolve(row: Row) -> None:
    assert iri_canon.resolve(row["base"], row["input"], **row.get("options", {})) == row["expected"]


def equivalence(row: Row) -> None:
    if row.get("options") == {"purpose": "retrieval"}:
        assert iri_canon.equivalent(row["input"], row["equivalent_to"], Rung.SYNTAX)
        assert iri_canon.canonicalize(row["input"]) != iri_canon.canonicalize(row["equivalent_to"])
    else:
        assert iri_canon.lowest_rung(row["input"], row["equivalent_to"]) is Rung[row["rung"].upper()]


def distinct(row: Row) -> None:
    rung = Rung[row["rung"].upper()]
    texts = row["input"], row["different_from"]
    if texts == (
        "http://example.com/#",
        "http://example.com/",
    ):  # as identifiers; one page to a crawler (6.1)
        assert len({iri_canon.canonicalize(text, rung) for text in texts}) == 2
    else:
        assert not iri_canon.equivalent(*texts, rung)


def normalize(row: Row) -> None:
    form = iri_canon.canonicalize(row["input"], Rung[row["rung"].upper()])
    if row.get("options") == {"form": "iri"}:
        assert iri_canon.to_iri(form) == row["expected"]
    elif row["rfc_form"] == "scheme":
        assert iri_canon.canonicalize(row["input"]) == row["expected"]
    else:
        assert form == row["expected"] == iri_canon.canonicalize(row["input"])


def redirect_equivalence(row: Row) -> None:
    observed = row["options"]["observed_redirect"]

    class Observed:
        def representative(self, key: str) -> str | None:
            return observed["to"] if key == observed["from"] else None

    texts = row["input"], row["equivalent_to"]
    assert iri_canon.Ladder(Rung.PROTOCOL, equivalences=Observed()).lowest_rung(*texts) is Rung.PROTOCOL
    assert iri_canon.lowest_rung(*texts) is None


def iri_to_uri(row: Row) -> None:
    toascii = row.get("options", {}).get("toascii_host", False)
    assert iri_canon.to_uri(row["input"], toascii=toascii) == row["expected"]


def uri_to_iri(row: Row) -> None:
    tounicode = row.get("options", {}).get("tounicode_host", False)
    assert iri_canon.to_iri(row["input"], tounicode=tounicode) == row["expected"]


def nfc_note(row: Row) -> None:
    assert iri_canon.to_uri(row["input"]) == oracle.to_uri(row["input"])
    assert not iri_canon.equivalent(row["input"], row["different_from"])
    assert not iri_canon.equivalent(row["expected"], row["different_from"])
    legacy = row["different_from"].encode("windows-1258")
    assert iri_canon.to_uri(legacy, encoding="windows-1258") == oracle.to_uri(row["expected"])


def is_nfc(row: Row) -> None:
    # whether NFC or not, text that is Unicode already is mapped as it is
    assert iri_canon.to_uri(row["input"]) == oracle.to_uri(row["input"])


def escape_resolution(row: Row) -> None:
    for carrier in CARRIERS[row["options"]["carrier"]]:
        assert iri_canon.prepare(row["input"], carrier) == row["expected"]  # type: ignore[arg-type]


def about_findings(row: Row) -> None:
    # no rung refuses or changes what the bidi rules are about
    text = row.get("logical_hebrew", row["input"])
    assert iri_canon.key(iri_canon.to_iri(iri_canon.key(text))) == iri_canon.key(text)
    if row["kind"] == "bidi_forbidden_char":
        assert iri_canon.to_iri(iri_canon.to_uri(text)) == iri_canon.to_uri(text)  # 3.2 step 4


CHECKS: dict[str, Callable[[Row], None]] = {
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
    **dict.fromkeys(ABOUT_FINDINGS, about_findings),
}


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_example(row: Row) -> None:
    CHECKS[row["kind"]](row)
