"""Rows of classes: one a class, in the order of first records, whatever the batches, the threads and the memory."""

import pickle
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.running import A, B, Row, classes, deduplicated, feed, groups, move, page, rows_of
from iri_canon import IriError, Rung, key
from iri_canon.dedup import CLASSES, PAIRS, SEEDS, Engine, Options, rows
from iri_canon.logs.columns import batch_of
from iri_canon.logs.records import Place, Record


def records(urls: list[str], **fields: Any) -> list[Record]:
    return [Record(Place("log", place, 0), url, **fields) for place, url in enumerate(urls)]


def test_a_row_a_class_single_spellings_too() -> None:
    assert classes(["http://h/b", "http://h/a", "HTTP://h/b", "http://h/b", "http://h/B"]) == [
        {
            "key": "http://h/b",
            "representative": "http://h/b",
            "count": 3,
            "urls": ["http://h/b", "HTTP://h/b"],
            "rung": "syntax",
            "steps": ["lowercase_scheme"],
        },
        {
            "key": "http://h/a",
            "representative": "http://h/a",
            "count": 1,
            "urls": ["http://h/a"],
            "rung": "simple",
            "steps": [],
        },
        {
            "key": "http://h/B",
            "representative": "http://h/B",
            "count": 1,
            "urls": ["http://h/B"],
            "rung": "simple",
            "steps": [],
        },
    ]


def test_the_spelling_that_is_its_own_key_represents_the_class() -> None:
    assert classes(["HTTP://h/a", "http://h/a"])[0]["representative"] == "http://h/a"
    # none is: the first one found
    assert classes(["HTTP://h/a", "http://H/a"])[0]["representative"] == "HTTP://h/a"


def test_the_rung_is_the_lowest_on_which_all_are_one() -> None:
    rungs = {}
    for other in ("http://h/a", "http://h/a#x", "http://h:80/a"):
        (row,) = classes(["http://h/a", "http://h/a#y", other])
        rungs[other] = row["rung"], row["steps"]
    assert rungs == {
        "http://h/a": ("syntax", ["drop_fragment"]),
        "http://h/a#x": ("syntax", ["drop_fragment"]),
        "http://h:80/a": ("scheme", ["drop_fragment", "drop_default_port"]),
    }


def test_what_does_not_parse_is_one_with_its_own_text_only() -> None:
    assert groups(["http://[", "http://[", "http://[#", "HTTP://["]) == [
        ["http://["],
        ["http://[#"],
        ["HTTP://["],
    ]


def test_octets_that_are_no_utf8_and_lone_surrogates_come_through() -> None:
    urls = [
        "http://h/\udce9",
        "http://h/%E9",
        "http://h/\ud800",
        "http://[\udce9",
        "\0http://h/",
        "http://h/é",
    ]
    with Engine(Options()) as engine:
        engine.read([batch_of(records(urls), 0)])
        engine.cluster()
        assert [row["urls"] for row in rows_of(engine.classes())] == [
            ["http://h/\udce9", "http://h/%E9"],
            ["http://h/\ud800"],
            ["http://[\udce9"],
            # controls around a URL are none of it
            ["\0http://h/"],
            ["http://h/é"],
        ]
        assert [row["key"] for row in rows_of(engine.classes())] == [
            "http://h/%E9",
            "http://h/%EF%BF%BD",
            "http://[\udce9",
            "http://h/",
            "http://h/%C3%A9",
        ]
        assert rows_of(engine.pairs()) == [
            {
                "url": "http://h/\udce9",
                "representative": "http://h/%E9",
                "key": "http://h/%E9",
                "rung": "syntax",
                "steps": ["encode_characters"],
            }
        ]


