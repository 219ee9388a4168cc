"""A redirect joins two URLs only where the server said so for good and a convention explains the difference.

Source: RFC 3987 section 5.3.4, RFC 9110 sections 15.3 and 15.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from iri_canon.conventions import explaining
from iri_canon.errors import IriError
from iri_canon.ladder import key
from iri_canon.parse import parse

PERMANENT = frozenset({301, 308})
"""RFC 9110 15.4.2 and 15.4.9: the target's URI is the one to use from now on."""

TEMPORARY = frozenset({302, 307})
"""RFC 9110 15.4.3 and 15.4.8. 303 is not among them: by 15.4.4 it leads to another resource."""

RETRIEVING = frozenset({"GET", "HEAD"})

Reason: TypeAlias = Literal[
    "method",
    "location",
    "status",
    "temporary",
    "final-status",
    "unparseable",
    "same-key",
    "unexplained",
    "superseded",
]
"""Why an observation joins nothing."""

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


@dataclass(frozen=True, slots=True)
class Observation:
    """What a client saw: a request for ``source`` ended, over hops, at ``target``.

    ``source`` is the URL asked, ``target`` the final one, resolved against the request that got its Location,
    with raw octets percent-encoded one by one. ``statuses`` are those of every hop from the one to the other,
    in order; ``single_location`` says that each hop carried exactly one Location.
    """

    source: str
    target: str
    statuses: tuple[int, ...]
    final_status: int
    method: str = "GET"
    single_location: bool = True
    digest: bytes | None = None
    time: float = 0.0


@dataclass(frozen=True, slots=True)
class Equivalence:
    """An observed pair, directed: ``source`` is a spelling of ``representative``. Both are SCHEME keys."""

    source: str
    representative: str
    conventions: tuple[str, ...]
    observation: Observation


@dataclass(frozen=True, slots=True)
class Refusal:
    """An observation that joins nothing, and why."""

    reason: Reason


def judge(observation: Observation, *, temporary: bool = False) -> Equivalence | Refusal:
    """Tell whether an observation makes a pair (RFC 3987 5.3.4: both the access and the common conventions).

    ``temporary`` lets 302 and 307 count too. Raises nothing.

    >>> judge(Observation("http://a.example/x/", "http://a.example/x", (301,), 200)).conventions
    ('trailing-slash',)
    >>> judge(Observation("http://a.example/gone", "http://a.example/", (301,), 200))
    Refusal(reason='unexplained')
    >>> judge(Observation("http://a.example/x/", "http://a.example/x", (302,), 200))
    Refusal(reason='temporary')
    """
    if observation.method not in RETRIEVING:
        return Refusal("method")
    if not observation.single_location:
        return Refusal("location")
    redirects = set(observation.statuses)
    if not redirects or not redirects <= PERMANENT | TEMPORARY:
        return Refusal("status")
    if not temporary and not redirects <= PERMANENT:
        return Refusal("temporary")
    if not 200 <= observation.final_status <= 299:
        return Refusal("final-status")
    return _explained(observation)


def _explained(observation: Observation) -> Equivalence | Refusal:
    source, target = key(observation.source), key(observation.target)
    if source == target:
        return Refusal("same-key")
    try:
        conventions = explaining(parse(source), parse(target))
    except IriError:
        return Refusal("unparseable")
    if conventions is None:
        return Refusal("unexplained")
    return Equivalence(source, target, conventions, observation)
