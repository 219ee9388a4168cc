"""Two canonicalizations are compared by the pairs of spellings that each makes one; pairs are counted, never listed.

A class of n spellings has n(n-1)/2 pairs. Where the log has digests they say what each is worth: a pair that is joined
though its pages differ is wrong, one of equal pages that is kept apart is missed. That is an estimate: a page may have
changed between two records. So a spelling whose own pages differ does not count; pairs are looked for within one site;
and a content that more than a few unrelated paths of a site have is an answer to everything, and does not count either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from iri_canon.dedup.answers import digests_of
from iri_canon.dedup.database import Database
from iri_canon.dedup.keys import keys_of
from iri_canon.ladder import Rung
from iri_canon.learning.classes import digest_of, joined
from iri_canon.learning.parts import split
from iri_canon.learning.walls import UNRELATED
from iri_canon.logs.columns import carried, restored

MOST_EXAMPLES: Final = 50
MOST_HOSTS: Final = 200

SPELLINGS: Final = """
SELECT spellings.id, spellings.url, coalesce(members.class, spellings.id) AS class
FROM spellings LEFT JOIN members ON spellings.id = members.id
"""

THEIRS: Final = """
CREATE OR REPLACE TABLE theirs (id BIGINT, class BIGINT, key VARCHAR)
"""

JOINS: Final = """
WITH
    ours AS (SELECT count(*) AS n FROM theirs GROUP BY class),
    others AS (SELECT count(*) AS n FROM theirs GROUP BY key),
    common AS (SELECT count(*) AS n FROM theirs GROUP BY class, key)
