"""RFC 3987 7.3: IRIs in running text, whole, in order, and nothing of the text with them."""

import re
from typing import Any
from unicodedata import category

import pytest
from folders import NO_SHARED_FOLDER, shared_folder
from hypothesis import example, given
from hypothesis import strategies as st
from test_vectors import cases, from_json

import iri_canon
from benchmarks.lists import url_lists
from iri_canon import FoundIri, IriError, find_iris, is_valid, parse
from iri_canon.find import OPAQUE

Case = dict[str, Any]
OPTIONS = ("schemes", "lenient", "join_lines")
PIECES = st.sampled_from(
    (
        *("http://", "HTTPS://h", "http://h/", "//", "mailto:a@b.c", "urn:", "isbn:1", "<", ">"),
        *("<URL:", "(", ")", "[", "]"),
        *("[::1]", "{", "}", "「", "」", "'", "‘", "’", "“", '"', "'s", "*", "_", ",", ";", "."),
        *(":", "?", "!", "#", "@"),
        *("%", "%C3", "é", "あ", "。", "،", "…", "·", "–", "\u200b", "\u200d", "\u200f", "\u00a0"),
        *(" ", "\n", "|", "\\"),
        *("a", "80", "-", "+", "&", "=", "/", "\ue000", "😀", "\ud800", "\x00", "\ufffd"),
    )
)
TEXTS = st.lists(PIECES | st.characters()).map("".join)


@cases("find")
def test_found(case: Case) -> None:
    text = from_json(case["json"]) if "json" in case else case["text"]
    options = {name: case[name] for name in OPTIONS if name in case}
    found = list(find_iris(text, **options))
    assert [each.iri for each in found] == case["found"]
    assert is_in_order(text, found)


def is_in_order(text: str, found: list[FoundIri]) -> bool:
    """Offsets fit, nothing overlaps."""
    ends = [0, *(each.end for each in found)]
    return all(
        each.iri == text[each.start : each.end] and end <= each.start < each.end
        for each, end in zip(found, ends, strict=False)
    )


@given(TEXTS)
@example("http://http:")
@example("<http://h:>")
@example("http://h:é/")
@example("<http://h/\ue000>")
def test_what_is_found_is_an_iri(text: str) -> None:
    found = list(find_iris(text))
    assert is_in_order(text, found)
    for each in found:
        assert is_valid(each.iri, "IRI"), each
        assert parse(each.iri).scheme
    lenient = list(find_iris(text, lenient=True))
    assert is_in_order(text, lenient)
    for each in lenient:
        assert parse(each.iri).scheme
        assert not re.search(r'[\s<>"|\\`]', each.iri)
    for each in find_iris(text, join_lines=True):
        assert is_valid(each.iri, "IRI"), each
        assert each.iri == re.sub(r"\s", "", text[each.start : each.end])


LETTERS = st.sampled_from("aZ09-._~éßñя東あ가אبी😀\u200d")
SEGMENTS = st.lists(
    LETTERS | st.sampled_from(("!", "$", "&", "*", "+", "=", ":", "@", "%C3%A9")), max_size=6
).map("".join)
HOSTS = st.lists(st.sampled_from(("example", "é", "東京", "xn--a", "a-b")), min_size=1, max_size=3).map(
    ".".join
)


@st.composite
def iris(draw: st.DrawFn) -> str:
    """IRIs of the grammar that hold no quotes, commas or brackets but in pairs, and end in no punctuation."""
    host = draw(HOSTS | st.sampled_from(("[::1]", "127.0.0.1")))
    userinfo, port = draw(st.sampled_from(("", "u@", "u:p@"))), draw(st.sampled_from(("", ":80", ":65535")))
    path = "".join(f"/{draw(SEGMENTS)}" for _ in range(draw(st.integers(0, 3))))
    path += draw(st.sampled_from(("", "/a_(b)", "/（東京）", "/(a(b))")))
    query = draw(st.sampled_from(("", "?", "?/?", "?\ue000"))) and f"?{draw(SEGMENTS)}/?\ue000"
    fragment = draw(st.sampled_from(("", "#"))) and f"#{draw(SEGMENTS)}"
    iri = f"{draw(st.sampled_from(('http', 'HTTPS', 'ftp', 'z39.50r')))}://{userinfo}{host}{port}{path}{query}{fragment}"
    return iri.rstrip(".:!?\u200d")


