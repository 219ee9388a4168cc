"""Text becomes a value, the value climbs the ladder of RFC 3987 section 5.3, and the top is a key."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

from iri_canon.errors import ConventionError, IriEncodingError, IriError, IriSyntaxError, StoreError
from iri_canon.iri import IRI
from iri_canon.ladder import (
    Ladder,
    Rung,
    Step,
    canonicalize,
    equivalent,
    explain,
    key,
    lowest_rung,
    register_scheme,
)
from iri_canon.parse import parse
from iri_canon.productions import is_valid
from iri_canon.reading import transcribe

if TYPE_CHECKING:
    from iri_canon.display import display
    from iri_canon.document import to_document
    from iri_canon.find import FoundIri, find_iris
    from iri_canon.lint import Finding, Severity, lint
    from iri_canon.mapping import to_iri, to_uri
    from iri_canon.prepare import prepare
    from iri_canon.resolve import resolve

__version__ = "0.1.0"

__all__ = [
    "IRI",
    "ConventionError",
    "Finding",
    "FoundIri",
    "IriEncodingError",
    "IriError",
    "IriSyntaxError",
    "Ladder",
    "Rung",
    "Severity",
    "Step",
    "StoreError",
    "__version__",
    "canonicalize",
    "display",
    "equivalent",
    "explain",
    "find_iris",
    "is_valid",
    "key",
    "lint",
    "lowest_rung",
    "parse",
    "prepare",
    "register_scheme",
    "resolve",
    "to_document",
    "to_iri",
    "to_uri",
    "transcribe",
]

# What a crawl can do without is imported when it is first asked for: a process that only wants keys starts sooner.
_ON_DEMAND: Final = {
    "display": "display",
    "to_document": "document",
    "FoundIri": "find",
    "find_iris": "find",
    "Finding": "lint",
    "Severity": "lint",
    "lint": "lint",
    "to_iri": "mapping",
    "to_uri": "mapping",
    "prepare": "prepare",
    "resolve": "resolve",
}


#: Modules that are attributes of the package, as if it had imported them.
_MODULES: Final = frozenset({"conventions", "document", "find", "mapping"})


class _FrontDoor(ModuleType):
    """Where a module is named like a function in it, the name here is the function's, whoever imports the module."""

    def __setattr__(self, name: str, value: object) -> None:
        if _ON_DEMAND.get(name) == name and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _FrontDoor


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_ON_DEMAND[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
