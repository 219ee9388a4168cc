"""What an argument has to be: a wrong type is a `TypeError` that says what is wanted and what came instead."""

from typing import Final

_ARTICLES: Final = {"IRI": "an", "int": "an"}


def require(value: object, kind: type, name: str) -> None:
    """Raise `TypeError` unless *value* is a *kind*; *name* tells what it is the value of.

    >>> require(b"/a", str, "an IRI")
    Traceback (most recent call last):
    TypeError: an IRI is str, not bytes
    >>> require("syntax", int, "rung")
    Traceback (most recent call last):
    TypeError: rung is an int, not 'syntax'
    """
    if isinstance(value, kind):
        return
    if kind is str:
        raise TypeError(f"{name} is str, not {type(value).__name__}")
    raise TypeError(f"{name} is {_ARTICLES.get(kind.__name__, 'a')} {kind.__name__}, not {value!r}")
