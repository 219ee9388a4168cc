"""Lines that are alike give, cut at their quotes, what each gives alone; those that are not are left to others."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from iri_canon.logs import blocks as blocks_module
from iri_canon.logs import feed_rows
from iri_canon.logs.alike_rows import columns
from tests.logs.test_block_reading import check

NAMES = frozenset({"url", "status", "time", "digest", "mime", "location", "method", "redirect_urls"})
TEXTS = st.sampled_from(
    [
        "http://h/a",
        "http://h/é",
        "",
        "-",
        "200",
        "GET",
        'a"b',
        "a\\b",
        'a\\"',
        "\\",
        "\ud800",
        "\0",
        "\x01",
        "\x7f",
        "\t",
        "😀",
        "{}",
    ]
) | st.text(max_size=4)
BARE = st.sampled_from(
    [None, True, False, 0, 7, -7, 200, 1.5, 1e300, 10**9, 10**18, 1796105435.25, -0.0, float("inf")]
)
FIELDS = ("url", "status", "time", "digest", "mime", "location", "method", "redirect_urls", "title", "url\\")


@st.composite
def feeds(draw: st.DrawFn) -> bytes:
    """A few lines of the same fields of the same kinds, with something put in somewhere."""
    kinds = draw(
        st.lists(st.tuples(st.sampled_from(FIELDS), st.sampled_from([TEXTS, BARE])), min_size=1, max_size=5)
    )
    separators = draw(st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
    is_ascii = draw(st.booleans())
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        fields = [
            json.dumps(name) + separators[1] + json.dumps(draw(values), ensure_ascii=is_ascii)
            for name, values in [("url", TEXTS), *kinds]
        ]
        lines.append("{" + separators[0].join(fields) + "}")
    octets = bytearray("\n".join(lines).encode("utf-8", "surrogatepass"))
    put_in = draw(
        st.sampled_from(
            [
                b"",
                b"",
                b'"',
                b"\\",
                b"\n",
                b"\r",
                b",",
                b"{",
                b"}",
                b"\0",
                b"\xff",
                b"\x01",
                b"\x7f",
                b"\xef\xbb\xbf",
                b" ",
            ]
        )
    )
    place = draw(st.integers(0, len(octets)))
    octets[place:place] = put_in
    return bytes(octets)


@given(octets=feeds())
@example(octets=b'{"url": "a", "url": "b"}\n{"url": "c", "url": "d"}')
@example(octets=b'{"url": "a\\"", "status": "b"}\n{"url": "c", "status": "\\\\"}')
@example(octets=b'\xef\xbb\xbf{"url": "a"}\n\xef\xbb\xbf{"url": "b"}')
@example(
    octets=b'{"url": "a", "status": 1, "fetch_status": 2}\n{"url": "a", "status": null, "fetch_status": 2}'
)
def test_alike_lines_are_the_lines_one_by_one(octets: bytes) -> None:
    check("jsonl", octets)
    check("jsonl", octets + b"\n" + octets + b"\n")


def read(*rows: str | dict[str, Any]) -> dict[str, list[Any]] | None:
    octets = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows).encode()
    found = columns(octets, NAMES)
    return None if found is None else {name: column.to_pylist() for name, column in found.items()}


def test_what_is_alike_is_read_without_a_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks_module, "SIZE", 1 << 20)
    monkeypatch.setattr(feed_rows.pj, "read_json", None)
    rows = [
        {"url": f'http://h/"{number}é', "status": 200, "time": "2026-12-01T00:00:00Z", "depth": number}
        for number in range(300)
    ]
    found, tally, _ = check("jsonl", "\n".join(map(json.dumps, rows)).encode())
    assert ([row["url"] for row in found], tally.bad.total()) == ([row["url"] for row in rows], 0)


def test_kinds_of_values() -> None:
    assert read(
        '{"url":"a","status":200,"time":1.5,"digest":null,"x":1e5}',
        '{"url":"\\u0062","status":null,"time":2,"digest":null,"x":true}',
    ) == {
        "url": ["a", "b"],
        "status": [200, None],
        "time": [1.5, 2.0],
    }


FIRST = '{"url": "a", "status": 200}'


@pytest.mark.parametrize(
    "other",
    [
        '{"url": "a", "status": "200"}',
        '{"url": "a", "status": 200.0}',
        '{"url": "a", "status": -1}',
        '{"url": "a", "status": 0200}',
        '{"url": "a", "status": 1000000000}',
        '{"url": "a", "status": true}',
        '{"url": "a", "status": 200,}',
        '{"url": "a", "status": [200]}',
        '{"url": "a", "statuz": 200}',
        '{"url": "a" "status": 200}',
        '{"url": "a", "status": 200} ',
        '{"url": "a", "status":  200}',
        '{"url": "\\x", "status": 200}',
        '{"url": "\\ud800", "status": 200}',
        '{"url": "\\u0000", "status": 200}',
        '{"status": 200, "url": "a"}',
        '{"url": "a", "status": 200, "x": 1}',
        '{"url": "a\x01", "status": 200}',
        '{"url": "a\r", "status": 200}',
        "",
    ],
)
def test_one_line_that_is_not_alike_is_seen(other: str) -> None:
    assert read(FIRST, FIRST) is not None
    assert read(FIRST, other) is None


@pytest.mark.parametrize(
    "line",
    [
        '{"url": "a", "url": "b"}',
        '{"url": ["a"]}',
        '{"a": {"url": "b"}}',
        '["url", "a"]',
        "{}",
        '{"u\\u0072l": "a"}',
        '{"url": "a"',
        '{"url": 1}',
    ],
)
def test_what_is_no_flat_object_is_left_to_others(line: str) -> None:
    assert read(line, line) is None