SELECT
    (SELECT coalesce(sum(n * (n - 1) // 2), 0) FROM ours) AS ours,
    (SELECT coalesce(sum(n * (n - 1) // 2), 0) FROM others) AS theirs,
    (SELECT coalesce(sum(n * (n - 1) // 2), 0) FROM common) AS both
"""

# Of each group that the other one splits: its first spelling, and the first one that is elsewhere there.
SPLIT: Final = """
WITH
    groups AS (
        SELECT {group}, {other}, min(id) AS id FROM theirs GROUP BY {group}, {other}
    ),
    ranked AS (
        SELECT {group}, id, row_number() OVER (PARTITION BY {group} ORDER BY id) AS place FROM groups
    ),
    pairs AS (
        SELECT min(id) FILTER (WHERE place = 1) AS one, min(id) FILTER (WHERE place = 2) AS another
        FROM ranked WHERE place <= 2 GROUP BY {group} HAVING count(*) = 2
    )
SELECT one.url, another.url, one.id, another.id
FROM pairs JOIN spellings AS one ON pairs.one = one.id JOIN spellings AS another ON pairs.another = another.id
ORDER BY one.id, another.id LIMIT ?
"""

STEPS_BETWEEN: Final = """
SELECT DISTINCT steps.place, steps.name
FROM used JOIN steps ON list_contains(used.steps, steps.code) WHERE used.id IN (?, ?) ORDER BY steps.place
"""

ALL_DIGESTS: Final = """
SELECT DISTINCT digest FROM records
WHERE status = 200 AND digest IS NOT NULL AND coalesce(method, 'GET') IN ('GET', 'HEAD')
"""

MAKE_DIGESTS: Final = """
CREATE OR REPLACE TABLE all_digests (digest VARCHAR, octets VARCHAR)
"""

PAGES: Final = """
CREATE OR REPLACE TABLE their_pages AS
SELECT theirs.id, theirs.class, any_value(theirs.key) AS key, any_value(all_digests.octets) AS octets
FROM records
JOIN all_digests ON records.digest = all_digests.digest
JOIN spellings ON records.url = spellings.url
JOIN theirs ON spellings.id = theirs.id
WHERE records.status = 200 AND all_digests.octets IS NOT NULL AND coalesce(records.method, 'GET') IN ('GET', 'HEAD')
GROUP BY theirs.id, theirs.class
HAVING min(all_digests.octets) = max(all_digests.octets)
"""

PLACES: Final = """
CREATE OR REPLACE TABLE places (id BIGINT, site VARCHAR, path VARCHAR)
"""
"""Of spellings: the site, and what stands for all that conventions make one."""

TO_PLACE: Final = """
SELECT their_pages.id, spellings.url FROM their_pages JOIN spellings ON their_pages.id = spellings.id
"""

SHOWN: Final = """
CREATE OR REPLACE TABLE shown AS
WITH walls AS (
    SELECT places.site, their_pages.octets
    FROM their_pages JOIN places ON their_pages.id = places.id
    GROUP BY places.site, their_pages.octets HAVING count(DISTINCT places.path) > {unrelated}
)
SELECT their_pages.id, their_pages.class, their_pages.key, their_pages.octets, places.site
FROM their_pages
JOIN places ON their_pages.id = places.id
LEFT JOIN walls ON places.site = walls.site AND their_pages.octets = walls.octets
WHERE walls.site IS NULL
"""

CONTENT: Final = """
WITH
    ours AS (SELECT site, count(*) AS n FROM shown GROUP BY site, class),
    theirs AS (SELECT site, count(*) AS n FROM shown GROUP BY site, key),
    same AS (SELECT site, count(*) AS n FROM shown GROUP BY site, octets),
    ours_right AS (SELECT site, count(*) AS n FROM shown GROUP BY site, class, octets),
    theirs_right AS (SELECT site, count(*) AS n FROM shown GROUP BY site, key, octets),
    counted AS (
        SELECT site, 'ours' AS what, n FROM ours UNION ALL SELECT site, 'theirs', n FROM theirs
        UNION ALL SELECT site, 'same', n FROM same
        UNION ALL SELECT site, 'ours_right', n FROM ours_right
        UNION ALL SELECT site, 'theirs_right', n FROM theirs_right
    )
SELECT
    site AS host,
    CAST(sum(n * (n - 1) // 2) FILTER (WHERE what = 'same') AS BIGINT) AS same,
    CAST(sum(n * (n - 1) // 2) FILTER (WHERE what = 'ours') AS BIGINT) AS ours,
    CAST(sum(n * (n - 1) // 2) FILTER (WHERE what = 'ours_right') AS BIGINT) AS ours_right,
    CAST(sum(n * (n - 1) // 2) FILTER (WHERE what = 'theirs') AS BIGINT) AS theirs,
    CAST(sum(n * (n - 1) // 2) FILTER (WHERE what = 'theirs_right') AS BIGINT) AS theirs_right
FROM counted GROUP BY site
"""

TOTALS: Final = f"""
SELECT
    CAST(coalesce(sum(same), 0) AS BIGINT), CAST(coalesce(sum(ours), 0) AS BIGINT),
    CAST(coalesce(sum(ours_right), 0) AS BIGINT), CAST(coalesce(sum(theirs), 0) AS BIGINT),
    CAST(coalesce(sum(theirs_right), 0) AS BIGINT)
FROM ({CONTENT})
"""

BY_HOST: Final = f"""
SELECT host, same, ours, ours_right, theirs, theirs_right FROM ({CONTENT})
WHERE same + ours + theirs > 0
ORDER BY (ours - ours_right) + (same - ours_right) DESC, ours + theirs DESC, host LIMIT ?
"""

# Here a pair is a member and the representative of its class.
BY_STEP: Final = """
WITH paired AS (
    SELECT used.rung, used.steps, one.octets <> other.octets AS is_wrong
    FROM used
    JOIN shown AS one ON used.id = one.id
    JOIN classes ON one.class = classes.class
    JOIN shown AS other ON classes.representative = other.id
    WHERE one.site = other.site
)
SELECT {columns}, count(*) AS pairs, count(*) FILTER (WHERE is_wrong) AS wrong
FROM {source} GROUP BY {columns} ORDER BY pairs DESC, {columns}
"""
BY_RUNG: Final = BY_STEP.format(columns="rung", source="paired")
BY_STEP_NAME: Final = BY_STEP.format(
    columns="rung, name",
    source="""(
    SELECT steps.rung, steps.name, taken.is_wrong
    FROM (SELECT unnest(steps) AS code, is_wrong FROM paired) AS taken JOIN steps ON taken.code = steps.code
)""",
)


def compare(database: Database, other: Callable[[str], str], name: str) -> dict[str, Any]:
    """What ``other``, which gives the key of a text, joins and splits of the spellings whose classes are made.

    Raises what ``other`` raises.
    """
    database.run(THEIRS)
    database.fill("theirs", _keyed(database.batches(SPELLINGS), other))
    ours, theirs, both = map(int, database.rows(JOINS)[0])
    only_ours = database.rows(SPLIT.format(group="class", other="key"), [MOST_EXAMPLES])
    only_theirs = database.rows(SPLIT.format(group="key", other="class"), [MOST_EXAMPLES])
    return {
        "name": name,
        "joins": {"ours": ours, "theirs": theirs, "both": both},
        "only_ours": ours - both,
        "only_theirs": theirs - both,
        "examples": {
            "only_ours": [
                [restored(one), restored(another), [step for _, step in database.rows(STEPS_BETWEEN, ids)]]
                for one, another, *ids in only_ours
            ],
            "only_theirs": [[restored(one), restored(another)] for one, another, *_ in only_theirs],
        },
        "content": _content(database),
    }


def _keyed(spellings: Iterable[pa.RecordBatch], other: Callable[[str], str]) -> Iterator[pa.RecordBatch]:
    for batch in spellings:
        keys = [carried(other(restored(url))) for url in batch.column("url").to_pylist()]
        columns = [batch.column("id"), batch.column("class"), pa.array(keys, pa.string())]
        yield pa.RecordBatch.from_arrays(columns, names=["id", "class", "key"])


def _content(database: Database) -> dict[str, Any] | None:
    """What the digests of the log say of both; None where they say nothing."""
    for statement in (MAKE_DIGESTS, PLACES):
        database.run(statement)
    database.fill("all_digests", digests_of(database.batches(ALL_DIGESTS)))
    database.run(PAGES)
    database.fill("places", map(_placed, database.batches(TO_PLACE)))
    database.run(SHOWN.format(unrelated=UNRELATED))
    if not database.one("SELECT count(*) FROM shown"):
        return None
    same, ours, ours_right, theirs, theirs_right = database.rows(TOTALS)[0]
    return {
        "ours": _measured(same, ours, ours_right),
        "theirs": _measured(same, theirs, theirs_right),
        "by_rung": [
            {"rung": Rung(rung).name.lower(), **_precise(pairs, wrong)}
            for rung, pairs, wrong in database.rows(BY_RUNG)
        ],
        "by_step": [
            {"rung": Rung(rung).name.lower(), "step": step, **_precise(pairs, wrong)}
            for rung, step, pairs, wrong in database.rows(BY_STEP_NAME)
        ],
        "by_host": [
            {
                "host": host,
                **_measured(same, ours, ours_right),
                "their_wrong": theirs - theirs_right,
                "their_missed": same - theirs_right,
            }
            for host, same, ours, ours_right, theirs, theirs_right in database.rows(BY_HOST, [MOST_HOSTS])
        ],
    }


def _measured(same: int, pairs: int, right: int) -> dict[str, Any]:
    """Of ``pairs`` that are joined ``right`` are among the ``same`` that have one content."""
    return {
        "precision": right / pairs if pairs else None,
        "recall": right / same if same else None,
        "wrong": pairs - right,
        "missed": same - right,
        "pairs": pairs,
    }


def _precise(pairs: int, wrong: int) -> dict[str, Any]:
    return {"precision": (pairs - wrong) / pairs, "wrong": wrong, "pairs": pairs}


def _placed(pages: pa.RecordBatch) -> pa.RecordBatch:
    """The site of each spelling of the web, and what stands for its path."""
    rows = []
    keys = keys_of(pages.column("url")).to_pylist()
    for number, key in zip(pages.column("id").to_pylist(), keys, strict=True):
        parts = split(key)
        if parts is not None:
            rows.append({"id": number, "site": parts.site, "path": digest_of(str(joined(parts)))})
    return pa.RecordBatch.from_pylist(
        rows, schema=pa.schema([("id", pa.int64()), ("site", pa.string()), ("path", pa.string())])
    )
