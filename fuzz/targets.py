"""The laws of each public function for any text: only `IriError` escapes, twice is once, the oracle agrees, in time."""

import contextlib
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple, get_args

import oracle

import iri_canon
from iri_canon import IriError, IriSyntaxError, Rung
from iri_canon.display import Marks, Paragraph
from iri_canon.document import DocumentCarrier
from iri_canon.prepare import Carrier


class Target(NamedTuple):
    """A public function under its laws, and the function alone, whose time is bounded."""

    laws: Callable[[str], None]
    call: Callable[[str], object]


#: Code points of the text that the time bound is tried on, and the seconds of this process that a call may take there:
#: linear code takes a tenth, also when it is instrumented; quadratic code with the smallest factor takes longer.
LONG, BOUND = 10_000, 2.0


def _attempt(call: Callable[[], str]) -> str | None:
    """What *call* gives; None where it raises of the one family that may leave."""
    try:
        return call()
    except IriError:
        return None


def _has_large_port(reference: str) -> bool:
    """Whether a port is above 65535: the one valid syntax that is refused."""
    authority = oracle.parse(reference).authority or ""
    port = authority.rpartition(":")[2].lstrip("0")
    return port.isdecimal() and (len(port) > 5 or int(port) > 65_535)


def _same(*values: object) -> None:
    assert all(value == values[0] for value in values), values


def key(text: str) -> None:
    """`key` is total, its own key, and no rung splits what a lower one joined."""
    below = text
    for rung in Rung:
        value = iri_canon.key(text, rung)
        _same(value, iri_canon.key(value, rung), iri_canon.key(below, rung))
        below = value
    _same(iri_canon.key(text.encode("utf-8", "surrogateescape")), iri_canon.key(text))
    form = _attempt(lambda: iri_canon.canonicalize(text, Rung.SYNTAX))
    if oracle.is_iri_reference(text):
        if form is None:
            assert _has_large_port(text), text
        else:
            _same(form, oracle.syntax_form(text))


def resolve(text: str) -> None:
    """`resolve` is 5.2.2 of RFC 3986 on valid IRIs; a line is the base, the rest the reference."""
    base, _, reference = text.partition("\n")
    valid = oracle.is_iri_reference(base) and oracle.is_iri_reference(reference)
    for strict in (True, False):
        target = _attempt(partial(iri_canon.resolve, base, reference, strict=strict))
        if not valid:
            continue
        if target is None:
            assert _has_large_port(base) or _has_large_port(reference), text
            continue
        assert oracle.is_iri_reference(target), target
        if oracle.parse(base).scheme is not None:
            _same(target, oracle.resolve(base, reference, strict=strict))


def to_iri(text: str) -> None:
    """`to_iri` is 3.2 on valid URIs, maps back, is idempotent, and keeps the key."""
    iri = _attempt(lambda: iri_canon.to_iri(text))
    if iri is None:
        assert not oracle.is_uri_reference(text)
        return
    _same(iri, iri_canon.to_iri(iri))
    if oracle.is_uri_reference(text):
        _same(iri, oracle.to_iri(text))
        assert oracle.is_iri_reference(iri)
        _same(oracle.normalise_triplets(iri_canon.to_uri(iri)), oracle.normalise_triplets(text))
        if _attempt(lambda: iri_canon.canonicalize(text)) is not None:
            _same(iri_canon.key(iri), iri_canon.key(text))
            _same(iri_canon.key(iri_canon.to_iri(text, tounicode=True)), iri_canon.key(text))
    _attempt(lambda: iri_canon.to_iri(text, tounicode=True))


def to_uri(text: str) -> None:
    """`to_uri` is 3.1 on valid IRIs, the identity on URIs, and idempotent."""
    uri = _attempt(lambda: iri_canon.to_uri(text))
    strict = _attempt(lambda: iri_canon.to_uri(text, strict=True))
    ascii_host = _attempt(lambda: iri_canon.to_uri(text, toascii=True))
    if uri is None:
        _same(None, strict, ascii_host)
        assert not oracle.is_iri_reference(text)
        return
    assert uri.isascii()
    _same(uri, iri_canon.to_uri(uri), iri_canon.to_uri(uri, strict=True))
    assert strict in (None, uri)
    if oracle.is_iri_reference(text):
        _same(uri, strict, oracle.to_uri(text))
        assert oracle.is_uri_reference(uri)
        if ascii_host is not None:
            _same(iri_canon.key(ascii_host), iri_canon.key(text))
    if oracle.is_uri_reference(text):
        _same(uri, text)


