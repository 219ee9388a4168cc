"""What is done to all rows is said in SQL, in the order in which it is done; no text of a log is ever part of it.

Tables, in the order in which they come to be:

- ``records``: what is told apart of the records: one row for all that are alike, with how many they are and the first.
- ``spellings``: each URL as found; ``id`` is the number of its first record, ``key`` null where it is its own key.
- ``stored``: the pairs of a store that is asked besides.
- ``keys``: each SCHEME key; its ``id`` is that of its first spelling.
- ``joined``: keys that the protocol rung makes one class, and the class: the id of the first of them.
- ``members``: the spellings of classes that have more than one.
- ``used``: for a member that is not its class's representative, the rung on which the two are one, and the steps;
  ``syntax`` stands for its syntax key, null where the representative has the same one.
- ``classes``: the classes of more than one spelling.
"""

from __future__ import annotations

from typing import Final

RECORDS: Final = """
CREATE TABLE records (
    url VARCHAR, status INTEGER, location VARCHAR, digest VARCHAR, method VARCHAR, hour BIGINT,
    records BIGINT, first BIGINT, newest STRUCT(time DOUBLE, number BIGINT), extra VARCHAR
)
"""

# Redirects that led to a record, as it tells them; ``place`` is that among those of one record.
LED: Final = """
CREATE TABLE led (
    source VARCHAR, target VARCHAR, status INTEGER, method VARCHAR, place BIGINT,
    newest STRUCT(time DOUBLE, number BIGINT), first BIGINT
)
"""

READ_LED: Final = """
INSERT INTO led
SELECT
    source, target, status, method, max(place) AS place, max({'time': coalesce(time, 0), 'number': number}) AS newest,
    min(number) AS first
FROM given GROUP BY source, target, status, method
"""

# The time and the number of the newest record are one number while rows are grouped, which takes a third of the time of
# a struct: a double of a second or more is whole in units of 2^-52 s, and a run has fewer than 2^38 records.
READ: Final = """
INSERT INTO records
WITH grouped AS (
    SELECT {columns}, {counted} AS records, min(number) AS first, {newest} AS newest, {extra} AS extra
    FROM given GROUP BY {groups}
)
SELECT
    url, {status}, {location}, {digest}, {method}, {hour}, records, first,
    {{'time': {time}, 'number': CAST(newest % 274877906944 AS BIGINT)}}, extra
FROM grouped
"""
TIME: Final = "CAST(newest // 274877906944 AS DOUBLE) / 4503599627370496.0"
NEWEST: Final = "max(CAST(coalesce(time, 0) * 4503599627370496.0 AS HUGEINT) * 274877906944 + number)"
NO_TIME: Final = "CAST(0 AS DOUBLE)"
NEWEST_WITHOUT_TIME: Final = "max(number)"
COUNTED: Final = "count(*) FILTER (WHERE counts)"
ALL_COUNTED: Final = "count(*)"
EXTRA: Final = "arg_min(extra, number)"
FIRST_EXTRA: Final = "arg_min(extra, first)"
NO_EXTRA: Final = "CAST(NULL AS VARCHAR)"
HOUR: Final = "CAST(floor(time / 3600) AS BIGINT)"

SPELLINGS: Final = """
CREATE TABLE spellings (id BIGINT, url VARCHAR, key VARCHAR, records BIGINT, extra VARCHAR)
"""

FOUND: Final = """
SELECT min(first) AS id, url, CAST(sum(records) AS BIGINT) AS records, {extra} AS extra FROM records GROUP BY url
"""

STORED: Final = """
CREATE TABLE stored (source VARCHAR, representative VARCHAR, conventions VARCHAR[], time DOUBLE)
"""

# What only the redirects of a record mention is a spelling where it joined something, and counts for nothing.
MENTIONED: Final = """
INSERT INTO spellings
WITH mentioned AS (
    SELECT hops.source, any_value(hops.source_key) AS key, min(hops.first) AS first, min(hops.place) AS place
    FROM hops JOIN pairs ON hops.source_key = pairs.source
    WHERE pairs.id > 0 AND hops.source NOT IN (SELECT url FROM spellings)
    GROUP BY hops.source
),
behind AS (SELECT coalesce(max(id), 0) + 1 AS id FROM spellings)
SELECT
    behind.id + row_number() OVER (ORDER BY mentioned.first, mentioned.place, mentioned.source), mentioned.source,
    nullif(mentioned.key, mentioned.source), 0, NULL
FROM mentioned CROSS JOIN behind
"""

KEYS: Final = """
CREATE TABLE keys AS
SELECT min(id) AS id, coalesce(key, url) AS key, count(*) AS spellings, CAST(sum(records) AS BIGINT) AS records
FROM spellings GROUP BY coalesce(key, url)
"""

