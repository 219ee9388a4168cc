"""Each case of tests/vectors/*.toml by its name: what is joined, at which rung, and what stays distinct."""

import json
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import iri_canon
from iri_canon import IriError, IriSyntaxError, Rung

VECTORS = Path(__file__).parent / "vectors"
COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
Case = dict[str, Any]


def load(name: str) -> dict[str, list[Case]]:
    with (VECTORS / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def cases(name: str, table: str = "case") -> pytest.MarkDecorator:
    rows = load(name)[table]
    return pytest.mark.parametrize("case", rows, ids=[row["name"] for row in rows])


def from_json(text: str) -> str:
    """A string in JSON notation, without its quotes: lone surrogates have no other."""
    return str(json.loads(f'"{text}"'))


def text_of(case: Case) -> str | bytes:
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    return from_json(case["json"]) if "json" in case else str(case["text"])


GROUPS = load("equivalence")["group"]
EQUIVALENCE_CASES = [
    pytest.param(kind, case, id=f"{group['name']}-{kind}-{case['name']}")
    for group in GROUPS
    for kind in ("same", "distinct")
    for case in group.get(kind, ())
]


@pytest.mark.parametrize("group", GROUPS, ids=[group["name"] for group in GROUPS])
def test_every_equality_has_a_twin_that_stays_distinct(group: Case) -> None:
    assert group.keys() == {"name", "clause", "same", "distinct"}
    assert group["same"]
    assert group["distinct"]
    names = [case["name"] for kind in ("same", "distinct") for case in group[kind]]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(rows, id=f"{file}-{table}")
        for file in (
            "canonical",
            "parse",
            "errors",
            "resolve",
            "mapping",
            "prepare",
            "explain",
            "document",
            "find",
        )
        for table, rows in load(file).items()
    ],
)
def test_names_are_unique(table: list[Case]) -> None:
    names = [case["name"] for case in table]
    assert len(names) == len(set(names))


def test_group_names_are_unique() -> None:
    names = [group["name"] for group in GROUPS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("kind", "case"), EQUIVALENCE_CASES)
def test_equivalence(kind: str, case: Case) -> None:
    texts = [from_json(text) for text in case["json"]] if "json" in case else case["urls"]
    rung = Rung[case["rung"]]
    for a, b in combinations(texts, 2):
        lowest = iri_canon.lowest_rung(a, b)
        if kind == "same":
            assert lowest is rung, (a, b, iri_canon.key(a), iri_canon.key(b))
            joined = [r for r in Rung if iri_canon.equivalent(a, b, r)]
            assert joined == [r for r in Rung if r >= rung]
        else:
            assert lowest is None or lowest > rung, (a, b, iri_canon.key(a))
            assert not any(iri_canon.equivalent(a, b, r) for r in Rung if r <= rung)


@cases("canonical")
def test_canonical(case: Case) -> None:
    options = {name: case[name] for name in ("encoding", "keep_fragment") if name in case}
    rung = Rung[case.get("rung", "SCHEME")]
    assert iri_canon.canonicalize(text_of(case), rung, **options) == case["canonical"]
    # what is canonical stays as it is, and is its own key but for the fragment
    assert iri_canon.canonicalize(case["canonical"], rung) == case["canonical"]
    assert iri_canon.key(case["canonical"], rung) == case["canonical"].partition("#")[0]


@cases("parse")
def test_parse(case: Case) -> None:
    iri = iri_canon.parse(case["text"])
    parts = {name: getattr(iri, name) for name in COMPONENTS}
    assert parts == {name: case.get(name) for name in COMPONENTS}
    assert str(iri) == case["text"]
    assert iri.replace(path=iri.path) is iri


@cases("errors")
def test_errors(case: Case) -> None:
    with pytest.raises(IriSyntaxError) as caught:
        iri_canon.parse(case["text"])
    error = caught.value
    assert (error.component, error.offset) == (case["component"], case["offset"])
    assert case.get("reason", "") in error.reason
    assert error.component in str(error)
    assert str(error.offset) in str(error)
    assert error.reason in str(error)
    assert iri_canon.key(case["text"]) == case["text"]
    for raises in (iri_canon.canonicalize, iri_canon.explain):
        with pytest.raises(IriSyntaxError) as again:
            raises(case["text"])  # type: ignore[operator]
        assert again.value.offset == case["offset"]


