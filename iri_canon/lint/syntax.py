"""The text as a whole: the grammar of RFC 3987 2.2, what surrounds it, its length, its paths and its scheme."""

import re
from collections.abc import Iterator
from typing import Final

from iri_canon import percent, restrictions
from iri_canon.errors import IriSyntaxError
from iri_canon.lint.findings import Hit, octet_in, quoted
from iri_canon.lint.subject import Subject
from iri_canon.parse import parse
from iri_canon.path import DOT_SEGMENT

#: Characters of a URL that Internet Explorer took; tools that were made for it stop there still.
LONGEST: Final = 2083

_TAB_OR_NEWLINE: Final = re.compile(r"[\t\r\n]++")
_REFERENCE: Final = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_DIGITS: Final = re.compile("[0-9]++")


def not_an_iri(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 2.2: the first place where the text leaves the grammar of an IRI reference."""
    text, port = subject.text, subject.part("port")
    if port and _DIGITS.fullmatch(port.text):  # too large a number is another rule's
        text = f"{text[: port.offset]}{'0' * len(port.text)}{text[port.end :]}"
    try:
        parse(text, strict=True)
    except IriSyntaxError as error:
        names = [part.component for part in subject.parts]
        known = error.component in names
        component = error.component if known else subject.component_at(error.offset)
        message, _, remedy = error.reason.partition("; ")  # the reason ends with a remedy where there is one
        if octet := octet_in(text, error.offset):
            message = f"octet {octet} is not UTF-8"
            remedy = f"decode the text by its own charset, or write %{octet} for the octet itself"
        yield Hit(component, error.offset, message, remedy=remedy)


def outer_space(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 appendix C: controls and spaces around the text, which readers strip; what they surround is judged."""
    if subject.before:
        yield Hit(subject.parts[0].component, -len(subject.before), "controls or spaces before the IRI")
    if subject.after:
        yield Hit(subject.parts[-1].component, len(subject.text), "controls or spaces behind the IRI")


def tab_or_newline(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 appendix C: tabs and line ends inside the text, which readers drop."""
    for match in _TAB_OR_NEWLINE.finditer(subject.text):
        offset = match.start()
        yield Hit(subject.component_at(offset), offset, f"{quoted(match[0])} inside the IRI")


def backslash(subject: Subject) -> Iterator[Hit]:
    """WHATWG URL 4.4: what browsers read as a slash and RFC 3986 as no character of a URI."""
    if subject.scheme.host == "web" or (subject.part("scheme") is None and "\\" in subject.text):
        for part in subject.parts:
            at = part.text.find("\\") if part.component in ("userinfo", "host", "path") else -1
            if at >= 0:
                yield Hit(part.component, part.offset + at, "a backslash, which browsers read as a slash")


def undecoded_reference(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 5.2: a character reference of HTML or XML that was not undone."""
    for match in _REFERENCE.finditer(subject.text) if "&" in subject.text else ():
        offset = match.start()
        yield Hit(subject.component_at(offset), offset, f"{match[0]} is a reference of the document")


def too_long(subject: Subject) -> Iterator[Hit]:
    """Internet Explorer: longer, as a URI, than it took (RFC 9110 4.1 asks for 8,000 octets)."""
    if len(subject.text) * 12 <= LONGEST:  # no character has more than four octets
        return
    length = 0
    for offset, character in enumerate(subject.text):
        length += 1 if character < "\x80" else 3 * len(percent.octets(character))
        if length > LONGEST:
            message = f"longer than {LONGEST:,} characters as a URI"
            yield Hit(subject.component_at(offset), offset, message)
            return


def dot_segments(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 5.3.2.4: dot-segments, which belong to relative references."""
    path = subject.part("path")
    if path and path.text.startswith("/") and (subject.part("scheme") or subject.part("host")):
        match = DOT_SEGMENT.search(path.text)
        if match:
            start = path.offset + match.start() + 1
            yield Hit("path", start, f"the segment {quoted(match[0].strip('/'))}")


def upper_case_scheme(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 3.1: upper case in the scheme, whose canonical form is lower case."""
    scheme = subject.part("scheme")
    if scheme and scheme.text != scheme.text.lower():
        yield Hit("scheme", 0, f"the scheme {quoted(scheme.text)} in upper case")


def scheme_authority(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 6.4: an authority or a host that the scheme needs and that is not there, or the other way about."""
    for broken in restrictions.broken(subject.iri):
        if broken not in subject.scheme.restrictions:
            # the authority is no component of the value: it begins with the userinfo or the host, if it is there
            names = ("userinfo", "host", "path") if broken.component == "authority" else (broken.component,)
            part = next(part for name in names if (part := subject.part(name)))
            yield Hit(part.component, part.offset, broken.reason, broken.clause)


def scheme_component(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 6.4: a component that the syntax of the scheme has no place for."""
    for broken in subject.scheme.restrictions:
        part = subject.part(broken.component)
        if part and subject.scheme.name not in ("http", "https"):  # userinfo there has a rule of its own
            yield Hit(part.component, part.offset, broken.reason, broken.clause)
