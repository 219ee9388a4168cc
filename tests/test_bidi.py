"""RFC 3987 section 4: the components, what goes against 4.2, and the order in which UAX #9 shows them."""

import json
from collections import defaultdict
from collections.abc import Callable
from itertools import product
from typing import Any

import bidi as unicode_bidi
import pytest
from bidi.algorithm import get_display as get_display_in_python
from folders import NO_SHARED_FOLDER, shared_folder
from hypothesis import given
from hypothesis import strategies as st
from test_vectors import load

import iri_canon
from iri_canon import IRI, display, parse
from iri_canon.bidi import (
    FORMATTING,
    LATER_FORMATTING,
    breaches,
    components,
    encode_breaching,
    is_bidirectional,
    numbers_beside_rtl,
)

Case = dict[str, Any]
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUV"
SCRIPTS = {
    "hebrew": str.maketrans(CAPITALS, "אבגדהוזחטיךכלםמןנסעףפץ"),
    "arabic": str.maketrans(CAPITALS, "ابتثجحخدذرزسشصضطظعغفقك"),
}
EXAMPLES: list[Case] = load("bidi")["example"]
OF_THE_RFC = EXAMPLES[:10]
BASES = {"ltr": "L", "rtl": "R"}
#: A paragraph, and what stands before and after an IRI in it (in Bidi Notation).
PLACES = [
    (paragraph, before, after)
    for paragraph in BASES
    for before, after in [
        ("", ""),
        ("see ", " there"),
        ("AB ", " CD"),
        ("1 ", " 2"),
        ("AB ", " there"),
        ("AB", "CD"),
    ]
]

Implementation = Callable[[str, str], str]
# Two of one package: the crate `unicode-bidi`, and its older one in Python, which knows no isolates.
IMPLEMENTATIONS: dict[str, Implementation] = {
    "unicode-bidi": lambda text, base: str(unicode_bidi.get_display(text, base_dir=base)),
    "python-bidi": lambda text, base: str(get_display_in_python(text, base_dir=base)),
}
WITHOUT_FORMATTING = {ord(character): None for character in FORMATTING + LATER_FORMATTING}
each_example = pytest.mark.parametrize("case", EXAMPLES, ids=[case["name"] for case in EXAMPLES])
each_script = pytest.mark.parametrize("script", SCRIPTS)
each_implementation = pytest.mark.parametrize("implementation", IMPLEMENTATIONS)


def written(notation: str, script: str) -> str:
    return notation.translate(SCRIPTS[script])


def visual(case: Case, script: str, implementation: str = "unicode-bidi") -> str:
    forms = case["visual"]
    if implementation == "unicode-bidi":  # which leaves the mirrored glyphs to the font
        forms = case.get("unmirrored", forms)
    return written(forms if isinstance(forms, str) else forms[script], script)


def seen(text: str, base: str, implementation: str = "unicode-bidi") -> str:
    """What is seen from left to right in a paragraph of that base direction, "L" or "R"."""
    return IMPLEMENTATIONS[implementation](text, base).translate(WITHOUT_FORMATTING)


# ------------------------------------------------------------------------------------------ logical to visual


@each_implementation
@each_script
@each_example
def test_an_embedding_is_seen_as_the_example_says(case: Case, script: str, implementation: str) -> None:
    expected = visual(case, script, implementation)
    for paragraph, before, after in PLACES:
        shown = _raw(written(case["logical"], script), paragraph=paragraph)
        text = f"{written(before, script)}{shown}{written(after, script)}"
        assert expected in seen(text, BASES[paragraph], implementation)


@each_script
@each_example
def test_an_isolate_is_seen_as_the_example_says(case: Case, script: str) -> None:
    for paragraph, before, after in PLACES:
        shown = _raw(written(case["logical"], script), marks="isolate", paragraph=paragraph)
        text = f"{written(before, script)}{shown}{written(after, script)}"
        assert visual(case, script) in seen(text, BASES[paragraph])


@each_implementation
@each_script
@each_example
def test_without_marks_an_rtl_paragraph_shows_another_order(
    case: Case, script: str, implementation: str
) -> None:
    text = written(case["logical"], script)
    expected = visual(case, script, implementation)
    assert expected not in seen(text, "R", implementation)
    assert expected == seen(text, "L", implementation)  # 4.1: it needs none on a line of its own


