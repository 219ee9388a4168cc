"""A value that holds every code point of its text, in which an absent part (None) is not an empty one ("")."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IRI:
    """The components of RFC 3986 section 3, authority taken apart (3.2); `str` puts them together again (5.3).

    >>> iri = IRI("http", None, "example.com", "", "/a", None, "")
    >>> str(iri), iri.authority, iri.query is None
    ('http://example.com:/a#', 'example.com:', True)
    """

    scheme: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def authority(self) -> str | None:
        """RFC 3986 3.2: userinfo, host and port as they stand in the text; None where there is no authority.

        >>> IRI(None, "u", "h", "80", "", None, None).authority
        'u@h:80'
        """
        if self.host is None:
            return None
        userinfo = "" if self.userinfo is None else f"{self.userinfo}@"
        port = "" if self.port is None else f":{self.port}"
        return f"{userinfo}{self.host}{port}"

    def replace(self, **parts: str | None) -> "IRI":
        """The value with the named *parts* exchanged; the same object where nothing changes.

        >>> iri = IRI("http", None, "h", None, "/", None, None)
        >>> iri.replace(path="/") is iri, str(iri.replace(query=""))
        (True, 'http://h/?')
        """
        if all(getattr(self, name) == value for name, value in parts.items()):
            return self
        return IRI(
            parts.get("scheme", self.scheme),
            parts.get("userinfo", self.userinfo),
            parts.get("host", self.host),
            parts.get("port", self.port),
            parts.get("path", self.path) or "",
            parts.get("query", self.query),
            parts.get("fragment", self.fragment),
        )

    def located(self) -> Iterator[tuple[str, str, int]]:
        """Each component that is there: its name, its text, and the code points before it in ``str(self)``.

        >>> list(IRI("http", None, "h", "80", "/a", "", None).located())[1:]
        [('host', 'h', 7), ('port', '80', 9), ('path', '/a', 11), ('query', '', 14)]
        """
        offset = 0
        if self.scheme is not None:
            yield "scheme", self.scheme, 0
            offset = len(self.scheme) + 1
        if self.host is not None:
            offset += 2
            if self.userinfo is not None:
                yield "userinfo", self.userinfo, offset
                offset += len(self.userinfo) + 1
            yield "host", self.host, offset
            offset += len(self.host)
            if self.port is not None:
                yield "port", self.port, offset + 1
                offset += 1 + len(self.port)
        yield "path", self.path, offset
        offset += len(self.path) + 1
        if self.query is not None:
            yield "query", self.query, offset
            offset += len(self.query) + 1
        if self.fragment is not None:
            yield "fragment", self.fragment, offset

    def __str__(self) -> str:
        scheme = "" if self.scheme is None else f"{self.scheme}:"
        authority = "" if self.host is None else f"//{self.authority}"
        query = "" if self.query is None else f"?{self.query}"
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return f"{scheme}{authority}{self.path}{query}{fragment}"
