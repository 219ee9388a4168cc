"""The comparison ladder of RFC 3987 5.3: simple, syntax, scheme, protocol; the order of the steps is data.

A higher rung works on what the lower one gave, so it never separates what that one joined.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from iri_canon import grammar, quick, rung1_syntax, rung2_scheme, schemes
from iri_canon.arguments import require
from iri_canon.errors import IriError, IriSyntaxError
from iri_canon.iri import IRI
from iri_canon.kernel import scheme_key
from iri_canon.parse import parse
from iri_canon.reading import read
from iri_canon.rung3_protocol import Equivalences, changes, climb

if TYPE_CHECKING:
    from iri_canon.conventions import Assumed


class Rung(IntEnum):
    """The rungs, after RFC 3987 5.3.1 to 5.3.4.

    >>> Rung.SIMPLE < Rung.SYNTAX < Rung.SCHEME < Rung.PROTOCOL
    True
    """

    SIMPLE = 0
    SYNTAX = 1
    SCHEME = 2
    PROTOCOL = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One step that changed something: its rung, its name, the clause that licenses it, the whole text around it."""

    rung: Rung
    name: str
    clause: str
    before: str
    after: str


#: The steps of each pure rung on a parsed value, in order, each with its clause; `explain` walks them.
STEPS: Final[Mapping[Rung, Mapping[Callable[[IRI], IRI], str]]] = {
    Rung.SYNTAX: rung1_syntax.STEPS,
    Rung.SCHEME: rung2_scheme.STEPS,
}


