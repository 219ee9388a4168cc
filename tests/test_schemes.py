"""Each scheme of the table: its port, its host, what it lacks; for every equality a twin that stays different."""

import importlib.util
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from folders import ROOT

import iri_canon
from iri_canon import Rung, restrictions
from iri_canon.scheme_table import TABLE

VECTORS = tomllib.loads((Path(__file__).parent / "vectors" / "schemes.toml").read_text(encoding="utf-8"))
ELIDED: dict[str, int] = VECTORS["elided"]
COUNTED: dict[str, int] = VECTORS["counted"]
OPAQUE: dict[str, int] = VECTORS["opaque"]
AUTHORITY: dict[str, str] = {name: rule for rule, names in VECTORS["authority"].items() for name in names}
HOSTS: dict[str, str] = {name: kind for kind, names in VECTORS["hosts"].items() for name in names}
LACKING: dict[str, list[str]] = VECTORS["lacking"]
PORTS = sorted({*ELIDED.values(), *COUNTED.values(), *OPAQUE.values()})


def named(table: str) -> pytest.MarkDecorator:
    rows: list[dict[str, Any]] = VECTORS[table]
    assert len({row["name"] for row in rows}) == len(rows)
    return pytest.mark.parametrize("case", rows, ids=[row["name"] for row in rows])


def test_the_table_has_every_permanent_scheme_and_says_where_each_row_comes_from() -> None:
    assert set(VECTORS["permanent"]) - TABLE.keys() == set()
    assert [row.name for row in TABLE.values() if not row.source] == []
    assert [name for name, row in TABLE.items() if row.name != name or name != name.lower()] == []


def test_every_port_of_the_table_has_its_case() -> None:
    ports = {name: int(row.default_port) for name, row in TABLE.items() if row.default_port is not None}
    assert ports == {**ELIDED, **COUNTED, **OPAQUE}
    assert {name for name, row in TABLE.items() if row.elided_port is not None} == set(ELIDED)


@pytest.mark.parametrize(("scheme", "port"), ELIDED.items())
def test_a_default_port_goes_without_saying(scheme: str, port: int) -> None:
    bare = f"{scheme}://example.com/a"
    for same in (f"{scheme}://example.com:{port}/a", f"{scheme}://example.com:0{port}/a"):
        assert iri_canon.lowest_rung(bare, same) is Rung.SCHEME
        assert iri_canon.key(same) == bare
    assert (
        iri_canon.lowest_rung(f"{scheme}://example.com", f"{scheme.upper()}://EXAMPLE.com:{port}")
        is Rung.SCHEME
    )
    others = {f"{scheme}://example.com:{other}/a" for other in {*PORTS, port - 1, port + 1} - {port}}
    assert len({iri_canon.key(each) for each in others} | {bare}) == len(others) + 1
    assert iri_canon.key(f"{scheme}://example.com:{port}/a") not in {
        iri_canon.key(f"{other}://example.com:{port}/a") for other in TABLE if other != scheme
    }


@pytest.mark.parametrize(("scheme", "port"), COUNTED.items())
def test_a_default_port_counts_where_no_specification_licenses_the_merge(scheme: str, port: int) -> None:
    assert iri_canon.lowest_rung(f"{scheme}://example.com/a", f"{scheme}://example.com:{port}/a") is None
    assert iri_canon.lowest_rung(f"{scheme}://example.com:/a", f"{scheme}://example.com/a") is Rung.SCHEME


@pytest.mark.parametrize(("scheme", "port"), OPAQUE.items())
def test_a_port_in_an_opaque_path_is_kept(scheme: str, port: int) -> None:
    for form in ("{}:example.com{}", "{}:a@example.com{}", "{}://example.com{}", "{}://a@example.com{}/"):
        assert iri_canon.lowest_rung(form.format(scheme, ""), form.format(scheme, f":{port}")) is None


@pytest.mark.parametrize("scheme", TABLE)
def test_the_kind_of_host(scheme: str) -> None:
    kind = "opaque" if AUTHORITY[scheme] == "forbidden" else HOSTS.get(scheme, "dns")
    idn = (f"{scheme}://é.example/", f"{scheme}://xn--9ca.example/")
    assert iri_canon.lowest_rung(*idn) is (None if kind == "opaque" else Rung.SCHEME)
    number = (f"{scheme}://0x7f.1/", f"{scheme}://127.0.0.1/")
    assert iri_canon.lowest_rung(*number) is (Rung.SCHEME if kind == "web" else None)
    empty = (f"{scheme}://:/", f"{scheme}:///")
    assert iri_canon.lowest_rung(*empty) is (None if AUTHORITY[scheme] == "needed" else Rung.SCHEME)


