"""Characters that are not what they seem: RFC 3987 5.3.2.2, 6.1, 7.5 and 8, on the text as it is written."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from unicodedata import bidirectional, decomposition, normalize

from iri_canon.lint.findings import Hit, quoted
from iri_canon.lint.subject import Subject
from iri_canon.lookalikes import IN_PROSE, LOOK_ALIKES
from iri_canon.naming import named
from iri_canon.nfc import composed
from iri_canon.unseen import INVISIBLE, SPACES

NON_ASCII: Final = re.compile(r"[^\x00-\x7f]++")
_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
_SPACES: Final = re.compile(f"[{SPACES}]++")
_WIDE_OR_NARROW: Final = re.compile("[\uff00-\uffef]++")
# How much of a run is looked at to tell what it is.
_GLANCE: Final = 512

_LOOK_ALIKE: Final = re.compile(f"[{''.join(map(re.escape, LOOK_ALIKES))}]")

# The octets C2 to DF and 80 to BF of Latin-1 as characters, in triplets or raw: a pair that no language has, since
# the second is a control or a symbol. Raw pairs with a symbol that prose may have (quotes, degrees) are left alone.
# The third is what windows-1252 makes of the quotes and dashes of U+2010 to U+203F.
_MOJIBAKE: Final = re.compile(
    r"(?:%[Cc]3%(?:8[2-9A-Fa-f]|9[0-9A-Fa-f])%[Cc]2%[89ABab][0-9A-Fa-f]"
    "|[\xc2-\xdf][\x80-\x9f\xa1-\xa9\xac\xad\xaf\xb1-\xb6\xb8\xb9\xbc-\xbe]"
    r"|(?:â|%[Cc]3%[Aa]2)(?:€|%[Ee]2%82%[Aa][Cc]))++"
)
#: Words, and the triplets between them, which are none.
WORDS: Final = re.compile(r"%[0-9A-Fa-f]{2}|[^\W_]++")


def not_nfc(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 5.3.2.2: characters that Normalization Form C would change, the first of each component."""
    for part in subject.parts:
        kept = composed(part.text)
        if kept != part.text:
            at = _first_difference(part.text, kept)
            numbers = " ".join(f"U+{ord(each):04X}" for each in part.text[at : at + 2])
            yield Hit(part.component, part.offset + at, f"not in NFC: {numbers}")


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one) - 1, len(other)))


def not_nfkc(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 7.5: compatibility characters, but for those that have a rule of their own."""
    for found in subject.beyond_ascii(NON_ASCII):
        for at, character in enumerate(found.text):
            if _is_compatible(character):
                kept = normalize("NFKC", character)
                message = f"{named(character)} is a variant of {quoted(kept)}"
                yield Hit(found.component, found.offset + at, message)


@lru_cache(4096)
def _is_compatible(character: str) -> bool:
    tag = decomposition(character).partition(" ")[0]
    has_own_rule = character in LOOK_ALIKES or _SPACES.match(character) or _INVISIBLE.match(character)
    return tag.startswith("<") and tag not in ("<wide>", "<narrow>") and not has_own_rule


def width_form(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 6.1: full-width and half-width forms, one finding a run; in a query only letters and digits."""
    for found in subject.beyond_ascii(_WIDE_OR_NARROW):
        # The block has some characters that are no forms of others; Chinese and Japanese prose has the punctuation.
        is_prose = found.component in ("query", "fragment") and not found.text[:_GLANCE].isalnum()
        if decomposition(found.text[0])[:5] in ("<wide", "<narr") and not is_prose:
            kept = normalize("NFKC", found.text[:40])
            message = f"{quoted(found.text)} is a width variant of {quoted(kept)}"
            yield Hit(found.component, found.offset, message)


def space_look_alike(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 6.1: what looks like a space and is another character."""
    for found in subject.beyond_ascii(_SPACES):
        yield Hit(found.component, found.offset, f"{named(found.text[0])} looks like a space")


def delimiter_look_alike(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 6.1: what looks like a delimiter, behind the host; those of prose in paths alone."""
    for found in _look_alikes(subject, "path", "query", "fragment"):
        if found.component == "path" or subject.text[found.offset] not in IN_PROSE:
            yield found


def host_delimiter_look_alike(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 8: what looks like a delimiter and is part of the authority, so that the host seems to end there."""
    return _look_alikes(subject, "userinfo", "host")


def _look_alikes(subject: Subject, *components: str) -> Iterator[Hit]:
    for found in subject.beyond_ascii(_LOOK_ALIKE, *components):
        message = f"{named(found.text)} looks like {quoted(LOOK_ALIKES[found.text])}"
        yield Hit(found.component, found.offset, message)


def mojibake(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 8: UTF-8 that was read as Latin-1 and encoded again, raw or in triplets."""
    for found in subject.matches(_MOJIBAKE) if "%" in subject.text else subject.beyond_ascii(_MOJIBAKE):
        yield Hit(found.component, found.offset, f"{quoted(found.text)} is UTF-8 that was encoded twice")


def mixed_digits(subject: Subject) -> Iterator[Hit]:
    """UTS #39 5.3: decimal digits of more than one system in one word."""
    for found in subject.beyond_ascii(WORDS):
        zeros = {ord(each) - int(each) for each in found.text if each.isdecimal()}
        if len(zeros) > 1:
            yield Hit(found.component, found.offset, f"{quoted(found.text)} has digits of different scripts")


def is_rtl(text: str) -> bool:
    """Whether *text* has a character of a right-to-left script."""
    return not text.isascii() and any(bidirectional(character) in ("R", "AL") for character in text)
