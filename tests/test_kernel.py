"""The kernel makes the keys that Python makes, or leaves the text to Python; and what must stay two stays two."""

import gzip
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest
from folders import NO_SHARED_FOLDER, ROOT, shared_folder
from hypothesis import given
from hypothesis import strategies as st

from fuzz import corpus
from fuzz.kernel import PIECES, by_steps, differing, main, mutated, reference, texts
from iri_canon import Ladder, Rung, kernel, key, quick, register_scheme

NO_KERNEL = (
    "there is no kernel: not built (install a C compiler, then `pip install -e .`), or IRI_CANON_PURE is set"
)
needs_kernel = pytest.mark.skipif(kernel.tier() == "python", reason=NO_KERNEL)
FOLDER = shared_folder()
LISTS = sorted((FOLDER / "urls").glob("*.gz")) if FOLDER else []
each_list = pytest.mark.parametrize("path", LISTS, ids=[path.name.partition(".")[0] for path in LISTS])


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8", "surrogateescape").split("\n")


# ------------------------------------------------------------------------------------------ the same keys


@needs_kernel
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTP://Example.com:80/%7Ea/../b#c", "http://example.com/b"),
        ("http://h", "http://h/"),
        ("http://h?", "http://h/?"),
        ("https://h:443?a#b", "https://h/?a"),
        ("https://h:8080", "https://h:8080/"),
        ("ftp://h:21/a", "ftp://h/a"),
        ("ws://h:080/a", "ws://h/a"),
        ("http://h:/a", "http://h/a"),
        ("http://h:65535/", "http://h:65535/"),
        ("file:///a/./b", "file:///a/b"),
        ("file://localhost/a", "file:///a"),
        ("file://server/a", "file://server/a"),
        ("http://u@h/%2f?%2f%3f", "http://u@h/%2F?%2F%3F"),
        ("http://[::0:1]/é", "http://[::1]/%C3%A9"),
        ("http://0x7f.1/a", "http://127.0.0.1/a"),
        ("http://1.2.3.4/", "http://1.2.3.4/"),
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("http://h/%", "http://h/%25"),
        ("http://h/%%30%30", "http://h/%2500"),
        ("http://h/%2E%2e/%2E/a/.%2e/b", "http://h/b"),
        ("http://h/a/..", "http://h/"),
        ("http://h/a/b/../..", "http://h/"),
        ("http://h/a//../b/.", "http://h/a/b/"),
        ("http://h/..a/.b/c../d.", "http://h/..a/.b/c../d."),
        ("http://h/a?/../b", "http://h/a?/../b"),
        ("http://h/a/.?/../b", "http://h/a/?/../b"),
        ("http://h/\udce9\ud800", "http://h/%E9%EF%BF%BD"),
        ("http://h/\U0001f600 []\x7f|", "http://h/%F0%9F%98%80%20%5B%5D%7F%7C"),
        (" \x00http://h/a b\x1f ", "http://h/a%20b"),
        ("ht\ttp:/\n/h\r/a\t%4\n1/.\t./b", "http://h/b"),
        ("http://u@h/a\tb", "http://u@h/ab"),
    ],
)
def test_keys(text: str, expected: str) -> None:
    assert key(text) == reference(text) == by_steps(text) == expected


@needs_kernel
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "/a",
        "//h/a",
        "a",
        "mailto:a@B",
        "http:",
        "http:/",
        "http:a",
        "http://",
        "1http://h/",
        ":",
        "://h/",
    ],
)
def test_what_has_no_authority_is_left_to_python(text: str) -> None:
    assert kernel.scheme_key(text) is None
    assert quick.scheme_key(text) is None
    assert kernel.scheme_key(f"http://h{text}") == quick.scheme_key(f"http://h{text}")


@needs_kernel
@pytest.mark.parametrize("wrong", [b"http://h/", None, 1, ["http://h/"]])
def test_what_is_no_text_is_left_to_python(wrong: object) -> None:
    assert kernel.scheme_key(wrong) is None
    assert quick.scheme_key(wrong) is None


