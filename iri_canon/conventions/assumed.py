"""A convention is assumed where the user named it, for all hosts or for some, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from iri_canon.conventions.catalogue import Convention, select
from iri_canon.conventions.hosts import is_ip, without_www
from iri_canon.errors import ConventionError, HostError
from iri_canon.host import compress_ipv6, dotted_decimal, is_ip_literal, to_ascii


class Assumed:
    """The conventions that a user assumes: names for all hosts, or names by host pattern.

    Patterns are ``*`` for all hosts, ``example.com`` for exactly that host, ``*.example.com`` for it and its
    subdomains; all that match a host count together. Raises ``ConventionError`` for an unknown name and for a
    bad pattern.

    >>> assumed = Assumed({"*": ["https"], "*.example.com": ["www"]})
    >>> [convention.name for convention in assumed.for_host("www.example.com")]
    ['https', 'www']
    >>> [convention.name for convention in assumed.for_host("badexample.com")]
    ['https']
    >>> bool(Assumed([]))
    False
    """

    __slots__ = ("_by_host", "_by_names", "_everywhere", "_under")

    def __init__(self, spec: Iterable[str] | Mapping[str, Iterable[str]]) -> None:
        by_pattern = spec if isinstance(spec, Mapping) else {"*": spec}
        self._by_host: dict[str, frozenset[str]] = {}
        self._under: dict[str, frozenset[str]] = {}
        self._everywhere: frozenset[str] = frozenset()
        for pattern, names in by_pattern.items():
            chosen = frozenset(convention.name for convention in select(names))
            if not chosen:
                continue
            if pattern == "*":
                self._everywhere |= chosen
            elif pattern.startswith("*."):
                host = _host_of(pattern, pattern[2:])
                if is_ip(host):
                    raise ConventionError(f"host pattern {pattern!r}: an address has no subdomains")
                self._under[host] = self._under.get(host, frozenset()) | chosen
            else:
                host = _host_of(pattern, pattern)
                self._by_host[host] = self._by_host.get(host, frozenset()) | chosen
        # As many as there are combinations of patterns, however many hosts are asked for.
        self._by_names: dict[frozenset[str], tuple[Convention, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self._everywhere or self._by_host or self._under)

    def for_host(self, host: str) -> tuple[Convention, ...]:
        """The conventions to apply to a canonical host, in order."""
        names = self._names(host) if self._by_host or self._under else self._everywhere
        try:
            return self._by_names[names]
        except KeyError:
            return self._by_names.setdefault(names, select(names))

    def _names(self, host: str) -> frozenset[str]:
        names = self._everywhere | self._by_host.get(host, frozenset())
        if is_ip(host):
            return names
        names = names.union(*(self._under.get(suffix, frozenset()) for suffix in _suffixes(host)))
        if "www" in names and (bare := without_www(host)) != host:
            # The key will be of the bare host, so it must be the one that the bare host's own spellings get.
            names |= self._names(bare)
        return names


def _suffixes(host: str) -> Iterator[str]:
    yield host
    while "." in host:
        host = host.partition(".")[2]
        yield host


def _host_of(pattern: str, host: str) -> str:
    """The canonical host that a pattern names."""
    if is_ip_literal(host):
        return compress_ipv6(host)
    try:
        name = dotted_decimal(to_ascii(host))
    except HostError as error:
        raise ConventionError(f"host pattern {pattern!r}: {error}") from None
    if not name or "*" in name or name.startswith(".") or ".." in name:
        raise ConventionError(
            f"host pattern {pattern!r} matches no host; use '*', 'example.com' or '*.example.com'"
        )
    return name
