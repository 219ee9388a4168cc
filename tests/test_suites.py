"""Other people's test suites: each case by its identifier, each difference of a kind that is listed with its reason."""

from collections.abc import Callable, Iterator
from typing import Any

import idna
import pytest
from folders import NO_SHARED_FOLDER
from idna import idnadata
from suites import reports
from suites.checks import claims
from suites.claims import Claim
from suites.differences import Case, kinds, reasons
from suites.page import COUNTED_WITH, PATH, counts, page
from suites.reader import FILES, are_there, rows
from suites.tally import tally, verdict

import iri_canon
from iri_canon import host, path

needs_vectors = pytest.mark.skipif(not are_there(), reason=NO_SHARED_FOLDER)
each_suite = pytest.mark.parametrize("suite", FILES)


#: The counts hang on tables that come with other releases.
TABLES = (
    f"the counts are of {COUNTED_WITH}, installed are idna {idna.__version__} with the tables of Unicode"
    f" {idnadata.__version__}: where they differ, look whether the new counts of `cases` in"
    " tests/vectors/differences.toml follow from that, write them there, and run python docs/make_suites.py"
)


def cases() -> Iterator[Any]:
    """Each row by its identifier; one case a suite where the folder is absent."""
    for suite in FILES:
        if not are_there():
            yield pytest.param(suite, 0, id=suite)
        for index, row in enumerate(rows(suite)):
            yield pytest.param(suite, index, id=row["id"])


@needs_vectors
@pytest.mark.parametrize(("suite", "index"), list(cases()))
def test_case(suite: str, index: int) -> None:
    if verdict(suite, index) is None:
        row = rows(suite)[index]
        pytest.fail(
            f"{row['input']!a}: no listed reason: {[each for each in claims(suite, row) if not each.holds]}"
        )


@needs_vectors
@each_suite
def test_each_kind_covers_as_many_cases_as_it_says(suite: str) -> None:
    listed = {kind.name: kind.cases[suite] for kind in kinds() if suite in kind.cases}
    assert dict(tally(suite).kinds) == listed, TABLES


@needs_vectors
def test_no_row_is_left_out() -> None:
    assert [len(rows(suite)) == tally(suite).cases > 0 for suite in FILES] == [True] * len(FILES)
    identifiers = [row["id"] for suite in FILES for row in rows(suite)]
    assert len(set(identifiers)) == len(identifiers)


@needs_vectors
def test_each_line_of_the_counts_adds_up() -> None:
    lines = [line.split("|")[2:-1] for line in counts()][2:]
    assert len(lines) == len(FILES) + 1
    for cases, *columns in lines:
        assert int(cases) == sum(map(int, columns))


@needs_vectors
def test_the_page_is_made_from_the_counts() -> None:
    assert PATH.read_text(encoding="utf-8") == page(), f"run python docs/make_suites.py; {TABLES}"


def test_a_kind_names_suites_and_occurs() -> None:
    for kind in kinds():
        assert kind.cases.keys() <= set(FILES), kind.name
        assert all(count > 0 for count in kind.cases.values()), kind.name
        assert kind.why.endswith("."), kind.name


@needs_vectors
def test_rows_that_follow_from_the_rfcs_hold_but_for_a_few() -> None:
    against = [kind for kind in kinds() if kind.is_against_the_judge]
    assert sum(sum(kind.cases.values()) for kind in against) < 10
    judged = [row for suite in FILES for row in rows(suite) if row.get("judge") == "rfc"]
    assert len(judged) > 2_000


@needs_vectors
def test_scenarios_are_of_reports() -> None:
    assert reports.scenarios().keys() <= {row["id"] for row in rows("reports")}


# ---------------------------------------------------------------------------------- faults are seen


def failing(*suites: str) -> int:
    """How many cases fail now."""
    return sum(reasons(Case(suite, row)) is None for suite in suites for row in rows(suite))


def in_keys(monkeypatch: pytest.MonkeyPatch, fault: Callable[[str], str]) -> None:
    """Let keys and canonical forms have a fault, on whatever text."""
    for name in ("key", "canonicalize"):
        right = getattr(iri_canon, name)
        wrong = lambda *given, right=right, **named: fault(right(*given, **named))  # noqa: E731
        monkeypatch.setattr(iri_canon, name, wrong)


#: Faults of keys and canonical forms, the same for all spellings of a URL; and how many cases see each, at least.
FAULTS: dict[str, tuple[int, Callable[[str], str]]] = {
    "lower-case": (200, str.lower),
    "slash decoded": (5, lambda text: text.replace("%2F", "/")),
    "percent decoded": (30, lambda text: text.replace("%25", "%")),
    "comma decoded": (1, lambda text: text.replace("%2C", ",")),
    "empty query dropped": (15, lambda text: text.removesuffix("?")),
    "slash at the end dropped": (100, lambda text: text.removesuffix("/")),
    "user dropped": (5, lambda text: text.replace("://user:pass@", "://")),
    "triplets in lower case": (40, lambda text: text.replace("%C3", "%c3")),
    "tilde encoded": (15, lambda text: text.replace("~", "%7E")),
}


@needs_vectors
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_keys_is_seen(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    least, wrong = FAULTS[fault]
    in_keys(monkeypatch, wrong)
    assert failing("rfc_examples", "w3lib_url", "wpt_urltestdata", "url_normalize") >= least


@needs_vectors
def test_a_fault_of_resolution_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = iri_canon.resolve
    monkeypatch.setattr(
        iri_canon, "resolve", lambda *given, **named: right(*given, **named).removesuffix("/")
    )
    assert failing("oxiri", "hyperlink", "rfc_examples") > 20


@needs_vectors
def test_a_fault_of_dot_segments_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suites.references.remove_dots", lambda text: path.remove_dot_segments(text) or "/")
    assert failing("yarl") > 0


@needs_vectors
def test_a_fault_of_hosts_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = host.to_ascii
    monkeypatch.setattr(host, "to_ascii", lambda name: right(name.replace("ß", "ss")))
    assert failing("unicode_idnatestv2", "wpt_toascii", "wpt_idnatestv2") > 20


def test_a_claim_holds_only_as_it_says() -> None:
    assert Claim("key", "a", "a").holds and not Claim("key", "a", "b").holds
    assert Claim("key", "a", "b", same=False).holds and not Claim("key", "a", "a", same=False).holds


@needs_vectors
def test_a_grammar_that_takes_everything_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iri_canon, "is_valid", lambda text, production="IRI": True)
    assert failing("oxiri", "w3lib_url", "wpt_urltestdata") > 50
