"""Two real pages whose URLs look alike: each must be fetched."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sample_project.sections.recipe import Recipe, Section

SITE = "http://site.example"


def _twins(forms: Sequence[tuple[str, str]]) -> Callable[[Section], None]:
    """A recipe of pairs; `{}` is where the item's own name goes."""

    def build(section: Section) -> None:
        for number, slug in enumerate(section.slugs()):
            urls = [form.format(slug) for form in forms[number % len(forms)]]
            for side, url in zip("ab", urls, strict=True):
                section.shown(f"{slug}/{side}", url)
            section.together(urls)

    return build


def _paths(*pairs: tuple[str, str]) -> Callable[[Section], None]:
    return _twins([(SITE + one, SITE + other) for one, other in pairs])


RECIPES = (
    Recipe("twins-slash", "twins", 6, "/a and /a/ are two pages", _paths(("/slash/{}", "/slash/{}/"))),
    Recipe("twins-slashes", "twins", 5, "//a and /a are two pages", _paths(("/slashes//{}", "/slashes/{}"))),
    Recipe("twins-case", "twins", 6, "/A and /a, ?A and ?a are two pages",
           _paths(("/case/Page/{}", "/case/page/{}"), ("/case?Page={}", "/case?page={}"))),
    Recipe("twins-index", "twins", 5, "/index.html and / are two pages", _paths(("/two/{}/index.html", "/two/{}/"))),
    Recipe("twins-repeated", "twins", 6, "a=1&a=2 and a=2&a=1 are two pages",
           _paths(("/repeated/{}?a=1&a=2", "/repeated/{}?a=2&a=1"))),
    Recipe("twins-order", "twins", 5, "a=1&b=2 and b=2&a=1 are two pages",
           _paths(("/order/{}?a=1&b=2", "/order/{}?b=2&a=1"))),
    Recipe("twins-blank", "twins", 5, "?a and ?a= are two pages", _paths(("/blank/{}?a", "/blank/{}?a="))),
    Recipe("twins-2f", "twins", 6, "%2F and / are two pages",
           _paths(("/2f/a%2Fb/{}", "/2f/a/b/{}"), ("/2f/{}?at=a%2Fb", "/2f/{}?at=a/b"))),
    Recipe("twins-3b", "twins", 6, "%3B and ; are two pages",
           _paths(("/3b/a%3Bb/{}", "/3b/a;b/{}"), ("/3b/{}?at=a%3Bb", "/3b/{}?at=a;b"))),
    Recipe("twins-2b", "twins", 6, "%2B and + are two pages",
           _paths(("/2b/a%2Bb/{}", "/2b/a+b/{}"), ("/2b/{}?at=a%2Bb", "/2b/{}?at=a+b"))),
    Recipe("twins-delims", "twins", 6, "other delimiters, encoded and not, are two pages",
           _paths(("/delims/a%40b/{}", "/delims/a@b/{}"), ("/delims/a%3Ab/{}", "/delims/a:b/{}"),
                  ("/delims/a%28b/{}", "/delims/a(b/{}"))),
    Recipe("twins-percent", "twins", 5, "%252F and %2F are two pages",
           _paths(("/percent/a%252Fb/{}", "/percent/a%2Fb/{}"))),
    Recipe("twins-space", "twins", 5, "+ and %20 are two pages", _paths(("/space/{}?at=a+b", "/space/{}?at=a%20b"))),
    Recipe("twins-nfc", "twins", 6, "composed and decomposed é are two pages",
           _paths(("/nfc/caf%C3%A9/{}", "/nfc/cafe%CC%81/{}"), ("/nfc/café/{}/raw", "/nfc/cafe\u0301/{}/raw"))),
    Recipe("twins-latin1", "twins", 6, "%E9 and %C3%A9 are two pages",
           _paths(("/latin1/caf%E9/{}", "/latin1/caf%C3%A9/{}"), ("/latin1/{}?at=caf%E9", "/latin1/{}?at=caf%C3%A9"))),
    Recipe("twins-www", "twins", 5, "www. and no www. are two pages",
           _twins([("http://www.blog.example/{}", "http://blog.example/{}")])),
    Recipe("twins-scheme", "twins", 5, "http and https are two pages",
           _twins([("http://news.example/{}", "https://news.example/{}")])),
    Recipe("twins-port", "twins", 5, "port 8080 is another site; so is https at port 80",
           _twins([("http://news.example:8080/at/{}", "http://news.example/at/{}"),
                   ("https://news.example:80/at/{}", "https://news.example/at/{}")])),
    Recipe("twins-dot", "twins", 4, "a host with the trailing dot is another site",
           _twins([("http://news.example./dot/{}", "http://news.example/dot/{}")])),
)  # fmt: skip
