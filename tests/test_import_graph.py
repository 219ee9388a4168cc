"""Imports go from a higher floor to a lower one, never up or sideways; the core needs nothing beyond `idna`."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from folders import ROOT

# The floors of the house. A package counts as one thing; inside it imports are free. The numbers are the design's but
# for `iri`: it needs nothing, and what judges a value (`bidi`, `offences`, `restrictions`) has its floor. What came
# later stands as low as its imports let it, and a half floor is between two that are taken.
FLOORS: dict[str, float] = {
    "errors": 0,
    "arguments": 0,
    "grammar": 0,
    "scheme_table": 0,
    "naming": 0,
    "nfc": 0,
    "lookalikes": 0,
    "unseen": 0,
    "percent": 1,
    "schemes": 1,
    "productions": 1,
    "inappropriate": 1,
    "reading": 1,
    "iri": 1,
    "host": 2,
    "path": 2,
    "restrictions": 2,  # judges a value by the table of schemes
    "offences": 2,  # walks a value by the productions: what strict parsing refuses
    "bidi": 2,  # judges the components of a value
    "parse": 3,
    "prepare": 3,
    "conventions": 3,
    "display": 4,  # it reads components and no key; below the ladder, since the front door shows it
    "resolve": 4,
    "mapping": 4,
    "document": 4,
    "rung1_syntax": 4,
    "rung2_scheme": 4,
    "rung3_protocol": 4,
    "quick": 4.5,  # rungs 1 and 2 in one go: above the steps that it equals, below the ladder that tries it
    "_kernel": 4.6,  # the same, compiled
    "kernel": 4.7,  # which of the two it is
    "ladder": 5,
    "equivalence": 6,
    "learning": 6.2,  # it writes into the stores; the front door does not show it
    "arrow": 6,
    "lint": 6,
    "find": 6,
    "logs": 7,
    "dedup": 7.5,  # it reads logs
    "cli": 8,
    "__main__": 9,
}
FRONT_DOOR = "__init__"
# It opens on the floors up to `lint`: what it shows stands below it, and what enters by it stands above.
FLOOR_OF_THE_FRONT_DOOR = 6.5
FRONT_DOORS_OF_THE_PLUGIN = {"iri_canon", "iri_canon.equivalence", "iri_canon.learning"}


def modules(package: str) -> Iterator[tuple[str, Path]]:
    """Each module of a package with its dotted name."""
    for path in sorted((ROOT / package).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield name.removesuffix(".__init__"), path


def imported(source: str, module: str, *, is_package: bool) -> set[str]:
    """The dotted names that *source* imports anywhere, relative ones made absolute, `from a import b` as a.b."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                parts = module.split(".") if is_package else module.split(".")[:-1]
                parts = parts[: len(parts) - node.level + 1]
                origin = ".".join([*parts, *([node.module] if node.module else [])])
            names.update(f"{origin}.{alias.name}" for alias in node.names)
    return names


def unit(dotted: str) -> str:
    """The module or package of iri_canon that a dotted name belongs to; what is none is a name of the front door."""
    parts = dotted.split(".")
    stands = len(parts) > 1 and (parts[1] in FLOORS or origin(".".join(parts[:2])) != parts[0])
    return parts[1] if stands else FRONT_DOOR


def breaches(source_unit: str, source: str, module: str, *, is_package: bool = False) -> list[str]:
    """The imports of a module that do not go down."""
    found = []
    for name in imported(source, module, is_package=is_package):
        if name.split(".")[0] != "iri_canon":
            continue
        target = unit(name)
        here = FLOORS.get(source_unit, FLOOR_OF_THE_FRONT_DOOR)
        there = FLOORS.get(target, FLOOR_OF_THE_FRONT_DOOR)
        if target != source_unit and there >= here:
            found.append(f"{module} (floor {here}) imports {name} (floor {there})")
    return found


CORE = list(modules("iri_canon"))
PLUGIN = list(modules("scrapy_plugin"))


@pytest.mark.parametrize(("module", "path"), CORE, ids=[name for name, _ in CORE])
def test_imports_go_down(module: str, path: Path) -> None:
    source_unit = FRONT_DOOR if module == "iri_canon" else unit(module)
    assert source_unit == FRONT_DOOR or source_unit in FLOORS, f"{module} stands on no floor"
    source = path.read_text(encoding="utf-8")
    assert breaches(source_unit, source, module, is_package=path.name == "__init__.py") == []


