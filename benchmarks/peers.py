"""Who is measured: the key of this project, and what other libraries make of the same text."""

import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks import tiers

Function: TypeAlias = Callable[[str], object]

OURS = "iri_canon.key"
PURE = "iri_canon.key, pure Python"
CAN_ADA = "can_ada parse().href"
W3LIB = "w3lib canonicalize_url"
#: What every run needs, with the versions that each page names.
DISTRIBUTIONS = ("iri-canon", "w3lib", "ada-url", "can-ada", "yarl", "idna", "scrapy")


@dataclass(frozen=True, slots=True)
class Peer:
    """A name as it is called, one for a column's head, the distribution, the module, and how a text is given to it."""

    name: str
    short: str
    distribution: str
    module: str
    take: Callable[[Any], Function]

    def load(self) -> Function:
        """Raises `ImportError` where it is not installed."""
        return self.take(import_module(self.module))


def _can_ada(can_ada: Any) -> Function:
    return lambda text: can_ada.parse(text).href


def _yarl(yarl: Any) -> Function:
    return lambda text: str(yarl.URL(text))


def _urlcanon(urlcanon: Any) -> Function:
    return lambda text: str(urlcanon.semantic(text))


def _scrapy(request: Any) -> Function:
    from scrapy import Request

    return lambda text: request.fingerprint(Request(text))


PEERS = (
    Peer(OURS, "iri_canon", "iri-canon", "iri_canon", lambda module: module.key),
    Peer(CAN_ADA, "can_ada", "can-ada", "can_ada", _can_ada),
    Peer("ada_url normalize_url", "ada_url", "ada-url", "ada_url", lambda module: module.normalize_url),
    Peer("str(yarl.URL())", "yarl", "yarl", "yarl", _yarl),
    Peer(W3LIB, "w3lib", "w3lib", "w3lib.url", lambda module: module.canonicalize_url),
    Peer("courlan normalize_url", "courlan", "courlan", "courlan", lambda module: module.normalize_url),
    Peer("ural normalize_url", "ural", "ural", "ural", lambda module: module.normalize_url),
    Peer("surt surt", "surt", "surt", "surt", lambda module: module.surt),
    Peer("Scrapy fingerprint(Request())", "scrapy", "scrapy", "scrapy.utils.request", _scrapy),
    Peer("str(urlcanon.semantic())", "urlcanon", "urlcanon", "urlcanon", _urlcanon),
    Peer(
        "url_normalize url_normalize",
        "url_norm.",
        "url-normalize",
        "url_normalize",
        lambda module: module.url_normalize,
    ),
)
SHORT = {peer.name: peer.short for peer in PEERS} | {PURE: "pure"}


def contestants(peers: Iterable[Peer] = PEERS) -> tuple[dict[str, Function], dict[str, str]]:
    """Who takes part, by name, both tiers of ours where there are two; and why the others do not."""
    functions: dict[str, Function] = {}
    left_out: dict[str, str] = {}
    for peer in peers:
        try:
            functions[peer.name] = peer.load()
        except ImportError as error:
            left_out[peer.name] = str(error)
            continue
        if peer.name == OURS and tiers.is_built():
            functions[PURE] = tiers.pure_key()
    return functions, left_out


def versions(distributions: Iterable[str] = DISTRIBUTIONS) -> dict[str, str]:
    """The versions of what is installed; this project's own where it is run without being installed."""
    from iri_canon import __version__

    found = {}
    for name in distributions:
        try:
            found[name] = __version__ if name == "iri-canon" else version(name)
        except PackageNotFoundError:
            continue
    return found


def machine() -> str:
    """Processor, cores, system and Python, in words."""
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
