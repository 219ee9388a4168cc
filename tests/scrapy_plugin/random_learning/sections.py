"""A section is one custom, or some, on some dozens of pages: where they hold there, and how the site shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from random import Random
from typing import NamedTuple

from sample_project.answers import after, redirect, show
from sample_project.pages import HOME, Answer, Reply, Site
from sample_project.sections.recipe import WORDS
from tests.scrapy_plugin.random_learning.spellings import (
    SIGNIFICANT,
    Custom,
    Draft,
    write,
)

LANGUAGES = ("de", "en", "fr")
FOLDERS = ("old", "new", "lab")
#: One in so many is an exception that a sample cannot be held to find.
RARE = 30
MOST_SPELLINGS = 5
#: How many spellings of a page are linked, each as often as it stands here.
LINKED = (1, 2, 2, 3, 3, 4, 5)


class Spelling(NamedTuple):
    """One URL of an item, and which variant of each custom it has."""

    vector: tuple[int, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Item:
    """Something that has a page, or several that look like one; the first spelling is the site's own."""

    number: int
    slug: str
    folder: str
    spellings: tuple[Spelling, ...]
    linked: tuple[str, ...]


@dataclass
class Section:
    """What a section is, and the pen that writes it into the site."""

    site: Site
    rng: Random
    name: str
    host: str
    customs: tuple[Custom, ...]
    styles: tuple[int, ...]
    when: str
    manner: str
    trap: str
    size: int
    #: By path ("/de/..."), by parameter ("lang=de"), by sub-folder, or not at all.
    parted: str
    #: These folders or languages hold, where it hangs on them.
    good: frozenset[str]
    #: From this item on a rule fails, where it fails later.
    place: int
    #: The customs that make another page where they do not hold.
    broken: frozenset[int]
    #: Some links have a "?" with nothing behind it.
    has_bare: bool
    layout: str
    items: list[Item] = field(default_factory=list)
    #: The pages that an item came to; those of a later item in a chain are linked on them.
    pages: dict[int, list[str]] = field(default_factory=dict)
    #: Links of the section that are no item's.
    besides: list[str] = field(default_factory=list)
    _count: int = 0
    _guard: Callable[[str, Answer], Answer] = lambda url, answer: answer

    @property
    def behaviour(self) -> str:
        """The class by which a result is counted."""
        if self.when != "always":
            return self.when
        return f"holds: {self.manner}" if self.trap == "none" else f"holds, {self.trap}"

    def __str__(self) -> str:
        customs = " and ".join(
            f"{one.name} ({style})" for one, style in zip(self.customs, self.styles, strict=True)
        )
        told = [
            f"{self.name} on {self.host}, {self.size} items: {customs}",
            self.when,
            self.manner,
            self.trap,
            self.layout,
        ]
        if self.when != "always":
            told.append("apart by " + " and ".join(self.customs[at].name for at in sorted(self.broken)))
            told.append(f"place {self.place}")
        if self.parted:
            told.append(f"holds for {', '.join(sorted(self.good))} by {self.parted}")
        return "; ".join(told)

    @property
    def start(self) -> str:
        return f"http://{self.host}/{self.name}"

    @property
    def session(self) -> str:
        """Where the log-in is sent to, which may be a host that nothing else is asked for."""
        host = f"login.{self.host}" if self.when == ELSEWHERE else self.host
        return f"http://{host}/{self.name}/session"

    @property
    def door(self) -> str:
        """Where a visitor gets the cookie, if this section has one."""
        return f"{self.start}/door"

    def is_private(self, item: Item) -> bool:
        """Whether an item is shown to those alone who have the section's cookie."""
        return self.when in STATES and item.number >= self.place

    def write(self) -> Iterator[Item]:
        """The items, one after the other; each is there when the next is written."""
        for number in range(self.size):
            item = self._item(number)
            self.items.append(item)
            self.pages[number] = []
            yield item

    def _item(self, number: int) -> Item:
        slug = f"{number:03d}-{self.rng.choice(WORDS)}"
        folder = self.rng.choice(
            {"path": LANGUAGES, "lang": LANGUAGES, "folder": FOLDERS, "": ("",)}[self.parted]
        )
        vectors = list(product(*(range(custom.variants) for custom in self.customs)))
        # What a site redirects to is the same for all of its pages, if not the plainest.
        own = tuple(int(self.manner == "from the plain one") for _ in self.customs)
        vectors.remove(own)
        spellings: dict[str, Spelling] = {}
        for vector in [own, *self.rng.sample(vectors, len(vectors))]:
            url = write(self._draft(number, slug, folder), self.customs, vector, self.styles)
            spellings.setdefault(url, Spelling(vector, url))
            if len(spellings) == MOST_SPELLINGS:
                break
        count = min(self.rng.choice(LINKED), len(spellings))
        known = list(spellings.values())
        # Of most pages the site's own spelling is linked, too.
        first = 1 if self.rng.random() < 0.1 and count < len(known) else 0
        linked = known[first : first + count]
        urls = [one.url for one in linked]
        if self.has_bare:
            # Scrapy's `Request` leaves out a bare "?", so that no site can tell the two apart.
            urls += [f"{url}?" for url in urls if "?" not in url]
        return Item(number, slug, folder, (known[0], *linked[1 - first :]), tuple(urls))

    def _draft(self, number: int, slug: str, folder: str) -> Draft:
        folders = {"path": (folder, self.name), "folder": (self.name, folder)}.get(self.parted, (self.name,))
        draft = Draft(number, self.host, folders, slug)
        if self.parted == "lang":
            draft.query.append(f"lang={folder}")
        return draft

    def holds(self, item: Item) -> bool:
        """Whether all spellings of an item are one page, but for what is significant."""
        return WHEN[self.when](self, item)

    def groups(self, item: Item) -> Iterator[list[Spelling]]:
        """The spellings of an item, page by page."""
        apart = self.broken if not self.holds(item) else frozenset()
        apart |= {at for at, custom in enumerate(self.customs) if custom.name == SIGNIFICANT}
        groups: dict[tuple[int, ...], list[Spelling]] = {}
        for spelling in item.spellings:
            groups.setdefault(tuple(spelling.vector[at] for at in sorted(apart)), []).append(spelling)
        # A page that nothing links and nothing redirects to is none.
        yield from (group for group in groups.values() if any(one.url in item.linked for one in group))

    def page(self, item: Item, *, title: str | None = None) -> str:
        """State one more page of an item."""
        name = f"{item.slug}-{len(self.pages[item.number])}"
        identity = self.site.add(self.name, name, links=[HOME], title=title)
        self.pages[item.number].append(identity)
        return identity

    def route(self, item: Item, url: str, answer: Answer) -> None:
        """Answer here; what Scrapy cannot tell apart has the answer that it has."""
        if self.site.has_route(url):
            return
        if self.is_private(item):
            answer = after("in", answer, redirect(self.door, 302))
        elif self.trap == "wall":
            answer = after("ok", answer, redirect(self._gate_to(url), 302))
        self.site.route(url, answer)

    def _gate_to(self, url: str) -> str:
        """A gate of its own for a URL, which gives the cookie for all of them and sends back."""
        self._count += 1
        gate = f"{self.start}/gate?to={self._count}"
        self.site.route(gate, redirect(url, 302, cookies=(self.cookie("ok"),)))
        return gate

    def cookie(self, name: str) -> str:
        """For the host and its www."""
        return f"{name}=1; Path=/; Domain={self.host}"

    def note(self) -> str:
        """What is another one in each answer."""
        self._count += 1
        token = Random(f"{self.name}/{self._count}").randbytes(8).hex()
        if self.manner == "token":
            return f'<input type="hidden" name="csrf" value="{token}"><script>go("{token}")</script>'
        return f"<p>Served on {datetime.now(UTC):%Y-%m-%d at %H:%M:%S.%f}</p>"

    def shown(self, identity: str) -> Answer:
        """The page in this section's manner."""
        if self.manner in ("token", "time"):
            return lambda received: Reply(200, identity, note=self.note())
        return show(identity)


# When the spellings of an item are one page.

WHEN: dict[str, Callable[[Section, Item], bool]] = {
    "always": lambda section, item: True,
    "never": lambda section, item: False,
    "never, but for a date": lambda section, item: False,
    "fails later": lambda section, item: item.number < section.place,
    "fails at first": lambda section, item: item.number >= section.place,
    "alternating": lambda section, item: item.number % 2 == 0,
    "in some parts": lambda section, item: item.folder in section.good,
    "until the log-in": lambda section, item: item.number < section.place,
    "until a cookie": lambda section, item: item.number < section.place,
    "until a log-in elsewhere": lambda section, item: item.number < section.place,
    # Too few came before them for a rule to be earned, and they are too few to be found by each sample.
    "soon, for a few": lambda section, item: not 3 <= item.number < 6,
    "rare exception": lambda section, item: item.number % RARE != section.place % RARE,
}
#: In these an item from the place on is shown only after the log-in, or with the cookie.
ELSEWHERE = "until a log-in elsewhere"
LOG_INS = ("until the log-in", ELSEWHERE)
STATES = (*LOG_INS, "until a cookie")
