"""Each rule of RFC 3987 2.2 and RFC 3986 appendix A, to the letter, and what strict parsing says where one breaks."""

import json
import tomllib
from pathlib import Path
from typing import Any

import oracle
import pytest
from folders import NO_SHARED_FOLDER, shared_folder
from hypothesis import given
from hypothesis import strategies as st

import iri_canon
from iri_canon import IriError, IriSyntaxError
from iri_canon.productions import rules

Case = dict[str, Any]
VECTORS = tomllib.loads((Path(__file__).parent / "vectors" / "grammar.toml").read_text(encoding="utf-8"))
RULES: list[Case] = VECTORS["rule"]
OFFENCES: list[Case] = VECTORS["offence"]
# The ranges of 2.2, typed from the RFC once more.
UCSCHAR = (
    "A0-D7FF F900-FDCF FDF0-FFEF 10000-1FFFD 20000-2FFFD 30000-3FFFD 40000-4FFFD 50000-5FFFD 60000-6FFFD"
)
UCSCHAR += " 70000-7FFFD 80000-8FFFD 90000-9FFFD A0000-AFFFD B0000-BFFFD C0000-CFFFD D0000-DFFFD E1000-EFFFD"
IPRIVATE = "E000-F8FF F0000-FFFFD 100000-10FFFD"


def ranges(text: str) -> list[tuple[int, int]]:
    return [(int(low, 16), int(high, 16)) for low, _, high in (each.partition("-") for each in text.split())]


def texts(case: Case, kind: str) -> list[str]:
    return [*case[kind], *(json.loads(f'"{each}"') for each in case.get(f"{kind}_json", ()))]


def offence(text: str) -> IriSyntaxError | None:
    try:
        value = iri_canon.parse(text, strict=True)
    except IriSyntaxError as error:
        return error
    assert value == iri_canon.parse(text)  # and str(value) is the text again, by the laws of parse
    return None


def is_the_first(error: IriSyntaxError, text: str) -> bool:
    """Whether the text up to the offence has none; an authority that is cut off may be read as other parts."""
    if error.component in ("userinfo", "host", "port"):
        authority = oracle.parse(text).authority or ""
        return text.index("//") + 2 <= error.offset <= text.index("//") + 2 + len(authority)
    return error.offset < len(text) and offence(text[: error.offset]) is None


# ------------------------------------------------------------------------------------------------ the rules


def test_every_rule_has_cases_of_both_kinds() -> None:
    assert sorted(case["name"] for case in RULES) == sorted(rules())
    assert all(case["valid"] and case["invalid"] for case in RULES)


@pytest.mark.parametrize("case", RULES, ids=[case["name"] for case in RULES])
def test_rule(case: Case) -> None:
    wrong = [text for text in texts(case, "valid") if not iri_canon.is_valid(text, case["name"])]
    wrong += [text for text in texts(case, "invalid") if iri_canon.is_valid(text, case["name"])]
    assert wrong == []


def test_iri_is_what_is_asked_for_by_default() -> None:
    assert iri_canon.is_valid("http://é/")
    assert not iri_canon.is_valid("//é/")


@pytest.mark.parametrize(("name", "text"), [("ucschar", UCSCHAR), ("iprivate", IPRIVATE)])
def test_ranges_end_where_the_rfc_says(name: str, text: str) -> None:
    own = ranges(text)
    ends = {code + step for pair in own for code in pair for step in (-1, 0, 1)} - {0x110000}
    for code in ends:
        is_inside = any(low <= code <= high for low, high in own)
        assert iri_canon.is_valid(chr(code), name) is is_inside, f"U+{code:04X}"


def test_each_component_takes_the_characters_of_its_rule_alone() -> None:
    ucschar, iprivate = ranges(UCSCHAR), ranges(IPRIVATE)
    ends = {code + step for pair in ucschar + iprivate for code in pair for step in (-1, 0, 1)} - {0x110000}
    for code in ends:
        is_ucschar = any(low <= code <= high for low, high in ucschar)
        is_private = any(low <= code <= high for low, high in iprivate)
        for form in ("//{}@h", "//{}", "/{}", "{}", "?{}", "#{}"):
            text = form.format(chr(code))
            expected = is_ucschar or (is_private and form == "?{}")
            assert iri_canon.is_valid(text, "IRI-reference") is expected, f"{form} U+{code:04X}"
            assert (offence(text) is None) is expected
            assert not iri_canon.is_valid(text, "URI-reference")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("iri", "IRI"),
        ("IRI reference", "IRI-reference"),
        ("Port", "port"),
        ("ipv6address", "IPv6address"),
        ("isegmentnz", "isegment-nz"),
        ("", "IRI"),
    ],
)
def test_an_unknown_rule_is_refused_with_those_there_are(name: str, near: str) -> None:
    with pytest.raises(IriError, match=rf"{name!r}.*\b{near}\b") as caught:
        iri_canon.is_valid("a", name)
    assert all(rule in str(caught.value) for rule in rules())


# ------------------------------------------------------------------------------------------------ strict parsing


