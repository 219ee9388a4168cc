"""How the command dedup ends: interrupted, on a full disk, at a reader that goes away; and what a terminal sees."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import typer
from test_cli import process, run
from test_cli_dedup import ENVIRONMENT, MOVED, SPELLINGS, feed, names, write

from iri_canon.cli.stopping import Stopping

COMMAND = [sys.executable, "-m", "iri_canon", "dedup"]


def started(log: str, folder: Path) -> subprocess.Popen[bytes]:
    """A run that waits for standard input, with all its outputs begun."""
    running = subprocess.Popen(
        [*COMMAND, log, "-", "-o", str(folder / "out.jsonl"), "--urls", str(folder / "urls")],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    end = time.monotonic() + 60
    while len(names(folder)) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)
    return running


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_run_that_is_stopped_leaves_nothing(tmp_path: Path, number: signal.Signals, status: int) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    running = started(write(tmp_path, SPELLINGS), folder)
    assert len(names(folder)) == 2  # the outputs under other names, so that this test shows something
    running.send_signal(number)
    _, told = running.communicate(timeout=60)
    assert running.returncode == status
    assert told.splitlines()[-1] == b"iri-canon: interrupted"
    assert names(folder) == []


def test_a_run_that_goes_on_writes_all(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    running = started(write(tmp_path, SPELLINGS), folder)
    running.communicate(MOVED, timeout=60)
    assert (running.returncode, names(folder)) == (0, ["out.jsonl", "urls"])


def fail_by_itself() -> None:
    raise RuntimeError("no interruption")


def fail_for_an_interruption() -> None:
    try:
        signal.raise_signal(signal.SIGTERM)
    except KeyboardInterrupt:
        signal.raise_signal(signal.SIGINT)  # a second one does not end the clean-up
        raise RuntimeError("an error of a library") from None


def swallow_an_interruption() -> None:
    with suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def stopped(what: Callable[[], None]) -> None:
    with Stopping() as stopping:
        what()
        stopping.check()


def test_whatever_a_library_makes_of_an_interruption_it_is_one() -> None:
    before = signal.getsignal(signal.SIGTERM)
    for what, status in ((fail_for_an_interruption, 143), (swallow_an_interruption, 130)):
        with pytest.raises(typer.Exit) as left:
            stopped(what)
        assert left.value.exit_code == status
        assert signal.getsignal(signal.SIGTERM) is before
    with pytest.raises(RuntimeError):
        stopped(fail_by_itself)


def test_what_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Stopping() as stopping:
            signal.raise_signal(signal.SIGHUP)
            stopping.check()
    finally:
        signal.signal(signal.SIGHUP, before)


def small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet", "out.jsonl.gz"])
def test_a_disk_that_is_full_leaves_nothing(tmp_path: Path, name: str) -> None:
    many = feed(*({"url": f"http://h.example/{os.urandom(20).hex()}"} for _ in range(500)))
    log, folder = write(tmp_path, many), tmp_path / "out"
    folder.mkdir()
    command = [*COMMAND, log, "-o", str(folder / name), "--stats", str(folder / "stats")]
    found = subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, text=True, preexec_fn=small_files, check=False
    )
    assert found.returncode == 1
    assert found.stderr.splitlines()[-1] == f"iri-canon: {folder / name}: File too large"
    assert names(folder) == []
    assert subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False).returncode == 0
    assert names(folder) == sorted([name, "stats"])


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a system without /proc, where nobody may write")
def test_a_folder_that_nobody_may_write_to_is_told_first(tmp_path: Path) -> None:
    log, other = write(tmp_path, SPELLINGS), tmp_path / "urls"
    found = run("dedup", log, "--urls", str(other), "-o", "/proc/out.jsonl")
    assert found.exit_code == 1
    assert found.stderr.startswith("iri-canon: /proc/out.jsonl: ")
    assert len(found.stderr.splitlines()) == 1
    assert names(tmp_path) == ["log.jsonl"]


def test_a_reader_that_goes_away_ends_it(tmp_path: Path) -> None:
    many = feed(*({"url": f"http://h.example/{number}"} for number in range(20000)))
    command = f"{' '.join(COMMAND)} {write(tmp_path, many)} --urls - --quiet | head -n 1"
    found = subprocess.run(command, shell=True, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("http://h.example/0\n", "")


def on_a_terminal(*arguments: str, columns: int = 120) -> str:
    """What a run shows on a terminal, both streams of it."""
    pty = pytest.importorskip("pty", reason="a system without terminals of this kind")
    child, terminal = pty.fork()
    if child == 0:
        settings = {"COLUMNS": str(columns), "TERM": "xterm-256color", "NO_COLOR": "1"}
        os.execvpe(sys.executable, [*COMMAND, *arguments], ENVIRONMENT | settings)
    shown = bytearray()
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # what Linux says at the end
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    os.waitpid(child, 0)
    return shown.decode()


def test_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS * 200_000)  # some seconds of reading: a bar is drawn ten times in one
    shown = on_a_terminal(log)
    assert "reading " in shown
    assert "MB/s" in shown
    assert "records" in shown.partition("MB/s")[2]
    assert "comparing" in shown
    assert f"{log}: 1000000 records, 0 bad, 0 without URL" in shown.replace("\r\n", "")
    small = write(tmp_path, SPELLINGS * 10_000, "small.jsonl")
    quiet = on_a_terminal("--quiet", small)
    assert quiet == ""
    piped = process("dedup", small)
    assert b"\x1b" not in piped.stdout + piped.stderr
    assert b"reading " not in piped.stderr


def test_a_terminal_obeys_nothing_of_a_log(tmp_path: Path) -> None:
    hostile = "http://h.example/\x1b]0;owned\x07\u202e"
    log = write(tmp_path, feed({"url": hostile}), "\x1b]0;owned\x07.jsonl")
    for output in ("-o", "--urls", "--pairs", "--stats"):
        shown = on_a_terminal(log, output, "-")
        assert "\x1b]0" not in shown
        assert "\u202e" not in shown
    assert "\\x1b]0;owned\\x07\\u202e" in on_a_terminal(log, "--urls", "-", "--quiet")


class Swallowing:
    """Is interrupted where nothing can be raised."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def lose_an_interruption_and_be_heard_then() -> None:
    Swallowing()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)  # the last one was heard, so that this is of the clean-up


def test_an_interruption_that_is_lost_is_not_the_last(capfd: pytest.CaptureFixture[str]) -> None:
    hook = sys.unraisablehook
    with pytest.raises(typer.Exit):
        stopped(lose_an_interruption_and_be_heard_then)
    assert "Exception ignored" not in capfd.readouterr().err
    assert sys.unraisablehook is hook


def finished(before: Callable[[], None], behind: Callable[[], None]) -> None:
    with Stopping() as stopping:
        before()
        stopping.finish()
        behind()


def test_nothing_stops_the_last_step() -> None:
    finished(lambda: None, lambda: signal.raise_signal(signal.SIGTERM))
    with pytest.raises(typer.Exit):
        finished(swallow_an_interruption, lambda: None)


def test_a_pipe_with_a_name_is_read(tmp_path: Path) -> None:
    log = write(tmp_path, SPELLINGS + MOVED)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [*COMMAND, str(pipe), "--urls", "-"], env=ENVIRONMENT, stdout=subprocess.PIPE
    ) as running:
        pipe.write_bytes(Path(log).read_bytes())
        told, _ = running.communicate(timeout=60)
    assert running.returncode == 0
    assert told == process("dedup", log, "--urls", "-").stdout
    assert len(told.splitlines()) == 3
