"""The text under judgement: its components where they stand, also where it does not parse."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from iri_canon import grammar, schemes
from iri_canon.iri import IRI
from iri_canon.parse import PARTS

#: What separates the labels of a host.
DOTS: Final = re.compile(f"[{grammar.LABEL_SEPARATORS}]")
# Behind the last "@": brackets or not, then what follows the first ":".
_HOST_AND_PORT: Final = re.compile(r"(\[[^\]]*+\]?[^:]*+|[^:]*+)(?::(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A component that is there, or a piece of one, and the offset of its first code point in the text."""

    component: str
    text: str
    offset: int

    @property
    def end(self) -> int:
        """The offset behind its last code point."""
        return self.offset + len(self.text)

    def piece(self, start: int, end: int) -> "Part":
        """From *start* to *end*, counted in this part.

        >>> Part("path", "/a/b", 8).piece(3, 4)
        Part(component='path', text='b', offset=11)
        """
        return Part(self.component, self.text[start:end], self.offset + start)

    def split(self, delimiters: re.Pattern[str]) -> Iterator["Part"]:
        """The pieces between matches of *delimiters*.

        >>> [piece.offset for piece in Part("path", "/a/b", 8).split(re.compile("/"))]
        [8, 9, 11]
        """
        start = 0
        for match in delimiters.finditer(self.text):
            yield self.piece(start, match.start())
            start = match.end()
        yield self.piece(start, len(self.text))


class Subject:
    """RFC 3986 appendix B: the components of any text, by name and in order, nothing judged.

    Controls and spaces around it are set apart (appendix C): ``text`` and all offsets are without them, ``before`` is
    what was there.

    >>> subject = Subject("http://h:x/é")
    >>> [(part.component, part.offset) for part in subject.parts], subject.scheme.default_port
    ([('scheme', 0), ('host', 7), ('port', 9), ('path', 10)], '80')
    """

    __slots__ = ("_by_name", "after", "before", "iri", "parts", "scheme", "text")

    def __init__(self, given: str) -> None:
        started = given.lstrip(grammar.C0_OR_SPACE)
        text = started.rstrip(grammar.C0_OR_SPACE)
        self.text: Final = text
        self.before: Final = given[: len(given) - len(started)]
        self.after: Final = started[len(text) :]
        self.parts: Final = tuple(_parts(text))
        self._by_name: Final = {part.component: part for part in self.parts}
        found = {name: part.text for name, part in self._by_name.items()}
        self.iri: Final = IRI(
            found.get("scheme"),
            found.get("userinfo"),
            found.get("host"),
            found.get("port"),
            found["path"],
            found.get("query"),
            found.get("fragment"),
        )
        self.scheme: Final = schemes.lookup((self.iri.scheme or "").lower())

    def part(self, component: str) -> Part | None:
        """The component of that name; None where it is absent."""
        return self._by_name.get(component)

    def matches(self, pattern: re.Pattern[str], *components: str) -> Iterator[Part]:
        """What *pattern* finds, in the components named, or in all."""
        for part in self.parts:
            if not components or part.component in components:
                for match in pattern.finditer(part.text):
                    yield part.piece(match.start(), match.end())

    def beyond_ascii(self, pattern: re.Pattern[str], *components: str) -> Iterator[Part]:
        """The same for a pattern that no ASCII text matches."""
        return iter(()) if self.text.isascii() else self.matches(pattern, *components)

    def component_at(self, offset: int) -> str:
        """The component that holds a code point; a delimiter belongs to what stands before it."""
        before = [part.component for part in self.parts if part.offset <= offset]
        return before[-1] if before else self.parts[0].component


def _parts(text: str) -> Iterator[Part]:
    match = PARTS.fullmatch(text)
    assert match is not None  # the pattern matches any text
    for number, name in enumerate(("scheme", "authority", "path", "query", "fragment"), 1):
        if match[number] is None:
            continue
        part = Part(name, match[number], match.start(number))
        if name == "authority":
            yield from _authority(part)
        else:
            yield part


def _authority(part: Part) -> Iterator[Part]:
    before, at, behind = part.text.rpartition("@")
    if at:
        yield Part("userinfo", before, part.offset)
    start = part.offset + len(before) + len(at)
    match = _HOST_AND_PORT.fullmatch(behind)
    assert match is not None  # the pattern matches any text
    yield Part("host", match[1], start)
    if match[2] is not None:
        yield Part("port", match[2], start + match.start(2))
