"""One line turns the plug-in on, and what the user set himself stays as he set it."""

from __future__ import annotations

from typing import Any, Final

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings
from scrapy.utils.misc import load_object

from scrapy_plugin.dupefilter import CanonicalDupeFilter
from scrapy_plugin.fingerprinter import CanonicalFingerprinter
from scrapy_plugin.options import read
from scrapy_plugin.redirect_observer import RedirectObserver
from scrapy_plugin.spider_middleware import CanonicalSpiderMiddleware
from scrapy_plugin.stores import prepare

CLASSES: Final = {
    "DUPEFILTER_CLASS": CanonicalDupeFilter,
    "REQUEST_FINGERPRINTER_CLASS": CanonicalFingerprinter,
}
MIDDLEWARES: Final = {
    "DOWNLOADER_MIDDLEWARES": (RedirectObserver, 610),
    "SPIDER_MIDDLEWARES": (CanonicalSpiderMiddleware, 1100),
}


def _loaded(path: Any) -> Any:
    """The object that a setting names; None where it names nothing, which is for Scrapy to say."""
    try:
        return load_object(path)
    except (ImportError, NameError, TypeError, ValueError):
        return None


def _is_placed(settings: BaseSettings, name: str, middleware: type) -> bool:
    """Whether the user gave a middleware, or a class made from it, a place (or None), by whatever name."""
    paths = [*settings.getdict(name), *settings.getdict(f"{name}_BASE")]
    return any(isinstance(one, type) and issubclass(one, middleware) for one in map(_loaded, paths))


class Addon:
    """For Scrapy's ADDONS: ``{"scrapy_plugin.Addon": 500}`` is all that is needed."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Addon:
        """Made by Scrapy."""
        return cls(crawler)

    def __repr__(self) -> str:
        return "scrapy_plugin.Addon"

    def update_settings(self, settings: BaseSettings) -> None:
        """Set the classes and middlewares that the user did not set, and open the stores.

        Raises ``OptionError`` for a wrong setting and ``StoreError`` for a store that cannot be used, both after
        they are logged, and ``NotConfigured`` with IRI_CANON_ENABLED false.
        """
        if not read(settings).enabled:
            raise NotConfigured
        for name, ours in CLASSES.items():
            # A command's own value (`scrapy shell` filters nothing) and another add-on's count as set, too.
            if (settings.getpriority(name) or 0) <= SETTINGS_PRIORITIES["default"]:
                settings.set(name, ours, "addon")
        for name, (middleware, order) in MIDDLEWARES.items():
            if not _is_placed(settings, name, middleware):
                placed = {**settings.getdict(name), middleware: order}
                settings.set(name, placed, settings.getpriority(name) or 0)
        duplicates = _loaded(settings["DUPEFILTER_CLASS"])
        if isinstance(duplicates, type) and issubclass(duplicates, CanonicalDupeFilter):
            prepare(self._crawler, read(settings))
