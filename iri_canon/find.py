"""RFC 3987 7.3: an IRI in running text reaches as far as its grammar, less the punctuation of the text around it.

Every search starts at a colon, scans each character once and goes on behind what it has scanned: time is linear.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal
from unicodedata import category

from iri_canon import grammar
from iri_canon.arguments import require
from iri_canon.errors import IriError, IriSyntaxError
from iri_canon.parse import split_authority
from iri_canon.schemes import lookup
from iri_canon.unseen import BIDI_FORMATTING, BLANK, LATER_BIDI_FORMATTING, SPACES

Component = Literal["path", "query", "fragment"]

#: How an IRI of a scheme without "//" begins, so that words of the text ("tag: new", "INFO:root") are none. Each
#: looks at a bounded number of characters.
OPAQUE: Final = {
    "cid": r"[^\s@]{1,64}+@",
    "data": r"(?:[A-Za-z]{1,32}/|;base64,|,)",  # RFC 2397
    "doi": r"10\.[0-9]",
    "file": r"/(?!/)[^\s/]",  # RFC 8089 2
    "geo": r"-?[0-9]",  # RFC 5870
    "magnet": r"\?[a-z]",
    "mailto": r"(?:[^\s@]{1,64}+@.|\?[a-z])",  # RFC 6068; RFC 5321 4.5.3.1.1
    "mid": r"[^\s@]{1,250}+@.",
    "news": r"(?:[^\s@]{1,250}+@.|[A-Za-z0-9+_-]{1,64}\.[A-Za-z0-9])",  # RFC 5538
    "sip": r"(?:[^\s@]{1,64}+@.|[A-Za-z0-9-]{1,63}\.[A-Za-z0-9])",  # RFC 3261
    "sips": r"(?:[^\s@]{1,64}+@.|[A-Za-z0-9-]{1,63}\.[A-Za-z0-9])",
    "sms": r"\+?[0-9]",  # RFC 5724
    "tag": r"[^\s,]{1,255}+,[0-9]{4}",  # RFC 4151
    "tel": r"\+?[0-9(]",  # RFC 3966
    "urn": r"[A-Za-z0-9][A-Za-z0-9-]{1,31}:.",  # RFC 8141
    "xmpp": r"[^\s@]{1,250}+@.",  # RFC 5122
}
_SCHEME_CHARACTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-."
_LONGEST_SCHEME: Final = 63

# What looks like space or like nothing, bidi formatting (4.1: no part of an IRI) among it; but not what shapes its
# neighbours (SHAPING), which Persian, Indic and Mongolian scripts and emoji need, and no letter or mark (FILLERS).
_UNSEEN: Final = f"{SPACES}{BLANK}{BIDI_FORMATTING}{LATER_BIDI_FORMATTING}"
# Quotation marks in print, which delimit as '"' does (RFC 3986 appendix C). The single ones are apostrophes, too.
_QUOTES: Final = "\xab\xbb\u201c-\u201f\u2039\u203a\u301d-\u301f\uff02"
# Sentences and clauses end with them in other scripts than Latin, and often no space follows (Unicode's
# Terminal_Punctuation); an ellipsis, "·", "・", "’" and dashes stand within words, too.
_ENDS: Final = (
    "\u037e\u0589\u060c\u061b\u061d-\u061f\u06d4\u0700-\u070a\u070c\u07f8\u07f9\u0964\u0965\u0e5a\u0e5b\u0f08"
    "\u0f0d-\u0f12\u104a\u104b\u1361-\u1368\u166e\u16eb-\u16ed\u17d4-\u17d6\u17da\u1802-\u1805\u1808\u1809"
    "\u1c3b-\u1c3f\u1c7e\u1c7f\u203c\u203d\u2047-\u2049\u22ef\u2e2e\u2e41\u2e4e\u3001\u3002\ua4fe\ua4ff"
    "\ua60d-\ua60f\ua6f3-\ua6f7\ua876\ua877\ua8ce\ua8cf\uaaf0\uaaf1\uabeb\ufe10-\ufe16\ufe19\ufe50-\ufe52"
    "\ufe54-\ufe57\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\uff61\uff64"
)
_BRACKETS: Final = dict(zip("(（「『《〈【〔〖［｛｢", ")）」』》〉】〕〗］｝｣", strict=True))
_LENIENT_BRACKETS: Final = _BRACKETS | {"[": "]", "{": "}"}
_NON_ASCII_BRACKETS: Final = "".join((*_BRACKETS, *_BRACKETS.values())).replace("(", "").replace(")", "")
_TRAILING: Final = ".,:;!?'\"([{"
# A closing bracket that is still there has its opening one: "Pe" is none of them.
_PUNCTUATION: Final = frozenset(("Pd", "Ps", "Pi", "Pf", "Po", "Cf"))
_CLOSING_QUOTE: Final = {"'": "'", "‘": "’", "‚": "‘"}
_MARKUP: Final = "*_~"
# What stands around an IRI and belongs to the text.
_PAIRS: Final = frozenset(('""', "“”", "„“", "«»", "‹›", "()", "[]", "{}", "「」", "『』"))
_COLON: Final = re.compile(r"(?<=[A-Za-z0-9+.\-]):")
_LAST_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9+]*\Z")
_END_OF_BRACKETS: Final = re.compile("(?=>)")
_BRACKETED: Final = re.compile(r"[^<>]*+(?=>)")
# What an authority cannot end with: another port, another "@", half a triplet. Other characters end the IRI there.
_TORN: Final = re.compile(r"[A-Za-z0-9%@&=+$]")


@dataclass(frozen=True, slots=True)
class FoundIri:
    """An IRI in a text: ``text[start:end]``, in code points, is ``iri`` (but for line ends that were taken out)."""

    start: int
    end: int
    iri: str


def find_iris(
    text: str, *, schemes: Iterable[str] | None = None, lenient: bool = False, join_lines: bool = False
) -> Iterator[FoundIri]:
    """RFC 3987 7.3: the IRIs in running text, in their order, none within another.

    An IRI begins with its scheme: one of the scheme table (`register_scheme` adds to it) and "//", or one of `OPAQUE`
    and what that begins with; *schemes* names those to look for instead. No scheme begins within a word
    ("xhttp://h"). Each IRI found is an IRI of the grammar (2.2), and `parse` takes it. Letters of any script belong to
    it, also where the next word follows without a space: "http://example.com/これは" is one IRI. It ends

    - at space, controls, invisible characters and bidi formatting, at ``" < > | \\ ^ ` { }`` and square brackets that
      hold no IP address, at a double quote of print, at a "%" that begins no triplet;
    - at a closing bracket that it did not open, at the single quote that belongs to one in front of it, at a comma or
      semicolon and "scheme://";
    - at the marks that end sentences and clauses in other scripts (``。 、 ！ ؟ ।``), wherever they stand (but "。"
      is a dot between labels in "http://日本語。jp/", before a Latin one);
    - before what then stands at its end and belongs to the text: ``. , : ; ! ? ' …``, dashes, opening brackets, a
      possessive "'s", and ``* _ ~`` where they stand in front of it, too.

    What ``<`` and ``>`` enclose is taken as it is, with or without "URL:" (RFC 3986 appendix C). With
    ``join_lines=True`` its line ends are taken out, with the indentation around: only then ``iri`` is not the slice of
    the text. With ``lenient=True`` it also holds, behind the authority, what `canonicalize` repairs: a "%"
    that begins no triplet, "^", and square and curly brackets in pairs (``?a[]=1``). What has no scheme
    ("www.example.com", "//example.com") is not found. Raises `IriError` for a name that is no scheme.

    >>> [found.iri for found in find_iris("(see http://example.com/a_(b)), <URL:http://example.org/é.>")]
    ['http://example.com/a_(b)', 'http://example.org/é.']
    >>> list(find_iris("詳細はhttp://例え.jp/道。mailto:a@example.com's"))
    [FoundIri(start=3, end=17, iri='http://例え.jp/道'), FoundIri(start=18, end=38, iri='mailto:a@example.com')]
    """
    require(text, str, "running text")
    return _walk(text, None if schemes is None else _names(schemes), lenient, join_lines)


def _names(schemes: Iterable[str]) -> frozenset[str]:
    if isinstance(schemes, str):
        raise TypeError("schemes are several names, not one text")
    names = frozenset(schemes)
    for name in names:
        require(name, str, "a scheme")
        if not re.fullmatch(grammar.SCHEME, name):
            raise IriError(f"{name!r} is no scheme (RFC 3986 3.1)")
    return frozenset(map(str.lower, names))


def _walk(text: str, wanted: frozenset[str] | None, lenient: bool, join_lines: bool) -> Iterator[FoundIri]:
    done = position = 0
    while colon := _COLON.search(text, position):
        position = colon.end()
        start = _scheme_start(text, done, colon.start(), wanted)
        if start is None:
            continue
        opening = _opening(text, start, position, wanted)
        if opening is None:
            continue
        least, behind = opening
        goes_on = behind == position or text.startswith(("/", "?", "#"), behind)
        if text.endswith(("<", "<URL:", "<url:"), 0, start):
            joined = _joined(text, start, wanted, lenient) if join_lines else None
            if joined is not None:
                yield joined
                done = position = joined.end
                continue
            enclosed = (_enclosed(lenient) if goes_on else _END_OF_BRACKETS).match(text, behind)
            if enclosed is not None and enclosed.end() >= least:
                done = position = enclosed.end()
                yield FoundIri(start, done, text[start:done])
                continue
        quote = _CLOSING_QUOTE.get(text[start - 1 : start], "")
        done = _scan(text, behind, quote, lenient) if goes_on else behind
        position = max(position, done)
        end = _trimmed(text, least, done, text[start - 1 : start])
        if end >= least:
            yield FoundIri(start, end, text[start:end])


def _scheme_start(text: str, done: int, colon: int, wanted: frozenset[str] | None) -> int | None:
    """Where the scheme before a colon begins; None where what stands there is no scheme that is looked for."""
    window = text[max(done, colon - _LONGEST_SCHEME - 1) : colon]
    run = window[len(window.rstrip(_SCHEME_CHARACTERS)) :].lstrip("+-.")
    # "this.http://h", "a-http://h": a full stop or a dash without its space; "git+https" is another scheme.
    last = _LAST_WORD.search(run)
    for name in (run, run.rpartition(".")[2], last[0] if last else ""):
        start = colon - len(name)
        if name and _is_looked_for(name.lower(), wanted) and not _is_within_word(text, start):
            return start
    return None


def _is_looked_for(name: str, wanted: frozenset[str] | None) -> bool:
    return lookup(name).name == name or name in OPAQUE if wanted is None else name in wanted


def _is_within_word(text: str, start: int) -> bool:
    """Whether a letter stands before; where a script knows no capitals (Chinese, Hebrew) it may be another word's."""
    before = text[max(0, start - 4) : start].rstrip("_")[-1:]
    return (before.isascii() and before.isalnum()) or before.islower() or before.isupper()


