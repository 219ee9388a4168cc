"""A store of rules that keeps what it was given as JSON, as files do."""

from __future__ import annotations

import json
from collections.abc import Iterator

from iri_canon.equivalence import Rule, RuleName


class Kept:
    def __init__(self) -> None:
        self.kept: dict[RuleName, str] = {}

    def rules(self) -> Iterator[Rule]:
        return (Rule.from_json(json.loads(text)) for _, text in sorted(self.kept.items()))

    def keep_rule(self, rule: Rule) -> None:
        self.kept[rule.name] = json.dumps(rule.as_json())
