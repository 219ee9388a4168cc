"""A log is written by strangers: whatever it holds is a record, none, or bad, in linear time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import is_linear

from iri_canon.logs import FORMATS, Bad, Record, WithoutUrl
from iri_canon.logs.formats import detect
from iri_canon.logs.lessons import Lessons
from logs.reading import lines

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
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=20).map("".join)


@pytest.mark.parametrize("name", FORMATS)
@given(text=st.lists(TEXTS, max_size=5).map("\n".join))
def test_any_line_is_a_record_or_bad_or_none(name: str, text: str) -> None:
    lessons = Lessons()
    for each in FORMATS[name].records(lines(text)):
        assert isinstance(each, (Record, Bad, WithoutUrl))
        if isinstance(each, Record):
            lessons.add(each)
    detect("log", text.splitlines())


HOSTILE = {
    "jsonl": ["[", "{", '"', "\\", '{"a":', "1", "],", '{"url": "http://h/'],
    "cdxj": ["a", " ", "1", "{", 'h 1 {"url": "'],
    "cdx": ["a", " ", "CDX ", " CDX"],
    "heritrix": [" ", "1", "R", "-", "2026-12-01T06:10:35Z "],
    "scrapy-log": [
        *(" ", "<", ">", "[", "]", "a", "> [", "> [] (referer: ", " from <GET "),
        "2026-12-01 06:10:35 [scrapy] DEBUG: Crawled (200) <GET http://h/a> [",
    ],
}
BEGINNINGS = {
    "scrapy-log": [
        *("", "2026-12-01 06:10:35 [scrapy] DEBUG: Crawled (200) <GET http://h/a"),
        "2026-12-01 06:10:35 [scrapy] DEBUG: Redirecting (301) to <GET http://h/a",
        "2026-12-01 06:10:35 [scrapy] DEBUG: Redirecting (",
    ],
    "heritrix": ["", "2026-12-01T06:10:35Z 200 9 http://h/ "],
}


@pytest.mark.parametrize("name", FORMATS)
def test_time_is_linear(name: str) -> None:
    def read(text: str) -> object:
        return detect("log", [text]), list(FORMATS[name].records(lines(text)))

    slow = [
        (begin, unit)
        for begin in BEGINNINGS.get(name, [""])
        for unit in HOSTILE[name]
        if not is_linear(read, *(begin + unit * (size // len(unit)) for size in (10_000, 40_000)))
    ]
    assert slow == []