def test_names_of_offences_are_unique() -> None:
    names = [case["name"] for case in OFFENCES]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("case", OFFENCES, ids=[case["name"] for case in OFFENCES])
def test_the_first_offence(case: Case) -> None:
    text = json.loads(f'"{case["json"]}"') if "json" in case else case["text"]
    error = offence(text)
    assert error is not None
    assert (error.component, error.offset) == (case["component"], case["offset"])
    assert case["reason"] in error.reason
    assert is_the_first(error, text)
    assert not iri_canon.is_valid(text, "IRI-reference") or error.component == "port"  # 2.2 has no bound


def test_every_code_point_that_is_no_ucschar_has_a_reason_of_its_kind() -> None:
    reasons: dict[str, int] = {}
    for code in [*range(0x100), *range(0xD7FF, 0x10000), *range(0xDFFFD, 0xE1001), *range(0xEFFFD, 0xF0002)]:
        error = offence(f"/{chr(code)}")
        if error is None or chr(code) in "#?/":
            continue
        if 0xDC80 <= code <= 0xDCFF:
            assert error.reason == f"octet {code - 0xDC00:02X} is not UTF-8 (name its encoding)"
            continue
        assert error.reason.startswith(f"U+{code:04X}")
        if code >= 0x80:
            kind = error.reason.partition(": ")[2].partition(";")[0]
            reasons[kind] = reasons.get(kind, 0) + 1
    assert reasons == {
        "a control character": 32,
        "a lone surrogate, which is no character": 2048 - 128,
        "private use only in the query": 6400 + 2,
        "a non-character": 32 + 2 + 2 + 2,
        "a special, left out of ucschar": 14,
        "a tag, a variation selector or unassigned, left out of ucschar": 4096,
    }


# ------------------------------------------------------------------------------------------------ laws

PIECES = st.one_of(
    st.sampled_from(
        [*"abG0129-._~!$&'()*+,;=:@/?#[]%<>\"{}|\\^` \t\n\x00\x7f", "//", "://", "http:", "é:", "%41"]
    ),
    st.sampled_from(["%zz", "%4", "é", "\ue000", "\U000f0000", "\ufdd0", "\uffff", "\ufff0", "\u0085", "א"]),
    st.sampled_from(
        ["[::1]", "[v1.a]", "[::1%25a]", "[1:2]", "1.2.3.4", ":80", ":65536", "\ud800", "\U000e0001"]
    ),
    st.characters(),
)
TEXTS = st.lists(PIECES, max_size=9).map("".join)
AUTHORITIES = st.lists(PIECES.filter(lambda piece: piece not in "/?#"), max_size=4).map("//{}/".format)


@given(st.one_of(TEXTS, st.builds("{}{}".format, AUTHORITIES, TEXTS)))
def test_the_rules_are_those_of_the_oracle(text: str) -> None:
    is_reference = iri_canon.is_valid(text, "IRI-reference")
    assert is_reference is oracle.is_iri_reference(text)
    assert iri_canon.is_valid(text, "URI-reference") is oracle.is_uri_reference(text)
    parts = oracle.parse(text)
    assert iri_canon.is_valid(text, "IRI") is (is_reference and parts.scheme is not None)
    assert iri_canon.is_valid(text, "irelative-ref") is (is_reference and parts.scheme is None)
    assert iri_canon.is_valid(text, "absolute-IRI") is (
        is_reference and parts.scheme is not None and parts.fragment is None
    )


@given(st.one_of(TEXTS, st.builds("{}{}".format, AUTHORITIES, TEXTS)))
def test_strict_parsing_refuses_what_is_no_iri_reference(text: str) -> None:
    error = offence(text)
    try:
        iri_canon.parse(text)
        is_reference = iri_canon.is_valid(text, "IRI-reference")
    except IriSyntaxError:
        is_reference = False  # not even leniently: a port beyond 65535, which 2.2 has no bound for
    assert (error is None) is is_reference
    assert error is None or is_the_first(error, text)


# ------------------------------------------------------------------------------------------------ cost


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["a", "%", "%41", "%4", ":", "@", "/", "//", "[", "]", "1.", "::", "a:", "é", "?", "#"]
)
def test_any_text_is_judged_in_linear_time(piece: str) -> None:
    for text in (piece * 100_000, f"a://{piece * 100_000}\x00", f"//{piece * 100_000}@[::1]:x/"):
        for name in rules():
            iri_canon.is_valid(text, name)
        offence(text)


# ------------------------------------------------------------------------------------------------ public cases

SHARED = shared_folder()


@pytest.mark.skipif(SHARED is None, reason=NO_SHARED_FOLDER)
@pytest.mark.parametrize("name", ["oxiri", "rfc_examples"])
def test_public_cases_of_validity(name: str) -> None:
    assert SHARED is not None
    lines = (SHARED / "vectors" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["kind"] == "valid"]
    assert rows
    for row in rows:
        production = "IRI" if row.get("note") == "IRI with scheme required" else "IRI-reference"
        assert iri_canon.is_valid(row["input"], production) is row["expected_valid"], row["id"]
        assert (offence(row["input"]) is None) is row["expected_valid"], row["id"]
