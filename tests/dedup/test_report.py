"""A report has the numbers of its run, and text of a log is text in it: no element, no script, no order of its own."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from html.parser import HTMLParser
from typing import Any

import pytest
from folders import ROOT
from hypothesis import example, given
from hypothesis import strategies as st

from dedup.summaries import EMPTY, HOSTILE, hostile, ordinary, page
from iri_canon.dedup.report import evidence, render, shown
from iri_canon.equivalence.evidence import REASONS

FOLDER = ROOT / "iri_canon" / "dedup" / "report"
CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


class Read(HTMLParser):
    """What a page consists of: elements with their attributes, the text of each, in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.elements:
            self.texts.append((self.elements[-1][0], data))

    @property
    def text(self) -> str:
        """What is read on the page."""
        return " ".join(data for tag, data in self.texts if tag not in ("script", "style"))

    def attributes(self, name: str) -> Iterator[str]:
        """The values of an attribute, of whatever element."""
        return (attributes[name] for _, attributes in self.elements if name in attributes)


@pytest.fixture(scope="module")
def an_ordinary() -> Read:
    return Read(render(ordinary()))


@pytest.fixture(scope="module")
def a_hostile() -> Read:
    return Read(render(hostile()))


# -- what is in it


@pytest.mark.parametrize(
    "told",
    [
        "49.6 %",
        "of 48,210 records fetched a page again: 23,892 duplicates, 24,318 distinct pages.",
        "april.warc.gz",
        "cut off at byte 40960",
        "RFC 3987 5.3.4",
        "trailing-slash",
        "shop.example.com",
        "2026-03-02T23:00Z",
        "412 redirects were observed: 301 joined two spellings of a page, 111 did not.",
        "Of 96 pages a digest is known; 41 were joined to another by an equal one.",
        "7 pairs and 2 rules",
        "no convention explains it",
        "retracted",
        "w3lib",
        "98.1 %",
        "march.jsonl.gz:17: byte 2048: no JSON",
        "4 records could not be read.",
    ],
)
def test_what_a_run_told_is_there(an_ordinary: Read, told: str) -> None:
    assert told in an_ordinary.text
    assert told not in Read(render(EMPTY)).text or told == "RFC 3987 5.3.4"


def test_a_row_of_the_ladder_tells_how_many_fewer_there_are(an_ordinary: Read) -> None:
    wanted = ["Syntax: case, triplets, dots", "RFC 3987 5.3.2", "28,411", "2,593", "5.4 %"]
    texts = [data for tag, data in an_ordinary.texts if tag in ("bdi", "div") and data.strip()]
    begin = texts.index(wanted[0])
    assert texts[begin : begin + len(wanted)] == wanted


def test_a_table_is_there_for_each_picture(an_ordinary: Read) -> None:
    ids = set(an_ordinary.attributes("id"))
    charts = {name for name in ids if name.endswith("-chart")}
    assert charts == {
        f"{name}-chart" for name in ("ladder", "steps", "hosts", "sections", "times", "against")
    }
    tables = {name.removesuffix("-table") for name in ids if name.endswith("-table")}
    assert {name.removesuffix("-chart") for name in charts} - tables == {"against"}
    assert "joins" in tables  # what the last one shows
    pictures = [attributes for _, attributes in an_ordinary.elements if attributes.get("role") == "img"]
    assert [each["id"] for each in pictures if len(each["aria-label"]) < 40] == []


def test_each_id_is_there_once(an_ordinary: Read) -> None:
    counts = Counter(an_ordinary.attributes("id"))
    assert [name for name, count in counts.items() if count > 1] == []
    named = [name for value in an_ordinary.attributes("aria-labelledby") for name in value.split()]
    linked = [href[1:] for href in an_ordinary.attributes("href") if href.startswith("#")]
    assert set(named) | set(linked) <= set(counts)
    assert len(linked) > 5


def test_nothing_was_read() -> None:
    read = Read(render(EMPTY))
    assert "There was no record to read." in read.text
    assert "Compared with another" not in read.text
    assert "Compared with another" in Read(render(ordinary())).text


def test_rules_that_were_not_looked_for_are_not_said_to_be_missing() -> None:
    nothing, unknown = "Nothing was seen often enough", "too many records to look for rules"
    for rules, told, untold in (([], nothing, unknown), (None, unknown, nothing)):
        made = Read(render({**EMPTY, "rules": rules})).text
        assert told in made
        assert untold not in made


