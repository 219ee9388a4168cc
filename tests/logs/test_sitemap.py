"""Sitemaps (sitemaps.org 0.9), and what XML can do to a reader: it expands and fetches nothing, and holds little."""

import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from iri_canon.errors import LogError
from iri_canon.logs import Bad, Record, WithoutUrl, sitemap
from iri_canon.logs.records import Outcome
from logs.reading import all_of, log, until_it_fails, urls

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
SET = f'{HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def read(text: str | bytes) -> tuple[list[Outcome], str | None]:
    """What a sitemap has, and what was wrong at last."""
    stream = io.BytesIO(text.encode() if isinstance(text, str) else text)
    found: list[Outcome] = []
    try:
        found.extend(sitemap.records(stream, "sitemap.xml"))
    except LogError as error:
        return found, str(error)
    return found, None


def told(text: str | bytes) -> list[str]:
    """The URLs of a sitemap that is whole, what is none by its kind."""
    found, wrong = read(text)
    assert wrong is None
    return [each.url if isinstance(each, Record) else type(each).__name__ for each in found]


@pytest.mark.parametrize(
    ("loc", "url"),
    [
        ("<loc>http://h/a</loc>", "http://h/a"),
        ("<lastmod>2026</lastmod><loc>\r\n\t http://h/a \n</loc>", "http://h/a"),
        ("<loc>http://h/?a&amp;b&lt;&#x3E;&#233;é&apos;</loc>", "http://h/?a&b<>éé'"),
        ("<loc><![CDATA[http://h/?a&b]]></loc>", "http://h/?a&b"),
        ("<loc>http://h/<!-- a -->b<?a b?></loc>", "http://h/b"),
        ("<loc>http://h/a b</loc>", "http://h/a b"),
        ("<loc>http://h/%26amp;amp;</loc>".replace("%26amp;", "&amp;"), "http://h/&amp;"),  # once
        ("<loc>http://h/<b>a</b>c</loc>", "http://h/ac"),
        ("<loc>/a</loc>", "/a"),
        ("<loc/><loc>http://h/a</loc>", "http://h/a"),
        ("<loc>http://h/a</loc><loc>http://h/b</loc>", "http://h/a"),
        ("<loc> </loc>", "WithoutUrl"),
        ("", "WithoutUrl"),
        ("<x><loc>http://h/a</loc></x>", "WithoutUrl"),
        ("<LOC>http://h/a</LOC>", "WithoutUrl"),
        (
            (
                '<i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><i:loc>http://h/i</i:loc></i:image>'
                '<i:loc xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">http://h/j</i:loc>'
            ),
            "WithoutUrl",
        ),
    ],
)
def test_the_url_of_an_entry(loc: str, url: str) -> None:
    assert told(f"{SET}<url>{loc}</url></urlset>") == [url]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<sitemapindex><sitemap><loc>http://h/a.xml</loc></sitemap></sitemapindex>", ["http://h/a.xml"]),
        ("<s:urlset xmlns:s='x'><s:url><s:loc>http://h/</s:loc></s:url></s:urlset>", ["http://h/"]),
        ("<s:urlset xmlns:s='x'><url><loc>http://h/</loc></url></s:urlset>", []),
        (
            "<urlset><url><loc>http://h/</loc></url><image:x/></urlset>",
            ["http://h/"],
        ),  # a prefix of no namespace
        ("<urlset><sitemap><loc>http://h/</loc></sitemap></urlset>", []),
        ("<urlset><loc>http://h/</loc></urlset>", []),
        ("<urlset/>", []),
        (f"\n \r\n{HEAD}<urlset><url><loc>http://h/</loc></url></urlset>\n\n", ["http://h/"]),
        (f"\ufeff\n{HEAD}<urlset><url><loc>http://h/</loc></url></urlset>", ["http://h/"]),
    ],
)
def test_what_makes_an_entry(text: str, found: list[str]) -> None:
    assert told(text) == found
    assert sitemap.is_one(text.encode())


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252", "us-ascii"])
def test_other_encodings(encoding: str) -> None:
    url = "http://h/a" if encoding == "us-ascii" else "http://h/é"
    text = f'<?xml version="1.0" encoding="{encoding}"?><urlset><url><loc>{url}</loc></url></urlset>'
    assert told(text.encode(encoding)) == [url]
    for unknown in ("klingon", "utf-7", "shift_jis", "hex", "a" * 10_000):
        found, wrong = read(text.replace(encoding, unknown).encode())
        assert found == []
        assert wrong is not None and wrong.endswith(": the encoding of the XML is not read")


def test_an_entry_has_its_place() -> None:
    text = "\n\n\ufeff"[:2] + f"{HEAD}<urlset>\n<url>é\n<loc>http://h/1</loc></url>\n<url/></urlset>"
    found, _ = read(text)
    octets = text.encode()
    assert [(each.place.line, each.place.offset) for each in found] == [
        (6, octets.index(b"<loc>")),
        (7, octets.index(b"<url/>")),
    ]
    assert [type(each) for each in found] == [Record, WithoutUrl]


