"""The figures of a run are questions to its tables; each has one answer, whatever the threads."""

from __future__ import annotations

from typing import Final

COUNTS: Final = """
WITH
    alone AS (
        SELECT count(*) AS classes, coalesce(sum(records), 0) AS records, count(*) FILTER (WHERE records > 0) AS met
        FROM spellings WHERE id NOT IN (SELECT id FROM members)
    ),
    together AS (
        SELECT
            count(*) AS classes, coalesce(sum(spellings), 0) AS spellings, coalesce(sum(records), 0) AS records,
            count(*) FILTER (WHERE records > 0) AS met
        FROM classes
    )
SELECT
    CAST(alone.records + together.records AS BIGINT) AS records,
    CAST(alone.classes + together.spellings AS BIGINT) AS spellings,
    alone.classes + together.classes AS classes,
    CAST(alone.records + together.records - alone.met - together.met AS BIGINT) AS duplicates,
    CAST(alone.classes + together.spellings AS BIGINT) AS simple,
    alone.classes + together.classes + (SELECT count(DISTINCT syntax) FROM used) AS syntax,
    (SELECT count(*) FROM keys) AS scheme,
    alone.classes + together.classes AS protocol
FROM alone CROSS JOIN together
"""
"""Of duplicates, a class that no record counts for has none."""

STEPS: Final = """
WITH taken AS (
    SELECT members.class, members.records, unnest(used.steps) AS code FROM used JOIN members ON used.id = members.id
)
SELECT
    steps.rung, steps.name AS step, steps.clause,
    count(DISTINCT taken.class) AS classes, count(*) AS spellings, CAST(sum(taken.records) AS BIGINT) AS records
FROM taken JOIN steps ON taken.code = steps.code
GROUP BY steps.rung, steps.name, steps.clause, steps.place
ORDER BY sum(taken.records) DESC, count(*) DESC, steps.place
"""

# Of a key that has an authority: it without userinfo, and as `iri_canon.learning.sections.section_of` has it for a path
# without anything unusual, the directory under the root. What begins with NUL is carried, and was not parsed.
GROUPED: Final = """
CREATE OR REPLACE TABLE grouped AS
WITH
    cut AS (SELECT id, string_split(split_part(key, '?', 1), '/') AS parts, records, spellings FROM keys),
    placed AS (
        SELECT
            id, parts[2] = '' AND ends_with(parts[1], ':') AND NOT starts_with(parts[1], chr(0)) AS has_host,
            parts, records, spellings
        FROM cut
    ),
    named AS (
        SELECT
            placed.id, joined.class, records, spellings,
            CASE WHEN NOT has_host THEN '' WHEN contains(parts[3], '@') THEN split_part(parts[3], '@', -1) ELSE parts[3]
            END AS host,
            CASE WHEN has_host AND parts[5] <> '' THEN lower(left(parts[4], 100)) ELSE '' END AS section
        FROM placed LEFT JOIN joined ON placed.id = joined.id
    )
SELECT
    coalesce(host, '') AS host, section, class, CAST(sum(records) AS BIGINT) AS records,
    CAST(sum(spellings) AS BIGINT) AS spellings, count(*) AS keys
FROM named GROUP BY coalesce(host, ''), section, class
"""
"""Keys by host and section; each class of several keys apart."""

_OF_GROUPS: Final = """
WITH counted AS (
    SELECT
        {columns}, CAST(sum(records) AS BIGINT) AS records, CAST(sum(spellings) AS BIGINT) AS spellings,
        CAST(coalesce(sum(keys) FILTER (WHERE class IS NULL), 0) AS BIGINT) + count(DISTINCT class) AS classes
    FROM grouped GROUP BY {columns}
)
SELECT {columns}, records, spellings, classes FROM counted
ORDER BY records - classes DESC, records DESC, {columns} LIMIT ?
"""
HOSTS: Final = _OF_GROUPS.format(columns="host")
SECTIONS: Final = _OF_GROUPS.format(columns="host, section")

HOURS: Final = """
WITH
    met AS (
        SELECT coalesce(members.class, spellings.id) AS class, records.hour, sum(records.records) AS records
        FROM records
        JOIN spellings ON records.url = spellings.url
        LEFT JOIN members ON spellings.id = members.id
        WHERE records.hour IS NOT NULL AND records.records > 0
        GROUP BY coalesce(members.class, spellings.id), records.hour
    ),
    begun AS (SELECT class, min(hour) AS hour FROM met GROUP BY class),
    new AS (SELECT hour, count(*) AS classes FROM begun GROUP BY hour)
SELECT met.hour, CAST(sum(met.records) AS BIGINT) AS records, coalesce(any_value(new.classes), 0) AS new
FROM met LEFT JOIN new ON met.hour = new.hour
GROUP BY met.hour ORDER BY met.hour
"""