def test_nothing_was_fetched_twice() -> None:
    summary = {**EMPTY, "records": 2, "spellings": 2, "classes": 2, "rungs": dict.fromkeys(EMPTY["rungs"], 2)}
    assert "2 records, and no page was fetched twice." in Read(render(summary)).text
    assert "no page was fetched twice." not in Read(render(ordinary())).text


@pytest.mark.parametrize(
    "part", ["records", "rungs", "steps", "hosts", "top", "redirects", "files", "version"]
)
def test_a_summary_without_a_part_is_refused(part: str) -> None:
    summary = {name: value for name, value in EMPTY.items() if name != part}
    with pytest.raises(KeyError, match=part):
        render(summary)


def test_the_same_run_gives_the_same_page() -> None:
    assert render(ordinary()) == render(ordinary())


def test_more_spellings_than_are_shown_are_counted() -> None:
    row = {**page("http://h/", "http://h:80/"), "spellings": 1_234}
    assert "and 1,232 more" in Read(render({**EMPTY, "top": [row]})).text
    assert (
        "more"
        not in Read(render({**EMPTY, "top": [page("http://h/", "http://h:80/")]}))
        .text.split("Key:")[1]
        .split("What the servers")[0]
    )


# -- that text does nothing


def test_hostile_text_makes_no_element(an_ordinary: Read, a_hostile: Read) -> None:
    """What elements and attributes there are is the template's doing, whatever the text."""
    known = {(tag, name) for tag, attributes in an_ordinary.elements for name in ("", *attributes)}
    found = {(tag, name) for tag, attributes in a_hostile.elements for name in ("", *attributes)}
    assert found <= known
    assert [name for _, name in found if name.startswith("on") or name in ("src", "style", "srcdoc")] == []
    scripts = [attributes for tag, attributes in a_hostile.elements if tag == "script"]
    assert len(scripts) == len([tag for tag, _ in an_ordinary.elements if tag == "script"])


def test_hostile_text_is_text(a_hostile: Read) -> None:
    for told in ("http://h/<script>window.injected=1</script>", "{{7*7}}", "&lt;b&gt;&amp;", "<b>bold</b><a"):
        assert told in a_hostile.text
    assert "49" not in a_hostile.text.split("{{7*7}}")[1][:20]


def test_hostile_links_lead_nowhere(a_hostile: Read) -> None:
    hrefs = [href for href in a_hostile.attributes("href") if not href.startswith("#")]
    assert {href for href in hrefs if not href.startswith("http://h/")} == {"data:,"}
    assert len(hrefs) > 20
    for tag, attributes in a_hostile.elements:
        if tag == "a" and attributes["href"].startswith("http"):
            assert attributes["rel"] == "noreferrer noopener"
            assert attributes["target"] == "_blank"


def test_the_page_has_no_control_and_no_direction_of_its_own(a_hostile: Read) -> None:
    source = render(hostile())
    source.encode()  # no lone surrogate
    texts = [data for _, data in a_hostile.texts]
    values = [
        value
        for _, attributes in a_hostile.elements
        for name, value in attributes.items()
        if name != "href"  # which leads where the log says
    ]
    assert [text for text in (*texts, *values) if CONTROLS.search(text)] == []
    assert CONTROLS.search(HOSTILE[8])
    isolates = [value for value in values if "\u2066" in value]
    assert isolates
    assert [value for value in isolates if value.count("\u2066") != value.count("\u2069")] == []


def test_figures_are_json_that_no_text_ends(a_hostile: Read) -> None:
    kinds = [attributes.get("type") for tag, attributes in a_hostile.elements if tag == "script"]
    assert kinds == [*["application/json"] * 6, "text/plain", None]
    figures = [data for tag, data in a_hostile.texts if tag == "script" and data.startswith('{"data"')]
    assert len(figures) == 6
    for figure in figures:
        assert "<" not in figure
        made = json.loads(figure)
        labels = [note["text"] for note in made["layout"].get("annotations", ())]
        assert [label for label in labels if "<" in label] == []
    assert any("&lt;script&gt;" in figure for figure in figures)


