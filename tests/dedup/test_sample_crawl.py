"""Of the logs of a crawl `dedup` makes the site's true pages, as far as the logs show them, and no others."""

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy")

from test_cli import run

from dedup.running import read_logs, rows_of
from dedup.sample_crawls import APART, WHOLE, Crawled, crawled
from iri_canon.dedup import Engine, Options
from iri_canon.logs import LogFile
from iri_canon.logs.reading import read
from iri_canon.logs.tally import Tally
from sample_project.crawl import ADDON, DEFAULTS
from sample_project.sections import RECIPES

FEW, ALL = 400, 1200
"""Pages of the site: enough for each form that a section has, and its usual number."""

# The sections whose pages have several spellings in a crawl with the add-on, and what makes them one.
JOINED: Mapping[str, tuple[set[str], set[str]]] = {
    "triplet-case": ({"syntax"}, {"uppercase_triplets"}),
    "unreserved": ({"syntax"}, {"uppercase_triplets", "decode_unreserved_triplets"}),
    "dot-segments": ({"syntax"}, {"decode_unreserved_triplets", "remove_dot_segments"}),
    "fragment": ({"syntax"}, {"drop_fragment"}),
    "raw-text": ({"syntax"}, {"uppercase_triplets"}),
    "default-port": ({"scheme"}, {"drop_default_port"}),
    "empty-path": ({"scheme"}, {"root_empty_path"}),
    "ip-forms": ({"scheme"}, {"spell_ipv4_address"}),
    "slash": ({"protocol"}, {"observed-redirect", "trailing-slash"}),
    "index": ({"protocol"}, {"observed-redirect", "default-document"}),
    "www": ({"protocol"}, {"observed-redirect", "www"}),
    "https": ({"protocol"}, {"observed-redirect", "https"}),
    "two-hops": ({"protocol"}, {"observed-redirect", "https", "www"}),
    "reordered": ({"protocol"}, {"observed-redirect", "query-order"}),
    "respelled": (
        {"syntax", "protocol"},
        {"uppercase_triplets", "decode_unreserved_triplets", "observed-redirect", "encoded-delims"},
    ),
    "learned-slash": ({"protocol"}, {"equal-digest", "trailing-slash"}),
    "learned-index": ({"protocol"}, {"equal-digest", "default-document"}),
    "learned-order": ({"protocol"}, {"equal-digest", "query-order"}),
    "learned-case": ({"protocol"}, {"equal-digest", "path-case"}),
    "learned-tracking": ({"protocol"}, {"equal-digest", "tracking-params"}),
    "learned-session": ({"protocol"}, {"equal-digest", "session-ids"}),
    "learned-half": ({"protocol"}, {"equal-digest", "trailing-slash"}),
    "learned-moved": ({"protocol"}, {"observed-redirect", "default-document", "trailing-slash"}),
}

# The sections whose pages stay apart, each of which is one in truth, and why the logs do not show it.
NO_CONVENTION = "no convention explains the names, and that they are one page is for a rule to say (--store)"
UNEXPLAINED = {
    "many": "the redirects are temporary (302, 303, 307), and no convention explains /a and /a/b",
    "meta-refresh": "a refresh is a document, no redirect of the protocol, and has a digest of its own",
    "retry-redirect": "no convention explains the names, /a and /a/now",
    "learned-token": "each answer has another token: no two digests are equal",
    "learned-unknown": NO_CONVENTION,
    "learned-later": NO_CONVENTION,
}
NO_DIGESTS = "a log in text has no digests"
BY_DIGESTS = {section: NO_DIGESTS for section, (_, steps) in JOINED.items() if "equal-digest" in steps}
MISSING_BY_ADDON = {
    "both": UNEXPLAINED,
    "log": UNEXPLAINED | BY_DIGESTS,
    # of these sections only one spelling stands in the feed
    "feed": {
        section: reason
        for section, reason in UNEXPLAINED.items()
        if section not in {"many", "meta-refresh", "retry-redirect"}
    },
}

