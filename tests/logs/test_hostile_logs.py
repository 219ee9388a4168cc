"""A log is written by strangers: whatever it holds is a record, none, or bad, in linear time."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import is_linear

from iri_canon.errors import LogError
from iri_canon.logs import FORMATS, Bad, Record, WithoutUrl
from iri_canon.logs.formats import Format, SiteFormat, detect
from iri_canon.logs.lessons import Lessons
from logs.reading import outcomes_of

PIECES = st.sampled_from(
    [
        *(
            '{"url": "http://h/',
            '"}',
            '"location": "',
            '"redirect_urls": ["',
            "[",
            "]",
            "{",
            "}",
            ",",
            ":",
            '"',
            "\\ud800",
            "1e999",
        ),
        *(
            " CDX ",
            "CDX",
            "N",
            "a",
            "b",
            "s",
            "r",
            "h)/",
            "20261201061035",
            "99999999999999",
            "-",
            " ",
            "\t",
            "!",
        ),
        *(
            "2026-12-01T06:10:35.000Z ",
            "2026-12-01 06:10:35 ",
            "[scrapy] DEBUG: ",
            "Crawled (200) ",
            "Redirecting (301) to ",
        ),
        *(
            "<GET http://h/a>",
            " from ",
            " (referer: ",
            "<",
            ">",
            "http://[",
            "http://h/",
            "LR",
            "200",
            "-1",
            "\x00",
            "\udce9",
            "\u2028",
        ),
        *(
            "url,status",
            "url",
            ";",
            '""',
            "[01/Dec/2026:07:10:35 +0100] ",
            '"GET /',
            ' HTTP/1.1" 200 9',
            "\\x",
        ),
        *(
            "<urlset>",
            "<url>",
            "<loc>",
            "</loc>",
            "</url>",
            "</urlset>",
            "&amp;",
            "&a;",
            "<![CDATA[",
            "]]>",
            "#",
        ),
        *("Retrying <", "Filtered duplicate request: <", "[scrapy.core.scraper] ERROR: Error downloading <"),
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=20).map("".join)


OF_TEXT = [
    name for name, known in FORMATS.items() if isinstance(known, Format | SiteFormat) or name == "sitemap"
]


@pytest.mark.parametrize("name", OF_TEXT)
@given(text=st.lists(TEXTS, max_size=5).map("\n".join))
def test_any_line_is_a_record_or_bad_or_none(name: str, text: str) -> None:
    lessons = Lessons()
    try:
        for each in outcomes_of(name, text):
            assert isinstance(each, (Record, Bad, WithoutUrl))
            if isinstance(each, Record):
                lessons.add(each)
    except LogError:
        assert name in {"csv", "sitemap"}  # no column, broken XML: the lines of others are judged one by one
    detect("log", text.encode("utf-8", "surrogateescape"))


HOSTILE = {
    "jsonl": ["[", "{", '"', "\\", '{"a":', "1", "],", '{"url": "http://h/'],
    "cdxj": ["a", " ", "1", "{", 'h 1 {"url": "'],
    "cdx": ["a", " ", "CDX ", " CDX"],
    "heritrix": [" ", "1", "R", "-", "2026-12-01T06:10:35Z "],
    "combined": [
        *(
            " ",
            "a",
            "[",
            '"',
            "\\",
            '\\"',
            "\\x",
            "[01/Dec/2026:07:10:35 +0100] ",
            ' [01/Dec/2026:07:10:35 +0100] "a',
        ),
        ' [01/Dec/2026:07:10:35 +0100] "a" ',
    ],
    "csv": ["url", ",", ";", '"', '""', '",', ',"', 'url,"', "a\tb", "|"],
    "sitemap": [
        "<",
        "<a>",
        "<?a?>",
        "<!-- ",
        "<!-- -->",
        "<!DOCTYPE a [",
        "<!DOCTYPE a>",
        " ",
        "<a ",
        "<urlset>",
        "a:",
    ],
    "urls": [" ", "a", "#", "http://h/", "a://"],
    "scrapy-log": [
        *(" ", "<", ">", "[", "]", "a", "> [", "> [] (referer: ", " from <GET "),
        "2026-12-01 06:10:35 [scrapy] DEBUG: Crawled (200) <GET http://h/a> [",
        *(">:", "> (", "<GET "),
    ],
}
BEGINNINGS = {
    "scrapy-log": [
        *("", "2026-12-01 06:10:35 [scrapy] DEBUG: Crawled (200) <GET http://h/a"),
        "2026-12-01 06:10:35 [scrapy] DEBUG: Redirecting (301) to <GET http://h/a",
        "2026-12-01 06:10:35 [scrapy] DEBUG: Redirecting (",
        "2026-12-01 06:10:35 [scrapy] DEBUG: Retrying <GET http://h/a",
    ],
    "combined": ["", "h - - ", 'h - - [01/Dec/2026:07:10:35 +0100] "'],
    "csv": ["", "url,a\n", "url\n"],
    "sitemap": ["", "<urlset>", "<urlset><url><loc>"],
    "heritrix": ["", "2026-12-01T06:10:35Z 200 9 http://h/ "],
}


@pytest.mark.parametrize("name", OF_TEXT)
def test_time_is_linear(name: str) -> None:
    def read(text: str) -> object:
        found = [detect("log", text.encode())]
        with suppress(LogError):
            found.extend(outcomes_of(name, text))
        return found

    slow = [
        (begin, unit)
        for begin in BEGINNINGS.get(name, [""])
        for unit in HOSTILE[name]
        if not is_linear(read, *(begin + unit * (size // len(unit)) for size in (10_000, 40_000)))
    ]
    assert slow == []
