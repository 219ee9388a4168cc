r"""RFC 3987 3.2 step 4: the characters "not appropriate according to sections 2.2, 4.1, and 6.1", as named sets.

Step 4 leaves choices, and these are ours. What stays encoded is never wrong, only less legible, so all that 4.1
forbids stays encoded, and of what 6.1 advises against: what RFC 3491 prohibits or drops (its tables are frozen
at Unicode 3.2), forms of another width, and what looks like nothing, like space or like a delimiter. No set
asks the interpreter's Unicode database: one URI gives one IRI on every version of Python, and a code point that
is not assigned yet is decoded like any other. Sets are the inside of a regular expression's brackets.
"""

import re
from functools import cache
from typing import Final

from iri_canon import grammar
from iri_canon.lookalikes import IN_PROSE, LOOK_ALIKES
from iri_canon.unseen import BIDI_FORMATTING, INVISIBLE, LATER_BIDI_FORMATTING, SPACES

# RFC 3491 5: "prohibited output", the tables of RFC 3454 but for those whose characters 2.2 lacks in any case
# (C.3 outside the query, C.4, C.5, C.9).
NON_ASCII_SPACE: Final = "\xa0\u1680\u2000-\u200b\u202f\u205f\u3000"  # C.1.2
NON_ASCII_CONTROL: Final = (  # C.2.2
    "\x80-\x9f\u06dd\u070f\u180e\u200c\u200d\u2028\u2029\u2060-\u2063\u206a-\u206f\ufeff\ufff9-\ufffc"
    "\U0001d173-\U0001d17a"
)
NOT_PLAIN_TEXT: Final = "\ufff9-\ufffd"  # C.6
NOT_CANONICAL: Final = "\u2ff0-\u2ffb"  # C.7, ideographic description
CHANGES_DISPLAY: Final = "\u0340\u0341\u200e\u200f\u202a-\u202e\u206a-\u206f"  # C.8
# RFC 3491 3: what nameprep drops, since it looks like nothing (B.1)
MAPPED_TO_NOTHING: Final = "\xad\u034f\u1806\u180b-\u180d\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff"
# 6.1 b: "the full-width equivalents of Latin characters, half-width Katakana", with all their block (FF00-FFEF),
# and the blocks of vertical, compatibility and small forms of punctuation.
OTHER_WIDTHS: Final = "\uff00-\uffef\ufe10-\ufe1f\ufe30-\ufe4f\ufe50-\ufe6f"
# 6.1 b: "look-alikes of 'space', 'delims', and 'unwise'", and of the delimiters of this syntax: all of them but those
# of prose.
LIKE_DELIMITERS: Final = "".join(character for character in LOOK_ALIKES if character not in IN_PROSE)

INAPPROPRIATE: Final = (
    BIDI_FORMATTING
    + LATER_BIDI_FORMATTING
    + NON_ASCII_SPACE
    + NON_ASCII_CONTROL
    + NOT_PLAIN_TEXT
    + NOT_CANONICAL
    + CHANGES_DISPLAY
    + MAPPED_TO_NOTHING
    + SPACES
    + INVISIBLE
    + OTHER_WIDTHS
    + LIKE_DELIMITERS
)


# These sets take a while to compile, and a crawl that needs keys alone never asks for them.
@cache
def inappropriate(*, private: bool) -> re.Pattern[str]:
    """RFC 3987 3.2 step 4: the non-ASCII characters that stay encoded; *private* where 2.2 has iprivate (the query).

    >>> inappropriate(private=False).findall("é\\u202eＡ\\ue000"), inappropriate(private=True).findall("é\\ue000")
    (['\\u202e', 'Ａ', '\\ue000'], [])
    """
    allowed = grammar.UCSCHAR + (grammar.IPRIVATE if private else "")
    return re.compile(f"[^\x00-\x7f{allowed}]|[{INAPPROPRIATE}]")
