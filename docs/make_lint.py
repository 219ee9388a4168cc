"""`python docs/make_lint.py` writes docs/lint.md from the table of rules that `lint` walks.

The examples are the first ones of each rule in tests/vectors/lint.toml; what they claim is computed here once more, so
that a page that claims what `lint` does not do cannot be made.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from iri_canon.lint import LIMIT, lint
from iri_canon.lint.rules import NEED_DATA, RULES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "lint.md"
VECTORS = ROOT / "tests" / "vectors" / "lint.toml"
LONGEST = 60

SUBJECTS = {
    "syntax": "The text as a whole",
    "scheme": "Another scheme than was meant, or none",
    "authority": "Userinfo, host and port",
    "characters": "Characters",
    "unseen": "Characters that cannot be seen",
    "direction": "Right-to-left text",
    "scripts": "Scripts and look-alikes",
    "triplets": "Triplets",
}

HEAD = f"""\
# Lint

`lint(text)` and `iri-canon lint` tell what a careful reader of RFC 3987 would say of an IRI or a relative reference: on
its grammar, on bidirectional text (4.1, 4.2), on characters unfit for IRIs (6.1), on look-alikes (7.5, 8), and on what
the RFCs beneath it ask for. Findings never change a key. This page is made by `docs/make_lint.py` from the table that
`lint` walks; a test holds them together. Each rule has an example, and a near miss that it leaves alone.

| severity | means |
|---|---|
| ERROR | it breaks a MUST or the grammar, cannot be fetched as it stands, or is made to deceive |
| WARNING | it breaks a SHOULD, or is most likely a mistake |
| INFO | it is allowed and has a better spelling, or deserves a second look |

`Finding` and `Severity` are in `iri_canon`. A finding has `rule`, `component` (a field of `IRI`), `offset` (code points
of the text given), `severity`, `clause`, `message` and `remedy`, which is the rule's, or what the grammar tells to
write. They come by offset, at one offset in the order of this page, and no rule gives more than {LIMIT} for one text.
The text is judged as it is written: where characters stand in triplets, the rules on triplets apply, but for hosts,
which are judged as they show; controls and spaces around it count in offsets and are no part of it. A message shows raw
octets (surrogates in a `str`, by `surrogateescape`) as triplets, and right-to-left characters by number. `rules=`
chooses rules, `ignore=` leaves some out, both by several names.

What is left alone on purpose: digits for letters (`br0ken`, `1ame`: 7.5), since names such as `html5` and `h264` are as
good; quotation marks and full-width punctuation in queries, which carry prose; triplets encoded twice where a query
embeds another IRI; names of files that might be hosts (`notes.org`, `logo@2x.png`), and any relative reference else,
since its base is not known: where only absolute IRIs are wanted, ask `is_valid(text, "IRI")`.
"""

COMMAND = """\
## On the command line

`iri-canon lint [IRI]...` takes arguments, `--file PATH` (again for more; `-` is standard input), or, without either or
with `-` alone, the lines of standard input. Lines are UTF-8 unless `--encoding` names another charset; a byte order
mark before the first is no part of it. Each finding is a line: `SOURCE:LINE:OFFSET: severity: rule: message (clause);
remedy`. The source is a path, `<argument>` or `<stdin>`; lines count from 1 and the offset, as everywhere, from 0.
Controls and what changes the direction of text are shown by number. `--json` prints one object a finding instead, with
the fields of a finding and `source`, `line` and `input`; a text without findings prints nothing. `--rules` and
`--ignore` take names, `--list` prints them (with `--json` an object each). If standard error is a terminal, a summary
follows there.

| exit status | means |
|---|---|
| 0 | nothing as bad as `--fail-on` (`error` unless given; `warning`, `info`; in any case) |
| 1 | some finding is, a line is not in `--encoding`, or the output cannot be written |
| 2 | an unknown option or rule, or a file that cannot be read: it is named on standard error, and the others are read |
"""

DATA = """\
These need the data of Unicode, the extra `lint` (in a clone: `pip install '.[lint]'`). Without it they find nothing,
and a text that they would have looked at has one finding `scripts-unchecked` instead; to name one of them in `rules=`
is an error then. A label of a host has to be "highly restrictive" in the sense of UTS #39 5.2: of one script, where
Chinese, Japanese and Korean count as one each, or of Latin and one of these three. A word elsewhere may have Latin with
any script of UAX #31 table 5 but Cyrillic and Greek.
"""
COLUMNS = ("rule", "severity", "what it finds", "by", "for example", "and not", "what to do")


def examples() -> dict[str, tuple[str, str]]:
    """The first example of each rule with its near miss."""
    with VECTORS.open("rb") as file:
        hits = tomllib.load(file)["hit"]
    return {hit["rule"]: (hit["text"], hit["twin"]) for hit in reversed(hits) if "text" in hit}


def rows(subject: str) -> Iterator[str]:
    yield f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|\n"
    shown = examples()
    for name, rule in RULES.items():
        if rule.check.__module__.rpartition(".")[2] != subject:
            continue
        said = (rule.check.__doc__ or "").partition("\n")[0].partition(": ")[2]
        cells = [f"`{name}`", rule.severity.name, said[:1].upper() + said[1:].rstrip("."), rule.clause]
        if name in shown:
            example, twin = shown[name]
            if not lint(example, rules=[name]) or lint(twin, rules=[name]):
                raise ValueError(f"{name} does not find {example!r}, or finds {twin!r}")
            cells += [code(example), code(twin)]
        else:
            cells += ["", ""]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in (*cells, rule.remedy)) + " |\n"


def code(text: str) -> str:
    """A text as code: what cannot be seen, or would change the order, is written by number; what is long is cut."""
    seen = "".join(each if is_plain(each) else f"\\u{ord(each):04x}" for each in text)
    if seen.startswith(" "):  # Markdown would strip it
        seen = f"\\u0020{seen[1:]}"
    seen = seen if len(seen) <= LONGEST else f"{seen[:LONGEST]}..."
    return f"`` {seen} ``" if "`" in seen else f"`{seen}`" if seen else "(nothing)"


def is_plain(character: str) -> bool:
    from unicodedata import bidirectional, category

    return (
        character.isprintable()
        and category(character)[0] != "M"
        and bidirectional(character) not in ("R", "AL")
    )


def page() -> str:
    if {"scripts-unchecked", *examples()} != RULES.keys():
        raise ValueError("some rule has no example")
    parts = [HEAD]
    for subject, title in SUBJECTS.items():
        parts.append(f"## {title}\n")
        if any(RULES[name].check.__module__.endswith(f".{subject}") for name in NEED_DATA):
            parts.append(DATA)
        parts.append("".join(rows(subject)))
    return "\n".join((*parts, COMMAND))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
