"""Octets in triplets: RFC 3986 2 and 7.3, RFC 3987 3.2, 6.4 and 8, on the text as it is written."""

import re
from collections.abc import Iterator
from typing import Final

from iri_canon import grammar, percent
from iri_canon.lint.findings import Hit, quoted
from iri_canon.lint.subject import Part, Subject
from iri_canon.naming import named
from iri_canon.unseen import BIDI_FORMATTING, INVISIBLE, LATER_BIDI_FORMATTING, SPACES

_HEX: Final = f"[{grammar.HEXDIG}]"
_TRIPLET: Final = re.compile(grammar.PCT_ENCODED)
_NON_ASCII_RUN: Final = re.compile(rf"(?:%[89A-Fa-f]{_HEX})++")
_BIDI_OR_UNSEEN: Final = re.compile(f"[{SPACES}{INVISIBLE}{BIDI_FORMATTING}{LATER_BIDI_FORMATTING}]++")
# Octets that decode to an ASCII character with one octet too many, or to a surrogate (RFC 3629 3).
_OVERLONG: Final = re.compile(
    rb"[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]|\xf0[\x80-\x8f][\x80-\xbf]{2}"
)
_SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
# Segments of one or two dots between slashes and what may be read as one, where a dot or a slash is encoded.
_ENCODED_DOTS: Final = re.compile(
    r"(?:(?:(?<=/)|\A)(?=\.{0,2}%)|(?<=%2f|%5c))(?:\.|%2e){1,2}+(?=/|%2f|%5c|\Z)", re.IGNORECASE
)
_REPLACEMENT: Final = re.compile("%ef%bf%bd", re.IGNORECASE)
# Only where a run begins: what stands within it ends where the run ends, and would be looked at again and again.
_TWICE: Final = re.compile(rf"(?<!%25)(?:%25)++{_HEX}{{2}}")
_PIECES: Final = re.compile("[&;=]")
# A piece of a query that embeds an IRI, or a query of its own, has to encode its triplets once more.
_EMBEDDED: Final = re.compile(r"://|%3a(?:/|%2f){2}|%3d|%26|%3f", re.IGNORECASE)
_ENCODED_UNRESERVED: Final = re.compile(
    f"%(?:{'|'.join(triplet[1:] for triplet, kept in percent.TRIPLETS.items() if len(kept) == 1)})"
)
_LOWER_CASE: Final = re.compile(r"%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])")
_NUL: Final = re.compile("%00")
_CONTROL: Final = re.compile(r"%(?:0[1-9A-F]|1[0-9A-F]|7F)", re.IGNORECASE)
_FORM_CONTROL: Final = re.compile(r"%(?:0[1-8BCEF]|1[0-9A-F]|7F)", re.IGNORECASE)  # without tab, LF, CR
_SLASH: Final = re.compile("%2f|%5c", re.IGNORECASE)
#: Schemes whose triplets are data: raw octets (RFC 2397 3), or the text of a message (RFC 6068 5).
_RAW_DATA: Final = frozenset(("data", "mailto", "javascript"))


