"""A store's pairs and its rules in force count; what it only proposes, or has retracted, does not."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dedup.running import A, B, C, Row, classes, deduplicated, feed, groups, move, page, rows_of
from iri_canon.equivalence import EquivalenceStore, Observation, open_equivalences, profile
from iri_canon.learning import Policy
from iri_canon.logs.lessons import Lessons
from iri_canon.logs.records import Record


@contextmanager
def opened(path: Path) -> Iterator[EquivalenceStore]:
    store = open_equivalences(f"sqlite:{path}", profile())
    try:
        yield store
    finally:
        store.close()


def observed(path: Path, *pairs: tuple[str, str], time: float = 1.0) -> str:
    with opened(path) as store:
        for source, target in pairs:
            store.record(Observation(source, target, (301,), 200, time=time))
    return str(path)


def learned(path: Path, rows: Iterable[Row]) -> str:
    lessons = Lessons()
    for record in feed(rows):
        assert isinstance(record, Record)
        lessons.add(record)
    with opened(path) as store:
        lessons.teach(store, Policy())
    return str(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def test_the_pairs_of_a_store_join(path: Path) -> None:
    store = observed(path, (A, B))
    assert groups([A, B]) == [[A], [B]]
    for name in (store, f"sqlite:{store}"):
        (row,) = classes([A, B], store=name)
        assert (row["representative"], row["steps"]) == (B, ["observed-redirect", "trailing-slash"])
    with deduplicated(feed([A, B]), store=store) as engine:
        assert engine.summary()["store"] == {"pairs": 1, "rules": 0}
    with deduplicated(feed([A, B])) as engine:
        assert engine.summary()["store"] is None


def test_a_chain_of_pairs_joins_by_what_the_log_does_not_have(path: Path) -> None:
    observed(path, (A, B), time=1)
    assert groups([A, C], store=str(path)) == [[A], [C]]
    assert groups([A, C], store=observed(path, (B, C), time=2)) == [[A, C]]


def test_what_the_log_shows_later_counts_more(path: Path) -> None:
    home = "http://h.example/"
    store = observed(path, (A, B), time=100)
    elsewhere = [page(B), page(home), move(A, home, time=99)]
    assert groups(elsewhere, store=store) == [[B, A], [home]]
    elsewhere[-1]["time"] = 101
    assert groups(elsewhere, store=store) == [[B], [home], [A]]


def test_a_store_is_given_back_and_is_what_it_was(path: Path) -> None:
    store = observed(path, (A, B))
    with deduplicated(feed([move(B, A), page(A)]), store=store), opened(path) as again:
        assert [pair.source for pair in again.equivalences()] == [A]


def slashes(count: int, section: str = "docs") -> list[Row]:
    rows: list[Row] = []
    for number in range(count):
        target = f"http://h.example/{section}/{number}"
        rows += [move(f"{target}/", target), page(target)]
    return rows


def test_rules_in_force_join_the_way_they_hold(path: Path) -> None:
    store = learned(path, slashes(5))
    urls = [
        "http://h.example/docs/new/",
        "http://h.example/docs/new",
        "http://h.example/else/a/",
        "http://h.example/else/a",
    ]
    found = classes(urls, store=store)
    assert [row["urls"] for row in found] == [urls[:2], [urls[2]], [urls[3]]]
    assert found[0]["representative"] == urls[1]  # where the redirects led
    assert (found[0]["rung"], found[0]["steps"]) == ("protocol", ["learned-rule", "trailing-slash"])
    with deduplicated(feed(urls), store=store) as engine:
        assert engine.summary()["store"] == {"pairs": 0, "rules": 1}


def test_rules_that_are_only_proposed_join_nothing(path: Path) -> None:
    urls = ["http://h.example/docs/new/", "http://h.example/docs/new"]
    assert groups(urls, store=learned(path, slashes(2))) == [[urls[0]], [urls[1]]]


def test_rules_that_were_retracted_join_nothing(path: Path) -> None:
    against = [page("http://h.example/docs/9/", "a" * 40), page("http://h.example/docs/9", status=404)]
    urls = ["http://h.example/docs/new/", "http://h.example/docs/new"]
    assert groups(urls, store=learned(path, [*slashes(5), *against])) == [[urls[0]], [urls[1]]]


def test_rules_of_one_host_say_nothing_of_another(path: Path) -> None:
    urls = ["http://i.example/docs/new/", "http://i.example/docs/new"]
    assert groups(urls, store=learned(path, slashes(5))) == [[urls[0]], [urls[1]]]


def test_a_parameter_that_changes_nothing_is_left_out(path: Path) -> None:
    def documents(count: int, *, names: bool = True) -> list[Row]:
        return [
            page(f"http://h.example/docs/{number}?{query}", f"{number:040x}")
            for number in range(count)
            for query in ("a=1", "a=1&ref=x" if names else "a=1&ref=y")
        ]

    store = learned(path, [*documents(12), *documents(12, names=False)])
    urls = [
        "http://h.example/docs/new?a=1",
        "http://h.example/docs/new?a=1&ref=x",
        "http://h.example/docs/new?a=2",
    ]
    found = classes(urls, store=store)
    assert [row["urls"] for row in found] == [urls[:2], urls[2:]]
    assert found[0]["steps"] == ["learned-rule", "param:ref"]


def test_pairs_name_the_rule(path: Path) -> None:
    urls = ["http://h.example/docs/new", "http://h.example/docs/new/"]
    with deduplicated(feed(urls), store=learned(path, slashes(5))) as engine:
        assert rows_of(engine.pairs()) == [
            {
                "url": urls[1],
                "representative": urls[0],
                "key": urls[0],
                "rung": "protocol",
                "steps": ["learned-rule", "trailing-slash"],
            }
        ]