def _opening(text: str, start: int, behind: int, wanted: frozenset[str] | None) -> tuple[int, int] | None:
    """Where at least the IRI has to reach, and where its path, query or fragment may begin; None if it is none."""
    name = text[start : behind - 1].lower()
    if text.startswith("//", behind):
        return _authority(text, name, behind + 2)
    if name in OPAQUE:
        match = _opaque(name).match(text, behind)
        return None if match is None else (match.end(), behind)
    if wanted is None or lookup(name).authority == "required":
        return None
    return behind + 1, behind


@cache
def _opaque(name: str) -> re.Pattern[str]:
    return re.compile(OPAQUE[name])


def _authority(text: str, name: str, begin: int) -> tuple[int, int] | None:
    match = _authority_pattern().match(text, begin)
    if match is None or lookup(name).authority == "forbidden" or _TORN.match(text, match.end()):
        return None
    try:
        split_authority(match[0])
    except IriSyntaxError:  # a port beyond 65535
        return None
    if match["host"]:
        return match.start("host") + 1, match.end()
    if lookup(name).needs_host or match[0] or not text.startswith("/", match.end()):
        return None
    return match.end() + 1, match.end()


def _scan(text: str, position: int, quote: str, lenient: bool) -> int:
    """Where the path, query and fragment from *position* on end; brackets are counted on the way."""
    brackets = _LENIENT_BRACKETS if lenient else _BRACKETS
    closing = frozenset(brackets.values())
    opened: Counter[str] = Counter()
    component: Component = "path"
    run = _run(component, quote, lenient)
    while (match := run.match(text, position)) is not None:
        position = match.end()
        character = text[position : position + 1]
        if character in brackets:
            opened[brackets[character]] += 1
        elif character in closing and opened[character]:
            opened[character] -= 1
        elif character == "?" and component == "path":
            component = "query"
            run = _run(component, quote, lenient)
        elif character == "#" and component != "fragment":
            component = "fragment"
            run = _run(component, quote, lenient)
        else:
            break
        position += 1
    return position


