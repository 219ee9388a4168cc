"""What is kept in memory ends with the process."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import attrgetter
from time import time
from typing import Final

from iri_canon.equivalence.digest_table import DigestTable
from iri_canon.equivalence.evidence import Equivalence, Observation, Refusal
from iri_canon.equivalence.pages import Pages
from iri_canon.equivalence.pairs import Pairs
from iri_canon.equivalence.rules import Rule, RuleName
from iri_canon.equivalence.stores import Journaled, KnownPage, Seen, State, Suppressed

REFUSED_KEPT = 10_000
"""Refused observations in memory: a site that redirects each page to a log-in must not fill it."""

NEWEST: Final = 1 << 15
"""So many digests are in a dict, where a change costs least; then they go to a table, where one costs little memory."""


class MemorySeen:
    """States of requests: the newest in a dict, the others in a table.

    >>> store = MemorySeen()
    >>> store.put(bytes(16), State.DONE, 200)
    >>> store.get(bytes(16)).status
    200
    """

    was_cut_off = False

    def __init__(self) -> None:
        self.began = time()
        # What is in both counts as it is in the dict.
        self._newest: dict[bytes, Seen] = {}
        self._table = DigestTable()
        # One object for each state and status that occurs.
        self._shared: dict[tuple[State, int], Seen] = {}
        self._spellings: dict[bytes, str] = {}
        self._held: list[bytes] = []
        self._suppressed: dict[bytes, Suppressed] = {}
        self._contents: dict[str, bytes] = {}

    def get(self, digest: bytes, /) -> Seen | None:
        """What is known of a digest."""
        known = self._newest.get(digest)
        return self._table.get(digest) if known is None and self._table else known

    def put(self, digest: bytes, state: State, status: int = 0, spelling: str | None = None) -> None:
        """Set the state of a digest; a spelling is kept with it, the first one given stays."""
        self._newest[digest] = self._share(state, status)
        if spelling is not None:
            self._spellings.setdefault(digest, spelling)
        if len(self._newest) >= NEWEST:
            self._move()

    def forget(self, digest: bytes) -> None:
        """Drop a digest and its spelling; one that is not there is no error."""
        self._newest.pop(digest, None)
        self._table.pop(digest)
        self._spellings.pop(digest, None)

    def spelling(self, digest: bytes) -> str | None:
        """The spelling that was kept with a digest."""
        return self._spellings.get(digest)

    def __len__(self) -> int:
        self._move()
        return len(self._table)

    def release(self, states: Collection[State]) -> int:
        """Drop all digests in these states; how many there were."""
        gone = [digest for digest, seen in self._states() if seen.state in states]
        for digest in gone:
            self.forget(digest)
        return len(gone)

    def hold(self, payloads: list[bytes]) -> None:
        """Keep serialised requests."""
        self._held += payloads

    def held(self) -> list[bytes]:
        """The requests that were kept, in order; they are handed out once."""
        payloads, self._held = self._held, []
        return payloads

    def suppress(self, entry: Suppressed) -> None:
        """Keep a request that is skipped, in place of an earlier entry of its digest. It changes no state."""
        self._suppressed[entry.digest] = entry

    def suppressed(self) -> Iterator[Suppressed]:
        """All entries, oldest first."""
        return iter(sorted(self._suppressed.values(), key=attrgetter("time")))

    def suppressed_as(self, digest: bytes) -> Suppressed | None:
        """The entry of a digest."""
        return self._suppressed.get(digest)

    def resolve(self, digest: bytes) -> None:
        """Drop the entry of a digest; none there is no error. It changes no state."""
        self._suppressed.pop(digest, None)

    def keep_content(self, key: str, record: bytes) -> None:
        """Keep what was learned of the content of a page, in place of what was kept with its key before."""
        self._contents[key] = record

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """All keys with what was learned, by key."""
        return iter(sorted(self._contents.items()))

    def flush(self) -> None:
        """Memory has nothing to bring anywhere."""

    def close(self, *, clean: bool) -> None:
        """Memory has nothing to give back."""

    def _states(self) -> Iterator[tuple[bytes, Seen]]:
        """All digests with what is known of them."""
        self._move()
        return self._table.items()

    def _move(self) -> None:
        for digest, seen in self._newest.items():
            self._table.put(digest, seen)
        self._newest.clear()

    def _share(self, state: State, status: int) -> Seen:
        try:
            return self._shared[state, status]
        except KeyError:
            return self._shared.setdefault((state, status), Seen(state, status))


class MemoryEquivalences(Pairs, Pages):
    """Pairs, journal, rules and pages in memory."""

    def __init__(self) -> None:
        self._pairs: dict[str, Equivalence] = {}
        self._refusals: Counter[str] = Counter()
        self._refused: dict[tuple[str, str, str], tuple[Observation, Refusal]] = {}
        self._journal: list[Journaled] = []
        self._rules: dict[RuleName, str] = {}
        self._pages: dict[str, KnownPage] = {}

    def equivalence(self, key: str) -> Equivalence | None:
        """The pair that a SCHEME key is the source of."""
        return self._pairs.get(key)

    def equivalences(self) -> Iterator[Equivalence]:
        """All pairs, by source."""
        return iter([self._pairs[source] for source in sorted(self._pairs)])

    def refusals(self) -> Mapping[str, int]:
        """How many observations joined nothing, by reason."""
        return dict(self._refusals)

    def refused(self) -> Iterator[tuple[Observation, Refusal]]:
        """The newest observation of each pair that joined nothing; only the last ``REFUSED_KEPT``."""
        return iter(list(self._refused.values()))

    def journal(self, url: str, representative: str, because: tuple[str, ...], time: float) -> None:
        """Note that a URL was not fetched."""
        self._journal.append(Journaled(url, representative, because, time))

    def journaled(self) -> Iterator[Journaled]:
        """All notes, oldest first."""
        return iter(list(self._journal))

    def rule(self, name: RuleName) -> Rule | None:
        """What was learned under a name; a copy."""
        kept = self._rules.get(name)
        return None if kept is None else Rule.from_json(json.loads(kept))

    def rules(self, host: str | None = None) -> Iterator[Rule]:
        """All rules, or those of a host, by name; copies."""
        kept = sorted(item for item in self._rules.items() if host is None or item[0].host == host)
        return (Rule.from_json(json.loads(rule)) for _, rule in kept)

    def keep_rule(self, rule: Rule) -> None:
        """Keep a rule as it is now, in place of the one of its name."""
        self._rules[rule.name] = json.dumps(rule.as_json(), ensure_ascii=False)

    def forget_rule(self, name: RuleName) -> bool:
        """Drop a rule; whether there was one."""
        return self._rules.pop(name, None) is not None

    def page(self, key: str) -> KnownPage | None:
        """The page that a key names."""
        return self._pages.get(key)

    def pages(self) -> Iterator[KnownPage]:
        """All names of pages, by key."""
        return iter(sorted(self._pages.values()))

    def flush(self) -> None:
        """Memory has nothing to bring anywhere."""

    def close(self) -> None:
        """Memory has nothing to give back."""

    def _keep(self, pair: Equivalence) -> None:
        self._pairs[pair.source] = pair

    def _withdraw(self, source: str) -> None:
        self._pairs.pop(source, None)

    def _set_page(self, key: str, known: KnownPage | None) -> None:
        if known is None:
            self._pages.pop(key, None)
        else:
            self._pages[key] = known

    def _names_of(self, pages: Collection[str]) -> Iterable[str]:
        return [key for key, known in self._pages.items() if known.page in pages]

    def _refuse(self, observation: Observation, refusal: Refusal) -> None:
        self._refusals[refusal.reason] += 1
        pair = (refusal.reason, observation.source, observation.target)
        self._refused.pop(pair, None)
        self._refused[pair] = (observation, refusal)
        if len(self._refused) > REFUSED_KEPT:
            del self._refused[next(iter(self._refused))]