@given(iris(), iris())
def test_an_iri_between_spaces_is_found_whole(one: str, other: str) -> None:
    for text in (
        f" {one} {other} ",
        f"({one}), „{other}“.",
        f"<{one}>{other}",
        f"{one}|{other}",
        f"{one},{other}",
    ):
        assert [each.iri for each in find_iris(text)] == [one, other]


@given(st.lists(TEXTS, max_size=4))
def test_texts_with_space_between_do_not_meet(texts: list[str]) -> None:
    apart = [each.iri for text in texts for each in find_iris(text)]
    assert [each.iri for each in find_iris("\n".join(texts))] == apart


def test_no_letter_ends_an_iri() -> None:
    letters = [
        chr(code)
        for code in range(0xA0, 0x110000)
        if category(chr(code))[0] in "LMN" and is_valid(chr(code), "ipchar")
    ]
    assert len(letters) > 100_000
    iri = f"http://example.com/{'/'.join(letters)}"
    assert [each.iri for each in find_iris(f"see {iri} there")] == [iri]


@pytest.mark.skipif(shared_folder() is None, reason=NO_SHARED_FOLDER)
def test_real_iris_between_spaces_are_found_whole_or_end_at_a_mark() -> None:
    whole, cut = 0, []
    for iri in (each for urls in url_lists(400).values() for each in urls if is_valid(each, "IRI")):
        if not iri.lower().startswith(("http://", "https://", "ftp://")):
            continue
        found = [each.iri for each in find_iris(f"see {iri} there")]
        if found == [iri]:
            whole += 1
        elif found and iri.startswith(found[0]) and category(iri[len(found[0])])[0] in "PZ":
            cut.append(iri)
        elif parses(iri):
            pytest.fail(f"{iri!r}: {found}")
    assert len(cut) < whole / 50


def parses(iri: str) -> bool:
    try:
        return bool(parse(iri).host)
    except IriError:
        return False


# ------------------------------------------------------------------------------------------- options


def test_line_ends_within_angle_brackets_are_taken_out_on_request() -> None:
    text = "see <URL:http://example.com/very/long\r\n   /path.html?a=1> and <http://example.com/b>"
    assert [each.iri for each in find_iris(text)] == ["http://example.com/very/long", "http://example.com/b"]
    joined, plain = find_iris(text, join_lines=True)
    assert joined.iri == "http://example.com/very/long/path.html?a=1"
    assert text[joined.start : joined.end] == "http://example.com/very/long\r\n   /path.html?a=1"
    assert plain.iri == text[plain.start : plain.end] == "http://example.com/b"


@pytest.mark.parametrize(
    "text",
    [
        "<http://example.com/a is here\nand there>",
        "http://example.com/a\nb>",
        "<http://example.com/a\nb",
        "<http://example.com/a >",
        "<http://example.com/a\n<b>",
    ],
)
def test_other_lines_are_not_joined(text: str) -> None:
    found = list(find_iris(text, join_lines=True))
    assert [each.iri for each in found] == ["http://example.com/a"]
    assert is_in_order(text, found)


def test_a_registered_scheme_is_found() -> None:
    assert list(find_iris("x-findable://example/a")) == []
    iri_canon.register_scheme("x-findable")
    for text in ("see x-findable://example/a.", "(+x-findable://example/a)", "end.x-findable://example/a"):
        assert [each.iri for each in find_iris(text)] == ["x-findable://example/a"]


def test_schemes_are_names() -> None:
    with pytest.raises(IriError):
        find_iris("", schemes=["http:"])
    with pytest.raises(TypeError):
        find_iris("", schemes="http")
    with pytest.raises(TypeError):
        find_iris(b"http://example.com/")  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", OPAQUE)
def test_an_opaque_scheme_alone_is_a_word(scheme: str) -> None:
    assert [*find_iris(f"{scheme}: {scheme}:. {scheme}:/ {scheme}:")] == []
