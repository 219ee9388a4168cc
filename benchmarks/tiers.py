"""Both tiers in one process: the package as it is, and a second copy that was imported with the kernel off."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

PACKAGE = "iri_canon"
#: Set for an import, it keeps the kernel out.
SWITCH = "IRI_CANON_PURE"


def is_built() -> bool:
    """Whether a kernel answers here, so that there are two tiers."""
    name = f"{PACKAGE}.kernel"
    if os.environ.get(SWITCH) or find_spec(name) is None:
        return False
    return bool(import_module(name).IS_BUILT)


def pure_key() -> Callable[[str], object]:
    """`iri_canon.key` of the pure tier."""
    with _pure_copy():
        key: Callable[[str], object] = import_module(PACKAGE).key
    return key


def pure_keys() -> Callable[[Any], Any]:
    """`iri_canon.arrow.keys` of the pure tier."""
    with _pure_copy():
        keys: Callable[[Any], Any] = import_module(f"{PACKAGE}.arrow").keys
    return keys


@contextmanager
def _pure_copy() -> Iterator[None]:
    """Imports within it are of a copy of the package that goes on living beside the one in use."""
    in_use, before = _taken_out(), os.environ.get(SWITCH)
    os.environ[SWITCH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SWITCH]
        else:
            os.environ[SWITCH] = before
        _taken_out()
        sys.modules.update(in_use)


def _taken_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name == PACKAGE or name.startswith(f"{PACKAGE}.")]
    return {name: sys.modules.pop(name) for name in names}
