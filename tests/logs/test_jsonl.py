"""Feeds: a row a line, fields under their several names, redirects as Scrapy and indexes write them."""

import json
from typing import Any

import pytest

from iri_canon.logs import Hop, Record, WithoutUrl
from logs.reading import outcomes, reasons, records


def row(**fields: Any) -> Record:
    (found,) = records("jsonl", json.dumps(fields))
    return found


def test_a_row_has_its_fields() -> None:
    found = row(
        url="http://h/a",
        status=200,
        digest="sha1:A",
        time="2026-12-01T06:10:35Z",
        method="HEAD",
        mime="text/html",
    )
    assert (found.url, found.status, found.digest, found.time) == ("http://h/a", 200, "sha1:A", 1796105435.0)
    assert (found.method, found.mime, found.hops()) == ("HEAD", "text/html", ())


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ({"fetch_status": "301"}, "status", 301),
        ({"status": 200, "fetch_status": 404}, "status", 200),
        ({"status": None, "fetch_status": 404}, "status", 404),
        ({"status": "ok"}, "status", None),
        ({"status": True}, "status", None),
        ({"status": "-"}, "status", None),
        ({"status": -998}, "status", -998),
        ({"status": 10**9 - 1}, "status", 10**9 - 1),
        ({"status": 10**9}, "status", None),
        ({"status": -(10**9)}, "status", None),
        ({"content_digest": "A"}, "digest", "A"),
        ({"digest": "-"}, "digest", None),
        ({"digest": 7}, "digest", None),
        ({"time": 1796105435}, "time", 1796105435.0),
        ({"time": "20261201061035"}, "time", 1796105435.0),
        ({"time": "1796105435.5"}, "time", 1796105435.5),
        ({"time": "2026-13-01T06:10:35Z"}, "time", None),
        ({"time": "soon"}, "time", None),
        ({"time": True}, "time", None),
        ({"time": float("nan")}, "time", None),
        ({"time": 10**400}, "time", None),
        ({}, "method", "GET"),
    ],
)
def test_fields_under_other_names_and_of_other_types(
    fields: dict[str, Any], name: str, value: object
) -> None:
    assert getattr(row(url="http://h/", **fields), name) == value


@pytest.mark.parametrize("name", ["location", "redirect", "fetch_redirect"])
def test_a_location_is_a_redirect_of_the_row(name: str) -> None:
    assert row(url="http://h/a", status=301, **{name: "/b"}).hops() == (Hop("http://h/a", "/b", 301),)
    assert row(url="http://h/a", status=301, **{name: "-"}).hops() == ()
    assert row(url="http://h/a", status=301, **{name: None}).hops() == ()


def test_a_chain_that_scrapy_followed_leads_to_the_row() -> None:
    found = row(url="http://h/c", redirect_urls=["http://h/a", "http://h/b"], redirect_reasons=[301, "302"])
    assert found.hops() == (Hop("http://h/a", "http://h/b", 301), Hop("http://h/b", "http://h/c", 302))


@pytest.mark.parametrize(
    "fields", [{}, {"redirect_reasons": []}, {"redirect_reasons": "301"}, {"redirect_reasons": [301, 301]}]
)
def test_a_chain_without_its_reasons_shows_nothing(fields: dict[str, Any]) -> None:
    assert row(url="http://h/c", redirect_urls=["http://h/a"], **fields).hops() == ()
    assert row(url="http://h/c", redirect_urls=[1], redirect_reasons=[301]).hops() == ()
    assert row(url="http://h/c", redirect_urls=["http://h/a"], redirect_reasons=[301]).hops() != ()


def test_a_refresh_is_no_redirect_of_the_protocol() -> None:
    found = row(url="http://h/c", redirect_urls=["http://h/a"], redirect_reasons=["meta refresh"])
    assert found.hops() == (Hop("http://h/a", "http://h/c", 0),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"url": "http://h/"', "not JSON"),
        ("http://h/", "not JSON"),
        ('{"url": "http://h/"} {}', "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"status": ' + "1" * 5_000 + "}", "not JSON"),
        ("[1]", "not an object"),
        ('"http://h/"', "not an object"),
        ('{"url": 7}', "url is no text"),
    ],
)
def test_a_bad_row_costs_itself(line: str, reason: str) -> None:
    found = outcomes("jsonl", f'{{"url": "http://h/1"}}\n{line}\n{{"url": "http://h/2"}}')
    assert [each.url for each in found if isinstance(each, Record)] == ["http://h/1", "http://h/2"]
    assert [str(each.place) for each in found if not isinstance(each, Record)] == ["log:2: byte 0"]
    assert reasons("jsonl", line) == [reason]


@pytest.mark.parametrize("fields", ["{}", '{"url": null}', '{"url": ""}', '{"URL": "http://h/"}'])
def test_a_row_without_a_url_is_not_bad(fields: str) -> None:
    (found,) = outcomes("jsonl", fields)
    assert isinstance(found, WithoutUrl)


def test_arrays_behind_each_other_as_scrapy_appends_them() -> None:
    text = '[\n{"url": "http://h/1"},\n{"url": "http://h/2"}\n][\n{"url": "http://h/3"}\n]\n[{"url": "http://h/4"}]\n'
    assert [each.url for each in records("jsonl", text)] == [f"http://h/{number}" for number in range(1, 5)]
    assert reasons("jsonl", '{"url": "http://h/1"},,') == ["not JSON"]


def test_octets_and_surrogates_pass_as_they_are() -> None:
    assert [each.url for each in records("jsonl", '{"url": "http://h/\udce9\\ud800\\u00e9"}')] == [
        "http://h/\udce9\ud800é"
    ]
