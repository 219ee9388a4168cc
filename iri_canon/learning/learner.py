"""Two spellings that were answered alike speak for a rule, two that were not speak against it; nothing else does.

Source: RFC 3987 section 5.3.4: "the result of accessing the resources and the common conventions".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from iri_canon.equivalence import (
    EVERYWHERE,
    Equivalence,
    Example,
    Observation,
    Refusal,
    Rule,
    RuleName,
    RuleState,
)
from iri_canon.equivalence.rules import CONTENTS, MOST_EXAMPLES, Objection, Support, has_room
from iri_canon.ladder import key as key_of
from iri_canon.learning.classes import digest_of, joined, number_of
from iri_canon.learning.comparing import Alike, Apart, compare, is_telling, witnesses
from iri_canon.learning.content import Content
from iri_canon.learning.kinds import PARAMETER, Kind, kind_of, sign
from iri_canon.learning.pages import Page, Pages, read_record
from iri_canon.learning.parts import Parts, site_of, split
from iri_canon.learning.policy import Policy
from iri_canon.learning.relative import begin_alike
from iri_canon.learning.rulebook import Rulebook, RuleStore, value_of
from iri_canon.learning.sections import section_of
from iri_canon.learning.walls import Walls, is_wall

MOST_OBJECTIONS: Final = 8
"""Objections that a rule keeps, to take them back where they prove to be no evidence; more are counted."""

MOST_VALUES: Final = 64
"""Values of a parameter that a rule keeps."""

LARGEST_KIND: Final = 4
"""Ways in which a pair may differ at once: where it is one page all the same, none of them matters there."""

_ELSEWHERE: Final = frozenset({"unexplained", "temporary", "status"})


class Change(NamedTuple):
    """A rule that came to another state, and why."""

    name: RuleName
    before: RuleState
    after: RuleState
    reason: str


class Lesson(NamedTuple):
    """What an answer taught; ``agreed`` and ``disagreed`` are rules in force that an audit confirmed or refuted."""

    changes: tuple[Change, ...] = ()
    agreed: tuple[RuleName, ...] = ()
    disagreed: tuple[RuleName, ...] = ()


@dataclass(slots=True)
class _Draft:
    """A lesson that is being learned."""

    time: float
    audited: bool
    changes: list[Change] = field(default_factory=list)
    agreed: dict[RuleName, None] = field(default_factory=dict)
    disagreed: dict[RuleName, None] = field(default_factory=dict)

    def lesson(self) -> Lesson:
        agreed = tuple(name for name in self.agreed if name not in self.disagreed)
        return Lesson(tuple(self.changes), agreed, tuple(self.disagreed))


class Learner:
    """What a crawl, or a log, teaches of the rules of its hosts.

    >>> from iri_canon.equivalence import open_equivalences, profile
    >>> from iri_canon.learning.content import content_of
    >>> learner = Learner(open_equivalences(None, profile()), Policy(support=2))
    >>> for page in range(2):
    ...     for end in ("", "/"):
    ...         content = content_of(b"page %d" % page)
    ...         lesson = learner.answered(f"http://a.example/docs/{page}{end}", 200, content, 0.0)
    >>> [(str(change.name), change.after.value) for change in lesson.changes]
    [('a.example/docs: trailing-slash', 'in force')]
    """

    def __init__(self, store: RuleStore, policy: Policy | None = None) -> None:
        self.policy = policy or Policy()
        self.rules = Rulebook(store, self.policy)
        self._pages = Pages()
        self._walls = Walls()
        self._epochs: dict[str, int] = {}

    def in_force(self, key: str) -> bool:
        """Whether any rule is in force at the site of a key."""
        if not self.rules.has_rules:
            return False
        parts = split(key)
        return parts is not None and self.rules.has_rules_at(parts.site)

    def answered(
        self, key: str, status: int, content: Content | None, time: float, *, audited: bool = False
    ) -> Lesson:
        """Learn from the final answer to a GET of a SCHEME key; ``audited``: it was to be skipped by a rule.

        ``content`` is None where the body is empty, cut off or unknown. Only 200 with a content, and errors that are
        not of the moment (``TRANSIENT``), say anything.
        """
        draft = _Draft(time, audited)
        parts = split(key)
        if parts is None:
            return draft.lesson()
        if status == 200 and content is not None:
            self._notice(witnesses(content), parts, draft)
            self._meet(Page(key, status, content), parts, draft)
        elif is_telling(status):
            self._meet(Page(key, status), parts, draft)
        return draft.lesson()

    def redirected(
        self, observation: Observation, verdict: Equivalence | Refusal, *, audited: bool = False
    ) -> Lesson:
        """Learn from a redirect, after the store has judged it (``EquivalenceStore.record``)."""
        draft = _Draft(observation.time, audited)
        source, target = split(key_of(observation.source)), split(key_of(observation.target))
        if source is None or target is None or observation.method != "GET":
            return draft.lesson()
        if isinstance(verdict, Equivalence):
            self._support_redirect(source, target, draft)
        elif verdict.reason == "final-status":
            if is_telling(observation.final_status):
                self._meet(Page(str(source), observation.final_status), source, draft)
        elif verdict.reason in _ELSEWHERE:
            self._led_elsewhere(source, target, draft)
        return draft.lesson()

    def doubt(self, host: str, time: float) -> Lesson:
        """What the rules of a host go by holds no longer (a log-in): they have to be earned anew."""
        draft = _Draft(time, audited=False)
        self._epochs[site_of(host)] = self._epochs.get(site_of(host), 0) + 1
        self.rules.keep_private(host)
        for rule in self.rules.at(host):
            rule.supports.clear()
            rule.values.clear()
            self._decide(rule, "the site knows its visitor otherwise now", draft)
        return draft.lesson()

    def distrust(self, name: RuleName, time: float, reason: str) -> Lesson:
        """A rule cannot be confirmed: it has to be earned anew."""
        draft = _Draft(time, audited=False)
        rule = self.rules.get(name)
        if rule is not None:
            rule.supports.clear()
            rule.values.clear()
            self._decide(rule, reason, draft)
        return draft.lesson()

    def may_stand(self, witness: str, source: str) -> bool:
        """Whether the answer to one SCHEME key may bring the page of another, as far as it is known.

        A wall brings no page, and relative links lead elsewhere where they begin elsewhere.
        """
        parts, other = split(witness), split(source)
        page = None if parts is None else self._pages.find(witness, parts)
        if page is None or page.content is None or parts is None or other is None:
            return True
        if any(map(self._walls.is_one, witnesses(page.content))):
            return False
        return page.content.base is None or begin_alike(parts, other)

    def suppressed(self, names: Iterable[RuleName]) -> None:
        """A request was skipped by these rules, or was to be, and is fetched to see."""
        for name in names:
            rule = self.rules.get(name)
            if rule is not None:
                rule.suppressed += 1
                self.rules.touch(rule)

    def load(self, key: str, record: bytes) -> None:
        """Know an answer of an earlier run (see ``record_of``); it teaches nothing again, but is compared with."""
        parts, known = split(key), read_record(record)
        if parts is not None and known is not None:
            status, content = known
            for witness in witnesses(content):
                self._walls.seen(witness, _path(parts))
            self._pages.add(Page(key, status, content), parts)

    def save(self) -> None:
        """Give the store what waits for it."""
        self.rules.save()

    def _meet(self, page: Page, parts: Parts, draft: _Draft) -> None:
        """Compare an answer with those that it may be one page with."""
        page.epoch = self._epochs.get(parts.site, 0)
        section = section_of(parts.path)

        def matters(parameter: str) -> bool:
            rule = self.rules.get(RuleName(parts.authority, PARAMETER + parameter, section))
            return rule is not None and rule.state is RuleState.RETRACTED

        supported: set[Kind] = set()
        for other in self._pages.add(page, parts, matters):
            shown = compare(page, other, self._walls)
            target = split(other.key)
            kind = kind_of(parts, target) if shown is not None and target is not None else None
            if not kind or target is None:
                continue
            if isinstance(shown, Apart):
                self._object(parts, target, kind, Objection(section, shown.witnesses), shown.how, draft)
            elif isinstance(shown, Alike) and parts.authority == target.authority:
                # Equal contents stay within one host: what two hosts show alike may be a copy.
                if draft.audited:
                    self._agree(self.rules.suspects(parts.authority, kind, section), draft)
                # A page supports a rule once, whichever of its spellings meet.
                values = _parameters_of(kind)
                for name in kind if len(kind) <= LARGEST_KIND and (values or kind not in supported) else ():
                    support = Support(shown.channel, section, shown.witness)
                    self._support(parts, target, name, page_of(parts, kind), support, draft)
                supported.add(kind)

    def _support_redirect(self, source: Parts, target: Parts, draft: _Draft) -> None:
        kind = kind_of(source, target)
        if not kind:
            return
        section = section_of(source.path)
        if draft.audited:
            self._agree(self.rules.suspects(source.authority, kind, section), draft)
        for name in kind if len(kind) <= LARGEST_KIND else ():
            support = Support(sign(source, target, name), section, digest_of(str(target)))
            self._support(source, target, name, page_of(source, kind), support, draft)

    def _led_elsewhere(self, source: Parts, target: Parts, draft: _Draft) -> None:
        if joined(source) == joined(target):
            # It leads to a spelling of itself, if only for the time being: nothing speaks against that.
            if draft.audited and (kind := kind_of(source, target)):
                self._agree(self.rules.suspects(source.authority, kind, section_of(source.path)), draft)
            return
        witness = digest_of(str(target))
        self._notice((witness,), source, draft)
        if not is_wall(target) and not self._walls.is_one(witness):
            self._meet(Page(str(source), 301, target=str(target)), source, draft)

    def _support(
        self, source: Parts, target: Parts, kind: str, page: str, support: Support, draft: _Draft
    ) -> None:
        how = "equal content" if support.channel in CONTENTS else "redirect"
        for section in (support.section, EVERYWHERE):
            rule = self.rules.obtain(RuleName(source.authority, kind, section), draft.time)
            if rule is None:
                continue
            rule.last = draft.time
            if page in rule.supports or has_room(rule, support.section):
                rule.supports[page] = support
            if kind.startswith(PARAMETER) and len(rule.values) < MOST_VALUES:
                name = kind.removeprefix(PARAMETER)
                rule.values |= {value_of(source, name), value_of(target, name)}
            _show(rule.examples, Example(str(source), str(target), how, draft.time))
            self._decide(rule, how, draft)

    def _object(
        self, one: Parts, other: Parts, kind: Kind, objection: Objection, how: str, draft: _Draft
    ) -> None:
        """A pair that is no one page speaks against the rules that make it one, and against what alone differs."""
        example = Example(str(one), str(other), how, draft.time)
        for host in dict.fromkeys((one.authority, other.authority)):
            suspects = self.rules.suspects(host, kind, objection.section)
            if draft.audited:
                draft.disagreed.update((rule.name, None) for rule in suspects)
            # Which of several differences matters is not known, unless rules said that none does.
            for name in kind if suspects or len(kind) == 1 else ():
                for section in (objection.section, EVERYWHERE):
                    rule = self.rules.obtain(RuleName(host, name, section), draft.time)
                    if rule is not None:
                        self._refute(rule, objection, example, draft)

    def _refute(self, rule: Rule, objection: Objection, example: Example, draft: _Draft) -> None:
        if objection in rule.objections:
            return
        rule.last = draft.time
        rule.contradictions += 1
        if len(rule.objections) < MOST_OBJECTIONS:
            rule.objections.append(objection)
        _show(rule.counterexamples, example)
        self._decide(rule, f"{example.source} and {example.target}: {example.how}", draft)

    def _agree(self, rules: Iterable[Rule], draft: _Draft) -> None:
        for rule in rules:
            # An answer is one audit, however many others it is like.
            if rule.name not in draft.agreed:
                rule.agreed += 1
                draft.agreed[rule.name] = None
                self.rules.touch(rule)

    def _notice(self, witnesses: Iterable[str], parts: Parts, draft: _Draft) -> None:
        """A content or target was seen under a path."""
        for witness in witnesses:
            if self._walls.seen(witness, _path(parts)):
                self._take_back(witness, parts.site, draft)

    def _take_back(self, witness: str, site: str, draft: _Draft) -> None:
        """A content or target proved to be an answer to everything: what it spoke for or against is unsaid."""
        for rule in (*self.rules.at(site), *self.rules.at(f"www.{site}")):
            kept = {page: each for page, each in rule.supports.items() if each.witness != witness}
            standing = [each for each in rule.objections if witness not in each.witnesses]
            if len(kept) == len(rule.supports) and len(standing) == len(rule.objections):
                continue
            rule.contradictions -= len(rule.objections) - len(standing)
            rule.supports, rule.objections = kept, standing
            self._decide(rule, "what spoke for it or against it is the site's answer to everything", draft)

    def _decide(self, rule: Rule, reason: str, draft: _Draft) -> None:
        before = self.rules.decide(rule, draft.time)
        if before is not None:
            draft.changes.append(Change(rule.name, before, rule.state, reason))


def page_of(parts: Parts, kind: Kind) -> str:
    """What stands for a page, whichever of the spellings of a kind it is asked by."""
    return digest_of(str(joined(parts, _parameters_of(kind))))


def _parameters_of(kind: Kind) -> list[str]:
    return [name.removeprefix(PARAMETER) for name in kind if name.startswith(PARAMETER)]


def _path(parts: Parts) -> int:
    """What stands for the path of a key, whatever its spelling."""
    return number_of(joined(parts).path)


def _show(examples: list[Example], example: Example) -> None:
    if len(examples) < MOST_EXAMPLES:
        examples.append(example)
