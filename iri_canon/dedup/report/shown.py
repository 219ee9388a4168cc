"""RFC 3987 4.1, 7.6, in HTML: what a log holds is shown escaped, left to right and bounded, and does nothing by itself.

Text of a log is hostile. All of it enters a page by this module: visible, in an isolate of its own, cut where it is
long. A link is made of a plain http(s) URL alone, and leads where its text says.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import category

from markupsafe import Markup

from iri_canon.display import display, terminal_line
from iri_canon.errors import IriError
from iri_canon.parse import parse
from iri_canon.unseen import JOINERS

SHORT: Final = 90
"""Characters of a URL that a cell shows; longer ones are cut in the middle, with the whole behind."""

LINE: Final = 160
"""Characters of other text that a cell shows."""

WHOLE: Final = 1000
"""Characters of a URL that are shown at all: a thousand rows of 100 kB each would be no page any more."""

_END: Final = 120
_CONTEXT: Final = 32
_CHANGED: Final = 80
_GAP: Final = "\u2026"
# What a browser reads as RFC 3986 does: it takes "\\" for "/", and leaves out line ends and tabs.
_LINKED: Final = re.compile(r"https?://[^\x00-\x20\x7f\\\ud800-\udfff]+", re.IGNORECASE)


class _Text(NamedTuple):
    shown: str
    left_out: int


def url(text: str) -> Markup:
    """RFC 3987 4.1: a URL as a log has it, for a cell of a table.

    One of more than `SHORT` characters is cut in its middle and unfolds; of one of more than `WHOLE` the middle is
    missing there, too, and the page says how much.

    >>> print(url("http://h/<b>"))
    <a class="url" href="http://h/&lt;b&gt;" rel="noreferrer noopener" target="_blank"><bdi dir="ltr">http://h/&lt;b&gt;</bdi></a>
    >>> print(url("javascript:alert(1)"))
    <span class="url"><bdi dir="ltr">javascript:alert(1)</bdi></span>
    """
    return _folded(text, _linked if _leads_where_it_says(text) else _unlinked)


def key(text: str) -> Markup:
    """RFC 3987 4.1: a key, which is shown as a URL is, and is none to be asked for.

    >>> print(key("http://h/"))
    <span class="url"><bdi dir="ltr">http://h/</bdi></span>
    """
    return _folded(text, _unlinked)


def _folded(text: str, made: Callable[[str, str], Markup]) -> Markup:
    if not text:
        return Markup('<span class="none">(empty)</span>')
    shown, left_out = _shown(text)
    whole = made(text, shown) if not left_out else _unlinked(text, shown)
    if len(shown) <= SHORT:
        return whole
    told = Markup('<span class="none">{:,} characters, {:,} of them left out here</span>').format(
        len(text), left_out
    )
    return Markup('<details class="long"><summary class="url">{}</summary>{}{}</details>').format(
        Markup('<bdi dir="ltr">{}</bdi>').format(cut(shown, SHORT)), whole, told if left_out else ""
    )


def _linked(text: str, shown: str) -> Markup:
    return Markup(
        '<a class="url" href="{}" rel="noreferrer noopener" target="_blank"><bdi dir="ltr">{}</bdi></a>'
    ).format(text, shown)


def _unlinked(text: str, shown: str) -> Markup:
    return Markup('<span class="url"><bdi dir="ltr">{}</bdi></span>').format(shown)


def line(text: object) -> Markup:
    """RFC 3987 6.1: any other text as a part of a line: a host, a reason, the name of a file.

    >>> print(line("a<b>\\x1b"))
    <bdi>a&lt;b&gt;\\x1b</bdi>
    """
    return Markup("<bdi>{}</bdi>").format(cut(_told(text), LINE))


def text(value: object) -> Markup:
    """RFC 3987 6.1: the same for a cell of a table: longer text unfolds.

    >>> print(text("a" * 300)[:60])
    <details class="long"><summary><bdi>aaaaaaaaaaaaaaaaaaaaaaaa
    """
    told = _told(value)
    if len(told) <= LINE:
        return line(value)
    return Markup('<details class="long"><summary>{}</summary><bdi>{}</bdi></details>').format(
        line(value), told
    )


def _told(value: object) -> str:
    return cut(terminal_line(str(value)[: WHOLE + 1]), WHOLE)


def plain(text: str, most: int) -> str:
    """RFC 3987 4.1, 6.1: a text of at most so many characters where there are no elements: an attribute, a chart.

    >>> plain("a\\u05d0\\x1b", 10)
    '\\u2066a\u05d0\\\\x1b\\u2069'
    """
    shown = cut(terminal_line(text[: WHOLE + 1]), most)
    return shown if shown.isascii() else f"\u2066{shown}\u2069"


def label(text: str, most: int) -> str:
    """RFC 3987 4.1: a text for a chart, where some tags are read, so that it is escaped.

    >>> label("<b>h</b>", 10)
    '&lt;b&gt;h&lt;/b&gt;'
    """
    return html.escape(plain(text, most), quote=False)


def change(before: str, after: str) -> Markup:
    """RFC 3987 4.1: what a step made of a text: what it took out, what it put in, and some of what stands around.

    >>> print(change("http://H:80/", "http://H/"))
    <bdi dir="ltr" class="url">http://H<del>:80</del>/</bdi>
    """
    old, new = _shown(before).shown, _shown(after).shown
    if old == new:  # what is not shown as it is may have gone, or have become what it is shown as
        old, new = _told(before), _told(after)
    start = _common(old, new)
    while start and any(start < len(text) and _hangs_on(text, start) for text in (old, new)):
        start -= 1
    end = _common(old[start:][::-1], new[start:][::-1])
    while end and _hangs_on(new, len(new) - end):
        end -= 1
    head, tail = new[:start], new[len(new) - end :]
    removed, added = old[start : len(old) - end], new[start : len(new) - end]
    return Markup('<bdi dir="ltr" class="url">{}{}{}{}</bdi>').format(
        head if len(head) <= _CONTEXT else _GAP + _from(head, len(head) - _CONTEXT),
        Markup("<del>{}</del>").format(cut(removed, _CHANGED)) if removed else "",
        Markup("<ins>{}</ins>").format(cut(added, _CHANGED)) if added else "",
        tail if len(tail) <= _CONTEXT else _to(tail, _CONTEXT) + _GAP,
    )


def cut(text: str, most: int) -> str:
    """A shown text of at most so many characters: the middle of a longer one is left out.

    No triplet is cut in two, and no mark is cut from its letter.

    >>> cut("http://example.com/a/b/c", 16)
    'http://exa\u2026a/b/c'
    """
    if len(text) <= most:
        return text
    end = most * 2 // 5 - 1
    return _to(text, most - end - 1) + _GAP + _from(text, len(text) - end)


def _to(text: str, end: int) -> str:
    while end and _hangs_on(text, end):
        end -= 1
    return text[:end]


def _from(text: str, start: int) -> str:
    while start < len(text) and _hangs_on(text, start):
        start += 1
    return text[start:]


def _hangs_on(text: str, place: int) -> bool:
    """Whether a character belongs to the one before it: a mark, what a joiner joins, the digits of a triplet."""
    return (
        category(text[place])[0] == "M"
        or text[place] in JOINERS
        or text[place - 1] in JOINERS
        or "%" in text[max(0, place - 2) : place]
    )


@lru_cache(maxsize=64)
def _shown(text: str) -> _Text:
    left_out = len(text) - WHOLE
    if left_out <= 0:
        return _Text(display(text, marks="none"), 0)
    head, tail = text[: WHOLE - _END], text[-_END:]
    return _Text(f"{display(head, marks='none')}{_GAP}{display(tail, marks='none')}", left_out)


def _leads_where_it_says(text: str) -> bool:
    """Whether a browser would ask the host that is read in the text; one behind userinfo is easily misread."""
    if not _LINKED.fullmatch(text):
        return False
    try:
        value = parse(text)
    except IriError:
        return False
    return bool(value.host) and value.userinfo is None


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least
