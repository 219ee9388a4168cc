"""A digest that a log has is compared as what it is: hexadecimal digits in any case, base32 in its own."""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode
from typing import Final

from iri_canon.learning.content import SIZE

_HEX_SIZES: Final = frozenset({32, 40, 56, 64, 96, 128})
_HEX: Final = re.compile(r"[0-9A-Fa-f]+")
#: MD5 in hexadecimal and SHA-1 in base32 have 32 digits each; base32 has none of these.
_IN_NO_BASE32: Final = re.compile(r"[0189a-z]")
_BASE32_SIZE: Final = 32
_OF_NOTHING: Final = frozenset(
    {b32encode(hashlib.sha1(b"", usedforsecurity=False).digest()).decode()}
    | {
        hashlib.new(name, b"", usedforsecurity=False).hexdigest()
        for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
    }
)


def octets_of(digest: str) -> bytes | None:
    """Octets that stand for a digest in a log, with its label (``sha1:``) or without; None for that of an empty body.

    >>> octets_of("sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"), octets_of("3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
    (None, None)
    >>> octets_of("md5:0CC175B9C0F1B6A831C399E269772661") == octets_of("0cc175b9c0f1b6a831c399e269772661")
    True
    """
    value = digest.rpartition(":")[2].strip()
    is_hex = len(value) in _HEX_SIZES and _HEX.fullmatch(value)
    if is_hex and (len(value) != _BASE32_SIZE or _IN_NO_BASE32.search(value)):
        value = value.lower()
    if not value or value in _OF_NOTHING:
        return None
    # JSON can write any lone surrogate, and octets that are no UTF-8 were read as some
    return hashlib.blake2b(value.encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()
