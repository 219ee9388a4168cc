"""Characters that cannot be seen: UTS #39 3.1, but for joiners and selectors that change how their neighbours look."""

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import category

from iri_canon.lint.findings import Hit
from iri_canon.lint.subject import Subject
from iri_canon.naming import named
from iri_canon.unseen import INVISIBLE, JOINERS, NEIGHBOURHOOD, joins_letters

_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
_EMOJI_SELECTORS: Final = "\ufe0e\ufe0f"
_MONGOLIAN_SELECTORS: Final = "\u180b\u180c\u180d\u180f"
# The tags that spell the name of a region behind a flag.
_TAGS: Final = "".join(map(chr, range(0xE0020, 0xE0080)))
_BLACK_FLAG: Final = "\U0001f3f4"


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
    start = max(0, at - NEIGHBOURHOOD)
    before, character, after = text[start:at], text[at], text[at + 1 : at + NEIGHBOURHOOD]
    if character in _EMOJI_SELECTORS:
        return _is_picture(before[-1:]) or before[-1:] in tuple("0123456789*#")
    if character in JOINERS:
        return _joins_pictures(character, before, after) or joins_letters(text, at)
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
