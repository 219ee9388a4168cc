"""A crash leaves what was skipped beside the page that linked it, a damaged row is refused, an old file is taken on."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from time import time

import pytest

from iri_canon.equivalence import (
    Equivalence,
    KnownPage,
    Observation,
    Rule,
    RuleName,
    Seen,
    Stage,
    State,
    Suppressed,
    profile,
)
from iri_canon.equivalence.sqlite_equivalences import SqliteEquivalences
from iri_canon.equivalence.sqlite_file import BATCH
from iri_canon.equivalence.sqlite_medium import APPLICATION_ID, LAYOUT
from iri_canon.equivalence.sqlite_seen import SqliteSeen
from iri_canon.errors import StoreError
from tests.equivalence.conftest import (
    ROOT,
    Opener,
    digest,
    give_back,
    open_pairs_file,
    open_seen_file,
)
from tests.equivalence.media import PROFILE

SLASH = RuleName("example.com", "trailing-slash", "docs")
PAGES = 1100


def entry(number: int, stage: Stage = Stage.SKIPPED) -> Suppressed:
    url = f"http://example.com/docs/{number}"
    return Suppressed(digest(number), f"{url}/", (SLASH,), digest(0), url, b"payload", stage, float(number))


def layout_of(path: Path) -> int:
    return int.from_bytes(path.read_bytes()[60:64], "big")


def killed(statements: str, path: Path) -> None:
    """Run statements with a store in a process that then ends as one that is killed: nothing is given back."""
    code = f"""
import json
import os
from pathlib import Path
from iri_canon.equivalence import *
from tests.equivalence.test_sqlite_learned import *
path = Path({str(path)!r})
{statements}
os._exit(9)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60
    )
    assert done.returncode == 9


class TestKilled:
    def test_where_a_page_is_done_what_it_linked_is_known_to_be_skipped(self, tmp_path: Path) -> None:
        """Page n links the covered request n + PAGES; both go to the file in batches, and the last one is lost."""
        killed(
            "store = SqliteSeen(path, PROFILE)\n"
            "for number in range(PAGES):\n"
            "    store.put(digest(number), State.CLAIMED)\n"
            "    store.suppress(entry(number + PAGES))\n"
            "    store.put(digest(number + PAGES), State.COVERED)\n"
            "    store.keep_content(f'http://h/{number}', b'record')\n"
            "    store.put(digest(number), State.DONE, 200)\n",
            tmp_path / "seen",
        )
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert store.was_cut_off
        done = [number for number in range(PAGES) if store.get(digest(number)) is not None]
        skipped = [number for number in range(PAGES) if store.get(digest(number + PAGES)) is not None]
        assert all(store.get(digest(number)) == Seen(State.DONE, 200) for number in done)
        assert all(store.get(digest(number + PAGES)) == Seen(State.COVERED) for number in skipped)
        assert list(store.suppressed()) == [entry(number + PAGES) for number in skipped]
        assert set(done) <= set(skipped)
        assert {f"http://h/{number}" for number in done} <= {key for key, _ in store.contents()}
        assert 0 < len(done) < PAGES  # Something was written, and something was lost.
        store.close(clean=True)

    @pytest.mark.parametrize(
        ("last", "state", "stage"),
        [
            ("", State.COVERED, Stage.SKIPPED),
            ("store.put(digest(1), State.CLAIMED)", State.COVERED, Stage.SKIPPED),
            ("store.forget(digest(1)); store.suppress(entry(1, Stage.SENT))", None, Stage.SENT),
            ("store.suppress(entry(1, Stage.SENT)); store.put(digest(1), State.CLAIMED)", None, Stage.SENT),
            ("store.put(digest(1), State.DONE, 200); store.resolve(digest(1))", State.DONE, None),
            ("store.put(digest(1), State.DONE, 200)", State.DONE, Stage.SKIPPED),
            ("store.resolve(digest(1))", None, None),
        ],
    )
    def test_an_audit_that_is_cut_off(
        self, tmp_path: Path, last: str, state: State | None, stage: Stage | None
    ) -> None:
        killed(
            "store = SqliteSeen(path, PROFILE)\n"
            "store.suppress(entry(1)); store.put(digest(1), State.COVERED); store.flush()\n"
            f"{last}\nstore.flush()",
            tmp_path / "seen",
        )
        for _ in range(2):  # The second run is killed too, as far as the file can tell.
            store = SqliteSeen(tmp_path / "seen", PROFILE)
            known = store.get(digest(1))
            assert (known and known.state) == state
            assert [each.stage for each in store.suppressed()] == ([] if stage is None else [stage])
            store.close(clean=False)

    def test_what_was_not_written_is_as_before(self, tmp_path: Path) -> None:
        killed(
            "store = SqliteSeen(path, PROFILE)\n"
            "store.suppress(entry(1)); store.put(digest(1), State.COVERED); store.flush()\n"
            "store.suppress(entry(1, Stage.SENT)); store.suppress(entry(2)); store.put(digest(2), State.COVERED)",
            tmp_path / "seen",
        )
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert list(store.suppressed()) == [entry(1)]
        assert store.get(digest(1)) == Seen(State.COVERED)
        assert store.get(digest(2)) is None
        store.close(clean=True)

    def test_rules_and_pages_that_were_written_are_there(self, tmp_path: Path) -> None:
        killed(
            "store = SqliteEquivalences(path, PROFILE)\n"
            "store.keep_rule(Rule(SLASH)); store.keep_page('http://h/a', 'http://h/b', 1.0); store.flush()\n"
            "store.keep_rule(Rule(SLASH._replace(section='late'))); store.forget_pages(['http://h/b'])",
            tmp_path / "pairs",
        )
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        assert list(store.rules()) == [Rule(SLASH)]
        assert list(store.pages()) == [KnownPage("http://h/a", "http://h/b", 1.0, False)]
        store.close()


