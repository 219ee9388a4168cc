"""What `display` shows can be seen, reads in one order wherever it stands, and is still the same IRI, for any text."""

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from unicodedata import category

import bidi as unicode_bidi
import pytest
from folders import ROOT
from hypothesis import assume, given
from hypothesis import strategies as st
from test_vectors import cases, from_json, load
from timing import is_linear, seconds

import iri_canon
from iri_canon import IriError, IriSyntaxError, display
from iri_canon.bidi import FORMATTING, LATER_FORMATTING, breaches, encode_breaching, numbers_beside_rtl
from iri_canon.display import terminal_line
from iri_canon.inappropriate import (
    MAPPED_TO_NOTHING,
    NON_ASCII_SPACE,
)
from iri_canon.unseen import BIDI_FORMATTING, INVISIBLE, LATER_BIDI_FORMATTING, SPACES

Case = dict[str, Any]
MARKS = {"embedding": ("\u202a", "\u202c"), "isolate": ("\u2066", "\u2069"), "none": ("", "")}
JOINERS = "\u200c\u200d"


def unmarked(shown: str) -> str:
    """What stands between the marks, if there are any."""
    return re.sub(r"\A[\u202a\u2066](.*)[\u202c\u2069]\Z", r"\1", shown, flags=re.DOTALL)


# ----------------------------------------------------------------------------------------------------- cases


@cases("bidi", "display")
def test_case(case: Case) -> None:
    assert display(from_json(case["json"]), marks="none") == case["shown"]


@cases("bidi", "display")
def test_the_twin_of_a_case_is_shown_as_it_is(case: Case) -> None:
    assert display(case["twin"], marks="none") == case.get("shown_twin", case["twin"])


def test_names_are_unique() -> None:
    for rows in load("bidi").values():
        assert len({row["name"] for row in rows}) == len(rows)


# ----------------------------------------------------------------------------------------------------- marks


@pytest.mark.parametrize("marks", MARKS)
def test_marks_stand_only_where_they_are_needed(marks: Any) -> None:
    before, after = MARKS[marks]
    latin, hebrew, reference = "http://example.org/é", "http://example.org/אב", "אב/גד"
    digits = "http://example.org/٣"
    assert display(latin, marks=marks) == latin
    for text in (hebrew, reference, digits):
        assert display(text, marks=marks) == f"{before}{text}{after}"
    for text in (latin, hebrew, digits, "http://h/", "a", "?אב", "אב?ג", "א/1", "/אב", "אב\u0301"):
        assert display(text, marks=marks, paragraph="rtl") == f"{before}{text}{after}"
    for text in (reference, "א", "", "א1,2ב/\u0665-:א", "א\u0301/ب"):
        assert display(text, marks=marks, paragraph="rtl", breaching="raw") == text


def test_unknown_options_are_refused_by_name() -> None:
    wrong: dict[str, Any]
    for wrong in ({"marks": "lre"}, {"paragraph": "left"}, {"breaching": "no"}):
        with pytest.raises(IriError, match="one of"):
            display("http://h/", **wrong)
    for encoding in ("no-such-charset", "hex", "rot13", "undefined", "\0", ""):
        with pytest.raises(IriError, match="encoding"):
            display("http://h/", encoding=encoding)
    with pytest.raises(TypeError):
        display(b"http://h/")  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------- charsets


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        (None, "http://é.example/é€א"),
        ("utf-8", "http://é.example/é€א"),
        ("latin-1", "http://é.example/é%E2%82%AC%D7%90"),
        ("ascii", "http://xn--9ca.example/%C3%A9%E2%82%AC%D7%90"),
        ("cp1252", "http://é.example/é€%D7%90"),
        ("iso8859-8", "http://xn--9ca.example/%C3%A9%E2%82%AC%D7%90"),
    ],
)
def test_what_a_charset_lacks_is_shown_as_triplets(encoding: str | None, shown: str) -> None:
    text = "http://é.example/é€א"
    assert display(text, encoding=encoding, breaching="raw", marks="embedding").strip("\u202a\u202c") == shown
    assert iri_canon.key(shown) == iri_canon.key(text)


def test_a_charset_without_the_marks_shows_rtl_text_only_to_those_who_set_the_order_themselves() -> None:
    text = "http://h/אב"
    assert display(text, encoding="iso8859-8") == "http://h/%D7%90%D7%91"
    assert display(text, encoding="iso8859-8", marks="none") == text
    assert display("http://h/", encoding="iso8859-8", paragraph="rtl") == "http://h/"
    assert display(text, encoding="utf-16") == f"\u202a{text}\u202c"


# ------------------------------------------------------------------------------------------------------ laws