def test_the_policy_allows_what_is_in_the_page_and_no_more() -> None:
    source = render(ordinary())
    read = Read(source)
    (policy,) = [
        attributes["content"]
        for _, attributes in read.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert "connect-src" not in rules
    packed = source.split('<script type="text/plain" id="library">')[1].split("</script>")[0]
    library = gzip.decompress(base64.b64decode(packed))
    script = source.rsplit("<script>", 1)[1].split("</script>")[0].encode()
    hashes = [base64.b64encode(hashlib.sha256(text).digest()).decode() for text in (script, library)]
    assert rules["script-src"].split() == [f"'sha256-{each}'" for each in hashes]
    assert b"plotly.js" in library[:200]


def test_what_is_in_the_page_takes_nothing_from_elsewhere() -> None:
    for name in ("page.html", "page.css", "page.js"):
        source = (FOLDER / name).read_text(encoding="utf-8")
        assert re.findall(r"https?:|url\(|@import|\bfetch\(|XMLHttpRequest|\beval\b|innerHTML", source) == []


@pytest.mark.slow
def test_the_size_is_bounded() -> None:
    long = ["http://h/" + letter * 100_000 for letter in ("a", "\u05d0", "\u202e", "\udce9")]
    steps = [{"rung": "syntax", "name": "a", "clause": "b", "after": text + "x"} for text in long]
    row = {
        "key": long[0],
        "representative": long[1],
        "count": 100,
        "spellings": 20,
        "rung": "syntax",
        "urls": [f"{long[number % 4]}{number}" for number in range(20)],
        "steps": ["a"],
        "explanation": [{"url": f"{long[number % 4]}{number}", "steps": steps} for number in range(20)],
    }
    begin = time.process_time()
    made = render({**EMPTY, "top": [row] * 100})
    assert time.process_time() - begin < 60
    assert len(made) < 40_000_000


def test_what_the_page_is_made_of_is_packed() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
        "package-data"
    ]["iri_canon"]
    others = [path.relative_to(ROOT / "iri_canon") for path in FOLDER.iterdir() if path.suffix != ".py"]
    others = [path for path in others if path.name != "__pycache__"]
    assert len(others) == 3
    assert [path for path in others if not any(fnmatch(str(path), pattern) for pattern in patterns)] == []


# -- how a text is shown


@pytest.mark.parametrize(
    "text",
    [
        "http://h/",
        "HTTPS://H.example:8080/a?b#c",
        "http://h/@user",
        "http://b\u00fccher.example/",
        "http://1.2.3.4",
    ],
)
def test_a_plain_url_is_a_link(text: str) -> None:
    assert f'href="{text}"' in shown.url(text)
    assert "href" not in shown.key(text)


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "\tjavascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "ftp://h/",
        "file:///etc/passwd",
        "//h/",
        "/a",
        "h",
        " http://h/",
        "http://h/ a",
        "http://h/\n",
        "http://user@h/",
        "http://h.example\\@evil.example/",
        "http:///h/",
        "http:h/",
        "http://h:99999/",
        "http://[h/",
        "http://h/\udce9",
        "http://h/" + "a" * 1000,
    ],
)
def test_what_a_browser_may_read_otherwise_is_no_link(text: str) -> None:
    assert "href" not in shown.url(text)


def test_a_long_url_is_cut_in_the_middle_and_unfolds() -> None:
    text = "http://h/" + "a" * 200 + "/end"
    made = str(shown.url(text))
    assert made.startswith('<details class="long"><summary class="url"><bdi dir="ltr">http://h/aaa')
    assert "a/end</bdi></summary>" in made
    assert f'href="{text}"' in made
    assert f">{text}</bdi></a></details>" in made
    assert "<details" not in shown.url("http://h/" + "a" * 60)


def test_of_a_very_long_url_the_page_says_what_it_leaves_out() -> None:
    made = str(shown.url("http://h/" + "a" * 100_000 + "/end"))
    assert "100,013 characters, 99,013 of them left out here" in made
    assert "/end</bdi>" in made
    assert len(made) < 2_000


hostile_text = st.text(
    st.characters(exclude_categories=(), exclude_characters="\u2026"), max_size=80
) | st.text("ab%2Ff/\u05d0\u0301\u200d\u202e<&\udce9", max_size=80)


@given(hostile_text, st.integers(4, 60))
@example("http://h/%C3%A9%C3%A9", 16)
def test_a_cut_text_is_a_beginning_and_an_end(text: str, most: int) -> None:
    made = shown.cut(text, most)
    if len(text) <= most:
        assert made == text
        return
    assert len(made) <= most
    head, _, tail = made.partition("\u2026")  # which no text here has
    assert text.startswith(head)
    assert text.endswith(tail)


def test_a_cut_leaves_triplets_and_letters_whole() -> None:
    text = "%C3%A9" * 20
    for most in range(10, 40):
        head, _, tail = shown.cut(text, most).partition("\u2026")
        assert re.fullmatch("(%[0-9A-F]{2})+", head)
        assert re.fullmatch("(%[0-9A-F]{2})+", tail)
        assert "\u2026\u0301" not in shown.cut("e\u0301" * 30, most)


