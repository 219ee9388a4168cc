"""Set up what all tests share: the data folder beside the checkout, the Hypothesis profiles, the slow marker."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[1]

# "default" is for every run, "ci" for the run that decides: at least 20,000 examples a law.
settings.register_profile("default", max_examples=300, deadline=None)
settings.register_profile(
    "ci",
    max_examples=20_000,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# `--hypothesis-profile` still wins: the plug-in of Hypothesis loads it after this file.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: whole lists instead of samples; run with `-m slow` or --slow")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow") or "slow" in config.getoption("-m"):
        return
    skip = pytest.mark.skip(reason="slow: run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public vectors, reports and URL lists; tests that need it skip without it."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("no ../shared beside the checkout, and IRI_CANON_SHARED names no folder")
    return folder


def shared_folder() -> Path | None:
    """``IRI_CANON_SHARED``, or ``../shared`` beside the checkout; None where there is neither."""
    named = os.environ.get("IRI_CANON_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    return folder if folder.is_dir() else None
