"""What the spellings of an item answer: its pages, or something that may pass for them, or for evidence."""

from __future__ import annotations

from collections.abc import Callable

from sample_project.answers import after, busy_first, redirect, show
from sample_project.pages import HOME, Answer, Reply
from tests.scrapy_plugin.random_learning.sections import Item, Section, Spelling
from tests.scrapy_plugin.random_learning.spellings import resolve

MONTHS = 40
#: One in so many is something that a sample can be held to find.
SOME = 6


def build(section: Section) -> None:
    """State the pages of a section, and answer at each of their spellings."""
    for item in section.write():
        TRAPS[section.trap](section, item)


def plainly(section: Section, item: Item) -> None:
    """Each page at its spellings, or at one of them to which the others redirect."""
    for group in section.groups(item):
        title = None
        if section.when == "never, but for a date":
            title = f"{item.slug} on {1 + len(section.pages[item.number])} March 2026"
        identity = section.page(item, title=title)
        target = group[0]
        for spelling in group:
            if spelling is target or section.manner not in REDIRECTS:
                section.route(item, spelling.url, section.shown(identity))
            else:
                status = section.rng.choice(REDIRECTS[section.manner])
                section.route(item, spelling.url, redirect(target.url, status))


REDIRECTS = {"to the plain one": (301, 308), "from the plain one": (301, 308), "for now": (302, 303, 307)}


def _one_in_three(other: Callable[[Section, Item], None]) -> Callable[[Section, Item], None]:
    """Every third item is something else."""
    return lambda section, item: (other if item.number % 3 == 1 else plainly)(section, item)


def _all_of_it(answer: Answer, section: Section, item: Item) -> None:
    for spelling in item.spellings:
        section.route(item, spelling.url, answer)


def _common(section: Section, name: str, links: list[str]) -> str:
    """A page that many URLs show."""
    identity = f"{section.name}/{name}"
    if identity not in section.site.pages:
        section.site.add(section.name, name, links=links)
    return identity


def soft_404(section: Section, item: Item) -> None:
    """What is not there is told with 200, in one text for all."""
    _all_of_it(show(_common(section, "none", [HOME])), section, item)


def consent(section: Section, item: Item) -> None:
    """Something is asked first, and asked again: 200, with another token each time."""
    identity = _common(section, "consent", [HOME])
    note = '<input type="hidden" name="t" value="{}">'
    _all_of_it(lambda received: Reply(200, identity, note=note.format(received.visit)), section, item)


def empty(section: Section, item: Item) -> None:
    """200, and nothing."""
    _all_of_it(lambda received: Reply(200), section, item)


def gone_home(section: Section, item: Item) -> None:
    """What is gone redirects to the home page for good."""
    _all_of_it(redirect(HOME, section.rng.choice((301, 308))), section, item)


def gone_to_login(section: Section, item: Item) -> None:
    """What is for members redirects to the log-in for good, and the visitor has no account."""
    door = f"{section.start}/members"
    section.route(item, door, show(_common(section, "members", [HOME])))
    _all_of_it(redirect(door, 301), section, item)


def calendar(section: Section, item: Item) -> None:
    """A month after the other, with nothing in any of them, beside the items."""
    if not section.besides:
        months = [f"{section.start}/calendar?month={month}" for month in range(MONTHS)]
        identity = _common(section, "calendar", [HOME, *months])
        for month in months:
            section.route(item, month, show(identity))
        section.besides.append(months[0])
    plainly(section, item)


def _failing(*statuses: int, plain: bool) -> Callable[[Section, Item], None]:
    """An error on one side: at the plain spelling, or at all others."""

    def build(section: Section, item: Item) -> None:
        status = section.rng.choice(statuses)
        _on_one_side(section, item, _sound(item, plain=plain), lambda received: Reply(status))

    return build


def _sound(item: Item, *, plain: bool) -> list[Spelling]:
    """The linked spellings but the plain one, or that one alone."""
    return [one for one in item.spellings if (one is item.spellings[0]) != plain and one.url in item.linked]


def _on_one_side(section: Section, item: Item, sound: list[Spelling], other: Answer) -> None:
    identity = section.page(item) if sound else ""
    for spelling in item.spellings:
        section.route(item, spelling.url, section.shown(identity) if spelling in sound else other)


def one_sided_soft_404(section: Section, item: Item) -> None:
    """A page at the plain spelling, or at all others; elsewhere the text in which the site says that there is none."""
    sound = _sound(item, plain=section.rng.random() < 0.5)
    if not 0 < len(sound) < sum(one.url in item.linked for one in item.spellings):
        plainly(section, item)
        return
    none = "home/none"
    if none not in section.site.pages:
        section.site.add("home", "none", links=[HOME])
    _on_one_side(section, item, sound, show(none))


def one_sided_wall(section: Section, item: Item) -> None:
    """The same for the first pages, before a rule could come into force, and for some of the last ones."""
    is_late = item.number >= section.place and item.number % SOME == 1
    (one_sided_soft_404 if item.number < SOME or is_late else plainly)(section, item)


def relative_links(section: Section, item: Item) -> None:
    """Some pages have a link that leads to a page from one spelling; from the next, to an error or another page."""
    plainly(section, item)
    if item.number % SOME != 1:
        return
    reference = section.rng.choice(("next/{}", "./more-{}", f"../{section.name}/up-{{}}")).format(item.slug)
    for identity, group in list(zip(section.pages[item.number], section.groups(item), strict=True)):
        section.site.link(identity, reference)
        linked = [one.url for one in group if one.url in item.linked]
        places = list(dict.fromkeys(resolve(url, reference) for url in linked))
        section.rng.shuffle(places)
        has_others = section.rng.random() < 0.5
        for number, place in enumerate(places):
            if not section.site.has_route(place):
                is_page = number == 0 or has_others
                found: Answer = section.shown(section.page(item)) if is_page else lambda received: Reply(404)
                section.route(item, place, found)


def log_in_first(section: Section, item: Item) -> None:
    """All strangers get one page; where a custom does not hold, members get one at each spelling."""
    public = section.shown(section.page(item))
    for group in section.groups(item):
        answer = after("in", section.shown(section.page(item)), public)
        for spelling in group:
            section.route(item, spelling.url, answer)


def busy(section: Section, item: Item) -> None:
    """503 at the first visit of each spelling."""
    identity = section.page(item)
    for spelling in item.spellings:
        section.route(item, spelling.url, busy_first(section.shown(identity)))


TRAPS: dict[str, Callable[[Section, Item], None]] = {
    "none": plainly,
    "wall": plainly,
    "soft 404s": _one_in_three(soft_404),
    "consent pages": _one_in_three(consent),
    "empty bodies": _one_in_three(empty),
    "gone to the home page": _one_in_three(gone_home),
    "gone to a log-in": _one_in_three(gone_to_login),
    "calendar": calendar,
    "plain one fails": _one_in_three(_failing(404, 410, 500, plain=True)),
    "others fail": _one_in_three(_failing(404, 410, 500, plain=False)),
    "busy at first": _one_in_three(busy),
    "one-sided soft 404s": lambda section, item: (one_sided_soft_404 if item.number % SOME == 1 else plainly)(
        section, item
    ),
    "one-sided wall": one_sided_wall,
    "relative links": relative_links,
    "relative links of one place": relative_links,
    "log-in first": log_in_first,
}
