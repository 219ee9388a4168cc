"""Rows of peers' smaller functions, each with what this library has for it, if it has anything."""

from collections.abc import Iterator

import iri_canon
from iri_canon import IRI, IriSyntaxError, Ladder, Rung
from iri_canon.ladder import STEPS
from iri_canon.parse import split_authority
from iri_canon.rung2_scheme import reaches
from suites.claims import REFUSED, Check, Claim, alike, canonical, no_counterpart, valid
from suites.reader import Row, function, options

#: The functions that normalise one component, and what that component is called here.
_COMPONENTS = {
    "normalize_scheme": "scheme",
    "normalize_userinfo": "userinfo",
    "normalize_host": "host",
    "normalize_port": "port",
    "normalize_path": "path",
    "normalize_query": "query",
    "normalize_fragment": "fragment",
}
_PLAIN = IRI("http", None, "h", None, "/", None, None)


def part(row: Row) -> Iterator[Claim]:
    """One component, normalised as part of an http URL, whatever delimiters it holds."""
    name = _COMPONENTS[function(row)]
    text = str(row["input"])
    (scheme,) = options(row).get("args", ["http"])
    if name == "host":
        try:
            split_authority(text)
        except IriSyntaxError:
            yield Claim(function(row), REFUSED, row["expected"])
            return
    plain = _PLAIN.replace(scheme=scheme)
    iri = plain.replace(**{name: text.removesuffix("@") if name == "userinfo" else text})
    for steps in STEPS.values():
        if steps is STEPS[Rung.SYNTAX] or reaches(iri):
            for step in steps:
                iri = step(iri)
    ours = str(getattr(iri, name) or "")
    yield Claim(function(row), f"{ours}@" if name == "userinfo" and text else ours, row["expected"])


def cleanup(row: Row) -> Iterator[Claim]:
    """A repair of a whole URL."""
    yield alike("canonical form", row["input"], row["expected"])


def is_valid(row: Row) -> Iterator[Claim]:
    """Whether a text is a URL."""
    yield Claim("IRI", valid(row["input"], "IRI"), str(row["expected"]).lower())


def validate(row: Row) -> Iterator[Claim]:
    """Whether a text is a URL, and its five parts."""
    said, parts = row["expected"]
    yield Claim("IRI", valid(row["input"], "IRI"), str(said).lower())
    if parts is not None:
        iri = iri_canon.parse(row["input"])
        ours = [iri.scheme, iri.authority or "", iri.path, iri.query or "", iri.fragment or ""]
        yield Claim("parts", str(ours), str(parts))


def _site(iri: IRI) -> str:
    return f"{iri.scheme}://{iri.authority}" if iri.scheme and iri.authority else ""


def base_url(row: Row) -> Iterator[Claim]:
    """Scheme and authority."""
    yield Claim("site", _site(iri_canon.parse(row["input"])), row["expected"])


def host_and_path(row: Row) -> Iterator[Claim]:
    """Scheme and authority, and what is behind them."""
    iri = iri_canon.parse(canonical(row["input"]))
    yield Claim("site", _site(iri), row["expected"][0])
    rest = str(iri.replace(fragment=None)).removeprefix(_site(iri))
    yield Claim("path", rest, row["expected"][1])


def known_link(row: Row) -> Iterator[Claim]:
    """Whether a link is one of known ones, with or without a slash at its end, by http or https."""
    (known,) = options(row)["args"]
    key = Ladder(conventions=["https", "trailing-slash"]).key
    found = key(row["input"]) in {key(each) for each in known}
    yield Claim("known", str(found), str(row["expected"]))


def checked_url(row: Row) -> Iterator[Claim]:
    """A filter of URLs: what it lets pass is compared as a form, what it stops has no counterpart."""
    if row.get("expected") is None:
        yield from no_counterpart(row)
    else:
        yield alike("canonical form", row["input"], row["expected"][0])


#: The functions that have a counterpart.
HELPERS: dict[str, Check] = {
    **dict.fromkeys(_COMPONENTS, part),
    "generic_url_cleanup": cleanup,
    "is_url": is_valid,
    "is_valid_url": is_valid,
    "validate_url": validate,
    "get_base_url": base_url,
    "get_host_and_path": host_and_path,
    "is_known_link": known_link,
    "check_url": checked_url,
}


def helper(row: Row) -> Iterator[Claim]:
    """A peer's function by its name."""
    yield from HELPERS.get(function(row), no_counterpart)(row)


def host_equivalence(row: Row) -> Iterator[Claim]:
    """Two spellings of one host."""
    ours, theirs = (f"http://{row[name]}/" for name in ("input", "equivalent_to"))
    yield Claim("key", iri_canon.key(ours), iri_canon.key(theirs))
