"""docs/support.md leaves no requirement of RFC 3987 out, and each test that it names exists."""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass

import pytest
from folders import ROOT

PAGE = (ROOT / "docs" / "support.md").read_text(encoding="utf-8")

# The sections of RFC 3987 that ask something, and how often each uses a key word of RFC 2119: counted in its text.
KEY_WORDS: dict[str, dict[str, int]] = {
    "2": {},
    "2.1": {"MUST NOT": 1},
    "2.2": {},
    "3.1": {"MUST": 1, "MUST NOT": 1, "SHOULD": 3, "MAY": 4},
    "3.2": {"MUST NOT": 1},
    "3.2.1": {"MAY": 1},
    "4.1": {"MUST": 4, "MUST NOT": 2},
    "4.2": {"SHOULD": 1, "SHOULD NOT": 1, "MAY": 1},
    "4.3": {"MUST": 1, "SHOULD": 1},
    "4.4": {},
    "5.1": {"MUST": 2},
    "5.2": {"REQUIRED": 1},
    "5.3.1": {"MUST NOT": 1, "SHOULD NOT": 1},
    "5.3.2": {},
    "5.3.2.1": {},
    "5.3.2.2": {"MUST": 2, "SHOULD": 1},
    "5.3.2.3": {"MUST": 2},
    "5.3.2.4": {},
    "5.3.3": {"SHOULD": 2, "SHOULD NOT": 1},
    "5.3.4": {},
    "6.1": {},
    "6.2": {"MUST": 2, "SHOULD": 1, "SHOULD NOT": 1},
    "6.3": {"MUST": 1, "MUST NOT": 1, "SHOULD": 2, "MAY": 1},
    "6.4": {"MUST": 1},
    "6.5": {},
    **{f"7.{number}": {} for number in range(1, 9)},
    "8": {},
}


@dataclass(frozen=True)
class Row:
    """One requirement: where it stands, what it asks, what is done, the tests."""

    clause: str
    asked: str
    done: str
    shown: str

    @property
    def section(self) -> str:
        return self.clause.split()[0]

    @property
    def key_word(self) -> str:
        return " ".join(word for word in self.clause.split() if word.isupper() and len(word) > 1)

    @property
    def tests(self) -> list[str]:
        return re.findall("`(tests/[^`]+)`", self.shown)


def rows(page: str) -> list[Row]:
    found = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and cells[0] != "clause" and not cells[0].startswith("--"):
            found.append(Row(*cells))
    return found


ROWS = rows(PAGE)


@pytest.fixture(scope="module")
def tests() -> set[str]:
    """Each test by its node id, with and without its parameters."""
    files = sorted({test.partition("::")[0] for row in ROWS for test in row.tests})
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-m",
        "",
        "-p",
        "no:cacheprovider",
        *files,
    ]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=240).stdout
    found: set[str] = set()
    for line in listed.splitlines():
        name = line.partition("[")[0]
        if "::" in name:
            found |= {line, name}
    return found


def missing(page: list[Row], tests: set[str]) -> list[str]:
    return [test for row in page for test in row.tests if test not in tests]


def test_each_test_that_is_named_exists(tests: set[str]) -> None:
    assert missing(ROWS, tests) == []


def test_a_test_that_does_not_exist_is_seen(tests: set[str]) -> None:
    # a whole file shows nothing
    row = Row("2", "", "", "`tests/test_support.py` `tests/test_vectors.py::test_to_iri[no-such-case]`")
    assert missing([row], tests) == [
        "tests/test_support.py",
        "tests/test_vectors.py::test_to_iri[no-such-case]",
    ]


def test_each_row_has_a_test_or_says_why_it_does_not_apply() -> None:
    for row in ROWS:
        assert row.asked, row
        assert bool(row.tests) != row.done.startswith("does not apply: "), row


def test_no_key_word_of_the_rfc_is_left_out() -> None:
    told = {section: Counter[str]() for section in KEY_WORDS}
    for row in ROWS:
        if row.key_word:
            told[row.section][row.key_word] += 1
    assert {section: dict(words) for section, words in told.items()} == KEY_WORDS


def test_each_section_is_there_and_no_other() -> None:
    assert {row.section for row in ROWS} == set(KEY_WORDS)
