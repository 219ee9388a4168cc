"""The named merges that no RFC licenses: off, unless a user assumes them or a server shows them."""

from iri_canon.conventions.assumed import Assumed
from iri_canon.conventions.catalogue import CONVENTIONS, PRESETS, Convention, select
from iri_canon.conventions.explained import explaining

__all__ = ["CONVENTIONS", "PRESETS", "Assumed", "Convention", "explaining", "select"]
