"""`python docs/make_api.py` writes docs/api.md from the names of `iri_canon`, their signatures and docstrings."""

import enum
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import iri_canon
from iri_canon import arrow

PAGE = Path(__file__).parent / "api.md"

HEAD = """\
# The public names

Every name of `iri_canon.__all__`, with its signature, its first sentence, what it raises and the page that tells more.
`help(iri_canon.key)` has the rest: each docstring says what is given, units, errors and examples. Offsets are code
points. A wrong type of argument is a `TypeError` everywhere; all other errors are kinds of `IriError`. This page is
made by `docs/make_api.py`; a test holds it and the code together.
"""

TABLE = ("| name | what it is | raises | more |", "|---|---|---|---|")

COLUMNS = """\
## Columns

`iri_canon.arrow` is a module of its own, since it needs the extra `logs`.
"""

TIERS = """\
## Tiers

`iri_canon.kernel` tells who makes the keys: `tier()` is `"kernel"` or `"python"`, `IS_BUILT` whether the kernel was
built ([kernel.md](kernel.md)).
"""

#: The families of names in their order; for each name the errors it raises, and the page that tells more.
FAMILIES: dict[str, dict[str, tuple[str, str]]] = {
    "Comparison": {
        "key": ("", "ladder.md"),
        "canonicalize": ("IriSyntaxError, IriEncodingError", "ladder.md"),
        "equivalent": ("", "ladder.md"),
        "explain": ("IriSyntaxError", "ladder.md"),
        "lowest_rung": ("", "ladder.md"),
        "Ladder": ("ConventionError, IriError", "ladder.md"),
        "Rung": ("", "ladder.md"),
        "Step": ("", "ladder.md"),
        "register_scheme": ("IriError", "schemes.md"),
    },
    "Grammar and references": {
        "parse": ("IriSyntaxError", "support.md"),
        "IRI": ("", "support.md"),
        "is_valid": ("IriError", "support.md"),
        "resolve": ("IriSyntaxError", "support.md"),
    },
    "Between IRIs and URIs": {
        "to_uri": ("IriSyntaxError, IriEncodingError", "mapping.md"),
        "to_iri": ("IriSyntaxError", "mapping.md"),
        "transcribe": ("", "mapping.md"),
    },
    "Documents and running text": {
        "prepare": ("IriError", "documents.md"),
        "to_document": ("IriEncodingError, IriSyntaxError, IriError", "documents.md"),
        "find_iris": ("IriError", "documents.md"),
        "FoundIri": ("", "documents.md"),
    },
    "What people see": {
        "display": ("IriEncodingError, IriError", "support.md"),
        "lint": ("IriError", "lint.md"),
        "Finding": ("", "lint.md"),
        "Severity": ("", "lint.md"),
    },
    "Errors": {
        "IriError": ("", "reliability.md"),
        "IriSyntaxError": ("", "support.md"),
        "IriEncodingError": ("", "mapping.md"),
        "ConventionError": ("", "ladder.md"),
        "StoreError": ("", "reliability.md"),
    },
    "Else": {"__version__": ("", "reliability.md")},
}

