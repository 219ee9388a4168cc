"""The front door shows every public name, and imports what a name needs when it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import iri_canon

ON_DEMAND = ("display", "document", "find", "lint", "mapping", "prepare", "resolve", "conventions")


def run(*lines: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_every_public_name_is_there() -> None:
    assert set(iri_canon.__all__) <= set(dir(iri_canon))
    assert run(
        "from iri_canon import *", "print(sorted(n for n in dir() if n[0] != '_' or n == '__version__'))"
    ) == (repr(sorted(iri_canon.__all__)))
    for name in iri_canon.__all__:
        assert type(getattr(iri_canon, name)) is not type(iri_canon), name


def test_what_is_no_public_name_is_not_there() -> None:
    assert not hasattr(iri_canon, "canonicalise")
    assert "canonicalise" not in dir(iri_canon)
    with pytest.raises(ImportError):
        exec("from iri_canon import canonicalise")


def test_keys_need_none_of_what_is_imported_on_demand() -> None:
    loaded = run(
        "import sys, iri_canon",
        "iri_canon.key('HTTP://Example.com:80/%7Ea'), iri_canon.canonicalize('http://h'), iri_canon.parse('a:b')",
        "print(*sys.modules)",
    ).split()
    assert "iri_canon.ladder" in loaded
    assert {f"iri_canon.{name}" for name in ON_DEMAND} & set(loaded) == set()
    assert "idna" not in loaded
    # The twin: where it is asked for, it is there.
    assert "idna" in run("import sys, iri_canon", "iri_canon.key('http://é/')", "print(*sys.modules)").split()
    assert "iri_canon.lint" in run("import sys, iri_canon", "iri_canon.lint", "print(*sys.modules)").split()


@pytest.mark.parametrize("name", ["display", "lint", "prepare", "resolve", "parse"])
@pytest.mark.parametrize(
    "before",
    [
        "import iri_canon.{}",
        "from iri_canon.{0} import {0}",
        "from iri_canon import lint",
        "import iri_canon",
    ],
)
def test_a_name_is_the_functions_whoever_imports_the_module_of_that_name(name: str, before: str) -> None:
    shown = run(
        before.format(name),
        "import sys, iri_canon",
        f"from iri_canon import {name}",
        f"assert {name} is iri_canon.{name} is sys.modules['iri_canon.{name}'].{name}",
        f"print({name}.__name__, type({name}).__name__)",
    )
    assert shown == f"{name} function"
