"""A request is written as Scrapy's own disk queues write it: what they can keep can be kept here, and nothing else."""

from __future__ import annotations

import pickle
from typing import Final

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

_UNSERIALISABLE: Final = (ValueError, TypeError, AttributeError, RecursionError, pickle.PicklingError)
UNREADABLE: Final = (
    ValueError,
    TypeError,
    AttributeError,
    ImportError,
    NameError,
    IndexError,
    EOFError,
    KeyError,
    OverflowError,
    MemoryError,
    pickle.UnpicklingError,
)
"""What unpickling octets of another version may raise."""


class SerialisationError(ValueError):
    """A request that cannot be written, or read again: a callback that is no method of the spider, for one."""


def dump_request(request: Request, spider: Spider | None) -> bytes:
    """The request as octets. Raises ``SerialisationError``."""
    try:
        return pickle.dumps(request.to_dict(spider=spider), protocol=4)
    except _UNSERIALISABLE as error:
        raise SerialisationError(str(error)) from error


def load_request(octets: bytes, spider: Spider | None) -> Request:
    """Undo ``dump_request``. Raises ``SerialisationError`` where the spider has changed too much since."""
    # The file lies beside Scrapy's own queues, which are read in the same way.
    try:
        return request_from_dict(pickle.loads(octets), spider=spider)
    except UNREADABLE as error:
        raise SerialisationError(f"{type(error).__name__}: {error}") from error
