"""What came long ago is forgotten, half of it at a time, so that each step takes the same time."""

from __future__ import annotations

from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """A mapping of numbers that holds between ``most`` / 2 and ``most`` of what was put last.

    >>> recent = Recent[str](4)
    >>> for number in range(5):
    ...     recent.put(number, "x")
    >>> [number for number in range(5) if recent.get(number)]
    [2, 3, 4]
    """

    def __init__(self, most: int) -> None:
        self._half = most // 2
        self._young: dict[int, Value] = {}
        self._old: dict[int, Value] = {}

    def get(self, number: int) -> Value | None:
        """What was put last, if it is still known."""
        found = self._young.get(number)
        return self._old.get(number) if found is None else found

    def put(self, number: int, value: Value) -> None:
        """Keep a value in place of any other of that number."""
        if len(self._young) >= self._half:
            self._old, self._young = self._young, {}
        self._young[number] = value
