"""Characters that cannot be seen: UTS #39 3.1, but for joiners and selectors that change how their neighbours look."""

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import category

import idna

from iri_canon.lint.findings import Hit, named
from iri_canon.lint.subject import Subject

#: Default_Ignorable_Code_Point without the characters of UAX #9: what most fonts show as nothing at all.
INVISIBLE: Final = (
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
_JOINERS: Final = "\u200c\u200d"
_EMOJI_SELECTORS: Final = "\ufe0e\ufe0f"
_MONGOLIAN_SELECTORS: Final = "\u180b\u180c\u180d\u180f"
# The tags that spell the name of a region behind a flag.
_TAGS: Final = "".join(map(chr, range(0xE0020, 0xE0080)))
_BLACK_FLAG: Final = "\U0001f3f4"
# How far the neighbours of a character are looked at, so that a run of them takes linear time.
_NEIGHBOURHOOD: Final = 32


def invisible(subject: Subject) -> Iterator[Hit]:
    """UTS #39 3.1: what shows as nothing and is not where it belongs, one finding a run."""
    if subject.text.isascii():
        return
    for part in subject.parts:
        previous = -2
        for match in _INVISIBLE.finditer(part.text):
            at = match.start()
            if _belongs(part.text, at):
                continue
            if at != previous + 1:
                yield Hit(part.component, part.offset + at, f"{named(match[0])} cannot be seen")
            previous = at


def _belongs(text: str, at: int) -> bool:
    """Whether an invisible character changes how its neighbours look, as it is meant to."""
    start = max(0, at - _NEIGHBOURHOOD)
    before, character, after = text[start:at], text[at], text[at + 1 : at + _NEIGHBOURHOOD]
    if character in _EMOJI_SELECTORS:
        return _is_picture(before[-1:]) or before[-1:] in tuple("0123456789*#")
    if character in _JOINERS:
        return _joins_pictures(character, before, after) or _joins_letters(before, character, after)
    if character in _TAGS:
        return before.rstrip(_TAGS).endswith(_BLACK_FLAG)
    if "\U000e0100" <= character <= "\U000e01ef" or character in _MONGOLIAN_SELECTORS:
        return before != "" and category(before[-1]) == "Lo"
    return False


def _is_picture(character: str) -> bool:
    return character != "" and not character.isascii() and category(character) in ("So", "Sk", "Sm", "Po")


def _joins_pictures(character: str, before: str, after: str) -> bool:
    """UTS #51 2.3: an emoji of several is joined by ZWJ."""
    return (
        character == "\u200d" and _is_picture(before.rstrip(_EMOJI_SELECTORS)[-1:]) and _is_picture(after[:1])
    )


def _joins_letters(before: str, character: str, after: str) -> bool:
    """RFC 5892 A.1 and A.2: where a joiner changes letters."""
    try:
        return idna.core.valid_contextj(before + character + after, len(before))
    except ValueError:  # a neighbour without a name
        return False
