"""Segments and dot removal, in time linear in the path."""

import re
from typing import Final

_LEADING_DOTS = re.compile(r"(?:\.\.?/)*+")
#: Where a path may hold a dot-segment at all: a cheap test before the work.
DOT_SEGMENT: Final = re.compile(r"(?:\A|/)\.\.?(?:/|\Z)")


def remove_dot_segments(path: str) -> str:
    """RFC 3986 5.2.4, with the same result as its loop, for rooted and for rootless paths.

    >>> remove_dot_segments("/a/b/c/./../../g"), remove_dot_segments("mid/content=5/../6")
    ('/a/g', 'mid/6')
    >>> remove_dot_segments("/../.."), remove_dot_segments("a/../b"), remove_dot_segments("/a//..")
    ('/', '/b', '/a/')
    """
    if not DOT_SEGMENT.search(path):
        return path
    # Steps A and D only ever apply before the first segment has moved to the output.
    path = path[_LEADING_DOTS.match(path).end() :]  # type: ignore[union-attr]
    if path in (".", ".."):
        return ""
    first, slash, rest = path.partition("/")
    output = [first] if first else []
    if not slash:
        return first
    *inner, last = rest.split("/")
    for segment in inner:
        if segment == "..":
            del output[-1:]
        elif segment != ".":
            output.append(f"/{segment}")
    if last == "..":
        del output[-1:]
    output.append("/" if last in (".", "..") else f"/{last}")
    return "".join(output)


def keep_from_authority(path: str) -> str:
    """RFC 3986 3.3: a path without an authority must not begin with "//", so it keeps a leading "/." there.

    >>> keep_from_authority("//a"), keep_from_authority("/a")
    ('/.//a', '/a')
    """
    return f"/.{path}" if path.startswith("//") else path


def keep_from_scheme(path: str) -> str:
    """RFC 3986 4.2: a relative path whose first segment holds a ":" is written behind "./".

    >>> keep_from_scheme("a:b"), keep_from_scheme("a/b:c"), keep_from_scheme("/a:b")
    ('./a:b', 'a/b:c', '/a:b')
    """
    return f"./{path}" if ":" in path.partition("/")[0] else path
