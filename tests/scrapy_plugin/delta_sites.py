"""A site that changes between crawls, and the file in which they keep what they have done."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from iri_canon.equivalence import EquivalenceStore, open_equivalences, profile
from tests.scrapy_plugin.site import Route, Site, page

HOUR = 3600.0


def opened(path: Path) -> closing[EquivalenceStore]:
    return closing(open_equivalences(f"sqlite:{path}", profile()))


def names(path: Path, site: Site) -> dict[str, str]:
    """Each name with its page, without the site's own part."""
    with opened(path) as store:
        return {one.key.removeprefix(site.url): one.page.removeprefix(site.url) for one in store.pages()}


def make_older(path: Path, seconds: float) -> None:
    """As if the crawls had been so long ago."""
    with opened(path) as store:
        pages = list(store.pages())
        store.forget_pages(known.key for known in pages)
        for known in pages:
            older = known.time - seconds
            store.keep_page(known.key, known.page, older, gave_items=known.gave_items, covered=known.covered)


def home(site: Site, *links: str, **routes: Route) -> None:
    """Begin anew: nothing was asked, and the home page has these links."""
    site.lines.clear()
    site.asked.clear()
    site.routes = {"/": page("home", *links), **{f"/{name}": route for name, route in routes.items()}}
