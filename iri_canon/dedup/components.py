"""Keys that edges join are one class, however long the way; a class is known by the first of its keys.

Tables: ``edges`` (two keys, as texts, and the steps that join them; a key need not be one of the log), ``nodes`` (each
key of an edge with its number: the id of the key, or one behind all ids), ``ways`` (edges by number, both ways),
``labels`` (the least number of all that a node is joined with), ``joined`` (for the keys of the log), ``reached`` (the
steps on a shortest way from the key of the representative).
"""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from iri_canon.dedup.database import Database

EDGES: Final = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),
        pa.field("target", pa.string(), nullable=False),
        pa.field("is_directed", pa.bool_(), nullable=False),
        pa.field("steps", pa.list_(pa.int32()), nullable=False),
    ]
)
"""``is_directed``: the target represents the source. Keys may be `iri_canon.logs.columns.carried`."""

MAKE_EDGES: Final = """
CREATE TABLE edges (source VARCHAR, target VARCHAR, is_directed BOOLEAN, steps INTEGER[])
"""

NODES: Final = """
CREATE TABLE nodes AS
WITH
    ends AS (SELECT source AS key FROM edges UNION SELECT target FROM edges),
    behind AS (SELECT coalesce(max(id), 0) + 1 AS id FROM keys)
SELECT
    coalesce(keys.id, behind.id + row_number() OVER (ORDER BY ends.key)) AS id, ends.key, keys.id IS NOT NULL AS is_met
FROM ends CROSS JOIN behind LEFT JOIN keys ON ends.key = keys.key
"""

# Of several edges between two keys one is enough: the one of the least steps, whatever the order of rows.
WAYS: Final = """
CREATE TABLE ways AS
WITH both_ways AS (
    SELECT one.id AS source, other.id AS target, edges.steps
    FROM edges JOIN nodes AS one ON edges.source = one.key JOIN nodes AS other ON edges.target = other.key
    UNION ALL
    SELECT other.id, one.id, edges.steps
    FROM edges JOIN nodes AS one ON edges.source = one.key JOIN nodes AS other ON edges.target = other.key
)
SELECT source, target, arg_min(steps, {'size': len(steps), 'steps': steps}) AS steps
FROM both_ways WHERE source <> target GROUP BY source, target
"""

LABELS: Final = """
CREATE TABLE labels AS SELECT id, id AS label FROM nodes
"""

# Each round takes the least label around, and then the label of that: ways of any length are short soon.
SPREAD: Final = """
CREATE TABLE spread AS
WITH around AS (
    SELECT ways.source AS id, min(labels.label) AS label
    FROM ways JOIN labels ON ways.target = labels.id GROUP BY ways.source
),
least AS (
    SELECT labels.id, labels.label AS was, least(labels.label, around.label) AS label
    FROM labels JOIN around ON labels.id = around.id
)
SELECT least.id, least.was, least(least.label, labels.label) AS label
FROM least JOIN labels ON least.label = labels.id
"""

MAKE_JOINED: Final = """
CREATE TABLE joined (id BIGINT, class BIGINT, is_target BOOLEAN)
"""

JOINED: Final = """
INSERT INTO joined
WITH
    met AS (SELECT nodes.id, labels.label AS class FROM nodes JOIN labels ON nodes.id = labels.id WHERE nodes.is_met),
    several AS (SELECT class FROM met GROUP BY class HAVING count(*) > 1),
    sources AS (SELECT DISTINCT source AS key FROM edges WHERE is_directed),
    targets AS (SELECT DISTINCT target AS key FROM edges WHERE is_directed)
SELECT met.id, met.class, targets.key IS NOT NULL AND sources.key IS NULL AS is_target
FROM met
JOIN several ON met.class = several.class
JOIN nodes ON met.id = nodes.id
LEFT JOIN sources ON nodes.key = sources.key
LEFT JOIN targets ON nodes.key = targets.key
"""

REACHED: Final = """
CREATE TABLE reached AS
SELECT DISTINCT members.key AS id, 0 AS distance, CAST([] AS INTEGER[]) AS steps
FROM representatives
JOIN members ON representatives.id = members.id
JOIN joined ON members.key = joined.id
"""

REACH: Final = """
INSERT INTO reached
SELECT
    ways.target AS id, {distance} AS distance,
    arg_min(
        list_sort(list_distinct(list_concat(reached.steps, ways.steps))),
        {{'size': len(ways.steps), 'steps': ways.steps, 'source': ways.source}}
    ) AS steps
FROM reached
JOIN ways ON reached.id = ways.source
LEFT JOIN reached AS already ON ways.target = already.id
WHERE reached.distance = {distance} - 1 AND already.id IS NULL
GROUP BY ways.target
"""


def edge(source: str, target: str, steps: list[int], *, is_directed: bool = False) -> dict[str, Any]:
    """A row of ``edges``."""
    return {"source": source, "target": target, "is_directed": is_directed, "steps": steps}


def join_keys(database: Database) -> None:
    """Fill the table ``joined`` from ``edges``; it takes as many rounds as the longest way has doublings or so."""
    for statement in (MAKE_JOINED, NODES, WAYS, LABELS):
        database.run(statement)
    while True:
        database.run(SPREAD)
        changed = database.one("SELECT count(*) FROM spread WHERE label <> was")
        database.run("DROP TABLE labels")
        database.run("CREATE TABLE labels AS SELECT id, label FROM spread")
        database.run("DROP TABLE spread")
        if not changed:
            break
    database.run(JOINED)


def find_ways(database: Database) -> None:
    """Make the table ``reached``: by which steps each key of a joined class is one with that of its representative."""
    database.run(REACHED)
    distance = 0
    before, size = -1, database.one("SELECT count(*) FROM reached")
    while size > before:
        distance += 1
        database.run(REACH.format(distance=distance))
        before, size = size, database.one("SELECT count(*) FROM reached")
