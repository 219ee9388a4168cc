"""Whole blocks of lines give what their lines give one by one, whatever is wrong with some of them."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow.json as pj
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iri_canon.errors import LogError
from iri_canon.logs import block_reading, feed_rows, jsonl, urls
from iri_canon.logs import blocks as blocks_module
from iri_canon.logs.block_reading import WAYS, BlockReader
from iri_canon.logs.blocks import Block, blocks
from iri_canon.logs.columns import PLACES, SCHEMA, WITHOUT_PLACES, batches
from iri_canon.logs.feed_rows import Feed
from iri_canon.logs.lines import lines_of
from iri_canon.logs.records import Bad, Line, Outcome
from iri_canon.logs.tally import Tally

RECORDS = {"jsonl": jsonl.records, "urls": urls.records}
Found = tuple[list[dict[str, Any]], Tally, list[Bad]]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of few lines, that can be cut down to one."""
    monkeypatch.setattr(blocks_module, "SIZE", 300)
    monkeypatch.setattr(blocks_module, "_LEAST", 0)


def by_line(format_name: str, octets: bytes) -> Found:
    tally, told = Tally("log", format_name), list[Bad]()
    found = batches(RECORDS[format_name](lines_of([octets], "log")), tally, 7, told.append)
    return [row for batch in found for row in batch.to_pylist()], tally, told


def chunks_of(octets: bytes) -> Iterator[bytes]:
    return (octets[start : start + 100] for start in range(0, len(octets), 100))


def by_block(format_name: str, octets: bytes) -> Found:
    tally, told = Tally("log", format_name), list[Bad]()
    reader = BlockReader(WAYS[format_name](), "log", tally, told.append)
    rows: list[dict[str, Any]] = []
    for batch in reader.batches(blocks(chunks_of(octets)), 7, threads=2):
        batch.validate(full=True)
        assert batch.schema.equals(SCHEMA)
        rows += batch.to_pylist()
    return rows, tally, told


def check(format_name: str, octets: bytes) -> Found:
    found = by_block(format_name, octets)
    assert found == by_line(format_name, octets)
    assert without_places(format_name, octets) == [
        {name: value for name, value in row.items() if name not in PLACES} for row in found[0]
    ]
    return found


def without_places(format_name: str, octets: bytes) -> list[dict[str, Any]]:
    reader = BlockReader(WAYS[format_name](), "log", Tally("log", format_name), places=False)
    found = list(reader.batches(blocks(chunks_of(octets)), 7))
    assert all(batch.schema.equals(WITHOUT_PLACES) for batch in found)
    return [row for batch in found for row in batch.to_pylist()]


# ------------------------------------------------------------------------------------------ feeds

TEXTS = st.one_of(
    st.sampled_from(
        ["http://h/a", "http://h/é", "", "-", "200", "301", "GET", "HEAD", "2026-12-01T06:10:35Z"]
    ),
    st.sampled_from(
        ["20261201061035", "1796105435.5", "0000000301", "\0a", "\ud800", "\udce9", "😀", "}", '"']
    ),
    st.text(max_size=5),
)
NUMBERS = st.one_of(
    st.sampled_from(
        [200, 301, 200.0, -0.0, 1796105435, 10**9, -(10**9), 2**31, 2**63, 2**64, 10**400, 1e300]
    ),
    st.integers(),
    st.floats(),
)
CHAINS = st.lists(TEXTS | st.sampled_from([301, 308, "meta refresh", None, True, 10**9]), max_size=3)
VALUES = st.one_of(
    TEXTS, NUMBERS, st.none(), st.booleans(), CHAINS, st.dictionaries(TEXTS, NUMBERS, max_size=2)
)
NAMES = [
    *("url", "status", "fetch_status", "digest", "content_digest", "location", "redirect", "fetch_redirect"),
    *("method", "time", "mime", "redirect_urls", "redirect_reasons", "other", "URL", "a\nb"),
]


