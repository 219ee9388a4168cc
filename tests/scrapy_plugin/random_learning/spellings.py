"""A spelling is written down part by part, as a site's templates do it: none is derived from a key or a convention."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations


@dataclass
class Draft:
    """A URL before its parts are joined; `number` is that of the item that it leads to."""

    number: int
    host: str
    folders: tuple[str, ...]
    name: str
    scheme: str = "http"
    gap: str = "/"
    end: str = ""
    session: str = ""
    query: list[str] = field(default_factory=list)

    def url(self) -> str:
        path = (
            "".join(f"/{folder}" for folder in self.folders) + self.gap + self.name + self.end + self.session
        )
        query = "?" + "&".join(self.query) if self.query else ""
        return f"{self.scheme}://{self.host}{path}{query}"

    def value(self, variant: int) -> str:
        """A value like a token: the same for the same item and variant, and for no other."""
        return hashlib.sha1(f"{self.number}/{variant}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Custom:
    """One way in which the URLs of a page may differ; variant 0 is the plain one.

    `write` takes the draft, the variant and the section's style, which says how this site does it.
    """

    name: str
    variants: int
    write: Callable[[Draft, int, int], None]


def _trailing_slash(draft: Draft, variant: int, style: int) -> None:
    if draft.end in ("", "/"):
        draft.end = "/" if variant else ""


def _default_document(draft: Draft, variant: int, style: int) -> None:
    names = (("", "index.html"), ("", "index.php"), ("", "index.html", "index.htm"))[style]
    draft.end = "/" + names[min(variant, len(names) - 1)]


def _duplicate_slashes(draft: Draft, variant: int, style: int) -> None:
    draft.gap = ("/", "//", "///")[variant]


def _path_case(draft: Draft, variant: int, style: int) -> None:
    draft.name = (draft.name, draft.name.upper(), draft.name.title())[variant]


def _query_order(draft: Draft, variant: int, style: int) -> None:
    pairs = [f"cat={draft.number % 7}", "sort=up"] + (["per=20"] if style else [])
    orders = list(permutations(pairs))
    draft.query += orders[min(variant, len(orders) - 1)]


def _form_encoding(draft: Draft, variant: int, style: int) -> None:
    if style == 0:
        draft.query.append(("full=", "full")[min(variant, 1)])
    else:
        first, second = (("%20", "%20"), ("+", "+"), ("%20", "+"), ("+", "%20"))[variant]
        draft.query.append(f"q=one{first}or{second}two")


def _encoded_delims(draft: Draft, variant: int, style: int) -> None:
    if style == 0:
        draft.name += ("@home", "%40home")[min(variant, 1)]
    elif style == 1:
        draft.name += ("(a)", "%28a%29", "%28a)", "(a%29")[variant]
    else:
        draft.query.append(("at=a,b", "at=a%2Cb")[min(variant, 1)])


def _tracking(draft: Draft, variant: int, style: int) -> None:
    if variant:
        one = draft.value(variant) if style else ("news", "mail", "feed", "post")[variant - 1]
        draft.query.append(f"{('utm_source', 'gclid', 'fbclid')[style]}={one}")


def _session(draft: Draft, variant: int, style: int) -> None:
    if style == 0:  # each link has one
        draft.query.insert(0, f"PHPSESSID={draft.value(variant)}")
    elif variant and style == 1:
        draft.query.append(f"sid={('a1f4', 'b27c', 'c93e', 'd05a')[variant - 1]}")
    elif variant:
        draft.session = f";jsessionid={draft.value(variant)}"


def _unknown(draft: Draft, variant: int, style: int) -> None:
    name = ("from", "box", "v")[style]
    values = [("top", "side", "list", "foot")[variant - 1], draft.value(variant), str(draft.number + variant)]
    if variant:
        draft.query.append(f"{name}={values[style]}")


def _significant(draft: Draft, variant: int, style: int) -> None:
    draft.query.append(f"{('part', 'p', 'view')[style]}={variant + 1}")


def _https(draft: Draft, variant: int, style: int) -> None:
    draft.scheme = ("http", "https")[variant]


def _www(draft: Draft, variant: int, style: int) -> None:
    draft.host = ("", "www.")[variant] + draft.host


STYLES = 3
#: In the order of writing: an index file is put down before the slash.
CUSTOMS = (
    Custom("default-document", 3, _default_document),
    Custom("trailing-slash", 2, _trailing_slash),
    Custom("duplicate-slashes", 3, _duplicate_slashes),
    Custom("encoded-delims", 4, _encoded_delims),
    Custom("path-case", 3, _path_case),
    Custom("query-order", 5, _query_order),
    Custom("form-encoding", 4, _form_encoding),
    Custom("significant", 5, _significant),
    Custom("tracking", 5, _tracking),
    Custom("session", 5, _session),
    Custom("unknown", 5, _unknown),
    Custom("https", 2, _https),
    Custom("www", 2, _www),
)
SIGNIFICANT = "significant"


#: Relative links begin at another place at each variant of the first ones, and at one place at those of the second.
PLACED = ("trailing-slash", "duplicate-slashes")
OF_ONE_PLACE = (
    "default-document",
    "encoded-delims",
    "path-case",
    "query-order",
    "form-encoding",
    "tracking",
    "session",
    "unknown",
)


def resolve(base: str, reference: str) -> str:
    """Where a relative path leads (RFC 3986 5.2.3 and 5.2.4); Python's `urljoin` leaves out empty segments.

    >>> resolve("http://a.example/s0/a//?x", "next/1"), resolve("http://a.example/s0/a", "../b")
    ('http://a.example/s0/a//next/1', 'http://a.example/b')
    """
    scheme, _, authority, *segments = base.partition("?")[0].split("/")
    *folders, name = reference.split("/")
    del segments[-1]
    for folder in folders:
        if folder == "..":
            del segments[-1:]
        elif folder != ".":
            segments.append(folder)
    return "/".join((scheme, "", authority, *segments, name))


def write(draft: Draft, customs: tuple[Custom, ...], vector: tuple[int, ...], styles: tuple[int, ...]) -> str:
    """The URL with one variant of each custom."""
    for custom, variant, style in zip(customs, vector, styles, strict=True):
        custom.write(draft, variant, style)
    return draft.url()
