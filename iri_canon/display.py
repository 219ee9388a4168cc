"""RFC 3987 4.1, 7.6: what is shown of an IRI can be seen, reads as the IRI does, and is still that IRI.

Whatever cannot be seen, or not be told from something else that is nothing, is shown as the triplets of its UTF-8
octets, which `iri_canon.key` reads back: no resource changes. What does not parse is no resource, and shown as text.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final, Literal, get_args

from iri_canon import bidi, grammar, percent, unseen
from iri_canon.arguments import require
from iri_canon.errors import HostError, IriEncodingError, IriError, IriSyntaxError
from iri_canon.host import to_ascii
from iri_canon.iri import IRI
from iri_canon.lookalikes import LOOK_ALIKES
from iri_canon.parse import parse
from iri_canon.schemes import lookup

Marks = Literal["embedding", "isolate", "none"]
Paragraph = Literal["ltr", "rtl"]
Breaching = Literal["encoded", "raw"]

# 4.1: LRE and PDF; what Unicode 6.3 recommends in their place (UAX #9 2.7): LRI and PDI.
_MARKS: Final = {"embedding": ("\u202a", "\u202c"), "isolate": ("\u2066", "\u2069"), "none": ("", "")}

_PLAIN: Final = re.compile(r"[\x21-\x7e]*+")
_RUN: Final = re.compile(r"[^\x21-\x7e]++")
# What a mark behind it attaches to: a letter or digit of ASCII that is no part of a triplet.
_BASE: Final = re.compile(rf"(?<!%)(?<!%[{grammar.HEXDIG}])[{grammar.ALPHA}{grammar.DIGIT}]")
#: UTS #39 5.4: more nonspacing marks in a row than these are no word of any language.
_MOST_MARKS: Final = 4

# Controls, format characters (bidi, joiners, tags, soft hyphen ...), surrogates, private use, unassigned and
# noncharacters; spaces, lines, paragraphs.
_UNSEEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"})
# What is unseen though its category does not say so (fillers, variation selectors), the blank of Braille, and what
# stands for something else (U+FFFC, U+FFFD; 6.1).
_UNSEEN: Final = f"[{unseen.INVISIBLE}\u2800\ufffc\ufffd]"
# Delimiters of an authority and of triplets: "/", "?", "#", "@", ":", "\\", "[", "]", "%". What has them in its NFKC
# form looks like them (full-width forms, U+2100); `LOOK_ALIKES` do by their shape alone.
_DELIMITERS: Final = re.compile(r"[/?#@:\\\[\]%]")
# UAX #9 table 4: the strong right-to-left and the weak classes, of which 4.1's reference without embedding is made.
_RTL: Final = frozenset({"R", "AL"})
_RTL_OR_WEAK: Final = _RTL | {"EN", "ES", "ET", "AN", "CS", "NSM", "BN"}


def display(
    iri: str,
    *,
    marks: Marks = "embedding",
    paragraph: Paragraph = "ltr",
    breaching: Breaching = "encoded",
    encoding: str | None = None,
) -> str:
    """RFC 3987 4.1, 7.6: the text to show for an IRI, or for any text at all.

    **Order.** Where the bidi algorithm might order the text otherwise than in a left-to-right embedding, it stands
    between LRE and PDF, or with ``marks="isolate"`` between LRI and PDI; ``"none"`` is for those who set the direction
    by other means (``dir="ltr"``). In an ltr *paragraph* that is where the text has right-to-left characters; in an rtl
    one, everywhere but in 4.1's exception: a reference of right-to-left and weak characters alone that starts and
    ends with the former.

    **Components that go against 4.2** are shown in URI notation as a whole, since raw they look like another IRI:
    ``/2015-אב`` and ``/אב-2015`` are one to the eye. ``breaching="raw"`` shows them.
    Numbers beside right-to-left text, which 4.4 allows though they show in another place (example 10), are shown as
    they are: `lint` tells of them.

    **Characters** shown as triplets: what is invisible or looks like space, controls, bidi formatting (so that the only
    such characters in the result are the marks), variation selectors and all else that is ignored by default,
    private use, unassigned (in the Unicode version of this Python) and noncharacters, surrogates; marks that would
    attach to a delimiter or a triplet, the same one twice, or more than four in a row (UTS #39 5.4); before the path
    what looks like a delimiter, since there it would move the end of the host; and what *encoding*, the charset of a
    terminal, lacks. A joiner (U+200C, U+200D) stays where RFC 5892 A.1 and A.2 find it
    meaningful: there it shapes the letters beside it, and Persian is not legible without. The selectors and joiners of
    emoji do not stay, though `lint` takes them as meant: a font that does not know the sequence shows the one with them
    as the one without, and two IRIs must not be one to the eye. Where the charset lacks
    the marks, it cannot put right-to-left text in order, so that is shown as triplets too (7.6).

    Outer spaces and controls, tabs and line ends are left out, as `key` leaves them out.

    A label of a host of which anything is not shown is its A-label, which is what is looked up, where the scheme
    knows domain names and the host has one.

    Raises `IriEncodingError` for an unknown encoding, `IriError` for an unknown value of another option.

    >>> display("http://example.org/a\\u200bb\\u202e"), display("http://é\\u0301\\u0301.example/é", encoding="latin-1")
    ('http://example.org/a%E2%80%8Bb%E2%80%AE', 'http://xn--9ca68ha.example/é')
    >>> display("http://example.org/אב/") == "\\u202ahttp://example.org/אב/\\u202c"
    True
    >>> display("http://example.org/2015-אב/גד", marks="none"), display("אב/גד", paragraph="rtl")
    ('http://example.org/2015-%D7%90%D7%91/גד', 'אב/גד')
    """
    require(iri, str, "an IRI")
    _check("marks", marks, Marks)
    _check("paragraph", paragraph, Paragraph)
    _check("breaching", breaching, Breaching)
    before, after = _MARKS[marks]
    is_in_charset = _charset(encoding)
    can_mark = not before or (is_in_charset(before) and is_in_charset(after))
    if not _PLAIN.fullmatch(iri):
        iri = _legible(iri, cache(partial(_is_shown, is_in_charset, can_mark)), breaching)
    if not can_mark or not _needs_marks(iri, paragraph):
        return iri
    return f"{before}{iri}{after}"


def terminal_line(text: str) -> str:
    r"""RFC 3987 4.1, 6.1: any text as one line that a terminal shows and does not obey.

    What `display` shows as triplets for its own sake is written by its number here, as Python writes it, since the text
    need be no IRI; an octet that is no character (surrogateescape) by its own; spaces stay.

    >>> print(terminal_line("a b\x1b[31m\u202e\n\udc9b"))
    a b\x1b[31m\u202e\n\x9b
    """
    by_number = cache(_by_number)
    return _RUN.sub(lambda run: "".join(map(by_number, run[0])), text)


def _by_number(character: str) -> str:
    if character == " " or not _is_unseen(character):
        return character
    if "\udc80" <= character <= "\udcff":
        return f"\\x{percent.octets(character).hex()}"
    return character.encode("unicode_escape").decode("ascii")


def _check(name: str, value: str, known: object) -> None:
    if value not in get_args(known):
        raise IriError(f"unknown {name} {value!r}: one of {', '.join(get_args(known))}")


def _charset(encoding: str | None) -> Callable[[str], bool]:
    """Whether a charset has a character."""
    if encoding is None:
        return lambda character: True
    require(encoding, str, "an encoding")
    try:
        "".encode(encoding)
    except (LookupError, ValueError) as error:  # unknown, no charset but another codec, or a name with NUL
        raise IriEncodingError(f"encoding {encoding!r}: {error}") from None

    def has(character: str) -> bool:
        try:
            character.encode(encoding)
        except UnicodeError:
            return False
        return True

    return has


def _is_unseen(character: str) -> bool:
    from unicodedata import category

    return category(character) in _UNSEEN_CATEGORIES or re.match(_UNSEEN, character) is not None


def _looks_like_delimiter(character: str) -> bool:
    from unicodedata import normalize

    folded = normalize("NFKC", character)
    return not LOOK_ALIKES.keys().isdisjoint((character, *folded)) or _DELIMITERS.search(folded) is not None


def _is_shown(is_in_charset: Callable[[str], bool], can_mark: bool, character: str) -> bool:
    """Whether a character may be shown as it is, wherever it stands; a joiner may, in its context."""
    if not is_in_charset(character) or (not can_mark and bidi.is_bidirectional(character)):
        return False
    return character in unseen.JOINERS or not _is_unseen(character)


def _legible(text: str, is_shown: Callable[[str], bool], breaching: Breaching) -> str:
    show = partial(_RUN.sub, partial(_show_run, is_shown))
    show_authority = partial(
        _RUN.sub, partial(_show_run, lambda found: is_shown(found) and not _looks_like_delimiter(found))
    )
    try:
        value = parse(text.strip(grammar.C0_OR_SPACE).translate(grammar.WITHOUT_TAB_OR_NEWLINE))
    except IriSyntaxError:  # without components all of it is one
        value = IRI(None, None, None, None, "", None, show(text))
        return (bidi.encode_breaching(value) if breaching == "encoded" else value).fragment or ""
    shown = value.replace(
        userinfo=value.userinfo and show_authority(value.userinfo),
        host=value.host and show_authority(value.host),
        path=show(value.path),
        query=value.query and show(value.query),
        fragment=value.fragment and show(value.fragment),
    )
    if breaching == "encoded":
        shown = bidi.encode_breaching(shown)
    return str(shown.replace(host=_legible_host(value, shown.host)))


def _legible_host(value: IRI, shown: str | None) -> str | None:
    """RFC 3987 3.1: the labels that are not shown as they are, as A-labels where the scheme knows domain names."""
    if value.host is None or shown is None or shown == value.host:
        return shown
    if value.scheme is None or lookup(value.scheme.lower()).host == "opaque":
        return shown
    try:
        looked_up = to_ascii(value.host)
    except HostError:
        return shown
    labels = [host.split(".") for host in (value.host, shown, looked_up)]
    if len(labels[0]) != len(labels[2]):  # other dots, or encoded ones
        return looked_up
    return ".".join(
        found if found == label else a_label for found, label, a_label in zip(*labels, strict=True)
    )


def _show_run(is_shown: Callable[[str], bool], run: re.Match[str]) -> str:
    """A run of characters other than visible ASCII, each shown or as triplets."""
    has_base = run.start() > 0 and _BASE.match(run.string, run.start() - 1) is not None
    shown = "".join(_shown_or_percent(run[0], is_shown, has_base))
    if any(joiner in shown for joiner in unseen.JOINERS):
        shown = "".join(_joiners_in_context(shown))
    if "%" not in shown:
        return shown
    return "".join(
        percent.triplets(raw) if found == "%" else raw for raw, found in zip(run[0], shown, strict=True)
    )


def _shown_or_percent(run: str, is_shown: Callable[[str], bool], has_base: bool) -> Iterator[str]:
    """Each character, or "%" for one that must not be shown; marks need a base, and no crowd on it."""
    from unicodedata import category

    marks = 0
    last = ""
    for character in run:
        is_joiner = character in unseen.JOINERS and is_shown(character)
        kind = category(character)
        if kind[0] == "M":
            marks += kind != "Mc"
            has_base = has_base and is_shown(character) and marks <= _MOST_MARKS and character != last
        elif not is_joiner:
            has_base, marks = is_shown(character), 0
        yield character if has_base or is_joiner else "%"
        last = character


def _joiners_in_context(shown: str) -> Iterator[str]:
    """RFC 5892 A.1, A.2: "%" for a joiner without effect, and for what would then attach to its triplet."""
    from unicodedata import category

    is_lost = False
    for position, character in enumerate(shown):
        if character in unseen.JOINERS:
            is_lost = is_lost or not unseen.joins_letters(shown, position)
        elif category(character)[0] != "M":
            is_lost = False
        yield "%" if is_lost else character


def _needs_marks(text: str, paragraph: Paragraph) -> bool:
    if paragraph == "ltr":
        return bidi.is_bidirectional(text)
    if not text:
        return False
    from unicodedata import bidirectional

    is_exception = (
        bidirectional(text[0]) in _RTL
        and bidirectional(text[-1]) in _RTL
        and all(bidirectional(character) in _RTL_OR_WEAK for character in text)
    )
    return not is_exception
