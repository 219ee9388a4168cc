"""The command line: what it prints, what it says on standard error, and the three exit statuses."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from typer.testing import CliRunner, Result

from iri_canon.cli import app

RUNNER = CliRunner()
ROOT = Path(__file__).parent.parent
BAD = "http://h:99999/"


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return RUNNER.invoke(app, list(arguments), input=stdin)


def process(*arguments: str | bytes, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "iri_canon", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env=environment, timeout=60, check=False)


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("canonicalize", "HTTP://Example.COM:80/%7e/a/../b#F", "http://example.com/~/b#F"),
        ("canonicalize", "http://h/%2f", "http://h/%2F"),  # the twin: an encoded slash is no slash
        ("key", "HTTP://Example.COM:80/%7e/a/../b#F", "http://example.com/~/b"),
        ("key", BAD, BAD),
        ("to-uri", "http://h/é", "http://h/%C3%A9"),
        ("to-uri", "http://h/%7E", "http://h/%7E"),
        ("to-iri", "http://h/%C3%A9", "http://h/é"),
        ("to-iri", "http://h/%E9", "http://h/%E9"),
    ],
)
def test_one_argument(command: str, text: str, expected: str) -> None:
    result = run(command, text)
    assert (result.stdout, result.stderr, result.exit_code) == (expected + "\n", "", 0)


def test_rung_option() -> None:
    text = "HTTP://H:80/%7e"
    outputs = [
        run("key", "--rung", rung, text).stdout.strip() for rung in ("simple", "SYNTAX", "Scheme", "protocol")
    ]
    assert outputs == [text, "http://h:80/~", "http://h/~", "http://h/~"]
    refused = run("key", "--rung", "fifth", text)
    assert "--rung" in refused.stderr
    assert "'fifth' is not one of: simple, syntax, scheme," in refused.stderr
    assert "Value error" not in refused.stderr


def test_options_of_the_mappings() -> None:
    assert run("to-uri", "--toascii", "http://é.example/é").stdout == "http://xn--9ca.example/%C3%A9\n"
    assert run("to-uri", "http://h/a|b").stdout == "http://h/a%7Cb\n"
    refused = run("to-uri", "--strict", "http://h/a|b", "http://h/é")
    assert (refused.stdout, refused.exit_code) == ("http://h/%C3%A9\n", 1)
    assert "path at offset 10: U+007C VERTICAL LINE: no IRI holds it; write %7C" in refused.stderr
    assert run("to-iri", "--tounicode", "http://xn--9ca.example/").stdout == "http://é.example/\n"
    assert run("to-iri", "http://xn--9ca.example/").stdout == "http://xn--9ca.example/\n"


def test_fragment_option() -> None:
    assert run("key", "--keep-fragment", "http://h/#a").stdout == "http://h/#a\n"
    assert run("canonicalize", "--no-keep-fragment", "http://h/#a").stdout == "http://h/\n"


@pytest.mark.parametrize(
    "given", [["--convention", "https,www"], ["--convention", "https", "--convention", "www"]]
)
def test_conventions(given: list[str]) -> None:
    for command in ("key", "canonicalize"):
        one, other = (
            run(command, *given, text).stdout for text in ("http://www.example.com/", "https://example.com/")
        )
        assert one == other
    assert run("compare", "http://www.example.com/", "https://example.com/").exit_code == 1


@pytest.mark.parametrize("command", ["canonicalize", "key", "explain", "compare"])
def test_unknown_convention_is_usage(command: str) -> None:
    result = run(command, "--convention", "no-such", "http://h/", "http://h/")
    assert result.exit_code == 2
    assert "no-such" in result.stderr


def test_a_bad_line_costs_itself_only() -> None:
    result = run("canonicalize", stdin=f"HTTP://H/a\r\n{BAD}\nhttp://h/b".encode())
    assert result.stdout == "http://h/a\nhttp://h/b\n"
    assert result.stderr.startswith("2: port at ")
    assert result.stderr.count("\n") == 1
    assert result.exit_code == 1


def test_only_lf_and_crlf_end_a_line() -> None:
    separators = ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"]
    text = "".join(f"http://h/{separator}x" for separator in separators)
    assert run("key", "--rung", "simple", stdin=text.encode() + b"\n").stdout_bytes == text.encode() + b"\n"
    assert run("key", stdin=b"http://h/a\n\nhttp://h/b\r\n").stdout == "http://h/a\n\nhttp://h/b\n"


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("arguments", "line", "expected"),
    [
        (["canonicalize"], b"HTTP://h/", b"http://h/"),
        (["key"], b"HTTP://h/", b"http://h/"),
        (["to-uri"], b"http://h/\xc3\xa9", b"http://h/%C3%A9"),
        (["to-iri"], b"http://h/%C3%A9", b"http://h/\xc3\xa9"),
        (["explain"], b"http://h/", b"-\tunchanged\t-\thttp://h/\thttp://h/"),
        (["compare"], b"http://h/\thttp://h/", b"simple"),
        (["lint"], b"http://h:80/", b"<stdin>:1:9: info: default-port: 80 is the default"),
    ],
)
def test_standard_input_begins_behind_a_byte_order_mark_and_has_a_dash(
    arguments: list[str], line: bytes, expected: bytes
) -> None:
    for given in ([], ["-"]):
        for mark in (b"", BOM):
            found = run(*arguments, *given, stdin=mark + line + b"\n")
            assert found.stdout_bytes.startswith(expected), (given, mark)
            assert (found.stdout_bytes.count(b"\n"), found.stderr, found.exit_code) == (1, "", 0)


def test_a_byte_order_mark_elsewhere_is_text_and_a_dash_among_others_a_reference() -> None:
    assert run("key", stdin=b"a\n" + BOM + b"a\n" + BOM).stdout == "a\n%EF%BB%BFa\n%EF%BB%BF\n"
    assert run("key", stdin=BOM + BOM + b"a").stdout == "%EF%BB%BFa\n"
    assert run("key", "-", "a", stdin=b"b").stdout == "-\na\n"


def test_lines_in_another_encoding() -> None:
    # the second is decomposed in this charset: step 1b of RFC 3987 3.1 composes it
    lines = b"http://h/\xe9\r\nhttp://h/e\xec\n"
    assert run("to-uri", "--encoding", "windows-1258", stdin=lines).stdout == (
        "http://h/%C3%A9\nhttp://h/%C3%A9\n"
    )
    for command in ("canonicalize", "key", "to-uri"):
        assert run(command, "--encoding", "Latin-1", stdin=lines[:10]).stdout == "http://h/%C3%A9\n"
    assert run("to-iri", "--encoding", "latin-1", stdin=lines[:10]).stdout == "http://h/é\n"
    assert (
        run("compare", "--encoding", "latin-1", stdin=b"http://h/\xe9\thttp://h/%C3%A9").stdout == "syntax\n"
    )
    assert run("explain", "--encoding", "latin-1", stdin=b"/\xe9").stdout.endswith("\t/%C3%A9\n")
    assert run("key", "--encoding", "utf-8-sig", stdin=b"/\xe9").stdout == "/%E9\n"


def test_a_line_that_is_not_in_its_encoding_costs_itself_only() -> None:
    lines = b"http://h/\x81\nhttp://h/\xe9\n"
    reason = "octet 81 at offset 9 (in octets) is no character of cp1252"
    for command in ("canonicalize", "key", "to-uri", "to-iri", "explain", "compare", "lint"):
        found = run(command, "--encoding", "windows-1252", stdin=lines)
        assert found.stderr.splitlines()[0].endswith(f"1: {reason}"), command
        assert found.exit_code == 1
    told = run("key", "--json", "--encoding", "windows-1252", stdin=lines).stdout.splitlines()
    assert [json.loads(line) for line in told] == [
        {"input": None, "error": {"reason": reason}},
        {"input": "http://h/é", "key": "http://h/%C3%A9"},
    ]


@pytest.mark.parametrize(
    ("name", "told"), [("no-such", "unknown"), ("hex", "unknown"), ("UTF-16", "0A"), ("cp037", "0A")]
)
def test_an_encoding_that_lines_cannot_be_read_in_is_usage(name: str, told: str) -> None:
    for command in ("key", "lint"):
        found = run(command, "--encoding", name, stdin=b"a")
        assert found.exit_code == 2
        assert told in found.stderr


def test_an_octet_that_is_not_utf8_is_told_as_one() -> None:
    for command in ("to-uri", "to-iri"):
        assert run(command, stdin=b"http://h/\xe9").stderr == (
            "1: path at offset 9: octet E9 is not UTF-8; tell the charset of the lines with --encoding, "
            "or write %E9 for the octet itself\n"
        )
        told = json.loads(run(command, "--json", stdin=b"http://h/\xe9").stdout)
        assert told["error"]["reason"].startswith("octet E9 is not UTF-8; ")
    given = process("to-uri", b"http://h/\xe9").stderr
    assert (
        given
        == b"1: path at offset 9: octet E9 is not UTF-8; write %E9 for the octet itself (http://h/\\xe9)\n"
    )


def test_json_has_an_object_for_each_line() -> None:
    result = run("canonicalize", "--json", stdin=f"HTTP://H\n{BAD}\n".encode())
    good, bad = map(json.loads, result.stdout.splitlines())
    assert good == {"input": "HTTP://H", "canonical": "http://h/"}
    assert bad["input"] == BAD
    assert bad["error"]["component"] == "port"
    assert isinstance(bad["error"]["offset"], int)
    assert bad["error"]["reason"]
    assert result.exit_code == 1


def test_explain_ends_with_the_canonical_form() -> None:
    text = "HTTP://Example.COM:80/%7e/a/../b"
    result = run("explain", text)
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert all(len(row) == 5 for row in rows)
    assert {"syntax", "scheme"} <= {row[0] for row in rows}
    assert rows[-1][4] == run("canonicalize", text).stdout.strip()
    told = json.loads(run("explain", "--json", text).stdout)
    assert [list(step.values()) for step in told["steps"]] == rows
    assert told["canonical"] == rows[-1][4]


def test_explain_shows_conventions_and_a_line_for_the_canonical() -> None:
    told = json.loads(run("explain", "--json", "--convention", "www", "http://www.example.com/").stdout)
    assert [step["rung"] for step in told["steps"]] == ["protocol"]
    text = "http://example.com/"
    assert run("explain", text).stdout == f"-\tunchanged\t-\t{text}\t{text}\n"


def test_explain_refuses_what_does_not_parse() -> None:
    result = run("explain", BAD)
    assert result.exit_code == 1
    assert result.stderr.startswith("1: port at ")


def test_what_a_terminal_would_obey_is_shown_by_number() -> None:
    result = run("explain", "http://h/\x1b[31m\u202e")
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout
    assert "\\x1b" in result.stdout
    assert "\\u202e" in result.stdout


@pytest.mark.parametrize(
    ("a", "b", "rung", "expected", "status"),
    [
        ("http://h/", "http://h/", "scheme", "simple", 0),
        ("http://h/%7e", "http://h/~", "scheme", "syntax", 0),
        ("http://h:80/", "http://h/", "scheme", "scheme", 0),
        ("http://h:80/", "http://h/", "syntax", "scheme", 1),
        ("http://h/%2F", "http://h//", "scheme", "different", 1),
    ],
)
def test_compare(a: str, b: str, rung: str, expected: str, status: int) -> None:
    result = run("compare", "--rung", rung, a, b)
    assert (result.stdout.strip(), result.exit_code) == (expected, status)
    told = json.loads(run("compare", "--json", "--rung", rung, a, b).stdout)
    assert told["equivalent"] is (status == 0)
    assert told["lowest_rung"] == (None if expected == "different" else expected)


def test_compare_reads_pairs_from_lines() -> None:
    assert run("compare", stdin=b"http://h\thttp://h/\nHTTP://h/\thttp://h/\n").exit_code == 0
    mixed = run("compare", stdin=b"http://h/a\thttp://h/b\nno pair\nHTTP://h/\thttp://h/\n")
    assert mixed.stdout == "different\nsyntax\n"
    assert mixed.stderr == "2: not two IRIs with a tab between them\n"
    assert mixed.exit_code == 1
    told = run("compare", "--json", stdin=b"no pair\nHTTP://h/\thttp://h/\n").stdout.splitlines()
    assert [json.loads(line).get("error") for line in told] == [
        {"reason": "not two IRIs with a tab between them"},
        None,
    ]


def test_a_complaint_about_an_argument_shows_it() -> None:
    assert run("canonicalize", "http://h/", BAD).stderr.endswith(f" ({BAD})\n")
    assert BAD not in run("canonicalize", stdin=BAD.encode()).stderr


@pytest.mark.parametrize(
    "arguments", [["compare", "http://h/"], ["key", "--rung", "fifth", "http://h/"], ["no-such-command"], []]
)
def test_usage_is_two(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


@pytest.mark.parametrize("command", ["key", "explain", "lint"])
def test_usage_shows_that_arguments_may_be_several(command: str) -> None:
    assert f" {command} [OPTIONS] [IRI]... " in run(command, "--help").stdout


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("iri-canon ")
    help_text = run("--help").stdout
    assert all(
        name in help_text for name in ("canonicalize", "key", "explain", "compare", "to-uri", "to-iri")
    )


def test_octets_pass_through_a_real_process() -> None:
    line = b"http://h/\xe9\xff?\xc3\xa9"
    done = process("key", "--rung", "simple", stdin=line + b"\n")
    assert (done.stdout, done.stderr, done.returncode) == (line + b"\n", b"", 0)
    assert process("key", "--rung", "simple", line).stdout == line + b"\n"
    assert process("key", stdin=line + b"\n").stdout == b"http://h/%E9%FF?%C3%A9\n"
    assert json.loads(process("key", "--json", stdin=line).stdout)["input"] == os.fsdecode(line)


def test_a_bad_line_in_a_real_process() -> None:
    done = process("canonicalize", "http://h/a", BAD + "\x1b\xff")
    assert (done.stdout, done.returncode) == (b"http://h/a\n", 1)
    assert done.stderr.startswith(b"2: port at ")
    assert b"\x1b" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "iri_canon", "key"],
            input=b"http://h/\n" * 20_000,
            stdout=writing,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.stderr, done.returncode) == (b"", 1)


def test_without_its_libraries_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'typer'\", name='typer')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "iri_canon", "key", "http://h/"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "pip install '.[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["key", "http://h/"], ["explain", "http://h:80/"], ["--version"], ["--help"]]
)
def test_an_output_that_is_full_is_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = _with_streams(arguments, stdout=full)
    assert (done.stderr, done.returncode) == (b"iri-canon: standard output: No space left on device\n", 1)


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the streams")
@pytest.mark.parametrize(
    ("closed", "told"),
    [
        (">&-", b"iri-canon: standard output: Bad file descriptor\n"),
        ("<&-", b"iri-canon: <stdin>: Bad file descriptor\n"),
        (">&- 2>&-", b""),
        ("<&- 2>&-", b""),
    ],
)
def test_a_stream_that_is_closed_is_one_line(closed: str, told: bytes) -> None:
    done = _with_streams(["key"], shell=f'exec "$0" "$@" {closed}')
    assert (done.stdout, done.stderr, done.returncode) == (b"", told, 1)


def _with_streams(
    arguments: list[str], *, stdout: IO[bytes] | int = subprocess.PIPE, shell: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "iri_canon", *arguments]
    return subprocess.run(
        ["sh", "-c", shell, *command] if shell else command,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
