from typing import TypeAlias

_Octets: TypeAlias = bytes | bytearray | memoryview

def scheme_key(text: object) -> str | None: ...
def fill(
    wide: bool,
    offsets: _Octets,
    data: _Octets,
    validity: _Octets | None,
    first: int,
    rows: int,
    key_offsets: bytearray | memoryview,
    keys: bytearray | memoryview,
    others: bytearray | memoryview,
    row: int,
) -> tuple[int, int, bool]: ...
def insert(
    wide: bool,
    key_offsets: bytearray | memoryview,
    keys: bytearray | memoryview,
    rows: int,
    others: _Octets,
    found_offsets: _Octets,
    found: _Octets,
) -> None: ...
