"""Hostile text: nothing raises but `IriError`, nothing takes more than linear time."""

import tracemalloc
from collections.abc import Callable, Iterable
from typing import get_args
from unicodedata import is_normalized, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import is_linear

import iri_canon
from benchmarks import hostile
from iri_canon import Rung
from iri_canon.document import DocumentCarrier
from iri_canon.prepare import Carrier

SIZE, MUCH, MEGABYTE = 10_000, 200_000, 1_000_000

UNITS = {
    "percent": "%",
    "double-percent-digits": "%%30",
    "triplets": "%C3%A9",
    "triplets-not-utf-8": "%E9",
    "unreserved-triplets": "%7e",
    "up": "/..",
    "here": "/.",
    "down-and-up": "/a/..",
    "encoded-up": "/%2e%2E",
    "relative-up": "../",
    "slash": "/",
    "bracket": "[",
    "closing-bracket": "]",
    "at": "@",
    "colon": ":",
    "digits-and-colons": "1:",
    "ampersand": "&",
    "entity": "&amp;",
    "entity-without-semicolon": "&amp",
    "numeric-reference": "&#1",
    "digits": "9",
    "zeros": "0",
    "dot": ".",
    "numbers-and-dots": "1.",
    "a-label": "xn--",
    "a-label-and-dot": "xn--a.",
    "punycode": "xn--zzzzzzzz9999",
    "non-ascii": "é",
    "non-ascii-label": "é.",
    "combining": "a\u0301\u0323",
    "marks-made-of-marks": "\u0f73",
    "joiner": "a\u200d",
    "expands": "ﷺ",
    "bidi": "א1",
    "soft-hyphen": "\u00ad",
    "space": " ",
    "tab": "\t",
    "nul": "\x00",
    "lone-surrogate": "\ud800",
    "escaped-octet": "\udce9",
    "question": "?",
    "hash": "#",
    "backslash": "\\",
    "json-escape": "\\u00e9",
    "json-surrogates": "\\ud83d",
    "apache-escape": "\\xe9",
    "capital": "A",
    "comma-at": ",@B",
}
PLACES = {
    "alone": "{}",
    "host": "http://{}/",
    "userinfo": "http://{}@h/",
    "port": "http://h:{}",
    "ip-literal": "http://[{}]/",
    "zone": "http://[fe80::1%25{}]/",
    "path": "http://h/{}",
    "query": "http://h/?{}",
    "fragment": "http://h/#{}",
    "mailto": "mailto:{}",
    "urn": "urn:{}",
    "scheme": "{}:",
}
CALLS = hostile.calls()


