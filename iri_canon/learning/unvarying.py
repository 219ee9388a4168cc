"""Everything of an answer counts but what is named here: what changes from answer to answer though the page does not.

A thing that changes and is not named makes one page look like two, which costs a request. A thing that is left out and
is content would make two pages look like one, which costs a page. So markup, scripts, attributes, links and numbers
all stay, and no part of the text is looked for by the rules of HTML, which a hostile page may bend.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from iri_canon.conventions.lists import names
from iri_canon.learning.volatile import folded, without_stamps

_SHORTEST_SECRET: Final = 8
_SHORTEST_SESSION: Final = 16
_MOST_SECRETS: Final = 16

# Of a comment so much as a server writes into it about the answer itself (its age, its cost); none that has markup.
_COMMENT: Final = re.compile(r"<!--[^<>]{0,200}-->")
_FIELD: Final = re.compile(r"<(?:input|meta)\s[^<>]{0,1000}>", re.IGNORECASE)
_SECRET_NAME: Final = re.compile(
    r"""\s(?:name|id|property)\s?=\s?["']?[^"'\s>]{0,80}?"""
    r"(?:csrf|xsrf|nonce|authenticity.?token|request.?verification|form.?token|form.?build.?id|viewstate|eventvalidation)",
    re.IGNORECASE,
)
_VALUE: Final = re.compile(
    r"""\s(?:value|content)\s?=\s?(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))""", re.IGNORECASE
)
_NONCE: Final = re.compile(r"""\snonce\s?=\s?(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))""", re.IGNORECASE)


def unvarying(text: str, url: str, time: float | None, *, is_html: bool) -> str:
    """A text without what changes by itself; ``url`` is where it was asked for, ``time`` when (seconds since 1970).

    Left out are: differences of white space; stamps of the moment of asking (`without_stamps`); in URLs, the
    parameters of the lists of sessions (values of 16 characters or more) and tracking; of HTML, short comments without
    markup, and nonces and the values of fields against forgery, by their names, wherever else in the text the same
    value stands. What the URL has is never one of these. Takes linear time.

    >>> page = '<!-- 1 s --><input name=csrf value=a1b2c3d4><a href="/b?sid=0123456789abcdef&x"><script>go("a1b2c3d4")'
    >>> unvarying(page, "", None, is_html=True)
    '<input name=csrf value=><a href="/b?&x"><script>go("")'
    """
    text = folded(text)
    if is_html:
        text = _COMMENT.sub("", text)
        for secret in _secrets(text):
            if secret not in url:
                text = text.replace(secret, "")
    return without_stamps(_listed().sub(r"\1", text), time)


def _secrets(text: str) -> list[str]:
    """The values of nonces and of fields against forgery, the longest first."""
    found: dict[str, None] = {}
    # In most pages there is none, and a text is searched for a word sooner than for a pattern.
    lower = text.lower()
    for nonce in _NONCE.finditer(text) if "nonce" in lower else ():
        found[_value(nonce)] = None
    for field in _FIELD.finditer(text) if "<input" in lower or "<meta" in lower else ():
        if _SECRET_NAME.search(field[0]):
            found.update((_value(value), None) for value in _VALUE.finditer(field[0]))
    long = [value for value in found if len(value) >= _SHORTEST_SECRET]
    return sorted(long, key=len, reverse=True)[:_MOST_SECRETS]


def _value(attribute: re.Match[str]) -> str:
    return next((group for group in attribute.groups() if group is not None), "")


@cache
def _listed() -> re.Pattern[str]:
    """Parameters for sessions and statistics, behind what stands before a parameter, with their values."""
    sessions, tracking = (
        "|".join(sorted(map(re.escape, names(of)), reverse=True)) for of in ("session-ids", "tracking-params")
    )
    value = r"[^\s&;/\"'<>#]"
    # "sid" is the number of a story elsewhere: only a value as long as a token is that of a session.
    return re.compile(
        rf"([?&;])(?:amp;)?(?:(?:{sessions})={value}{{{_SHORTEST_SESSION},}}|(?:{tracking})={value}*)",
        re.IGNORECASE,
    )
