"""A rule is kept under its name as its JSON, which is read again each time: nobody else's change reaches it."""

from __future__ import annotations

import heapq
import json
import sqlite3
from abc import ABC
from collections.abc import Iterator
from typing import Any, Final

from iri_canon.equivalence.rules import Rule, RuleName
from iri_canon.equivalence.sqlite_file import SqliteFile
from iri_canon.equivalence.sqlite_medium import damaged, octets, text
from iri_canon.errors import StoreError

_NAMED: Final = "WHERE host = ? AND kind = ? AND section = ?"


class SqliteRules(SqliteFile, ABC):
    """The rules in a file of equivalences. What waits for the next batch is in memory and counts already."""

    RULE_TABLES: Final = """
        CREATE TABLE rules (
            host BLOB NOT NULL, kind BLOB NOT NULL, section BLOB NOT NULL, rule BLOB NOT NULL,
            PRIMARY KEY (host, kind, section)
        ) WITHOUT ROWID;
    """

    _rules: dict[RuleName, str | None]

    def rule(self, name: RuleName) -> Rule | None:
        """What was learned under a name; a copy. None also where it cannot be read, which the log tells."""
        kept = self._kept(name)
        try:
            return None if kept is None else self._parsed(name, kept)
        except StoreError as error:
            self._tell(f"{error}; going on without")
            return None

    def rules(self, host: str | None = None) -> Iterator[Rule]:
        """All rules, or those of a host, by name; copies. Raises ``StoreError``."""
        waiting = dict(self._rules)
        where, values = ("", []) if host is None else ("WHERE host = ?", [octets(host)])
        query = f"SELECT host, kind, section, rule FROM rules {where} ORDER BY host, kind, section"
        written = self._rows(query, (bytes, bytes, bytes, bytes), *values)
        merged = heapq.merge(
            (kept for kept in map(_named, written) if kept[0] not in waiting),
            sorted((name, rule) for name, rule in waiting.items() if rule and host in (None, name.host)),
        )
        return (self._parsed(name, rule) for name, rule in merged)

    def keep_rule(self, rule: Rule) -> None:
        """Keep a rule as it is now, in place of the one of its name."""
        # Two lone surrogates that are written as escapes would be read as one character.
        self._rules[rule.name] = json.dumps(rule.as_json(), ensure_ascii=False)
        self._changed()

    def forget_rule(self, name: RuleName) -> bool:
        """Drop a rule; whether there was one."""
        if self._kept(name) is None:
            return False
        self._rules[name] = None
        self._changed()
        return True

    def _kept(self, name: RuleName) -> str | None:
        if name in self._rules:
            return self._rules[name]
        row = self._first(f"SELECT rule FROM rules {_NAMED}", (bytes,), *map(octets, name))
        return None if row is None else text(row[0])

    def _parsed(self, name: RuleName, kept: str) -> Rule:
        try:
            rule = Rule.from_json(json.loads(kept))
        except (ValueError, OverflowError, RecursionError) as error:
            raise damaged(self.path, f"rule {str(name)!a}: {error}") from None
        if rule.name != name:
            raise damaged(self.path, f"rule {str(name)!a}: it says that it is {str(rule.name)!a}")
        return rule

    def _write_rules(self, connection: sqlite3.Connection) -> None:
        forgotten = (tuple(map(octets, name)) for name, rule in self._rules.items() if rule is None)
        connection.executemany(f"DELETE FROM rules {_NAMED}", forgotten)
        connection.executemany(
            "INSERT OR REPLACE INTO rules VALUES (?, ?, ?, ?)",
            ((*map(octets, name), octets(rule)) for name, rule in self._rules.items() if rule is not None),
        )


def _named(row: tuple[Any, ...]) -> tuple[RuleName, str]:
    host, kind, section, rule = row
    return RuleName(text(host), text(kind), text(section)), text(rule)