def fill(place: str, unit: str, size: int) -> str:
    return PLACES[place].replace("{}", unit * (size // len(unit)))


def slower_than_linear(
    call: Callable[[str], object], place: str, units: Iterable[str], size: int
) -> list[str]:
    return [
        unit
        for unit in units
        if not is_linear(call, fill(place, UNITS[unit], size // 4), fill(place, UNITS[unit], size))
    ]


@pytest.mark.parametrize(
    ("place", "unit"),
    [("alone", "percent"), ("path", "up"), ("host", "bracket"), ("path", "nul"), ("path", "lone-surrogate")],
)
def test_a_megabyte_neither_raises_nor_takes_more_than_linear_time(place: str, unit: str) -> None:
    assert slower_than_linear(iri_canon.key, place, [unit], MEGABYTE) == []


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_much_of_everything(place: str) -> None:
    assert slower_than_linear(iri_canon.key, place, UNITS, MUCH) == []


@pytest.mark.parametrize("place", PLACES)
def test_key_is_linear(place: str) -> None:
    assert slower_than_linear(iri_canon.key, place, UNITS, SIZE) == []


@pytest.mark.parametrize("label", CALLS)
def test_every_function_is_linear(label: str) -> None:
    call = CALLS[label]
    slow = [
        name
        for name, kind in hostile.KINDS.items()
        if not is_linear(call, kind.text(SIZE // 4), kind.text(SIZE))
    ]
    assert slow == []


@pytest.mark.slow
@pytest.mark.parametrize("label", CALLS)
def test_much_of_the_worst_takes_every_function_linear_time(label: str) -> None:
    # linear is 1, quadratic 10: wide enough for a machine that has other things to do
    call = CALLS[label]
    tried = {name: hostile.growth(call, kind, 500, 5_000) for name, kind in hostile.KINDS.items()}
    slowest = max(tried, key=lambda name: tried[name][0])
    steepest = max(tried, key=lambda name: tried[name][1])
    for name in {slowest, steepest}:
        nanoseconds, factor = hostile.growth(call, hostile.KINDS[name], MUCH // 10, MUCH)
        assert factor < 4 or nanoseconds < hostile.NOTABLE * MUCH, (name, nanoseconds, factor)


def test_every_public_name_is_measured_or_reads_no_text_of_a_stranger() -> None:
    measured = {hostile.public_name(label) for label in CALLS}
    assert measured.isdisjoint(hostile.NOT_MEASURED)
    assert set(iri_canon.__all__) - measured - set(hostile.NOT_MEASURED) == set()


def test_every_way_of_every_function_is_measured() -> None:
    labels = set(CALLS)
    assert {f"prepare {carrier}" for carrier in get_args(Carrier)} <= labels
    assert {f"to_document {carrier}" for carrier in get_args(DocumentCarrier)} <= labels
    assert {f"key {rung.name}" for rung in Rung} <= labels


def test_the_worst_of_a_quadratic_function_is_found() -> None:
    def quadratic(text: str) -> None:
        for start in range(0, text.count("\x00"), 20):
            text.count("ab", start)

    worst = hostile.worst_of(quadratic, 1_000, 50_000)
    assert worst.kind == worst.steepest_kind == "NULs"
    assert worst.steepest > hostile.SUSPICIOUS
    assert hostile.worst_of(lambda text: text.replace("a", "bb"), 1_000, 50_000).steepest < hostile.SUSPICIOUS


def test_a_quadratic_function_is_seen() -> None:
    def quadratic(text: str) -> None:
        for start in range(0, len(text), 20):
            text.count("ab", start)

    assert not is_linear(quadratic, "a" * 10_000, "a" * 40_000)
    assert is_linear(lambda text: text.replace("a", "bb"), "a" * 10_000, "a" * 40_000)


# Marks of class 0 that are made of marks, marks made of two, jamo and syllables, what composes and has class 0, what is
# excluded from composition.
COMPOSING = (
    "ae\u0301\u0323\u0300\u05b0\u3099か😀\ud800é\u0f71\u0f72\u0f74\u0f73\u0f75\u0f81\u0344\u0308"
    "\u1100\u1161\u11a8\u11a7가각\u09c7\u09be\u09d7\u0b47\u0b3e\u0bc6\u0bbe\u0cc6\u0cc2\u0d46\u0d3e"
    "\u0dd9\u0dcf\u0dca\u1025\u102e\U00011347\U0001133e\u0958\u0915\u093c\u0f43\ufb1f\u2adc\U0001d15e\u212b"
)
COMPOSED = st.text(st.sampled_from(COMPOSING) | st.characters())


@given(COMPOSED)
def test_marks_in_order_make_the_same_nfc(text: str) -> None:
    assert iri_canon.transcribe(text) == normalize("NFC", text)


@given(COMPOSED, st.integers(0, 600))
def test_lint_finds_all_that_is_not_nfc_and_no_more(text: str, length: int) -> None:
    for path in ("é" * length + text, "\u0323" * length + text, text + "가" * length + text):
        path = path.replace("?", "").replace("#", "")
        found = iri_canon.lint(f"http://h/{path}z", rules=["not-nfc"])
        assert bool(found) == (not is_normalized("NFC", f"/{path}z"))


@pytest.mark.parametrize("unit", UNITS)
def test_a_key_is_stable(unit: str) -> None:
    for place in PLACES:
        text = fill(place, UNITS[unit], 3_000)
        key = iri_canon.key(text)
        assert iri_canon.key(key) == key
        assert iri_canon.key(text) == key


def test_hosts_do_not_fill_the_memory() -> None:
    # caches keep short names only: the longest that DNS has are 253 octets
    tracemalloc.start()
    try:
        for index in range(10):
            iri_canon.key(f"http://{index}{'é' * 900}.{'a' * 20_000}/")
            iri_canon.key(f"http://{index}{'a' * 20_000}/")
            iri_canon.key(f"ftp://{index}{'%41' * 7_000}/?")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 300_000