#: What each option does, by function and parameter; every parameter that has a default is here.
OPTIONS: dict[str, dict[str, str]] = {
    "key": {"rung": "the rung to climb to"},
    "canonicalize": {
        "rung": "the rung to climb to",
        "keep_fragment": "`False` drops the fragment, as `key` does (RFC 3986 6.1)",
        "encoding": "what octets are read in; a legacy charset is brought to NFC (RFC 3987 3.1 step 1b)",
    },
    "equivalent": {"rung": "the rung on which both keys are made"},
    "Ladder": {
        "rung": "the rung to climb to",
        "conventions": "names for all hosts, or by host pattern in a mapping (`*`, `example.com`, `*.example.com`)",
        "equivalences": "observed pairs: a store of `iri_canon.equivalence`",
        "keep_fragment": "`True` keeps the fragment in keys, for sites that name pages by it",
    },
    "register_scheme": {
        "default_port": "the port that goes without saying (RFC 3986 6.2.3), an int from 0 to 65535",
        "host": "`opaque` is kept as written, `dns` maps IDNs to A-labels, `web` reads numbers as IPv4 addresses, too",
        "needs_host": "an IRI without a host stays on the syntax rung",
    },
    "parse": {
        "strict": "`True` holds the text to IRI-reference of RFC 3987 2.2 and tells the first offence, with advice"
    },
    "is_valid": {"production": "any rule of RFC 3987 2.2 or RFC 3986 appendix A by its name there"},
    "resolve": {
        "strict": "`False` reads a reference that repeats the scheme of the base as relative (RFC 3986 5.2.2)"
    },
    "to_uri": {
        "encoding": "what octets are read in, as for `canonicalize`",
        "toascii": "`True` takes the host through ToASCII, if the scheme uses domain names",
        "strict": "`True` refuses the printable ASCII that no URI holds (space, `<`, `>` ...) and is converted else",
    },
    "to_iri": {"tounicode": "`True` shows A-labels as U-labels, if the scheme uses domain names"},
    "to_document": {
        "query_as_triplets": "`True` writes the query in UTF-8 triplets, which browsers convert to no legacy charset"
    },
    "find_iris": {
        "schemes": "the names of the schemes to look for, in place of all that are known",
        "lenient": "`True` takes what `canonicalize` repairs: a stray `%`, `^`, brackets in pairs (`?a[]=1`)",
        "join_lines": "`True` takes out the line ends within angle brackets (RFC 3986 appendix C)",
    },
    "display": {
        "marks": "what stands around right-to-left text: LRE and PDF (`embedding`), LRI and PDI (`isolate`), or `none`",
        "paragraph": "the direction of the paragraph that it is shown in",
        "breaching": "components that go against RFC 3987 4.2 as triplets (`encoded`), or as they are (`raw`)",
        "encoding": "the charset of the terminal; what it lacks is shown as triplets",
    },
    "lint": {
        "rules": "the names of the rules to look at, in place of all",
        "ignore": "the names of rules to leave out",
    },
}


def value_of(name: str) -> Any:
    """What has a name: of `iri_canon`, or of its module `arrow`."""
    return arrow.keys if name == "arrow.keys" else getattr(iri_canon, name)


def signature(name: str) -> str:
    """As it is written in the code, types by their bare names; of an enumeration its members."""
    value = value_of(name)
    if isinstance(value, str):
        return f"{name}: str"
    if isinstance(value, enum.EnumType):
        return f"{name}: {', '.join(member.name for member in value)}"
    if inspect.isclass(value) and "__init__" not in vars(value):
        return name
    text = str(inspect.signature(value, eval_str=True)).replace("'", '"')
    if inspect.isclass(value):
        text = text.removesuffix(" -> None")
    text = re.sub(r"<(\w+\.\w+): \d+>", r"\1", text)
    return name + re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", text)


def first_sentence(name: str) -> str:
    """What its docstring begins with."""
    if name == "__version__":
        return "The version of this package."
    paragraph = " ".join((inspect.getdoc(value_of(name)) or "").partition("\n\n")[0].split())
    sentence = re.match(r"(?:.(?!\. [A-Z`]))*+.?\.?", paragraph)
    return (sentence[0] if sentence else paragraph).replace("``", "`").replace("|", r"\|")


def optional(name: str) -> list[str]:
    """The parameters that may be left out."""
    value = getattr(iri_canon, name)
    if isinstance(value, str) or (inspect.isclass(value) and name != "Ladder"):
        return []
    parameters = inspect.signature(value).parameters.values()
    return [each.name for each in parameters if each.default is not inspect.Parameter.empty]


def row(name: str, raises: str, page: str) -> str:
    errors = ", ".join(f"`{error}`" for error in raises.split(", ") if error)
    cell = signature(name).replace("|", r"\|")
    return f"| `{cell}` | {first_sentence(name)} | {errors} | [{page}]({page}) |"


def options() -> Iterator[str]:
    """The table of options; raises `KeyError` for one that nobody has described."""
    yield "| function | option | what it does |"
    yield "|---|---|---|"
    for family in FAMILIES.values():
        for name in family:
            for parameter in optional(name):
                yield f"| `{name}` | `{parameter}` | {OPTIONS[name][parameter]} |"


def page() -> str:
    parts = [HEAD]
    for title, family in FAMILIES.items():
        parts += [f"## {title}", "", *TABLE]
        parts += [row(name, *about) for name, about in family.items()]
        parts.append("")
    parts += [COLUMNS, *TABLE, row("arrow.keys", "", "dedup.md"), "", TIERS]
    return "\n".join([*parts, "## Options", "", *options()]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