def spoil(path: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement, values)
    connection.close()


class TestDamagedRows:
    @pytest.mark.parametrize(
        ("column", "value"),
        [
            ("digest", b"short"),
            ("digest", "text"),
            ("url", "text"),
            ("rules", "[]"),
            ("rules", b"no JSON"),
            ("rules", b"7"),
            ("rules", b'[["example.com", "https"]]'),
            ("rules", b'[["example.com", "https", 7]]'),
            ("rules", b"[" * 100_000),
            ("witness", b"short"),
            ("witness_url", 7),
            ("payload", "text"),
            ("stage", 2),
            ("stage", "text"),
            ("time", "text"),
        ],
    )
    def test_a_skipped_request_is_refused_on_opening(
        self, tmp_path: Path, column: str, value: object
    ) -> None:
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        store.suppress(entry(1))
        store.close(clean=True)
        SqliteSeen(tmp_path / "seen", PROFILE).close(clean=True)
        spoil(tmp_path / "seen", f"UPDATE suppressed SET {column} = ?", value)
        with pytest.raises(StoreError, match="damaged"):
            SqliteSeen(tmp_path / "seen", PROFILE)

    @pytest.mark.parametrize("values", [("text", b""), (b"http://h/", "text"), (b"http://h/", 7)])
    def test_a_content_is_refused_on_opening(self, tmp_path: Path, values: tuple[object, object]) -> None:
        SqliteSeen(tmp_path / "seen", PROFILE).close(clean=True)
        spoil(tmp_path / "seen", "INSERT INTO contents VALUES (?, ?)", *values)
        with pytest.raises(StoreError, match="damaged"):
            SqliteSeen(tmp_path / "seen", PROFILE)

    def test_when_the_crawl_began_is_no_text(self, tmp_path: Path) -> None:
        SqliteSeen(tmp_path / "seen", PROFILE).close(clean=True)
        spoil(tmp_path / "seen", "UPDATE meta SET value = 'long ago' WHERE name = 'began'")
        with pytest.raises(StoreError, match="damaged"):
            SqliteSeen(tmp_path / "seen", PROFILE)

    def test_the_log_of_states_knows_nothing_of_what_is_covered(self, tmp_path: Path) -> None:
        SqliteSeen(tmp_path / "seen", PROFILE).close(clean=True)
        spoil(tmp_path / "seen", "INSERT INTO seen VALUES (?, ?, 0)", digest(1), State.COVERED)
        with pytest.raises(StoreError, match="damaged"):
            SqliteSeen(tmp_path / "seen", PROFILE)

    @pytest.mark.parametrize(
        "kept",
        [
            b"no JSON",
            b"[]",
            b"{}",
            b'{"host": 7}',
            b"[" * 100_000,
            "text",
            Rule(SLASH).as_json() | {"state": "settled"},
            Rule(SLASH).as_json() | {"since": 10**400},
            Rule(SLASH).as_json() | {"section": "other"},
        ],
    )
    def test_a_rule_is_told_where_it_is_asked_for(
        self, tmp_path: Path, kept: object, caplog: pytest.LogCaptureFixture
    ) -> None:
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        good = SLASH._replace(host="a.example")
        for name in (SLASH, good):
            store.keep_rule(Rule(name))
        store.close()
        spoiled = json.dumps(kept).encode() if isinstance(kept, dict) else kept
        spoil(
            tmp_path / "pairs", "UPDATE rules SET rule = ? WHERE host = CAST('example.com' AS BLOB)", spoiled
        )
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        assert store.rule(good) == Rule(good)
        assert caplog.records == []
        assert store.rule(SLASH) is None
        assert store.rule(SLASH) is None
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert "damaged" in caplog.text
        with pytest.raises(StoreError, match="damaged"):
            list(store.rules())
        assert list(store.rules("a.example")) == [Rule(good)]
        store.keep_rule(Rule(SLASH))
        store.flush()
        assert list(store.rules()) == [Rule(good), Rule(SLASH)]
        store.close()

    @pytest.mark.parametrize(
        ("column", "value"), [("page", "text"), ("time", "text"), ("gave_items", b""), ("covered", b"")]
    )
    def test_a_page_is_told_where_it_is_asked_for(
        self, tmp_path: Path, column: str, value: object, caplog: pytest.LogCaptureFixture
    ) -> None:
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        store.keep_page("http://h/a", "http://h/a", 1.0)
        store.close()
        spoil(tmp_path / "pairs", f"UPDATE pages SET {column} = ?", value)
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        assert store.page("http://h/b") is None
        assert caplog.records == []
        assert store.page("http://h/a") is None
        assert "damaged" in caplog.text
        with pytest.raises(StoreError, match="damaged"):
            list(store.pages())
        store.keep_page("http://h/a", "http://h/a", 2.0)
        store.flush()
        assert list(store.pages()) == [KnownPage("http://h/a", "http://h/a", 2.0, False)]
        store.close()


