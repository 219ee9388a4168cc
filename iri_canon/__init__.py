"""Text becomes a value, the value climbs the ladder of RFC 3987 section 5.3, and the top is a key."""

from iri_canon.display import display
from iri_canon.document import to_document
from iri_canon.errors import ConventionError, IriEncodingError, IriError, IriSyntaxError, StoreError
from iri_canon.find import FoundIri, find_iris
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
from iri_canon.lint import Finding, Severity, lint
from iri_canon.mapping import to_iri, to_uri
from iri_canon.parse import parse
from iri_canon.prepare import prepare
from iri_canon.productions import is_valid
from iri_canon.reading import transcribe
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
