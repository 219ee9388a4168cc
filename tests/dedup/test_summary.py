"""The numbers of a run are those of its classes, counted otherwise; JSON takes them, whatever the log held."""

import json
from typing import Any

import pytest

from dedup.running import A, B, classes, deduplicated, feed, move, page
from iri_canon import __version__
from iri_canon.dedup import Engine, Options
from iri_canon.logs.columns import batch_of
from iri_canon.logs.records import Bad, Place, Record
from iri_canon.logs.tally import Tally

ROWS: list[Any] = [
    move(), page(), "http://u:p@h.example:8080/docs/a?b/c", "http://h.example:8080/docs/a?b/c#d", "http://h.example/Docs/",
    "http://h.example/Docs/x/", "urn:a:b", "http://[", "/docs/a", "HTTP://h.example/Docs/x/", "HTTP://h.example/Docs/x/",
]  # fmt: skip


def summary(rows: list[Any], **options: Any) -> dict[str, Any]:
    with deduplicated(feed(rows), **options) as engine:
        found: dict[str, Any] = json.loads(json.dumps(engine.summary()))
        return found


def test_counts_add_up() -> None:
    found = summary(ROWS)
    rows = classes(ROWS)
    assert found["version"] == __version__
    assert found["records"] == len(ROWS) == sum(row["count"] for row in rows)
    assert found["spellings"] == found["rungs"]["simple"] == sum(len(row["urls"]) for row in rows)
    assert found["classes"] == found["rungs"]["protocol"] == len(rows)
    assert found["duplicates"] == len(ROWS) - len(rows)
    assert found["rungs"] == {"simple": 10, "syntax": 9, "scheme": 9, "protocol": 8}


def test_hosts_and_sections_are_those_of_keys() -> None:
    found = summary(ROWS)
    assert found["hosts"] == [
        {"host": "h.example", "records": 6, "spellings": 5, "classes": 3},
        {"host": "", "records": 2, "spellings": 2, "classes": 2},
        {"host": "h.example:8080", "records": 2, "spellings": 2, "classes": 2},
        {"host": "[", "records": 1, "spellings": 1, "classes": 1},
    ]
    assert [(row["host"], row["section"], row["classes"]) for row in found["sections"]] == [
        ("h.example", "docs", 1),
        ("h.example", "x", 1),
        ("", "", 2),
        ("h.example:8080", "docs", 2),
        ("[", "", 1),
        ("h.example", "", 1),
    ]


def test_steps_count_what_they_joined() -> None:
    steps = {row["step"]: row for row in summary(ROWS)["steps"]}
    assert steps["lowercase_scheme"] == {
        "rung": "syntax",
        "step": "lowercase_scheme",
        "clause": "RFC 3986 6.2.2.1",
        "classes": 1,
        "spellings": 1,
        "records": 2,
    }
    assert set(steps) == {"lowercase_scheme", "observed-redirect", "trailing-slash"}


def test_the_top_classes_are_explained() -> None:
    top = summary(ROWS)["top"]
    assert [each["count"] for each in top] == [3, 2]
    assert top[1] | {"explanation": None} == {
        "key": B,
        "representative": B,
        "count": 2,
        "spellings": 2,
        "rung": "protocol",
        "urls": [A, B],
        "steps": ["observed-redirect", "trailing-slash"],
        "explanation": None,
    }
    (moved, itself) = top[1]["explanation"]
    assert itself == {"url": B, "steps": []}
    assert [(step["rung"], step["name"], step["after"]) for step in moved["steps"]] == [
        ("protocol", "observed-redirect", B),
        ("protocol", "trailing-slash", B),
    ]
    assert top[0]["explanation"][1]["steps"] == [
        {
            "rung": "syntax",
            "name": "lowercase_scheme",
            "clause": "RFC 3986 6.2.2.1",
            "after": "http://h.example/Docs/x/",
        }
    ]


def test_the_top_is_bounded_and_what_was_met_once_is_not_in_it() -> None:
    many = [f"http://h/{place}#{copy}" for place in range(120) for copy in range(1 + place % 25)]
    top = summary(many)["top"]
    assert len(top) == 100
    assert all(len(each["urls"]) <= 20 and each["spellings"] > 1 for each in top)
    assert top[0]["count"] == 25 and len(top[0]["urls"]) == 20
    assert summary(["http://h/a", "http://h/b", "http://h/b"])["top"] == [
        {
            "key": "http://h/b",
            "representative": "http://h/b",
            "count": 2,
            "spellings": 1,
            "rung": "simple",
            "urls": ["http://h/b"],
            "steps": [],
            "explanation": [{"url": "http://h/b", "steps": []}],
        }
    ]


