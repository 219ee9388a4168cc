"""Spellings climb the ladder rung by rung; what each rung joins stays joined on the next."""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.dedup import components, statements
from iri_canon.dedup.answers import find_answers
from iri_canon.dedup.components import find_ways, join_keys
from iri_canon.dedup.contents import find_alike
from iri_canon.dedup.database import Database
from iri_canon.dedup.evidence import edges_of_assumed, edges_of_pairs
from iri_canon.dedup.explaining import Codes, Explainer
from iri_canon.dedup.keys import keys_of
from iri_canon.dedup.redirects import find_moves, find_pairs
from iri_canon.dedup.stored import Stored
from iri_canon.ladder import Ladder

_KEYS: Final = "SELECT key FROM keys"
_PAIRS: Final = "SELECT source, representative, conventions FROM pairs"


def cluster(
    database: Database,
    codes: Codes,
    ladder: Ladder,
    stored: Stored | None,
    *,
    temporary: bool,
    has_extra: bool = False,
) -> None:
    """Make the tables of `iri_canon.dedup.statements` of the records that were read.

    ``ladder`` has the conventions that the user assumes; ``temporary`` lets 302 and 307 count too;
    ``has_extra``: there is something to be carried through.
    """
    database.run(statements.SPELLINGS)
    found = statements.FOUND.format(extra=statements.FIRST_EXTRA if has_extra else statements.NO_EXTRA)
    database.fill("spellings", map(_with_keys, database.batches(found)))
    find_moves(database)
    find_answers(database)
    find_pairs(database, temporary=temporary)
    database.run(statements.MENTIONED)
    database.run(statements.KEYS)
    database.run(components.MAKE_EDGES)
    database.fill("edges", edges_of_pairs(database.batches(_PAIRS), codes))
    find_alike(database, codes)
    if stored is not None:
        database.fill("edges", stored.edges(database, codes))
    if ladder.assumed:
        database.fill("edges", edges_of_assumed(database.batches(_KEYS), ladder, codes))
    join_keys(database)
    for statement in (statements.MEMBERS, statements.REPRESENTATIVES):
        database.run(statement)
    find_ways(database)
    database.run(statements.USED)
    database.fill("used", Explainer(codes, ladder).explain(database.batches(statements.PAIRED)))
    database.run(statements.STEPS)
    database.fill("steps", [codes.as_batch()])
    for statement in (statements.CLASS_STEPS, statements.CLASS_SIZES, statements.CLASSES):
        database.run(statement)


def _with_keys(found: pa.RecordBatch) -> pa.RecordBatch:
    """Spellings with their keys, null where a spelling is its own."""
    url = found.column("url")
    key = keys_of(url)
    own = pc.if_else(pc.equal(key, url), pa.scalar(None, pa.string()), key)
    return found.append_column("key", own)
