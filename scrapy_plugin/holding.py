"""A request that waits when the crawl is stopped goes on waiting in the next run."""

from __future__ import annotations

import logging
import pickle
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

logger = logging.getLogger(__name__)


class Link(IntEnum):
    """How a request comes to the filter."""

    NEW = 0
    """It continues no live chain."""
    CHAIN = 1
    """It continues a live chain."""
    UNSAFE = 2
    """It continues a live chain that began with an unsafe method."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that waits, and how it came."""

    request: Request
    link: Link


_UNSERIALISABLE: Final = (ValueError, TypeError, AttributeError, pickle.PicklingError)
_UNREADABLE: Final = (
    ValueError,
    TypeError,
    AttributeError,
    ImportError,
    NameError,
    IndexError,
    EOFError,
    pickle.UnpicklingError,
)


def dump(waiting: Waiting, sources: list[bytes], spider: Spider | None) -> bytes | None:
    """Serialise as Scrapy's own disk queues do; None for what they could not keep either.

    ``sources`` are the digests of the URLs that led to the request.
    """
    try:
        request = pickle.dumps(waiting.request.to_dict(spider=spider), protocol=4)
    except _UNSERIALISABLE as error:
        logger.warning("%s waits at the end of a redirect and cannot be kept: %s", waiting.request, error)
        return None
    return pickle.dumps((sources, int(waiting.link), request), protocol=4)


def load(payload: bytes, spider: Spider | None) -> tuple[list[bytes], Waiting | None]:
    """Undo ``dump``: the sources, and the request, or None where the spider has changed too much."""
    # The file lies beside Scrapy's own queues, which are read in the same way.
    sources, link, request = pickle.loads(payload)
    try:
        return sources, Waiting(request_from_dict(pickle.loads(request), spider=spider), Link(link))
    except _UNREADABLE as error:
        logger.warning("A request that waited at the end of a redirect cannot be restored: %s", error)
        return sources, None
