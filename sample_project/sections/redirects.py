"""One page, other names for it that redirect: the page is fetched once, whichever name came first."""

from __future__ import annotations

from sample_project.answers import busy_first, redirect, refresh, show
from sample_project.pages import HOME
from sample_project.sections.recipe import Recipe, Section

SITE = "http://site.example"


def _moved(section: Section, slug: str, target: str, *sources: str) -> None:
    """A page whose other names redirect to it for good; all are linked, in an order of chance."""
    section.shown(slug, target, aliases=sources)
    for source in sources:
        section.route(source, redirect(target, section.permanent()))
    section.spread([target, *sources])


def slash(section: Section) -> None:
    """The name without the slash redirects to the one with it."""
    for slug in section.slugs():
        _moved(section, slug, f"{SITE}/docs/{slug}/", f"{SITE}/docs/{slug}")


def index(section: Section) -> None:
    """The default document redirects to its folder."""
    for slug in section.slugs():
        _moved(section, slug, f"{SITE}/folder/{slug}/", f"{SITE}/folder/{slug}/index.html")


def www(section: Section) -> None:
    """The www host redirects to the plain one."""
    for slug in section.slugs():
        _moved(section, slug, f"http://plain.example/{slug}", f"http://www.plain.example/{slug}")


def https(section: Section) -> None:
    """http redirects to https."""
    for slug in section.slugs():
        _moved(section, slug, f"https://safe.example/{slug}", f"http://safe.example/{slug}")


def two_hops(section: Section) -> None:
    """www and http at once: two redirects, one after the other, and a link to the name between.

    That link stands before the one to the start, so that the chain always meets a name that is taken and
    the number of requests does not hang on who was faster.
    """
    for slug in section.slugs():
        last, middle, start = (
            f"{s}://{h}both.example/{slug}" for s, h in (("https", ""), ("https", "www."), ("http", "www."))
        )
        section.shown(slug, last, aliases=[middle, start])
        section.route(middle, redirect(last, section.permanent()))
        section.route(start, redirect(middle, section.permanent()))
        section.first += [middle, start]
        section.again.append(last)


def many(section: Section) -> None:
    """Several redirects onto one target at once; every other target has no link of its own."""
    for number, slug in enumerate(section.slugs()):
        target = f"{SITE}/many/{slug}"
        sources = [f"{target}/{letter}" for letter in "abc"]
        section.shown(slug, target, aliases=sources)
        for source in sources:
            section.route(source, redirect(target, section.temporary()))
        section.together([*sources, target] if number % 2 else sources)


def reordered(section: Section) -> None:
    """The query's names are put in order by a redirect; only the other order is linked."""
    for slug in section.slugs():
        target, source = f"{SITE}/find/{slug}?a=1&b=2", f"{SITE}/find/{slug}?b=2&a=1"
        section.shown(slug, target, aliases=[source])
        section.route(source, redirect(target, section.permanent()))
        section.first.append(source)


def respelled(section: Section) -> None:
    """A redirect to another spelling of the same name: decoded, encoded, in capitals; only the source is linked."""
    forms = (("%7Euser/{}", "~user/{}"), ("caf%c3%a9/{}", "caf%C3%A9/{}"), ("wiki_(a)/{}", "wiki_%28a%29/{}"))
    for number, slug in enumerate(section.slugs()):
        source, target = (f"{SITE}/respelled/{form.format(slug)}" for form in forms[number % len(forms)])
        section.shown(slug, target, aliases=[source])
        section.route(source, redirect(target, section.permanent()))
        section.first.append(source)


def retired(section: Section) -> None:
    """Pages that are gone redirect to the home page, whose twins they are not; the section's own page lists them."""
    gone = [f"{SITE}/gone/{slug}" for slug in section.slugs()]
    for url in gone:
        section.route(url, redirect(HOME, section.permanent()))
    section.first += gone
    kept = f"{SITE}/gone/kept"
    section.shown("kept", kept)
    section.first.append(kept)


def meta_refresh(section: Section) -> None:
    """A document that does nothing but refresh to the page."""
    for slug in section.slugs():
        target, source = f"{SITE}/refreshed/{slug}/now", f"{SITE}/refreshed/{slug}"
        section.shown(slug, target, aliases=[source])
        section.route(source, refresh(target))
        section.spread([target, source])


def retry(section: Section) -> None:
    """503 at first, then the page."""
    for slug in section.slugs():
        url = f"{SITE}/busy/{slug}"
        section.route(url, busy_first(show(section.page(slug, url))))
        section.spread([url, url])


def retry_redirect(section: Section) -> None:
    """503 at first, then a redirect to a page that is linked as well."""
    for slug in section.slugs():
        target, source = f"{SITE}/busy-moved/{slug}/now", f"{SITE}/busy-moved/{slug}"
        section.shown(slug, target, aliases=[source])
        section.route(source, busy_first(redirect(target, section.permanent())))
        section.together([target, source])


RECIPES = (
    Recipe("slash", "redirect", 10, "/a redirects to /a/", slash),
    Recipe("index", "redirect", 10, "/index.html redirects to /", index),
    Recipe("www", "redirect", 10, "www. redirects to the host without it", www),
    Recipe("https", "redirect", 10, "http redirects to https", https),
    Recipe("two-hops", "redirect", 8, "http://www. redirects twice", two_hops),
    Recipe("many", "redirect", 8, "three redirects onto one page", many),
    Recipe("reordered", "redirect", 8, "a redirect to the reordered query", reordered),
    Recipe("respelled", "redirect", 9, "a redirect to another spelling of itself", respelled),
    Recipe("retired", "redirect", 12, "gone pages redirect to the home page", retired),
    Recipe("meta-refresh", "redirect", 6, "a refresh to the page", meta_refresh),
    Recipe("retry", "redirect", 6, "503, then the page", retry),
    Recipe("retry-redirect", "redirect", 6, "503, then a redirect to a linked page", retry_redirect),
)
