"""A name of a host changes by whole labels, and an IP address never."""

from __future__ import annotations

import re
from typing import Final

from iri_canon.host import ENDS_IN_NUMBER

_NAME: Final = re.compile(r"(?:[a-z0-9_-]++\.)+[a-z0-9_-]++\.?")


def is_ip(host: str) -> bool:
    """Tell whether a canonical host is an address, so that it has no labels.

    >>> is_ip("10.2.3.4"), is_ip("[::1]"), is_ip("10.2.3.4.example")
    (True, True, False)
    """
    return host.startswith("[") or ENDS_IN_NUMBER.search(host) is not None


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