# Scrapy's own filter takes the names for one without being shown anything, and fetches the first alone.
FETCHED_ONCE = {"learned-order": "the other orders were filtered: there is no answer to compare"}
LOST = {
    "reordered": "the redirect's target was filtered as well: the page is lost, and no log has its answer"
}
LOST_IN_PART = {"respelled": "the same, but for the spellings that the syntax rung joins"}
MISSING_BY_DEFAULTS: Mapping[str, set[str]] = {
    **{section: {APART} for section in (*UNEXPLAINED, *FETCHED_ONCE, *LOST)},
    **{section: {APART, WHOLE} for section in LOST_IN_PART},
}


def views(logs: Crawled) -> dict[str, list[Path]]:
    return {"both": [logs.log, logs.feed], "log": [logs.log], "feed": [logs.feed]}


def deduplicated(logs: Crawled, view: str, *options: str) -> list[dict[str, Any]]:
    """The rows that the command writes."""
    found = run("dedup", *map(str, views(logs)[view]), *options, "-o", "-", "--quiet")
    assert (found.exit_code, found.stderr) == (0, "")
    return [json.loads(line) for line in found.stdout.splitlines()]


def of(family: str) -> set[str]:
    return {recipe.name for recipe in RECIPES if recipe.family == family}


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """The logs of a crawl with the add-on: it finds every page and asks the site about every name."""
    return crawled(ADDON, tmp_path_factory.mktemp("few"), pages=FEW)


@pytest.fixture(scope="module")
def rows(few: Crawled) -> list[dict[str, Any]]:
    """What the command makes of both logs."""
    return deduplicated(few, "both")


def test_the_logs_show_every_page_of_the_site(few: Crawled, rows: list[dict[str, Any]]) -> None:
    shown = {item["page"] for item in few.items()}
    assert shown == set(few.site.pages)
    # Without this what follows could hold of nothing.
    assert {few.section_of(url) for row in rows for url in row["urls"]} == {*few.site.sections, None}
    assert set(few.became(rows)) == set(JOINED) | set(UNEXPLAINED)
    assert of("redirect") - {"retired", "retry"} <= set(JOINED) | set(UNEXPLAINED)
    # What is two pages is never two spellings of one.
    assert not (of("twins") | of("wall")) & (set(JOINED) | set(UNEXPLAINED))


@pytest.mark.parametrize("view", ["both", "log", "feed"])
def test_no_two_pages_are_one_class_and_each_page_is_one_where_the_logs_show_it(
    few: Crawled, view: str
) -> None:
    rows = deduplicated(few, view)
    assert few.wrong(rows) == []
    missing = MISSING_BY_ADDON[view]
    expected = {section: {APART if section in missing else WHOLE} for section in {**JOINED, **missing}}
    found = few.became(rows)
    if view == "feed":
        # What the ladder joins was fetched once, and a redirect onto what was fetched before led to no item.
        assert set(found) >= {"reordered", "respelled", *BY_DIGESTS}
        expected = {section: became for section, became in expected.items() if section in found}
    assert found == expected


def test_each_join_is_by_the_rung_and_the_steps_that_its_section_is_about(
    few: Crawled, rows: list[dict[str, Any]]
) -> None:
    rungs, steps = defaultdict(set), defaultdict(set)
    for row in rows:
        section = few.section_of(row["urls"][0])
        if len(row["urls"]) > 1 and section is not None:
            rungs[section].add(row["rung"])
            steps[section].update(row["steps"])
    assert {section: (rungs[section], steps[section]) for section in rungs} == JOINED


def test_where_a_redirect_joined_the_page_is_called_as_the_site_calls_it(
    few: Crawled, rows: list[dict[str, Any]]
) -> None:
    for row in rows:
        if "observed-redirect" in row["steps"]:
            (identity,) = few.what_is(row["representative"])
            assert row["representative"] in few.site.pages[identity].urls