# Letters of several scripts and directions, marks, joiners, digits, what is unseen or looks like a delimiter.
LETTERS = "aZ1-._~éאבا٣ㄱ字\u0915\u094d\u0301\u0323\u05b0😀⁄／%"
UNSEEN = "\u200b\u200c\u200d\u200e\u202e\u2066\xa0\u3000\ufe0f\xad\u034f\u0378\ufdd0\U000e0041\ufffd\u2800"
WORDS = st.text(st.sampled_from(LETTERS * 3 + UNSEEN), max_size=5)
SEGMENTS = st.one_of(WORDS, st.sampled_from(["%D7%90", "%41", "%", "א%20ב", "2015-אב", "می\u200cخواهم"]))
LABELS = st.one_of(
    WORDS, st.sampled_from(["example", "EXAMPLE", "xn--9ca", "é\u200b", "אב", "a1", "é。è", "☃"])
)
HOSTS = st.lists(LABELS, min_size=1, max_size=3).map(".".join)
SCHEMES = st.sampled_from(
    ["http://", "HTTPS://u:אב@", "file://", "x-unknown://", "mailto:", "urn:", "//", ""]
)
TAILS = st.lists(st.tuples(st.sampled_from("/?#&=;.:@"), SEGMENTS).map("".join), max_size=4).map("".join)
IRIS = st.tuples(SCHEMES, HOSTS, TAILS).map("".join)
TEXTS = st.one_of(
    IRIS,
    st.text(st.one_of(st.characters(), st.sampled_from("\t\n /:?#[]@%\x1b\udc80\ud800" + LETTERS + UNSEEN))),
)
OPTIONS = st.fixed_dictionaries(
    {
        "marks": st.sampled_from(list(MARKS)),
        "paragraph": st.sampled_from(["ltr", "rtl"]),
        "breaching": st.sampled_from(["encoded", "raw"]),
        "encoding": st.sampled_from([None, "ascii", "latin-1", "cp1255", "utf-8"]),
    }
)


MARK_WITHOUT_BASE = re.compile(
    "(?:\\A|[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]|%[0-9A-Fa-f]{2})[\u0301\u0323\u05b0\u094d]"
)


@given(TEXTS, OPTIONS)
def test_any_text_is_shown_and_all_that_is_shown_is_seen(text: str, options: dict[str, Any]) -> None:
    shown = display(text, **options)
    before, after = MARKS[options["marks"]]
    assert shown in (unmarked(shown), f"{before}{unmarked(shown)}{after}")
    assert not set(unmarked(shown)) & set(FORMATTING + LATER_FORMATTING)
    for character in unmarked(shown):
        assert category(character)[0] != "C" or character in JOINERS
        assert category(character)[0] != "Z"
    assert not MARK_WITHOUT_BASE.search(unmarked(shown))
    if options["encoding"]:
        shown.encode(options["encoding"])


@given(TEXTS, OPTIONS)
def test_showing_what_is_shown_changes_nothing(text: str, options: dict[str, Any]) -> None:
    shown = display(text, **options)
    assert display(unmarked(shown), **options) == shown


@given(IRIS, OPTIONS)
def test_no_resource_changes(text: str, options: dict[str, Any]) -> None:
    shown = unmarked(display(text, **options))
    try:
        scheme = iri_canon.parse(text).scheme
        expected = iri_canon.to_uri(text)
    except IriSyntaxError:
        assume(False)
    assert iri_canon.key(shown) == iri_canon.key(text)
    assert iri_canon.canonicalize(shown) == iri_canon.canonicalize(text)
    if scheme not in ("http", "HTTPS", "file"):  # no domain name, so no A-label
        assert iri_canon.to_uri(shown) == expected


@given(TEXTS, OPTIONS)
def test_no_text_that_parses_becomes_another(text: str, options: dict[str, Any]) -> None:
    try:
        iri_canon.canonicalize(text)
    except IriSyntaxError:
        assume(False)
    assert iri_canon.key(unmarked(display(text, **options))) == iri_canon.key(text)


@pytest.mark.parametrize("text", [" http://h/a\nb\t\x00", "\x1bhttp://h/ab\r\n", "http://h/ab"])
def test_what_is_no_part_of_an_iri_is_not_shown(text: str) -> None:
    assert display(text) == "http://h/ab"


def test_the_joiner_before_a_virama_is_shown() -> None:
    text = "http://h/\u09b0\u200d\u09cd\u09af\u09be\u09ac"
    assert display(text) == text
    assert display("http://h/1\u200d\u09cdx") == "http://h/1%E2%80%8D%E0%A7%8Dx"


@given(IRIS)
def test_what_goes_against_4_2_is_not_shown(text: str) -> None:
    try:
        value = iri_canon.parse(unmarked(display(text)))
    except IriSyntaxError:
        assume(False)
    assert not breaches(value)


