"""Normalization Form C (UAX #15) in linear time, for any text: what `unicodedata` gives, which sorts by insertion."""

from itertools import chain, groupby


def composed(text: str) -> str:
    """UAX #15 D117 to D120: *text* in Normalization Form C.

    `unicodedata` takes quadratic time to put a run of marks in order, so each run is put in order beforehand, and
    decomposed before that: a character of class 0 may be made of marks alone (U+0F73).

    >>> composed("re\\u0301sume\\u0301"), composed("a\\u0301\\u0323") == "\\u1ea1\\u0301"
    ('résumé', True)
    """
    if text.isascii():
        return text
    from unicodedata import combining, normalize

    decomposed = text.translate({ord(each): normalize("NFD", each) for each in set(text)})
    runs = groupby(decomposed, lambda character: combining(character) > 0)
    ordered = (sorted(run, key=combining) if is_mark else run for is_mark, run in runs)
    return normalize("NFC", "".join(chain.from_iterable(ordered)))
