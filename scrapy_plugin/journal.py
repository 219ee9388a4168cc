"""What was skipped can be fetched after all, as it was made, until its page is known to have come."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TypeVar

from scrapy import Request, Spider

from iri_canon import key
from iri_canon.equivalence import RuleName, SeenStore, Stage, Suppressed
from iri_canon.learning import Group, groups_of
from scrapy_plugin.serialised import SerialisationError, dump_request, load_request

logger = logging.getLogger(__name__)

Place = TypeVar("Place")


class Journal:
    """The requests that rules skip, by digest, by witness and by what is audited together.

    With a job's file they are octets there; without one the requests themselves are kept, with all that they bear.
    """

    def __init__(self, seen: SeenStore, *, in_file: bool) -> None:
        self._seen = seen
        self._in_file = in_file
        # Without the serialised requests: those are looked up when they are needed.
        self._entries: dict[bytes, Suppressed] = {}
        self._requests: dict[bytes, Request] = {}
        self._by_witness: dict[bytes, dict[bytes, None]] = {}
        self._by_group: dict[Group, dict[bytes, None]] = {}

    def keep(self, entry: Suppressed, request: Request, spider: Spider | None) -> bool:
        """Write down a request; False where the job's file cannot keep it."""
        if self._in_file:
            try:
                entry = entry._replace(payload=dump_request(request, spider))
            except SerialisationError as error:
                logger.debug("%s cannot be kept, and so is not skipped: %s", request, error)
                return False
        else:
            self._requests[entry.digest] = request
        self._seen.suppress(entry)
        self.adopt(entry)
        return True

    def adopt(self, entry: Suppressed) -> None:
        """Know an entry that the file has already."""
        self._entries[entry.digest] = entry._replace(payload=None)
        if entry.stage is Stage.SKIPPED:
            self._by_witness.setdefault(entry.witness, {})[entry.digest] = None
            for group in _groups(entry):
                self._by_group.setdefault(group, {})[entry.digest] = None

    def send(self, digest: bytes) -> None:
        """A request is to be fetched after all; it stays here until something is known of that."""
        entry = self._entries[digest]
        if entry.stage is Stage.SENT:
            return
        self._forget_places(entry)
        self._entries[digest] = sent = entry._replace(stage=Stage.SENT)
        self._seen.suppress(sent._replace(payload=self._payload(digest)))

    def resolve(self, digest: bytes) -> None:
        """Nothing is to be done about a request any longer."""
        entry = self._entries.pop(digest, None)
        if entry is not None:
            self._forget_places(entry)
            self._requests.pop(digest, None)
            self._seen.resolve(digest)

    def request(self, digest: bytes, spider: Spider | None) -> Request | None:
        """The request as it was made; None where the job's file cannot give it back."""
        payload = self._payload(digest)
        if payload is None:
            return self._requests.get(digest)
        try:
            return load_request(payload, spider)
        except SerialisationError as error:
            url = self._entries[digest].url
            logger.warning("%s was skipped by a rule and cannot be restored: %s", url, error)
            return None

    def get(self, digest: bytes) -> Suppressed | None:
        """The entry of a request, without the serialised request."""
        return self._entries.get(digest)

    def skipped_for(self, witness: bytes) -> list[Suppressed]:
        """What is skipped because another request brings its page."""
        return [self._entries[digest] for digest in self._by_witness.get(witness, ())]

    def skipped_by(self, name: RuleName, section: str | None = None) -> list[Suppressed]:
        """What is skipped by a rule, alone or with others; in one section, where that is named."""
        groups = [
            digests
            for group, digests in self._by_group.items()
            if name == group.rule and section in (None, group.section)
        ]
        return [self._entries[digest] for digests in groups for digest in digests]

    def groups(self) -> list[Group]:
        """The groups of which anything is skipped."""
        return list(self._by_group)

    def skipped_in(self, group: Group) -> list[Suppressed]:
        """What is skipped, of a group, in the order in which it was."""
        return [self._entries[digest] for digest in self._by_group.get(group, ())]

    def __iter__(self) -> Iterator[Suppressed]:
        return iter(list(self._entries.values()))

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._entries

    def _payload(self, digest: bytes) -> bytes | None:
        if not self._in_file:
            return None
        entry = self._seen.suppressed_as(digest)
        return None if entry is None else entry.payload

    def _forget_places(self, entry: Suppressed) -> None:
        if entry.stage is not Stage.SKIPPED:
            return
        _take_out(self._by_witness, entry.witness, entry.digest)
        for group in _groups(entry):
            _take_out(self._by_group, group, entry.digest)


def _groups(entry: Suppressed) -> tuple[Group, ...]:
    """What an entry is audited with."""
    return groups_of(key(entry.url), entry.rules)


def _take_out(index: dict[Place, dict[bytes, None]], place: Place, digest: bytes) -> None:
    del index[place][digest]
    if not index[place]:
        del index[place]
