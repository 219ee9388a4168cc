"""A key of the web is taken apart by its delimiters alone, so that what changes one part leaves the others as they are.

Only keys of the scheme rung come here: a path is there, and no fragment (RFC 3986 3; RFC 9110 4.2).
"""

from __future__ import annotations

from typing import NamedTuple

from iri_canon.conventions.hosts import without_www


class Parts(NamedTuple):
    """The parts of an http or https key; ``query`` is None where there is no ``?``."""

    scheme: str
    userinfo: str
    """With its ``@``, or empty."""
    host: str
    port: str
    """With its ``:``, or empty."""
    path: str
    query: str | None

    @property
    def authority(self) -> str:
        """The host that a rule speaks of: with the port, without userinfo."""
        return self.host + self.port

    @property
    def site(self) -> str:
        """The authority without ``www.``: what conventions may join."""
        return without_www(self.host) + self.port

    def __str__(self) -> str:
        query = "" if self.query is None else f"?{self.query}"
        return f"{self.scheme}://{self.userinfo}{self.host}{self.port}{self.path}{query}"


def site_of(authority: str) -> str:
    """The site of a host that a rule speaks of, as ``Parts.site`` has it.

    >>> site_of("www.example.com:8080"), site_of("www.com"), site_of("[::1]:80")
    ('example.com:8080', 'www.com', '[::1]:80')
    """
    host, port = _host_and_port(authority)
    return without_www(host) + port


def _host_and_port(authority: str) -> tuple[str, str]:
    if ":" not in authority or authority.endswith("]"):
        return authority, ""
    host, _, number = authority.rpartition(":")
    return host, f":{number}"


def split(key: str) -> Parts | None:
    """The parts of a key; None for what no convention speaks of: other schemes, no host, what http cannot have.

    >>> split("https://u@example.com:8080/a/b?c")
    Parts(scheme='https', userinfo='u@', host='example.com', port=':8080', path='/a/b', query='c')
    >>> split("http://[::1]/").host, split("ftp://example.com/"), split("http://example.com")
    ('[::1]', None, None)
    """
    scheme, colon, rest = key.partition("://")
    if not colon or scheme not in ("http", "https"):
        return None
    authority, slash, rest = rest.partition("/")
    if not authority or not slash or "?" in authority:
        return None
    userinfo, at, server = authority.rpartition("@")
    host, port = _host_and_port(server)
    path, mark, query = rest.partition("?")
    return Parts(scheme, userinfo + at, host, port, f"/{path}", query if mark else None)
