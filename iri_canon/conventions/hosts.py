"""A name of a host changes by whole labels, and an IP address never."""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = re.compile(r"(?:[a-z0-9_-]++\.)+[a-z0-9_-]++\.?")
# WHATWG URL 3.5: a host whose last label is a number is an IPv4 address, or none at all.
_ENDS_IN_NUMBER: Final = re.compile(r"(?:.*\.)?(?:[0-9]++|0x[0-9a-f]*+)\.?")


def is_ip(host: str) -> bool:
    """Tell whether a canonical host is an address, so that it has no labels.

    >>> is_ip("10.2.3.4"), is_ip("[::1]"), is_ip("10.2.3.4.example")
    (True, True, False)
    """
    return host.startswith("[") or _ENDS_IN_NUMBER.fullmatch(host) is not None


def without_www(host: str) -> str:
    """Custom of the web: ``www.`` before a name of two or more labels names the same site.

    >>> without_www("www.example.com"), without_www("www.com"), without_www("www2.example.com")
    ('example.com', 'www.com', 'www2.example.com')

    Only one label is taken, and so none where another one would be next:

    >>> without_www("www.www.example.com")
    'www.www.example.com'
    """
    if not host.startswith("www."):
        return host
    rest = host[4:]
    return host if rest.startswith("www.") or is_ip(rest) or _NAME.fullmatch(rest) is None else rest
