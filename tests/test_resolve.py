"""RFC 3986 5.2 to 5.4, for IRIs as for URIs (RFC 3987 6.5), and what only browsers do, which is `prepare`'s."""

import oracle
import pytest
from test_vectors import Case, load

import iri_canon
from iri_canon import IriSyntaxError

TABLES = [row for row in load("resolve")["case"] if row["name"].startswith("rfc3986-5.4.")]
BASE = "http://a/b/c/d;p?q"
# Each letter of the tables' names as a character of another script; "http" and the scheme "g" of "g:h" aside.
OTHER_LETTERS = str.maketrans(
    {
        "a": "ä",
        "b": "б",
        "c": "ג",
        "d": "د",
        "g": "納",
        "h": "ह",
        "p": "π",
        "q": "\U00010300",
        "s": "ß",
        "x": "e\u0301",
        "y": "\u00a0",
    }
)


def with_other_letters(text: str) -> str:
    scheme = next((name for name in ("http:", "g:") if text.startswith(name)), "")
    return scheme + text[len(scheme) :].translate(OTHER_LETTERS)


def test_both_tables_of_5_4_are_there() -> None:
    normal = [row for row in TABLES if row["name"].startswith("rfc3986-5.4.1-")]
    abnormal = [row for row in TABLES if row["name"].startswith("rfc3986-5.4.2-")]
    assert (len(normal), len(abnormal)) == (23, 20)  # "http:g" twice: 5.4.2 has two answers
    assert {row["base"] for row in TABLES} == {BASE}


@pytest.mark.parametrize("case", TABLES, ids=lambda case: str(case["name"]))
def test_the_tables_of_5_4_with_characters_of_iris(case: Case) -> None:
    base, reference, target = map(with_other_letters, (BASE, case["reference"], case["target"]))
    assert not base.isascii()
    assert oracle.is_iri_reference(base)
    assert oracle.is_iri_reference(reference)
    assert iri_canon.resolve(base, reference, strict=case.get("strict", True)) == target
    # 3.1: it does not matter whether a reference is resolved before the mapping or after it.
    uris = map(iri_canon.to_uri, (base, reference))
    assert iri_canon.resolve(*uris, strict=case.get("strict", True)) == iri_canon.to_uri(target)


@pytest.mark.parametrize(
    "case", [row for row in TABLES if row["reference"] != "http:g"], ids=lambda case: str(case["name"])
)
def test_the_legacy_form_changes_nothing_else(case: Case) -> None:
    assert iri_canon.resolve(BASE, case["reference"], strict=False) == case["target"]


@pytest.mark.parametrize("case", load("resolve")["case"], ids=lambda case: str(case["name"]))
def test_the_oracle_agrees(case: Case) -> None:
    if oracle.parse(case["base"]).scheme is None:
        return  # 5.2.1: a base has a scheme, and the RFC says nothing of others
    strict = case.get("strict", True)
    assert oracle.resolve(case["base"], case["reference"], strict=strict) == case["target"]


@pytest.mark.parametrize(
    ("reference", "target", "browsers"),
    [
        ("\\g", "http://a/b/c/\\g", "http://a/g"),
        ("..\\g", "http://a/b/c/..\\g", "http://a/b/g"),
        ("\\\\g\\h", "http://a/b/c/\\\\g\\h", "http://g/h"),
        ("/\\g", "http://a/\\g", "http://g"),
        ("http:\\\\g\\h", "http:\\\\g\\h", "http://g/h"),
        ("///g", "http:///g", "http://g"),
        ("////g/h", "http:////g/h", "http://g/h"),
        ("http:////g", "http:////g", "http://g"),
        (" g ", "http://a/b/c/ g ", "http://a/b/c/g"),
        ("g\th", "http://a/b/c/g\th", "http://a/b/c/gh"),
    ],
)
def test_what_browsers_do_is_prepared_not_resolved(reference: str, target: str, browsers: str) -> None:
    assert iri_canon.resolve(BASE, reference) == target
    assert iri_canon.resolve(BASE, iri_canon.prepare(reference, "html")) == browsers


def test_browsers_read_a_missing_slash_as_the_legacy_form() -> None:
    assert iri_canon.resolve(BASE, iri_canon.prepare("http:g", "html")) == "http:g"
    assert iri_canon.resolve(BASE, iri_canon.prepare("http:g", "html"), strict=False) == "http://a/b/c/g"


@pytest.mark.parametrize("side", ["base", "reference"])
def test_what_does_not_parse_is_refused(side: str) -> None:
    texts = {"base": BASE, "reference": "g", side: "//h:x/"}
    with pytest.raises(IriSyntaxError, match="port at offset 4"):
        iri_canon.resolve(**texts)
