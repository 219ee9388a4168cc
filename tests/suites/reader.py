"""The rows of the public vectors as they are handed out: one JSON object a line, one file a suite."""

import json
from functools import cache
from typing import Any

from folders import shared_folder

Row = dict[str, Any]

#: The suites by name, in the order of the documentation.
FILES = (
    "rfc_examples",
    "reports",
    "oxiri",
    "hyperlink",
    "yarl",
    "url_normalize",
    "courlan",
    "w3lib_url",
    "scrapy_fingerprint",
    "nutch_urlnormalizers",
    "wpt_urltestdata",
    "wpt_percent_encoding",
    "wpt_toascii",
    "wpt_idnatestv2",
    "unicode_idnatestv2",
)


def are_there() -> bool:
    """Whether the folder of public vectors is beside the checkout."""
    folder = shared_folder()
    return folder is not None and (folder / "vectors").is_dir()


@cache
def rows(name: str) -> tuple[Row, ...]:
    """All rows of a suite, in their order; none where the folder is absent."""
    folder = shared_folder()
    if folder is None or not are_there():
        return ()
    with (folder / "vectors" / f"{name}.jsonl").open(encoding="utf-8") as file:
        return tuple(json.loads(line) for line in file)


def options(row: Row) -> Row:
    """What the peer's function was called with."""
    found = row.get("options") or {}
    return {**found, **found.get("kwargs", {})} if isinstance(found, dict) else {}


def function(row: Row) -> str:
    """The peer's function (or plug-in) whose answer the row tells; "" where the row has none."""
    found = options(row)
    return str(found.get("function") or found.get("plugin") or "")
