"""Pages behind a wall: the redirect that hides a page leads back to the very URL that was asked for."""

from __future__ import annotations

from urllib.parse import quote

from sample_project.answers import Gate, after, by_method, maze, redirect, refresh, show
from sample_project.sections.recipe import Recipe, Section


def cookie(section: Section) -> None:
    """A redirect to itself that sets a cookie."""
    for number, slug in enumerate(section.slugs()):
        path = f"/{slug}"
        url = f"http://{section.host(number, 'wall')}{path}"
        ask = redirect(url, section.temporary(), cookies=(f"ok=1; Path={path}",))
        section.route(url, after("ok", show(section.page(slug, url)), ask))
        section.spread([url, url])


def script(section: Section) -> None:
    """A refresh to itself that sets a cookie."""
    for number, slug in enumerate(section.slugs()):
        path = f"/{slug}"
        url = f"http://{section.host(number, 'script')}{path}"
        section.route(
            url, after("ok", show(section.page(slug, url)), refresh(url, cookies=(f"ok=1; Path={path}",)))
        )
        section.first.append(url)


def login(section: Section) -> None:
    """A redirect to the log-in, which knows the visitor, sets a cookie and sends back."""
    for number, slug in enumerate(section.slugs()):
        host, path = section.host(number, "login"), f"/private/{slug}"
        url = f"http://{host}{path}"
        door = f"http://{host}/login?next={quote(path, safe='')}"
        section.route(url, after("in", show(section.page(slug, url)), redirect(door, section.temporary())))
        section.route(door, redirect(url, section.temporary(), cookies=(f"in=1; Path={path}",)))
        section.spread([url, url])


def gate(section: Section) -> None:
    """One gate before all pages of a host: each chain goes through the same URL."""
    slugs = list(section.slugs())
    for start in range(0, len(slugs), 100):
        host = f"http://{section.host(start, 'gate')}"
        lobby, door = f"{host}/lobby", f"{host}/door"
        behind = Gate(door, "visitor")
        urls = [f"{host}/{slug}" for slug in slugs[start : start + 100]]
        for slug, url in zip(slugs[start:], urls, strict=False):
            section.route(url, behind.before(section.page(slug, url), url))
        hall = section.page(f"lobby-{start // 100}", lobby, links=urls)
        section.route(lobby, show(hall, cookies=("visitor=1; Path=/",)))
        section.route(door, behind.pass_on(lobby))
        section.first.append(lobby)


def turns(section: Section) -> None:
    """A redirect there and back three times before the page is shown: a loop that ends."""
    for number, slug in enumerate(section.slugs()):
        host, path = section.host(number, "maze"), f"/{slug}"
        url, turn = f"http://{host}{path}", f"http://{host}{path}/turn"
        section.route(url, maze(section.page(slug, url), url, turn, "turns", path, 3))
        section.route(turn, redirect(url, section.temporary()))
        section.first.append(url)


def form(section: Section) -> None:
    """A log-in form on the page's own URL: the POST redirects back to a page that was seen."""
    for number, slug in enumerate(section.slugs()):
        host, path = section.host(number, "account"), f"/{slug}"
        url, session = f"http://{host}{path}", f"http://{host}{path}/session"
        asking = section.page(f"{slug}/form", url, form=session)
        section.route(url, after("in", show(section.page(slug, url)), show(asking)))
        section.route(
            session, by_method(redirect(url, section.rng.choice((302, 303)), cookies=(f"in=1; Path={path}",)))
        )
        section.spread([url, url])


def members(section: Section) -> None:
    """A redirect to a log-in form, whose POST redirects back to the URL that had redirected."""
    for number, slug in enumerate(section.slugs()):
        host, path = section.host(number, "club"), f"/{slug}"
        url, door = f"http://{host}{path}", f"http://{host}{path}/login"
        shown = show(section.page(slug, url))
        section.route(url, after("in", shown, redirect(door, section.temporary())))
        asking = show(section.page(f"{slug}/form", door, form=door))
        back = redirect(url, 303, cookies=(f"in=1; Path={path}",))
        section.route(door, by_method(back, asking))
        section.first.append(url)


def consent(section: Section) -> None:
    """A gate that sets a cookie and sends back, and that is a page of its own for who has the cookie."""
    for number, slug in enumerate(section.slugs()):
        host, path = section.host(number, "consent"), f"/{slug}"
        url, door = f"http://{host}{path}", f"http://{host}{path}/consent"
        behind = section.page(slug, url, links=[door])
        asking = section.page(f"{slug}/consent", door)
        back = redirect(url, section.temporary(), cookies=(f"ok=1; Path={path}",))
        section.route(url, after("ok", show(behind), redirect(door, section.temporary())))
        section.route(door, after("ok", show(asking), back))
        section.first.append(url)


def welcome(section: Section) -> None:
    """A redirect to a log-in form, whose POST leads to a page that links what had redirected."""
    for number, slug in enumerate(section.slugs()):
        host, path = section.host(number, "office"), f"/{slug}"
        url, door, hall = (f"http://{host}{path}{end}" for end in ("", "/login", "/welcome"))
        shown = show(section.page(slug, url))
        section.route(url, after("in", shown, redirect(door, section.temporary())))
        asking = show(section.page(f"{slug}/form", door, form=door))
        section.route(hall, show(section.page(f"{slug}/welcome", hall, links=[url])))
        section.route(door, by_method(redirect(hall, 303, cookies=(f"in=1; Path={path}",)), asking))
        section.first.append(url)


RECIPES = (
    Recipe("wall-cookie", "wall", 10, "a redirect to itself with a cookie", cookie),
    Recipe("wall-script", "wall", 6, "a refresh to itself with a cookie", script),
    Recipe("wall-login", "wall", 8, "to the log-in and back", login),
    Recipe("wall-gate", "wall", 10, "through one gate, shared by all pages", gate),
    Recipe("wall-turns", "wall", 4, "there and back three times", turns),
    Recipe("wall-form", "wall", 6, "a log-in form, whose POST leads back to the seen page", form),
    Recipe("wall-members", "wall", 6, "a redirect to a log-in form, whose POST leads back", members),
    Recipe("wall-consent", "wall", 5, "a gate that is a page for who has its cookie", consent),
    Recipe("wall-welcome", "wall", 5, "a page linked again after the log-in", welcome),
)
