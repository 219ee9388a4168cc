"""The documentation says what the code does: generated pages, commands, names and links."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import iri_canon
from iri_canon import rung1_syntax, rung2_scheme
from iri_canon.conventions import CONVENTIONS, PRESETS
from iri_canon.find import OPAQUE
from iri_canon.learning import Policy
from iri_canon.learning.sampler import FIRST_BLOCK, FREE_STRATA

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
MAKE = "python3 -m venv .venv && .venv/bin/python -m pip install -q -e '.[dev]' && .venv/bin/python -m"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def make_ladder() -> ModuleType:
    return script("make_ladder")


@pytest.fixture(scope="module")
def make_api() -> ModuleType:
    return script("make_api")


def test_the_ladder_page_is_made_from_the_steps(make_ladder: ModuleType) -> None:
    assert make_ladder.PAGE.read_text(encoding="utf-8") == make_ladder.page(), (
        "run python docs/make_ladder.py"
    )


def test_a_page_that_claims_a_false_twin_cannot_be_made(
    make_ladder: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        make_ladder.EXAMPLES, "lowercase_host", ("http://EXAMPLE.com/", "http://example.com/")
    )
    with pytest.raises(ValueError, match="one key"):
        make_ladder.page()


def test_the_page_of_public_names_is_made_from_the_code(make_api: ModuleType) -> None:
    assert make_api.PAGE.read_text(encoding="utf-8") == make_api.page(), "run python docs/make_api.py"


def test_the_page_of_public_names_has_each_once(make_api: ModuleType) -> None:
    named = [name for family in make_api.FAMILIES.values() for name in family]
    assert sorted(named) == sorted(iri_canon.__all__)


def test_the_page_of_public_names_describes_every_option_and_no_other(make_api: ModuleType) -> None:
    described = {name: list(options) for name, options in make_api.OPTIONS.items()}
    assert described == {name: make_api.optional(name) for name in described}
    assert {name for name in iri_canon.__all__ if make_api.optional(name)} == set(described)


def test_the_page_of_public_names_tells_the_errors_of_the_docstrings(make_api: ModuleType) -> None:
    wrong = []
    for family in make_api.FAMILIES.values():
        for name, (raises, _) in family.items():
            told = re.findall(r"`(\w+Error)`", getattr(iri_canon, name).__doc__ or "")
            if not name.endswith("Error") and {*raises.split(", "), "TypeError"} - {""} != {
                *told,
                "TypeError",
            }:
                wrong.append((name, told))
    assert wrong == []


def test_the_page_of_documents_has_every_scheme_that_is_found_without_slashes() -> None:
    text = (ROOT / "docs" / "documents.md").read_text(encoding="utf-8")
    table = text.partition("| scheme | has to begin with |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == list(OPAQUE)


def test_the_readme_names_every_function() -> None:
    functions = [name for name in iri_canon.__all__ if name[0].islower()]
    assert [name for name in functions if f"`{name}`" not in README] == []


def test_the_readme_has_two_commands_that_stand_alone() -> None:
    lines = [line for line in README.splitlines() if line.startswith("python3 ")]
    assert lines == [f"{MAKE} sample_project", f"{MAKE} pytest -q -n auto"]


def test_the_readme_names_every_rung_and_convention() -> None:
    for name in (*(rung.name for rung in iri_canon.Rung), *CONVENTIONS, *PRESETS):
        assert f"`{name}`" in README


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_page_on_rules_has_the_numbers_of_the_code() -> None:
    page = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    assert f"A block has {FIRST_BLOCK} requests at first" in page
    assert f"up to one over\n  the share ({1 / Policy().audit_share:.0f})" in page
    assert f"three sections agree, with {('two', 'three', 'four')[Policy().sections - 2]} times" in page
    assert f"sort of its own, {FREE_STRATA + 1} of them and an eighth" in page


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert all(
        f"({page.name})" in index for page in PAGES if page.parent.name == "docs" and page.name != "index.md"
    )


def test_the_changelog_names_this_version_first() -> None:
    headings = re.findall(r"^## ([0-9.]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == iri_canon.__version__


def test_dependencies_have_lower_bounds_and_no_others() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    others = [each for each in required if not each.startswith("iri-canon[")]
    assert all(re.fullmatch(r"[a-z0-9-]+>=[0-9.]+", each.partition(";")[0]) for each in others), others
    assert [each.partition(">")[0] for each in others if ";" in each] == [
        "backports-zstd",  # part of Python from 3.14 on
        "atheris",  # wheels for some systems alone
    ]
    assert [each.partition(">")[0] for each in project["dependencies"]] == ["idna"]


def test_a_step_says_its_clause_in_its_docstring_too() -> None:
    steps = {**rung1_syntax.TEXT_STEPS, **rung1_syntax.STEPS, **rung2_scheme.STEPS}
    for step, clause in steps.items():
        assert (step.__doc__ or "").partition(":")[0] == clause, step


def test_clauses_do_not_hang_on_docstrings() -> None:
    code = "import iri_canon; print([s.clause for s in iri_canon.explain('HTTP://h:80/%7e')])"
    command = [sys.executable, "-OO", "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert found.strip() == str([step.clause for step in iri_canon.explain("HTTP://h:80/%7e")])
    assert "RFC 3986 6.2.3" in found


def test_an_absent_folder_of_public_data_is_told_in_one_way() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        for reason in re.findall(r"skipif\((?:[^()]|\([^()]*\))*\)", path.read_text(encoding="utf-8")):
            asks = re.search(r"shared_folder|SHARED|LISTS|ROWS|REPORTS|are_there", reason)
            assert not asks or "reason=NO_SHARED_FOLDER" in reason, f"{path}: {reason}"
