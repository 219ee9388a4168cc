"""A file is never shared, mixed, guessed at or deleted, and what a medium does wrong does not reach the crawl."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from iri_canon.equivalence import (
    Observation,
    Rule,
    RuleName,
    Seen,
    Stage,
    State,
    Suppressed,
    open_equivalences,
    open_seen,
    profile,
    sqlite_equivalences,
)
from iri_canon.equivalence.profile import Profile
from iri_canon.equivalence.sqlite_equivalences import SqliteEquivalences
from iri_canon.equivalence.sqlite_file import BATCH
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


def fill_seen(path: Path) -> None:
    store = SqliteSeen(path, PROFILE)
    for number in range(200):
        store.put(
            digest(number),
            State(number % 8 + 1),
            200,
            f"http://example.com/{number}" if number % 5 == 0 else None,
        )
    for number in range(0, 200, 7):
        url = f"http://example.com/{number}"
        rules = (RuleName("example.com", "trailing-slash", "docs"),)
        store.suppress(
            Suppressed(digest(number), f"{url}/", rules, digest(1), url, b"payload", Stage(number % 2), 1.0)
        )
        store.keep_content(url, b"record")
    store.hold([b"payload" * 40])
    store.close(clean=True)


def fill_equivalences(path: Path) -> None:
    store = SqliteEquivalences(path, PROFILE)
    for number in range(60):
        url = f"http://example.com/{number}"
        store.record(Observation(url, f"{url}/", (301,), 200))
        store.record(Observation(f"{url}/gone", "http://example.com/", (301,), 200))
        store.journal(url, f"{url}/", ("trailing-slash",), 0.0)
        store.keep_rule(Rule(RuleName(f"{number}.example.com", "trailing-slash", "docs")))
        store.keep_page(f"{url}/", url, 1.0, gave_items=True)
    store.close()


@pytest.fixture(params=["seen", "equivalences"])
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def opened(kind: str) -> Opener:
    return open_seen_file if kind == "seen" else open_pairs_file


@pytest.fixture
def filled(kind: str, tmp_path: Path) -> Path:
    path = tmp_path / kind
    (fill_seen if kind == "seen" else fill_equivalences)(path)
    return path


@pytest.fixture
def other_process(tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Start a process that runs statements and then waits until it is ended; return once it has run them."""
    started = []

    def start(statements: str) -> subprocess.Popen[str]:
        code = (
            "import sys\nfrom pathlib import Path\nfrom iri_canon.equivalence import *\n"
            f"{statements}\nprint('ready', flush=True)\nsys.stdin.read()\n"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


class TestOneProcess:
    def test_another_process_is_refused_until_this_one_closes(
        self, filled: Path, opened: Opener, kind: str, other_process: Callable[[str], subprocess.Popen[str]]
    ) -> None:
        call = f"open_seen(Path({str(filled)!r}), profile(['scrapy']))"
        if kind == "equivalences":
            call = f"open_equivalences('sqlite:{filled}', profile(['scrapy']))"
        other = other_process(f"store = {call}")
        for _ in range(2):
            with pytest.raises(StoreError, match="in use by another process") as refusal:
                opened(filled)
            assert str(filled) in str(refusal.value)
        other.kill()
        other.wait()
        give_back(opened(filled))

    def test_a_second_store_in_this_process_is_refused(self, filled: Path, opened: Opener) -> None:
        store = opened(filled)
        with pytest.raises(StoreError, match="in use"):
            opened(filled)
        give_back(store)
        give_back(opened(filled))

    def test_a_file_that_is_being_made_is_refused_too(self, tmp_path: Path, opened: Opener) -> None:
        store = opened(tmp_path / "new")
        with pytest.raises(StoreError, match="in use"):
            opened(tmp_path / "new")
        give_back(store)

    def test_after_a_kill_what_is_done_stays_and_claims_are_released(
        self, tmp_path: Path, other_process: Callable[[str], subprocess.Popen[str]]
    ) -> None:
        path = tmp_path / "seen"
        other = other_process(
            f"store = open_seen(Path({str(path)!r}), profile(['scrapy']))\n"
            "store.put(bytes(16), State.DONE, 200, 'http://h/A')\n"
            "for state in State: store.put(bytes([state]) * 16, state)\n"
            "store.flush()\n"
            "store.put(b'late' * 4, State.DONE, 200)"
        )
        other.kill()
        other.wait()
        store = SqliteSeen(path, PROFILE)
        assert store.get(bytes(16)) == Seen(State.DONE, 200)
        assert store.spelling(bytes(16)) == "http://h/A"
        for state in State:
            assert (store.get(bytes([state]) * 16) is not None) == (state is State.DONE)
        # The last batch is lost: its pages are fetched again.
        assert store.get(b"late" * 4) is None
        store.close(clean=True)

    def test_after_a_kill_pairs_that_were_written_are_there(
        self, tmp_path: Path, other_process: Callable[[str], subprocess.Popen[str]]
    ) -> None:
        path = tmp_path / "pairs"
        other = other_process(
            f"store = open_equivalences('sqlite:{path}', profile())\n"
            "store.record(Observation('http://h/a', 'http://h/a/', (301,), 200))\nstore.flush()"
        )
        other.kill()
        other.wait()
        store = open_equivalences(f"sqlite:{path}", PROFILE)
        assert store.representative("http://h/a") == "http://h/a/"
        store.close()


class TestFile:
    def test_it_is_private_and_alone(self, tmp_path: Path, opened: Opener) -> None:
        mask = os.umask(0)
        try:
            store = opened(tmp_path / "new")
            if isinstance(store, SqliteSeen):
                store.put(digest(1), State.DONE)
            else:
                store.journal("u", "r", (), 0.0)
            store.flush()
        finally:
            os.umask(mask)
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        assert modes == {"new": 0o600, "new-wal": 0o600}
        give_back(store)
        assert [path.name for path in tmp_path.iterdir()] == ["new"]

    def test_it_is_stamped(self, filled: Path) -> None:
        header = filled.read_bytes()[:100]
        assert header[68:72] == b"IRIC"
        assert int.from_bytes(header[60:64], "big") == 2

    def test_a_file_of_the_other_kind(self, tmp_path: Path) -> None:
        fill_seen(tmp_path / "seen")
        fill_equivalences(tmp_path / "pairs")
        with pytest.raises(StoreError, match="holds no equivalences"):
            SqliteEquivalences(tmp_path / "seen", PROFILE)
        # The stamps differ too, and the kind is what the user is told.
        with pytest.raises(StoreError, match="holds no states of requests"):
            SqliteSeen(tmp_path / "pairs", PROFILE)

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (
                {"conventions": '{"*":["www"]}'},
                r'conventions: \{"\*":\["www"\]\} here, .*encoded-delims.* there',
            ),
            ({"unicode": "1.1.0"}, r"unicode: 1\.1\.0 here, \d+\.\d+\.\d+ there"),
            ({"idna": "1.1.0"}, "idna: "),
            ({"canonicalization": "0"}, r"canonicalization: 0 here, \d+ there"),
            ({"headers": "Accept"}, "headers: Accept here, nothing there"),
        ],
    )
    def test_keys_of_other_rules(self, tmp_path: Path, change: dict[str, str], told: str) -> None:
        fill_seen(tmp_path / "seen")
        before = (tmp_path / "seen").read_bytes()
        other = Profile(tuple(sorted({**dict(PROFILE.parts), **change}.items())))
        with pytest.raises(StoreError, match=told) as refusal:
            SqliteSeen(tmp_path / "seen", other)
        assert str(tmp_path / "seen") in str(refusal.value)
        assert "start afresh" in str(refusal.value)
        assert (tmp_path / "seen").read_bytes() == before
        # What was refused is not locked.
        SqliteSeen(tmp_path / "seen", PROFILE).close(clean=True)

    def test_pairs_are_of_scheme_keys_so_assumed_conventions_do_not_matter_to_them(
        self, tmp_path: Path
    ) -> None:
        fill_equivalences(tmp_path / "pairs")
        SqliteEquivalences(tmp_path / "pairs", profile(["archive"], headers="Accept")).close()
        with pytest.raises(StoreError, match="unicode"):
            SqliteEquivalences(
                tmp_path / "pairs",
                Profile(tuple(sorted({**dict(PROFILE.parts), "unicode": "1.1.0"}.items()))),
            )

    @pytest.mark.parametrize("name", ["redis://127.0.0.1/0", "sqlite:", "sqlite", "", "memory", "mysql:x"])
    def test_other_media_are_not_in_this_version(self, name: str) -> None:
        with pytest.raises(StoreError, match="memory: or sqlite:PATH"):
            open_equivalences(name, PROFILE)

    def test_no_folder_a_folder_and_what_is_no_file(self, tmp_path: Path, opened: Opener) -> None:
        with pytest.raises(StoreError, match="No such file"):
            opened(tmp_path / "nowhere" / "store")
        with pytest.raises(StoreError, match="not a file"):
            opened(tmp_path)
        os.mkfifo(tmp_path / "fifo")
        with pytest.raises(StoreError, match="not a file"):
            opened(tmp_path / "fifo")
        (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
        with pytest.raises(StoreError):
            opened(tmp_path / "dangling")
        with pytest.raises(StoreError):
            opened(tmp_path / ("x" * 300))
        with pytest.raises(StoreError):
            opened(tmp_path / "a\0b")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "fifo"]


