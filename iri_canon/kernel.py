"""Which of two tiers makes keys: the compiled kernel where it was built, else Python; the keys are the same.

The environment variable ``IRI_CANON_PURE``, if it is set to anything when this module is first imported, turns the
kernel off. This is the one place that reads it.
"""

import os
from collections.abc import Callable
from types import ModuleType
from typing import Final, Literal

from iri_canon import quick

compiled: ModuleType | None
try:
    from iri_canon import _kernel as compiled
# What was built from an older source looks for names that are gone, or finds tables that it cannot take.
except (ImportError, AttributeError, AssertionError):
    compiled = None

#: Whether the kernel was built and can be loaded, turned off or not.
IS_BUILT: Final = compiled is not None
if os.environ.get("IRI_CANON_PURE"):
    compiled = None

#: The key at the scheme rung, without the fragment; None for what takes the steps one by one, or is no text.
scheme_key: Final[Callable[[object], str | None]] = (
    quick.scheme_key if compiled is None else compiled.scheme_key
)


def tier() -> Literal["kernel", "python"]:
    """Who makes the keys in this process.

    >>> tier() in ("kernel", "python")
    True
    """
    return "python" if compiled is None else "kernel"
