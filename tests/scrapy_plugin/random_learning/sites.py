"""A seed makes a site: some sections on a host or two, each page linked under its spellings in an order of chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from sample_project.answers import by_method, redirect, show
from sample_project.pages import HOME, Reply, Site
from sample_project.sections.recipe import WORDS
from tests.scrapy_plugin.random_learning.sections import (
    ELSEWHERE,
    LANGUAGES,
    LOG_INS,
    RARE,
    Item,
    Section,
)
from tests.scrapy_plugin.random_learning.spellings import (
    CUSTOMS,
    OF_ONE_PLACE,
    PLACED,
    SIGNIFICANT,
    STYLES,
    Custom,
)
from tests.scrapy_plugin.random_learning.traps import build

LINKS_A_PAGE = 30
LAYOUTS = ("beside", "own first", "own last", "spread", "chain")
#: How the spellings of a page answer, with how often that comes: most sites show a page at each of them.
MANNERS = {"equal": 3, "token": 2, "time": 2, "to the plain one": 2, "from the plain one": 1}
AS_PAGES = ("equal", "token", "time")
AS_REDIRECTS = ("to the plain one", "from the plain one")
FAILING = (
    "never",
    "never, but for a date",
    "fails later",
    "fails at first",
    "alternating",
    "in some parts",
    "until the log-in",
    "until a cookie",
    ELSEWHERE,
)
#: These put a value into the URL, and no site redirects to where it is tracked.
VALUES = {"tracking", "unknown"}
HARMLESS = (
    "soft 404s",
    "consent pages",
    "empty bodies",
    "gone to the home page",
    "gone to a log-in",
    "calendar",
    "wall",
)
ONE_SIDED = ("plain one fails", "others fail", "busy at first")
#: What links lead to hangs on the spelling, by some customs.
RELATIVE = {"relative links": PLACED, "relative links of one place": OF_ONE_PLACE}
#: An exception of some pages, which may pass for no evidence.
SLIPPERY = ("one-sided soft 404s", "one-sided wall", *RELATIVE)
FIRST = "log-in first"
SOON = "soon, for a few"
#: Sites of one behaviour, which are asked for by name.
ALONE = (*SLIPPERY, ELSEWHERE, FIRST)
MEMBERS = f"{HOME}members"
#: How often each kind of site comes; `rare` sites are asked for by name.
PROFILES = {"holds": 40, "mixed": 35, "one neighbour": 15, "never": 10}


class CountedSite(Site):
    """A site that knows of each request which section it was for."""

    def __init__(self) -> None:
        super().__init__()
        self.sections_of: dict[str, str] = {}
        self.asked: Counter[str] = Counter()

    def respond(self, method: str, url: str, cookies: Mapping[str, str]) -> Reply:
        """Answer and count."""
        self.asked[url.partition("?")[0]] += 1
        return super().respond(method, url, cookies)


@dataclass(frozen=True, slots=True)
class Plan:
    """A site, what its sections are, and the settings of its crawls."""

    seed: int
    profile: str
    site: CountedSite
    sections: tuple[Section, ...]
    settings: dict[str, object]
    #: Where the crawls of it begin, one after the other, with one store for all of them.
    starts: tuple[str, ...] = (HOME,)

    def requests(self) -> dict[str, int]:
        """The requests by section, as the server saw them."""
        by_section: Counter[str] = Counter()
        for url, times in self.site.asked.items():
            segments = url.split("/")[3:]
            names = [one.name for one in self.sections if one.name in segments]
            by_section[names[0] if names else "home"] += times
        return dict(by_section)


def plan(seed: int, profile: str = "") -> Plan:
    """The site of a seed, afresh: cookies and first visits start over."""
    rng = Random(f"learning/{seed}/{profile}")
    profile = profile or rng.choices(list(PROFILES), list(PROFILES.values()))[0]
    site = CountedSite()
    home = site.add("home", "home", HOME)
    site.route(HOME, show(home))
    hosts = [f"{word}.example" for word in rng.sample(WORDS, rng.randint(1, 2))]
    # What is significant by itself is no custom that could hold.
    among = CUSTOMS if profile in ("mixed", "never") else [one for one in CUSTOMS if one.name != SIGNIFICANT]
    custom = _customs(rng, among)
    sections = []
    few = {"one neighbour": (4, 5), FIRST: (1, 1)} | dict.fromkeys((*SLIPPERY, ELSEWHERE), (1, 2))
    count = rng.randint(*few.get(profile, (2, 4)))
    for number in range(count):
        if profile != "one neighbour":
            custom = _customs(rng, among)
        host = hosts[0] if profile in ("one neighbour", FIRST) else rng.choice(hosts)
        case = _case(rng, profile, custom, last=number == count - 1)
        if case[2] in RELATIVE:
            custom = _customs(rng, [one for one in CUSTOMS if one.name in RELATIVE[case[2]]])
        elif case[0] == SOON:
            custom = custom[:1]
        section = _section(rng, site, f"s{number}", host, custom, case)
        build(section)
        _link(rng, section, home)
        sections.append(section)
    in_order = any(section.when == SOON for section in sections)
    starts = (HOME, MEMBERS) if profile == FIRST else (HOME,)
    return Plan(seed, profile, site, tuple(sections), _settings(rng, in_order=in_order), starts)


def _settings(rng: Random, *, in_order: bool) -> dict[str, object]:
    settings: dict[str, object] = {"CONCURRENT_REQUESTS": 1 if in_order else rng.choice((1, 4, 16))}
    if in_order or rng.random() < 0.5:  # breadth first
        settings |= {
            "DEPTH_PRIORITY": 1,
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        }
    return settings


def _customs(rng: Random, among: Sequence[Custom]) -> tuple[Custom, ...]:
    count = min(rng.choices((1, 2, 3), (5, 4, 1))[0], len(among))
    return tuple(sorted(rng.sample(among, count), key=CUSTOMS.index))


def _teaching(customs: tuple[Custom, ...]) -> tuple[str, ...]:
    """How a site can show that its customs hold: docs/learning.md says what is evidence and what is not."""
    names = {custom.name for custom in customs}
    if "www" in names:  # equal contents at two hosts are none
        return AS_REDIRECTS[:1] if names & VALUES else AS_REDIRECTS
    if "unknown" in names:  # a redirect that drops, or adds, a parameter of no list is none
        return AS_PAGES
    return (*AS_PAGES, *(AS_REDIRECTS[:1] if names & VALUES else AS_REDIRECTS))


def _case(rng: Random, profile: str, customs: tuple[Custom, ...], *, last: bool) -> tuple[str, str, str]:
    """When, how shown, and beside what."""
    manners = _teaching(customs) if profile == "holds" else tuple(MANNERS)
    manner = rng.choices(manners, [MANNERS[one] for one in manners])[0]
    harmless = rng.choice(HARMLESS) if rng.random() < 0.3 else "none"
    match profile:
        case "holds":
            return "always", manner, harmless
        case "one neighbour":
            return (rng.choice(FAILING) if last else "always"), manner, harmless
        case "never":
            return rng.choice(FAILING[:2]), manner, harmless
        case "rare":
            return "rare exception", manner, "none"
        case "log-in first":
            return rng.choice(("never", "fails later", SOON, SOON)), rng.choice(AS_PAGES), FIRST
        case "until a log-in elsewhere":
            return ELSEWHERE, manner, "none"
        case "one-sided soft 404s" | "one-sided wall":
            return "always", manner, profile
        case "relative links" | "relative links of one place":
            return "always", "equal", profile
    when = rng.choice((*FAILING, "always", "always"))
    if rng.random() < 0.15:
        manner = "for now"
    trap = rng.choice(("none", "none", *HARMLESS, *ONE_SIDED, *SLIPPERY))
    if trap in RELATIVE:
        manner = "equal"
    if trap in SLIPPERY and rng.random() < 0.7:
        when = "always"  # elsewhere it is but one of many exceptions
    return when, manner, trap


def _section(
    rng: Random, site: Site, name: str, host: str, customs: tuple[Custom, ...], case: tuple[str, str, str]
) -> Section:
    when, manner, trap = case
    size = rng.randint(RARE if when == "rare exception" else 30, 120)
    parted = rng.choice(("path", "lang", "folder")) if when == "in some parts" else ""
    good = {"path": LANGUAGES, "lang": LANGUAGES, "folder": ("old", "new", "lab")}.get(parted, ())
    return Section(
        site=site,
        rng=rng,
        name=name,
        host=host,
        customs=customs,
        styles=tuple(rng.randrange(STYLES) for _ in customs),
        when=when,
        manner=manner,
        trap=trap,
        size=size,
        parted=parted,
        good=frozenset(rng.sample(good, rng.randint(1, 2))) if good else frozenset(),
        place=rng.randint(size // 5, size * 4 // 5),
        broken=frozenset(rng.sample(range(len(customs)), rng.randint(1, len(customs)))),
        has_bare=rng.random() < 0.1,
        layout="beside" if when == SOON else rng.choice(LAYOUTS),
    )


def _link(rng: Random, section: Section, home: str) -> None:
    """Index pages for a section's items, and what leads to the items that are not for everyone."""
    site = section.site
    public = [item for item in section.items if not section.is_private(item)]
    private = [item for item in section.items if section.is_private(item)]
    first = _lay_out(rng, section, public, "index", section.besides)
    for url in first:
        site.link(home, url)
    if section.trap == FIRST:
        # A member's first request to a host that only strangers have seen is the log-in.
        site.route(MEMBERS, show(site.add("home", "members", MEMBERS, form=section.session)))
        _log_in(section, first)
    if not private:
        return
    behind = _lay_out(rng, section, private, "inside", ())
    if section.when in LOG_INS:
        asking = site.add(section.name, "door", section.door, links=[HOME], form=section.session)
        site.route(section.door, show(asking))
        _log_in(section, behind)
    else:
        cookie = (section.cookie("in"),)
        asking = site.add(section.name, "door", section.door, links=behind)
        site.route(section.door, show(asking, cookies=cookie))
    site.link(home, section.door)


