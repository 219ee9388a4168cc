"""User reports: every crawl scenario has its test or its answer (what they claim of keys: tests/test_suites.py)."""

import ast
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from folders import NO_SHARED_FOLDER, ROOT, shared_folder

import iri_canon
from iri_canon import Rung

Row = dict[str, Any]
FOLDER = shared_folder()
REPORTS: list[Row] = (
    [json.loads(line) for line in (FOLDER / "vectors/reports.jsonl").open(encoding="utf-8")] if FOLDER else []
)
needs_reports = pytest.mark.skipif(not REPORTS, reason=NO_SHARED_FOLDER)

#: The areas whose scenarios need a crawl: each one is in tests/vectors/scenarios.toml.
CRAWL_AREAS = {"redirect-dupefilter", "jobdir-memory", "key-vs-request", "policy-www-scheme", "fragment"}
with (ROOT / "tests/vectors/scenarios.toml").open("rb") as file:
    SCENARIOS: dict[str, Row] = tomllib.load(file)


# ------------------------------------------------------------------------------------------ scenarios


@needs_reports
def test_every_crawl_scenario_is_shown_or_answered() -> None:
    wanted = {
        report["id"]
        for report in REPORTS
        if report["area"] in CRAWL_AREAS and any(claim["rel"] == "scenario" for claim in report["expect"])
    }
    assert wanted <= SCENARIOS.keys()
    assert SCENARIOS.keys() <= {report["id"] for report in REPORTS}


@pytest.mark.parametrize("identifier", SCENARIOS)
def test_scenario(identifier: str) -> None:
    scenario = SCENARIOS[identifier]
    assert scenario.keys() in ({"tests"}, {"answer"}, {"tests", "answer"})
    for node in scenario.get("tests", ()):
        assert exists(node), node
    if "answer" in scenario:
        assert "\n" not in scenario["answer"]
        assert scenario["answer"].endswith(".")


def exists(node: str) -> bool:
    """Whether a file holds the test of a node identifier (path::name or path::Class::name)."""
    path, *names = node.split("::")
    if not (ROOT / path).is_file():
        return False
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    for name in names:
        found = [
            item
            for item in body
            if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and item.name == name
        ]
        if not found:
            return False
        body = found[0].body
    return names[-1].startswith("test")


def test_a_missing_test_is_seen() -> None:
    this = str(Path(__file__).relative_to(ROOT))
    assert exists(f"{this}::test_a_missing_test_is_seen")
    assert not exists(f"{this}::test_of_nothing")
    assert not exists("tests/test_of_nothing.py::test_a_missing_test_is_seen")


# ------------------------------------------------------------------------------------------ scenarios of the core


def test_b129_extra_slashes_and_dots_above_the_root() -> None:
    base = "http://example.com/"
    assert iri_canon.resolve(base, "/../index1.html") == "http://example.com/index1.html"
    assert iri_canon.resolve(base, iri_canon.prepare("http:////example.org", "html")) == "http://example.org"
    assert (
        iri_canon.resolve(base, "http:////example.org") == "http:////example.org"
    )  # not what a browser reads


def test_b133_empty_segments_of_the_base_stay() -> None:
    assert iri_canon.resolve("http://example.com/a//b/c", "d") == "http://example.com/a//b/d"


def test_b139_b142_a_reference_is_resolved_against_the_address_not_the_key() -> None:
    assert iri_canon.resolve("http://example.com/~u/", "m.png") == "http://example.com/~u/m.png"
    assert iri_canon.resolve("http://example.com/s/p", "q") == "http://example.com/s/q"
    # the key of the address never lacks the slash, unless the user asked for it
    assert iri_canon.key("http://example.com/~u/") == "http://example.com/~u/"


def test_b179_backslashes_of_an_href() -> None:
    base = "http://example.com/a/b.html"
    for href in (
        "..\\S\\d.html",
        "\\S\\d.html",
        "http:\\\\example.com\\S\\d.html",
        "\\\\example.com\\S\\d.html",
    ):
        target = iri_canon.resolve(base, iri_canon.prepare(href, "html"))
        assert target == "http://example.com/S/d.html"
    assert (
        iri_canon.resolve(base, "\\S\\d.html") == "http://example.com/a/\\S\\d.html"
    )  # no href, no backslash rule


