"""RFC 3987 5.3.2: what any IRI may be rewritten to by its syntax alone, step by step, in this order.

Each step takes a value and gives a value, the same object where it changes nothing. The first two work on the
text, before it has parts.
"""

from collections.abc import Callable, Iterator
from typing import Final

from iri_canon import grammar, percent
from iri_canon.host import lowercase
from iri_canon.iri import IRI
from iri_canon.path import keep_from_authority, keep_from_scheme
from iri_canon.path import remove_dot_segments as remove_dots

_ENCODE: Final = {
    "userinfo": percent.encoder(grammar.USERINFO),
    "host": percent.encoder(grammar.REG_NAME),
    "path": percent.encoder(grammar.PATH),
    "query": percent.encoder(grammar.QUERY),
    "fragment": percent.encoder(grammar.FRAGMENT),
}


def strip_outer_space(text: str) -> str:
    """RFC 3986 appendix C: C0 controls and spaces around the text are no part of it."""
    return text.strip(grammar.C0_OR_SPACE)


def remove_tabs_and_newlines(text: str) -> str:
    """RFC 3986 appendix C: tab, CR and LF do not count inside the text either."""
    return text.translate(grammar.WITHOUT_TAB_OR_NEWLINE)


def encode_characters(iri: IRI) -> IRI:
    """RFC 3987 3.1 step 2: characters that a URI cannot hold in that component become triplets of UTF-8 octets."""
    return iri.replace(
        **{
            name: _ENCODE[name](part)
            for name, part in _parts(iri)
            if name != "host" or not part.startswith("[")  # an IP literal's brackets are its own
        }
    )


def encode_stray_percents(iri: IRI) -> IRI:
    """RFC 3986 2.4: a "%" that begins no triplet is data, written "%25"."""
    return _map_parts(iri, percent.encode_stray_percents)


def uppercase_triplets(iri: IRI) -> IRI:
    """RFC 3986 6.2.2.1: hexadecimal digits of triplets in upper case."""
    return _map_parts(iri, percent.uppercase_triplets)


def decode_unreserved_triplets(iri: IRI) -> IRI:
    """RFC 3986 6.2.2.2: triplets of unreserved characters become those characters."""
    return _map_parts(iri, percent.decode_unreserved)


def lowercase_scheme(iri: IRI) -> IRI:
    """RFC 3986 6.2.2.1: the scheme in lower case."""
    return iri if iri.scheme is None else iri.replace(scheme=iri.scheme.lower())


def lowercase_host(iri: IRI) -> IRI:
    """RFC 3986 6.2.2.1: ASCII letters of the host in lower case."""
    return iri if iri.host is None else iri.replace(host=lowercase(iri.host))


def remove_dot_segments(iri: IRI) -> IRI:
    """RFC 3986 6.2.2.3: "." and ".." segments of a rooted path are followed (5.2.4)."""
    if not iri.path.startswith("/"):
        return iri  # a rootless path is not hierarchical; the algorithm would root it
    path = remove_dots(iri.path)
    return iri.replace(path=path if iri.host is not None else keep_from_authority(path))


def guard_first_segment(iri: IRI) -> IRI:
    """RFC 3986 4.2: a relative path that would read as a scheme is written behind "./"."""
    if iri.scheme is not None or iri.host is not None:
        return iri
    return iri.replace(path=keep_from_scheme(iri.path))


#: The steps on the text, before it is parsed, in order, each with the clause that licenses it.
TEXT_STEPS: Final[dict[Callable[[str], str], str]] = {
    strip_outer_space: "RFC 3986 appendix C",
    remove_tabs_and_newlines: "RFC 3986 appendix C",
}
#: The steps on the value, likewise.
STEPS: Final[dict[Callable[[IRI], IRI], str]] = {
    encode_characters: "RFC 3987 3.1 step 2",
    encode_stray_percents: "RFC 3986 2.4",
    uppercase_triplets: "RFC 3986 6.2.2.1",
    decode_unreserved_triplets: "RFC 3986 6.2.2.2",
    lowercase_scheme: "RFC 3986 6.2.2.1",
    lowercase_host: "RFC 3986 6.2.2.1",
    remove_dot_segments: "RFC 3986 6.2.2.3",
    guard_first_segment: "RFC 3986 4.2",
}


def _parts(iri: IRI) -> Iterator[tuple[str, str]]:
    """The components that may hold triplets and are there, by name."""
    for name in _ENCODE:
        part = getattr(iri, name)
        if part is not None:
            yield name, part


def _map_parts(iri: IRI, function: Callable[[str], str]) -> IRI:
    return iri.replace(**{name: function(part) for name, part in _parts(iri)})
