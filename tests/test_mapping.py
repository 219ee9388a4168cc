"""RFC 3987 section 3 beyond single texts: the steps of 3.2 one by one, what 3.1 refuses, the sets of step 4."""

import re
import unicodedata
from collections.abc import Callable

import oracle
import pytest
from test_vectors import Case, cases, from_json, load

import iri_canon
from iri_canon import IriEncodingError, IriSyntaxError, mapping, reading
from iri_canon.inappropriate import inappropriate

STEPS: tuple[Callable[[bytes], bytes], ...] = (
    mapping.convert_triplets,
    mapping.reencode_illegal_utf8,
    mapping.reencode_inappropriate,
)


def octets_of(notation: str) -> bytes:
    """3.2.1: octets "are denoted by '<' followed by two hexadecimal digits followed by '>'"."""
    return re.sub(rb"<(..)>", lambda match: bytes.fromhex(match[1].decode()), notation.encode())


@cases("mapping", "steps")
def test_each_step_of_uri_to_iri(case: Case) -> None:
    uri, *after, iri = case["after"]
    octets = mapping.represent_as_octets(uri)
    assert octets == uri.encode("ascii")
    for step, expected in zip(STEPS, after, strict=True):
        octets = step(octets)
        assert octets == octets_of(expected), step.__name__
    assert mapping.interpret_as_utf8(octets) == iri == iri_canon.to_iri(uri)


@cases("mapping", "to_uri_error")
def test_what_the_mapping_refuses(case: Case) -> None:
    text = from_json(case["json"])
    options = {name: case[name] for name in ("strict", "toascii") if name in case}
    with pytest.raises(IriSyntaxError) as caught:
        iri_canon.to_uri(text, **options)
    assert (caught.value.component, caught.value.offset) == (case["component"], case["offset"])
    if options:  # the twin: without the option it maps
        uri = iri_canon.to_uri(text)
        assert iri_canon.to_uri(uri, strict=True) == uri
    else:
        with pytest.raises(IriSyntaxError) as again:
            iri_canon.to_iri(text)
        assert again.value.offset == case["offset"]


def test_a_port_that_is_too_large_does_not_parse_but_is_a_uri() -> None:
    uri = "http://h:99999/%C3%A9"
    assert oracle.is_uri_reference(uri)
    assert iri_canon.to_iri(uri) == "http://h:99999/é"
    with pytest.raises(IriSyntaxError, match="port at offset 9"):
        iri_canon.to_iri(uri, tounicode=True)


@pytest.mark.parametrize("character", "#%[]")
def test_what_must_not_be_converted(character: str) -> None:
    for strict in (False, True):
        assert iri_canon.to_uri(f"/a{character}b", strict=strict) == f"/a{character}b"


def test_spoken_text_is_normalised_and_digital_text_is_not() -> None:
    decomposed = "http://www.example.org/re\u0301sume\u0301.html"
    assert (
        iri_canon.to_uri(iri_canon.transcribe(decomposed)) == "http://www.example.org/r%C3%A9sum%C3%A9.html"
    )
    assert iri_canon.to_uri(decomposed) == "http://www.example.org/re%CC%81sume%CC%81.html"
    compatible = "/\ufb01"  # NFC, not NFKC
    assert iri_canon.transcribe(compatible) == compatible


@pytest.mark.parametrize(
    ("octets", "encoding"),
    [
        (b"\xd8\x00\x00a", "utf-16"),  # a surrogate without its other half
        (b"/\x00a", "utf-16"),  # half a code unit
        (b"\x00\x11\x00\x00", "utf-32"),  # above U+10FFFF
        (b"\xff", "utf-8-sig"),
        (b"+AA", "utf-7"),
        (b"\x81", "windows-1252"),
        (b"\x81", "shift_jis"),
        (b"a", "rot13"),
    ],
)
def test_octets_that_are_no_characters_of_their_encoding(octets: bytes, encoding: str) -> None:
    with pytest.raises(IriEncodingError, match=encoding):
        iri_canon.to_uri(octets, encoding=encoding)


def test_octets_that_are_not_utf_8_stay_raw_and_are_no_iri() -> None:
    assert reading.read(b"/\xc3\xa9\xe9") == "/é\udce9"
    assert iri_canon.canonicalize(b"/\xc3\xa9\xe9") == "/%C3%A9%E9"
    with pytest.raises(IriSyntaxError, match="path at offset 2"):
        iri_canon.to_uri(b"/\xc3\xa9\xe9")


@pytest.mark.parametrize(
    "case",
    # toascii is the one option that looks at a component
    [case for case in load("mapping")["to_uri"] if not case.get("toascii")],
    ids=lambda case: str(case["name"]),
)
def test_components_map_as_the_whole_does(case: Case) -> None:
    text = reading.read(bytes.fromhex(case["hex"]), case["encoding"]) if "hex" in case else case["iri"]
    parts = oracle.parse(text)
    mapped = oracle.Parts(*(part if part is None else iri_canon.to_uri(part) for part in parts))
    assert oracle.recompose(mapped) == case["uri"]


# ------------------------------------------------------------------------------------------------ step 4


def characters_of(ranges: list[tuple[int, int]]) -> set[str]:
    return {chr(code) for low, high in ranges for code in range(low, high + 1)}


def test_what_stays_encoded_is_exactly_what_the_clauses_name() -> None:
    all_of_them = characters_of([(0x80, 0x10FFFF)])
    text = "".join(all_of_them)
    named = characters_of(oracle.ALSO_INAPPROPRIATE)
    for character in characters_of([(0x80, 0x1FFFF), (0xE0000, 0xE0FFF)]):  # the tables have none elsewhere
        if any(table(character) for table in oracle.IN_RFC_3491):
            named.add(character)
    expected = named | (all_of_them - characters_of(oracle.UCSCHAR))
    assert set(inappropriate(private=False).findall(text)) == expected
    assert set(inappropriate(private=True).findall(text)) == expected - characters_of(oracle.IPRIVATE)


@pytest.mark.parametrize("version", [unicodedata, unicodedata.ucd_3_2_0], ids=["today", "3.2"])
def test_nothing_decoded_normalises_to_space_or_a_delimiter(version: "unicodedata.UCD") -> None:
    delimiters = frozenset(' "<>#%{}|\\^[]`:/?@')
    for code in [*range(0xA0, 0xD800), *range(0xF900, 0x20000)]:
        if version.normalize("NFKC", chr(code)) in delimiters:
            assert inappropriate(private=True).match(chr(code)), hex(code)


def test_every_octet_alone_stays_as_it_is_or_is_unreserved() -> None:
    for octet in range(256):
        for triplet in (f"%{octet:02X}", f"%{octet:02x}"):
            iri = iri_canon.to_iri(f"/{triplet}")
            if chr(octet) in oracle.UNRESERVED:
                assert iri == f"/{chr(octet)}"
            else:
                assert iri == f"/{triplet}" if octet < 0x80 else f"/{triplet.upper()}"
