"""What an audit without a contradiction leaves open is stated as a bound, and never as certainty."""

from __future__ import annotations

from math import lgamma, log


def bound(agreed: int, suppressed: int, confidence: float = 0.95) -> float:
    """The upper confidence bound on the share of wrong merges, from 0 to 1.

    Of ``suppressed`` requests, ``agreed`` were drawn at random and all of them agreed. More wrong ones than the bound
    says would have shown themselves with a probability of at least ``confidence``. Exact: the draws are without
    replacement (hypergeometric), so that an audit of everything leaves nothing open. Without an audit it is 1.

    >>> [round(bound(agreed, 100), 3) for agreed in (0, 5, 20, 59, 100)], bound(0, 0)
    ([1.0, 0.44, 0.12, 0.03, 0.0], 0.0)
    """
    if suppressed <= 0:
        return 0.0
    agreed = min(max(agreed, 0), suppressed)
    # The most wrong ones that an audit misses with a probability above what the confidence leaves.
    least, most = 0, suppressed - agreed
    while least < most:
        middle = (least + most + 1) // 2
        if _missed(middle, agreed, suppressed) > log(1 - confidence):
            least = middle
        else:
            most = middle - 1
    return least / suppressed


def _missed(wrong: int, agreed: int, suppressed: int) -> float:
    """The logarithm of the probability that a sample holds none of the wrong ones."""
    right = suppressed - wrong
    return (
        lgamma(right + 1)
        - lgamma(right - agreed + 1)
        - lgamma(suppressed + 1)
        + lgamma(suppressed - agreed + 1)
    )
