"""A path changes by whole segments, path parameters and triplets, and stays free of dot segments."""

from __future__ import annotations

import re
from typing import Final

from iri_canon import percent
from iri_canon.conventions.lists import names

_TRIPLET_OR_UPPER: Final = re.compile("%[0-9A-F]{2}|[A-Z]+")
_SLASHES: Final = re.compile("//+")
_JSESSIONID: Final = re.compile("(?i:;jsessionid=)[^/;?#]*+")
# ASP.NET puts tickets of one letter each into a segment before the path of the page: (A(...)S(...)).
_COOKIELESS: Final = re.compile(r"/\((?:[AFS]\([0-9a-z_-]++\))++\)(?=/)", re.IGNORECASE)
_DOT_SEGMENT: Final = re.compile(r"/\.\.?(?=/|\Z)")

#: Triplets of delimiters that carry no structure in a path (RFC 3986 3.3). Not among them: / ? # % [ ], the
#: ; of path parameters, and the + that some servers read as a space.
_decode_delimiters = percent.decoder("!$&'()*,=:@")


def decode_delimiters(path: str) -> str:
    """RFC 3986 2.2 keeps them apart, servers seldom do: a delimiter without a role in the path.

    >>> decode_delimiters("/a%40b%3A%2F%3B%2B%25%3F")
    '/a@b:%2F%3B%2B%25%3F'
    """
    return _decode_delimiters(path) if "%" in path else path


def lower_case(path: str) -> str:
    """Custom of servers whose file names have no case: letters in lower case, triplets in upper case.

    >>> lower_case("/A%C3%A9B")
    '/a%C3%A9b'
    """
    if "%" not in path:
        return path.lower()
    return _TRIPLET_OR_UPPER.sub(lambda match: match[0] if match[0][0] == "%" else match[0].lower(), path)


def without_session(path: str) -> str:
    """Java Servlet 7.1.3 and ASP.NET cookieless sessions: the session's id is not the page's.

    >>> without_session("/a;jsessionid=E460A9.node1_2"), without_session("/a;jsessionid=1;v=2/b")
    ('/a', '/a;v=2/b')
    >>> without_session("/shop/(S(4hk3xz))/page.aspx"), without_session("/f(S(x))/page")
    ('/shop/page.aspx', '/f(S(x))/page')
    """
    if ";" not in path and "/(" not in path:
        return path
    stripped = _COOKIELESS.sub("", _JSESSIONID.sub("", path))
    # "/.;jsessionid=1/x" would become a path that climbs, so it stays another one.
    return path if _DOT_SEGMENT.search(stripped) else stripped


def single_slashes(path: str) -> str:
    """Custom of file systems: slashes in a row are one.

    >>> single_slashes("//a///b/")
    '/a/b/'
    """
    return _SLASHES.sub("/", path) if "//" in path else path


def without_default_document(path: str) -> str:
    """Custom of web servers: a directory answers with its default document (data/default-documents.txt).

    >>> without_default_document("/a/index.html"), without_default_document("/a/myindex.html")
    ('/a/', '/a/myindex.html')
    """
    directory, _, name = path.rpartition("/")
    return f"{directory}/" if name in names("default-documents") else path


def without_trailing_slash(path: str) -> str:
    """Custom of web servers: one slash at the end of a path that has something before it.

    >>> [without_trailing_slash(path) for path in ("/a/", "/", "/a//", "/index.html/")]
    ['/a', '/', '/a//', '/index.html/']
    """
    if path == "/" or not path.endswith("/") or path.endswith("//"):
        return path
    shorter = path[:-1]
    # A slash behind a default document makes no directory of it; taking it would uncover the name too late.
    return path if shorter.rpartition("/")[2].lower() in names("default-documents") else shorter
