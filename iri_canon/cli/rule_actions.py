"""What is done with the rules of a store; apart from the command, since other commands need no store."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO

import typer

from iri_canon import IriError
from iri_canon.cli.files import write_whole
from iri_canon.cli.inputs import DASH, STDIN
from iri_canon.cli.output import complain, out
from iri_canon.cli.tables import NONE, ROOT, moment, show
from iri_canon.display import terminal_line
from iri_canon.equivalence import EquivalenceStore, Example, Rule, RuleState
from iri_canon.learning import bound


def _risk(rule: Rule) -> float | None:
    """None of a rule that is not in force: it skips nothing, or was wrong, which no bound says."""
    return bound(rule.agreed, rule.suppressed) if rule.state is RuleState.IN_FORCE else None


_ORDERS: dict[str, Callable[[Rule], Any]] = {
    "name": lambda rule: rule.name,
    "state": lambda rule: list(RuleState).index(rule.state),
    "support": lambda rule: -rule.support,
    "contradictions": lambda rule: -rule.contradictions,
    "audits": lambda rule: -rule.agreed,
    "skipped": lambda rule: -rule.suppressed,
    "bound": lambda rule: -(_risk(rule) or 0.0),
    "since": lambda rule: -rule.since,
}
_COLUMNS = (
    "host",
    "section",
    "kind",
    "state",
    "support",
    "against",
    "audits",
    "skipped",
    "bound",
    "since",
    "example",
)
#: That are named where a filter matches nothing.
_HOSTS = 5
_NUMBERS = ("support", "against", "audits", "skipped", "bound")
_SPARE = ("since", "example")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rules are meant; None: any."""

    host: str | None
    kind: str | None
    section: str | None
    state: str | None
    """Of ``RuleState``, with a hyphen."""

    @property
    def is_any(self) -> bool:
        """Whether nothing was asked for."""
        return (self.host, self.kind, self.section, self.state) == (None, None, None, None)

    def rules(self, store: EquivalenceStore) -> list[Rule]:
        """The rules of a store that are meant, by name; where there are none, it is told what there is."""
        known = list(store.rules())
        chosen = [rule for rule in known if self._has(rule)]
        if not chosen:
            hosts = sorted({rule.name.host for rule in known})
            shown = ", ".join(hosts[:_HOSTS]) + (", ..." if len(hosts) > _HOSTS else "")
            complain(f"iri-canon: 0 of {len(known)} rules; hosts: {shown or 'none'}")
        return chosen

    def _has(self, rule: Rule) -> bool:
        return (
            (self.host is None or _matches(rule.name.host, self.host.lower()))
            and (self.kind is None or _matches(rule.name.kind, self.kind))
            and self.section in (None, rule.name.section)  # "*" is a section
            and (self.state is None or rule.state.replace(" ", "-") == self.state)
        )


def _matches(text: str, pattern: str) -> bool:
    return text == pattern or fnmatchcase(text, pattern)


def forget_all(store: EquivalenceStore, chosen: Filter) -> None:
    """Forget rules, and say how many."""
    names = [rule.name for rule in chosen.rules(store)]
    for name in names:
        store.forget_rule(name)
    complain(f"iri-canon: {len(names)} rules forgotten")


def write_out(store: EquivalenceStore, chosen: Filter, path: str) -> None:
    """Write rules with all evidence into a file, a JSON object a line."""
    written = write_whole(path, map(_octets, chosen.rules(store)))
    complain(f"iri-canon: {written} rules written")


def _octets(rule: Rule) -> bytes:
    # Two lone surrogates that are written as escapes would be read as one character.
    return json.dumps(rule.as_json(), ensure_ascii=False).encode("utf-8", "surrogatepass")


def show_all(store: EquivalenceStore, chosen: Filter, order: str, examples: bool, as_json: bool) -> None:
    """Print rules in an order."""
    rules = sorted(chosen.rules(store), key=_ORDERS[order])
    if as_json:
        for rule in rules:
            out(json.dumps({**rule.as_json(), "bound": _risk(rule)}))
        return
    if not examples:
        show(_COLUMNS, map(_row, rules), numbers=_NUMBERS, spare=_SPARE)
        return
    for rule in rules:
        show(_COLUMNS, [_row(rule)], numbers=_NUMBERS, spare=_SPARE)
        for sign, pairs in (("=", rule.examples), ("!", rule.counterexamples)):
            for pair in pairs:
                out(
                    "\t".join(
                        map(terminal_line, (sign, pair.source, pair.target, pair.how, moment(pair.time)))
                    )
                )


def _row(rule: Rule) -> tuple[str, ...]:
    risk = _risk(rule)
    return (
        rule.name.host,
        rule.name.section or ROOT,
        rule.name.kind,
        rule.state.value,
        *map(str, (rule.support, rule.contradictions, rule.agreed, rule.suppressed)),
        NONE if risk is None or not rule.suppressed else f"{risk:.1%}",
        moment(rule.since),
        _example([*rule.counterexamples, *rule.examples]),
    )


def _example(examples: list[Example]) -> str:
    return f"{examples[0].source} {examples[0].target}" if examples else NONE


def bring_in(store: EquivalenceStore, path: str, force: bool) -> None:
    """Bring in what `write_out` wrote; a bad line is told by its number, and costs itself."""
    source = STDIN if path == DASH else path
    brought = left = bad = 0
    try:
        with _opened(path) as stream:
            for number, line in enumerate(stream, 1):
                if not line.strip():
                    continue
                try:
                    rule = _rule(line)
                except IriError as error:
                    complain(f"{source}:{number}: {error}")
                    bad += 1
                    continue
                if _is_better(rule, store.rule(rule.name), force):
                    store.keep_rule(rule)
                    brought += 1
                else:
                    left += 1
    except OSError as error:
        complain(f"iri-canon: {source}: {error.strerror}")
        raise typer.Exit(1) from None
    complain(
        f"iri-canon: {brought} rules brought in, {left} left out for what is known here, {bad} bad lines"
    )
    if bad:
        raise typer.Exit(1)


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path == DASH:
        yield sys.stdin.buffer
    else:
        with Path(path).open("rb") as stream:
            yield stream


def _rule(line: bytes) -> Rule:
    try:  # Octets are read as UTF-8 with lone surrogates, without a byte order mark.
        return Rule.from_json(json.loads(line))
    except IriError:
        raise
    except (ValueError, OverflowError, RecursionError):
        raise IriError("no rule: not JSON") from None


def _is_better(rule: Rule, known: Rule | None, force: bool) -> bool:
    """Whether what is brought in is newer; what was retracted stays so."""
    if known is None:
        return True
    revives = known.state is RuleState.RETRACTED and rule.state is not RuleState.RETRACTED
    return rule.last > known.last and (force or not revives)
