"""What a log holds becomes classes: spellings that are one page as far as the ladder and the log itself can tell."""

from iri_canon.dedup.engine import CLASSES, PAIRS, SEEDS, Engine, Options

__all__ = ["CLASSES", "PAIRS", "SEEDS", "Engine", "Options"]
