"""The targets of `python -m fuzz` without the fuzzer: the seeds break no law, and what breaks one is seen."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from folders import ROOT

import iri_canon
from fuzz import corpus
from fuzz.__main__ import fuzz_one, main
from fuzz.targets import BOUND, LONG, TARGETS, Target, run

SEEDS = [text.encode("utf-8", "surrogatepass") for text in corpus.texts()]


def all_seeds_keep_the_laws(name: str) -> None:
    for data in SEEDS:
        TARGETS[name].laws(data.decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_break_no_law(name: str) -> None:
    assert len(SEEDS) > 1000
    all_seeds_keep_the_laws(name)


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("key", lambda text, *_: str(text) + "/"),
        ("resolve", lambda base, reference, **_: reference),
        ("to_iri", lambda uri, **_: uri.replace("%C3", "")),
        ("to_uri", lambda iri, **_: iri),
        ("prepare", lambda text, _: text.strip()),
    ],
)
def test_a_broken_function_is_seen(name: str, broken: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iri_canon, name, broken)
    with pytest.raises(AssertionError):
        all_seeds_keep_the_laws(name)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("key", "canonicalize"),
        ("resolve", "resolve"),
        ("to_document", "to_document"),
        ("to_iri", "to_iri"),
        ("to_uri", "to_uri"),
    ],
)
def test_a_function_that_always_refuses_is_seen(
    name: str, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise iri_canon.IriError("no")

    monkeypatch.setattr(iri_canon, function, refuse)
    with pytest.raises(AssertionError):
        all_seeds_keep_the_laws(name)


@pytest.mark.parametrize(
    ("leaves_an_input", "status", "told"),
    [(True, 1, "key: a law is broken"), (False, 2, "key: the fuzzer itself failed with exit status 77")],
)
def test_a_fuzzer_that_fails_is_no_broken_law(
    leaves_an_input: bool,
    status: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    findings = tmp_path / "findings"
    findings.mkdir()

    def ends(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if leaves_an_input:
            (findings / "key-crash-1").write_bytes(b"~")
        return subprocess.CompletedProcess(command, 77, "ImportError")

    monkeypatch.setattr("fuzz.__main__.FINDINGS", findings)
    monkeypatch.setattr("subprocess.run", ends)
    assert fuzz_one("key", 1, tmp_path / "seeds", tmp_path / "dictionary") == status
    assert capsys.readouterr().out.splitlines()[-1] == told


def test_quadratic_time_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, BOUND + 1, 0.0, 0.1, 0.0, 0.1])
    monkeypatch.setattr("time.process_time", lambda: next(seconds))
    lengths: list[int] = []
    target = Target(lambda text: None, lambda text: lengths.append(len(text)))
    with pytest.raises(AssertionError, match="code points"):
        run(target, b"@@@@")  # 256, the sum of the octets, is one in 256
    run(target, b"@@@@")
    assert len(lengths) == 3 and min(lengths) >= LONG
    run(target, b"A")
    assert len(lengths) == 3 and min(lengths) >= LONG


def test_one_input_can_be_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "to_iri-crash"
    path.write_bytes(b"/%C3%A9\xff")
    monkeypatch.setattr(sys, "argv", ["fuzz", "to_iri", str(path)])
    assert main() == 0
    monkeypatch.setattr(iri_canon, "to_iri", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main()


def test_an_unknown_target_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["fuzz", "to_url"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert "to_url" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named_as_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["fuzz", "key", "nofile"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert "no such file, and no target: 'nofile'" in capsys.readouterr().err


def test_without_atheris_the_extra_is_named_or_the_reason_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["fuzz", "key"])
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys, "version_info", (3, 14, 0))
    assert main() == 2
    assert "extra 'fuzz'" in capsys.readouterr().err
    monkeypatch.setattr(sys, "version_info", (3, 15, 0))
    assert main() == 0
    assert "skipped: atheris has no wheel" in capsys.readouterr().out


def test_the_seeds_and_the_dictionary_are_files(tmp_path: Path) -> None:
    dictionary = corpus.write(tmp_path / "seeds")
    assert {path.read_bytes() for path in (tmp_path / "seeds").iterdir()} == set(SEEDS)
    words = dictionary.read_text(encoding="ascii").splitlines()
    assert '"\\x2F\\x2E\\x2E\\x2F"' in words  # /../
    assert len(words) == len(corpus.WORDS)


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="atheris, of the extra fuzz, is not installed"
)
def test_a_crash_leaves_its_input(tmp_path: Path) -> None:
    script = f"""
import sys, fuzz.engine, fuzz.targets, iri_canon
def laws(text):
    assert "~" not in iri_canon.key(text)
fuzz.engine.TARGETS["key"] = fuzz.targets.Target(laws, str)
sys.argv = ["fuzz", "key", "-artifact_prefix={tmp_path}/key-", "-runs=1000000", "-seed=1"]
fuzz.engine.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode not in (0, 2), done.stderr
    assert "AssertionError" in done.stdout + done.stderr
    (crash,) = tmp_path.iterdir()
    assert crash.name.startswith("key-crash-")
    assert "~" in iri_canon.key(crash.read_bytes())
