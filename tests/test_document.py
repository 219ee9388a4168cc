"""RFC 3987 6.3: what is written into a document is in its encoding, and is read as the same IRI again."""

from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from test_vectors import cases, from_json

import iri_canon
from iri_canon import IriError, key, prepare, to_document
from iri_canon.document import DocumentCarrier
from iri_canon.grammar import C0_OR_SPACE

Case = dict[str, Any]
CARRIERS = get_args(DocumentCarrier)
# One of a kind each: octets, gaps, several tables in turn, escape characters of their own, two octets and more, EBCDIC.
ENCODINGS = (
    *("ascii", "latin-1", "cp1252", "cp1255", "koi8-r", "cp437", "cp037", "cp864", "mac-roman"),
    *("iso-2022-jp", "iso-2022-jp-2004", "iso-2022-kr", "hz", "utf-7", "shift_jis", "cp932", "euc_jis_2004"),
    *("big5", "big5hkscs", "gb2312", "gb18030", "euc_kr", "johab", "utf-8", "utf-8-sig"),
    *("utf-16", "utf-32-be"),
    *("unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "rot13"),
)
TEXTS = st.lists(
    st.sampled_from(
        "aé€čأאあか゚Ê̄〜¥‾\\~|^`'\"<>&;#?%:@/[]{}+=,. 0😀納\ue000\u00a0\u2028\ufeff\x00\x01\t\n\r\x7f\x80\x9f\ufffe"
        "\ud800\udce9"
    )
    | st.characters()
    | st.sampled_from(("http://", "http://h/", "mailto:", "&amp;", "&#x80;", "\\u00e9", "\\x41", "%C3", "//"))
).map("".join)
HTTP = TEXTS.map("http://example.com/{}".format)


def iri_of(case: Case) -> str:
    return from_json(case["json"]) if "json" in case else str(case["iri"])


@cases("document")
def test_document(case: Case) -> None:
    iri = iri_of(case)
    options = {name: case[name] for name in ("query_as_triplets",) if name in case}
    document = to_document(iri, case["encoding"], case["carrier"], **options)
    assert document == (from_json(case["json_document"]) if "json_document" in case else case["document"])
    assert document.encode(case["encoding"]).decode(case["encoding"]) == document
    read = prepare(document, case["carrier"])
    assert (read == iri) is case.get("exact", True)
    assert key(read) == key(iri)


@cases("document", "error")
def test_what_cannot_be_written(case: Case) -> None:
    encoding = from_json(case["json_encoding"]) if "json_encoding" in case else case["encoding"]
    with pytest.raises(IriError) as caught:
        to_document(iri_of(case), encoding, case["carrier"])
    assert type(caught.value) is getattr(iri_canon, case["error"])


def test_only_text_is_written() -> None:
    with pytest.raises(TypeError):
        to_document(b"http://example.com/", "utf-8", "html")  # type: ignore[arg-type]


def is_written(iri: str, encoding: str, carrier: DocumentCarrier, **options: bool) -> bool:
    """Whether it can be written at all; if so, every law holds."""
    try:
        document = to_document(iri, encoding, carrier, **options)
    except IriError:
        return False
    assert document.encode(encoding).decode(encoding) == document
    assert not any(mark in document for mark in {"html": "<>\"'", "xml": "<>\"'"}.get(carrier, "\n\r\t"))
    read = prepare(document, carrier)
    assert key(read) == key(iri)
    assert iri_canon.Ladder(keep_fragment=True).key(read) == iri_canon.Ladder(keep_fragment=True).key(iri)
    if read.count("%") == iri.count("%") and iri == iri.strip(C0_OR_SPACE).translate(
        dict.fromkeys(b"\t\r\n")
    ):
        assert read == iri
    return True


@given(TEXTS | HTTP, st.sampled_from(ENCODINGS), st.sampled_from(CARRIERS), st.booleans())
@example("http://h/\x1c", "utf-8", "plain", False)
def test_what_is_written_is_read_again(
    iri: str, encoding: str, carrier: DocumentCarrier, query_as_triplets: bool
) -> None:
    is_written(iri, encoding, carrier, query_as_triplets=query_as_triplets)


@given(HTTP, st.sampled_from(("ascii", "utf-8", "cp1252", "iso-2022-jp", "shift_jis", "big5")))
def test_an_http_iri_can_be_written_everywhere(iri: str, encoding: str) -> None:
    assert all(is_written(iri, encoding, carrier) for carrier in CARRIERS)


@pytest.mark.parametrize(
    "encoding", ["shift_jis", "iso-2022-jp", "utf-7", "cp1252", "big5", "euc_jp", "gb2312"]
)
def test_every_character_of_the_bmp_reads_as_itself(encoding: str) -> None:
    letters = [chr(code) for code in range(0xA0, 0xFDD0) if not 0xD800 <= code < 0xE000]
    iri = f"http://example.com/{'/'.join(letters)}"
    for carrier in ("xml", "json"):
        document = to_document(iri, encoding, carrier)
        assert prepare(document.encode(encoding).decode(encoding), carrier) == iri
    assert ("&#x" in to_document(iri, encoding, "xml")) is (encoding != "utf-7")


@pytest.mark.parametrize(
    ("encoding", "browser"),
    [("latin-1", "cp1252"), ("shift_jis", "cp932"), ("euc_kr", "cp949"), ("big5", "big5hkscs")],
)
def test_html_means_the_same_to_a_browser(encoding: str, browser: str) -> None:
    letters = [chr(code) for code in range(0xA0, 0xFDD0) if not 0xD800 <= code < 0xE000]
    iri = f"http://example.com/{'/'.join(letters)}"
    octets = to_document(iri, encoding, "html").encode(encoding)
    assert prepare(octets.decode(browser), "html") == iri
