"""What lint finds and leaves alone: each rule's hits and near misses, and the laws that hold for any text."""

import gzip
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from types import ModuleType
from typing import Any
from unicodedata import bidirectional, category

import pytest
from folders import NO_SHARED_FOLDER, ROOT, shared_folder
from hypothesis import given
from hypothesis import strategies as st
from test_hostile import MUCH, PLACES, UNITS, fill, is_linear
from test_vectors import load, text_of

import iri_canon
from iri_canon import IRI, IriError, is_valid, lint
from iri_canon.inappropriate import inappropriate
from iri_canon.lint import LIMIT, Finding, Severity, scripts
from iri_canon.lint.rules import NEED_DATA, RULES
from iri_canon.lint.subject import Subject
from iri_canon.lint.syntax import LONGEST
from iri_canon.lookalikes import LOOK_ALIKES

Case = dict[str, Any]
HITS: list[Case] = load("lint")["hit"]
CLEAN = [case["text"] for case in load("lint")["clean"]]
GEN_DELIMS_AND_EXCLUDED = ":/?#[]@.;" + '<>"{}|\\^`%'
COMPONENTS = IRI.__dataclass_fields__.keys()

# Text that comes near the rules: pieces of IRIs, of triplets, of scripts, and characters with a rule of their own.
NEAR = (
    "http:// https:// ftp:// // / ? # @ : [ ] [::1] % %2e %2E%2e %C0%AF %ED%A0%80 %E9 %25 %2520 %00 %0a & = ; . .. -"
    " &amp; h www.example.com xn-- xn--a xn--pypal-4ve 0x7f.1 99999 80 \\ \t \n"
    " é e\u0301 а ϳ ß 日本 カ 한 א ب 1 ٢ ﬁ Ａ ｶ \u200b \u200c \u200d \u202e \u2067 \xad \ufe0f \U000e0061 \u2044"
    " “ \xa0 👩 Ã© \ud800 \udce9 \ue000 \ufdd0"
)
PIECES = st.sampled_from(NEAR.split(" "))
TEXTS = st.one_of(
    st.text(st.characters(codec=None)),
    st.lists(PIECES, max_size=12).map("".join),
    st.text("%0aF./:@é\u0301", max_size=30),
)


@pytest.mark.parametrize("case", HITS, ids=[f"{case['rule']}-{case['name']}" for case in HITS])
def test_hit_and_near_miss(case: Case) -> None:
    text = text_of(case)
    assert isinstance(text, str)
    found = [each for each in lint(text) if each.rule == case["rule"]]
    assert [[each.component, each.offset, each.severity.name] for each in found] == case["at"]
    # what the grammar tells to do about a character goes before the general remedy
    assert case["rule"] == "not-an-iri" or all(each.remedy == RULES[each.rule].remedy for each in found)
    # the clause of what a scheme asks for is the scheme's own, and ASCII and IDNA have one each for capitals
    assert case["rule"].startswith(("scheme-", "upper-case-host")) or all(
        each.clause == RULES[each.rule].clause for each in found
    )
    assert case["rule"] not in {each.rule for each in lint(case["twin"])}
    assert found == lint(text, rules=[case["rule"]])


