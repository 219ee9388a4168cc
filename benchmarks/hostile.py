"""Every public function on every kind of hostile text, at two sizes: what takes more than linear time shows."""

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from time import thread_time_ns
from typing import Any, NamedTuple, get_args

import iri_canon
from benchmarks.sections import Figures, Run, Section
from benchmarks.tables import Table
from iri_canon import IriError, Rung
from iri_canon.conventions import CONVENTIONS
from iri_canon.document import DocumentCarrier
from iri_canon.prepare import Carrier

SMALL, LARGE = 10_000, 1_000_000
#: A hundred times the text may take so many times a hundred times as long before it is flagged.
SUSPICIOUS = 3.0
TRIES = 3
#: Nanoseconds a character: what takes less (a scan in C, a text refused at its beginning) has no growth to speak of.
NOTABLE = 2.0
FINALISTS = 3
#: Longer than what is cached, so that the small text is no bargain.
QUICK_SMALL, QUICK_LARGE = 300, 3_000
QUICK_STEP = 8


class Kind(NamedTuple):
    """A text of any size: one unit again and again, and what stands around it."""

    unit: str
    before: str = ""
    after: str = ""

    def text(self, size: int) -> str:
        return f"{self.before}{self.unit * (size // len(self.unit))}{self.after}"


PATH, QUERY, HOST = "http://h/", "http://h/?", "http://"
KINDS: dict[str, Kind] = {
    # schemes and text around IRIs
    "colons": Kind(":"),
    "schemes": Kind("a:"),
    "http://": Kind("http://"),
    "://": Kind("://"),
    "a long scheme": Kind("a", after=":"),
    "scheme characters": Kind("+.-"),
    "mailto:": Kind("mailto:"),
    "tag:": Kind("tag:"),
    "IRIs": Kind("http://h/ "),
    "IRIs in quotes": Kind("'http://h/'"),
    "IRIs in open brackets": Kind("<http://h/"),
    "IRIs behind commas": Kind(",http://h"),
    "lines in open brackets": Kind("a\n", "<http://h/"),
    # authority
    "userinfo": Kind("a:", HOST, "@h/"),
    "at signs": Kind("@", HOST, "h/"),
    "digits of a port": Kind("9", "http://h:", "/"),
    "zeros of a port": Kind("0", "http://h:", "80/"),
    "square brackets": Kind("[", HOST, "/"),
    "open IP literal": Kind("1:", "http://["),
    "open IPvFuture": Kind("a", "http://[v1."),
    "zone": Kind("%25", "http://[fe80::1", "]/"),
    "labels": Kind("a.", HOST, "/"),
    "a long label": Kind("a", HOST, "/"),
    "dots of a host": Kind(".", HOST, "/"),
    "numbers of a host": Kind("1.", HOST, "/"),
    "IDN labels": Kind("é.", HOST, "/"),
    "a long IDN label": Kind("é", HOST, "/"),
    "A-labels": Kind("xn--9ca.", HOST, "/"),
    "a long A-label": Kind("zzzzzzzz9999", "http://xn--", "/"),
    "marks in a label": Kind("\u0301\u0323", "http://a", "/"),
    "right-to-left labels": Kind("א1.", HOST, "/"),
    "joiners in a label": Kind("a\u200d", HOST, "/"),
    "expanding letters": Kind("ﷺ", HOST, "/"),
    "triplets of a host": Kind("%C3%A9.", HOST, "/"),
    "ideographic dots": Kind("é。", HOST, "/"),
    # path, query, fragment
    "slashes": Kind("/", PATH),
    "dots": Kind(".", PATH),
    "up": Kind("/..", "http://h"),
    "down and up": Kind("/a/..", "http://h"),
    "encoded dots": Kind("/%2e%2E", "http://h"),
    "relative up": Kind("../"),
    "percents": Kind("%", PATH),
    "percents and digits": Kind("%%30", PATH),
    "half characters": Kind("%C3", PATH),
    "characters in triplets": Kind("%C3%A9", PATH),
    "letters in triplets": Kind("%7e", PATH),
    "combining marks": Kind("\u0301\u0323", f"{PATH}a"),
    "marks made of marks": Kind("\u0f73", PATH),
    "marks of two classes": Kind("\u0f81\u0344\u0323", f"{PATH}a"),
    "composing vowels": Kind("\u09c7\u09be", PATH),
    "jamo": Kind("\u1100\u1161\u11a8", PATH),
    "right-to-left": Kind("א1/", PATH),
    "bidi formatting": Kind("\u202e\u2066", PATH),
    "emoji": Kind("👩\u200d🚀", PATH),
    "full-width": Kind("ａ。", PATH),
    "private use": Kind("\ue000", QUERY),
    "open brackets": Kind("(", PATH),
    "closed brackets": Kind(")", PATH),
    "brackets in brackets": Kind("([{", PATH, ")]}"),
    "names and values": Kind("a=1&", QUERY),
    "names": Kind("a&", QUERY),
    "values": Kind("=", QUERY),
    "question marks": Kind("?", PATH),
    "hashes": Kind("#", PATH),
    "semicolons": Kind(";a=1", PATH),
    "apostrophes": Kind("'s", PATH),
    "underscores": Kind("_", after="http://h/"),
    # escapes of carriers
    "ampersands": Kind("&", PATH),
    "references": Kind("&amp;", PATH),
    "open references": Kind("&amp", PATH),
    "unknown names": Kind("&notit", PATH),
    "open numbers": Kind("&#1", PATH),
    "a long number": Kind("9", f"{PATH}&#"),
    "zeros of a number": Kind("0", f"{PATH}&#"),
    "backslashes": Kind("\\", PATH),
    "open escapes": Kind("\\u", PATH),
    "escapes of JSON": Kind("\\u00e9", PATH),
    "halves of pairs": Kind("\\ud83d", PATH),
    "escapes of Apache": Kind("\\xe9", PATH),
    # no characters of an IRI
    "spaces": Kind(" "),
    "tabs": Kind("\t", PATH),
    "line ends": Kind("\r\n", PATH),
    "NULs": Kind("\x00", PATH),
    "lone surrogates": Kind("\ud800", PATH),
    "octets": Kind("\udce9", PATH),
    "quotes": Kind('"<>', PATH),
    # other schemes
    "recipients": Kind("a@b,", "mailto:"),
    "name spaces": Kind("a:", "urn:"),
}