def _trimmed(text: str, least: int, end: int, before: str) -> int:
    """The end without the punctuation of the text; below *least* where nothing of an IRI is left."""
    markup = before if before and before in _MARKUP else ""
    # What stands between quotes or brackets of its own is a name with its "'s", no word of the text.
    is_delimited = f"{before}{text[end : end + 1]}" in _PAIRS
    while end >= least:
        last = text[end - 1]
        if not is_delimited and last in "sS" and text[end - 2] in "'’":
            end -= 2
        elif last in _TRAILING or last == markup or (last > "\x7f" and category(last) in _PUNCTUATION):
            end -= 1
        else:
            break
    return end


def _joined(text: str, start: int, wanted: frozenset[str] | None, lenient: bool) -> FoundIri | None:
    """RFC 3986 appendix C: what angle brackets enclose on several lines, if that is one IRI without its line ends."""
    enclosed = _BRACKETED.match(text, start)
    lines = enclosed[0].splitlines() if enclosed else []
    if enclosed is None or len(lines) < 2:
        return None
    joined = "".join(map(str.strip, lines))
    found = next(_walk(f"<{joined}>", wanted, lenient, False), None)
    return FoundIri(start, enclosed.end(), joined) if found and found.iri == joined else None


# The sets of Unicode take a while to compile: only who searches waits for them.
@cache
def _authority_pattern() -> re.Pattern[str]:
    letters = rf"[{grammar.UCSCHAR}](?<![{_UNSEEN}{_QUOTES}{_ENDS}{_NON_ASCII_BRACKETS}])"
    ideographic_dot = "(?<=[^\\x00-\\x7f])[。．｡](?=[A-Za-z])"
    name = (
        rf"(?:[{grammar.UNRESERVED}!$&*+=]++|{_glue()}|{grammar.PCT_ENCODED}|{letters}|{ideographic_dot})*+"
    )
    userinfo = rf"(?:[{grammar.UNRESERVED}!$&*+=:()']++|{_glue()}|{grammar.PCT_ENCODED}|{letters})*+"
    literal = rf"\[(?:{grammar.IPV6ADDRESS}|{grammar.IPVFUTURE})\]"
    return re.compile(rf"(?:{userinfo}@)?+(?P<host>{literal}|{name})(?::[0-9]*+)?+")