@each_script
def test_rtl_text_before_a_reference_disturbs_it_in_an_ltr_paragraph_too(script: str) -> None:
    reference = written("AB/cd", script)
    before = written("EF ", script)
    assert seen(reference, "L") not in seen(before + reference, "L")
    assert seen(reference, "L") in seen(before + display(reference), "L")


def test_triplets_of_digits_look_otherwise_behind_hebrew_than_behind_arabic() -> None:
    ninth = OF_THE_RFC[8]
    assert ninth["visual"]["hebrew"] != ninth["visual"]["arabic"]


@given(st.lists(st.sampled_from([*"אבا12+-#$%,.:/٣", "ב\u0301"])), st.sampled_from("אבا"))
def test_the_one_reference_without_marks_in_an_rtl_paragraph_does_not_need_them(
    inner: list[str], end: str
) -> None:
    text = f"א{''.join(inner)}{end}"
    assert _raw(text, paragraph="rtl") == text
    for before, after in (("", ""), ("אב ", " גד"), ("see ", " there")):
        assert seen(f"\u202a{text}\u202c", "R") in seen(f"{before}{text}{after}", "R")


def _raw(text: str, **options: Any) -> str:
    return display(text, breaching="raw", **options)


# ------------------------------------------------------------------------------------------------------ 4.2


@each_script
@each_example
def test_what_goes_against_4_2(case: Case, script: str) -> None:
    found = breaches(parse(written(case["logical"], script)))
    expected = [(written(text, script), f"RFC 3987 4.2 ({rule})") for text, rule in case.get("against", ())]
    assert [(breach.text, breach.clause) for breach in found] == expected
    assert all(breach.reason for breach in found)


@each_script
@each_example
def test_which_numbers_are_not_recommended(case: Case, script: str) -> None:
    iri = parse(written(case["logical"], script))
    found = numbers_beside_rtl(iri)
    assert [number.text for number in found] == [written(text, script) for text in case.get("beside", ())]
    assert all(
        str(iri)[number.offset :].startswith(number.text) and number.clause == "RFC 3987 4.4"
        for number in found
    )


@each_script
@each_example
def test_a_component_is_mapped_as_a_whole_or_not_at_all(case: Case, script: str) -> None:
    iri = parse(written(case["logical"], script))
    encoded = encode_breaching(iri)
    assert not breaches(encoded)
    against = {written(text, script) for text, _ in case.get("against", ())}
    for before, after in zip(components(iri), components(encoded), strict=True):
        assert after.text == (iri_canon.to_uri(before.text) if before.text in against else before.text)
    assert iri_canon.key(str(encoded)) == iri_canon.key(str(iri))


def test_components_and_their_offsets() -> None:
    iri = parse("http://u:p@a.b。c:80/d/e.f;g//h:i?j=k&l;=m=n#o/p?q")
    parts = [(part.component, part.text) for part in components(iri)]
    assert parts == [
        ("userinfo", "u:p"),
        *(("host", text) for text in "abc"),
        *(("path", text) for text in ("d", "e", "f;g", "h", "i")),
        *(("query", text) for text in "jklmn"),
        ("fragment", "o/p?q"),
    ]
    assert all(str(iri)[part.offset :].startswith(part.text) for part in components(iri))


@pytest.mark.parametrize("text", ["", "http://[::1]/", "//", "?", "#", "http://h", "a:80", "//@:/?#"])
def test_there_may_be_no_components_to_judge(text: str) -> None:
    iri = parse(text)
    assert all(str(iri)[part.offset :].startswith(part.text) for part in components(iri))
    assert breaches(iri) == numbers_beside_rtl(iri) == []
    assert encode_breaching(iri) is iri


PARTS = st.one_of(st.none(), st.text("אا1a-.:/@?#&;=\u0301\u200d\u200f%", max_size=8))


@given(PARTS, PARTS, PARTS, PARTS, PARTS)
def test_laws_of_components(
    userinfo: str | None, host: str | None, path: str | None, query: str | None, fragment: str | None
) -> None:
    iri = IRI("x", userinfo if host is not None else None, host, None, path or "", query, fragment)
    found = list(components(iri))
    assert all(str(iri)[part.offset : part.offset + len(part.text)] == part.text for part in found)
    assert [part.offset for part in found] == sorted(part.offset for part in found)
    against = {breach.offset for breach in breaches(iri)}
    assert against <= {part.offset for part in found if is_bidirectional(part.text)}
    encoded = encode_breaching(iri)
    assert not breaches(encoded)
    assert encode_breaching(encoded) is encoded
    assert (encoded is iri) is (not against)