def test_seeds_and_pairs_say_what_the_classes_say() -> None:
    log: list[Row | str] = [move(), page(), "HTTP://h/c", "http://h/c#d", "http://h/c#e", "http://h/d"]
    with deduplicated(feed(log)) as engine:
        found, seeds, pairs = (rows_of(each) for each in (engine.classes(), engine.seeds(), engine.pairs()))
        schemas = [
            {batch.schema for batch in each} for each in (engine.classes(), engine.seeds(), engine.pairs())
        ]
    assert schemas == [{CLASSES}, {SEEDS}, {PAIRS}]
    assert (
        [row["url"] for row in seeds]
        == [row["representative"] for row in found]
        == [B, "HTTP://h/c", "http://h/d"]
    )
    assert [(row["url"], row["representative"], row["key"], row["rung"]) for row in pairs] == [
        (A, B, B, "protocol"),
        ("http://h/c#d", "HTTP://h/c", "http://h/c", "syntax"),
        ("http://h/c#e", "HTTP://h/c", "http://h/c", "syntax"),
    ]
    assert pairs[0]["steps"] == ["observed-redirect", "trailing-slash"]
    assert pairs[1]["steps"] == ["drop_fragment", "lowercase_scheme"]


def test_what_a_line_only_mentions_is_a_spelling_that_counts_for_nothing() -> None:
    mentioned = records(["http://h/a#b", "http://h/z"], counts=False)
    with Engine(Options()) as engine:
        engine.read([batch_of(records(["http://h/a"]), 0), batch_of(mentioned, 1)])
        engine.cluster()
        assert [(row["urls"], row["count"]) for row in rows_of(engine.classes())] == [
            (["http://h/a", "http://h/a#b"], 1),
            (["http://h/z"], 0),
        ]
        summary = engine.summary()
    assert (summary["records"], summary["spellings"], summary["classes"], summary["duplicates"]) == (
        1,
        3,
        2,
        0,
    )


def test_no_records_make_no_classes() -> None:
    for read in ([], [batch_of([], 0)]):
        with Engine(Options()) as engine:
            engine.read(read)
            engine.cluster()
            assert rows_of(engine.classes()) == rows_of(engine.seeds()) == rows_of(engine.pairs()) == []
            assert engine.summary()["records"] == 0


def test_extra_columns_are_those_of_the_representatives_first_record() -> None:
    batch = batch_of(records(["HTTP://h/a", "http://h/a", "http://h/a", "http://h/b"]), 0)
    extra = pa.array(['{"n":1}', '{"n":2}', '{"n":3}', None], pa.string())
    with Engine(Options()) as engine:
        engine.read([batch.append_column("extra", extra)])
        engine.read([batch_of(records(["http://h/c"]), 4)])
        engine.cluster()
        found = [(row["representative"], row["extra"]) for row in rows_of(engine.classes())]
    assert found == [("http://h/a", '{"n":2}'), ("http://h/b", None), ("http://h/c", None)]


class StoppedError(Exception):
    """A reader of a log stops."""


def _stop(_: int) -> pa.RecordBatch:
    raise StoppedError


def test_what_a_reader_raises_is_raised_behind_what_came_before() -> None:
    def broken() -> Any:
        yield batch_of(records(["http://h/a"]), 0)
        raise StoppedError

    with Engine(Options()) as engine:
        for log in (broken(), map(_stop, [0])):
            with pytest.raises(StoppedError):
                engine.read(log)
        engine.cluster()
        assert [row["urls"] for row in rows_of(engine.classes())] == [["http://h/a"]]


@pytest.mark.parametrize(
    "options",
    [
        {"memory": "much"},
        {"threads": 0},
        {"spill": "/nowhere/at/all"},
        {"conventions": ("slash",)},
        {"store": "/nowhere/store.sqlite"},
    ],
)
def test_options_that_cannot_be_are_refused_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(IriError):
        Engine(Options(**options))


def test_nothing_is_left_in_the_folder_for_what_does_not_fit(tmp_path: Any) -> None:
    with deduplicated(feed([move(), page()]), spill=str(tmp_path)) as engine:
        assert len(list(tmp_path.iterdir())) == 1
        assert len(rows_of(engine.classes())) == 1
    assert list(tmp_path.iterdir()) == []


