"""The one place where texts of a column become keys; a text that is carried is restored for it."""

from __future__ import annotations

import pyarrow as pa

from iri_canon.ladder import Rung, key
from iri_canon.logs.columns import carried, restored


def keys_of(texts: pa.Array, rung: Rung = Rung.SCHEME) -> pa.Array:
    """The keys of a column of texts as `iri_canon.logs.columns` carries them, carried.

    >>> keys_of(pa.array(["HTTP://h", carried("http://h/\\udce9")])).to_pylist()
    ['http://h/', 'http://h/%E9']
    """
    return pa.array([carried(key(restored(text), rung)) for text in texts.to_pylist()], pa.string())
