"""Find the parts, then judge them: any text has parts, and only a port or an IP literal can be wrong."""

import re
from typing import Final

from iri_canon import grammar
from iri_canon.arguments import require
from iri_canon.errors import IriSyntaxError
from iri_canon.host import is_ip_literal
from iri_canon.iri import IRI
from iri_canon.offences import NO_IP_LITERAL, first_offence, reason_at_the_edge

#: RFC 3986 appendix B, with the scheme of 3.1: scheme, authority, path, query, fragment.
PARTS: Final = re.compile(
    rf"(?:({grammar.SCHEME}):)?(?://([^/?#]*+))?([^?#]*+)(?:\?([^#]*+))?(?:#(.*))?", re.DOTALL
)
_PORT = re.compile(r"0*+([0-9]{0,5})")


def parse(text: str, *, strict: bool = False) -> IRI:
    """RFC 3986 appendix B, first match wins: the components of an IRI or a relative reference.

    Characters are not judged here: what the grammar lacks is a matter of `canonicalize`. Raises `IriSyntaxError`
    where the authority cannot be taken apart: a port that is no number from 0 to 65535, or square brackets
    that hold no IP literal. `str` of the value is *text* again. With ``strict=True`` the text has to be an
    IRI-reference of RFC 3987 2.2, to the letter; else the error tells the first character that breaks it. Ports
    above 65535 are refused all the same, which the grammar, and so `is_valid`, takes.

    >>> parse("http://u@example.com:80/a?b#c")
    IRI(scheme='http', userinfo='u', host='example.com', port='80', path='/a', query='b', fragment='c')
    >>> parse("http://example.com:port/")
    Traceback (most recent call last):
    iri_canon.errors.IriSyntaxError: port at offset 19: not a number from 0 to 65535
    >>> parse("/100%", strict=True)
    Traceback (most recent call last):
    iri_canon.errors.IriSyntaxError: path at offset 4: U+0025 PERCENT SIGN: a "%" that begins no triplet; write %25
    """
    require(text, str, "an IRI")
    if strict:
        return _parse_strictly(text)
    match = PARTS.fullmatch(text)
    assert match is not None  # the pattern matches any text
    scheme, authority, path, query, fragment = match.groups()
    if authority is None:
        return IRI(scheme, None, None, None, path, query, fragment)
    return IRI(scheme, *split_authority(authority, match.start(2)), path, query, fragment)


def _parse_strictly(text: str) -> IRI:
    try:
        iri = parse(text)
    except IriSyntaxError as error:
        parse(text[: error.offset], strict=True)  # what stands before it may be an offence, too
        end = len(text.rstrip(grammar.C0_OR_SPACE))
        if end < len(text):
            parse(text[:end])  # it may be the space behind it alone that makes it no port and no address
            raise IriSyntaxError(error.component, end, str(reason_at_the_edge(text, end))) from None
        raise
    offence = first_offence(iri)
    if offence is not None:
        raise offence
    return iri


def split_authority(authority: str, offset: int = 0) -> tuple[str | None, str, str | None]:
    """RFC 3986 3.2: userinfo (up to the last "@"), host and port; *offset* is where the authority begins.

    >>> split_authority("a@b@[::1]:80")
    ('a@b', '[::1]', '80')
    """
    before, at, hostport = authority.rpartition("@")
    userinfo = before if at else None
    offset += len(before) + len(at)
    if hostport.startswith("["):
        literal, bracket, behind = hostport.partition("]")
        host, colon, port = literal + bracket, behind[:1], behind[1:]
        if colon not in ("", ":") or not is_ip_literal(host):
            raise IriSyntaxError("host", offset, NO_IP_LITERAL)
    else:
        host, colon, port = hostport.partition(":")
    if not colon:
        return userinfo, host, None
    match = _PORT.fullmatch(port)
    if match is None or int(match[1] or "0") > 65535:
        raise IriSyntaxError("port", offset + len(host) + 1, "not a number from 0 to 65535")
    return userinfo, host, port
