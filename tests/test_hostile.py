"""Hostile text: nothing raises but `IriError`, nothing takes more than linear time."""

import time
from collections.abc import Callable

import pytest

import iri_canon
from iri_canon import IriError, Ladder, Rung

SMALL, LARGE = 250_000, 1_000_000
# Linear is 4 times; quadratic is 16. Small absolute times are noise.
FACTOR, NOISE = 9.0, 0.25

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
CALLS: dict[str, Callable[[str], object]] = {
    "key": iri_canon.key,
    "key-syntax": lambda text: iri_canon.key(text, Rung.SYNTAX),
    "canonicalize": iri_canon.canonicalize,
    "explain": iri_canon.explain,
    "parse": iri_canon.parse,
    "to_uri": iri_canon.to_uri,
    "to_uri-toascii": lambda text: iri_canon.to_uri(text, toascii=True),
    "to_iri": iri_canon.to_iri,
    "to_iri-tounicode": lambda text: iri_canon.to_iri(text, tounicode=True),
    "resolve": lambda text: iri_canon.resolve("http://example.com/a/b", text),
    "resolve-base": lambda text: iri_canon.resolve(text, "../g"),
    "prepare-html": lambda text: iri_canon.prepare(text, "html"),
    "prepare-xml": lambda text: iri_canon.prepare(text, "xml"),
    "prepare-json": lambda text: iri_canon.prepare(text, "json"),
    "prepare-apache": lambda text: iri_canon.prepare(text, "apache"),
    "equivalent": lambda text: iri_canon.equivalent(text, text + "/"),
    "lowest_rung": lambda text: iri_canon.lowest_rung(text, text + "/"),
    "ladder": Ladder(keep_fragment=True).key,
}


def fill(place: str, unit: str, size: int) -> str:
    return PLACES[place].replace("{}", unit * (size // len(unit)))


def seconds(call: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    try:
        call(text)
    except IriError:
        pass
    return time.process_time() - start


def is_linear(call: Callable[[str], object], small: str, large: str) -> bool:
    """Whether four times the text takes about four times as long; the best of several tries on each side."""
    fast, slow = float("inf"), float("inf")
    for _ in range(4):
        slow = min(slow, seconds(call, large))
        if slow <= NOISE:
            return True
        fast = min(fast, seconds(call, small))
        if slow <= FACTOR * fast:
            return True
    return False


@pytest.mark.parametrize("place", PLACES)
def test_key_never_raises_and_is_linear(place: str) -> None:
    too_slow = [
        name
        for name, unit in UNITS.items()
        if not is_linear(iri_canon.key, fill(place, unit, SMALL), fill(place, unit, LARGE))
    ]
    assert too_slow == []


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("place", ["alone", "host", "path", "query", "mailto"])
def test_every_function_is_linear(call: str, place: str) -> None:
    # a tenth of the size first: only what takes its time there is measured at full length
    too_slow = []
    for name, unit in UNITS.items():
        large = fill(place, unit, LARGE // 10)
        if seconds(CALLS[call], large) > NOISE / 25 and not is_linear(
            CALLS[call], fill(place, unit, SMALL), fill(place, unit, LARGE)
        ):
            too_slow.append(name)
    assert too_slow == []


def test_a_quadratic_function_is_seen() -> None:
    def quadratic(text: str) -> None:
        while text:
            text = text[5_000:]
            text.count("b")

    assert not is_linear(lambda text: [text.count("ab", i) for i in range(0, len(text), 200)], "a" * SMALL, "a" * LARGE)
    assert is_linear(lambda text: text.replace("a", "bb"), "a" * SMALL, "a" * LARGE)


@pytest.mark.parametrize("unit", UNITS)
def test_a_key_is_stable(unit: str) -> None:
    for place in PLACES:
        text = fill(place, UNITS[unit], 3_000)
        key = iri_canon.key(text)
        assert iri_canon.key(key) == key
        assert iri_canon.key(text) == key


def test_hosts_do_not_fill_the_memory() -> None:
    # caches keep short names only: the longest that DNS has are 253 octets
    import tracemalloc

    tracemalloc.start()
    try:
        for index in range(60):
            iri_canon.key(f"http://{index}{'é' * 900}.{'a' * 200_000}/")
            iri_canon.key(f"http://{index}{'a' * 200_000}/")
            iri_canon.key(f"ftp://{index}{'%41' * 70_000}/?")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 5_000_000
