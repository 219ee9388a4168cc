"""A recipe says what a section holds; a `Section` is the pen it writes with."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sample_project.answers import show
from sample_project.pages import Answer, Site

Family: TypeAlias = Literal["equal", "redirect", "twins", "wall", "learned"]
WORDS = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "larch",
    "maple",
    "ridge",
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """One section: `items` is its size in a site of the usual number of pages."""

    name: str
    family: Family
    items: int
    title: str
    build: Callable[[Section], None]


@dataclass
class Section:
    """Where a recipe's pages go; `first` and `again` are the links on the section's indexes, `again` found later."""

    site: Site
    recipe: Recipe
    rng: random.Random
    items: int
    first: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    def slugs(self) -> Iterator[str]:
        """One name an item, the same for the same seed."""
        for number in range(1, self.items + 1):
            yield f"{number:05d}-{self.rng.choice(WORDS)}"

    def host(self, number: int, stem: str) -> str:
        """A host for item `number`: a hundred items share one, so that no cookie jar grows with the site."""
        return f"{stem}{number // 100}.example"

    def page(
        self,
        name: str,
        *urls: str,
        aliases: Sequence[str] = (),
        links: Sequence[str] = (),
        form: str | None = None,
    ) -> str:
        """State a page without any route to it."""
        identity = self.site.add(self.recipe.name, name, *urls, aliases=aliases, links=links, form=form)
        self.made.append(identity)
        return identity

    def shown(self, name: str, *urls: str, aliases: Sequence[str] = ()) -> str:
        """State a page and show it at each of its URLs; spellings that the server cannot tell apart are one route."""
        identity = self.page(name, *urls, aliases=aliases)
        for url in urls:
            if not self.site.has_route(url):
                self.route(url, show(identity))
        return identity

    def route(self, url: str, answer: Answer) -> None:
        """Answer at this URL."""
        self.site.route(url, answer)

    def permanent(self) -> int:
        """One of the two permanent redirects."""
        return self.rng.choice((301, 308))

    def temporary(self) -> int:
        """One of the temporary redirects."""
        return self.rng.choice((302, 303, 307))

    def spread(self, urls: Sequence[str]) -> None:
        """Link spellings in an order of chance: one on the first index, the others on the later one."""
        order = self.rng.sample(list(urls), len(urls))
        self.first.append(order[0])
        self.again.extend(order[1:])

    def together(self, urls: Sequence[str]) -> None:
        """Link URLs side by side on the first index, in an order of chance."""
        self.first.extend(self.rng.sample(list(urls), len(urls)))