def test_the_offset_is_that_of_the_text_as_found() -> None:
    with pytest.raises(IriSyntaxError) as caught:
        iri_canon.canonicalize(" ht\ttp://example:65536/")
    assert (caught.value.component, caught.value.offset) == ("port", 17)


@cases("resolve")
def test_resolve(case: Case) -> None:
    target = iri_canon.resolve(case["base"], case["reference"], strict=case.get("strict", True))
    assert target == case["target"]


@cases("mapping", "to_uri")
def test_to_uri(case: Case) -> None:
    iri = bytes.fromhex(case["hex"]) if "hex" in case else case["iri"]
    options = {name: case[name] for name in ("encoding", "toascii", "strict") if name in case}
    assert iri_canon.to_uri(iri, **options) == case["uri"]
    assert iri_canon.to_uri(case["uri"]) == case["uri"]


@cases("mapping", "to_iri")
def test_to_iri(case: Case) -> None:
    assert iri_canon.to_iri(case["uri"], tounicode=case.get("tounicode", False)) == case["iri"]
    assert iri_canon.lowest_rung(case["iri"], case["uri"]) is not None


@cases("prepare")
def test_prepare(case: Case) -> None:
    expected = from_json(case["prepared_json"]) if "prepared_json" in case else case["prepared"]
    assert iri_canon.prepare(text_of(case), case["carrier"]) == expected  # type: ignore[arg-type]


def test_prepare_refuses_an_unknown_carrier() -> None:
    with pytest.raises(IriError, match="sgml"):
        iri_canon.prepare("http://example.com/", "sgml")  # type: ignore[arg-type]


@cases("explain")
def test_explain(case: Case) -> None:
    steps = iri_canon.explain(case["text"])
    assert [step.name for step in steps] == case["steps"]
    assert sorted({step.rung for step in steps}) == [Rung[name] for name in case["rungs"]]
    assert [step.rung for step in steps] == sorted(step.rung for step in steps)
    before = case["text"]
    for step in steps:
        assert step.before == before != step.after
        assert any(step.clause.startswith(source) for source in ("RFC ", "UTS #46")), step.clause
        before = step.after
    assert before == iri_canon.canonicalize(case["text"])


# ------------------------------------------------------------------------------------------ register_scheme


def test_a_registered_default_port_is_dropped_from_then_on() -> None:
    texts = ("x-ported://example.com:1234/", "x-ported://example.com/")
    assert iri_canon.lowest_rung(*texts) is None
    iri_canon.register_scheme("X-Ported", default_port=1234)
    assert iri_canon.lowest_rung(*texts) is Rung.SCHEME
    assert iri_canon.lowest_rung("x-ported://example.com:1235/", texts[1]) is None
    assert iri_canon.lowest_rung("x-portal://example.com:1234/", "x-portal://example.com/") is None


def test_a_registered_kind_of_host_is_read_from_then_on() -> None:
    idn, number = "é.example", "0x7f.1"
    iri_canon.register_scheme("x-dns", host="dns")
    iri_canon.register_scheme("x-web", host="web")
    assert iri_canon.key(f"x-dns://{idn}/") == "x-dns://xn--9ca.example/"
    assert iri_canon.key(f"x-web://{idn}/") == "x-web://xn--9ca.example/"
    assert iri_canon.key(f"x-opaque://{idn}/") == "x-opaque://%C3%A9.example/"
    assert iri_canon.key(f"x-web://{number}/") == "x-web://127.0.0.1/"
    assert iri_canon.key(f"x-dns://{number}/") == f"x-dns://{number}/"