@cache
def _run(component: Component, quote: str, lenient: bool) -> re.Pattern[str]:
    """As many characters of a component as there are before a bracket, a delimiter or the end."""
    characters = rf"{grammar.UNRESERVED}!$&*+=:@/'".replace("'" if quote == "'" else "", "")
    if component != "path":
        characters += "?"
    if lenient:
        characters += r"%\^"
    letters = grammar.UCSCHAR + (grammar.IPRIVATE if component == "query" else "")
    ends = f"{_UNSEEN}{_QUOTES}{_ENDS}{_NON_ASCII_BRACKETS}{quote}"
    return re.compile(rf"(?:{grammar.PCT_ENCODED}|[{characters}]++|{_glue()}|[{letters}](?<![{ends}]))*+")


@cache
def _enclosed(lenient: bool) -> re.Pattern[str]:
    """Path, query and fragment up to ">"."""

    def part(characters: str, letters: str) -> str:
        characters += r"%\^\[\]{}" if lenient else ""
        return rf"(?:{grammar.PCT_ENCODED}|[{characters}]++|[{letters}](?<![{_UNSEEN}]))*+"

    path = part(grammar.PATH, grammar.UCSCHAR)
    query = part(grammar.QUERY, grammar.UCSCHAR + grammar.IPRIVATE)
    fragment = part(grammar.FRAGMENT, grammar.UCSCHAR)
    return re.compile(rf"{path}(?:\?{query})?+(?:#{fragment})?+(?=>)")


def _glue() -> str:
    """A comma or semicolon, unless the next IRI follows."""
    return rf"[,;](?![A-Za-z][A-Za-z0-9+.\-]{{0,{_LONGEST_SCHEME}}}+://)"
