"""Blocks of a list of URLs are read at once, as `urls.records` reads their lines."""

from __future__ import annotations

from codecs import BOM_UTF8

import pyarrow.compute as pc

from iri_canon.logs.block_rows import EMPTY, Lines, Rows
from iri_canon.logs.blocks import Block
from iri_canon.logs.urls import COMMENT, SPACE


def rows(block: Block) -> Rows | None:
    """The URLs of a block; None where one of its lines may be read in another way.

    >>> found = rows(Block(b"http://h/\\n\\n# a\\n b\\n"))
    >>> found.columns["url"].to_pylist(), found.lines.offsets.to_pylist()
    (['http://h/', 'b'], [0, 15])
    """
    lines = Lines.of(block)
    if lines is None or (block.octets or b"").startswith(BOM_UTF8):
        return None
    urls = pc.utf8_trim(lines.texts, SPACE)
    passed_over = pc.or_(pc.equal(urls, EMPTY), pc.starts_with(urls, COMMENT))
    if pc.any(passed_over).as_py():
        kept = pc.invert(passed_over)
        lines, urls = lines.filter(kept), urls.filter(kept)
    return Rows(lines, {"url": urls})