class Ladder:
    """A ladder up to *rung*, with the conventions that the user assumes and the equivalences that were observed.

    ``conventions`` is a list of names (for all hosts), or a mapping of host pattern to such lists;
    ``equivalences`` has a ``representative(key)`` method (the stores of `iri_canon.equivalence`), asked with keys
    that the conventions have projected. Both belong to the protocol rung and apply where they are given, whatever
    *rung* says. Raises `ConventionError` for an
    unknown name, `IriError` where they are given to a ladder that ends below the scheme rung, `TypeError` for a
    *rung* that is no `Rung`. ``assumed`` is None where no conventions are given.

    >>> Ladder(conventions=["trailing-slash"]).key("http://example.com/a/")
    'http://example.com/a'
    >>> Ladder(keep_fragment=True).key("http://example.com/#!/a")
    'http://example.com/#!/a'
    """

    def __init__(
        self,
        rung: Rung = Rung.SCHEME,
        conventions: Iterable[str] | Mapping[str, Iterable[str]] = (),
        equivalences: Equivalences | None = None,
        keep_fragment: bool = False,
    ) -> None:
        require(rung, Rung, "rung")
        self.rung = rung
        self.assumed = None if conventions == () else _assumed(conventions)
        self.equivalences = equivalences
        self.keep_fragment = keep_fragment
        self._pure = not self.assumed and equivalences is None
        self._takes_scheme_keys = rung >= Rung.SCHEME and not keep_fragment
        if not self._pure and self.rung < Rung.SCHEME:
            raise IriError("conventions and equivalences work on keys of the scheme rung or above")

    def key(self, text: str | bytes) -> str:
        """The key of *text*: total, it climbs as high as the text allows (what does not parse is its own key).

        Octets are read as UTF-8. Raises `TypeError` for what is neither str nor bytes, else nothing.

        >>> Ladder().key("HTTP://EXAMPLE.com:80/%7Ea"), Ladder().key("http://example.com:99999/ ")
        ('http://example.com/~a', 'http://example.com:99999/ ')
        """
        if self._takes_scheme_keys:
            if not isinstance(text, str):
                text = read(text)
            quick_key = scheme_key(text)
            if quick_key is not None:
                return quick_key if self._pure else climb(quick_key, self.assumed, self.equivalences)
            if self._pure:
                return quick.key_by_steps(text)
        text = read(text)
        if self.rung is Rung.SIMPLE:
            return text
        try:
            return self.canonicalize(text)
        except IriSyntaxError:
            return text

    def canonicalize(self, text: str | bytes) -> str:
        """As `key`, but text that does not parse raises `IriSyntaxError`.

        >>> Ladder().canonicalize("http://example.com:99999/")
        Traceback (most recent call last):
        iri_canon.errors.IriSyntaxError: port at offset 19: not a number from 0 to 65535
        """
        canonical = read(text)
        for step in self._climb(canonical):
            canonical = step.after
        return canonical

    def explain(self, text: str | bytes) -> list[Step]:
        """The steps that change *text*, in order; the last one's ``after`` is `canonicalize` of it.

        Raises `IriSyntaxError` for what does not parse: that is merged with nothing.

        >>> [step.name for step in Ladder().explain("HTTP://example.com:/%7ea")]
        ['uppercase_triplets', 'decode_unreserved_triplets', 'lowercase_scheme', 'drop_empty_port']
        """
        return list(self._climb(read(text)))

    def equivalent(self, a: str | bytes, b: str | bytes) -> bool:
        """Whether *a* and *b* have one key.

        >>> Ladder().equivalent("http://example.com", "http://EXAMPLE.com:80/")
        True
        """
        return self.key(a) == self.key(b)

    def lowest_rung(self, a: str | bytes, b: str | bytes) -> Rung | None:
        """The lowest rung of this ladder on which *a* and *b* are one; None if they are on none.

        >>> Ladder().lowest_rung("http://example.com/%7ea", "http://example.com/~a")
        <Rung.SYNTAX: 1>
        """
        for rung in Rung:
            last = Ladder(rung, keep_fragment=self.keep_fragment) if rung < Rung.PROTOCOL else self
            if (rung <= self.rung or last is self) and last.equivalent(a, b):
                return rung
        return None

    def _climb(self, text: str) -> Iterator[Step]:
        """Walk the steps; yield those that change the text."""
        if self.rung is Rung.SIMPLE:
            return
        found = text
        for text_step, clause in rung1_syntax.TEXT_STEPS.items():
            before, text = text, text_step(text)
            if before != text:
                yield Step(Rung.SYNTAX, text_step.__name__, clause, before, text)
        try:
            iri = parse(text)
        except IriSyntaxError as error:
            raise IriSyntaxError(error.component, _offset(found, error.offset), error.reason) from None
        if iri.fragment is not None and not self.keep_fragment:
            iri = iri.replace(fragment=None)
            yield Step(Rung.SYNTAX, "drop_fragment", "RFC 3986 6.1", text, str(iri))
        iri = yield from self._walk(Rung.SYNTAX, iri)
        if self.rung < Rung.SCHEME or not rung2_scheme.reaches(iri):
            return
        iri = yield from self._walk(Rung.SCHEME, iri)
        before = str(iri)
        for change in changes(before, self.assumed, self.equivalences):
            yield Step(Rung.PROTOCOL, change.name, change.clause, before, change.after)
            before = change.after

    def _walk(self, rung: Rung, iri: IRI) -> Generator[Step, None, IRI]:
        for step, clause in STEPS[rung].items():
            before, iri = iri, step(iri)
            if iri is not before:
                yield Step(rung, step.__name__, clause, str(before), str(iri))
        return iri


def _offset(found: str, offset: int) -> int:
    """Where in the text as found stands what has *offset* behind the text steps."""
    start = len(found) - len(found.lstrip(grammar.C0_OR_SPACE))
    kept = [index for index, character in enumerate(found) if index >= start and character not in "\t\r\n"]
    return kept[offset] if offset < len(kept) else len(found)


_LADDERS: Final = {
    (rung, keep_fragment): Ladder(rung, keep_fragment=keep_fragment)
    for rung in Rung
    for keep_fragment in (False, True)
}
_SCHEME: Final = Rung.SCHEME


def _ladder(rung: Rung, *, keep_fragment: bool = False) -> Ladder:
    require(rung, Rung, "rung")
    return _LADDERS[rung, keep_fragment]