class TestDamage:
    def test_cut_off_anywhere(self, filled: Path, opened: Opener) -> None:
        whole = filled.read_bytes()
        assert len(whole) > 3 * 4096
        for length in sorted(
            {*range(0, len(whole), 251), *range(0, len(whole), 4096), 1, 15, 16, 99, 100, len(whole) - 1}
        ):
            filled.write_bytes(whole[:length])
            with pytest.raises(StoreError, match="damaged") as refusal:
                opened(filled)
            assert "move it away to start afresh" in str(refusal.value)
            assert filled.read_bytes() == whole[:length]
        filled.write_bytes(whole + b"\0")
        with pytest.raises(StoreError, match="damaged"):
            opened(filled)
        filled.write_bytes(whole)
        give_back(opened(filled))

    @pytest.mark.parametrize("filling", [0x00, 0xFF, 0x55])
    @pytest.mark.parametrize("step", [409, pytest.param(64, marks=pytest.mark.slow)])
    def test_overwritten_anywhere(self, filled: Path, opened: Opener, filling: int, step: int) -> None:
        """Either it is refused, or it works on: nothing else is raised, then or later."""
        whole = filled.read_bytes()
        refused = 0
        # The header is looked at closely; with the smaller step every octet is overwritten once.
        for start in sorted({*range(0, 128, 8), *range(0, len(whole), step)}):
            span = 16 if start < 128 else 64
            filled.write_bytes(whole[:start] + bytes([filling]) * span + whole[start + span :])
            try:
                store = opened(filled)
            except StoreError:
                refused += 1
            else:
                self.use(store)
            for leftover in (
                filled.with_name(f"{filled.name}-wal"),
                filled.with_name(f"{filled.name}-journal"),
            ):
                leftover.unlink(missing_ok=True)
        assert refused > 3

    def use(self, store: SqliteSeen | SqliteEquivalences) -> None:
        try:
            if isinstance(store, SqliteSeen):
                for number in range(300):
                    store.get(digest(number))
                    store.spelling(digest(number))
                    store.put(digest(number), State.DONE, 200, "http://h/")
                    store.resolve(digest(number))
                    store.keep_content(f"http://example.com/{number}", b"")
                self.report(store.suppressed, store.contents)
                store.held()
                store.close(clean=True)
            else:
                for number in range(80):
                    store.representative(f"http://example.com/{number}")
                    store.equivalence(f"http://example.com/{number}")
                    store.record(
                        Observation(
                            f"http://example.com/{number}/", f"http://example.com/{number}", (301,), 200
                        )
                    )
                    store.journal("http://h/", "http://h/", (), 0.0)
                    store.keep_page(f"http://example.com/{number}/", "http://example.com/", 2.0)
                    name = RuleName(f"{number}.example.com", "trailing-slash", "docs")
                    if not store.forget_rule(name):
                        store.keep_rule(store.rule(name) or Rule(name))
                self.report(store.equivalences, store.refused, store.journaled, store.rules, store.pages)
                store.close()
        except StoreError:
            pass  # That is what it is for.

    def report(self, *readings: Callable[[], Iterable[object]]) -> None:
        for reading in readings:
            with suppress(StoreError):  # A reader wants to know; the crawl goes on.
                list(reading())

    def test_the_log_beside_it_is_cut_off(self, tmp_path: Path) -> None:
        path = tmp_path / "seen"
        store = SqliteSeen(path, PROFILE)
        for number in range(50):
            store.put(digest(number), State.DONE, 200)
            store.flush()
        log = (tmp_path / "seen-wal").read_bytes()
        data = path.read_bytes()
        store.close(clean=True)
        counts = set()
        for length in range(0, len(log), 4001):
            path.write_bytes(data)
            (tmp_path / "seen-wal").write_bytes(log[:length])
            store = SqliteSeen(path, PROFILE)
            counts.add(len(store))
            assert all(store.get(digest(number)) == Seen(State.DONE, 200) for number in range(len(store)))
            store.close(clean=False)
        assert len(counts) > 10

    def test_rows_that_are_no_states(self, tmp_path: Path) -> None:
        for values in [(b"short", 5, 200), (digest(1), 99, 200), (digest(1), 5, "x"), ("text", 5, 200)]:
            path = tmp_path / "seen"
            fill_seen(path)
            with sqlite3.connect(path) as connection:
                connection.execute("INSERT INTO seen VALUES (?, ?, ?)", values)
            connection.close()
            with pytest.raises(StoreError, match="damaged"):
                SqliteSeen(path, PROFILE)
            path.unlink()

    @pytest.mark.parametrize("content", [b"hello", b"\x89PNG\r\n" * 100, b"SQLite", b"http://h/\n" * 1000])
    def test_what_is_no_database(self, tmp_path: Path, opened: Opener, content: bytes) -> None:
        (tmp_path / "notes").write_bytes(content)
        with pytest.raises(StoreError, match=r"name another file|damaged"):
            opened(tmp_path / "notes")
        assert (tmp_path / "notes").read_bytes() == content

    def test_the_database_of_another_application_is_not_touched(self, tmp_path: Path, opened: Opener) -> None:
        path = tmp_path / "places.sqlite"
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE seen (digest, state, status)")
        connection.commit()
        # It was killed: what it had not finished lies in its log, and is for it to finish.
        shutil.copytree(tmp_path, tmp_path / "copy")
        connection.close()
        before = {each.name: each.read_bytes() for each in (tmp_path / "copy").iterdir()}
        assert set(before) >= {"places.sqlite", "places.sqlite-wal"}
        with pytest.raises(StoreError, match="another application"):
            opened(tmp_path / "copy" / "places.sqlite")
        assert {each.name: each.read_bytes() for each in (tmp_path / "copy").iterdir()} == before

    def test_a_layout_of_another_version(self, filled: Path, opened: Opener) -> None:
        content = bytearray(filled.read_bytes())
        for layout in (0, 3):
            content[63] = layout
            filled.write_bytes(content)
            with pytest.raises(StoreError, match=f"layout {layout}, this version knows 2"):
                opened(filled)
            assert filled.read_bytes() == content


