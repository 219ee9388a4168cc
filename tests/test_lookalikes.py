"""One table of look-alikes and one of what is unseen: `lint`, `display`, `to_iri` and `find_iris` agree by them."""

import re
from unicodedata import category

import pytest

from iri_canon import canonicalize, display, find_iris, key, lint, to_iri
from iri_canon.inappropriate import inappropriate
from iri_canon.lookalikes import IN_PROSE, LOOK_ALIKES
from iri_canon.unseen import BLANK, FILLERS, INVISIBLE, SHAPING, SPACES

SYMBOLS = [
    character
    for character in map(chr, range(0x80, 0x20000))
    if category(character)[0] in "PS" or character in LOOK_ALIKES
]
BEFORE_THE_PATH = [
    "http://good.example{}x.evil.example/",
    "http://good.example{}@evil.example/",
    "x://a{}b/c",
]


def reported(rule: str, text: str) -> bool:
    return any(found.rule == rule for found in lint(text, rules=[rule]))


@pytest.mark.parametrize("place", BEFORE_THE_PATH)
def test_what_lint_reports_before_the_path_is_never_shown_there(place: str) -> None:
    found = [each for each in SYMBOLS if reported("host-delimiter-look-alike", place.format(each))]
    assert set(found) == LOOK_ALIKES.keys()
    for each in found:
        shown = display(place.format(each))
        assert each not in shown
        assert key(shown) == key(place.format(each))


@pytest.mark.parametrize("place", ["http://h/a{}b", "http://h/?a{}b", "http://h/#a{}b"])
def test_what_lint_reports_to_iri_keeps_encoded_or_prose_has_it(place: str) -> None:
    decoded = set()
    for each in SYMBOLS:
        text = place.format(each)
        is_decoded = each in to_iri(canonicalize(text))
        if reported("delimiter-look-alike", text) and is_decoded:
            decoded.add(each)
        elif each in LOOK_ALIKES and not is_decoded:
            assert reported("delimiter-look-alike", text)
    assert decoded == (IN_PROSE if place.startswith("http://h/a") else set())


def test_prose_has_no_look_alike_of_what_ends_a_host_but_by_need() -> None:
    assert {each for each in IN_PROSE if LOOK_ALIKES[each] in "/?\\@."} == set()
    assert LOOK_ALIKES.keys() > IN_PROSE


@pytest.mark.parametrize("characters", [SPACES, INVISIBLE])
def test_what_is_unseen_is_unseen_for_all(characters: str) -> None:
    for each in re.findall(f"[{characters}]", "".join(map(chr, range(0x80, 0x20000)))):
        assert inappropriate(private=True).match(each)
        assert each not in display(f"http://h/a{each}b")
        assert reported("invisible", f"http://h/a{each}b") or reported(
            "space-look-alike", f"http://h/a{each}b"
        )
        found = [found.iri for found in find_iris(f"http://h/a{each}b")]
        is_kept = re.match(f"[{SHAPING}{FILLERS}]", each) is not None
        assert found == [f"http://h/a{each}b" if is_kept else "http://h/a"]


def test_the_sets_of_what_is_unseen_have_nothing_in_common() -> None:
    for code in range(0x80, 0x110000):
        assert (
            sum(re.match(f"[{each}]", chr(code)) is not None for each in (SPACES, SHAPING, FILLERS, BLANK))
            < 2
        )


@pytest.mark.parametrize(
    ("one", "other"),
    [("😀", "😀\ufe0f"), ("§", "§\ufe0f"), ("😀😁", "😀\u200d😁"), ("字", "字\ufe00"), ("ᠠ", "ᠠ\u180b")],
)
def test_what_only_some_fonts_tell_apart_is_shown_apart(one: str, other: str) -> None:
    # lint lets a selector and a joiner be that may be meant; shown, two IRIs must not be one to the eye
    assert not lint(f"http://h/{other}", rules=["invisible"]) or "\ufe00" in other
    assert display(f"http://h/{one}") == f"http://h/{one}"
    assert not re.search(f"[{SHAPING}]", display(f"http://h/{other}"))


@pytest.mark.parametrize(
    "text", ["http://h/می\u200cخواهم", "http://h/क्\u200dष", "http://h/a\u200db", "http://h/ب\u200d"]
)
def test_a_joiner_of_letters_is_judged_by_one_rule(text: str) -> None:
    is_shown = re.search(f"[{SHAPING}]", display(text)) is not None
    assert is_shown == (not lint(text, rules=["invisible"]))
