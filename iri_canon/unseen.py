"""Characters that cannot be seen, as sets (the inside of a regular expression's brackets), and where a joiner can."""

from typing import Final

#: RFC 3987 4.1, "IRIs MUST NOT contain" them: LRM RLM LRE RLE PDF LRO RLO.
BIDI_FORMATTING: Final = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
#: What later versions of Unicode added for the same purpose (UAX #9 2.4 to 2.6): ALM LRI RLI FSI PDI.
LATER_BIDI_FORMATTING: Final = "\u061c\u2066\u2067\u2068\u2069"
#: Zs beyond U+0020, Zl, Zp, and the blank of Braille.
SPACES: Final = "\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000"
JOINERS: Final = "\u200c\u200d"
#: What cannot be seen and may change how its neighbours look: joiners, selectors of variants, the grapheme joiner.
SHAPING: Final = f"{JOINERS}\u034f\u180b-\u180d\u180f\ufe00-\ufe0f"
#: Letters and marks without a glyph, which stand for one that is not there: those of Hangul, Khmer and Khitan.
FILLERS: Final = "\u115f\u1160\u17b4\u17b5\u3164\uffa0\U00016fe4"
#: What cannot be seen and changes nothing: the rest of Default_Ignorable_Code_Point (UAX #44) but for the characters of
#: UAX #9; and the null notehead.
BLANK: Final = (
    "\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d159"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
#: All that shows as nothing.
INVISIBLE: Final = SHAPING + FILLERS + BLANK
# The canonical combining class of viramas.
_VIRAMA: Final = 9
#: How far the letters beside a joiner are looked for, so that a run of them takes linear time.
NEIGHBOURHOOD: Final = 32


def joins_letters(text: str, at: int) -> bool:
    """RFC 5892 A.1 and A.2: whether the joiner at offset *at* changes the letters beside it.

    Domain names aside, ZWJ does so before a virama, too (Unicode 12.1: the ya-phalaa of Bengali behind ra).

    >>> joins_letters("می\\u200cخواهم", 2), joins_letters("a\\u200db", 1)
    (True, False)
    """
    from unicodedata import category, combining

    import idna

    behind = text[at + 1 : at + 2]
    if text[at] == "\u200d" and behind and combining(behind) == _VIRAMA and at > 0:
        return category(text[at - 1]) == "Lo"
    start = max(0, at - NEIGHBOURHOOD)
    try:
        return idna.core.valid_contextj(text[start : at + NEIGHBOURHOOD], at - start)
    except ValueError:  # a neighbour without a name
        return False