@named("same")
def test_same(case: dict[str, Any]) -> None:
    for a, b in combinations(case["urls"], 2):
        assert iri_canon.lowest_rung(a, b) is Rung.SCHEME, (a, b)


@named("distinct")
def test_distinct(case: dict[str, Any]) -> None:
    keys = [iri_canon.key(url) for url in case["urls"]]
    assert len(set(keys)) == len(keys), keys


def test_localhost_goes_without_saying_where_the_scheme_says_so_alone() -> None:
    by_default = [name for name, row in TABLE.items() if row.default_host is not None]
    assert sorted(by_default) == ["file", "go"]
    for name in TABLE:
        joined = iri_canon.equivalent(f"{name}://localhost/a", f"{name}:///a")
        assert joined is (name in by_default), name


# ------------------------------------------------------------------------------------------ restrictions


@named("restriction")
def test_restriction(case: dict[str, Any]) -> None:
    found = list(restrictions.broken(iri_canon.parse(case["text"])))
    assert [[each.component, each.clause] for each in found] == case["broken"]
    assert all(each.reason for each in found)


def test_each_scheme_has_its_rules_typed() -> None:
    assert AUTHORITY.keys() == TABLE.keys()
    assert sum(map(len, VECTORS["authority"].values())) == len(AUTHORITY)
    assert {*HOSTS, *(name for names in LACKING.values() for name in names)} <= AUTHORITY.keys()


@pytest.mark.parametrize("scheme", TABLE)
def test_the_authority_rule(scheme: str) -> None:
    rule = AUTHORITY[scheme]
    without = [each.component for each in restrictions.broken(iri_canon.parse(f"{scheme}:a"))]
    with_host = [each.component for each in restrictions.broken(iri_canon.parse(f"{scheme}://h/a"))]
    without_host = [each.component for each in restrictions.broken(iri_canon.parse(f"{scheme}:///a"))]
    assert without == (["authority"] if rule in ("needed", "required") else [])
    assert with_host == (["authority"] if rule == "forbidden" else [])
    assert without_host == with_host + (["host"] if rule == "needed" else [])


@pytest.mark.parametrize("scheme", TABLE)
def test_the_components_that_it_lacks(scheme: str) -> None:
    text = f"{scheme}:a?b#c" if AUTHORITY[scheme] == "forbidden" else f"{scheme}://u@h:1/a?b#c"
    found = [each.component for each in restrictions.broken(iri_canon.parse(text))]
    assert found == [component for component in LACKING if scheme in LACKING[component]]


# ------------------------------------------------------------------------------------------ register_scheme


def test_a_row_of_the_table_may_be_registered_again_with_its_own_rules() -> None:
    iri_canon.register_scheme("coap", default_port=5683, host="dns", needs_host=True)
    iri_canon.register_scheme("HTTP", default_port=80, host="web", needs_host=True)
    iri_canon.register_scheme("file", host="dns")
    iri_canon.register_scheme("urn")
    for name, port in (("coap", 5684), ("sip", 5060), ("msrp", 2855)):
        with pytest.raises(iri_canon.IriError, match="other rules"):
            iri_canon.register_scheme(name, default_port=port, host="dns", needs_host=True)
    assert not iri_canon.equivalent("coap://h:5684/", "coap://h/")


def test_a_registered_scheme_that_needs_a_host_needs_an_authority() -> None:
    iri_canon.register_scheme("x-restricted", needs_host=True)
    found = restrictions.broken(iri_canon.parse("x-restricted:a"))
    assert [each.component for each in found] == ["authority"]
    assert list(restrictions.broken(iri_canon.parse("x-restricted://h/"))) == []


# ------------------------------------------------------------------------------------------ documentation


def test_the_page_of_schemes_is_made_from_the_table() -> None:
    spec = importlib.util.spec_from_file_location("make_schemes", ROOT / "docs" / "make_schemes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run python docs/make_schemes.py"
    assert all(f"| `{name}` |" in module.page() for name in TABLE)