def test_every_rule_has_a_hit_and_a_near_miss() -> None:
    assert {case["rule"] for case in HITS} == RULES.keys() - {"scripts-unchecked"}
    names = [(case["rule"], case["name"]) for case in HITS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("text", CLEAN)
def test_clean(text: str) -> None:
    assert lint(text) == []


def test_findings_are_values_in_order() -> None:
    found = lint("HTTP://A:80/%7e/e\u0301")
    assert [each.offset for each in found] == sorted(each.offset for each in found)
    order = list(RULES)
    at_one_offset = [each.rule for each in found if each.offset == 12]
    assert at_one_offset == sorted(at_one_offset, key=order.index)
    assert len(at_one_offset) > 1
    assert len({*found, *lint("HTTP://A:80/%7e/e\u0301")}) == len(found)


def test_letters_of_alphabets_are_no_look_alikes_of_delimiters() -> None:
    assert [each for each in LOOK_ALIKES if category(each) in ("Lo", "Lu", "Ll") or each.isascii()] == []
    assert set(LOOK_ALIKES.values()) <= set(GEN_DELIMS_AND_EXCLUDED)


def test_what_stays_encoded_in_an_iri_has_a_finding() -> None:
    # but for code points that no character has, and signs that can be seen and look like no delimiter
    signs = "\u06dd\u1806\ufe45\ufe46" + "".join(map(chr, range(0x2FF0, 0x2FFC)))
    unfit = [each for each in map(chr, range(0x80, 0x110000)) if inappropriate(private=True).match(each)]
    quiet = [each for each in unfit if category(each) not in ("Cn", "Cs") and not lint(f"http://h/a{each}b")]
    assert quiet == sorted(signs)


def test_rules_and_ignore() -> None:
    text = "HTTP://H:80/"
    assert [each.rule for each in lint(text)] == ["upper-case-scheme", "upper-case-host", "default-port"]
    assert [each.rule for each in lint(text, rules=["default-port"])] == ["default-port"]
    assert [each.rule for each in lint(text, ignore=["default-port"])] == [
        "upper-case-scheme",
        "upper-case-host",
    ]
    assert lint(text, rules=["default-port"], ignore=["default-port"]) == []
    assert lint(text, rules=[]) == []
    for unknown in ({"rules": ["no-such"]}, {"ignore": ["no-such"]}):
        with pytest.raises(IriError, match=r"unknown rule 'no-such': docs/lint\.md and"):
            lint(text, **unknown)
    with pytest.raises(IriError, match=r"unknown rule 'defualt-port': did you mean 'default-port'\?"):
        lint(text, ignore=["defualt-port"])
    for one in ({"rules": "default-port"}, {"ignore": "default-port"}, {"ignore": ""}):
        with pytest.raises(TypeError, match="takes several names, not one text"):
            lint(text, **one)
    with pytest.raises(TypeError):
        lint(b"http://h/")  # type: ignore[arg-type]


@pytest.fixture
def without_data(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(scripts, "find_spec", lambda _: None)
    scripts.has_data.cache_clear()
    yield
    scripts.has_data.cache_clear()


@pytest.mark.usefixtures("without_data")
def test_without_the_data_scripts_are_told_to_be_unchecked() -> None:
    told = lint("http://h/аррӏе/pаge/%7E")
    assert [(each.rule, each.offset, each.severity) for each in told] == [
        ("scripts-unchecked", 9, Severity.INFO),
        ("encoded-unreserved", 20, Severity.INFO),
    ]
    assert "pip install '.[lint]'" in told[0].remedy
    assert [each.offset for each in lint("http://xn--pypal-4ve.com/")] == [7]
    assert lint("http://h/a") == []  # nothing to check
    assert lint("http://h/é", ignore=["scripts-unchecked"]) == []
    for rule in NEED_DATA:
        with pytest.raises(IriError, match="extra 'lint'"):
            lint("http://h/", rules=[rule])
    assert lint("http://h/é", rules=["not-nfc"]) == []


def test_with_the_data_nothing_is_unchecked() -> None:
    assert lint("http://h/é", rules=["scripts-unchecked"]) == []


def test_the_core_loads_neither_the_rules_nor_the_data() -> None:
    script = (
        "import sys, iri_canon; iri_canon.key('http://h/'); print('iri_canon.lint.rules' in sys.modules);"
        "iri_canon.lint('http://h/?a#b'); print('fontTools' in sys.modules, 'confusable_homoglyphs' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False", "False"]


@pytest.mark.parametrize(
    ("text", "rule", "message", "remedy"),
    [
        ("http://h/a b", "not-an-iri", "U+0020 SPACE: no IRI holds it", "write %20"),
        ("http://[h", "not-an-iri", "square brackets that hold no IP literal", RULES["not-an-iri"].remedy),
        (
            "http://h/\udce9",
            "not-an-iri",
            "octet E9 is not UTF-8",
            "decode the text by its own charset, or write %E9 for the octet itself",
        ),
        ("http://h\udce9/", "unresolvable-host", "host 'h%E9' is not UTF-8", "correct the host name"),
        (
            "http://h h/",
            "unresolvable-host",
            "host 'h h' holds U+0020 SPACE, which no domain name may",
            "correct the host name",
        ),
        (
            "http://a℀b/",
            "unresolvable-host",
            "host 'a℀b' maps to one that holds U+002F SOLIDUS, which no domain name may",
            "correct the host name",
        ),
        (
            "http://אbא/",
            "unresolvable-host",
            r"host '\u05d0b\u05d0': Invalid direction for codepoint at position 2 in a right-to-left label",
            "correct the host name",
        ),
        (
            "//h/אb",
            "bidi-structure",
            r"'\u05d0b' has both right-to-left and left-to-right characters",
            RULES["bidi-structure"].remedy,
        ),
        (
            "//h/א/1٢",
            "number-beside-rtl",
            r"'1\u0662': numbers beside right-to-left characters show in another place than they stand in",
            RULES["number-beside-rtl"].remedy,
        ),
    ],
)
def test_a_message_has_one_remedy_and_shows_what_it_is_about(
    text: str, rule: str, message: str, remedy: str
) -> None:
    assert (message, remedy) in [(each.message, each.remedy) for each in lint(text) if each.rule == rule]


def test_the_front_door_shows_the_types() -> None:
    assert all(isinstance(each, iri_canon.Finding) for each in lint("http://h:80/"))
    assert lint("http://h:80/")[0].severity is iri_canon.Severity.INFO
    assert {"Finding", "Severity", "lint"} <= set(iri_canon.__all__)


@given(TEXTS)
def test_lint_is_total_and_deterministic(text: str) -> None:
    found = lint(text)
    assert found == lint(text)
    offsets = [each.offset for each in found]
    assert offsets == sorted(offsets)
    # an absent character is at the end: an empty port, a relative reference without anything
    assert all(0 <= offset <= len(text) for offset in offsets)
    assert {each.component for each in found} <= COMPONENTS
    assert all("\n" not in each.message and each.message.isprintable() for each in found)
    # a message that orders itself anew on display would not show what it is about
    assert all({"R", "AL", "AN"}.isdisjoint(map(bidirectional, each.message)) for each in found)
    assert all(isinstance(each, Finding) for each in found)


@given(TEXTS)
def test_a_subject_is_the_text_again(text: str) -> None:
    subject = Subject(text)
    assert subject.before + subject.text + subject.after == text
    assert str(subject.iri) == subject.text
    assert all(subject.text[part.offset : part.end] == part.text for part in subject.parts)


@given(TEXTS)
def test_what_is_no_iri_has_an_error(text: str) -> None:
    errors = {each.rule for each in lint(text) if each.severity is Severity.ERROR}
    assert is_valid(text, "IRI-reference") or errors
    assert is_valid(Subject(text).text, "IRI-reference") == ("not-an-iri" not in errors)


LOWER = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12)
SEGMENT = st.text("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_~!$'()*+,;=:@", min_size=1, max_size=12)


@given(
    st.sampled_from(["http", "https"]),
    st.lists(LOWER, min_size=1, max_size=4),
    st.lists(SEGMENT),
    st.lists(SEGMENT),
)
def test_plain_urls_have_no_findings(
    scheme: str, labels: list[str], segments: list[str], names: list[str]
) -> None:
    text = f"{scheme}://{'.'.join(labels)}/{'/'.join(segments)}"
    assert lint(f"{text}?{'&'.join(names)}" if names else text) == []


@pytest.mark.parametrize("place", PLACES)
def test_findings_have_a_bound(place: str) -> None:
    for unit in UNITS:
        found = [each.rule for each in lint(fill(place, UNITS[unit], 2_000))]
        assert all(found.count(rule) <= LIMIT for rule in found)


@pytest.mark.parametrize("length", [*range(508, 515), 5_000])
def test_long_texts_are_looked_at_whole(length: int) -> None:
    # however long it is: one finding a component, where it begins to differ
    text = "http://h/" + "é" * length
    assert lint(text, rules=["not-nfc"]) == []
    for marked in (1, 2, 2_000):
        found = lint(text + "e\u0301" * marked + "?e\u0301", rules=["not-nfc"])
        query = len(text) + 2 * marked + 1
        assert [(each.component, each.offset) for each in found] == [("path", len(text)), ("query", query)]


MORE_UNITS = {
    **UNITS,
    "marks": "\u0301\u0323",
    "base-and-marks": "a\u0301\u0323\u0301",
    "jamo": "\u1161",
    "marks-made-of-marks": "\u0f73",
    "overlong": "%C0%AF",
    "surrogates-in-triplets": "%ED%A0%80",
    "double-encoding": "%2520",
    "zwnj": "ن\u200c",
    "joiners": "\u200c\u200d",
    "transparent": "ن\u064b",
    "tags": "\U000e0061",
    "selectors": "\ufe0f",
    "mojibake": "Ã©",
    "mixed": "aа",
    "mixed-words": "аррӏе ",
    "rtl-numbers": "א1/",
    "width": "Ａ",
    "looks": "\u2044",
    "dots-encoded": "%2e%2e%2f",
}


def test_a_uri_may_have_as_many_characters_as_the_limit() -> None:
    assert LONGEST == 2083
    for begin, character, length in (
        ("http://h/a", "a", 1),
        ("http://h/", "é", 6),
        ("http://h/aaaa", "é", 6),
    ):
        within = begin + character * ((2083 - len(begin)) // length)
        longer = within + "a" * (2084 - len(iri_canon.to_uri(within)))
        assert lint(longer[:-1], rules=["too-long"]) == []
        assert [each.offset for each in lint(longer, rules=["too-long"])] == [len(longer) - 1]


@pytest.mark.parametrize("unit", MORE_UNITS)
def test_lint_is_linear(unit: str) -> None:
    for place in ("alone", "host", "userinfo", "path", "query"):
        small, large = (
            PLACES[place].replace("{}", MORE_UNITS[unit] * (size // len(MORE_UNITS[unit])))
            for size in (5_000, 20_000)
        )
        assert is_linear(lint, small, large), place


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("unit", ["percent", "marks", "zwnj", "rtl-numbers", "overlong", "mixed-words"])
def test_much_is_linear(unit: str) -> None:
    for place in ("host", "path"):
        small, large = (
            PLACES[place].replace("{}", MORE_UNITS[unit] * (size // len(MORE_UNITS[unit])))
            for size in (MUCH // 4, MUCH)
        )
        assert is_linear(lint, small, large), place


@pytest.fixture(scope="module")
def make_lint() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_lint", ROOT / "docs" / "make_lint.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_made_from_the_table(make_lint: ModuleType) -> None:
    assert make_lint.PAGE.read_text(encoding="utf-8") == make_lint.page(), "run python docs/make_lint.py"
    assert all(f"| `{name}` |" in make_lint.page() for name in RULES)


def test_a_page_that_claims_what_lint_does_not_do_cannot_be_made(
    make_lint: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = make_lint.examples()
    monkeypatch.setattr(make_lint, "examples", lambda: {**claimed, "empty-port": ("http://h/", "http://h/")})
    with pytest.raises(ValueError, match="empty-port does not find"):
        make_lint.page()


def test_a_check_says_its_clause_in_its_docstring_too() -> None:
    for rule in RULES.values():
        assert (rule.check.__doc__ or "").startswith(f"{rule.clause}: "), rule


FOLDER = shared_folder()
LISTS = sorted((FOLDER / "urls").glob("*.txt.gz")) if FOLDER else []


@pytest.mark.skipif(not LISTS, reason=NO_SHARED_FOLDER)
def test_few_real_urls_are_complained_of() -> None:
    texts = []
    for path in LISTS:
        if path.name != "iri_mixed.txt.gz":  # the unusual lines of the others
            with gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
                texts += [line.removesuffix("\n") for line in islice(file, 0, None, 101)]
    # what Node adds to names of files is one list's own; the rest was 0.4 % with errors, 0.4 % more with warnings
    found = [lint(text, ignore=["scheme-component"]) for text in texts]
    worst = [max((each.severity for each in findings), default=None) for findings in found]
    assert len(texts) > 3_000
    assert worst.count(Severity.ERROR) < 0.01 * len(texts)
    assert worst.count(Severity.WARNING) < 0.01 * len(texts)
