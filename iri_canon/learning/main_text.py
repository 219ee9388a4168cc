"""Of HTML a reader sees the text, and follows the links; all other markup may change without the page.

The tokens are those of HTML 13.2.5, without its repairs: two answers of one page need no more to come out alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from iri_canon.learning.volatile import folded, without_stamps, without_tokens

_VALUE: Final = r""""[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+"""
_EQUALS: Final = r"\s*+=\s*+"
_NAME: Final = r"[\s/]*+[^\s/>][^\s/>=]*+"
# Each token ends at its end or at that of the text: so no place is read twice, whatever the text.
_MARKUP: Final = re.compile(
    r"<(?:(?P<comment>!--)|!\[CDATA\[|[!?/][^>]*+>?"
    rf"|(?P<name>[A-Za-z][^\s/>]*+)(?P<attributes>(?:{_NAME}(?:{_EQUALS}(?:{_VALUE})?+)?+)*+)[\s/]*+>?)"
)
_ATTRIBUTE: Final = re.compile(rf"[\s/]*+([^\s/>][^\s/>=]*+)(?:{_EQUALS}({_VALUE})?+)?+")
_COMMENT_END: Final = re.compile(r"--!?>")
_ENDS_OF_RAW_TEXT: Final = {
    name: re.compile(rf"(?i)</{name}(?=[\s/>])[^>]*+>?") for name in ("script", "style")
}
# Data in a script: declared as such, or all that the script does is to assign it or hand it on.
_DATA_TYPE: Final = re.compile(r"""(?i)\btype\s*+=\s*+["']?[\w./+-]*?json""")
_ASSIGNMENT: Final = re.compile(
    r"\s*+(?:(?:var|let|const)\s++)?[\w.$]++(?:\[[^\]]{1,80}\])?+"
    r"(?:\s*+=\s*+(?:[{\[]|JSON\.parse\()|(?<=\.push)\(\s*+[{\[])"
)

_MAY_TELL: Final = re.compile(r"(?i)href|src|alt|title|poster|data-original|background|url\(")
_TEXTS: Final = frozenset({"alt", "title"})
_MEDIA: Final = frozenset(
    {"src", "srcset", "data-src", "data-srcset", "data-lazy-src", "data-original", "poster", "background"}
)
_URL_OF_STYLE: Final = re.compile(r"""(?i)url\(\s*+["']?([^"')\s]++)""")
# https and www are spellings of one place more often than not; what a query holds may be carried over (a session).
_ORIGIN: Final = re.compile(r"(?i)\A(?:https?:)?//(?:www\.)?")
_PATH_PARAMETERS: Final = re.compile(r";[^/]*+")
_FILE: Final = re.compile(
    r"(?i)\.(?:avif|bmp|gif|ico|jpe?g|m4[av]|mp[34]|og[agv]|pdf|png|svg|wav|webm|webp)$"
)
_CACHE_BUSTER: Final = re.compile(
    r"(?i)(?<![^&;])(?:_|cb|nocache|rand|random|rnd|t|time|timestamp|ts|v|ver|version)=[^&]*+"
)


def text_of_html(document: str, url: str = "", time: float | None = None) -> str:
    """The text that HTML shows and, in lines of their own, the places that it links to and shows.

    Left out: scripts (but for data in them: JSON, and what a script merely assigns), style, comments, tags, and all
    attributes but these: ``alt`` and ``title`` are text; of ``href`` the path counts, and the host unless "www."; so it
    does of ``src`` and its like, and of ``url()`` in style, and the query too where the path is not that of a file
    (``thumb?of=cat``), less what defeats caches. Tokens, and stamps of the time of asking, are left out of the text,
    but not of a place.

    >>> text_of_html('<script>x()</script><h1 id=a>Two  cats</h1><img src="/cat.png?v=2"><a href="/b;sid=1?x#y">b</a>')
    'Two cats b\\n/cat.png\\n/b'
    """
    texts: list[str] = []
    places: list[str] = []
    position = 0
    while tag := _MARKUP.search(document, position):
        texts.append(document[position : tag.start()])
        position = tag.end()
        name = tag["name"]
        if name is None:
            if tag["comment"]:
                _, position = _until(_COMMENT_END, document, tag.start() + 2)  # "<!-->" is one
        elif end := _ENDS_OF_RAW_TEXT.get(name.lower()):
            raw, position = _until(end, document, position)
            if name.lower() == "style":
                places.extend(_place(each, "style", url) for each in _URL_OF_STYLE.findall(raw))
            elif _DATA_TYPE.search(tag["attributes"]) or _ASSIGNMENT.match(raw):
                texts.append(raw)
        elif _MAY_TELL.search(tag["attributes"]):
            for attribute, value in _attributes(tag["attributes"]):
                if attribute in _TEXTS:
                    texts.append(value)
                elif attribute == "style":
                    places.extend(_place(each, "style", url) for each in _URL_OF_STYLE.findall(value))
                elif attribute == "href" or attribute in _MEDIA:
                    places.extend(_place(each, attribute, url) for each in value.split())
    texts.append(document[position:])
    text = without_tokens(without_stamps(folded(" ".join(texts)), time), url)
    return "\n".join((folded(text), *places))


def _until(end: re.Pattern[str], document: str, position: int) -> tuple[str, int]:
    """What stands before an end, and the place behind it; to the end of the document where there is none."""
    found = end.search(document, position)
    if found is None:
        return document[position:], len(document)
    return document[position : found.start()], found.end()


def _attributes(attributes: str) -> Iterator[tuple[str, str]]:
    for attribute in _ATTRIBUTE.finditer(attributes):
        name, value = attribute.groups("")
        yield name.lower(), value[1:].removesuffix(value[0]) if value[:1] in {'"', "'"} else value


def _place(target: str, attribute: str, url: str) -> str:
    if target[:5].lower() == "data:":
        return target
    hierarchy, _, query = target.partition("#")[0].partition("?")
    place = _PATH_PARAMETERS.sub("", _ORIGIN.sub("", hierarchy))
    if attribute == "href" or _FILE.search(place):
        return place
    told = without_tokens(_CACHE_BUSTER.sub("", query), url).strip("&")
    return f"{place}?{told}" if told else place
