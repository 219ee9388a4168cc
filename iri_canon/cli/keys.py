"""The commands that print one text for each: canonicalize, key, to-uri, to-iri."""

import json
from collections.abc import Callable
from typing import Annotated

import typer

from iri_canon import IriSyntaxError, to_iri, to_uri
from iri_canon.cli.inputs import (
    AsJson,
    Conventions,
    Encoding,
    KeepFragment,
    Pairs,
    RungName,
    RungOption,
    Texts,
    inputs,
    ladder_of,
)
from iri_canon.cli.output import Status, complain, end, out
from iri_canon.cli.stores import observed
from iri_canon.lint.findings import octet_in


def each(
    texts: list[str] | None, encoding: str, as_json: bool, name: str, change: Callable[[str], str]
) -> None:
    """Print `change` of each input; what it refuses costs its own line, and the exit status."""
    status = Status(given=bool(texts))
    for number, text in inputs(texts, encoding, status, as_json=as_json):
        try:
            result = change(text)
        except IriSyntaxError as error:
            refuse(status, number, text, error, as_json)
            continue
        out(json.dumps({"input": text, name: result}) if as_json else result)
    end(status)


def refuse(status: Status, number: int, text: str, error: IriSyntaxError, as_json: bool) -> None:
    """Say why an input did not parse; in JSON there is one object for each input, so that the two line up."""
    status.code = 1
    reason = _about_an_octet(text, error.offset, given=status.given) or error.reason
    told = f"{number}: {error.component} at offset {error.offset}: {reason}"
    complain(f"{told} ({text})" if status.given else told)
    if as_json:
        place = {"component": error.component, "offset": error.offset, "reason": reason}
        out(json.dumps({"input": text, "error": place}))


def _about_an_octet(text: str, offset: int, *, given: bool) -> str | None:
    """What to do about the octet that stands there, if it is one that is not UTF-8."""
    octet = octet_in(text, offset)
    if octet is None:
        return None
    other = "" if given else "tell the charset of the lines with --encoding, or "
    return f"octet {octet} is not UTF-8; {other}write %{octet} for the octet itself"


def canonicalize_command(
    texts: Texts = None,
    encoding: Encoding = "utf-8",
    rung: RungOption = RungName.SCHEME,
    convention: Conventions = None,
    as_json: AsJson = False,
    keep_fragment: KeepFragment = True,
    store: Pairs = None,
) -> None:
    """Print the canonical form; what does not parse is told on standard error."""
    each(
        texts,
        encoding,
        as_json,
        "canonical",
        ladder_of(rung, convention, keep_fragment, observed(store)).canonicalize,
    )


def key_command(
    texts: Texts = None,
    encoding: Encoding = "utf-8",
    rung: RungOption = RungName.SCHEME,
    convention: Conventions = None,
    as_json: AsJson = False,
    keep_fragment: KeepFragment = False,
    store: Pairs = None,
) -> None:
    """Print the key, for any text at all: what does not parse is its own key."""
    each(texts, encoding, as_json, "key", ladder_of(rung, convention, keep_fragment, observed(store)).key)


def to_uri_command(
    texts: Texts = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
    toascii: Annotated[bool, typer.Option("--toascii", help="The host to A-labels, not triplets.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse the printable ASCII that no URI holds.")
    ] = False,
) -> None:
    """Map IRIs to URIs, by RFC 3987 section 3.1 to the letter."""
    each(texts, encoding, as_json, "uri", lambda text: to_uri(text, toascii=toascii, strict=strict))


def to_iri_command(
    texts: Texts = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
    tounicode: Annotated[bool, typer.Option("--tounicode", help="Convert A-labels of the host too.")] = False,
) -> None:
    """Map URIs to IRIs, by RFC 3987 section 3.2."""
    each(texts, encoding, as_json, "iri", lambda text: to_iri(text, tounicode=tounicode))
