"""What makes two texts agree, where no pattern can say it."""

import re
import unicodedata
from functools import cache
from urllib.parse import quote, unquote_to_bytes

from iri_canon import Ladder

_OCTETS = re.compile("(?:%[89A-F][0-9A-F])+")
_QUERY = re.compile(r"(?<=\?)[^#]*")


@cache
def _ladder(conventions: tuple[str, ...]) -> Ladder:
    return Ladder(conventions=conventions, keep_fragment=True)


def by_conventions(text: str, conventions: tuple[str, ...]) -> str:
    """The key under conventions of this library, assumed for all hosts."""
    return _ladder(conventions).key(text)


def nfc(text: str) -> str:
    """The text in NFC, triplets of UTF-8 among it."""
    return re.sub(
        "[A-Za-z]?(?:%[89A-F][0-9A-F])+",
        lambda match: quote(
            unicodedata.normalize("NFC", _decoded(match[0])), errors="surrogateescape", safe="%"
        ),
        text,
    )


def _decoded(text: str) -> str:
    return _OCTETS.sub(lambda match: unquote_to_bytes(match[0]).decode("utf-8", "surrogateescape"), text)


def in_utf8(text: str, path_encoding: str, query_encoding: str) -> str:
    """The text with the triplets of path and query read in their encodings and written in UTF-8.

    What an encoding lacks is a numeric reference there, as forms have it.
    """
    before, question_mark, query = text.partition("?")
    return _converted(before, path_encoding) + question_mark + _converted(query, query_encoding)


def _converted(text: str, encoding: str) -> str:
    try:
        characters = unquote_to_bytes(text).decode(encoding)
    except UnicodeDecodeError:
        return text
    characters = re.sub("&#([0-9]+);", lambda match: chr(int(match[1])), characters)
    return quote(characters, safe="!$&'()*+,;=:@/?-._~#")


def has_fewer_parameters(fewer: str, more: str) -> bool:
    """Whether one text is the other with some parameters of the query left out, and nothing else."""
    outside = [_QUERY.sub("", text).replace("?", "") for text in (fewer, more)]
    left, all_of_them = ([*_QUERY.findall(text), ""][0].split("&") for text in (fewer, more))
    rest = iter(all_of_them)
    return (
        outside[0] == outside[1]
        and left != all_of_them
        and (left == [""] or all(each in rest for each in left))
    )
