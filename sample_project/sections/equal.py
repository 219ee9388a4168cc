"""One page, several spellings that RFC 3986 and RFC 3987 call equal: fetched once is enough."""

from __future__ import annotations

from sample_project.answers import show
from sample_project.sections.recipe import Recipe, Section

SITE = "http://site.example"


def simple(section: Section) -> None:
    """The same text, linked again and again."""
    for slug in section.slugs():
        url = f"{SITE}/simple/{slug}"
        section.shown(slug, url)
        section.spread([url, url, url])


def triplet_case(section: Section) -> None:
    """Hexadecimal digits of a triplet in either case."""
    for slug in section.slugs():
        urls = [f"{SITE}/triplet-case/caf{octets}/{slug}" for octets in ("%C3%A9", "%c3%a9", "%C3%a9")]
        section.shown(slug, *urls)
        section.spread(urls)


def unreserved(section: Section) -> None:
    """Unreserved characters, encoded for no need."""
    for slug in section.slugs():
        urls = [
            f"{SITE}/unreserved/{start}/{slug}"
            for start in ("~user", "%7Euser", "%7euser", "~%75ser", "~us%65r")
        ]
        section.shown(slug, *urls)
        section.spread(urls)


def dot_segments(section: Section) -> None:
    """Dot segments in absolute links, encoded ones among them."""
    for slug in section.slugs():
        paths = (
            f"dots/{slug}",
            f"dots/./{slug}",
            f"dots/away/../{slug}",
            f"../dots/{slug}",
            f"dots/%2E/{slug}",
        )
        urls = [f"{SITE}/{path}" for path in paths]
        section.shown(slug, *urls)
        section.spread(urls)


def fragment(section: Section) -> None:
    """Places within one document."""
    for slug in section.slugs():
        urls = [f"{SITE}/fragment/{slug}{place}" for place in ("", "#top", "#notes")]
        section.shown(slug, *urls)
        section.spread(urls)


def raw_text(section: Section) -> None:
    """Characters outside ASCII, raw in one link and encoded in another."""
    for slug in section.slugs():
        urls = [f"{SITE}/raw-text/{path}/{slug}" for path in ("straße", "stra%C3%9Fe", "stra%c3%9fe")]
        section.shown(slug, *urls)
        section.spread(urls)


def host_case(section: Section) -> None:
    """Scheme and host in any case."""
    for slug in section.slugs():
        urls = [f"{start}/host-case/{slug}" for start in (SITE, "http://SITE.example", "HTTP://Site.Example")]
        section.shown(slug, *urls)
        section.spread(urls)


def idn(section: Section) -> None:
    """A host name in Unicode, in capitals, and as its A-label."""
    for slug in section.slugs():
        target = f"http://xn--bcher-kva.example/idn/{slug}"
        urls = [
            f"http://{host}/idn/{slug}"
            for host in ("bücher.example", "BÜCHER.example", "xn--bcher-kva.example")
        ]
        identity = section.page(slug, *urls)
        section.route(target, show(identity))
        section.spread(urls)


def default_port(section: Section) -> None:
    """http at port 80 and https at port 443, stated and not."""
    for number, slug in enumerate(section.slugs()):
        scheme, port = (("http", "80"), ("https", "443"))[number % 2]
        urls = [
            f"{scheme}://site.example{end}/default-port/{slug}" for end in ("", f":{port}", ":", f":0{port}")
        ]
        section.shown(slug, *urls)
        section.spread(urls)


def empty_path(section: Section) -> None:
    """No path at all, and the root."""
    for slug in section.slugs():
        query = section.rng.choice(("", "?item=1"))
        urls = [f"http://shop-{slug}.example{query}", f"http://shop-{slug}.example/{query}"]
        section.shown(slug, *urls)
        section.spread(urls)


def ip_forms(section: Section) -> None:
    """The numbers by which a browser reads one IPv4 address."""
    for slug in section.slugs():
        urls = [f"http://{host}/ip/{slug}" for host in ("127.0.0.1", "127.1", "0x7f.0.0.1", "2130706433")]
        section.shown(slug, *urls)
        section.spread(urls)


RECIPES = (
    Recipe("simple", "equal", 16, "the same text, linked again", simple),
    Recipe("triplet-case", "equal", 10, "%c3 and %C3", triplet_case),
    Recipe("unreserved", "equal", 10, "%7E and ~", unreserved),
    Recipe("dot-segments", "equal", 10, "/./ and /x/../ in absolute links", dot_segments),
    Recipe("fragment", "equal", 8, "places within one document", fragment),
    Recipe("raw-text", "equal", 8, "ß and %C3%9F", raw_text),
    Recipe("host-case", "equal", 8, "SITE.example and site.example", host_case),
    Recipe("idn", "equal", 8, "bücher.example and xn--bcher-kva.example", idn),
    Recipe("default-port", "equal", 12, ":80 for http, :443 for https", default_port),
    Recipe("empty-path", "equal", 8, "no path and /", empty_path),
    Recipe("ip-forms", "equal", 4, "127.0.0.1 in other numbers", ip_forms),
)
