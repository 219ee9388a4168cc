"""docs/scrapy.md names each setting, stat and meta key of the code, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, get_args

import pytest

import scrapy_plugin
from iri_canon.equivalence import Reason
from scrapy_plugin import Addon, options, stats
from scrapy_plugin.options import Options
from tests.scrapy_plugin.test_addon import BY_HAND, updated

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "scrapy.md").read_text(encoding="utf-8")
SOURCES = sorted((ROOT / "scrapy_plugin").glob("*.py"))
SCRAPYS_OWN = {"dupefilter/filtered", "downloader/exception_type_count/scrapy_plugin.door.Skipped"}


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def first_cells(text: str) -> set[str]:
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    return {name for cell in rows for name in re.findall(r"`([^`]+)`", cell)}


def test_settings() -> None:
    assert first_cells(section("Settings")) == set(options.NAMES)


@pytest.mark.parametrize(
    "name",
    [
        "ENABLED",
        "LEARN",
        "KEEP_FRAGMENTS",
        "TEMPORARY_REDIRECTS",
        "RETRY_FAILED",
        "DELTA",
        "DELTA_ITEMS",
    ],
)
def test_defaults(name: str) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `IRI_CANON_{name}`"))
    default = ast.literal_eval(row.split("|")[2].strip().strip("`"))
    assert getattr(Options(), name.lower()) == default


def constants() -> dict[str, str]:
    return {name: value for name, value in vars(stats).items() if name.isupper() and isinstance(value, str)}


def test_stats() -> None:
    documented = first_cells(section("Stats"))
    names = set(constants().values()) - {stats.PREFIX, stats.FILTERED}
    rungs = {
        f"{stats.FILTERED}{rung}" for rung in ("simple", "syntax", "scheme", "protocol", "fingerprinter")
    }
    assert documented == names | rungs | SCRAPYS_OWN | {f"{stats.OBSERVED}recorded"}


def test_reasons() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `iri_canon/redirects/` and"))
    assert set(re.findall(r"`([a-z-]+)`", row)) == {*get_args(Reason), "unfinished"}


def test_each_stat_is_used() -> None:
    code = "\n".join(source.read_text() for source in SOURCES if source.name != "stats.py")
    assert [name for name in constants() if name != "PREFIX" and f"stats.{name}" not in code] == []
    assert re.findall(r"""["']iri_canon/""", code) == []


def used_meta_keys() -> set[str]:
    """What is read from or written to `meta` in the code."""
    named: dict[str, Any] = {"NOT_CACHED": "iri_canon_not_cached"}
    keys: set[str] = set()
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            found: ast.expr | None = None
            match node:
                case ast.Subscript(value=value, slice=found):
                    pass
                case ast.Call(func=ast.Attribute(value=value, attr="get" | "pop"), args=[found, *_]):
                    pass
                case ast.Compare(left=found, ops=[ast.In() | ast.NotIn()], comparators=[value]):
                    pass
                case _:
                    continue
            if ast.unparse(value).rpartition(".")[2] != "meta":
                continue
            assert isinstance(found, ast.Constant | ast.Name), ast.unparse(node)
            keys.add(str(found.value) if isinstance(found, ast.Constant) else named[found.id])
    return keys


def test_meta_keys() -> None:
    assert used_meta_keys() == first_cells(section("Meta keys"))


def test_the_settings_by_hand_are_those_of_the_add_on() -> None:
    block = re.findall(r"```python\n(.*?)```", section("What the add-on sets"), re.DOTALL)[0]
    written = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(block).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert written == BY_HAND


def test_each_public_name_is_told() -> None:
    for name in scrapy_plugin.__all__:
        assert name in PAGE


def test_the_files_are_named() -> None:
    assert f"`{options.SEEN_FILE}`" in PAGE
    assert f"`{options.PAIRS_FILE}`" in PAGE


def test_the_python_of_the_page_runs() -> None:
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "docs/scrapy.md", "exec"), {})
    assert (
        updated({"ADDONS": {"scrapy_plugin.Addon": 500}})["DUPEFILTER_CLASS"]
        is scrapy_plugin.CanonicalDupeFilter
    )
    assert Addon is scrapy_plugin.Addon
