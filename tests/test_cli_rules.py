"""The commands rules and store: what a store has learned and done, shown, forgotten and moved."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from folders import ROOT
from test_cli import run
from test_cli_learn import opened

from iri_canon import IriError
from iri_canon.equivalence import Example, Rule, RuleName, RuleState
from iri_canon.equivalence.rules import Support
from iri_canon.learning import bound

A, B, C = (
    RuleName(*name)
    for name in (("a.example", "https", ""), ("a.example", "param:sid", "x"), ("b.example", "www", "*"))
)


def rule(name: RuleName, state: RuleState = RuleState.PROPOSED, support: int = 1, last: float = 1.0) -> Rule:
    return Rule(
        name,
        state,
        since=1796105435.0,
        last=last,
        supports={str(page): Support("body", "x", str(page)) for page in range(support)},
        examples=[Example("http://h/a", "http://h/b", "equal content", 1796105435.0)],
    )


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = tmp_path / "s.sqlite"
    with opened(path) as kept:
        in_force = rule(B, RuleState.IN_FORCE, support=7)
        in_force.agreed, in_force.suppressed = 5, 100
        retracted = rule(C, RuleState.RETRACTED, support=3)
        retracted.contradictions = 2
        retracted.counterexamples = [Example("http://h/c", "http://h/d", "error 404", 0.0)]
        for each in (rule(A), in_force, retracted):
            kept.keep_rule(each)
    return str(path)


def names(path: str, *options: str) -> list[str]:
    found = run("rules", path, *options)
    assert found.exit_code == 0, found.stderr
    return ["/".join(line.split("\t")[:3]) for line in found.stdout.splitlines() if line[0] != "#"]


HOSTS = "0.example, 1.example, 2.example, 3.example, 4.example"
ALL = ["a.example///https", "a.example/x/param:sid", "b.example/*/www"]


def test_a_row_a_rule(store: str) -> None:
    assert run("rules", store).stdout.splitlines() == [
        "#host\tsection\tkind\tstate\tsupport\tagainst\taudits\tskipped\tbound\tsince\texample",
        "a.example\t/\thttps\tproposed\t1\t0\t0\t0\t-\t2026-12-01T06:10:35Z\thttp://h/a http://h/b",
        f"a.example\tx\tparam:sid\tin force\t7\t0\t5\t100\t{bound(5, 100):.1%}\t2026-12-01T06:10:35Z\thttp://h/a http://h/b",
        "b.example\t*\twww\tretracted\t3\t2\t0\t0\t-\t2026-12-01T06:10:35Z\thttp://h/c http://h/d",
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--host", "a.example"], ALL[:2]),
        (["--host", "A.Example", "--kind", "https"], ALL[:1]),
        (["--host", "*.example"], ALL),
        (["--host", "example"], []),
        (["--kind", "param:*"], ALL[1:2]),
        (["--kind", "param"], []),
        (["--section", "/"], ALL[:1]),
        (["--section", "*"], ALL[2:]),
        (["--section", "x"], ALL[1:2]),
        (["--state", "in-force"], ALL[1:2]),
        (["--state", "RETRACTED"], ALL[2:]),
        (["--state", "proposed", "--host", "b.example"], []),
    ],
)
def test_filters(store: str, options: list[str], expected: list[str]) -> None:
    assert names(store, *options) == expected


@pytest.mark.parametrize(
    ("by", "order"),
    [
        *(("name", (0, 1, 2)), ("state", (0, 1, 2)), ("support", (1, 2, 0)), ("contradictions", (2, 0, 1))),
        *(("audits", (1, 0, 2)), ("skipped", (1, 0, 2)), ("BOUND", (1, 0, 2)), ("since", (0, 1, 2))),
    ],
)
def test_orders(store: str, by: str, order: tuple[int, ...]) -> None:
    assert names(store, "--sort", by) == [ALL[place] for place in order]
    assert run("rules", store, "--sort", "size").exit_code == 2
    assert run("rules", store, "--state", "new").exit_code == 2


def test_examples_stand_under_their_rule(store: str) -> None:
    found = run("rules", store, "--examples", "--host", "b.example").stdout.splitlines()
    assert found[2:] == [
        "=\thttp://h/a\thttp://h/b\tequal content\t2026-12-01T06:10:35Z",
        "!\thttp://h/c\thttp://h/d\terror 404\t-",
    ]


def test_json_is_the_rule_with_its_bound(store: str) -> None:
    found = [json.loads(line) for line in run("rules", store, "--json").stdout.splitlines()]
    assert [each.pop("bound") for each in found] == [None, bound(5, 100), None]
    with opened(Path(store)) as kept:
        assert list(map(Rule.from_json, found)) == list(kept.rules())


def test_a_bound_is_that_of_a_rule_in_force(store: str) -> None:
    with opened(Path(store)) as kept:
        for name in (A, C):
            known = kept.rule(name)
            assert known is not None
            known.agreed, known.suppressed = 5, 100
            kept.keep_rule(known)
    shown = [line.split("\t")[6:9] for line in run("rules", store).stdout.splitlines()[1:]]
    assert shown == [["5", "100", "-"], ["5", "100", f"{bound(5, 100):.1%}"], ["5", "100", "-"]]
    assert names(store, "--sort", "bound")[0] == ALL[1]


@pytest.mark.parametrize(("width", "has_example"), [(200, True), (80, False)])
def test_a_terminal_gets_a_table(store: str, width: int, has_example: bool) -> None:
    controller, terminal = pty.openpty()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "COLUMNS": str(width),
        "TERM": "xterm",
        "NO_COLOR": "1",
    }
    command = [
        sys.executable,
        "-m",
        "iri_canon",
        "rules",
        store,
        "--host",
        "a.example",
        "--state",
        "in-force",
    ]
    try:
        subprocess.run(command, stdout=terminal, env=environment, timeout=60, check=True)
        shown = os.read(controller, 100_000).decode()
    finally:
        os.close(terminal)
        os.close(controller)
    row = next(line.split() for line in shown.splitlines() if "a.example" in line)
    assert row[:10] == [
        "a.example",
        "x",
        "param:sid",
        "in",
        "force",
        "7",
        "0",
        "5",
        "100",
        f"{bound(5, 100):.1%}",
    ]
    assert ("2026-12-01T06:10:35Z" in row, "http://h/a" in row) == (has_example, has_example)
    heads = next(line for line in shown.splitlines() if "host" in line)
    assert [name for name in ("against", "audits", "skipped", "bound", "since") if name in heads] == [
        *("against", "audits", "skipped", "bound"),
        *(["since"] if has_example else []),
    ]


def test_forgetting_needs_a_filter(store: str) -> None:
    refused = run("rules", store, "--forget")
    assert (refused.exit_code, len(names(store))) == (2, 3)
    found = run("rules", store, "--forget", "--host", "a.example", "--state", "proposed")
    assert (found.stdout, found.stderr, found.exit_code) == ("", "iri-canon: 1 rules forgotten\n", 0)
    assert names(store) == ALL[1:]
    unknown = run("rules", store, "--forget", "--kind", "none")
    assert unknown.stderr.splitlines() == [
        "iri-canon: 0 of 2 rules; hosts: a.example, b.example",
        "iri-canon: 0 rules forgotten",
    ]
    assert run("rules", store, "--forget", "--all").stderr == "iri-canon: 2 rules forgotten\n"
    assert names(store) == []


def test_export_and_import_bring_all_evidence_along(store: str, tmp_path: Path) -> None:
    file, other = str(tmp_path / "rules.jsonl"), tmp_path / "other.sqlite"
    assert run("rules", store, "--export", file).stderr == "iri-canon: 3 rules written\n"
    with opened(other):
        pass
    found = run("rules", str(other), "--import", file)
    assert found.stderr == "iri-canon: 3 rules brought in, 0 left out for what is known here, 0 bad lines\n"
    with opened(Path(store)) as one, opened(other) as two:
        assert list(one.rules()) == list(two.rules())
    # the filters hold for what is written
    run("rules", store, "--export", file, "--force", "--host", "b.example")
    assert Path(file).read_text(encoding="utf-8").count("\n") == 1


@pytest.mark.parametrize("tail", ["\ud800\udc01", "\U0001f600", "\udcc3\udca9.", "\udce9", "é", "\u2028"])
def test_each_url_comes_back_as_it_was(tmp_path: Path, tail: str) -> None:
    """Escapes would make two lone surrogates one character, and octets would make them text."""
    file, other = tmp_path / "rules.jsonl", tmp_path / "other.sqlite"
    kept = rule(A)
    kept.examples = [Example(f"http://h/a{tail}", "http://h/b", "equal content", 1.0)]
    with opened(tmp_path / "one.sqlite") as one, opened(other):
        one.keep_rule(kept)
    assert run("rules", str(tmp_path / "one.sqlite"), "--export", str(file)).exit_code == 0
    # A byte order mark, as an editor leaves it, is no part of the first line.
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert run("rules", str(other), "--import", str(file)).exit_code == 0
    with opened(other) as two:
        assert list(two.rules()) == [kept]


def test_a_file_is_not_written_over_unless_asked_and_never_in_part(store: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.jsonl"
    file.write_text("mine", encoding="utf-8")
    assert run("rules", store, "--export", str(file)).exit_code == 2
    assert file.read_text(encoding="utf-8") == "mine"
    assert run("rules", store, "--export", str(tmp_path / "none" / "a")).exit_code == 1
    assert run("rules", str(tmp_path / "missing"), "--export", str(tmp_path / "b")).exit_code == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rules.jsonl", "s.sqlite"]
    assert run("rules", store, "--export", str(file), "--force").exit_code == 0
    assert file.read_text(encoding="utf-8").count("\n") == 3


@pytest.mark.parametrize(
    ("brought", "force", "expected"),
    [
        (rule(A, RuleState.IN_FORCE, last=2.0), [], RuleState.IN_FORCE),
        (rule(A, RuleState.IN_FORCE, last=1.0), [], RuleState.PROPOSED),  # no newer
        (rule(A, RuleState.IN_FORCE, last=0.0), ["--force"], RuleState.PROPOSED),
        (rule(B, RuleState.RETRACTED, last=2.0), [], RuleState.RETRACTED),
        (rule(C, RuleState.IN_FORCE, last=2.0), [], RuleState.RETRACTED),
        (rule(C, RuleState.IN_FORCE, last=2.0), ["--force"], RuleState.IN_FORCE),
    ],
)
def test_the_newer_knowledge_wins_and_what_was_retracted_stays(
    store: str, tmp_path: Path, brought: Rule, force: list[str], expected: RuleState
) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text(json.dumps(brought.as_json()) + "\n", encoding="utf-8")
    assert run("rules", store, "--import", str(file), *force).exit_code == 0
    with opened(Path(store)) as kept:
        found = kept.rule(brought.name)
    assert found is not None
    assert found.state is expected


def test_a_bad_line_is_told_by_its_number(store: str, tmp_path: Path) -> None:
    new = json.dumps(rule(RuleName("c.example", "https", "")).as_json())
    octets = f'{new}\n\n{{"host": 1}}\nx\n[]\n'.encode() + b"\xff\n" + b"[" * 100_000
    found = run("rules", store, "--import", "-", stdin=octets)
    assert found.stderr.splitlines() == [
        "<stdin>:3: no rule: host is 1",
        "<stdin>:4: no rule: not JSON",
        "<stdin>:5: no rule: not an object",
        "<stdin>:6: no rule: not JSON",
        "<stdin>:7: no rule: not JSON",
        "iri-canon: 1 rules brought in, 0 left out for what is known here, 5 bad lines",
    ]
    assert found.exit_code == 1
    assert len(names(store)) == 4
    assert run("rules", store, "--import", str(tmp_path / "missing")).exit_code == 1


COUNT, TIME = "no count from 0 to 1000000000000", "no time from 0 to 100000000000"


@pytest.mark.parametrize(
    ("part", "good", "bad", "wrong"),
    [
        *((part, 10**12, 10**12 + 1, COUNT) for part in ("contradictions", "agreed", "suppressed")),
        *(("suppressed", 0, bad, COUNT) for bad in (-1, 10**400)),
        *((part, 1e11, 1.1e11, TIME) for part in ("since", "last")),
        *(("last", 0, bad, TIME) for bad in (-1, 1e300, 10**400, float("nan"), float("inf"))),
    ],
)
def test_numbers_of_no_size_make_no_rule(store: str, part: str, good: float, bad: float, wrong: str) -> None:
    lines = [json.dumps(rule(A).as_json() | {part: value}) for value in (good, bad)]
    with pytest.raises(IriError, match=f"no rule: {part} is {wrong}"):
        Rule.from_json(json.loads(lines[1]))
    found = run("rules", store, "--import", "-", stdin="\n".join(lines).encode())
    assert found.stderr.startswith(f"<stdin>:2: no rule: {part} is {wrong}\niri-canon: ")
    assert found.exit_code == 1
    assert len(names(store, "--sort", "bound")) == 3


def test_an_example_has_a_time_too() -> None:
    known = rule(A).as_json()
    assert Rule.from_json(known) == rule(A)
    known["examples"][0][3] = float("nan")
    with pytest.raises(IriError, match=f"examples is {TIME}"):
        Rule.from_json(known)


def test_rules_can_be_brought_into_a_new_store(store: str, tmp_path: Path) -> None:
    file, new = str(tmp_path / "rules.jsonl"), tmp_path / "new.sqlite"
    run("rules", store, "--export", file)
    assert run("rules", str(new), "--import", file).exit_code == 0
    assert names(str(new)) == ALL
    assert run("rules", str(tmp_path / "none")).exit_code == 1


@pytest.mark.parametrize(
    ("hosts", "shown"),
    [(0, "none"), (1, "0.example"), (5, HOSTS), (6, f"{HOSTS}, ...")],
)
def test_a_filter_that_matches_nothing_is_told_what_there_is(tmp_path: Path, hosts: int, shown: str) -> None:
    path = tmp_path / "h.sqlite"
    with opened(path) as kept:
        for number in range(hosts):
            for section in ("", "x"):
                kept.keep_rule(rule(RuleName(f"{number}.example", "https", section)))
    found = run("rules", str(path), "--host", "c.example")
    assert (found.stdout, found.exit_code) == ("", 0)
    assert found.stderr == f"iri-canon: 0 of {2 * hosts} rules; hosts: {shown}\n"
    if hosts:
        assert run("rules", str(path), "--host", "0.example").stderr == ""


def test_one_thing_at_a_time(store: str) -> None:
    assert run("rules", store, "--forget", "--all", "--export", "x").exit_code == 2
    assert run("rules", store, "--import", "x", "--export", "y").exit_code == 2


@pytest.mark.parametrize("command", [["rules"], ["store", "pages"], ["store", "forget", "--match", "*"]])
def test_a_store_that_cannot_be_used_is_told_in_one_line(
    command: list[str], store: str, tmp_path: Path
) -> None:
    missing = str(tmp_path / "missing")
    found = run(*command, missing)
    assert found.stderr.startswith(f"iri-canon: {missing}: no such file; ")
    assert (found.exit_code, found.stdout, Path(missing).exists()) == (1, "", False)
    with opened(Path(store)):
        locked = run(*command, store)
    assert (
        locked.stderr
        == f"iri-canon: {store}: in use by another process; stop that one, or name another file\n"
    )
    assert (locked.exit_code, locked.stdout) == (1, "")


PAGES = [
    ("http://h/a", "http://h/a", False),
    ("http://h/a?s=1", "http://h/a", False),
    ("http://h/n/b", "http://h/n/b", True),
]


@pytest.fixture
def done(tmp_path: Path) -> str:
    path = tmp_path / "p.sqlite"
    with opened(path) as kept:
        for name, page, gave_items in PAGES:
            kept.keep_page(name, page, 1796105435.0, gave_items=gave_items)
    return str(path)


def test_pages_under_each_of_their_names(done: str) -> None:
    assert run("store", "pages", done).stdout.splitlines() == [
        "#name\tpage\tdone\titems",
        "http://h/a\thttp://h/a\t2026-12-01T06:10:35Z\tno",
        "http://h/a?s=1\thttp://h/a\t2026-12-01T06:10:35Z\tno",
        "http://h/n/b\thttp://h/n/b\t2026-12-01T06:10:35Z\tyes",
    ]
    assert run("store", "pages", done, "--match", "http://h/n/*").stdout.count("\n") == 2
    none = run("store", "pages", done, "--match", "http://h/n")
    assert (none.stdout, none.stderr, none.exit_code) == ("", "iri-canon: 0 of 3 pages\n", 0)
    found = json.loads(run("store", "pages", done, "--match", "*b", "--json").stdout)
    assert found == {
        "key": "http://h/n/b",
        "page": "http://h/n/b",
        "time": 1796105435.0,
        "gave_items": True,
        "covered": False,
    }


@pytest.mark.parametrize(
    ("given", "count", "left"),
    [
        (["HTTP://H:80/%61"], 2, ["http://h/n/b"]),
        (["http://h/a?s=1"], 2, ["http://h/n/b"]),  # all names of its page
        (["--match", "*/n/*"], 1, ["http://h/a", "http://h/a?s=1"]),
        (["http://h/a", "--match", "*/n/*"], 3, []),
        (["http://h/other", "--match", "*/other"], 0, ["http://h/a", "http://h/a?s=1", "http://h/n/b"]),
    ],
)
def test_pages_are_forgotten_under_all_their_names(
    done: str, given: list[str], count: int, left: list[str]
) -> None:
    found = run("store", "forget", done, *given)
    unknown = [] if count else ["iri-canon: http://h/other: not known as done", "iri-canon: 0 of 3 pages"]
    assert found.stderr.splitlines() == [*unknown, f"iri-canon: {count} names of pages forgotten"]
    assert found.exit_code == 0
    with opened(Path(done)) as kept:
        assert [known.key for known in kept.pages()] == left


def test_a_store_without_pages_says_who_keeps_them(store: str) -> None:
    for options in ([], ["--json"], ["--match", "*"]):
        found = run("store", "pages", store, *options)
        assert (found.stdout, found.exit_code) == ("", 0)
        assert found.stderr == "iri-canon: no pages; IRI_CANON_DELTA keeps them\n"


def test_forgetting_pages_needs_to_be_told_which(done: str) -> None:
    assert run("store", "forget", done).exit_code == 2
    with opened(Path(done)) as kept:
        assert len(list(kept.pages())) == 3
