"""A request is a duplicate of the one that a server showed to be its representative, where it asks for the same."""

from __future__ import annotations

from scrapy import Request

from iri_canon import key
from iri_canon.equivalence import EquivalenceStore
from scrapy_plugin.fingerprinter import Identities
from scrapy_plugin.options import Options
from scrapy_plugin.telling import Telling


class Twins:
    """The representatives that servers showed, as the filter looks for them."""

    def __init__(
        self, pairs: EquivalenceStore, identities: Identities, telling: Telling, options: Options
    ) -> None:
        self._pairs = pairs
        self._identities = identities
        self._telling = telling
        self._has_fragments = options.keep_fragments
        self._is_canonical = not options.conventions and not options.keep_fragments

    def of(self, request: Request, canonical: str) -> bytes | None:
        """The digest of the representative that the server showed for a request."""
        if not self._is_canonical or not canonical:
            canonical = key(request.url)
        representative = self._pairs.representative(canonical)
        if (
            representative is None
            or request.method not in {"GET", "HEAD"}
            or request.body
            or request.meta.get("verbatim_url")
        ):
            return None
        if self._has_fragments:
            # A pair says nothing of fragments: the same one belongs to both.
            representative += "".join(request.url.partition("#")[1:])
        self._telling.twin = (request, representative)
        return self._identities.at(request, representative)
