"""The names that Scrapy's settings and spiders need; the rest of this package is not for use from outside."""

from scrapy_plugin.addon import Addon
from scrapy_plugin.dupefilter import CanonicalDupeFilter
from scrapy_plugin.fingerprinter import CanonicalFingerprinter
from scrapy_plugin.links import iri_request, prepare_href
from scrapy_plugin.redirect_observer import RedirectObserver
from scrapy_plugin.spider_middleware import CanonicalSpiderMiddleware

__all__ = [
    "Addon",
    "CanonicalDupeFilter",
    "CanonicalFingerprinter",
    "CanonicalSpiderMiddleware",
    "RedirectObserver",
    "iri_request",
    "prepare_href",
]
