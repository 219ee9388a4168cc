"""The command dedup refuses what cannot be meant in one way: status 2, nothing written, nothing a terminal obeys."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_cli import run
from test_cli_dedup import ENVIRONMENT, SPELLINGS, names, write

ESCAPE = "\x1b[31m"


@pytest.mark.parametrize(
    "options",
    [
        ("-o", f"{ESCAPE}.txt"),
        ("-o", f"{ESCAPE}/out.jsonl"),
        ("--urls", f"{ESCAPE}/urls"),
        ("--spill", f"{ESCAPE}spill"),
        ("--memory", f"{ESCAPE}1GB"),
        ("--against", f"{ESCAPE}.json"),
        ("--convention", ESCAPE),
        ("--store", ESCAPE),
        ("--format", ESCAPE),
        ("--site", ESCAPE),
        ("--threads", ESCAPE),
    ],
)
def test_what_is_refused_is_shown_and_not_obeyed(tmp_path: Path, options: tuple[str, str]) -> None:
    found = run("dedup", write(tmp_path, SPELLINGS), *options)
    assert found.exit_code == (1 if options[0] == "--store" else 2)
    assert ESCAPE not in found.output
    assert "x1b" in found.output or "31m" not in found.output
    assert names(tmp_path) == ["log.jsonl"]


def test_other_commands_show_it_alike() -> None:
    for command in (("lint", "--rules", ESCAPE), ("key", "--convention", ESCAPE, "http://h/")):
        found = run(*command)
        assert found.exit_code == 2
        assert ESCAPE not in found.output


@pytest.mark.parametrize("memory", ["-1", "-1GB", "none", "null", "", " ", "much", "1GB\udcff", "1\u00a0GB"])
def test_memory_has_a_bound(tmp_path: Path, memory: str) -> None:
    assert run("dedup", write(tmp_path, SPELLINGS), "--memory", memory).exit_code == 2


def test_sizes_are_as_the_engine_reads_them(tmp_path: Path) -> None:
    for memory in ("1GB", "0.5 GB", "512MiB", " 1gb"):
        assert run("dedup", write(tmp_path, SPELLINGS), "--memory", memory).exit_code == 0


def test_threads_have_a_bound(tmp_path: Path) -> None:
    for threads, status in (("0", 2), ("-1", 2), ("1000000", 2), ("3", 0)):
        assert run("dedup", write(tmp_path, SPELLINGS), "--threads", threads).exit_code == status


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no UTF-8 are not known everywhere")
def test_a_folder_to_spill_into_that_the_engine_cannot_name(tmp_path: Path) -> None:
    log, folder = write(tmp_path, SPELLINGS), tmp_path / "spill\udcff"
    folder.mkdir()
    assert run("dedup", log, "--spill", str(folder)).exit_code == 2
    assert names(folder) == []
    named = {**ENVIRONMENT, "TMPDIR": str(folder)}
    command = [sys.executable, "-m", "iri_canon", "dedup", log]
    found = subprocess.run(command, env=named, capture_output=True, text=True, check=False)
    assert (found.returncode, "Traceback" in found.stderr) == (2, False)
    (tmp_path / "spill\u00e9").mkdir()
    assert run("dedup", log, "--spill", str(tmp_path / "spill\u00e9")).exit_code == 0


def test_a_profile_that_is_nested_too_deeply(tmp_path: Path) -> None:
    profile = write(tmp_path, b'{"conventions":' + b"[" * 200_000, "deep.json")
    found = run("dedup", write(tmp_path, SPELLINGS), "--against", profile)
    assert (found.exit_code, found.stdout) == (2, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("option", ["-o", "--urls", "--pairs", "--stats", "--report"])
def test_an_output_that_is_full_is_named(tmp_path: Path, option: str) -> None:
    link = tmp_path / "full.jsonl"
    link.symlink_to("/dev/full")
    found = run("dedup", write(tmp_path, SPELLINGS), option, str(link))
    assert found.exit_code == 1
    assert found.stderr.splitlines()[-1] == f"iri-canon: {link}: No space left on device"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without /dev/full")  # noqa: PTH110
def test_no_file_gets_its_place_where_standard_output_fails(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    command = [sys.executable, "-m", "iri_canon", "dedup", write(tmp_path, SPELLINGS), "--json"]
    command += ["-o", str(folder / "out.jsonl")]
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        found = subprocess.run(command, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert found.returncode == 1
    assert names(folder) == []
    assert subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False).returncode == 0
    assert names(folder) == ["out.jsonl"]


@pytest.mark.parametrize("library", ["jinja2", "plotly"])
def test_what_a_report_lacks_is_said_in_a_line_before_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    log, path = write(tmp_path, SPELLINGS), tmp_path / "report.html"
    for name in [name for name in sys.modules if name.startswith("iri_canon.dedup.report")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    found = run("dedup", log, "--report", str(path))
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith(f"iri-canon: dedup needs {library}; ")
    assert len(found.stderr.splitlines()) == 1
    assert run("dedup", log).exit_code == 0


def test_a_log_that_standard_output_is_appended_to_stays_as_it_was(tmp_path: Path) -> None:
    log, other = write(tmp_path, SPELLINGS), write(tmp_path, b"", "other")
    command = [sys.executable, "-m", "iri_canon", "dedup", log, "-o", "-"]
    for path, status in ((log, 2), (other, 0)):
        with Path(path).open("ab") as appended:
            found = subprocess.run(
                command, env=ENVIRONMENT, stdout=appended, stderr=subprocess.PIPE, check=False
            )
        assert found.returncode == status
    assert Path(log).read_bytes() == SPELLINGS
    assert Path(other).read_bytes() != b""