# The one of the least place stands for a class. Where conventions or equal contents made it, the shortest is most often
# the page itself, without sessions and names of files.
MEMBERS: Final = """
CREATE TABLE members AS
WITH shared AS (
    SELECT keys.id, keys.key, coalesce(joined.class, keys.id) AS class, coalesce(joined.is_target, FALSE) AS is_target
    FROM keys LEFT JOIN joined ON keys.id = joined.id
    WHERE keys.spellings > 1 OR joined.id IS NOT NULL
)
SELECT
    spellings.id, shared.id AS key, shared.class, spellings.records,
    CASE
        WHEN shared.is_target THEN 0 WHEN spellings.key IS NULL THEN length(spellings.url) ELSE 1000000000000
    END AS place
FROM spellings JOIN shared ON coalesce(spellings.key, spellings.url) = shared.key
"""

REPRESENTATIVES: Final = """
CREATE TABLE representatives AS
SELECT class, min({'place': place, 'id': id}).id AS id FROM members GROUP BY class
"""

PAIRED: Final = """
SELECT
    members.id, spellings.url, other.url AS other, coalesce(other.key, other.url) AS key, reached.steps AS evidence
FROM members
JOIN representatives ON members.class = representatives.class
JOIN spellings ON members.id = spellings.id
JOIN spellings AS other ON representatives.id = other.id
LEFT JOIN reached ON members.key = reached.id
WHERE members.id <> representatives.id
"""

USED: Final = """
CREATE TABLE used (id BIGINT, rung INTEGER, steps INTEGER[], syntax BLOB)
"""

STEPS: Final = """
CREATE TABLE steps (code INTEGER, rung INTEGER, name VARCHAR, clause VARCHAR, place INTEGER)
"""

# One table after another: a statement that joins and sums up all at once needs the memory for all at once.
CLASS_STEPS: Final = """
CREATE TABLE class_steps AS
WITH taken AS (
    SELECT DISTINCT members.class, unnest(used.steps) AS code FROM used JOIN members ON used.id = members.id
)
SELECT taken.class, list(steps.name ORDER BY steps.place) AS steps
FROM taken JOIN steps ON taken.code = steps.code
GROUP BY taken.class
"""

CLASS_SIZES: Final = """
CREATE TABLE class_sizes AS
SELECT
    members.class, count(*) AS spellings, CAST(sum(members.records) AS BIGINT) AS records,
    max(coalesce(used.rung, 0)) AS rung
FROM members LEFT JOIN used ON members.id = used.id
GROUP BY members.class
"""

CLASSES: Final = """
CREATE TABLE classes AS
SELECT
    class_sizes.class, representatives.id AS representative, class_sizes.spellings, class_sizes.records,
    class_sizes.rung, class_steps.steps
FROM class_sizes
JOIN representatives ON class_sizes.class = representatives.class
LEFT JOIN class_steps ON class_sizes.class = class_steps.class
"""

MEMBERS_IN_ORDER: Final = """
SELECT
    coalesce(members.class, spellings.id) AS class, spellings.url, coalesce(spellings.key, spellings.url) AS key,
    spellings.records, coalesce(classes.representative = spellings.id, TRUE) AS is_representative,
    coalesce(classes.rung, 0) AS rung, coalesce(classes.steps, []) AS steps, spellings.extra
FROM spellings
LEFT JOIN members ON spellings.id = members.id
LEFT JOIN classes ON members.class = classes.class
ORDER BY coalesce(members.class, spellings.id), spellings.id
"""

SEEDS_IN_ORDER: Final = """
SELECT spellings.url
FROM spellings
LEFT JOIN members ON spellings.id = members.id
LEFT JOIN classes ON members.class = classes.class
WHERE members.id IS NULL OR classes.representative = spellings.id
ORDER BY coalesce(members.class, spellings.id)
"""

PAIRS_IN_ORDER: Final = """
SELECT
    spellings.url, other.url AS representative, coalesce(other.key, other.url) AS key, used.rung,
    used.steps
FROM used
JOIN members ON used.id = members.id
JOIN classes ON members.class = classes.class
JOIN spellings ON members.id = spellings.id
JOIN spellings AS other ON classes.representative = other.id
ORDER BY members.class, members.id
"""


def read(told: frozenset[str], *, hours: bool, extra: bool) -> str:
    """The statement that reads records of which all but ``url`` and what is ``told`` is null.

    ``counts`` is told where some records do not count.

    >>> "status" in read(frozenset({"status"}), hours=False, extra=False).partition("GROUP BY")[2]
    True
    """
    groups: dict[str, str] = {
        name: name for name in ("url", "status", "location", "digest", "method") if name in told | {"url"}
    }
    if hours and "time" in told:
        groups["hour"] = HOUR
    return READ.format(
        columns=", ".join(f"{what} AS {name}" for name, what in groups.items()),
        groups=", ".join(groups.values()),
        counted=COUNTED if "counts" in told else ALL_COUNTED,
        newest=NEWEST if "time" in told else NEWEST_WITHOUT_TIME,
        time=TIME if "time" in told else NO_TIME,
        extra=EXTRA if extra else NO_EXTRA,
        **{
            name: name if name in groups else "NULL"
            for name in ("status", "location", "digest", "method", "hour")
        },
    )
