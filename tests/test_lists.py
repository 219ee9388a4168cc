"""Real URLs, junk included: keys never raise and are stable, and each difference to another library has its reason."""

import gzip
import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import oracle
import pytest
from folders import NO_SHARED_FOLDER, ROOT, shared_folder

import iri_canon
from iri_canon import IriSyntaxError, Ladder, Rung

FOLDER = shared_folder()
LISTS = sorted((FOLDER / "urls").glob("*.txt.gz")) if FOLDER else []
SAMPLE = 1_000
#: A difference that takes more reasons than these at once has another one.
MOST_REASONS = 4
pytestmark = pytest.mark.skipif(not LISTS, reason=NO_SHARED_FOLDER)
each_list = pytest.mark.parametrize("path", LISTS, ids=[path.name.removesuffix(".txt.gz") for path in LISTS])


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        return [line.removesuffix("\n") for line in file]


def sample(path: Path) -> list[str]:
    """The same lines in every run."""
    found = lines(path)
    return random.Random(path.name).sample(found, min(SAMPLE, len(found)))


# ------------------------------------------------------------------------------------------ keys


def step_by_step(text: str) -> str:
    """The key by the steps that `explain` shows, the fragment dropped."""
    try:
        steps = iri_canon.explain(text)
    except IriSyntaxError:
        return text
    return (steps[-1].after if steps else text).partition("#")[0]


def check_keys(texts: list[str]) -> None:
    ladder, kept = Ladder(), Ladder(keep_fragment=True)
    for text in texts:
        key = ladder.key(text)
        assert key == iri_canon.key(text) == step_by_step(text), text
        assert iri_canon.key(key) == key, text
        assert iri_canon.key(iri_canon.key(text, Rung.SYNTAX)) == key, text
        assert kept.key(text).partition("#")[0] == key or kept.key(text) == text == key, text


@each_list
def test_keys(path: Path) -> None:
    check_keys(sample(path))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@each_list
def test_keys_of_the_whole_list(path: Path) -> None:
    check_keys(lines(path))


def test_resolution_of_real_references() -> None:

    assert FOLDER is not None
    with gzip.open(FOLDER / "urls/cc_relative_10k.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in random.Random(1).sample(rows, 2_000):
        base, reference = row["base"], row["ref"]
        try:
            target = iri_canon.resolve(base, reference)
        except IriSyntaxError:
            continue
        assert iri_canon.key(iri_canon.key(target)) == iri_canon.key(target)
        if oracle.is_iri_reference(base) and oracle.is_iri_reference(reference):
            assert target == oracle.resolve(base, reference)


# ------------------------------------------------------------------------------------------ other libraries


class Reason:
    """One reason of list_differences.toml: a fold of both texts, or a pattern of what the library refuses."""

    def __init__(self, row: dict[str, Any]) -> None:
        assert row["why"]
        assert len(row.keys() - {"name", "why", "text"}) == 1
        self.name: str = row["name"]
        self.text: str = row["text"]
        self.refused = re.compile(row["refused"]) if "refused" in row else None
        self._row = row

    def fold(self, text: str) -> str:
        row = self._row
        if row.get("uppercase"):
            return re.sub("%[0-9A-Fa-f]{2}", lambda match: match[0].upper(), text)
        for character in row.get("decode", ""):
            text = re.sub(
                f"%{ord(character):02x}", lambda _, character=character: character, text, flags=re.IGNORECASE
            )
        for character in row.get("encode", ""):
            text = text.replace(character, f"%{ord(character):02X}")
        for pattern, replacement in row.get("replace", ()):
            text = re.sub(pattern, replacement, text)
        return text


with (ROOT / "tests/vectors/list_differences.toml").open("rb") as differences:
    REASONS = {library: [Reason(row) for row in rows] for library, rows in tomllib.load(differences).items()}


def of_can_ada(text: str) -> str:
    import can_ada

    return str(can_ada.parse(text).href)


def of_yarl(text: str) -> str:
    import yarl

    return str(yarl.URL(text))


LIBRARIES: dict[str, Callable[[str], str]] = {"can_ada": of_can_ada, "yarl": of_yarl}


def theirs(library: str, text: str) -> str | None:
    """Their form without the fragment; None where they refuse the text."""
    try:
        return LIBRARIES[library](text).partition("#")[0]
    except (ValueError, UnicodeError):
        return None


def reasons_of(library: str, text: str) -> tuple[str, ...] | None:
    """The fewest reasons that explain a difference: () if there is none, None if no reasons do."""
    ours, other = iri_canon.key(text), theirs(library, text)
    if other is None:
        refusing = [
            reason.name for reason in REASONS[library] if reason.refused and reason.refused.search(text)
        ]
        return tuple(refusing[:1]) or None
    if ours == other:
        return ()
    folds = [reason for reason in REASONS[library] if reason.refused is None]
    for count in range(1, MOST_REASONS + 1):
        for chosen in combinations(folds, count):
            a, b = ours, other
            for reason in chosen:
                a, b = reason.fold(a), reason.fold(b)
            if a == b:
                return tuple(reason.name for reason in chosen)
    return None


def unlisted(library: str, texts: list[str]) -> Iterator[tuple[str, str, str | None]]:
    for text in texts:
        if reasons_of(library, text) is None:
            yield text, iri_canon.key(text), theirs(library, text)


@pytest.mark.parametrize("library", LIBRARIES)
@each_list
def test_each_difference_has_a_listed_reason(library: str, path: Path) -> None:
    pytest.importorskip(library)
    assert list(unlisted(library, sample(path))) == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("library", LIBRARIES)
@each_list
def test_each_difference_of_the_whole_list_has_a_listed_reason(library: str, path: Path) -> None:
    pytest.importorskip(library)
    assert list(unlisted(library, lines(path)))[:20] == []


@pytest.mark.parametrize(
    ("library", "reason"),
    [
        pytest.param(library, reason, id=f"{library}-{reason.name}")
        for library in REASONS
        for reason in REASONS[library]
    ],
)
def test_each_reason_has_its_example(library: str, reason: Reason) -> None:
    pytest.importorskip(library)
    assert reasons_of(library, reason.text) == (reason.name,)


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_unlisted_difference_is_seen(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(library)
    monkeypatch.setitem(LIBRARIES, library, lambda text: text.replace("a", "b"))
    assert reasons_of(library, "http://example.com/a") is None
    assert Counter(unlisted(library, ["http://example.com/a"])).total() == 1
