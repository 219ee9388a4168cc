"""Named projections that no RFC licenses: off unless the user names them or a server shows them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from iri_canon.errors import ConventionError
from iri_canon.iri import IRI


@dataclass(frozen=True, slots=True)
class Convention:
    """A named projection."""

    name: str
    summary: str
    project: Callable[[IRI], IRI]


class Assumed:
    """What the user assumes."""

    def __init__(self, spec: Iterable[str] | Mapping[str, Iterable[str]]) -> None:
        for name in spec:
            raise ConventionError(f"unknown convention {name!r}")

    def __bool__(self) -> bool:
        return False

    def for_host(self, host: str) -> tuple[Convention, ...]:
        """The conventions that apply to a host."""
        return ()
