"""RFC 3987 6.1 b: the characters that look like a delimiter or another ASCII character that a URI gives a meaning.

Symbols and punctuation only: a letter of some alphabet that resembles a slash is no such thing for those who write it.
Forms of another width are not here but for the vertical and small ones: their normal form (NFKC) tells what they are.
"""

from typing import Final

#: What they look like, by the character.
LOOK_ALIKES: Final[dict[str, str]] = {
    character: delimiter
    for delimiter, characters in {
        "/": "\u2044\u2215\u27cb\u29f8\u2571\u2afd\u0337\u0338",  # the last two strike through what is before them
        "\\": "\u2216\u29f5\u29f9\u27cd\u2572\u20e5",  # and so does the last one
        ":": "\u2236\ua789\ufe13\ufe30\u02f8\u205a\u0589\u05c3",
        ";": "\u037e",  # NFC replaces it and U+1FEF by what they look like
        "?": "\ufe16\u2047\u2048\u2049\u2e2e",
        "#": "\ufe5f\u266f",
        "@": "\ufe6b",
        ".": "\u2024\u2025\ufe52\u2e33",
        "%": "\ufe6a\u066a",
        '"': "\u201c\u201d\u201e\u201f\u2033\u02ba",
        "<": "\ufe64\u2039\u27e8\u2329\u276e",
        ">": "\ufe65\u203a\u27e9\u232a\u276f",
        "|": "\u2223\u2758\u23d0",
        "[": "\u27e6",
        "]": "\u27e7",
        "{": "\ufe5b\u2774",
        "}": "\ufe5c\u2775",
        "^": "\u02c6\u2303",
        "`": "\u2035\u02cb\u1fef",
    }.items()
    for character in characters
}

#: Those that text is written with, so that a title without them would not be legible: behind the host, where no
#: delimiter decides who is asked, `to_iri` decodes them. Quotation marks and double prime; the full stop of Armenian
#: and the end of a verse in Hebrew; the percent sign of Arabic; the sharp sign; letters of phonetics.
IN_PROSE: Final = frozenset(
    "\u201c\u201d\u201e\u201f\u2039\u203a\u2033\u0589\u05c3\u066a\u266f\u02ba\u02c6\u02cb"
)