MAKE_TOP: Final = """
CREATE OR REPLACE TABLE top AS
WITH
    several AS (
        SELECT class, representative AS id, rung, steps, records, spellings FROM classes
    ),
    one AS (
        SELECT id AS class, id, 0 AS rung, CAST([] AS VARCHAR[]) AS steps, records, 1 AS spellings
        FROM spellings WHERE records > 1 AND id NOT IN (SELECT id FROM members)
    )
SELECT * FROM (FROM several UNION ALL FROM one)
ORDER BY spellings > 1 DESC, records DESC, spellings DESC, class LIMIT {most}
"""
"""Those of several spellings first."""

TOP: Final = """
SELECT
    top.class, coalesce(spellings.key, spellings.url) AS key, spellings.url AS representative, top.rung,
    coalesce(top.steps, []) AS steps, top.records, top.spellings
FROM top JOIN spellings ON top.id = spellings.id
ORDER BY top.spellings > 1 DESC, top.records DESC, top.spellings DESC, top.class
"""

MAKE_SHOWN: Final = """
CREATE OR REPLACE TABLE top_spellings AS
WITH listed AS (
    SELECT top.class, coalesce(members.id, top.id) AS id
    FROM top LEFT JOIN members ON top.class = members.class
    QUALIFY row_number() OVER (PARTITION BY top.class ORDER BY members.id) <= {most}
)
SELECT listed.class, listed.id, spellings.url FROM listed JOIN spellings ON listed.id = spellings.id
"""

SHOWN: Final = "SELECT class, url FROM top_spellings ORDER BY class, id"

LAST_STEPS: Final = """
SELECT top_spellings.url, steps.name, steps.clause
FROM top_spellings
JOIN used ON top_spellings.id = used.id
JOIN steps ON list_contains(used.steps, steps.code)
WHERE steps.rung = 3
ORDER BY top_spellings.id, steps.place
"""
"""Of the protocol rung: what joined the key of a spelling with that of its class."""

# Redirects that several records tell are one; a target that is none has no key.
REDIRECTS: Final = """
WITH
    judged AS (
        SELECT
            observed.id,
            CASE
                WHEN pairs.id IS NOT NULL THEN NULL
                ELSE coalesce(observed.reason, verdicts.reason, 'superseded')
            END AS reason
        FROM observed
        LEFT JOIN verdicts ON observed.id = verdicts.id
        LEFT JOIN pairs ON observed.id = pairs.id
    )
SELECT reason, count(*) AS redirects FROM judged GROUP BY reason
UNION ALL
SELECT 'location', count(*) FROM hops WHERE target_key IS NULL HAVING count(*) > 0
ORDER BY reason NULLS FIRST
"""

REDIRECT_EXAMPLES: Final = """
WITH
    judged AS (
        SELECT
            observed.id, observed.source, coalesce(observed.target, observed.first_target) AS target,
            observed.statuses, pairs.id IS NOT NULL AS joined,
            coalesce(observed.reason, verdicts.reason, 'superseded') AS reason, pairs.conventions,
            row_number() OVER (
                PARTITION BY pairs.id IS NULL, coalesce(observed.reason, verdicts.reason) ORDER BY observed.id
            ) AS place
        FROM observed
        LEFT JOIN verdicts ON observed.id = verdicts.id
        LEFT JOIN pairs ON observed.id = pairs.id
    ),
    shown AS (SELECT * FROM judged ORDER BY place, id LIMIT ?)
SELECT source, target, statuses, joined, CASE WHEN joined THEN conventions ELSE [reason] END AS why
FROM shown ORDER BY joined DESC, id
"""
"""Some of each kind, those that joined first."""

DIGESTS: Final = """
SELECT
    count(DISTINCT coalesce(spellings.key, spellings.url)) AS pages,
    (SELECT count(DISTINCT source) FROM edges WHERE list_contains(steps, ?)) AS joined
FROM records JOIN spellings ON records.url = spellings.url
WHERE records.status = 200 AND records.digest IS NOT NULL
"""

PAIRS_USED: Final = """
SELECT count(*) FROM pairs JOIN keys ON pairs.source = keys.key WHERE pairs.id = 0
"""