@pytest.mark.parametrize(("module", "path"), PLUGIN, ids=[name for name, _ in PLUGIN])
def test_the_plugin_enters_by_the_front_door(module: str, path: Path) -> None:
    names = imported(path.read_text(encoding="utf-8"), module, is_package=path.name == "__init__.py")
    inner = [name for name in names if name.split(".")[0] == "iri_canon"]
    assert [name for name in inner if not is_shown_by_a_front_door(name)] == []


def is_shown_by_a_front_door(dotted: str) -> bool:
    """Whether a name is a front door, or one that it lists in ``__all__`` (`parse` is a function there)."""
    if dotted in FRONT_DOORS_OF_THE_PLUGIN:
        return True
    door, _, name = dotted.rpartition(".")
    return door in FRONT_DOORS_OF_THE_PLUGIN and name in public_names(door)


def public_names(package: str) -> set[str]:
    """What ``__all__`` of a package lists."""
    tree = ast.parse(ROOT.joinpath(*package.split("."), "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


@pytest.mark.parametrize(
    "dotted", ["iri_canon.ladder.key", "iri_canon.quick", "iri_canon.equivalence.sqlite.SqliteSeen"]
)
def test_another_door_is_seen(dotted: str) -> None:
    assert not is_shown_by_a_front_door(dotted)
    assert is_shown_by_a_front_door("iri_canon.key")
    assert is_shown_by_a_front_door("iri_canon.parse")


def origin(dotted: str) -> str:
    """The module that an imported dotted name is taken from."""
    parts = dotted.split(".")
    base = ROOT.joinpath(*parts)
    if base.is_dir() or base.with_suffix(".py").exists():
        return dotted
    return ".".join(parts[:-1])


def test_the_core_does_not_know_the_plugin() -> None:
    for module, path in CORE:
        names = imported(path.read_text(encoding="utf-8"), module, is_package=path.name == "__init__.py")
        assert not any(name.split(".")[0] in ("scrapy", "scrapy_plugin") for name in names), module


@pytest.mark.parametrize(
    ("source_unit", "source"),
    [
        ("parse", "import iri_canon.ladder"),  # up
        ("parse", "from iri_canon.prepare import prepare"),  # sideways
        ("parse", "from . import prepare"),
        ("parse", "from .ladder import key"),
        ("parse", "def f():\n    from iri_canon import ladder"),  # inside a function
        ("parse", "from iri_canon import key"),  # through the front door
        ("lint", "from iri_canon import key"),  # which shows it
        ("equivalence", "from iri_canon.cli import app"),
        (FRONT_DOOR, "from iri_canon import cli"),
    ],
)
def test_a_breach_is_seen(source_unit: str, source: str) -> None:
    module = "iri_canon" if source_unit == FRONT_DOOR else f"iri_canon.{source_unit}"
    assert len(breaches(source_unit, source, module, is_package=source_unit == FRONT_DOOR)) == 1


@pytest.mark.parametrize(
    ("source_unit", "source"),
    [
        ("parse", "from iri_canon import grammar\nfrom iri_canon.iri import IRI\nimport re, idna"),
        ("dedup", "from iri_canon import key\nfrom iri_canon.dedup.engines import Engine"),
        ("equivalence", "from iri_canon.ladder import key\nfrom iri_canon.equivalence.store import Store"),
        (FRONT_DOOR, "from iri_canon.ladder import key"),
    ],
)
def test_a_step_down_is_allowed(source_unit: str, source: str) -> None:
    module = "iri_canon" if source_unit == FRONT_DOOR else f"iri_canon.{source_unit}"
    assert breaches(source_unit, source, module) == []


def test_importing_the_core_pulls_in_the_standard_library_and_idna_alone() -> None:
    script = (
        "import sys; before = set(sys.modules); import iri_canon; "
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    names = set(result.stdout.split())
    assert "iri_canon" in names
    # Compiled modules bring their run-time along, under names of their own.
    names = {name for name in names if not re.fullmatch(r"_cython_[0-9_]+|cython_runtime", name)}
    assert names - sys.stdlib_module_names - {"idna", "iri_canon"} == set()
