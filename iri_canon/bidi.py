"""RFC 3987 section 4: each component of an IRI keeps to one direction, since else two IRIs may look alike.

What counts as a character of a direction is its class in UAX #9 (table 4):

* R and AL are the right-to-left characters, L the left-to-right ones. The digits and letters of a triplet are
  characters like any other, so a component with triplets mostly has L characters.
* EN and AN are numbers, of neither direction ("Numbers are written ltr in all cases", example 7): they may stand
  inside a right-to-left component and may not begin or end it (example 8). RFC 5893 2 lets a label end with
  numbers; section 4.2 does not, and neither did RFC 3490, to which it points.
* NSM, a mark, takes the class of the character before it (UAX #9 W1): at the end of a component its base decides
  (as in RFC 5893 2). At the start it has no base but the delimiter, so a component does not start with it.
* BN does not show (X9), and neither do the formatting characters: the rest decides. That the latter are there at
  all is for section 4.1 to judge; else RLM at both ends would do for every component.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from iri_canon import grammar, percent, unseen
from iri_canon.arguments import require
from iri_canon.iri import IRI

#: RFC 3987 4.1, "IRIs MUST NOT contain" them: LRM RLM LRE RLE PDF LRO RLO.
FORMATTING: Final = unseen.BIDI_FORMATTING
#: What Unicode 6.3 added to them, after the RFC: ALM LRI RLI FSI PDI. The ABNF allows them, their effect is the same.
LATER_FORMATTING: Final = unseen.LATER_BIDI_FORMATTING

_RTL: Final = frozenset({"R", "AL"})
_NUMBERS: Final = frozenset({"EN", "AN"})
_WITHOUT_FORMATTING: Final = dict.fromkeys(map(ord, FORMATTING + LATER_FORMATTING))

# Where the components of 4.2 end, by the part of the IRI that they stand in.
_COMPONENTS: Final = {
    # Whole: 4.2 names iuserinfo and ifragment, and no delimiter of theirs.
    "userinfo": re.compile(r".++", re.DOTALL),
    "fragment": re.compile(r".++", re.DOTALL),
    # 4.2: labels, for domain names; any registered name looks like one.
    "host": re.compile(f"[^{grammar.LABEL_SEPARATORS}]++"),
    # isegments, and what else the delimiters that 4.2 names ("@", ".", ":", "/") set apart: the extensions of a
    # resource name, without which its own examples 1, 4 and 8 ("KL.html") would not be allowed; what mailto, urn
    # and the like are made of.
    "path": re.compile(r"[^/.:@]++"),
    # Names and values, between the delimiters of example 3 ("MN=OP;QR=ST") and "&" of HTML forms. What else
    # values hold is known to nobody, so they are not divided further.
    "query": re.compile(r"[^&;=]++"),
}
_encode = percent.encoder("\x00-\x7f")


class Part(NamedTuple):
    """A component in the sense of 4.2: the field of `IRI` that it stands in, its text, its offset in the IRI."""

    component: str
    text: str
    offset: int


class Breach(NamedTuple):
    """A component (a `Part`) that goes against a clause, and the reason."""

    component: str
    offset: int
    text: str
    clause: str
    reason: str


def is_bidirectional(text: str) -> bool:
    """RFC 3987 4: whether a text has characters that are written from right to left, or digits that order like them.

    These are the classes R, AL and AN, as in RFC 5893 1.4.

    >>> is_bidirectional("http://example.org/אב"), is_bidirectional("http://example.org/é1")
    (True, False)
    """
    return not text.isascii() and not {"R", "AL", "AN"}.isdisjoint(_classes(text))


def components(iri: IRI) -> Iterator[Part]:
    """RFC 3987 4.2: userinfo, labels, segments and their extensions, names and values of the query, fragment.

    Those with no text are left out, and IP literals. ``component`` is the name of the field of `IRI`, ``offset`` counts
    the code points of ``str(iri)`` before the component.

    >>> [part.text for part in components(IRI("http", None, "a.b", None, "/c/d.html", "e=f&g", "h"))]
    ['a', 'b', 'c', 'd', 'html', 'e', 'f', 'g', 'h']
    """
    for name, text, offset in _fields(iri):
        for match in _COMPONENTS[name].finditer(text):
            yield Part(name, match[0], offset + match.start())


def breaches(iri: IRI) -> list[Breach]:
    """RFC 3987 4.2: each component that goes against one of the two SHOULDs, in the order of the text.

    A component that goes against both is there twice.

    >>> [(breach.text, breach.clause) for breach in breaches(IRI(None, None, None, None, "אב/אb/1א", None, None))]
    [('אb', 'RFC 3987 4.2 (1)'), ('אb', 'RFC 3987 4.2 (2)'), ('1א', 'RFC 3987 4.2 (2)')]
    """
    return [
        Breach(part.component, part.offset, part.text, clause, reason)
        for part in components(iri)
        for clause, reason in _restrictions_broken(part.text)
    ]


def numbers_beside_rtl(iri: IRI) -> list[Breach]:
    """RFC 3987 4.4, example 10, "allowed but not recommended": numbers that an rtl neighbour draws to its side.

    That is a component that begins with a number where the nearest letter before it is a right-to-left one (the
    number goes to the left of that, and ``123ij`` is torn apart), or one of numbers alone where the nearest letter
    behind it is one (it stays, and ``123.AB`` looks as ``AB.123`` does). The port is such a number too where it comes
    behind right-to-left characters; before them nothing else can look like it.

    >>> [found.text for found in numbers_beside_rtl(IRI("http", None, "אב", "80", "/1/c/2", None, None))]
    ['80', '1']
    """
    parts = list(_with_port(iri))
    classes = [_letters_and_numbers(part.text) for part in parts]
    rtl_before = list(_is_behind_rtl(classes))
    rtl_after = list(_is_behind_rtl(found[::-1] for found in reversed(classes)))[::-1]
    reason = "numbers beside right-to-left characters show in another place than they stand in"
    return [
        Breach(part.component, part.offset, part.text, "RFC 3987 4.4", reason)
        for part, found, before, after in zip(parts, classes, rtl_before, rtl_after, strict=True)
        if (before and not _NUMBERS.isdisjoint(found[:1]))
        or (after and found and _NUMBERS.issuperset(found) and part.component != "port")
    ]


def encode_breaching(iri: IRI) -> IRI:
    """RFC 3987 4.2: each component that goes against a restriction in URI notation (3.1), as a whole.

    As a whole means every character of it that is not ASCII, not only those of the wrong direction (example 9). Its
    ASCII stays: 3.1 does not map it, and a triplet of a digit would still be made of digits.

    >>> str(encode_breaching(IRI(None, None, None, None, "אב/אב1.html", None, None)))
    'אב/%D7%90%D7%911.html'
    """
    encoded = {name: _COMPONENTS[name].sub(_encode_if_breaching, text) for name, text, _ in _fields(iri)}
    return iri.replace(**encoded)


def _encode_if_breaching(match: re.Match[str]) -> str:
    return _encode(match[0]) if any(_restrictions_broken(match[0])) else match[0]


def _restrictions_broken(text: str) -> Iterator[tuple[str, str]]:
    """The clause and the reason of each restriction of 4.2 that a component does not keep."""
    if text.isascii():
        return
    seen = [found for found in _classes(text.translate(_WITHOUT_FORMATTING)) if found != "BN"]
    if _RTL.isdisjoint(seen):
        return
    if "L" in seen:
        yield "RFC 3987 4.2 (1)", "both right-to-left and left-to-right characters"
    last = next(found for found in reversed(seen) if found != "NSM")
    if not _RTL.issuperset((seen[0], last)):
        yield "RFC 3987 4.2 (2)", "right-to-left characters, but not at its start and its end"


def _classes(text: str) -> list[str]:
    from unicodedata import bidirectional

    return list(map(bidirectional, text))


def _letters_and_numbers(text: str) -> list[str]:
    return [found for found in _classes(text) if found in _RTL or found == "L" or found in _NUMBERS]


def _is_behind_rtl(classes: Iterable[list[str]]) -> Iterator[bool]:
    """Whether the last letter before each component is a right-to-left one; Arabic digits (AN) order like these."""
    beside = False
    for found in classes:
        yield beside
        last = next((each for each in reversed(found) if each != "EN"), None)
        if last is not None:
            beside = last != "L"


def _fields(iri: IRI) -> Iterator[tuple[str, str, int]]:
    """The fields that 4.2 speaks of, each with its text and its offset in ``str(iri)``."""
    _require_value(iri)
    for name, text, offset in iri.located():
        if name in _COMPONENTS and not (name == "host" and text.startswith("[")):
            yield name, text, offset


def _require_value(iri: IRI) -> None:
    require(iri, IRI, "what `parse` gives")


def _with_port(iri: IRI) -> Iterator[Part]:
    _require_value(iri)
    port = iri.port
    for part in components(iri):
        if port and part.component not in ("userinfo", "host"):
            yield _port(iri, port)
            port = None
        yield part
    if port:
        yield _port(iri, port)


def _port(iri: IRI, port: str) -> Part:
    before = IRI(iri.scheme, iri.userinfo, iri.host, "", "", None, None)
    return Part("port", port, len(str(before)))