HOUR = 3600


@pytest.mark.parametrize(
    ("times", "bucket", "expected"),
    [
        ([], None, []),
        ([None, None], None, []),
        ([0, 10, HOUR, None], "hour", [("1970-01-01T00:00Z", 2, 1), ("1970-01-01T01:00Z", 1, 0)]),
        ([400 * HOUR, 0], "day", [("1970-01-01", 1, 1), ("1970-01-17", 1, 0)]),
    ],
)
def test_times_are_told_if_asked(times: list[float | None], bucket: str | None, expected: list[Any]) -> None:
    rows = [page("http://h/a" + "#" * place, time=time) for place, time in enumerate(times)]
    found = summary(rows, times=True)
    assert found["bucket"] == bucket
    assert [(each["from"], each["records"], each["new"]) for each in found["times"]] == expected
    assert summary(rows)["times"] == []


def test_hours_change_no_class() -> None:
    rows = [page("http://h/a", time=time * HOUR) for time in range(5)]
    assert classes(rows, times=True) == classes(rows)


def test_redirects_are_told_with_reasons_and_examples() -> None:
    rows = [
        move(),
        page(),
        *(move(f"http://h.example/q/{place}", "/") for place in range(300)),
        page("http://h.example/"),
    ]
    found = summary(rows)["redirects"]
    assert (found["observed"], found["joined"], found["refused"]) == (301, 1, {"unexplained": 300})
    assert len(found["examples"]) == 200
    assert found["examples"][1] == {
        "source": "http://h.example/q/0",
        "target": "http://h.example/",
        "statuses": [301],
        "joined": False,
        "why": ["unexplained"],
    }


def test_what_the_log_teaches_is_told() -> None:
    def taught(rows: list[Any]) -> list[tuple[str, int, int]]:
        rules = summary(rows)["rules"]
        assert all(rule["host"] == "h.example" and rule["kind"] == "trailing-slash" for rule in rules)
        return [
            (rule["state"], rule["support"], rule["contradictions"])
            for rule in rules
            if rule["section"] == "x"
        ]

    pages = [page(f"http://h.example/x/{place}") for place in range(5)]
    moves = [move(f"{each['url']}/", each["url"]) for each in pages]
    assert taught([*moves, *pages]) == [("in force", 5, 0)]
    assert taught([*moves[:2], *pages]) == [("proposed", 2, 0)]
    followed = [{**each, "redirect_urls": [f"{each['url']}/"], "redirect_reasons": [301]} for each in pages]
    assert taught(followed) == [("in force", 5, 0)]
    assert taught([*pages, *(page(f"{each['url']}/") for each in pages)]) == []


@pytest.mark.parametrize(("most", "told"), [(2, True), (1, False)])
def test_rules_of_a_log_that_is_too_large_are_not_known(
    most: int, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iri_canon.dedup.taught.MOST_ROWS", most)
    assert (summary([move(), page()])["rules"] is not None) == told
    assert summary(["http://h/a", "http://h/b"])["rules"] == []  # what shows nothing is not too large


def test_files_are_told_with_their_first_bad_records() -> None:
    tally = Tally("a.jsonl", "jsonl", records=1)
    tally.add_bad(Bad(Place("a.jsonl", 2, 17), "not JSON"))
    with Engine(Options()) as engine:
        engine.cluster()
        assert engine.summary([tally])["files"] == [
            {
                "file": "a.jsonl",
                "format": "jsonl",
                "records": 1,
                "bad": {"not JSON": 1},
                "without_url": 0,
                "problem": None,
                "examples": ["a.jsonl:2: byte 17: not JSON"],
            }
        ]


def test_hostile_text_stays_text() -> None:
    urls = [
        "http://h/\udce9",
        "http://h/'; DROP TABLE spellings; --",
        'http://h/"{}',
        "\0",
        "<script>",
        "http://h/\u202e",
    ]
    with Engine(Options(conventions=("https",))) as engine:
        engine.read([batch_of([Record(Place("'", 1, 0), url, location="{'") for url in urls * 2], 0)])
        engine.cluster()
        found = engine.summary()
        compared = engine.against(str.upper, "'; DROP TABLE spellings")
    assert json.loads(json.dumps(found)) == found
    assert {each["representative"] for each in found["top"]} == set(urls)
    assert compared["name"] == "'; DROP TABLE spellings"