# Every IRI of three components from these, which has one look of its own: raw it has not.
WORDS = ["א", "אא", "א1", "1א", "א1א", "אa", "aא", "אaא", "א-", "-א", "1", "a", "a1", "1a", "-1", "-"]


@pytest.mark.parametrize("delimiters", ["///", "/.?", "/?#", "?=&"])
@pytest.mark.parametrize("letter", "אا")
def test_one_look_is_one_iri_unless_numbers_stand_beside_rtl(delimiters: str, letter: str) -> None:
    looks, raw_looks = defaultdict(list), defaultdict(list)
    for words in product([word.replace("א", letter) for word in WORDS], repeat=3):
        text = "http://h" + "".join(map("".join, zip(delimiters, words, strict=True)))
        looks[seen(display(text), "L")].append(text)
        raw_looks[seen(_raw(text), "L")].append(text)
    alike = [text for texts in looks.values() if len(texts) > 1 for text in texts]
    assert all(numbers_beside_rtl(parse(text)) for text in alike)
    assert len(raw_looks) < len(looks)
    assert alike or "#" in delimiters  # "#" goes along with a number (UAX #9 W5), so that tells them apart


def test_the_look_of_a_component_that_goes_against_4_2_is_that_of_another() -> None:
    first, second = "http://h/2015-אב/", "http://h/אב-2015/"
    assert seen(_raw(first), "L") == seen(_raw(second), "L")
    assert seen(display(first), "L") != seen(display(second), "L")


# ------------------------------------------------------------------------------------------------------ 4.1


def test_formatting_characters_by_their_names() -> None:
    from unicodedata import bidirectional

    assert [bidirectional(character) for character in FORMATTING] == [
        "L",
        "R",
        "LRE",
        "RLE",
        "PDF",
        "LRO",
        "RLO",
    ]
    assert [bidirectional(character) for character in LATER_FORMATTING] == ["AL", "LRI", "RLI", "FSI", "PDI"]


@pytest.mark.parametrize("formatting", list(FORMATTING + LATER_FORMATTING), ids=ascii)
def test_formatting_characters_are_for_4_1_alone_to_judge(formatting: str) -> None:
    # with RLM at its end a component would start and end with right-to-left characters
    assert [breach.clause for breach in breaches(parse(f"/אב1{formatting}"))] == ["RFC 3987 4.2 (2)"]
    assert breaches(parse(f"/{formatting}אב{formatting}/a{formatting}")) == []


def test_a_mark_at_the_start_has_the_class_of_the_delimiter() -> None:
    assert [breach.clause for breach in breaches(parse("/\u0301א"))] == ["RFC 3987 4.2 (2)"]
    assert breaches(parse("/א\u0301")) == []


# --------------------------------------------------------------------------------------- the public examples

FOLDER = shared_folder()
ROWS: list[Case] = (
    [
        row
        for row in map(json.loads, (FOLDER / "vectors/rfc_examples.jsonl").open(encoding="utf-8"))
        if row["kind"].startswith("bidi")
    ]
    if FOLDER
    else []
)


@pytest.mark.skipif(not ROWS, reason=NO_SHARED_FOLDER)
def test_the_public_examples_are_these() -> None:
    rows = [row for row in ROWS if row["kind"] == "bidi"]
    assert [row["input"] for row in rows] == [case["logical"] for case in OF_THE_RFC]
    differing = [
        row["id"] for row, case in zip(rows, OF_THE_RFC, strict=True) if row["visual"] != case["visual"]
    ]
    assert differing == ["rfc-0115"]  # example 9, as printed
    for row in rows:
        iri = parse(row["logical_hebrew"])
        status = (
            "not allowed"
            if breaches(iri)
            else "allowed but not recommended"
            if numbers_beside_rtl(iri)
            else "allowed"
        )
        assert status == row["bidi_status"]


@pytest.mark.skipif(not ROWS, reason=NO_SHARED_FOLDER)
def test_the_public_forbidden_characters_are_these() -> None:
    texts = [row["input"] for row in ROWS if row["kind"] == "bidi_forbidden_char"]
    assert {character for text in texts for character in text if not character.isascii()} == set(FORMATTING)
    assert all(display(text).isascii() for text in texts)
