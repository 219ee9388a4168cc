"""Spellings that no RFC calls equal, and that the site shows to be one page or two, often enough to be learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sample_project.answers import changing, redirect, show
from sample_project.pages import HOME, Answer
from sample_project.sections.recipe import Recipe, Section

SITE = "http://learn.example"
HALF = "http://half.example"
Shown: TypeAlias = Callable[[str], Answer]


def _one(section: Section, name: str, urls: Sequence[str], shown: Shown = show) -> None:
    """One page at all of these URLs, the first of which is linked first."""
    identity = section.page(name, *urls)
    for url in urls:
        section.route(url, shown(identity))
    section.first.append(urls[0])
    section.again.extend(section.rng.sample(urls[1:], len(urls) - 1))


def _each(section: Section, name: str, urls: Sequence[str]) -> None:
    """A page at each of these URLs, linked in the same way."""
    for number, url in enumerate(urls):
        section.shown(f"{name}/{number}", url)
    section.first.append(urls[0])
    section.again.extend(urls[1:])


def _spelt(*forms: str, shown: Shown = show) -> Callable[[Section], None]:
    """A recipe of pages with a URL of each form; `{}` is where the item's own name goes, `{n}` a number of its own."""

    def build(section: Section) -> None:
        for number, slug in enumerate(section.slugs()):
            start = f"{SITE}/{section.recipe.name}"
            _one(section, slug, [start + form.format(slug, n=7 * number + 1) for form in forms], shown)

    return build


def case(section: Section) -> None:
    """File names without case."""
    for slug in section.slugs():
        _one(section, slug, [f"{SITE}/learned-case/{name}" for name in (slug, slug.upper(), slug.title())])


def moved(section: Section) -> None:
    """Two other names of each page redirect to it: that teaches a direction, and only sources are left out."""
    for slug in section.slugs():
        target = f"{SITE}/learned-moved/{slug}/"
        sources = [target.removesuffix("/"), f"{target}index.html"]
        section.shown(slug, target, aliases=sources)
        for source in sources:
            section.route(source, redirect(target, section.permanent()))
        section.first.append(target)
        section.again.extend(sources)


def half(section: Section) -> None:
    """A slash more is the same page in one folder of a host, and another page in the folder beside it."""
    for number, slug in enumerate(section.slugs()):
        if number % 2:
            _one(section, slug, [f"{HALF}/same/{slug}", f"{HALF}/same/{slug}/"])
        else:
            _each(section, slug, [f"{HALF}/other/{slug}", f"{HALF}/other/{slug}/"])


def later(section: Section) -> None:
    """The first two thirds of the pages have two names each; of the last third every name is a page.

    Each page links the names of the next, so that the crawl comes to them in this order.
    """
    before: list[str] = []
    for number, slug in enumerate(section.slugs()):
        urls = [f"{SITE}/learned-later/{slug}?view={view}" for view in ("list", "wide")]
        for identity in before:
            for url in urls:
                section.site.link(identity, url)
        if not before:
            section.together(urls)
        if number < section.items * 2 // 3:
            before = [section.shown(slug, *urls)]
        else:
            before = [section.shown(f"{slug}/{name}", url) for name, url in zip("ab", urls, strict=True)]


def trap(section: Section) -> None:
    """What is not there is answered 200 with one text, with any box; what is there is another page in each box."""
    none = section.page("none")
    for number, slug in enumerate(section.slugs()):
        urls = [f"{SITE}/learned-trap/{slug}?box={box}" for box in ("a", "b")]
        if number % 2:
            _each(section, slug, urls)
            continue
        for url in urls:
            section.route(url, show(none))
        section.together(urls)


def gone(section: Section) -> None:
    """What is gone redirects to the home page, with and without a slash; what is there is two pages."""
    for number, slug in enumerate(section.slugs()):
        urls = [f"{SITE}/learned-gone/{slug}", f"{SITE}/learned-gone/{slug}/"]
        if number % 2:
            _each(section, slug, urls)
            continue
        for url in urls:
            section.route(url, redirect(HOME, section.permanent()))
        section.together(urls)


RECIPES = (
    Recipe("learned-slash", "learned", 50, "/a and /a/ are one page", _spelt("/{}", "/{}/")),
    Recipe("learned-index", "learned", 50, "/index.html and / are one page", _spelt("/{}/", "/{}/index.html")),
    Recipe("learned-order", "learned", 50, "a query in three orders is one page",
           _spelt("/{}?a=1&b=2&c=3", "/{}?b=2&a=1&c=3", "/{}?c=3&b=2&a=1")),
    Recipe("learned-case", "learned", 50, "names in any case are one page", case),
    Recipe("learned-tracking", "learned", 50, "parameters that count clicks change nothing",
           _spelt("/{}", "/{}?utm_source=news", "/{}?utm_source=mail", "/{}?gclid=x{n}")),
    Recipe("learned-session", "learned", 50, "the id of a session changes nothing",
           _spelt("/{}", "/{}?sid=a{n}", "/{}?sid=b{n}")),
    Recipe("learned-unknown", "learned", 50, "a parameter of the site's own changes nothing",
           _spelt("/{}", "/{}?box=top", "/{}?box=side", "/{}?box=foot")),
    Recipe("learned-token", "learned", 50, "a slash changes nothing, a token is another one each time",
           _spelt("/{}", "/{}/", shown=changing)),
    Recipe("learned-moved", "learned", 50, "two names of each page redirect to it", moved),
    Recipe("learned-half", "learned", 60, "a slash changes nothing in one folder and all in the next", half),
    Recipe("learned-later", "learned", 50, "a parameter changes nothing, and all from some page on", later),
    Recipe("learned-trap", "learned", 30, "one text for all that is not there", trap),
    Recipe("learned-gone", "learned", 30, "gone pages redirect to the home page", gone),
)  # fmt: skip
