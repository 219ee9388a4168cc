"""A link is read as browsers read it, before Scrapy's Request sees it.

w3lib maps host names by IDNA 2003 (``faß.de`` becomes ``fass.de``, another host), browsers by UTS #46.
"""

from __future__ import annotations

import re
from typing import Any

from scrapy import Request
from scrapy.utils.httpobj import urlparse_cached

from iri_canon import canonicalize, parse, prepare

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _with_octets(url: str) -> str:
    """What stands for octets that are no UTF-8 as their triplets: `Request` encodes it, and cannot."""
    return _LONE_SURROGATE.sub(_triplet_of, url)


def _triplet_of(found: re.Match[str]) -> str:
    code = ord(found[0])
    # Python's surrogateescape; any other one has no octet, and is U+FFFD as on the rungs.
    return f"%{code - 0xDC00:02X}" if 0xDC80 <= code <= 0xDCFF else "%EF%BF%BD"


def _with_ascii_host(url: str) -> str:
    """The URL with its host in A-labels and everything else as it was found. Raises ``IriError``."""
    found = parse(url)
    if found.host is None or found.host.isascii():
        return url
    return str(found.replace(host=parse(canonicalize(f"{found.scheme}://{found.host}/")).host))


def prepare_href(url: str) -> str | None:
    """What an absolute href stands for, for ``LinkExtractor(process_value=...)``; None for what no Request can ask.

    >>> prepare_href(" http://fa\\u00df.de\\\\a b "), prepare_href("http://[::1/")
    ('http://xn--fa-hia.de/a b', None)
    >>> prepare_href("javascript:void(0)")
    """
    prepared = _with_octets(prepare(url, "href"))  # the parser has undone character references already
    try:
        request = iri_request(prepared)
        hostname = urlparse_cached(request).hostname
    except ValueError:
        return None
    return _with_ascii_host(prepared) if hostname else None


def iri_request(url: str, **kwargs: Any) -> Request:
    """A Request for an IRI; ``kwargs`` are those of ``Request``.

    Raises ``ValueError`` as ``Request`` does, ``IriSyntaxError`` (one too) for what does not parse.

    >>> iri_request("http://fa\\u00df.de/\\u00e9").url
    'http://xn--fa-hia.de/%C3%A9'
    """
    return Request(_with_ascii_host(_with_octets(url)), **kwargs)
