"""`python docs/make_ladder.py` writes docs/ladder.md from the tuples of steps that `explain` walks.

Each step has a text that it changes and a twin that must stay different; both are computed here, so that a page
that claims what the ladder does not do cannot be made.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from iri_canon import Ladder, Rung, key
from iri_canon.conventions import CONVENTIONS, PRESETS
from iri_canon.ladder import STEPS
from iri_canon.rung1_syntax import TEXT_STEPS

PAGE = Path(__file__).parent / "ladder.md"

# The step, a text that it changes, and another text whose key stays another one.
EXAMPLES = {
    "strip_outer_space": (" http://example.com/", "http://example.com/%20"),
    "remove_tabs_and_newlines": ("http://example.com/a\tb", "http://example.com/a%09b"),
    "encode_characters": ("http://example.com/é", "http://example.com/e\u0301"),
    "encode_stray_percents": ("http://example.com/100%", "http://example.com/100"),
    "uppercase_triplets": ("http://example.com/%2f", "http://example.com//"),
    "decode_unreserved_triplets": ("http://example.com/%7Ea", "http://example.com/%257Ea"),
    "lowercase_scheme": ("HTTP://example.com/", "https://example.com/"),
    "lowercase_host": ("http://EXAMPLE.com/A", "http://example.com/a"),
    "remove_dot_segments": ("http://example.com/a/../b", "http://example.com/a//b"),
    "guard_first_segment": ("%61:b", "a:b"),
    "map_host": ("http://faß.example/", "http://fass.example/"),
    "spell_ipv4_address": ("http://0x7f.1/", "http://127.0.0.1.example/"),
    "spell_ipv6_address": ("http://[2001:db8:0::1]/", "http://[2001:db8:0:1::]/"),
    "drop_empty_port": ("http://example.com:/", "http://example.com:0/"),
    "drop_zeros_of_port": ("http://example.com:0081/", "http://example.com:810/"),
    "drop_default_port": ("http://example.com:80/", "https://example.com:80/"),
    "root_empty_path": ("http://example.com?a", "http://example.com/?"),
    "drop_local_host": ("file://localhost/a", "file://host/a"),
    "lowercase_urn_namespace": ("urn:ISBN:X", "urn:isbn:x"),
    "lowercase_mail_domain": ("mailto:Ann@Example.COM", "mailto:ann@example.com"),
}

HEAD = """\
# The ladder

RFC 3987 section 5.3 compares identifiers on four rungs. A rung works on what the one below it gave, so a higher
rung never separates what a lower one joined. This page is made by `docs/make_ladder.py` from the same tuples that
`explain` walks; a test holds them together. Each example is followed by a twin whose key stays another one.
"""

SIMPLE = """\
## Simple (RFC 3987 5.3.1)

Equal code points, nothing mapped: the key is the text itself. What does not parse stays on this rung for good.
"""

SYNTAX = """\
## Syntax (RFC 3987 5.3.2)

Needs no knowledge of any scheme. A relative reference stays here; resolve it to climb further. Nothing is
normalised to NFC: text that is Unicode already must not be (5.3.2.2).
"""

FRAGMENT = """\

Between the text steps and the others `key` drops the fragment, which names no other resource to fetch
(`drop_fragment` in log lines, RFC 3986 6.1); `canonicalize` keeps it.
"""

SCHEME = """\
## Scheme (RFC 3987 5.3.3)

For schemes of the table (`register_scheme` adds to it). An identifier whose scheme cannot have its host stays on
the syntax rung, whole. Triplets of unreserved characters are decoded in URNs too (RFC 3986 6.2.2.2), though
RFC 8141 3.1 compares URNs without decoding any.
"""

PROTOCOL = """\
## Protocol (RFC 3987 5.3.4)

`observed-redirect`: a permanent redirect was seen from one key to the other, the target answered with success,
and one of the conventions below explains the pair. It holds for exactly that pair, in that direction.
Conventions that are assumed come first, then observed pairs, and so on until nothing changes.

The conventions by themselves are licensed by no RFC: they are off unless they are asked for by name, for all
hosts or for some, and apply to http and https only. They are applied in this order, whatever order they are
named in.
"""


def rows(rung: Rung, steps: Mapping[Callable[..., object], str]) -> Iterator[str]:
    yield "| step | what it says | by | example | becomes | differs from |\n|---|---|---|---|---|---|\n"
    ladder = Ladder(rung, keep_fragment=True)
    for step, clause in steps.items():
        name, said = step.__name__, (step.__doc__ or "").partition("\n")[0].partition(":")[2].strip()
        example, twin = EXAMPLES[name]
        changed = {found.name: found for found in ladder.explain(example)}
        if name not in changed:
            raise ValueError(f"{name} does not change {example!r}")
        if any(key(example, each) == key(twin, each) for each in Rung):
            raise ValueError(f"{example!r} and {twin!r} have one key")
        said = said[:1].upper() + said[1:]
        cells = (f"`{name}`", said, clause, code(example), code(changed[name].after), code(twin))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def code(text: str) -> str:
    """A text as code, what cannot be seen written by number."""
    seen = text.replace("\t", "\\t").replace("\u0301", "\\u0301")
    return f"` {seen[1:]}`" if seen.startswith(" ") else f"`{seen}`"


def convention_rows() -> Iterator[str]:
    yield "| convention | joins |\n|---|---|\n"
    for convention in CONVENTIONS.values():
        yield f"| `{convention.name}` | {convention.summary.replace('|', '&#124;')} |\n"
    yield "\n"
    yield "| preset | stands for |\n|---|---|\n"
    for name, names in PRESETS.items():
        yield f"| `{name}` | {', '.join(f'`{each}`' for each in names)} |\n"


def page() -> str:
    parts = [HEAD, SIMPLE, SYNTAX, *rows(Rung.SYNTAX, {**TEXT_STEPS, **STEPS[Rung.SYNTAX]}), FRAGMENT]
    parts += [SCHEME, *rows(Rung.SCHEME, STEPS[Rung.SCHEME]), "\n", PROTOCOL, *convention_rows()]
    text = "".join(part if part[0] in "|\n" else part + "\n" for part in parts)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.rstrip("\n") + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
