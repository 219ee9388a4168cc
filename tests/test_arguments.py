"""A wrong type is a `TypeError` that says what is wanted; a twin of the right type raises none."""

from collections.abc import Callable
from typing import Any

import pytest

import iri_canon
from iri_canon import IriError, Ladder, Rung, bidi

NO_TEXT = {"bytes": b"/a", "None": None, "int": 1, "bytearray": bytearray(b"/a"), "list": ["/a"]}
# What takes text alone, by its name.
TEXT_ALONE: dict[str, Callable[[Any], object]] = {
    "display": iri_canon.display,
    "find_iris": iri_canon.find_iris,
    "is_valid": iri_canon.is_valid,
    "lint": iri_canon.lint,
    "parse": iri_canon.parse,
    "parse-strictly": lambda text: iri_canon.parse(text, strict=True),
    "prepare": lambda text: iri_canon.prepare(text, "html"),
    "resolve-base": lambda text: iri_canon.resolve(text, "a"),
    "resolve-reference": lambda text: iri_canon.resolve("http://h/", text),
    "to_document": lambda text: iri_canon.to_document(text, "utf-8", "html"),
    "to_iri": iri_canon.to_iri,
    "transcribe": iri_canon.transcribe,
}
# What takes octets as well.
TEXT_OR_OCTETS: dict[str, Callable[[Any], object]] = {
    "canonicalize": iri_canon.canonicalize,
    "equivalent": lambda text: iri_canon.equivalent("/a", text),
    "explain": iri_canon.explain,
    "key": iri_canon.key,
    "key-simple": lambda text: iri_canon.key(text, Rung.SIMPLE),
    "ladder": lambda text: Ladder().key(text),
    "lowest_rung": lambda text: iri_canon.lowest_rung(text, "/a"),
    "to_uri": iri_canon.to_uri,
}
RUNGS: dict[str, Callable[[Any], object]] = {
    "canonicalize": lambda rung: iri_canon.canonicalize("http://h", rung),
    "equivalent": lambda rung: iri_canon.equivalent("http://h", "/a", rung),
    "key": lambda rung: iri_canon.key("http://h", rung),
    "key-of-octets": lambda rung: iri_canon.key(b"http://h", rung),
    "ladder": Ladder,
}
# A call with a wrong argument, what is told, and the call with a right one.
OTHERS: dict[str, tuple[Callable[[], object], str, Callable[[], object]]] = {
    "production": (
        lambda: iri_canon.is_valid("a", None),  # type: ignore[arg-type]
        "a production is str, not NoneType",
        lambda: iri_canon.is_valid("a", "IRI"),
    ),
    "breaches": (
        lambda: bidi.breaches("/a"),  # type: ignore[arg-type]
        "what `parse` gives is an IRI, not '/a'",
        lambda: bidi.breaches(iri_canon.parse("/a")),
    ),
    "components": (
        lambda: list(bidi.components("/a")),  # type: ignore[arg-type]
        "what `parse` gives is an IRI, not '/a'",
        lambda: list(bidi.components(iri_canon.parse("/a"))),
    ),
    "numbers": (
        lambda: bidi.numbers_beside_rtl("/a"),  # type: ignore[arg-type]
        "what `parse` gives is an IRI, not '/a'",
        lambda: bidi.numbers_beside_rtl(iri_canon.parse("/a")),
    ),
    "encode_breaching": (
        lambda: bidi.encode_breaching("/a"),  # type: ignore[arg-type]
        "what `parse` gives is an IRI, not '/a'",
        lambda: bidi.encode_breaching(iri_canon.parse("/a")),
    ),
    "encoding": (
        lambda: iri_canon.canonicalize(b"/a", encoding=None),  # type: ignore[arg-type]
        "an encoding is str, not NoneType",
        lambda: iri_canon.canonicalize(b"/a", encoding="latin-1"),
    ),
    "document-encoding": (
        lambda: iri_canon.to_document("/a", None, "html"),  # type: ignore[arg-type]
        "an encoding is str, not NoneType",
        lambda: iri_canon.to_document("/a", "latin-1", "html"),
    ),
    "display-encoding": (
        lambda: iri_canon.display("/a", encoding=8),  # type: ignore[arg-type]
        "an encoding is str, not int",
        lambda: iri_canon.display("/a", encoding="latin-1"),
    ),
    "schemes": (
        lambda: iri_canon.find_iris("/a", schemes=[b"http"]),  # type: ignore[list-item]
        "a scheme is str, not bytes",
        lambda: iri_canon.find_iris("/a", schemes=["http"]),
    ),
    "scheme": (
        lambda: iri_canon.register_scheme(b"x-argument"),  # type: ignore[arg-type]
        "a scheme is str, not bytes",
        lambda: iri_canon.register_scheme("x-argument"),
    ),
    "port-of-text": (
        lambda: iri_canon.register_scheme("x-argument-port", default_port="80"),  # type: ignore[arg-type]
        "the default port of 'x-argument-port' is an int, not '80'",
        lambda: iri_canon.register_scheme("x-argument-port", default_port=80),
    ),
}


@pytest.mark.parametrize("value", NO_TEXT.values(), ids=NO_TEXT)
@pytest.mark.parametrize("name", TEXT_ALONE)
def test_text_alone(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=rf"(is|takes) str, not {type(value).__name__}$"):
        TEXT_ALONE[name](value)
    TEXT_ALONE[name]("/a")


@pytest.mark.parametrize("value", [value for value in NO_TEXT.values() if value != b"/a"], ids=repr)
@pytest.mark.parametrize("name", TEXT_OR_OCTETS)
def test_text_or_octets(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=rf"^an IRI is str or bytes, not {type(value).__name__}$"):
        TEXT_OR_OCTETS[name](value)
    assert TEXT_OR_OCTETS[name](b"/a") == TEXT_OR_OCTETS[name]("/a")


@pytest.mark.parametrize("value", ["syntax", "SCHEME", 2, 7, None, True])
@pytest.mark.parametrize("name", RUNGS)
def test_a_rung_is_a_rung(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=rf"^rung is a Rung, not {value!r}$"):
        RUNGS[name](value)
    for rung in Rung:
        RUNGS[name](rung)


@pytest.mark.parametrize("name", OTHERS)
def test_other_arguments(name: str) -> None:
    wrong, told, right = OTHERS[name]
    with pytest.raises(TypeError) as caught:
        wrong()
    assert str(caught.value) == told
    right()


def test_a_scheme_with_other_rules_is_told_with_those_that_are_there() -> None:
    with pytest.raises(IriError, match="default_port=80, host='web', needs_host=True"):
        iri_canon.register_scheme("http", default_port=81)
