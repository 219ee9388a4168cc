"""The sections of the site, one for each rung and each trap; a section is a recipe with a size."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from sample_project.answers import show
from sample_project.pages import HOME, Site
from sample_project.sections import equal, learned, redirects, twins, walls
from sample_project.sections.recipe import Recipe, Section

RECIPES: tuple[Recipe, ...] = (
    equal.RECIPES + redirects.RECIPES + twins.RECIPES + walls.RECIPES + learned.RECIPES
)
# At this size the recipes' own numbers of items hold; larger sites are scaled from it.
BASE_PAGES = 1200
LINKS_A_PAGE = 40


def build_site(*, seed: int = 0, pages: int = BASE_PAGES, sections: Collection[str] = ()) -> Site:
    """The site for a seed, with all sections or those named.

    With all of them it has at least `pages` pages, and each section has at least one item; a section is
    as large whether others are there or not. Raises `ValueError` for a section that is not there and for
    a number of pages below 1.
    """
    names = [recipe.name for recipe in RECIPES]
    unknown = sorted(set(sections) - set(names))
    if unknown:
        raise ValueError(f"no section named {', '.join(unknown)}; there are: {', '.join(names)}")
    if pages < 1:
        raise ValueError(f"a site of {pages} pages is none")
    site = Site()
    home = site.add("home", "home", HOME)
    site.route(HOME, show(home))
    site.sections["home"] = "the home page, which every page links to, and the indexes of the sections"
    for recipe in RECIPES:
        if sections and recipe.name not in sections:
            continue
        # Each section has its own source of chance, so that a section is the same whichever others are there.
        section = Section(
            site,
            recipe,
            random.Random(f"{seed}/{recipe.name}"),
            max(1, round(recipe.items * pages / BASE_PAGES)),
        )
        recipe.build(section)
        site.sections[recipe.name] = recipe.title
        # What is on a later index is seen by the spider after all of the earlier ones.
        for index, hrefs in (("index", section.first), ("again", section.again)):
            _lay_index(site, recipe.name, index, hrefs)
        for identity in section.made:
            site.link(identity, HOME)
            site.link(identity, f"http://site.example/{recipe.name}/index/1")
        site.link(home, f"http://site.example/{recipe.name}/index/1")
    return site


def _lay_index(site: Site, section: str, index: str, hrefs: Sequence[str]) -> None:
    """Index pages with so many links each, chained; the last of the first index leads on to the second."""
    count = max(1, -(-len(hrefs) // LINKS_A_PAGE))
    for number in range(1, count + 1):
        url = f"http://site.example/{section}/{index}/{number}"
        identity = site.add("home", f"{section}/{index}/{number}", url, links=[HOME])
        site.route(url, show(identity))
        for href in hrefs[(number - 1) * LINKS_A_PAGE : number * LINKS_A_PAGE]:
            site.link(identity, href)
        if number < count:
            site.link(identity, f"http://site.example/{section}/{index}/{number + 1}")
        elif index == "index":
            site.link(identity, f"http://site.example/{section}/again/1")