def row(*optional: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Rows of one kind of feed."""
    always = {name: values for name, values in fields.items() if name not in optional}
    return st.fixed_dictionaries(always, optional={name: fields[name] for name in optional})


#: Rows as programs write them, all fields of one type each, and rows of anything.
FEEDS = [
    row(url=TEXTS),
    row("status", "location", url=TEXTS, status=st.integers(100, 599), location=TEXTS | st.none()),
    row("time", url=TEXTS, status=TEXTS, digest=TEXTS, time=TEXTS, method=TEXTS, mime=TEXTS),
    row(
        "fetch_status", "time", url=TEXTS, status=st.none() | TEXTS, fetch_status=st.integers(), time=NUMBERS
    ),
    row(
        "location",
        "redirect",
        "fetch_redirect",
        url=TEXTS,
        location=CHAINS,
        redirect=TEXTS,
        fetch_redirect=TEXTS,
    ),
    row("redirect_reasons", url=TEXTS, redirect_urls=CHAINS, redirect_reasons=CHAINS),
    st.dictionaries(st.sampled_from(NAMES), VALUES),
]
LINES = st.sampled_from(
    [
        *(
            "",
            " ",
            "\r",
            "[",
            "]",
            "][",
            ",",
            "{}",
            "{",
            "}",
            "{,}",
            '{"',
            "{}{}",
            "{}\x0c",
            "[{}]",
            "null",
            "\ufeff{}",
        ),
        *(
            '[{"url": "a"}',
            '{"url": "a"},',
            '{"url": "a"},,',
            '{"url": "a"} ',
            '{"url": "a"}\r',
            '{"url": "a"},\r',
        ),
        *(
            '{"url": "a"}{"url": "b"}',
            '{"url": "a", "url": "b"}',
            '{"url": "a", "x": 1, "x": 2}',
            '{"\\u0075rl": "a"}',
        ),
        *('{"url": "a", "x": Infinity}', '{"url": "a", "x": -NaN}', '{"url": "a", "x": [Inf, NaN]}', "{}]"),
        *('{"url": "\\ud800"}', '{"url": "\\udc00"}', '{"url": "\\ud83d\\ude00"}', '{"url": "\\u0000a"}'),
        '{"url": "a", "x": ' + "[" * 2000 + "]" * 2000 + "}",
        '{"url": "a", "x": ' + "1" * 5000 + "}",
        *(
            '{"url": "a", "status": 301, "status": null}',
            '{"url": "a", "x": 1e999}',
            '{"url": "a", "time": 1e999}',
        ),
    ]
)


@st.composite
def feeds(draw: st.DrawFn) -> bytes:
    """Feeds with lines that are none, and octets that come from elsewhere."""
    kinds = draw(st.lists(st.sampled_from(FEEDS), min_size=1, max_size=2))
    is_ascii, separators = draw(st.booleans()), draw(st.sampled_from([(", ", ": "), (",", ":")]))
    lines = []
    for kind in draw(st.lists(st.sampled_from([*kinds, *kinds, *kinds, LINES]), max_size=12)):
        line = draw(kind)
        is_row = isinstance(line, dict)
        lines.append(json.dumps(line, ensure_ascii=is_ascii, separators=separators) if is_row else line)
    end = draw(st.sampled_from(["\n", "\n", "\r\n", ",\n", "\n\n"]))
    octets = (end.join(lines) + draw(st.sampled_from(["", end]))).encode("utf-8", "surrogatepass")
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(octets)))
        new = draw(
            st.sampled_from([b"", b"\0", b"\n", b"{", b"}", b'"', b"\\", b"\xff", b",", b"[", b" ", b"\r"])
        )
        octets = octets[:at] + new + octets[at + draw(st.integers(0, 2)) :]
    return octets


@settings(max_examples=settings().max_examples // 3)
@given(feeds())
@example(b'{"url": "a", "x": [{}\n{}]}\n')
@example(b'{"url": "a}\n{"}\n')
@example(b'{"url": "a"}{"url": "b"}\n\n')
@example(b'{"url": "a", "x": [{}\n,{}]}\n')
@example(b'{"url": "a"}\0}\n{"url": "b"}\n')
def test_a_feed_in_blocks_is_the_feed_line_by_line(octets: bytes) -> None:
    check("jsonl", octets)


def feed(count: int, **fields: Any) -> list[bytes]:
    """Rows as a program writes them."""
    return [json.dumps({"url": f"http://h/{number}", **fields}).encode() for number in range(count)]


@pytest.fixture
def exact(monkeypatch: pytest.MonkeyPatch) -> list[Line]:
    """The lines that were read one by one."""
    read: list[Line] = []

    def noting(records: Any) -> Any:
        def noted(lines: Iterable[Line]) -> Iterator[Outcome]:
            for line in lines:
                read.append(line)
                yield from records([line])

        return noted

    for module in (jsonl, urls):
        monkeypatch.setattr(module, "records", noting(module.records))
    return read


COMMON: list[dict[str, Any]] = [
    {},
    {
        "status": 200,
        "time": "2026-12-01T06:10:35.5+00:00",
        "mime": "text/html",
        "depth": 3,
        "tags": ["a", {"b": 1}],
    },
    {"fetch_status": "200", "content_digest": "sha1:A", "time": 1796105435, "title": "é😀", "price": 1.5},
    {
        "status": 301,
        "location": "/b",
        "redirect": None,
        "digest": "-",
        "method": "HEAD",
        "x": None,
        "y": True,
    },
    {"redirect_urls": ["http://h/0", "/1"], "redirect_reasons": [301, 302], "status": 200, "x": float("nan")},
    {"redirect_urls": [], "redirect_reasons": [], "status": 200},
]


@pytest.mark.parametrize("fields", COMMON, ids=[str(sorted(fields)) for fields in COMMON])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b",\n", b",\r\n", b"\n\n"])
def test_a_common_feed_is_read_at_once(fields: dict[str, Any], end: bytes, exact: list[Line]) -> None:
    octets = end.join([*feed(200, **fields), b""])
    rows, tally, _ = check("jsonl", octets)
    assert (len(rows), tally.bad.total()) == (200, 0)
    exact.clear()
    by_block("jsonl", octets)
    assert len([line for line in exact if line.text]) == 0


@pytest.mark.parametrize(
    "bad",
    [
        b"{",
        b'{"url": 7}',
        b'{"url": "\xff"}',
        b'{"url": "a", "status": "200", "tags": [1]}',
        b"[1]",
        b'{"url": "\\udc80"}',
    ],
)
def test_a_line_of_doubt_is_read_alone(bad: bytes, exact: list[Line]) -> None:
    lines = feed(200, status=200, tags=[1])  # no flat object: those that are alike are never learnt from
    lines.insert(100, bad)
    by_block("jsonl", b"\n".join(lines))
    assert [line.place.line for line in exact] == [101]
    check("jsonl", b"\n".join(lines))


def test_a_field_that_comes_late_is_learnt(exact: list[Line]) -> None:
    lines = [
        *feed(100, status=200, tags=[1]),
        *feed(100, location="/b", status=301, tags=[1]),
        *feed(100, time=5, tags=[1]),
    ]
    rows, _, _ = by_block("jsonl", b"\n".join(lines))
    assert [line.place.line for line in exact] == [101, 201]
    assert [row["location"] for row in rows] == [None] * 100 + ["/b"] * 100 + [None] * 100


def test_what_is_learnt_while_a_block_is_read_is_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    feed, block = Feed(), Block(b'{"url": "http://h/a"}\n{"url": "http://h/b", "redirect_urls": null}')
    read_json = pj.read_json

    def meanwhile(*args: Any, **named: Any) -> Any:
        assert feed.learn(['{"status": 200, "redirect_urls": ["a"], "redirect_reasons": [301]}'])
        return read_json(*args, **named)

    monkeypatch.setattr(feed_rows.pj, "read_json", meanwhile)
    rows = feed.rows(block)
    assert rows is not None
    assert rows.columns.keys() == {"url"}
    monkeypatch.undo()
    rows = feed.rows(block)
    assert rows is not None
    assert rows.columns.keys() == {"url", "status"}


def test_a_feed_of_doubts_is_not_tried_over_and_over(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    rows = Feed.rows

    def noted(feed: Feed, block: Block) -> Any:
        tried.append(block.line)
        return rows(feed, block)

    monkeypatch.setattr(Feed, "rows", noted)
    lines = [*feed(1, status=200), *feed(500, status="200")]
    by_block("jsonl", b"\n".join(lines))
    assert len(tried) < len(lines) / 4
    # and a feed that comes to be without doubts is read at once again
    by_block("jsonl", b"\n".join([*lines[:50], *feed(500, status=200)]))
    assert tried[-1] > 500


# ------------------------------------------------------------------------------------------ lists

LIST_LINES = st.one_of(
    st.sampled_from(
        ["http://h/a", "http://h/é", "", " ", "\t", "#", "# a", " # a", "http://h/#a", "a b", " a ", "\r"]
    ),
    st.sampled_from(
        ["\ufeff", "\ufeffhttp://h/", "\0a", "a\0", "\udce9", "\u00a0a\u00a0", "a\x0b", "\x0c", "\u2028"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")),
)


@given(st.lists(LIST_LINES), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_list_in_blocks_is_the_list_line_by_line(texts: list[str], end: str, is_ended: bool) -> None:
    check("urls", (end.join(texts) + end * is_ended).encode("utf-8", "surrogateescape"))


def test_a_list_is_read_at_once(exact: list[Line]) -> None:
    octets = b"# seeds\r\n" + b"\r\n".join(b"http://h/%d\r\n" % number for number in range(200))
    rows, _, _ = by_block("urls", octets)
    assert exact == []
    assert [row["url"] for row in rows] == [f"http://h/{number}" for number in range(200)]
    check("urls", octets)


def test_octets_that_are_no_utf_8_are_read_alone(exact: list[Line]) -> None:
    octets = b"\n".join([*[b"http://h/"] * 100, b"http://h/\xe9", *[b"http://h/"] * 100])
    rows, _, _ = by_block("urls", octets)
    assert rows[100]["url"] == "\0http://h/\\udce9"
    assert [line.place.line for line in exact] == [101]


# ------------------------------------------------------------------------------------------ batches


def test_what_tell_raises_comes_behind_the_records_before() -> None:
    def stop(_: Bad) -> None:
        raise LogError("enough")

    lines = feed(20)
    lines.insert(7, b"{")
    reader = BlockReader(WAYS["jsonl"](), "log", Tally("log"), stop)
    parts = reader.batches([Block(b"\n".join(lines))], 0)
    assert next(parts).column("line").to_pylist() == list(range(1, 8))
    with pytest.raises(LogError, match="enough"):
        next(parts)


def test_little_is_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    def of_size(size: int) -> Iterator[Block]:
        for number in range(50):
            taken.append(number)
            yield Block(b"a" * size + b"\n", number + 1)

    def ahead(size: int) -> int:
        taken.clear()
        reader = BlockReader(WAYS["urls"](), "log", Tally("log"))
        found = [(len(taken), batch.num_rows) for batch in reader.batches(of_size(size), 0, threads=4)]
        assert len(found) == 50
        return max(count - place for place, (count, _) in enumerate(found))

    assert ahead(10) == 9
    monkeypatch.setattr(block_reading, "_MOST_AHEAD", 5_000)
    assert ahead(10) == 9
    assert ahead(2_000) == 3
    assert ahead(10_000) == 1


def test_a_batch_has_no_more_rows_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_reading, "ROWS", 3)
    reader = BlockReader(WAYS["urls"](), "log", Tally("log"))
    found = list(reader.batches([Block(b"a\nb\nc\nd")], 0))
    assert [batch.column("number").to_pylist() for batch in found] == [[0, 1, 2], [3]]


@pytest.mark.parametrize("octets", [b'{"url": "a"}\n{"url": "b"}', b'{"url": "\xff"}'])
def test_the_name_of_a_file_may_be_no_utf_8(octets: bytes) -> None:
    reader = BlockReader(WAYS["jsonl"](), "\udce9", Tally("\udce9"))
    files = [row["file"] for batch in reader.batches([Block(octets)], 0) for row in batch.to_pylist()]
    assert set(files) == {"\0\\udce9"}