def test_b036_an_href_of_a_utf_16_document() -> None:
    document = '<a href="docs/a b.pdf">'.encode("utf-16-le").decode("utf-16-le")
    href = iri_canon.prepare(document.split('"')[1], "html")
    target = iri_canon.resolve("http://example.com/", href)
    assert iri_canon.key(target) == iri_canon.key("http://example.com/docs/a%20b.pdf")
    assert iri_canon.canonicalize("http://example.com/é".encode("utf-16-le"), encoding="utf-16-le") == (
        "http://example.com/%C3%A9"
    )


def test_b055_the_query_keeps_its_order() -> None:
    assert iri_canon.key("http://example.com/?b=2&a=1") == "http://example.com/?b=2&a=1"
    assert not iri_canon.equivalent("http://example.com/?b=2&a=1", "http://example.com/?a=1&b=2")


def test_b071_the_key_does_not_replace_the_text() -> None:
    text = "HTTP://Example.com:80/%7ea/../b#c"
    iri_canon.key(text)
    assert str(iri_canon.parse(text)) == text
    assert iri_canon.explain(text)[0].before == text


def test_b109_a_bad_href_costs_itself_alone() -> None:
    good = []
    bad = []
    for href in ["http://example.com:port/", "ok"]:
        try:
            good.append(iri_canon.resolve("http://example.com/", iri_canon.prepare(href, "html")))
        except iri_canon.IriSyntaxError as error:
            bad.append(error.component)
    assert (good, bad) == (["http://example.com/ok"], ["port"])


def test_b051_b052_b143_rules_that_remove_leave_nothing_behind() -> None:
    key = iri_canon.Ladder(conventions=["tracking-params", "session-ids"]).key
    assert key("http://example.com/") == "http://example.com/"
    assert key("http://example.com/?utm_source=a") == "http://example.com/"
    assert (
        key("http://example.com/?") == "http://example.com/?"
    )  # a rule that removes nothing changes nothing
    spellings = (
        "/a?PHPSESSID=0123456789abcdef0123456789abcdef&x=1",
        "/a?x=1&PHPSESSID=0123456789abcdef0123456789abcdef",
    )
    assert {key(f"http://example.com{spelling}") for spelling in spellings} == {"http://example.com/a?x=1"}
    assert key("http://example.com/a;jsessionid=E460A9.node1_2?p=v") == "http://example.com/a?p=v"
    assert key("http://example.com/a;jsessionid=1/b") == "http://example.com/a/b"
    assert iri_canon.key("http://example.com/a;jsessionid=1/b") != iri_canon.key("http://example.com/a/b")


def test_b064_tracking_parameters_by_their_whole_name_when_asked() -> None:
    texts = ("http://example.com/p?utm_source=w", "http://example.com/p")
    ladder = iri_canon.Ladder(conventions=["tracking-params"])
    assert ladder.lowest_rung(*texts) is Rung.PROTOCOL
    assert iri_canon.lowest_rung(*texts) is None
    assert ladder.key("http://example.com/p?x_utm_source=w") == "http://example.com/p?x_utm_source=w"


# ------------------------------------------------------------------------------------------ of the plug-in


def fingerprint(request: Any, **settings: Any) -> bytes:
    from scrapy.utils.test import get_crawler

    from scrapy_plugin import CanonicalFingerprinter

    return CanonicalFingerprinter.from_crawler(get_crawler(settings_dict=settings)).fingerprint(request)


def test_b070_fragments_kept_when_asked() -> None:
    scrapy = pytest.importorskip("scrapy")
    one, two = (scrapy.Request(f"http://example.com/i.jsp#/c{index}") for index in (1, 2))
    assert fingerprint(one) == fingerprint(two)
    kept = {"IRI_CANON_KEEP_FRAGMENTS": True}
    assert fingerprint(one, **kept) != fingerprint(two, **kept)


def test_b069_a_seed_is_recorded_by_its_key() -> None:
    scrapy = pytest.importorskip("scrapy")
    seed = scrapy.Request("http://example.com", dont_filter=True)
    assert fingerprint(seed) == fingerprint(scrapy.Request("http://example.com/#idx1"))
    assert fingerprint(seed) != fingerprint(
        scrapy.Request("http://example.com/?#idx1").replace(method="POST")
    )
