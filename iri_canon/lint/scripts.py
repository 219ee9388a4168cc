"""Scripts and look-alikes: UTS #39 for RFC 3987 7.5 and 8, in host labels as they show, elsewhere word by word.

The standard library lacks the data, the extra ``lint`` has it; text in ASCII without A-labels needs none.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from types import ModuleType
from typing import Final
from urllib.parse import unquote

from iri_canon import host
from iri_canon.lint.characters import WORDS, is_rtl
from iri_canon.lint.findings import Hit, quoted
from iri_canon.lint.subject import DOTS, Part, Subject

# UTS #39 5.1: the writing systems that use several scripts.
_SYSTEMS: Final = {
    "Hani": {"Hanb", "Jpan", "Kore"},
    "Hira": {"Jpan"},
    "Kana": {"Jpan"},
    "Bopo": {"Hanb"},
    "Hang": {"Kore"},
}
# UTS #39 5.2, "highly restrictive": these go with Latin.
_EAST_ASIAN: Final = frozenset({"Jpan", "Hanb", "Kore"})
# UTS #39 5.2, "moderately restrictive": so does any script of UAX #31 table 5 but Cyrillic and Greek, whose letters
# are those of Latin to the eye.
_RECOMMENDED: Final = _EAST_ASIAN | {
    *("Arab", "Armn", "Beng", "Bopo", "Deva", "Ethi", "Geor", "Gujr", "Guru", "Hang", "Hani", "Hebr", "Hira"),
    *("Kana", "Khmr", "Knda", "Laoo", "Mlym", "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thaa", "Thai", "Tibt"),
}
# Common, inherited and unknown characters go with any script.
_ANY: Final = frozenset({"Zyyy", "Zinh", "Zzzz"})
_SHORTEST_WORD: Final = 3
# The table has the small palochka beside "i"; in nearly every font it is the same stroke as "l".
_BESIDE_THE_TABLE: Final = {"\u04cf": "l"}


def mixed_scripts_in_host(subject: Subject) -> Iterator[Hit]:
    """UTS #39 5.2: a label that is not "highly restrictive" (one script, or Latin with those of East Asia)."""
    if has_data():
        for label, shown in _labels(subject):
            if _mixes(shown, _EAST_ASIAN):
                yield Hit("host", label.offset, f"{quoted(shown)} mixes {_names(shown)}")


def mixed_scripts(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 7.5: a word that is not "moderately restrictive" (one script, or Latin with another: UTS #39 5.2)."""
    if has_data():
        for word in _words(subject):
            if _mixes(word.text, _RECOMMENDED):
                yield Hit(word.component, word.offset, f"{quoted(word.text)} mixes {_names(word.text)}")


def confusable_host(subject: Subject) -> Iterator[Hit]:
    """UTS #39 4: a label that looks like one in ASCII, unless the top-level domain is of its script, too."""
    if has_data():
        for label, shown in _labels(subject):
            seen, top = _ascii_look_alike(shown), _top_level(subject)
            if seen and (top is None or top.isascii() or not _is_single(shown + top)):
                yield Hit("host", label.offset, f"{quoted(shown)} looks like {quoted(seen)}")


def confusable_word(subject: Subject) -> Iterator[Hit]:
    """RFC 3987 7.5: a word that looks like another in ASCII."""
    if has_data():
        for word in _words(subject):
            seen = _ascii_look_alike(word.text) if len(word.text) >= _SHORTEST_WORD else None
            if seen:
                yield Hit(word.component, word.offset, f"{quoted(word.text)} looks like {quoted(seen)}")


def unchecked(subject: Subject) -> Iterator[Hit]:
    """UTS #39: a text that the rules above would look at, if their data were installed."""
    if not has_data():
        for part in (*(label for label, _ in _labels(subject)), *_words(subject)):
            yield Hit(part.component, part.offset, "scripts and look-alikes were not checked: no data")
            return


def _labels(subject: Subject) -> Iterator[tuple[Part, str]]:
    """The labels that are not ASCII once they are shown, each with what is shown."""
    found = subject.part("host")
    if found is None or len(found.text) > host.LONGEST_IDN or found.text.startswith("["):
        return
    if found.text.isascii() and "%" not in found.text and "xn--" not in found.text.lower():
        return
    for label in found.split(DOTS):
        shown = _shown(label.text)
        if not shown.isascii():
            yield label, shown


def _shown(label: str) -> str:
    return host.to_unicode(unquote(label, errors="replace").lower())


def _top_level(subject: Subject) -> str | None:
    """The last label as it shows; None where it is the only one."""
    found = subject.part("host")
    names = [piece.text for piece in found.split(DOTS) if piece.text] if found else []
    return _shown(names[-1]) if len(names) > 1 else None


def _words(subject: Subject) -> Iterator[Part]:
    """The words that are not ASCII, behind and before the host."""
    for word in subject.beyond_ascii(WORDS, "userinfo", "path", "query", "fragment"):
        if not word.text.isascii():
            yield word


def _mixes(text: str, beside_latin: frozenset[str]) -> bool:
    """Whether *text* has characters of several scripts, other than Latin with one of *beside_latin*."""
    if _is_single(text):
        return False
    scripts = _scripts_of(text)
    return not any(all(each & {"Latn", other} for each in scripts) for other in beside_latin)


def _is_single(text: str) -> bool:
    """UTS #39 5.1: whether one script or writing system has all characters."""
    scripts = _scripts_of(text)
    return not scripts or bool(frozenset.intersection(*scripts))


def _scripts_of(text: str) -> list[frozenset[str]]:
    """The scripts of each character that does not go with all."""
    return [scripts for character in set(text) if (scripts := _scripts(character))]


@lru_cache(4096)
def _scripts(character: str) -> frozenset[str]:
    """UTS #39 5.1: the scripts and the writing systems that have a character; none where all have it."""
    own = frozenset(_unicode().script_extension(character))
    return frozenset() if own & _ANY else own.union(*(_SYSTEMS.get(name, ()) for name in own))


def _names(text: str) -> str:
    found = {_unicode().script(character) for character in text} - _ANY
    return ", ".join(sorted(_unicode().script_name(name) for name in found))


def _ascii_look_alike(text: str) -> str | None:
    """The ASCII name that *text* looks like, letter by letter; None where a letter looks like none."""
    if text.isascii() or is_rtl(text):
        return None
    seen = [character if character.isascii() else _prototype(character) for character in text]
    return "".join(each for each in seen if each is not None) if all(seen) else None


@lru_cache(4096)
def _prototype(character: str) -> str | None:
    """The ASCII letter, digit or hyphen that a character looks like; a ligature, like two of them, misleads nobody."""
    if character in _BESIDE_THE_TABLE:
        return _BESIDE_THE_TABLE[character]
    for found in _look_alikes().get(character, ()):
        target = found["c"]
        if len(target) == 1 and target.isascii() and (target.isalnum() or target == "-"):
            return target
    return None


@cache
def has_data() -> bool:
    """Whether the extra ``lint`` is installed."""
    return all(find_spec(name) is not None for name in ("fontTools", "confusable_homoglyphs"))


@cache
def _unicode() -> ModuleType:
    from importlib import import_module

    return import_module("fontTools.unicodedata")


@cache
def _look_alikes() -> dict[str, list[dict[str, str]]]:
    from confusable_homoglyphs.confusables import confusables_data

    data: dict[str, list[dict[str, str]]] = confusables_data
    return data