_EVERY_CONVENTION = iri_canon.Ladder(conventions=list(CONVENTIONS))
_PRODUCTIONS = (
    *("IRI", "IRI-reference", "absolute-IRI", "irelative-ref"),
    *("URI", "URI-reference", "absolute-URI", "relative-ref"),
    *("scheme", "iauthority", "iuserinfo", "ihost", "port", "IP-literal", "ipath", "iquery", "ifragment"),
)
#: What is read to its end, and with which options.
_READ_TO_THE_END: dict[str, dict[str, Any]] = {
    "display": {},
    "display isolate": {"marks": "isolate"},
    "display ascii": {"encoding": "ascii"},
    "lint": {},
    "find_iris": {},
    "find_iris lenient": {"lenient": True, "join_lines": True},
}
#: What is public and reads no text of a stranger.
NOT_MEASURED = {
    "IRI": "made by parse",
    "Finding": "made by lint",
    "FoundIri": "made by find_iris",
    "Step": "made by explain",
    "Rung": "a number",
    "Severity": "a number",
    "ConventionError": "an error",
    "IriEncodingError": "an error",
    "IriError": "an error",
    "IriSyntaxError": "an error",
    "StoreError": "an error",
    "register_scheme": "the user's own name, and the table keeps it",
    "__version__": "a text",
}


def calls() -> dict[str, Callable[[str], object]]:
    """Each public function with its ways: the label begins with the public name, and then says which way."""
    entries: dict[str, Callable[[str], object]] = {
        "parse": iri_canon.parse,
        "parse strict": partial(iri_canon.parse, strict=True),
        "resolve reference": partial(iri_canon.resolve, "http://example.com/a/b"),
        "resolve base": lambda text: iri_canon.resolve(text, "../g"),
        "resolve as before RFC 3986": lambda text: iri_canon.resolve(text, text, strict=False),
        "to_uri": iri_canon.to_uri,
        "to_uri toascii": partial(iri_canon.to_uri, toascii=True),
        "to_iri": iri_canon.to_iri,
        "to_iri tounicode": partial(iri_canon.to_iri, tounicode=True),
        "transcribe": iri_canon.transcribe,
        "canonicalize": iri_canon.canonicalize,
        "canonicalize octets": lambda text: iri_canon.canonicalize(
            text.encode("windows-1258", "replace"), encoding="windows-1258"
        ),
        "canonicalize octets of all characters": lambda text: iri_canon.canonicalize(
            text.encode("gb18030", "replace"), encoding="gb18030"
        ),
        "to_uri octets": lambda text: iri_canon.to_uri(text.encode("gb18030", "replace"), encoding="gb18030"),
        "explain": iri_canon.explain,
        "equivalent": lambda text: iri_canon.equivalent(text, f"{text}/"),
        "lowest_rung": lambda text: iri_canon.lowest_rung(text, f"{text}/"),
        "Ladder with every convention": _EVERY_CONVENTION.key,
        "Ladder with every convention, explained": _EVERY_CONVENTION.explain,
    }
    for rung in Rung:
        entries[f"key {rung.name}"] = partial(iri_canon.key, rung=rung)
    for production in _PRODUCTIONS:
        entries[f"is_valid {production}"] = partial(iri_canon.is_valid, production=production)
    for read_from in get_args(Carrier):
        entries[f"prepare {read_from}"] = partial(iri_canon.prepare, carrier=read_from)
    for written_to in get_args(DocumentCarrier):
        entries[f"to_document {written_to}"] = partial(
            iri_canon.to_document, encoding="ascii", carrier=written_to
        )
    entries["to_document html, triplets in queries"] = partial(
        iri_canon.to_document, encoding="shift_jis", carrier="html", query_as_triplets=True
    )
    for label, options in _READ_TO_THE_END.items():
        entries[label] = partial(_consume, getattr(iri_canon, public_name(label)), options)
    return entries