def parts_of(made: str) -> tuple[str, str]:
    """The text before and after a change, as it is shown."""
    inner = re.fullmatch('<bdi dir="ltr" class="url">(.*)</bdi>', made, re.DOTALL)
    assert inner is not None
    before = re.sub("<ins>.*?</ins>", "", inner[1], flags=re.DOTALL)
    after = re.sub("<del>.*?</del>", "", inner[1], flags=re.DOTALL)
    return Read(f"<p>{before}</p>").text.replace(" ", ""), Read(f"<p>{after}</p>").text.replace(" ", "")


@given(st.text("abC/.%2f", max_size=30), st.text("abC/.%2f", max_size=30))
@example("http://h/%2f", "http://h/%2F")
@example("", "a")
def test_a_change_has_both_texts_in_it(before: str, after: str) -> None:
    assert parts_of(str(shown.change(before, after))) == (before, after)


@given(hostile_text, hostile_text)
def test_a_change_of_any_text_is_escaped(before: str, after: str) -> None:
    made = str(shown.change(before, after))
    made.encode()
    assert set(re.findall("<[^>]*>", made)) <= {
        '<bdi dir="ltr" class="url">',
        "</bdi>",
        "<del>",
        "</del>",
        "<ins>",
        "</ins>",
    }
    assert CONTROLS.search(made) is None


@given(hostile_text)
@example(HOSTILE[2])
@example("\u2066\u202e")
def test_any_text_is_escaped_everywhere(text: str) -> None:
    for made in (shown.url(text), shown.key(text), shown.line(text), shown.text(text)):
        made.encode()
        read = Read(str(made))
        assert {tag for tag, _ in read.elements} <= {"a", "bdi", "span", "details", "summary"}
        assert CONTROLS.search(read.text) is None
    label = shown.label(text, 30)
    assert "<" not in label
    assert len(shown.plain(text, 30)) <= 32


def test_a_change_that_cannot_be_seen_is_told_by_its_numbers() -> None:
    made = str(shown.change("\x01http://h/\u202e", "http://h/%E2%80%AE"))
    assert "\\x01" in made
    assert "\\u202e" in made
    assert "\\u202e" not in shown.change("http://h/\u202e", "http://h/%E2%80%AE/")


def picture(source: str, name: str) -> dict[str, Any]:
    """A figure of a page."""
    part = source.split(f'id="{name}-chart"')[1].split('<script type="application/json">')[1]
    made: dict[str, Any] = json.loads(part.split("</script>")[0])
    return made


def test_days_of_many_years_are_drawn_by_month() -> None:
    days = [
        {"from": f"{year}-0{month}-05", "records": 5, "new": 2}
        for year in (2020, 2021, 2022)
        for month in (1, 2, 2)
    ]
    made = picture(render({**EMPTY, "times": days, "bucket": "day"}), "times")
    assert made["data"][0]["x"] == ["2020-01", "2020-02", "2021-01", "2021-02", "2022-01", "2022-02"]
    assert made["data"][0]["y"] == [2, 4] * 3
    assert made["data"][1]["y"] == [3, 6] * 3
    assert "a bar a month" in Read(render({**EMPTY, "times": days, "bucket": "day"})).text
    source = render({**EMPTY, "times": days[:6], "bucket": "day"})
    few = picture(source, "times")
    assert "a bar a month" not in Read(source).text
    assert few["data"][0]["x"] == [day["from"] for day in days[:6]]


def test_each_reason_is_told_in_words() -> None:
    assert set(REASONS) <= set(evidence.REASONS)
    redirects = {**EMPTY["redirects"], "refused": {"unexplained": 2, "of another time": 1}}
    read = Read(render({**EMPTY, "redirects": redirects})).text
    assert "unexplained: no convention explains it" in read
    assert "of another time" in read


def test_a_bar_for_each_row_up_to_a_bound() -> None:
    made = picture(render(ordinary()), "hosts")
    assert made["data"][0]["x"][:2] == [5200, 2600]
    assert made["data"][1]["x"][:2] == [3800, 1900]
    assert len(made["data"][0]["x"]) == 12
    assert made["layout"]["annotations"][0]["text"] == "shop.example.com"


def test_a_comparison_without_contents_says_so() -> None:
    summary = ordinary()
    summary["against"] = {**summary["against"], "content": None}
    told = "The records have no digests"
    assert told in Read(render(summary)).text
    assert told not in Read(render(ordinary())).text
