"""A difference is listed if a kind of tests/vectors/differences.toml explains it, or as few kinds together as do.

A kind holds for the cases that meet all its conditions. What it says of the texts is one of these, the first three
of which may act together:

* ``repair``: what the peer makes of the input first, after which both agree;
* ``ours``, ``theirs``, ``both``: rewritings of the answers, after which they agree;
* ``conventions``: the named conventions of this library under which both have one key; ``nfc``, ``fewer_parameters``
  and ``charset`` are what no pattern can say (`suites.folds`);
* ``ours_is`` and ``theirs_is``: patterns that the whole answers match, where nothing makes them agree; ``kept``: our
  answer is the input in lower case, the peer refuses it; ``no_counterpart``: there is no function to ask;
  ``shown_elsewhere``: another test shows it;
* ``agrees``: the answers are one where the judge holds that the RFCs give another one.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from folders import ROOT

from suites import folds
from suites.checks import claims
from suites.claims import NO_COUNTERPART, REFUSED, SHOWN_ELSEWHERE, Claim
from suites.hosts import statuses
from suites.reader import Row, function, options

PATH = ROOT / "tests/vectors/differences.toml"
#: A difference that takes more kinds than these at once has another reason.
MOST_KINDS = 4
#: What a peer takes for an option that a row does not give.
_DEFAULTS = {"default_scheme": "https"}
_CONDITIONS = {
    "judge",
    "kinds",
    "functions",
    "about",
    "input",
    "base",
    "options",
    "ids",
    "statuses",
    "unchecked",
}
_REWRITINGS = {"repair", "ours", "theirs", "both", "conventions", "nfc", "fewer_parameters", "charset"}
_PATTERNS = {"ours_is", "theirs_is", "agrees", "no_counterpart", "shown_elsewhere", "kept"}


@dataclass(frozen=True, slots=True)
class Case:
    """A row of a suite, with the claims that do not hold."""

    suite: str
    row: Row

    @property
    def judge(self) -> str:
        return str(self.row.get("judge") or "none")


class Kind:
    """One kind of difference: its reason, its conditions, how many cases of each suite it covers."""

    def __init__(self, data: dict[str, Any]) -> None:
        unknown = data.keys() - {"name", "why", "cases"} - _CONDITIONS - _REWRITINGS - _PATTERNS
        assert not unknown, f"{data['name']}: {unknown}"
        assert data["why"].strip(), data["name"]
        self.name: str = data["name"]
        self.why: str = data["why"]
        self.cases: dict[str, int] = data["cases"]
        self.rewrites = bool(_REWRITINGS & data.keys())
        self.explains_agreement = bool(data.get("agrees"))
        #: Whether it is no difference but a convention of this library that the peer takes for granted.
        self.is_convention = "conventions" in data
        self.is_missing = bool(data.get("no_counterpart"))
        self.is_against_the_judge = data.get("judge") == ["rfc"]
        assert self.rewrites or _PATTERNS & data.keys(), f"{self.name} says nothing of the texts"
        self._data = data
        self._input = re.compile(data.get("input", ""))
        self._base = re.compile(data["base"]) if "base" in data else None

    def may_cover(self, case: Case) -> bool:
        """Whether a case meets the conditions on its row."""
        row, data = case.row, self._data
        return (
            case.suite in self.cases
            and case.judge in data.get("judge", ("policy", "conflict", "none"))
            and row["kind"] in data.get("kinds", (row["kind"],))
            and function(row) in data.get("functions", (function(row),))
            and row["id"] in data.get("ids", (row["id"],))
            and (self._base is None or self._base.search(str(row.get("base", ""))) is not None)
            and ("options" not in data or any(name in options(row) for name in data["options"]))
            and set(data.get("statuses", ())) <= set(row.get("to_ascii_n_status", ()))
            and ("unchecked" not in data or statuses(row) <= set(data["unchecked"]))
            and self._input.search(str(row["input"])) is not None
        )

    def may_explain(self, claim: Claim) -> bool:
        """Whether it is about this claim at all."""
        return claim.about in self._data.get("about", (claim.about,))

    def explains(self, row: Row, claim: Claim) -> bool:
        """Whether the answers are those of this kind, where it makes nothing agree."""
        data = self._data
        if data.get("no_counterpart"):
            return claim.ours == NO_COUNTERPART
        if data.get("shown_elsewhere"):
            return claim.ours == SHOWN_ELSEWHERE
        if data.get("kept"):
            return claim.ours == str(row["input"]).lower() and claim.theirs == REFUSED
        return not self.rewrites and all(
            re.fullmatch(data.get(f"{side}_is", ".*"), text, re.DOTALL) is not None
            for side, text in (("ours", claim.ours), ("theirs", claim.theirs))
        )

    def repair(self, row: Row) -> Row:
        """The row with the input that the peer makes of it; the same row where it makes nothing of it."""
        text = row["input"]
        for pattern, replacement in self._data.get("repair", ()):
            for name, value in {**_DEFAULTS, **options(row)}.items():
                replacement = replacement.replace(f"{{{name}}}", str(value))
            text = re.sub(pattern, replacement, text)
        return row if text == row["input"] else {**row, "input": text}

    def rewrite(self, row: Row, ours: str, theirs: str) -> tuple[str, str]:
        """Both answers, with what this kind is about taken out of them."""
        data = self._data
        for pattern, replacement in [*data.get("ours", ()), *data.get("both", ())]:
            ours = re.sub(pattern, replacement, ours)
        for pattern, replacement in [*data.get("theirs", ()), *data.get("both", ())]:
            theirs = re.sub(pattern, replacement, theirs)
        if data.get("conventions"):
            ours, theirs = (folds.by_conventions(text, tuple(data["conventions"])) for text in (ours, theirs))
        if data.get("nfc"):
            ours, theirs = folds.nfc(ours), folds.nfc(theirs)
        if data.get("charset"):
            theirs = folds.in_utf8(
                theirs, *(str(options(row).get(name, "utf-8")) for name in ("path_encoding", "encoding"))
            )
        if data.get("fewer_parameters") and folds.has_fewer_parameters(theirs, ours):
            ours = theirs
        return ours, theirs


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds, in the order of the file."""
    with PATH.open("rb") as file:
        found = tuple(map(Kind, tomllib.load(file)["kind"]))
    names = [kind.name for kind in found]
    assert len(names) == len(set(names)), "two kinds of one name"
    return found


