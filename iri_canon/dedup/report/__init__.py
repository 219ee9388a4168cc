"""A report is one file that asks nothing of any network, and in which the text of a log is text and no more.

The page's policy (CSP level 3) allows the two scripts that are in it by their hashes, and nothing from anywhere: what
would come in by a flaw could not run, and could not tell anyone. Without scripts, the tables are still there.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from iri_canon.dedup.report import evidence, parts, spellings

__all__ = ["render"]

_MANY: Final = 7
"""A table with more rows has a search box."""


def render(summary: Mapping[str, Any]) -> str:
    """The report of a run as one HTML page, from what `Engine.summary` gives.

    Its texts are as the logs have them, with octets that are no UTF-8 as lone surrogates (surrogateescape); the page
    has none. The same summary gives the same page. Raises `KeyError` for a summary that lacks a part.

    >>> page = render({
    ...     "version": "1", "records": 2, "spellings": 2, "classes": 1, "duplicates": 1,
    ...     "rungs": {"simple": 2, "syntax": 2, "scheme": 1, "protocol": 1},
    ...     "steps": [], "hosts": [], "sections": [], "top": [], "files": [],
    ...     "redirects": {"observed": 0, "joined": 0, "refused": {}, "examples": []},
    ... })
    >>> "<b>50.0 %</b> of 2 records fetched a page again" in page
    True
    """
    library, script = _library(), _source("page.js")
    made = [
        parts.ladder(summary),
        parts.steps(summary),
        parts.hosts(summary),
        parts.sections(summary),
        parts.over_time(summary),
        spellings.top(summary),
        evidence.redirects(summary),
        evidence.rules(summary),
        evidence.comparison(summary),
        evidence.files(summary),
        evidence.options(summary),
    ]
    environment = Environment(
        loader=PackageLoader(__name__, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(
        summary=summary,
        headline=parts.headline(summary),
        problems=evidence.problems(summary),
        parts=[part for part in made if part is not None],
        many=_MANY,
        script_hashes=Markup(" ".join(_hash(text) for text in (script, library.text))),
        style=Markup(_source("page.css")),
        script=Markup(script),
        library=Markup(library.packed),
    )


class _Library:
    """Plotly's script, and the same packed: a third of the size, which the page unpacks and runs by its hash."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


@cache
def _library() -> _Library:
    return _Library(get_plotlyjs())


def _source(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """CSP level 3, 2.3.1: a hash-source."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