@given(
    IRIS.map("http://h/".__add__),
    st.sampled_from(["embedding", "isolate"]),
    st.sampled_from([("ltr", "L"), ("rtl", "R")]),
    st.sampled_from([("", ""), ("see ", " there"), ("אב ", " גד"), ("אב", "גד"), ("1 ", " 2"), ("ا ", " 2")]),
)
def test_the_order_is_the_same_wherever_it_stands(
    text: str, marks: Any, paragraph: tuple[Any, str], surroundings: tuple[str, str]
) -> None:
    before, after = surroundings
    shown = display(text, marks=marks, paragraph=paragraph[0])
    assert seen(f"\u202a{unmarked(shown)}\u202c", "L") in seen(f"{before}{shown}{after}", paragraph[1])


def seen(text: str, base: str) -> str:
    return re.sub("[\u202a\u202c\u2066\u2069]", "", str(unicode_bidi.get_display(text, base_dir=base)))


def test_what_to_iri_keeps_encoded_since_it_is_unseen_is_not_shown_either() -> None:
    sets = (BIDI_FORMATTING, LATER_BIDI_FORMATTING, NON_ASCII_SPACE, MAPPED_TO_NOTHING, SPACES, INVISIBLE)
    unseen = re.compile(f"[{''.join(sets)}]")
    shown = {
        character
        for character in map(chr, range(0x80, 0x20000))
        if unseen.match(character) and display(f"http://h/a{character}") == f"http://h/a{character}"
    }
    assert shown == {"\u1806"}  # a hyphen that RFC 3454 takes for a soft one, but which is seen


# -------------------------------------------------------------------------------------------------- terminal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://h/é אב: reason", "http://h/é אב: reason"),
        ("a\x1b[31m\x07\x9b\x7f", r"a\x1b[31m\x07\x9b\x7f"),
        ("a\tb\r\nc\u2028\u0085", r"a\tb\r\nc\u2028\x85"),
        ("\u202e\u2066\u200b\u061c\ufeff", r"\u202e\u2066\u200b\u061c\ufeff"),
        ("\udc9b\ud800\ue000\U000e0041", r"\x9b\ud800\ue000\U000e0041"),
        ("", ""),
    ],
)
def test_a_terminal_line(text: str, shown: str) -> None:
    assert terminal_line(text) == shown


@given(TEXTS)
def test_a_terminal_gets_nothing_that_it_obeys(text: str) -> None:
    line = terminal_line(text)
    assert all(character == " " or category(character)[0] not in "CZ" for character in line)
    assert terminal_line(line) == line
    line.encode()


# ------------------------------------------------------------------------------------------------------ cost

UNITS = {
    "rtl": "א",
    "rtl-segments": "א/",
    "breaching-segments": "א1/",
    "labels": "א.",
    "digits-between": "א/1/",
    "marks": "\u0301",
    "marks-on-bases": "e\u0301",
    "joiners": "\u200c",
    "joiners-and-marks": "ب\u0651\u200c",
    "virama-and-joiner": "\u0915\u094d\u200d",
    "unseen": "\u200b",
    "unseen-between": "é\u200b",
    "lone-surrogates": "\udc80",
    "spaces": " ",
    "names-and-values": "א=1&",
    "triplets": "%D7",
    "ascii": "a",
}
SIZE, MUCH = 2_500, 200_000
PLACES = ["{}", "http://{}/", "http://h/{}?{}"]
CALLS: dict[str, Callable[[str], object]] = {
    "display": display,
    "rtl-and-ascii": lambda text: display(text, paragraph="rtl", encoding="ascii"),
    "breaches": lambda text: breaches(iri_canon.parse(text)),
    "numbers": lambda text: numbers_beside_rtl(iri_canon.parse(text)),
    "encode": lambda text: encode_breaching(iri_canon.parse(text)),
    "terminal-line": terminal_line,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("unit", UNITS)
def test_time_is_linear(name: str, unit: str) -> None:
    for place in PLACES:
        small, large = (
            place.format(*2 * [UNITS[unit] * (size // len(UNITS[unit]))]) for size in (SIZE, 4 * SIZE)
        )
        assert is_linear(CALLS[name], small, large), place


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("unit", UNITS)
def test_much_takes_seconds(name: str, unit: str) -> None:
    for place in PLACES:
        text = place.format(*2 * [UNITS[unit] * (MUCH // len(UNITS[unit]))])
        assert seconds(CALLS[name], text) < 6


def test_the_tables_of_unicode_are_not_read_before_they_are_needed() -> None:
    script = (
        "import re, sys; compiled = []; old = re.compile; "
        "re.compile = lambda p, *a: (compiled.append(p), old(p, *a))[1]; import iri_canon; "
        "print(any('\\ufe0f' in p for p in compiled if isinstance(p, str)), len(iri_canon.display('http://h/')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "9"]
