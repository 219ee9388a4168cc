"""What a run starts from: each text of the vectors as a file, and words of the grammar as libFuzzer's dictionary."""

import hashlib
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fuzz import ROOT

WORDS: Final = (
    "http://", "https:", "HTTP:", "file:///", "foo:", "urn:isbn:", "mailto:", "//", "/../", "/./", "/..", "/.", "..",
    "%2e", "%2F", "%25", "%41", "%7e", "%", "%%", "%C3%A9", "%c3%a9", "%E2%80%AE", "%EE%80%80", "%C0%AF",
    "%ED%A0%80", "%F4%90%80%80", "%F0%90%8C%80", "%E2%82", "%FC", "?", "#", "@", ":", ":80", ":443", ":65536", "[",
    "]", "[::1]", "[fe80::1%25e]", "[v1.a]", "xn--", "xn--9ca", "0x7f.1", "127.0.0.1", "\u00e9", "e\u0301", "\u05d0",
    "\u202e", "\u200d", "\uff21", "\u2100", "\u3002", "\ue000", "\uffff", "\U00010300", "&amp;", "&#x", "\\", "\t",
    "\n", " ", "&", "=", ";", "<", ">", '"', "(", ")",
)  # fmt: skip


def texts() -> Iterator[str]:
    """The texts of tests/vectors: those of one case by themselves, and each base with its reference below."""
    for path in sorted((ROOT / "tests" / "vectors").glob("*.toml")):
        with path.open("rb") as file:
            for table in tomllib.load(file).values():
                for row in table if isinstance(table, list) else ():
                    if isinstance(row, dict) and {"base", "reference"} <= row.keys():
                        yield f"{row['base']}\n{row['reference']}"
                    yield from _strings(row)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if "\\u" in value:
            yield _from_json(value)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in ("name", "clause", "note", "reason", "steps", "rungs"):
                yield from _strings(item)


def _from_json(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except json.JSONDecodeError:
        return text


def write(folder: Path) -> Path:
    """Write the seeds into *folder*, a file each, and the dictionary beside it; gives the dictionary's path."""
    folder.mkdir(parents=True, exist_ok=True)
    for text in texts():
        octets = text.encode("utf-8", "surrogatepass")
        (folder / hashlib.sha1(octets, usedforsecurity=False).hexdigest()).write_bytes(octets)
    dictionary = folder.with_suffix(".dict")
    dictionary.write_text("".join(map(_quoted, WORDS)))
    return dictionary


def _quoted(word: str) -> str:
    return '"' + "".join(f"\\x{octet:02X}" for octet in word.encode()) + '"\n'