def _assumed(conventions: Iterable[str] | Mapping[str, Iterable[str]]) -> "Assumed":
    # Most ladders assume nothing, and the catalogue takes its time to be made.
    from iri_canon.conventions import Assumed

    return Assumed(conventions)


def key(text: str | bytes, rung: Rung = Rung.SCHEME) -> str:
    """The key of *text* on a rung: what has the same key is one resource as far as that rung can tell.

    Total: it never raises but `TypeError`, stays on the last rung that the text reaches, and gives what does not
    parse back unchanged. No fragment (RFC 3986 6.1), but on the simple rung, which maps nothing. Octets are read
    as UTF-8.

    >>> key("HTTP://EXAMPLE.com:80/%7Ea/../b#c"), key("http://example.com/a%2fb")
    ('http://example.com/b', 'http://example.com/a%2Fb')
    """
    if rung is _SCHEME:
        quick_key = scheme_key(text)
        if quick_key is not None:
            return quick_key
    return _ladder(rung).key(text)


def canonicalize(
    iri: str | bytes, rung: Rung = Rung.SCHEME, *, keep_fragment: bool = True, encoding: str = "utf-8"
) -> str:
    """The canonical form of *iri* on a rung, a URI in ASCII (on the simple rung: the text).

    Octets are read in *encoding* (RFC 3987 3.1 step 1: a legacy charset is brought to NFC). Raises
    `IriSyntaxError` for what does not parse, `IriEncodingError` for octets that are not in the encoding.

    >>> canonicalize("http://Example.com/rosé#é"), canonicalize(b"/ros\\xe9", encoding="latin-1")
    ('http://example.com/ros%C3%A9#%C3%A9', '/ros%C3%A9')
    """
    return _ladder(rung, keep_fragment=bool(keep_fragment)).canonicalize(read(iri, encoding))


def equivalent(a: str | bytes, b: str | bytes, rung: Rung = Rung.SCHEME) -> bool:
    """Whether *a* and *b* have one key on a rung.

    >>> equivalent("http://example.com/%7ea", "http://example.com/~a"), equivalent("http://h/a", "http://h/A")
    (True, False)
    """
    return key(a, rung) == key(b, rung)


def lowest_rung(a: str | bytes, b: str | bytes) -> Rung | None:
    """The lowest rung on which *a* and *b* are one; None if they are on none without observations.

    >>> lowest_rung("http://example.com", "http://example.com:80/"), lowest_rung("http://h/a", "http://h/a/")
    (<Rung.SCHEME: 2>, None)
    """
    return _LADDERS[Rung.SCHEME, False].lowest_rung(a, b)


def explain(text: str | bytes) -> list[Step]:
    """Each step that changes *text*, in order; the last one's ``after`` is ``canonicalize(text)``.

    Raises `IriSyntaxError` for what does not parse: it is merged with nothing but its identical text.

    >>> for step in explain("http://example.com:80/%7ea"):
    ...     print(step.rung.name, step.name, step.clause, step.after)
    SYNTAX uppercase_triplets RFC 3986 6.2.2.1 http://example.com:80/%7Ea
    SYNTAX decode_unreserved_triplets RFC 3986 6.2.2.2 http://example.com:80/~a
    SCHEME drop_default_port RFC 3986 6.2.3 http://example.com/~a
    """
    return _LADDERS[Rung.SCHEME, True].explain(text)


def register_scheme(
    name: str,
    *,
    default_port: int | None = None,
    host: schemes.HostKind = "opaque",
    needs_host: bool = False,
) -> None:
    """RFC 3987 5.3.3: teach the scheme rung a scheme, for this process.

    ``host="dns"`` maps IDNs to A-labels, ``"web"`` reads numbers as IPv4 addresses besides. Raises `IriError`
    for a bad name or port, and for a scheme that is registered already with other rules, `TypeError` for a port
    that is no int.

    >>> register_scheme("x-doc", default_port=1234, host="dns", needs_host=True)
    >>> key("X-DOC://example:1234")
    'x-doc://example/'
    """
    schemes.register(name, default_port=default_port, host=host, needs_host=needs_host)
    quick.forget_sites()