@needs_kernel
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://h/a", "http://h/A"),
        ("http://h/%2F", "http://h//"),
        ("http://h/%3B", "http://h/;"),
        ("http://h/%252F", "http://h/%2F"),
        ("http://h/%00", "http://h/%2500"),
        ("http://h/%E9", "http://h/%C3%A9"),
        ("http://h/é", "http://h/e\u0301"),
        ("http://h/a/", "http://h/a"),
        ("http://h/a//b", "http://h/a/b"),
        ("http://h/", "http://h/?"),
        ("http://h:8080/", "http://h/"),
        ("https://h:80/", "https://h/"),
        ("http://h:443/", "http://h/"),
        ("http://h/?a%26b", "http://h/?a&b"),
        ("http://h/...", "http://h/"),
        ("http://h/.a", "http://h/a"),
        ("http://@h/", "http://h/"),
        ("http://h./", "http://h/"),
        ("http://faß.de/", "http://fass.de/"),
        ("http://h/%2e%2fa", "http://h/a"),
        ("http://h/a+b", "http://h/a%20b"),
    ],
)
def test_two_stay_two(one: str, other: str) -> None:
    assert key(one) != key(other)
    assert (key(one), key(other)) == (reference(one), reference(other))


@needs_kernel
@pytest.mark.parametrize(
    "text", ["http://h/a?b=%2F", "file:///a", "http://h:81/", "http://u@h/a", "http://h/.well-known/a"]
)
def test_a_key_is_the_same_object(text: str) -> None:
    text = "".join(text)
    assert kernel.scheme_key(text) is text
    for other in (f"{text}#", f" {text}", f"{text}\t"):
        assert kernel.scheme_key(other) == text


@needs_kernel
def test_texts_of_any_length() -> None:
    for length in chain(range(1100), (4_095, 4_096, 100_000)):
        for text in (
            f"http://h/{'a' * length}",
            f"http://h/{'é' * length}",
            f"http://h/{'/..' * length}",
            "é" * length,
        ):
            found = kernel.scheme_key(text)
            assert found == (quick.scheme_key(text) if found is not None or len(text) < 200 else None), length


@needs_kernel
def test_the_texts_of_the_vectors() -> None:
    found = list(corpus.texts())
    assert len(found) > 1_000
    assert [text for text in found if key(text) != by_steps(text)] == []


@needs_kernel
@pytest.mark.skipif(not LISTS, reason=NO_SHARED_FOLDER)
@each_list
def test_real_urls(path: Path) -> None:
    found = lines(path)
    assert [text for text in found if kernel.scheme_key(text) not in (None, quick.scheme_key(text))] == []
    assert [text for text in random.Random(1).sample(found, 500) if key(text) != by_steps(text)] == []


@needs_kernel
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not LISTS, reason=NO_SHARED_FOLDER)
@each_list
def test_each_real_url_by_the_steps(path: Path) -> None:
    assert [text for text in lines(path) if key(text) != by_steps(text)] == []


URLS = st.builds("".join, st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=12))


@needs_kernel
@given(URLS | st.builds("http://h{}".format, URLS) | st.builds("http://{}/a".format, URLS) | st.text())
def test_any_text(text: str) -> None:
    found = kernel.scheme_key(text)
    assert found is None or found == quick.scheme_key(text) == by_steps(text)
    assert key(text) == reference(text) == by_steps(text)


@needs_kernel
def test_mutated_texts() -> None:
    chance, seeds = random.Random(3), list(texts())
    for _ in range(40):
        assert list(differing([mutated(chance, seeds) for _ in range(256)])) == []


@needs_kernel
@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_five_million_mutated_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["fuzz.kernel", "--texts", "5000000", "--seed", "2"])
    assert main() == 0


