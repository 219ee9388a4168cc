"""The one place where the texts of a column become keys; a text that is carried is restored for it."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from iri_canon.arrow import keys
from iri_canon.ladder import key
from iri_canon.logs.columns import MARK, carried, restored


def keys_of(texts: pa.Array) -> pa.Array:
    """The SCHEME keys of a column of texts as `iri_canon.logs.columns` carries them, carried; nulls stay null.

    >>> keys_of(pa.array(["HTTP://h", carried("http://h/\\udce9"), carried("http://[\\udce9"), None])).to_pylist()
    ['http://h/', 'http://h/%E9', '\\x00http://[\\\\udce9', None]
    """
    found = keys(texts)
    is_carried = pc.fill_null(pc.starts_with(texts, MARK), False)
    if not is_carried.true_count:
        return found
    own = [carried(key(restored(text))) for text in texts.filter(is_carried).to_pylist()]
    return pc.replace_with_mask(found, is_carried, pa.array(own, texts.type))