BROKEN = [
    ("<url><loc>http://h/3</loc>", "the XML is broken (no element found)"),
    ("<url><loc>http://h/3</url></urlset>", "the XML is broken (mismatched tag)"),
    ("<url><loc>http://h/?a&b</loc></url></urlset>", "the XML is broken (not well-formed (invalid token))"),
    ("<url><loc>http://h/&nbsp;</loc></url></urlset>", "the XML is broken (undefined entity)"),
    (
        "<url><loc>http://h/&#0;</loc></url></urlset>",
        "the XML is broken (reference to invalid character number)",
    ),
    ("</urlset><urlset>", "the XML is broken (junk after document element)"),
    ("<a>" * 64, "the XML is nested too deeply"),
]


@pytest.mark.parametrize(("rest", "wrong"), BROKEN)
def test_what_stands_before_broken_xml_is_read(rest: str, wrong: str) -> None:
    good = f"{SET}<url><loc>http://h/1</loc></url>\n<url><loc>http://h/2</loc></url>"
    found, told_wrong = read(good + rest)
    assert urls(found)[:2] == ["http://h/1", "http://h/2"]
    assert told_wrong is not None
    place, _, reason = told_wrong.partition(": ")
    assert reason == wrong
    assert place.startswith("line 3, byte ") and int(place[13:]) >= len(good)
    assert read(f"{good}</urlset>") == (found[:2], None)


@pytest.mark.parametrize("root", ["rss", "feed", "html", "url", "urlsets", "URLSET"])
def test_another_root_is_refused(root: str) -> None:
    text = f"<{root}><url><loc>http://h/</loc></url></{root}>"
    assert read(text) == ([], "line 1, byte 0: the root of the XML is that of no sitemap")
    assert not sitemap.is_one(text.encode())


BILLION = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "b">',
        f'<!ENTITY a0 "lol">{BILLION}',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://127.0.0.1:9/a">%a;',
        '<!ENTITY a PUBLIC "a" "http://127.0.0.1:9/a" NDATA b>',
    ],
)
def test_declared_entities_are_refused(declared: str) -> None:
    text = f"<!DOCTYPE urlset [{declared}]><urlset><url><loc>http://h/&a;</loc></url></urlset>"
    found, wrong = read(text)
    assert found == []
    assert wrong is not None and wrong.endswith("the XML declares entities, which are not read")


def test_a_document_type_elsewhere_is_not_fetched() -> None:
    head = '<!DOCTYPE urlset SYSTEM "http://127.0.0.1:9/a.dtd"><urlset>'
    text = f"{head}<url><loc>http://h/&a;b</loc></url><url><loc>http://h/c</loc></url></urlset>"
    found, wrong = read(text)
    assert wrong is None
    assert [each.reason if isinstance(each, Bad) else each.url for each in found] == [  # type: ignore[union-attr]
        "a reference to an entity that the file does not declare",
        "http://h/c",
    ]


class Endless(io.RawIOBase):
    """A head, one unit again and again, and what comes last."""

    def __init__(self, head: bytes, unit: bytes, size: int, tail: bytes = b"") -> None:
        self._parts = self._all(head, unit * (65536 // len(unit)), size, tail)
        self._rest = b""

    @staticmethod
    def _all(head: bytes, unit: bytes, size: int, tail: bytes) -> Iterator[bytes]:
        yield head
        yield from (unit for _ in range(size // len(unit)))
        yield tail

    def read(self, size: int = -1) -> bytes:
        return next(self._parts, b"")


@pytest.mark.parametrize(
    ("head", "unit", "tail", "expected"),
    [
        (b"<urlset><url><loc>", b"a", b"</loc></url></urlset>", "longer than a URL may be"),
        (b"<urlset><!--", b"a", b"--></urlset>", "a part of the XML does not end"),
        (b"<urlset><url a='", b"a", b"'/></urlset>", "a part of the XML does not end"),
        (b"<urlset><", b"a", b"/></urlset>", "a part of the XML does not end"),
        (b"<urlset><?a ", b"a", b"?></urlset>", "a part of the XML does not end"),
        (b"<urlset><url>", b"a", b"</url></urlset>", "WithoutUrl"),
        (b"<urlset>", b"<a/>", b"</urlset>", None),
    ],
)
def test_memory_is_bounded(head: bytes, unit: bytes, tail: bytes, expected: str | None) -> None:
    found: list[Outcome] = []
    wrong = None
    size = 1_000_000 if unit == b"<a/>" else 30_000_000
    tracemalloc.start()
    try:
        found.extend(sitemap.records(Endless(head, unit, size, tail), "sitemap.xml"))  # type: ignore[arg-type]
    except LogError as error:
        wrong = str(error).partition(": ")[2]
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    reasons = [each.reason if isinstance(each, Bad) else type(each).__name__ for each in found]
    assert [*reasons, *([wrong] if wrong else [])] == ([expected] if expected else [])
    assert most < 20_000_000


def test_files(tmp_path: Path) -> None:
    text = f"{SET}<url><loc>http://h/a</loc></url></urlset>".encode()
    file = log(tmp_path, text, "a.txt")
    assert urls(all_of(file)) == ["http://h/a"]
    assert file.format_name == "sitemap"
    assert until_it_fails(log(tmp_path, b"", format_name="sitemap")) == ([], None)
    assert until_it_fails(log(tmp_path, b"\n", format_name="sitemap"))[1] is not None
