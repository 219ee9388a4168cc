"""What was answered to a key is put together over all logs: its newest status and its newest digest.

Only the keys that redirects or equal digests speak of are looked at. Times are as `iri_canon.logs.lessons` has them:
the newest by the time told, then by the order of reading; no time is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from iri_canon.dedup.database import Database
from iri_canon.learning.comparing import TRANSIENT
from iri_canon.logs.columns import restored
from iri_canon.logs.digests import octets_of

_RETRIEVED: Final = "coalesce(records.method, 'GET') IN ('GET', 'HEAD')"

# Equal digests are equal by this; what is equal by this only is told apart by `octets_of`.
_ROUGHLY: Final = "lower(trim(split_part(records.digest, ':', -1)))"

# That two URLs have one digest is seen without the keys, and rules out most.
SHARED: Final = f"""
CREATE TABLE shared AS
WITH roughly AS (
    SELECT {_ROUGHLY} AS digest FROM records
    WHERE records.status = 200 AND records.digest IS NOT NULL AND {_RETRIEVED}
    GROUP BY {_ROUGHLY} HAVING min(records.url) <> max(records.url)
),
found AS (
    SELECT DISTINCT roughly.digest, coalesce(spellings.key, spellings.url) AS key
    FROM records
    JOIN roughly ON {_ROUGHLY} = roughly.digest
    JOIN spellings ON records.url = spellings.url
    WHERE records.status = 200 AND {_RETRIEVED}
),
several AS (SELECT digest FROM found GROUP BY digest HAVING count(*) > 1)
SELECT DISTINCT found.key FROM found JOIN several ON found.digest = several.digest
"""

ANSWERED: Final = f"""
CREATE TABLE answered AS
WITH wanted AS (
    SELECT source_key AS key FROM moves UNION SELECT target_key FROM moves UNION SELECT key FROM shared
)
SELECT wanted.key, records.status, records.digest, max(records.newest) AS newest
FROM wanted
JOIN spellings ON wanted.key = coalesce(spellings.key, spellings.url)
JOIN records ON spellings.url = records.url
WHERE records.status IS NOT NULL AND {_RETRIEVED}
GROUP BY wanted.key, records.status, records.digest
"""

DIGESTS: Final = """
CREATE TABLE digests (digest VARCHAR, octets VARCHAR)
"""
"""``octets`` stand for a digest, in hexadecimal digits; null for that of an empty body."""

TO_DIGEST: Final = """
SELECT DISTINCT digest FROM answered WHERE status = 200 AND digest IS NOT NULL
"""

# Of a 200 the digest, of an error that is not of the moment its status: three characters, and so no digest.
ANSWERS: Final = f"""
CREATE TABLE answers AS
WITH given AS (
    SELECT
        answered.key, answered.status, answered.newest,
        CASE
            WHEN answered.status = 200 THEN digests.octets
            WHEN answered.status BETWEEN 400 AND 599 AND answered.status NOT IN {tuple(sorted(TRANSIENT))}
            THEN CAST(answered.status AS VARCHAR)
        END AS shown
    FROM answered LEFT JOIN digests ON answered.digest = digests.digest
)
SELECT
    key, arg_max(status, newest) AS status,
    arg_max(status, newest) FILTER (WHERE status BETWEEN 300 AND 399) AS redirect,
    coalesce(max(newest.time) FILTER (WHERE status BETWEEN 300 AND 399), -1) AS redirected_at,
    arg_max(shown, newest) FILTER (WHERE shown IS NOT NULL) AS shown,
    coalesce(max(newest.time) FILTER (WHERE shown IS NOT NULL), -1) AS shown_at
FROM given GROUP BY key
"""


def find_answers(database: Database) -> None:
    """Make the table ``answers`` for the keys of ``moves``, and for those that share a digest (``shared``)."""
    for statement in (SHARED, ANSWERED, DIGESTS):
        database.run(statement)
    database.fill("digests", digests_of(database.batches(TO_DIGEST)))
    database.run(ANSWERS)


def digests_of(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What stands for each ``digest``, in hexadecimal digits (see ``DIGESTS``)."""
    for batch in batches:
        octets = [octets_of(restored(digest)) for digest in batch.column("digest").to_pylist()]
        digits = [None if each is None else each.hex() for each in octets]
        yield pa.RecordBatch.from_arrays(
            [batch.column("digest"), pa.array(digits, pa.string())], names=["digest", "octets"]
        )