URLS = st.lists(
    st.sampled_from(
        [
            f"{scheme}://{host}{path}"
            for scheme in ("http", "HTTP")
            for host in ("h", "h:80", "H")
            for path in ("", "/", "/a", "/a#b", "/%61", "/c", "/c/")
        ]
    ),
    max_size=30,
)


@settings(max_examples=10)
@given(urls=URLS, cut=st.integers(0, 30), threads=st.integers(1, 4))
def test_classes_are_those_of_keys_counted_by_hand(urls: list[str], cut: int, threads: int) -> None:
    expected: dict[str, list[str]] = {}
    for url in urls:
        expected.setdefault(key(url), []).append(url)
    with Engine(Options(threads=threads)) as engine:
        engine.read([batch_of(records(urls[:cut]), 0)])
        engine.read([batch_of(records(urls[cut:]), cut)])
        engine.cluster()
        found = rows_of(engine.classes())
        numbers = engine.summary()
    assert [row["key"] for row in found] == list(expected)
    for row, members in zip(found, expected.values(), strict=True):
        assert row["urls"] == list(dict.fromkeys(members))
        assert row["count"] == len(members)
        assert row["representative"] == next((url for url in members if url == row["key"]), members[0])
    assert numbers["rungs"] == {
        "simple": len(set(urls)),
        "syntax": len({key(url, Rung.SYNTAX) for url in urls}),
        "scheme": len(expected),
        "protocol": len(expected),
    }
    assert (numbers["records"], numbers["classes"]) == (len(urls), len(expected))
    assert numbers["duplicates"] == len(urls) - len(expected)


def test_the_answer_does_not_hang_on_threads_and_batches() -> None:
    urls = [f"http://h{place % 7}/{place % 1000}{'#' * (place % 3)}" for place in range(20_000)]
    rows_given = feed([*urls, *(move(f"http://h1/{n}/", f"http://h1/{n}") for n in range(1000))])
    answers = set()
    for options in ({"threads": 1}, {"threads": 4}, {"threads": 2, "memory": "100MB"}):
        with deduplicated(rows_given, **options) as engine:
            summary = engine.summary() | {"options": None}
            answer = [rows_of(engine.classes()), rows_of(engine.seeds()), rows_of(engine.pairs()), summary]
        answers.add(pickle.dumps(answer))
    assert len(answers) == 1


@given(
    sizes=st.lists(st.integers(1, 9), max_size=12),
    batch=st.integers(1, 12),
)
def test_rows_are_cut_where_classes_end_whatever_the_batches(sizes: list[int], batch: int) -> None:
    number = [place for place, size in enumerate(sizes) for _ in range(size)]
    chosen = [within == size // 2 for size in sizes for within in range(size)]
    table = pa.table(
        {
            "class": pa.array(number, pa.int64()),
            "url": pa.array([f"u{place}" for place in range(len(number))], pa.string()),
            "key": pa.array([f"k{place}" for place in range(len(number))], pa.string()),
            "records": pa.array([1] * len(number), pa.int64()),
            "is_representative": pa.array(chosen, pa.bool_()),
            "rung": pa.array([each % 4 for each in number], pa.int32()),
            "steps": pa.array([[f"s{each}"] for each in number], pa.list_(pa.string())),
        }
    )
    found = [row for each in rows.classes(table.to_batches(batch)) for row in each.to_pylist()]
    assert [row["count"] for row in found] == sizes
    start = 0
    for place, (size, row) in enumerate(zip(sizes, found, strict=True)):
        assert row["urls"] == [f"u{each}" for each in range(start, start + size)]
        assert row["representative"] == f"u{start + size // 2}"
        assert row["key"] == f"k{start + size // 2}"
        assert (row["rung"], row["steps"]) == (list(Rung)[place % 4].name.lower(), [f"s{place}"])
        start += size
