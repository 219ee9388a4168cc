"""crawl.log, as "Crawl log" of Heritrix's user manual has it."""

import pytest

from iri_canon.logs import Hop, Record
from logs.reading import reasons, records

LINE = (
    "2015-05-22T15:01:11.559Z   {status}        837 {url} {path} {via} text/html "
    "#002 20150522150111471+68 {digest} - {notes}"
)


def line(
    status: str = "200",
    url: str = "http://h/a",
    path: str = "-",
    via: str = "-",
    digest: str = "sha1:FQ2W",
    notes: str = "content-size:1117,3t",
) -> str:
    return LINE.format(status=status, url=url, path=path, via=via, digest=digest, notes=notes)


def record(**columns: str) -> Record:
    (found,) = records("heritrix", line(**columns))
    return found


def test_a_line_has_its_columns() -> None:
    found = record()
    assert (found.url, found.status, found.digest, found.mime) == (
        "http://h/a",
        200,
        "sha1:FQ2W",
        "text/html",
    )
    assert found.time == 1432306871.559
    assert found.hops() == ()


@pytest.mark.parametrize("path", ["R", "LLR", "EXR", "12+LR"])
def test_a_path_that_ends_in_r_is_a_redirect_of_its_via(path: str) -> None:
    assert record(path=path, via="http://h/b").hops() == (Hop("http://h/b", "http://h/a", None),)


@pytest.mark.parametrize("path", ["-", "L", "RL", "E", "X", "P", "I", "RP"])
def test_no_other_path_is_one(path: str) -> None:
    assert record(path=path, via="http://h/b").hops() == ()


def test_a_redirect_without_its_via_is_none() -> None:
    assert record(path="R", via="-").hops() == ()


def test_statuses_of_heritrix_itself_are_negative() -> None:
    assert record(status="-5003").status == -5003
    assert record(status="1", url="dns:h").url == "dns:h"


def test_what_is_told_at_the_end_may_hold_spaces_or_json() -> None:
    assert record(notes='le:IOException@HTTP,3t {"contentSize": 9, "a": "b c"}').url == "http://h/a"
    assert record(digest="-").digest is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2015-05-22T15:01:11.559Z 200 837 http://h/a - -", "not as many columns as there should be"),
        (line(status="x"), "the status is no number"),
        (line(status="--1"), "the status is no number"),
        (line(status="1234567890"), "the status is no number"),
        (line(path="http://h/b"), "the hop path is none"),
        (line().replace("05-22T", "05-32T", 1), "the time is none"),
    ],
)
def test_a_bad_line_costs_itself(text: str, reason: str) -> None:
    assert reasons("heritrix", f"{line()}\n{text}\n\n{line()}") == [reason]