def reasons(case: Case) -> tuple[str, ...] | None:
    """The kinds that explain how a case differs: () if it does not, None if there are none."""
    found = claims(case.suite, case.row)
    assert found, "a case that claims nothing"
    differing = [(index, claim) for index, claim in enumerate(found) if not claim.holds]
    candidates = [kind for kind in kinds() if kind.may_cover(case)]
    if not differing:
        if case.judge != "conflict":
            return ()
        # The suite's judge says that no answer by the RFCs agrees: where this one does, that has a reason, too.
        agreeing = [kind.name for kind in candidates if kind.explains_agreement]
        return tuple(agreeing[:1]) or None
    names: dict[str, None] = {}
    for index, claim in differing:
        explaining = _explaining(case, index, claim, candidates)
        if explaining is None:
            return None
        names.update(dict.fromkeys(explaining))
    return tuple(names)


def _explaining(case: Case, index: int, claim: Claim, candidates: list[Kind]) -> tuple[str, ...] | None:
    candidates = [kind for kind in candidates if kind.may_explain(claim) and not kind.explains_agreement]
    rewriting = [kind for kind in candidates if kind.rewrites]
    for chosen in _subsets(rewriting if claim.same else []):
        row = case.row
        for kind in chosen:
            row = kind.repair(row)
        ours, theirs = claim.ours, claim.theirs
        if row is not case.row:
            repaired = claims(case.suite, row)
            if len(repaired) <= index:
                continue
            ours = repaired[index].ours
        for kind in chosen:
            ours, theirs = kind.rewrite(row, ours, theirs)
        if ours == theirs:
            return tuple(kind.name for kind in chosen)
    return next(((kind.name,) for kind in candidates if kind.explains(case.row, claim)), None)


def _subsets(rewriting: list[Kind]) -> Iterator[tuple[Kind, ...]]:
    for count in range(1, MOST_KINDS + 1):
        yield from combinations(rewriting, count)