def _log_in(section: Section, links: list[str]) -> None:
    """A POST that gives the cookie, and leads to what is for members."""
    url = f"{section.start}/welcome"
    welcome = section.site.add(section.name, "welcome", url, links=links)
    section.site.route(url, show(welcome))
    section.site.route(section.session, by_method(redirect(url, 303, cookies=(section.cookie("in"),))))


def _lay_out(
    rng: Random, section: Section, items: list[Item], name: str, besides: Iterable[str]
) -> list[str]:
    """Make the pages that link these items; the URLs of those pages that are to be linked themselves."""
    beside = [rng.sample(item.linked, len(item.linked)) for item in items]
    own = [item.linked[0] for item in items]
    others = [url for item in items for url in item.linked[1:]]
    match section.layout:
        case "own first":
            hrefs = [*own, *rng.sample(others, len(others))]
        case "own last":
            hrefs = [*rng.sample(others, len(others)), *own]
        case "spread":
            hrefs = [url for urls in beside for url in urls]
            rng.shuffle(hrefs)
        case "chain":
            hrefs = _chain(section, items, beside)
        case _:
            hrefs = [url for urls in beside for url in urls]
    hrefs += besides
    starts = list(range(0, max(len(hrefs), 1), LINKS_A_PAGE))
    urls = [f"{section.start}/{name}/{number}" for number in range(len(starts))]
    in_a_row = rng.random() < 0.5
    for number, (url, start) in enumerate(zip(urls, starts, strict=True)):
        links = [*hrefs[start : start + LINKS_A_PAGE], *(urls[number + 1 : number + 2] if in_a_row else ())]
        section.site.route(
            url, show(section.site.add(section.name, f"{name}/{number}", url, links=[HOME, *links]))
        )
    return urls[:1] if in_a_row else urls


def _chain(section: Section, items: list[Item], beside: list[list[str]]) -> list[str]:
    """Each item is linked on the pages of the last one that has any; the rest, on the index."""
    hrefs: list[str] = []
    carriers: list[str] = []
    for item, urls in zip(items, beside, strict=True):
        if carriers:
            for identity in carriers:
                for url in urls:
                    section.site.link(identity, url)
        else:
            hrefs += urls
        carriers = section.pages[item.number] or carriers
    return hrefs