class TestFullMedium:
    def test_nothing_reaches_the_crawl_and_nothing_is_lost(self, tmp_path: Path) -> None:
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert store._connection is not None
        store._connection.execute("PRAGMA max_page_count = 1").fetchone()
        entries = [entry(number) for number in range(BATCH + 1)]
        for each in entries:
            store.suppress(each)
            store.keep_content(each.url, b"record")
        assert list(store.suppressed()) == entries
        assert len(list(store.contents())) == len(entries)
        with pytest.raises(StoreError, match="no space left"):
            store.flush()
        store._connection.execute("PRAGMA max_page_count = 100000").fetchone()
        store.close(clean=True)
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert list(store.suppressed()) == entries
        store.close(clean=True)

    def test_rules_and_pages(self, tmp_path: Path) -> None:
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        assert store._connection is not None
        store._connection.execute("PRAGMA max_page_count = 1").fetchone()
        for number in range(BATCH):
            store.keep_rule(Rule(SLASH._replace(host=str(number))))
            store.keep_page(f"http://h/{number}", "http://h/", 1.0)
        assert len(list(store.rules())) == len(list(store.pages())) == BATCH
        with pytest.raises(StoreError, match="no space left"):
            store.close()


OF_ALL_FILES = """
    CREATE TABLE profile (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
"""
OBSERVATION_1 = """
    asked BLOB NOT NULL, ended_at BLOB NOT NULL, statuses TEXT NOT NULL, final_status INTEGER NOT NULL,
    method TEXT NOT NULL, single_location INTEGER NOT NULL, digest BLOB, time REAL NOT NULL
"""
SEEN_1 = f"""
    {OF_ALL_FILES}
    CREATE TABLE seen (digest BLOB NOT NULL, state INTEGER NOT NULL, status INTEGER NOT NULL);
    CREATE TABLE spellings (digest BLOB PRIMARY KEY, spelling BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE held (payload BLOB NOT NULL);
    INSERT INTO meta VALUES ('kind', 'states of requests'), ('clean', 1);
    INSERT INTO seen VALUES (x'01010101010101010101010101010101', 5, 200);
    INSERT INTO seen VALUES (x'02020202020202020202020202020202', 1, 0);
    INSERT INTO spellings VALUES (x'01010101010101010101010101010101', CAST('http://H/' AS BLOB));
    INSERT INTO held VALUES (x'00ff');
"""
PAIRS_1 = f"""
    {OF_ALL_FILES}
    CREATE TABLE pairs (
        source TEXT PRIMARY KEY, representative TEXT NOT NULL, conventions TEXT NOT NULL, {OBSERVATION_1}
    ) WITHOUT ROWID;
    CREATE TABLE refusals (
        reason TEXT NOT NULL, times INTEGER NOT NULL, {OBSERVATION_1}, PRIMARY KEY (reason, asked, ended_at)
    ) WITHOUT ROWID;
    CREATE TABLE journal (
        url BLOB NOT NULL, representative BLOB NOT NULL, because TEXT NOT NULL, time REAL NOT NULL
    );
    INSERT INTO meta VALUES ('kind', 'equivalences'), ('clean', 1);
    INSERT INTO pairs VALUES (
        'http://h/a', 'http://h/a/', 'trailing-slash', CAST('http://h/a' AS BLOB), CAST('http://h/a/' AS BLOB),
        '301', 200, 'GET', 1, NULL, 7.0
    );
"""
OF_SCHEME_KEYS = profile().of_scheme_keys()


