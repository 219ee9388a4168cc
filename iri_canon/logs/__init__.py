"""A log tells what was asked and what was answered; a record that cannot be read costs itself only."""

from iri_canon.logs.formats import FORMATS, Format
from iri_canon.logs.opening import STDIN, LogFile
from iri_canon.logs.records import Bad, Hop, Place, Record, WithoutUrl

__all__ = ["FORMATS", "STDIN", "Bad", "Format", "Hop", "LogFile", "Place", "Record", "WithoutUrl"]