def public_name(label: str) -> str:
    """What a label begins with."""
    return label.partition(" ")[0]


def _consume(function: Callable[..., Any], options: dict[str, Any], text: str) -> None:
    deque(function(text, **options), maxlen=0)


@dataclass(slots=True)
class Worst:
    """Of one function: the slowest kind with its nanoseconds at the large size, and the kind that grew most."""

    kind: str = ""
    nanoseconds: int = 0
    factor: float = 0.0
    steepest_kind: str = ""
    steepest: float = 0.0


def nanoseconds(call: Callable[[str], object], text: str, tries: int = 1) -> int:
    """The best of several tries, in processor time; an `IriError` is an answer, too."""
    best = None
    for _ in range(tries):
        start = thread_time_ns()
        with suppress(IriError):
            call(text)
        elapsed = thread_time_ns() - start
        best = elapsed if best is None else min(best, elapsed)
    return best or 1


def growth(
    call: Callable[[str], object], kind: Kind, small: int, large: int, tolerated: float = SUSPICIOUS
) -> tuple[int, float]:
    """Nanoseconds at the large size, and how many times as long as linear that is (about 1).

    What looks worse than is tolerated is tried again, so that a busy moment of the machine is not taken for it.
    """
    before = nanoseconds(call, kind.text(small), TRIES)
    after = nanoseconds(call, kind.text(large))
    ratio = large / small
    for _ in range(TRIES):
        if after <= tolerated * ratio * before:
            break
        after = min(after, nanoseconds(call, kind.text(large)))
        before = max(before, nanoseconds(call, kind.text(small), TRIES))
    return after, after / (ratio * before)


def tried(run: Run) -> list[str]:
    """The kinds of a run: a quick one has some."""
    return list(KINDS)[:: QUICK_STEP if run.quick else 1]


def worst_of(call: Callable[[str], object], small: int, large: int, kinds: Iterable[str] = KINDS) -> Worst:
    """The slowest and the steepest kind: all are tried at ten times the small size, the worst of them at the large."""
    middle = 10 * small
    found = {name: growth(call, KINDS[name], small, middle) for name in kinds}
    slowest = sorted(found, key=lambda name: found[name][0])[-FINALISTS:]
    notable = [name for name in found if found[name][0] >= NOTABLE * middle]
    steepest = sorted(notable, key=lambda name: found[name][1])[-FINALISTS:]
    worst = Worst()
    for name in dict.fromkeys((*slowest, *steepest)):
        after, factor = growth(call, KINDS[name], small, large)
        if after > worst.nanoseconds:
            worst.kind, worst.nanoseconds, worst.factor = name, after, factor
        if factor > worst.steepest and after >= NOTABLE * large:
            worst.steepest_kind, worst.steepest = name, factor
    return worst


def measure(run: Run) -> Figures:
    """The worst of every function, by its label."""
    small, large = (QUICK_SMALL, QUICK_LARGE) if run.quick else (SMALL, LARGE)
    every = calls()
    advance = run.bar("hostile text", len(every))
    found = {}
    for label, call in every.items():
        found[label] = asdict(worst_of(call, small, large, tried(run)))
        advance()
    return {"small": small, "large": large, "worst": found}


TEXT = """\
Each public function on {kinds} kinds of hostile text ({examples} ...) of {small:,} and of {large:,} characters.
Every kind is tried up to {middle:,} characters, the slowest and the steepest at the full size. "Growth" is the time
at the large size over {ratio} times that at the small: 1 where time is linear, {ratio} where it is quadratic; a row
where it is above {flag:g} is in bold. It is shown for the slowest kind, and for the one where it is largest.
Processor time, the best of some tries; an error is an answer, too.
"""


def text(figures: Figures) -> str:
    names, small, large = list(KINDS), figures["small"], figures["large"]
    return TEXT.format(
        kinds=len(names),
        examples=", ".join(names[:: len(names) // 8]),
        small=small,
        middle=10 * small,
        large=large,
        ratio=large // small,
        flag=SUSPICIOUS,
    )


def tables(figures: Figures) -> list[Table]:
    rows, marked = [], set()
    for number, (label, worst) in enumerate(figures["worst"].items()):
        seconds = f"{worst['nanoseconds'] / figures['large'] / 1000:.2f}"
        growths = (f"{worst['factor']:.1f}", f"{worst['steepest']:.1f}")
        rows.append((label, worst["kind"], worst["steepest_kind"], seconds, *growths))
        if max(worst["factor"], worst["steepest"]) > SUSPICIOUS:
            marked.add(number)
    headings = (
        "function",
        "slowest kind",
        "steepest kind",
        "s a million characters",
        "growth",
        "of the steepest",
    )
    return [Table("The worst of each function", headings, rows, names=3, marked=frozenset(marked))]


SECTION = Section("hostile", "Hostile text", measure, text, tables)