class TestFailingMedium:
    def test_a_full_medium_does_not_reach_the_crawl_and_loses_nothing(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert store._connection is not None
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 1}").fetchone()
        for number in range(4 * BATCH):
            store.put(digest(number), State.DONE, 200)
        assert [record.message.partition(";")[0] for record in caplog.records] == [
            f"{tmp_path / 'seen'}: no space left (database or disk is full)"
        ]
        assert store.get(digest(1)) == Seen(State.DONE, 200)
        with pytest.raises(StoreError, match="no space left"):
            store.flush()
        store._connection.execute("PRAGMA max_page_count = 100000").fetchone()
        store.flush()
        store.close(clean=False)
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert len(store) == 4 * BATCH
        store.close(clean=True)

    def test_a_full_medium_at_the_end_is_told_and_counts_as_an_unclean_stop(self, tmp_path: Path) -> None:
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert store._connection is not None
        store.put(b"done" * 4, State.DONE)
        store.flush()
        store._connection.execute("PRAGMA max_page_count = 1").fetchone()
        for number in range(BATCH):
            store.put(digest(number), State.CLAIMED)
        with pytest.raises(StoreError, match="no space left"):
            store.close(clean=True)
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert len(store) == 1
        store.close(clean=True)

    def test_pairs_on_a_full_medium(self, tmp_path: Path) -> None:
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        assert store._connection is not None
        store._connection.execute("PRAGMA max_page_count = 1").fetchone()
        for number in range(BATCH + 10):
            store.record(Observation(f"http://h/{number}", f"http://h/{number}/", (301,), 200))
            store.journal(f"http://h/{number}", f"http://h/{number}/", (), 0.0)
        assert store.representative("http://h/7") == "http://h/7/"
        with pytest.raises(StoreError, match="no space left"):
            store.close()

    @pytest.mark.skipif(sys.platform == "win32", reason="no limits on file sizes")
    def test_a_file_that_may_not_grow(self, tmp_path: Path) -> None:
        """The write itself fails, as where a quota ends."""
        code = f"""
import resource, signal
from pathlib import Path
from iri_canon.equivalence import *
from iri_canon.errors import StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = open_seen(Path({str(tmp_path / "seen")!r}), profile())
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, resource.RLIM_INFINITY))
for number in range(20_000):
    store.put(number.to_bytes(16, "big"), State.DONE, 200)
assert len(store) == 20_000
try:
    store.flush()
except StoreError as error:
    print("told", "seen" in str(error))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.close(clean=True)
print(len(open_seen(Path({str(tmp_path / "seen")!r}), profile())))
"""
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert done.stdout.split() == ["told", "True", "20000"]

    def test_a_folder_that_cannot_be_written(self, filled: Path, opened: Opener, tmp_path: Path) -> None:
        tmp_path.chmod(0o555)
        as_root = os.geteuid() == 0
        if as_root:
            # Root may write anywhere; the folder above must let the other user through.
            os.chown(filled, 65534, 65534)
            tmp_path.parent.chmod(0o755)
            tmp_path.parent.parent.chmod(0o755)
            os.seteuid(65534)
        try:
            with pytest.raises(StoreError, match=r"cannot be written|unable to open|Permission denied"):
                opened(filled)
            with pytest.raises(StoreError, match=os.strerror(errno.EACCES)):
                opened(tmp_path / "new")
        finally:
            if as_root:
                os.seteuid(0)
            tmp_path.chmod(0o755)

    def test_a_file_that_cannot_be_read_later_is_no_error_of_the_crawl(
        self, filled: Path, opened: Opener
    ) -> None:
        store = opened(filled)
        assert store._connection is not None
        store._connection.execute("DROP TABLE " + ("spellings" if isinstance(store, SqliteSeen) else "pairs"))
        if isinstance(store, SqliteSeen):
            assert store.spelling(digest(5)) is None
        else:
            assert store.representative("http://example.com/1") is None
        with pytest.raises(StoreError, match="no such table"):
            store.close(clean=True) if isinstance(store, SqliteSeen) else store.close()

    def test_pairs_of_earlier_crawls_are_found_and_other_keys_are_not_looked_up(self, tmp_path: Path) -> None:
        fill_equivalences(tmp_path / "pairs")
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        known = list(store.equivalences())
        assert known
        assert [store.representative(pair.source) for pair in known] == [
            pair.representative for pair in known
        ]
        asked: list[str] = []
        assert store._connection is not None
        store._connection.set_trace_callback(asked.append)
        assert [store.representative(f"http://example.org/{number}") for number in range(3)] == [None] * 3
        assert asked == []
        assert store.representative(known[0].source) == known[0].representative
        assert len(asked) > 0
        store.close()

    def test_many_pairs_are_found_and_few_other_keys_are_looked_up(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite_equivalences, "_FEWEST_PLACES", 16)
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        known = [f"http://example.com/{number}" for number in range(2_000)]
        for _ in range(3):  # seen again, a source takes no more room
            for url in known:
                store.record(Observation(url, f"{url}/", (301,), 200))
        assert len(store._sources) <= 64 * len(known)
        store.close()
        store = SqliteEquivalences(tmp_path / "pairs", PROFILE)
        assert all(store.representative(url) == f"{url}/" for url in known)
        asked: list[str] = []
        assert store._connection is not None
        store._connection.set_trace_callback(asked.append)
        others = [f"http://example.org/{number}" for number in range(1_000)]
        assert [store.representative(key) for key in others] == [None] * 1_000
        assert len(asked) < 500
        store.close()


class TestSize:
    def test_a_digest_costs_little_more_than_its_octets(self) -> None:
        count = 100_000
        tracemalloc.start()
        try:
            store = open_seen(None, PROFILE)
            for number in range(count):
                store.put(digest(number), State.CLAIMED)
                store.put(digest(number), State.DONE, 200)
            size, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert len(store) == count
        assert size / count < 60

    @pytest.mark.slow
    def test_a_million_digests(self, tmp_path: Path) -> None:
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        for number in range(1_000_000):
            store.put(digest(number), State.CLAIMED)
            store.put(digest(number), State.DONE, 200)
        store.close(clean=True)
        assert (tmp_path / "seen").stat().st_size < 40_000_000
        store = SqliteSeen(tmp_path / "seen", PROFILE)
        assert len(store) == 1_000_000
        store.close(clean=True)