def test_a_registered_need_of_a_host_keeps_the_syntax_form() -> None:
    iri_canon.register_scheme("x-hosted", default_port=99, needs_host=True)
    assert iri_canon.key("X-HOSTED://:99") == "x-hosted://:99"
    assert iri_canon.key("X-HOSTED://h:99") == "x-hosted://h/"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("1x", {}),
        ("", {}),
        ("x y", {}),
        ("x:", {}),
        ("é", {}),
        ("x-bad", {"default_port": 65536}),
        ("x-bad", {"default_port": -1}),
        ("x-bad", {"host": "ip"}),
        ("http", {"default_port": 81}),
    ],
)
def test_register_scheme_refuses(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(IriError):
        iri_canon.register_scheme(name, **options)
    assert iri_canon.key("http://example.com:80/") == "http://example.com/"


# ------------------------------------------------------------------------------------------ values, ladders


def test_absent_is_not_empty() -> None:
    absent, empty = iri_canon.parse("http://h"), iri_canon.parse("http://@h:?#")
    assert (absent.userinfo, absent.port, absent.query, absent.fragment) == (None,) * 4
    assert (empty.userinfo, empty.port, empty.query, empty.fragment) == ("",) * 4
    assert absent != empty
    assert (iri_canon.parse("a").authority, iri_canon.parse("//").authority) == (None, "")


def test_a_value_is_frozen() -> None:
    iri = iri_canon.parse("http://h/")
    with pytest.raises(AttributeError):
        iri.path = "/a"  # type: ignore[misc]
    assert not hasattr(iri, "__dict__")
    assert str(iri.replace(path="/a", query="")) == "http://h/a?"


def test_fragments_count_only_when_asked() -> None:
    texts = ("http://example.com/i.jsp#/c1", "http://example.com/i.jsp#/c2")
    assert iri_canon.Ladder().equivalent(*texts)
    assert not iri_canon.Ladder(keep_fragment=True).equivalent(*texts)
    assert iri_canon.Ladder(keep_fragment=True).key("http://h#%7e") == "http://h/#~"
    assert iri_canon.canonicalize(texts[0]) != iri_canon.canonicalize(texts[1])
    assert iri_canon.canonicalize(texts[0], keep_fragment=False) == "http://example.com/i.jsp"


def test_the_empty_fragment_is_another_uri_but_the_same_page() -> None:
    texts = ("http://example.com/#", "http://example.com/")  # RFC 3986 6.2.3 and 6.1
    assert iri_canon.canonicalize(texts[0]) != iri_canon.canonicalize(texts[1])
    assert iri_canon.key(texts[0]) == iri_canon.key(texts[1])


def test_octets_and_text_have_one_key() -> None:
    text = "http://example.com/é?\udce9"
    assert iri_canon.key(text.encode("utf-8", "surrogateescape")) == iri_canon.key(text)
    assert iri_canon.key(b"http://example.com:99999/\xe9") == "http://example.com:99999/\udce9"


@pytest.mark.parametrize("encoding", ["no-such-charset", "ascii", "base64"])
def test_octets_that_the_encoding_lacks(encoding: str) -> None:
    with pytest.raises(IriError):
        iri_canon.canonicalize(b"http://example.com/\xff", encoding=encoding)
    with pytest.raises(IriError):
        iri_canon.to_uri(b"http://example.com/\xff", encoding=encoding)


@pytest.mark.parametrize("junk", [None, 1, ["http://example.com/"]])
def test_only_text_and_octets_have_keys(junk: Any) -> None:
    with pytest.raises(TypeError):
        iri_canon.key(junk)


class Observed:
    """One observed pair."""

    def representative(self, key: str) -> str | None:
        return "http://example.com/data/" if key == "http://example.com/data" else None


def test_an_observed_pair_is_one_in_the_direction_of_the_redirect() -> None:
    ladder = iri_canon.Ladder(Rung.PROTOCOL, equivalences=Observed())
    source, target = "http://EXAMPLE.com/data", "http://example.com/data/"  # RFC 3987 5.3.4
    assert ladder.key(source) == ladder.key(target) == target
    assert ladder.lowest_rung(source, target) is Rung.PROTOCOL
    assert ladder.lowest_rung("http://example.com/data", "http://example.com:80/data") is Rung.SCHEME
    assert ladder.lowest_rung("http://example.com/other", "http://example.com/other/") is None
    assert [step.rung for step in ladder.explain(source)] == [Rung.SYNTAX, Rung.PROTOCOL]
    assert ladder.explain(source)[-1].after == target


def test_text_that_does_not_parse_meets_no_observation() -> None:
    class Everything:
        def representative(self, key: str) -> str | None:
            return "http://example.com/"

    ladder = iri_canon.Ladder(Rung.PROTOCOL, equivalences=Everything())
    assert ladder.key("http://h:x/") == "http://h:x/"
