"""Redirects of all logs become observations as in `iri_canon.logs.lessons`: each with the last answer of its chain.

Tables: ``hops`` (a redirect as records tell it, resolved, and the keys of its ends), ``moves`` (the newest of each pair
of keys), ``links`` (the newest move of each key), ``walk`` (the chain from each move on, as far as it was followed),
``ends`` (chains that came to an end), ``observed`` (what is to be judged, or why not), ``verdicts``, ``pairs`` (source
and representative, in force at last). ``answers`` are those of `iri_canon.dedup.answers`.
"""

from __future__ import annotations

from typing import Final

#: The order in which records come: ``newest`` of a row has the time and the number of its last record.
FOUND_HOPS: Final = """
WITH found AS (
    SELECT url AS source, location AS target, status, method, newest, first, 1000000 AS place
    FROM records WHERE location IS NOT NULL
    UNION ALL
    SELECT source, target, status, method, newest, first, place FROM led
)
SELECT
    source, target, status, method, max(newest).time AS time, max(newest).number AS number, min(first) AS first,
    max(place) AS place
FROM found GROUP BY source, target, status, method
"""

HOPS: Final = """
CREATE TABLE hops (
    source VARCHAR, target VARCHAR, source_key VARCHAR, target_key VARCHAR, status INTEGER, method VARCHAR,
    time DOUBLE, number BIGINT, first BIGINT, place BIGINT
)
"""

# A hop without a status is known by the answer to its source, so one with a status tells more, however old it is.
MOVES: Final = """
CREATE TABLE moves AS
SELECT
    row_number() OVER (ORDER BY min(first), min(place), source_key, target_key) AS id, source_key, target_key,
    arg_max(
        {'source': source, 'target': target, 'status': status, 'method': coalesce(method, 'GET')},
        {'told': status IS NOT NULL, 'time': time, 'number': number, 'place': place}
    ) AS hop,
    max({'time': time, 'number': number, 'place': place}) AS newest
FROM hops WHERE target_key IS NOT NULL GROUP BY source_key, target_key
"""

LINKS: Final = """
CREATE TABLE links AS
SELECT source_key, arg_max(id, newest) AS id FROM moves GROUP BY source_key
"""

# A hop whose status no record tells (0) is none of the protocol.
WALK: Final = """
CREATE TABLE walk AS
SELECT
    moves.id, moves.target_key AS key, moves.hop.target AS target, [moves.source_key] AS passed,
    [coalesce(moves.hop.status, answers.redirect, 0)] AS statuses
FROM moves LEFT JOIN answers ON moves.source_key = answers.key
WHERE moves.source_key <> moves.target_key
"""

ENDS: Final = """
CREATE TABLE ends (id BIGINT, key VARCHAR, target VARCHAR, statuses INTEGER[], final_status INTEGER)
"""

# What ends: its last answer is no redirect, or is one that nobody saw the target of.
TAKE_ENDS: Final = """
INSERT INTO ends
SELECT walk.id, walk.key, walk.target, walk.statuses, answers.status
FROM walk JOIN answers ON walk.key = answers.key LEFT JOIN links ON walk.key = links.source_key
WHERE NOT list_contains(walk.passed, walk.key)
    AND (answers.status NOT BETWEEN 300 AND 399 OR links.id IS NULL)
"""

# What goes on: it came to a redirect that leads to where it has not been.
GO_ON: Final = """
CREATE TABLE walked AS
SELECT
    walk.id, moves.target_key AS key, moves.hop.target AS target, list_append(walk.passed, walk.key) AS passed,
    list_append(walk.statuses, coalesce(moves.hop.status, answers.redirect, 0)) AS statuses
FROM walk
JOIN answers ON walk.key = answers.key
JOIN links ON walk.key = links.source_key
JOIN moves ON links.id = moves.id
WHERE NOT list_contains(walk.passed, walk.key) AND answers.status BETWEEN 300 AND 399
"""

OBSERVED: Final = """
CREATE TABLE observed AS
SELECT
    moves.id, moves.source_key, moves.target_key, ends.key AS final_key, moves.hop.source AS source, ends.target,
    coalesce(ends.statuses, [coalesce(moves.hop.status, one.redirect, 0)]) AS statuses, ends.final_status,
    moves.hop.method AS method, moves.newest.time AS time, moves.hop.target AS first_target,
    CASE
        WHEN moves.source_key = moves.target_key THEN 'same-key'
        WHEN ends.id IS NULL THEN 'unfinished'
        WHEN least(one.shown_at, other.shown_at) >= moves.newest.time
            AND length(one.shown) > 3 AND length(other.shown) > 3 AND one.shown <> other.shown
        THEN 'contradicted'
    END AS reason
FROM moves
LEFT JOIN ends ON moves.id = ends.id
LEFT JOIN answers AS one ON moves.source_key = one.key
LEFT JOIN answers AS other ON ends.key = other.key
"""

TO_JUDGE: Final = """
SELECT id, source, target, statuses, final_status, method, time FROM observed WHERE reason IS NULL
"""

VERDICTS: Final = """
CREATE TABLE verdicts (id BIGINT, reason VARCHAR, conventions VARCHAR[])
"""

# As `iri_canon.equivalence.pairs` keeps them: the newest word on a source counts. What says something of it: a pair
# of its own, a redirect of it that nothing explains, and that it is where another one ended, so that it answered.
PAIRS: Final = """
CREATE TABLE pairs AS
WITH
    judged AS (
        SELECT
            observed.id, observed.source_key, observed.final_key, observed.time, verdicts.reason, verdicts.conventions
        FROM observed JOIN verdicts ON observed.id = verdicts.id
    ),
    said AS (
        SELECT source_key AS source, id, time, final_key AS representative, conventions
        FROM judged WHERE reason IS NULL
        UNION ALL
        SELECT source_key, id, time, NULL, NULL FROM judged WHERE reason = 'unexplained'
        UNION ALL
        SELECT final_key, id, time, NULL, NULL FROM judged WHERE reason IS NULL
        UNION ALL
        SELECT source, 0, time, representative, conventions FROM stored
    ),
    last AS (
        SELECT
            source,
            arg_max(
                {'id': id, 'representative': representative, 'conventions': conventions}, {'time': time, 'id': id}
            ) AS word
        FROM said GROUP BY source
    )
SELECT source, word.representative AS representative, word.conventions AS conventions, word.id AS id
FROM last WHERE word.representative IS NOT NULL
"""
"""``id`` is that of the move; 0 where the store has the pair."""
