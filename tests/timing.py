"""Whether a call takes time in proportion to its text, judged so that a busy machine changes no verdict."""

import contextlib
import time
from collections.abc import Callable
from typing import Final

from iri_canon import IriError

# Linear is 4 times; quadratic is 16. What takes no longer than the noise, in seconds for each code point, is not
# compared: the clock and the collector of garbage have their share in it.
FACTOR: Final = 9.0
NOISE: Final = 4e-7
#: A busy machine makes a sample slower and none faster, so that the best of several counts. Quadratic code is slow
#: in all of them; for linear code the first mostly does.
SAMPLES: Final = 12


def seconds(call: Callable[[str], object], text: str) -> float:
    """Seconds of this process's own time; what it refuses is timed as well."""
    start = time.process_time()
    with contextlib.suppress(IriError):
        call(text)
    return time.process_time() - start


def is_linear(call: Callable[[str], object], small: str, large: str) -> bool:
    """Whether *large*, four times *small*, takes about four times as long."""
    fast, slow = float("inf"), float("inf")
    for _ in range(SAMPLES):
        slow = min(slow, seconds(call, large))
        if slow <= NOISE * len(large):
            return True
        fast = min(fast, seconds(call, small))
        if slow <= FACTOR * fast:
            return True
    return False
