"""The command lint: its lines, where they come from, and the exit status by severity."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from folders import ROOT
from test_cli import process, run

from iri_canon import lint
from iri_canon.lint.rules import RULES

INFO, WARNING, ERROR = "http://h:80/", "http://@h/", "http://h/%"


def test_a_line_a_finding() -> None:
    found = run("lint", "http://h/", "http://h:80/%7e")
    assert found.stdout.splitlines() == [
        "<argument>:2:9: info: default-port: 80 is the default (RFC 3986 3.2.3); leave it out",
        "<argument>:2:12: info: lower-case-triplet: %7e in lower case (RFC 3986 2.1); write it in upper case",
        "<argument>:2:12: info: encoded-unreserved: %7e stands for an unreserved character (RFC 3986 2.3); decode it",
    ]
    assert (found.stderr, found.exit_code) == ("", 0)


@pytest.mark.parametrize(
    ("text", "statuses"),
    [(INFO, [0, 0, 1]), (WARNING, [0, 1, 1]), (ERROR, [1, 1, 1]), ("http://h/", [0, 0, 0])],
)
def test_exit_status_by_severity(text: str, statuses: list[int]) -> None:
    assert run("lint", text).exit_code == statuses[0]
    found = [run("lint", "--fail-on", name, text).exit_code for name in ("error", "warning", "info")]
    assert found == statuses
    assert run("lint", "--fail-on", "WARNING", text).exit_code == statuses[1]


def test_files_and_standard_input(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_bytes(b"http://h/\r\nhttp://h:80/\n")
    second.write_bytes(b"\xef\xbb\xbf\nHTTP://h/\xff")
    found = run(
        "lint",
        "--file",
        str(first),
        "--file",
        "-",
        "--file",
        str(second),
        "http://h:80/",
        stdin=b"http://@h/\n",
    )
    places = [line.split(": ")[0] for line in found.stdout.splitlines()]
    assert places == ["<argument>:1:9", f"{first}:2:9", "<stdin>:1:7", f"{second}:2:0", f"{second}:2:9"]
    assert found.exit_code == 1
    # without a name, standard input is read unless there are arguments
    assert run("lint", stdin=b"http://@h/").stdout.startswith("<stdin>:1:7: ")
    assert run("lint", "http://h/", stdin=b"http://@h/").stdout == ""
    # a dash alone is standard input, and comes before the files
    both = run("lint", "-", "--file", str(first), stdin=b"\xef\xbb\xbfhttp://@h/").stdout.splitlines()
    assert [line.split(": ")[0] for line in both] == ["<stdin>:1:7", f"{first}:2:9"]


def test_files_in_another_encoding(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"http://\xe9.example/\n\x81\nhttp://h:80/\n")
    found = run("lint", "--encoding", "windows-1252", "--file", str(file))
    assert found.stdout.startswith(f"{file}:3:9: info: default-port: ")
    assert found.stderr == f"{file}:2: octet 81 at offset 0 (in octets) is no character of cp1252\n"
    assert found.exit_code == 1
    assert "octet E9 is not UTF-8" in run("lint", "--file", str(file)).stdout


def test_a_file_that_cannot_be_read_costs_itself_only(tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_text("http://h:80/\n", encoding="utf-8")
    missing = tmp_path / "missing\n.txt"
    found = run("lint", "--file", str(missing), "--file", str(tmp_path), "--file", str(good))
    assert found.stderr == (
        f"iri-canon: {tmp_path}/missing\\n.txt: No such file or directory\niri-canon: {tmp_path}: Is a directory\n"
    )
    assert found.stdout.startswith(f"{good}:1:9: ")
    assert found.exit_code == 2
    # a finding does not hide it
    assert run("lint", "--file", str(missing), "http://h/%").exit_code == 2


def test_json_is_one_object_a_finding() -> None:
    found = [
        json.loads(line) for line in run("lint", "--json", "http://h/", "http://@h:80/").stdout.splitlines()
    ]
    expected = [
        {
            "source": "<argument>",
            "line": 2,
            "input": "http://@h:80/",
            "rule": each.rule,
            "component": each.component,
            "offset": each.offset,
            "severity": each.severity.name.lower(),
            "clause": each.clause,
            "message": each.message,
            "remedy": each.remedy,
        }
        for each in lint("http://@h:80/")
    ]
    assert found == expected
    assert len(found) == 2


def test_rules_can_be_chosen_and_left_out() -> None:
    text = "HTTP://H:80/"
    assert run("lint", "--ignore", "upper-case-host,default-port", text).stdout.count("\n") == 1
    assert (
        run("lint", "--ignore", "upper-case-host", "--ignore", "default-port", text).stdout.count("\n") == 1
    )
    assert "default-port" in run("lint", "--rules", "default-port", text).stdout
    assert run("lint", "--rules", "default-port", text).stdout.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--ignore", "no-such"], ["--rules", "no-such"], ["--fail-on", "no-such"]]
)
def test_an_unknown_name_is_usage(arguments: list[str]) -> None:
    found = run("lint", *arguments, "http://h/")
    assert found.exit_code == 2
    assert "no-such" in found.stderr
    assert "Value error" not in found.stderr
    assert found.stderr.count("\n") < 10  # no list of all rules


def test_the_list_of_rules() -> None:
    lines = [line.split("\t") for line in run("lint", "--list").stdout.splitlines()]
    assert lines == [
        [name, rule.severity.name.lower(), rule.clause, rule.remedy] for name, rule in RULES.items()
    ]
    told = [json.loads(line) for line in run("lint", "--list", "--json").stdout.splitlines()]
    assert [list(each.values()) for each in told] == lines
    assert {tuple(each) for each in told} == {("rule", "severity", "clause", "remedy")}


def test_controls_do_not_reach_a_terminal() -> None:
    found = process("lint", stdin=b"http://h/\x1b[31m\xe2\x80\xae\xff\n")
    assert found.returncode == 1
    assert not {b"\x1b", b"\xe2\x80\xae"} & {
        found.stdout[i : i + n] for n in (1, 3) for i in range(len(found.stdout))
    }
    assert b"bidi-formatting" in found.stdout
    assert b"Traceback" not in found.stderr


def test_a_terminal_gets_a_summary() -> None:
    pty = pytest.importorskip("pty")  # POSIX has it
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "iri_canon", "lint", "http://h:80/", "http://@h/", "http://h/"],
            stdout=subprocess.PIPE,
            stderr=theirs,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=60,
            check=False,
        )
        told = os.read(ours, 1000)
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.stdout.count(b"\n") == 2
    assert told.strip() == b"iri-canon: findings in 2 of 3 texts: 0 error, 1 warning, 1 info"