def lower_case_triplet(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 2.1: hexadecimal digits in lower case, the first in each component."""
    return _first(subject, _LOWER_CASE, "{} in lower case")


def encoded_unreserved(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 2.3: a triplet of a character that needs none, the first in each component."""
    return _first(subject, _ENCODED_UNRESERVED, "{} stands for an unreserved character")


def _first(subject: Subject, pattern: re.Pattern[str], message: str) -> Iterator[Hit]:
    if "%" not in subject.text:
        return
    for part in subject.parts:
        match = pattern.search(part.text)
        if match:
            yield Hit(part.component, part.offset + match.start(), message.format(match[0]))


def _octets(run: str) -> bytes:
    return bytes.fromhex(run.replace("%", ""))


def legacy_octets(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 6.4: triplets that are not UTF-8, the first in each component."""
    for part, run, octets in _not_utf8(subject):
        has_own_rule = _overlong(octets) or _surrogates(octets)
        if has_own_rule and _is_utf8_otherwise(part):
            continue
        yield Hit(run.component, run.offset, f"{run.text[:12]} is not UTF-8")


def overlong_utf8(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 8: a delimiter in more octets than it needs, which some decoders take for it."""
    for part, run, octets in _not_utf8(subject):
        found = _overlong(octets)
        if found and _is_utf8_otherwise(part):
            start, character = found[0]
            yield Hit(run.component, run.offset + 3 * start, f"an overlong form of {quoted(character)}")


def encoded_surrogate(subject: Subject) -> Iterator[Hit]:
    """RFC 3629 3: half of a UTF-16 pair in triplets."""
    for part, run, octets in _not_utf8(subject):
        found = _surrogates(octets)
        if found and _is_utf8_otherwise(part):
            yield Hit(run.component, run.offset + 3 * found[0], "half of a UTF-16 pair")


def _not_utf8(subject: Subject) -> Iterator[tuple[Part, Part, bytes]]:
    """The first run of triplets in each component that is not UTF-8, from the octet on that is wrong."""
    if "%" not in subject.text:
        return
    for part in subject.parts:
        for match in _NON_ASCII_RUN.finditer(part.text):
            octets = _octets(match[0])
            try:
                octets.decode()
            except UnicodeDecodeError as error:
                yield part, part.piece(match.start() + 3 * error.start, match.end()), octets[error.start :]
                break


def _overlong(octets: bytes) -> list[tuple[int, str]]:
    """Overlong forms of ASCII characters that mean something: in a Chinese charset the others are letters."""
    found = []
    for match in _OVERLONG.finditer(octets):
        lead, *rest = match[0]
        code = lead & 0x7F >> len(rest) + 1
        for octet in rest:
            code = code << 6 | octet & 0x3F
        if chr(code).isascii() and not chr(code).isalnum():
            found.append((match.start(), chr(code)))
    return found


def _surrogates(octets: bytes) -> list[int]:
    return [match.start() for match in _SURROGATE.finditer(octets)]


def _is_utf8_otherwise(part: Part) -> bool:
    """Whether the component is UTF-8 but for overlong forms and surrogates: else it is in some other charset."""
    for match in _NON_ASCII_RUN.finditer(part.text):
        rest = _SURROGATE.sub(b"", _OVERLONG.sub(b"", _octets(match[0])))
        try:
            rest.decode()
        except UnicodeDecodeError:
            return False
    return True


def lost_characters(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 6.4: U+FFFD in triplets, the first in each component: octets were read in the wrong charset and lost."""
    return _first(subject, _REPLACEMENT, "{} is U+FFFD REPLACEMENT CHARACTER")


def encoded_unseen(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 6.1: triplets of characters that cannot be seen, or look like a space."""
    if "%" not in subject.text:
        return
    for run in subject.matches(_NON_ASCII_RUN):
        text = _octets(run.text).decode("utf-8", "surrogateescape")
        match = _BIDI_OR_UNSEEN.search(text)
        if match and text[match.start()] not in "\u200c\u200d\ufe0f":  # these belong to words and emoji
            before = len(text[: match.start()].encode("utf-8", "surrogateescape"))
            message = f"the triplets stand for {named(match[0][0])}"
            yield Hit(run.component, run.offset + 3 * before, message)


def double_encoding(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 2.4: an encoded "%" before two hexadecimal digits, unless the piece embeds another IRI."""
    if "%25" not in subject.text:
        return
    for part in subject.parts:
        pieces = part.split(_PIECES) if part.component in ("query", "fragment") else iter((part,))
        for piece in pieces:
            match = _TWICE.search(piece.text)
            if match and not _EMBEDDED.search(piece.text):
                message = f"{match[0][-5:]} looks encoded twice"
                yield Hit(piece.component, piece.offset + match.start(), message)


def encoded_nul(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 7.3: %00, which should be refused where no raw data is expected."""
    if "%00" in subject.text and subject.scheme.name not in _RAW_DATA:
        for found in subject.matches(_NUL):
            yield Hit(found.component, found.offset, "an encoded NUL")


def encoded_control(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 7.3: triplets of controls; in a query, forms send tabs and line ends."""
    if "%" not in subject.text or subject.scheme.name in _RAW_DATA:
        return
    for part in subject.parts:
        pattern = _FORM_CONTROL if part.component in ("query", "fragment") else _CONTROL
        for match in pattern.finditer(part.text):
            yield Hit(part.component, part.offset + match.start(), f"{match[0]} is a control character")


def encoded_slash(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 2.2: an encoded slash or backslash in a path, which servers read as data or as a delimiter."""
    for found in subject.matches(_SLASH, "path") if "%" in subject.text else ():
        yield Hit("path", found.offset, f"{found.text} is data here, and some servers read it as a slash")


def encoded_dot_segment(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 6.2.2.3: a dot-segment in disguise: its dots or the slash beside it encoded."""
    if "%" not in subject.text:
        return
    for found in subject.matches(_ENCODED_DOTS, "path"):
        yield Hit("path", found.offset, f"{found.text} is a dot-segment in disguise")