def write_layout_1(path: Path, statements: str) -> None:
    """A file as layout 1 wrote it."""
    stamps = PROFILE if "spellings" in statements else OF_SCHEME_KEYS
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1; BEGIN; {statements}; COMMIT"
    )
    connection.executemany("INSERT INTO profile VALUES (?, ?)", stamps.parts)
    connection.execute("PRAGMA journal_mode = WAL").fetchone()
    connection.close()
    assert layout_of(path) == 1


BOTH = pytest.mark.parametrize(
    ("statements", "opened"), [(SEEN_1, open_seen_file), (PAIRS_1, open_pairs_file)], ids=["seen", "pairs"]
)


class TestOldLayout:
    def test_states_of_layout_1_are_taken_on(self, tmp_path: Path) -> None:
        path = tmp_path / "seen"
        write_layout_1(path, SEEN_1)
        before = time()
        store = SqliteSeen(path, PROFILE)
        assert before <= store.began <= time()
        assert not store.was_cut_off
        assert store.get(b"\1" * 16) == Seen(State.DONE, 200)
        assert store.spelling(b"\1" * 16) == "http://H/"
        assert store.get(b"\2" * 16) == Seen(State.CLAIMED)
        assert store.held() == [b"\0\xff"]
        assert list(store.suppressed()) == []
        store.suppress(entry(1))
        store.close(clean=True)
        assert layout_of(path) == LAYOUT == 2
        store = SqliteSeen(path, PROFILE)
        assert list(store.suppressed()) == [entry(1)]
        store.close(clean=True)

    def test_pairs_of_layout_1_are_taken_on(self, tmp_path: Path) -> None:
        path = tmp_path / "pairs"
        write_layout_1(path, PAIRS_1)
        observation = Observation("http://h/a", "http://h/a/", (301,), 200, time=7.0)
        store = SqliteEquivalences(path, PROFILE)
        pair = Equivalence("http://h/a", "http://h/a/", ("trailing-slash",), observation)
        assert list(store.equivalences()) == [pair]
        store.keep_rule(Rule(SLASH))
        store.keep_page("http://h/a", "http://h/a/", 1.0)
        store.close()
        assert layout_of(path) == LAYOUT
        store = SqliteEquivalences(path, PROFILE)
        assert list(store.equivalences()) == [pair]
        assert store.rule(SLASH) == Rule(SLASH)
        assert len(list(store.pages())) == 1
        store.close()

    @BOTH
    def test_tables_are_those_of_a_new_file(self, tmp_path: Path, statements: str, opened: Opener) -> None:
        write_layout_1(tmp_path / "old", statements)
        tables = []
        for name in ("old", "new"):
            give_back(opened(tmp_path / name))
            connection = sqlite3.connect(tmp_path / name)
            schema = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
            tables.append([(name, sql and "".join(sql.split())) for name, sql in schema])
            connection.close()
        assert tables[0] == tables[1]
        assert len(tables[0]) > 7

    @BOTH
    def test_after_a_kill_in_its_first_run_it_is_of_the_new_layout(
        self, tmp_path: Path, statements: str, opened: Opener
    ) -> None:
        write_layout_1(tmp_path / "old", statements)
        kind = "SqliteSeen" if statements is SEEN_1 else "SqliteEquivalences"
        killed(f"store = {kind}(path, PROFILE)", tmp_path / "old")
        # The new tables are in the log beside it; the header still says what it was.
        assert layout_of(tmp_path / "old") == 1
        store = opened(tmp_path / "old")
        assert store.was_cut_off
        give_back(store)
        assert layout_of(tmp_path / "old") == LAYOUT

    @BOTH
    def test_all_or_nothing(self, tmp_path: Path, statements: str, opened: Opener) -> None:
        """The last table is there already, so it cannot be added, and those before it are not added either."""
        write_layout_1(tmp_path / "old", statements)
        last = "contents" if statements is SEEN_1 else "pages"
        spoil(tmp_path / "old", f"CREATE TABLE {last} (a)")
        before = (tmp_path / "old").read_bytes()
        with pytest.raises(StoreError, match=f"table {last} already exists"):
            opened(tmp_path / "old")
        assert (tmp_path / "old").read_bytes() == before

    @BOTH
    def test_what_is_refused_stays_as_it_was(self, tmp_path: Path, statements: str, opened: Opener) -> None:
        write_layout_1(tmp_path / "old", statements)
        spoil(tmp_path / "old", "UPDATE profile SET value = '1.1.0' WHERE name = 'unicode'")
        before = (tmp_path / "old").read_bytes()
        with pytest.raises(StoreError, match="unicode"):
            opened(tmp_path / "old")
        assert (tmp_path / "old").read_bytes() == before

    @BOTH
    def test_a_newer_layout_is_refused_where_only_the_log_tells(
        self, tmp_path: Path, statements: str, opened: Opener
    ) -> None:
        write_layout_1(tmp_path / "store", statements)
        connection = sqlite3.connect(tmp_path / "store", isolation_level=None)
        connection.execute("PRAGMA user_version = 3")
        shutil.copytree(tmp_path, tmp_path / "copy")  # As a kill leaves it.
        connection.close()
        assert layout_of(tmp_path / "copy" / "store") == 1
        with pytest.raises(StoreError, match="layout 3, this version knows 2"):
            opened(tmp_path / "copy" / "store")