def test_counts_are_those_of_the_crawl(few: Crawled) -> None:
    text = few.log.read_text(encoding="utf-8").splitlines()
    answers = sum("] DEBUG: Crawled (" in line for line in text)
    redirects = sum("] DEBUG: Redirecting (" in line for line in text)
    filtered = sum("] DEBUG: Filtered duplicate request: " in line for line in text)
    items = len(few.items())
    assert min(answers, redirects, filtered, items) > 0
    for view, expected in (
        ("log", answers + redirects),
        ("feed", items),
        ("both", answers + redirects + items),
    ):
        assert sum(row["count"] for row in deduplicated(few, view)) == expected


def test_the_engine_has_the_rows_that_the_command_writes(few: Crawled, rows: list[dict[str, Any]]) -> None:
    tallies = [Tally(str(path)) for path in views(few)["both"]]
    with Engine(Options()) as engine:
        read_logs(engine, (partial(read, LogFile(tally.file), tally) for tally in tallies))
        engine.cluster()
        assert rows_of(engine.classes()) == rows
    assert [(tally.format_name, tally.problem, tally.bad) for tally in tallies] == [
        ("scrapy-log", None, {}),
        ("jsonl", None, {}),
    ]


def test_temporary_redirects_join_no_page_to_its_wall(few: Crawled) -> None:
    rows = deduplicated(few, "both", "--temporary")
    assert few.wrong(rows) == []
    assert {section for section, became in few.became(rows).items() if became != {WHOLE}} == set(UNEXPLAINED)


@pytest.mark.parametrize(
    ("conventions", "sections"),
    [
        ("trailing-slash", {"twins-slash", "learned-half", "learned-gone", None}),
        ("query-order", {"twins-order"}),
        ("www", {"twins-www"}),
        ("https", {"twins-scheme"}),
        ("scrapy", {"twins-order", "twins-blank", "twins-delims", "twins-space"}),
    ],
)
def test_what_is_assumed_and_not_so_is_seen_as_wrong(
    few: Crawled, conventions: str, sections: set[str | None]
) -> None:
    # The twin of all above: the site's own word is able to refuse. None is what is gone, with a slash and without.
    wrong = few.wrong(deduplicated(few, "both", "--conventions", conventions))
    assert {few.section_of(url) for urls in wrong for url in urls} == sections


def test_what_the_logs_teach_joins_what_no_convention_explains(few: Crawled, tmp_path: Path) -> None:
    store = str(tmp_path / "site.sqlite")
    assert run("learn", str(few.log), str(few.feed), "--store", store).exit_code == 0
    rows = deduplicated(few, "both", "--store", store)
    assert few.wrong(rows) == []
    # Of learned-later the rule was retracted by the pages that it is wrong for.
    apart = set(UNEXPLAINED) - {"learned-unknown"}
    assert {section for section, became in few.became(rows).items() if became != {WHOLE}} == apart


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 5])
def test_the_whole_site_by_any_seed(tmp_path: Path, seed: int) -> None:
    logs = crawled(ADDON, tmp_path, pages=ALL, seed=seed)
    for view, missing in MISSING_BY_ADDON.items():
        rows = deduplicated(logs, view)
        assert logs.wrong(rows) == []
        apart = {section: became for section, became in logs.became(rows).items() if became != {WHOLE}}
        assert apart == {section: {APART} for section in missing}


@pytest.mark.slow
def test_a_crawl_with_scrapys_own_filter(tmp_path: Path) -> None:
    logs = crawled(DEFAULTS, tmp_path, pages=ALL)
    rows = deduplicated(logs, "both")
    # What was filtered and is another page is not joined by its having been filtered.
    assert logs.wrong(rows) == []
    apart = {section: became for section, became in logs.became(rows).items() if became != {WHOLE}}
    assert apart == MISSING_BY_DEFAULTS
    lost = set(logs.site.pages) - {item["page"] for item in logs.items()}
    # The twins that were filtered stand in the log all the same: each is a class, though of no record.
    waiting = {page for row in rows if row["count"] == 0 for url in row["urls"] for page in logs.what_is(url)}
    twins = {page for page in lost if page.startswith("twins-")}
    assert twins
    assert twins <= waiting
