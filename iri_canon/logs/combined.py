"""An access log has the target of a request as it was sent; whose it is, the site says, or the line's virtual host.

Source: Apache's mod_log_config (common, combined, vhost_combined) and nginx's combined; RFC 9112 section 3.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from iri_canon.errors import IriError, LogError
from iri_canon.logs.records import Bad, Line, Outcome, Place, Record, WithoutUrl, number, time_in
from iri_canon.parse import parse
from iri_canon.prepare import prepare

_TIME: Final = "[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:[0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}"
#: A quote in the request is escaped. Behind the size stand referer, user agent and whatever else.
_LINE: Final = re.compile(
    rf'(.+?) \[({_TIME})\] "((?:[^"\\]++|\\.)*+)" ([0-9]{{3}}|-) (?:[0-9]+|-)(?: .*)?', re.DOTALL
)
_WHO: Final = 3
"""Client, identity and user stand before the time; a user's name may have spaces."""
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_NONE: Final = "-"
#: With or without its port.
_VIRTUAL_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/?#@\[\]\"]+)(?::([0-9]{1,5}))?")
_SCHEMES: Final = {"80": "http", "443": "https"}
#: A scheme and more; a name with a port is an authority.
_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?![0-9]*\Z)")
_CONNECT: Final = "CONNECT"


def origin(site: str) -> str:
    """The scheme and the authority of a site, as they are written.

    Raises `IriError` for what has none.

    >>> origin("https://Example.com:8080/shop?a"), origin("http://h")
    ('https://Example.com:8080', 'http://h')
    >>> origin("example.com")
    Traceback (most recent call last):
    iri_canon.errors.IriError: 'example.com' is no site: it has to have a scheme and a host, like https://example.com
    """
    parts = parse(site)
    if parts.scheme is None or not parts.authority:
        like = f"https://{site.strip('/:') or 'example.com'}"
        raise IriError(f"{site!r} is no site: it has to have a scheme and a host, like {like}")
    return f"{parts.scheme}://{parts.authority}"


def records(lines: Iterable[Line], site: str | None) -> Iterator[Outcome]:
    """The requests of an access log of a site; a line that begins with a virtual host is of that one.

    A redirect shows no pair: where it leads to is not logged. Raises `LogError` without a site, and for what is none.

    >>> text = '::1 - - [01/Dec/2026:07:10:35 +0100] "GET /a\\\\xe9 b HTTP/1.1" 301 9'
    >>> [(each.url, each.status, each.time) for each in records([Line(Place("a", 1, 0), text)], "http://h/")]
    [('http://h/a\\udce9 b', 301, 1796105435.0)]
    """
    if site is None:
        raise LogError("an access log does not say of which site it is; dedup is told by --site")
    try:
        prefix = origin(site)
    except IriError as error:
        raise LogError(str(error)) from None
    for place, text in lines:
        if text is None:
            yield Bad(place, "longer than a line may be")
        elif text.strip():
            yield _record(place, text, prefix)


def is_one(text: str) -> bool:
    """Whether a line looks like one of an access log.

    >>> is_one('h - - [01/Dec/2026:07:10:35 +0100] "GET / HTTP/1.1" 200 9 "-" "curl"'), is_one("h - - [today]")
    (True, False)
    """
    return _LINE.fullmatch(text) is not None


def _record(place: Place, text: str, prefix: str) -> Outcome:
    found = _LINE.fullmatch(text)
    if found is None:
        return Bad(place, "not of the common nor of the combined form")
    who, request, status = found[1].split(" "), found[3], found[4]
    time = _seconds(found[2])
    if time is None:
        return Bad(place, "the time is none")
    if len(who) < _WHO:
        return Bad(place, "not as many columns as there should be")
    method, target = _request(request)
    target = prepare(target, "apache")
    if target.startswith("/"):
        url = f"{_virtual_prefix(who, prefix)}{target}"
    elif method != _CONNECT and _ABSOLUTE.match(target):
        url = target
    else:
        return WithoutUrl(place)
    return Record(place=place, url=url, status=number(status), time=time, method=method)


def _request(text: str) -> tuple[str, str]:
    """The method and the target of a request line; the target may have spaces, the protocol may be missing."""
    method, _, rest = text.partition(" ")
    target, _, protocol = rest.rpartition(" ")
    return method, target if protocol.startswith("HTTP/") else rest


def _virtual_prefix(who: list[str], prefix: str) -> str:
    """The scheme and the authority of a line. Without a virtual host they are the site's.

    Where there is one, the column behind the client is the identity, which is a dash: nobody asks for it any more.
    """
    if len(who) <= _WHO or who[2] != _NONE or who[1] == _NONE:
        return prefix
    found = _VIRTUAL_HOST.fullmatch(who[0])
    if found is None or found[0] == _NONE:
        return prefix
    host, port = found.groups()
    if port in _SCHEMES:
        return f"{_SCHEMES[port]}://{host}"
    return f"{prefix.partition(':')[0]}://{found[0]}"


@lru_cache(maxsize=1024)
def _seconds(text: str) -> float | None:
    """The time that a line has between brackets; many lines have the same."""
    day, month, year, clock, zone = text[:2], text[3:6], text[7:11], text[12:20], text[21:]
    if month not in _MONTHS:
        return None
    return time_in(f"{year}-{_MONTHS.index(month) + 1:02}-{day}T{clock}{zone}")