def parse(text: str) -> None:
    """`parse` loses nothing; with ``strict=True`` it takes what the grammar takes."""
    with contextlib.suppress(IriSyntaxError):
        _same(str(iri_canon.parse(text)), text)
    strict = _attempt(lambda: str(iri_canon.parse(text, strict=True)))
    lenient = _attempt(lambda: str(iri_canon.parse(text)))
    is_valid = iri_canon.is_valid(text, "IRI-reference")
    _same(is_valid, oracle.is_iri_reference(text))
    _same(strict, lenient if is_valid else None)


def prepare(text: str) -> None:
    """`prepare` is total for every carrier, and gives plain text back."""
    for carrier in get_args(Carrier):
        assert isinstance(iri_canon.prepare(text, carrier), str)
    _same(iri_canon.prepare(text, "plain"), text)


def display(text: str) -> None:
    """`display` is total, shows nothing invisible but its marks and joiners, and what it shows is still that IRI."""
    for marks in get_args(Marks):
        for paragraph in get_args(Paragraph):
            shown = iri_canon.display(text, marks=marks, paragraph=paragraph).strip(
                "\u202a\u202c\u2066\u2069"
            )
            assert shown.translate({0x200C: None, 0x200D: None}).isprintable(), shown
            if oracle.is_iri_reference(text):
                _same(iri_canon.key(shown), iri_canon.key(text))


def lint(text: str) -> None:
    """`lint` is total, and its findings lie within the text."""
    for finding in iri_canon.lint(text):
        assert 0 <= finding.offset <= len(text), finding
        assert all((finding.clause, finding.message, finding.remedy)), finding


def find_iris(text: str) -> None:
    """`find_iris` is total; what it finds is an IRI and where it says, from left to right, apart."""
    end = 0
    for found in iri_canon.find_iris(text):
        assert end <= found.start < found.end <= len(text), found
        _same(found.iri, text[found.start : found.end])
        assert oracle.is_iri_reference(found.iri), found
        assert oracle.parse(found.iri).scheme is not None, found
        end = found.end


def to_document(text: str) -> None:
    """`to_document` writes what its encoding holds, and `prepare` reads the IRI with its key out of it."""
    for carrier in get_args(DocumentCarrier):
        for encoding in ("ascii", "latin-1", "shift_jis"):
            written = _attempt(partial(iri_canon.to_document, text, encoding, carrier))
            if written is not None:
                assert written.encode(encoding).decode(encoding) == written
                if _attempt(lambda: iri_canon.canonicalize(text)) is not None:
                    _same(iri_canon.key(iri_canon.prepare(written, carrier)), iri_canon.key(text))
            elif oracle.is_iri_reference(text):  # HTML reads "http:///a" as another IRI
                in_html = carrier == "html" and oracle.parse(text).authority == ""
                assert in_html or _has_large_port(text), (carrier, encoding)


TARGETS: Final[dict[str, Target]] = {
    "key": Target(key, iri_canon.key),
    "resolve": Target(resolve, lambda text: iri_canon.resolve("http://a/b/c?d", text)),
    "to_iri": Target(to_iri, lambda text: iri_canon.to_iri(text, tounicode=True)),
    "to_uri": Target(to_uri, lambda text: iri_canon.to_uri(text, toascii=True)),
    "parse": Target(parse, iri_canon.parse),
    "prepare": Target(prepare, lambda text: iri_canon.prepare(text, "html")),
    "display": Target(display, lambda text: str(iri_canon.display(text))),
    "lint": Target(lint, lambda text: list(iri_canon.lint(text))),
    "find_iris": Target(find_iris, lambda text: list(iri_canon.find_iris(text))),
    "to_document": Target(to_document, lambda text: iri_canon.to_document(text, "ascii", "html")),
}


def run(target: Target, data: bytes) -> None:
    """One input: octets that are not UTF-8 are lone surrogates; one in 256 texts is tried at length, too."""
    text = data.decode("utf-8", "surrogateescape")
    target.laws(text)
    if data and sum(data) % 256 == 0:
        for longer in _at_length(text):
            _takes_linear_time(target.call, longer)


def _at_length(text: str) -> Iterator[str]:
    """The text repeated, and its second half repeated behind the first."""
    yield text * (LONG // len(text))
    half = len(text) // 2
    yield text[:half] + text[half:] * (LONG // len(text[half:]))


def _takes_linear_time(call: Callable[[str], object], text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(IriError):
        call(text)
    seconds = time.process_time() - start
    assert seconds < BOUND, f"{seconds:.1f} s for {len(text)} code points that begin with {text[:80]!r}"
