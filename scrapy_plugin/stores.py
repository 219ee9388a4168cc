"""A store that cannot be used is refused before the crawl has touched anything, in one line that names the way out."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary, finalize

from scrapy.crawler import Crawler

from iri_canon import StoreError
from iri_canon.equivalence import EquivalenceStore, SeenStore, open_equivalences, open_seen, profile
from scrapy_plugin.options import Options

logger = logging.getLogger(__name__)

SCRAPYS_FILE: Final = "requests.seen"
SCRAPYS_QUEUE: Final = "requests.queue"


class Stores:
    """The states of this crawl, and the pairs that this and other crawls observed."""

    def __init__(self, seen: SeenStore, pairs: EquivalenceStore) -> None:
        self.seen = seen
        self.pairs = pairs
        self._is_open = True

    def close(self) -> None:
        """Give both back; twice is no error. A store that cannot be written is told, not raised: the crawl is over."""
        if not self._is_open:
            return
        self._is_open = False
        for close in (partial(self.seen.close, clean=True), self.pairs.close):
            try:
                close()
            except StoreError as error:
                logger.error("%s", error)


def open_stores(options: Options) -> Stores:
    """Open what the options name. Raises ``StoreError``, after it is logged."""
    # What the digests depend on: a file of other digests must not be mixed with these.
    digests = profile(
        options.conventions,
        fragments="kept" if options.keep_fragments else "dropped",
        headers=",".join(name.decode() for name, _ in options.headers),
        fingerprinter=options.own_fingerprinter or "iri-canon",
    )
    seen: SeenStore | None = None
    way_out = "the job's own file: another JOBDIR begins another job"
    try:
        if options.seen_path is not None:
            options.seen_path.parent.mkdir(parents=True, exist_ok=True)
        seen = open_seen(options.seen_path, digests)
        way_out = "IRI_CANON_STORE names another one, or memory:"
        pairs = open_equivalences(options.store, profile())
    except (StoreError, OSError) as error:
        if seen is not None:
            seen.close(clean=True)
        logger.critical("The duplicate filter cannot start: %s (%s)", error, way_out)
        if isinstance(error, StoreError):
            raise
        raise StoreError(str(error)) from None
    if options.job_dir is not None and (options.job_dir / SCRAPYS_FILE).exists():
        logger.warning(
            "%s was written by another duplicate filter and is not read: its pages count as new",
            options.job_dir / SCRAPYS_FILE,
        )
    if seen.was_cut_off:
        logger.warning(
            "%s: the last run was cut off; %d pages are known as done, others may be fetched again, and Scrapy's"
            " own disk queue may have lost requests",
            options.seen_path,
            len(seen),
        )
        _drop_empty_queues(options.job_dir)
    elif options.seen_path is not None and len(seen):
        logger.info("%s: goes on where the last run stopped, %d requests known", options.seen_path, len(seen))
    return Stores(seen, pairs)


def _drop_empty_queues(job_dir: Path | None) -> None:
    """Remove files of Scrapy's disk queue that a killed process left without a single octet.

    Nothing is lost with them, and with them Scrapy could queue no request of that priority any more.
    """
    for path in [] if job_dir is None else sorted((job_dir / SCRAPYS_QUEUE).rglob("*")):
        if path.is_file() and path.stat().st_size == 0:
            logger.warning("%s: removed, a killed process left it empty", path)
            path.unlink()


_prepared: WeakKeyDictionary[Crawler, tuple[Options, Stores, finalize[..., Crawler]]] = WeakKeyDictionary()


def prepare(crawler: Crawler, options: Options) -> None:
    """Open the stores of a crawl ahead of its filter. Raises ``StoreError``."""
    stores = open_stores(options)
    # Where the crawl does not get as far as its filter, nothing was sent: the files stay those of a clean stop.
    _prepared[crawler] = (options, stores, finalize(crawler, stores.close))


def take(crawler: Crawler, options: Options) -> Stores:
    """The stores that were opened ahead, or newly opened ones. Raises ``StoreError``."""
    prepared = _prepared.pop(crawler, None)
    if prepared is not None:
        opened_for, stores, closing = prepared
        # From here on a process that just ends was cut off.
        closing.detach()
        if opened_for == options:
            return stores
        stores.close()
    return open_stores(options)
