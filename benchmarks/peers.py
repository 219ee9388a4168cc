"""Who is measured: the key of this project, and what other libraries make of the same text."""

import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import ada_url
import can_ada
import yarl
from w3lib.url import canonicalize_url

from iri_canon import key

OURS = "iri_canon.key"
W3LIB = "w3lib canonicalize_url"
DISTRIBUTIONS = ("iri-canon", "w3lib", "ada-url", "can-ada", "yarl", "idna", "scrapy")


def can_ada_href(url: str) -> str:
    href: str = can_ada.parse(url).href
    return href


def yarl_text(url: str) -> str:
    return str(yarl.URL(url))


PEERS: dict[str, Callable[[str], object]] = {
    OURS: key,
    W3LIB: canonicalize_url,
    "ada_url normalize_url": ada_url.normalize_url,
    "can_ada parse().href": can_ada_href,
    "str(yarl.URL())": yarl_text,
}
#: The same for the head of a column.
SHORT = dict(zip(PEERS, ("iri_canon", "w3lib", "ada_url", "can_ada", "yarl"), strict=True))


def versions() -> dict[str, str]:
    """The versions of what is measured; this project's own where it is run without being installed."""
    from iri_canon import __version__

    return {name: __version__ if name == "iri-canon" else version(name) for name in DISTRIBUTIONS}


def machine() -> str:
    """Processor, cores, system and Python, in words."""
    import os

    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.partition(":")[2].strip()
            for line in cpuinfo.read_text().splitlines()
            if "model name" in line
        ]
        model = names[0] if names else model
    implementation = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, {implementation}"