@needs_kernel
@pytest.mark.parametrize("wrong", [lambda text: "http://h/", str])
def test_a_wrong_key_is_seen(wrong: Callable[[object], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "scheme_key", wrong)
    assert list(differing(["http://H/a"])) == ["http://H/a"]


# ------------------------------------------------------------------------------------------ two tiers


def test_the_ladder_takes_what_the_tier_makes() -> None:
    for rung in (Rung.SCHEME, Rung.PROTOCOL):
        assert Ladder(rung).key("HTTP://H") == "http://h/"
        assert Ladder(rung, keep_fragment=True).key("HTTP://H#a") == "http://h/#a"
    assert Ladder(Rung.SYNTAX).key("HTTP://H") == "http://h"
    assert Ladder(conventions=["trailing-slash"]).key("HTTP://H/a/") == "http://h/a"


def test_a_scheme_that_is_registered_is_known_at_once() -> None:
    before = key("x-kernel://H:7070/%7e")
    register_scheme("x-kernel", default_port=7070, host="dns")
    assert before == "x-kernel://h:7070/~"
    assert key("x-kernel://H:7070/%7e") == "x-kernel://h/~"
    assert key("x-kernel://H:7071/%7e") == "x-kernel://h:7071/~"


TELL = "from iri_canon import kernel, key; print(kernel.tier(), kernel.IS_BUILT, key('HTTP://H:80/%7e'))"


def told(script: str, **environment: str) -> list[str]:
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.split()


def test_the_environment_turns_the_kernel_off() -> None:
    assert told(TELL, IRI_CANON_PURE="1") == ["python", str(kernel.IS_BUILT), "http://h/~"]
    assert told(TELL, IRI_CANON_PURE="") == [
        "kernel" if kernel.IS_BUILT else "python",
        str(kernel.IS_BUILT),
        "http://h/~",
    ]


def test_without_the_kernel_python_does_it() -> None:
    absent = f"import sys; sys.modules['iri_canon._kernel'] = None; {TELL}"
    assert told(absent) == ["python", "False", "http://h/~"]


# ------------------------------------------------------------------------------------------ buffers


def compiled() -> ModuleType:
    assert kernel.compiled is not None
    return kernel.compiled


def filled(
    offsets: list[int], data: bytes = b"http://h/", rows: int = 1, *, room: int = 64, row: int = 0
) -> tuple[int, int, bool]:
    packed = b"".join(offset.to_bytes(4, sys.byteorder, signed=True) for offset in offsets)
    found: tuple[int, int, bool] = compiled().fill(
        False, packed, data, None, 0, rows, bytearray(4 * rows + 4), bytearray(room), bytearray(1), row
    )
    return found


@needs_kernel
def test_offsets_that_do_not_fit_are_refused() -> None:
    assert filled([0, 9]) == (1, 0, True)
    for offsets in ([0, 10], [-1, 9], [9, 8], [2**31 - 1, 2**31 - 1], [-(2**31), 2**31 - 1]):
        with pytest.raises(ValueError, match="do not fit"):
            filled(offsets)


@needs_kernel
def test_buffers_that_are_too_short_are_refused() -> None:
    for arguments in (([0], 1), ([0, 9], 2), ([0, 9], -1), ([0, 9], 2**60)):
        with pytest.raises((ValueError, MemoryError, OverflowError)):
            compiled().fill(
                False,
                bytes(4 * len(arguments[0])),
                b"",
                None,
                0,
                arguments[1],
                bytearray(8),
                bytearray(8),
                bytearray(1),
                0,
            )
    with pytest.raises(ValueError, match="less octets"):
        filled([0, 9], row=2)
    with pytest.raises(TypeError):
        compiled().fill(False, None, b"", None, 0, 1, bytearray(8), bytearray(8), bytearray(1), 0)


@needs_kernel
def test_a_room_that_is_too_small_is_told() -> None:
    assert filled([0, 9], room=27) == (0, 0, True)
    assert filled([0, 9], room=28) == (1, 0, True)
    assert filled([0, 9], room=0) == (0, 0, True)


@needs_kernel
def test_keys_that_are_put_in_have_to_fit() -> None:
    offsets, keys, others = bytearray(8), bytearray(3), b"\x01"
    compiled().insert(False, offsets, keys, 1, others, b"\0\0\0\0\3\0\0\0", b"abc")
    assert (bytes(offsets[4:]), bytes(keys)) == (b"\3\0\0\0", b"abc")
    for wrong in (
        (bytearray(8), bytearray(2), 1, others, b"\0\0\0\0\3\0\0\0", b"abc"),
        (bytearray(8), bytearray(3), 1, others, b"\0\0\0\0\3\0\0\0", b"ab"),
        (bytearray(8), bytearray(3), 1, b"\0", b"\0\0\0\0\3\0\0\0", b"abc"),
        (bytearray(4), bytearray(3), 1, others, b"\0\0\0\0\3\0\0\0", b"abc"),
        (bytearray(8), bytearray(3), 1, others, b"\xff\xff\xff\xff\3\0\0\0", b"abc"),
        (bytearray(8), bytearray(3), 1, others, b"", b""),
    ):
        with pytest.raises(ValueError, match=r"room|fit|less octets"):
            compiled().insert(False, *wrong)
