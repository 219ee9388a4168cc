"""User reports: what they claim of keys is computed, what takes a crawl or a server has a test or an answer."""

import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

from folders import ROOT

import iri_canon
from iri_canon import Rung
from suites.claims import NO_COUNTERPART, SHOWN_ELSEWHERE, Claim
from suites.reader import Row

#: Rungs of the reports that read the text as a browser or a log reader does before it has a key.
PREPARED = {"browser", "input"}
#: Rungs of the reports that need no knowledge of a scheme.
SYNTAX = {"syntax", "iri-mapping"}


@cache
def scenarios() -> dict[str, dict[str, Any]]:
    """The tests and answers of tests/vectors/scenarios.toml, by report."""
    with (ROOT / "tests/vectors/scenarios.toml").open("rb") as file:
        return tomllib.load(file)


def report(row: Row) -> Iterator[Claim]:
    """All that a report expects."""
    for claim in row["expect"]:
        yield from _claim(row, claim)


def _claim(row: Row, claim: Row) -> Iterator[Claim]:
    relation, urls = claim["rel"], claim.get("urls", [])
    texts = [iri_canon.prepare(url, "html") for url in urls] if row["rung"] in PREPARED else urls
    keys = [iri_canon.key(text) for text in texts]
    if relation == "same":
        for key in keys[1:]:
            yield Claim("key", keys[0], key)
        if row["rung"] in SYNTAX:
            for url in urls[1:]:
                yield Claim("syntax key", *(iri_canon.key(each, Rung.SYNTAX) for each in (urls[0], url)))
    elif relation == "distinct":
        for a, b in combinations(range(len(urls)), 2):
            if urls[a] != urls[b]:
                yield Claim("key", keys[a], keys[b], same=False)
    elif relation == "no_raise":
        for key in keys:
            yield Claim("key of the key", iri_canon.key(key), key)
    else:
        shown = row["id"] in scenarios()
        yield Claim(relation, SHOWN_ELSEWHERE if shown else NO_COUNTERPART, "scenarios.toml")
