"""A report in a browser: it draws, sorts, searches and pages, on a phone, in the dark; text of a log does nothing."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from dedup.summaries import hostile, ordinary
from iri_canon.dedup.report import render

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH: apt-get install chromium"),
]
playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install -e '.[dev]'")

#: Nothing that chromium does of itself asks a network.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DRAWN = "html[data-charts=drawn]"


@dataclass
class Opened:
    """A page and what it said and asked for."""

    page: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def rows(self, table: str) -> list[list[str]]:
        """The rows that are shown."""
        script = (
            "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"  # as it is shown
        )
        found: list[list[str]] = self.page.locator(f"#{table}-table tbody tr").evaluate_all(script)
        return found

    def column(self, table: str, place: int) -> list[str]:
        return [row[place] for row in self.rows(table)]

    def heading(self, table: str, name: str) -> Any:
        return self.page.locator(f"#{table}-table").get_by_role("button", name=name, exact=True)

    def sorted_by(self, table: str) -> list[tuple[str, str]]:
        script = "heads => heads.map(head => [head.innerText, head.getAttribute('aria-sort')])"
        heads = self.page.locator(f"#{table}-table th[aria-sort]").evaluate_all(script)
        return [(name.strip(), direction) for name, direction in heads]

    def colour(self, selector: str, name: str = "color") -> str:
        script = f"element => getComputedStyle(element).getPropertyValue('{name}')"
        found: str = self.page.locator(selector).first.evaluate(script)
        return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    made = {"ordinary": render(ordinary()), "hostile": render(hostile())}
    made["without_policy"] = re.sub("<meta http-equiv=[^>]*>", "", made["ordinary"], count=1)
    assert made["without_policy"] != made["ordinary"]
    for name, source in made.items():
        (folder / f"{name}.html").write_text(source, encoding="utf-8", newline="")
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture
def open_page(browser: Any, files: dict[str, Path]) -> Iterator[Any]:
    contexts = []

    def opened(name: str = "ordinary", width: int = 1280, height: int = 900, **options: Any) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        made = Opened(context.new_page())
        made.page.on("console", lambda message: made.said.append(f"{message.type}: {message.text}"))
        made.page.on("pageerror", lambda error: made.said.append(str(error)))
        made.page.on("dialog", lambda dialog: made.said.append(f"dialog: {dialog.message}"))
        made.page.on("request", lambda request: made.asked.append(request.url))
        made.page.goto(files[name].as_uri())
        if options.get("java_script_enabled", True):
            made.page.wait_for_selector(DRAWN, state="attached")
        return made

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["ordinary", "hostile"])
def test_it_opens_without_a_word_and_asks_for_nothing(
    open_page: Any, files: dict[str, Path], name: str
) -> None:
    opened = open_page(name)
    assert opened.said == []
    assert opened.asked == [files[name].as_uri()]
    drawn = opened.page.locator("figure.chart .main-svg").count()
    assert drawn >= 6
    bars = opened.page.locator("figure.chart .bars path").evaluate_all(
        "paths => paths.filter(path => path.getBoundingClientRect().width > 20).length"
    )
    assert bars > 20
    hours = opened.page.locator("#times-chart .bars path").evaluate_all(
        "paths => paths.map(path => Math.round(path.getBoundingClientRect().left))"
    )
    assert len(hours) == 96
    assert len(set(hours)) == 48


def test_hostile_text_runs_nothing(open_page: Any) -> None:
    opened = open_page("hostile")
    page = opened.page
    assert page.evaluate("window.injected") is None
    assert page.locator("img, iframe, object, embed, base, form").count() == 0
    # One script is added by the page: the library of the charts.
    assert page.locator("script:not([type])").count() == 2
    assert page.locator("[onerror], [onmouseover], [onclick], [onload]").count() == 0
    protocols = page.locator("a").evaluate_all(
        "links => [...new Set(links.map(link => link.protocol))].sort()"
    )
    assert protocols == ["file:", "http:"]
    for unfolded in page.locator("summary").all()[:40]:
        unfolded.evaluate("summary => summary.parentElement.open = true")
    assert page.evaluate("window.injected") is None
    assert opened.said == []


def test_hostile_text_is_text_in_charts_too(open_page: Any) -> None:
    page = open_page("hostile").page
    texts = page.locator("#hosts-chart .annotation-text").evaluate_all(
        "all => all.map(each => each.textContent.replace(/[\u2066\u2069]/g, ''))"
    )
    assert "http://h/<script>w\u2026=1</script>" in texts
    assert "http://h/{{7*7}}{\u2026;b&gt;&amp;" in texts
    assert page.locator("figure.chart svg a").count() == 0
    assert page.locator("figure.chart svg script, figure.chart svg image").count() == 0


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """An address on this machine, and what it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (so it is called)
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}", asked
        running.shutdown()
        thread.join()


FLAW = """address => {
    const box = document.createElement("div");
    box.innerHTML = `<img src="${address}/a" onerror="window.injected = 1"><iframe src="${address}/b"></iframe>`
        + `<link rel="stylesheet" href="${address}/c"><p style="background: url(${address}/d)">x</p>`
        + `<a id="flaw" href="javascript:window.by_link=1">x</a>`;
    document.body.prepend(box);
    const script = document.createElement("script");
    script.textContent = "window.by_script = 1";
    document.body.append(script);
    return fetch(`${address}/e`).then(() => "asked", () => "refused");
}"""
INJECTED = "[window.injected, window.by_link, window.by_script]"


def test_what_came_in_by_a_flaw_would_do_nothing(open_page: Any, server: tuple[str, list[str]]) -> None:
    address, asked = server
    page = open_page().page
    assert page.evaluate(FLAW, address) == "refused"
    page.locator("#flaw").click()
    page.wait_for_timeout(500)
    assert page.evaluate(INJECTED) == [None] * 3
    assert asked == []


def test_without_the_policy_a_flaw_would_do_harm(open_page: Any, server: tuple[str, list[str]]) -> None:
    address, asked = server
    page = open_page("without_policy").page
    page.evaluate(FLAW, address)
    page.locator("#flaw").click()
    page.wait_for_timeout(500)
    assert page.evaluate(INJECTED) == [1] * 3
    assert {"/a", "/b", "/c", "/d", "/e"} <= set(asked)


def test_a_heading_sorts_all_rows(open_page: Any) -> None:
    opened = open_page()
    assert opened.sorted_by("hosts") == []
    opened.heading("hosts", "Records").click()
    assert opened.sorted_by("hosts") == [("Records", "descending")]
    assert opened.column("hosts", 1)[:3] == ["9,000", "4,500", "3,000"]
    opened.heading("hosts", "Records").click()
    assert opened.sorted_by("hosts") == [("Records", "ascending")]
    assert opened.column("hosts", 1)[:3] == ["150", "152", "155"]  # from the last page
    opened.heading("hosts", "Host").focus()
    opened.page.keyboard.press("Enter")
    assert opened.sorted_by("hosts") == [("Host", "ascending")]
    # Numbers in names are numbers.
    assert opened.column("hosts", 0)[:4] == ["shop.example.com", *(f"www{n}.example.com" for n in (1, 2, 3))]
    opened.page.keyboard.press("Space")
    assert opened.column("hosts", 0)[0] == "www59.example.com"
    # The other tables are as they were.
    assert opened.column("sections", 0)[0] == "shop.example.com"


def test_equal_rows_keep_their_order(open_page: Any) -> None:
    opened = open_page()
    before = opened.column("top", 0)
    opened.heading("top", "Rung").click()
    assert opened.column("top", 0) == before


def test_search_shows_and_counts_what_matches(open_page: Any) -> None:
    opened = open_page()
    search = opened.page.get_by_label("Search in \u201cSections\u201d")
    status = opened.page.locator("#sections .tools [role=status]")
    assert status.inner_text() == "60 rows"
    search.fill("B\u00dcCHER www1")
    status.get_by_text("11 of 60 rows").wait_for()
    rows = opened.rows("sections")
    assert [row[:2] for row in rows[:2]] == [
        ["www1.example.com", "/b\u00fccher"],
        ["www10.example.com", "/b\u00fccher"],
    ]
    assert len(rows) == 10
    opened.heading("sections", "Records").click()
    opened.heading("sections", "Records").click()
    assert opened.column("sections", 0)[0] == "www19.example.com"
    search.fill("nothing of the kind")
    status.get_by_text("0 of 60 rows").wait_for()
    assert opened.rows("sections") == []
    search.fill("")
    status.get_by_text("60 rows", exact=True).wait_for()
    assert len(opened.rows("sections")) == 10


def test_search_finds_what_is_cut_or_folded(open_page: Any) -> None:
    opened = open_page()
    search = opened.page.get_by_label("Search in \u201cPages\u201d")
    for wanted, count in (
        ("filter17=value17", 1),
        ("http://shop.example.com:80/item/7", 1),
        ("\u05d0\u05d1\u05d2", 1),
    ):
        search.fill(wanted)
        opened.page.locator("#top .tools [role=status]").get_by_text(f"{count} of 64 rows").wait_for()
        assert len(opened.rows("top")) == count


def test_a_long_table_is_paged(open_page: Any) -> None:
    opened = open_page()
    pager = opened.page.locator("#hosts .pager")
    assert "1\u201310 of 60" in pager.inner_text()
    first = opened.column("hosts", 0)
    previous, following = (pager.get_by_role("button", name=name) for name in ("Previous", "Next"))
    assert previous.is_disabled()
    following.click()
    assert "11\u201320 of 60" in pager.inner_text()
    assert set(opened.column("hosts", 0)).isdisjoint(first)
    previous.click()
    assert opened.column("hosts", 0) == first
    pager.get_by_label("Rows").select_option("all")
    assert len(opened.rows("hosts")) == 60
    assert following.is_disabled()
    assert opened.page.locator("#files .pager:visible").count() == 0


@pytest.mark.parametrize("name", ["ordinary", "hostile"])
def test_no_width_scrolls_sideways(open_page: Any, name: str) -> None:
    page = open_page(name, 320).page
    page.locator("details").evaluate_all("all => all.slice(0, 100).forEach(each => { each.open = true })")
    for width in (320, 375, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(700)  # charts are drawn anew a moment later
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        right = "all => Math.max(...all.map(each => each.getBoundingClientRect().right))"
        assert page.locator("figure.chart .main-svg").evaluate_all(right) <= width


def test_charts_keep_their_height_when_the_width_changes(open_page: Any) -> None:
    page = open_page().page
    script = "all => all.map(each => Math.round(each.getBoundingClientRect().height))"
    boxes = page.locator("figure.chart [role=img][aria-label]")
    before = boxes.evaluate_all(script)
    assert min(before) > 100
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_timeout(1000)
    assert page.locator("#hosts-chart .main-svg").first.bounding_box()["width"] < 500
    assert boxes.evaluate_all(script) == before
    drawn = page.locator("figure.chart .main-svg:first-child").evaluate_all(script)
    assert drawn == before


def test_a_phone_shows_names_beside_values_and_sorts(open_page: Any) -> None:
    opened = open_page(width=375, height=800, has_touch=True)
    shown = (
        opened.page.locator("#hosts-table td")
        .nth(1)
        .evaluate("cell => [getComputedStyle(cell, '::before').content, getComputedStyle(cell).display]")
    )
    assert shown == ['"Records "', "block"]
    wide = open_page()
    told = (
        wide.page.locator("#hosts-table td")
        .nth(1)
        .evaluate("cell => getComputedStyle(cell, '::before').content")
    )
    assert told == "none"
    opened.heading("hosts", "Share").tap()
    assert opened.sorted_by("hosts") == [("Share", "descending")]
    # It is a table to a screen reader all the same.
    table = opened.page.get_by_role("table", name="Hosts")
    assert table.get_by_role("row").count() == 11
    assert table.get_by_role("columnheader").count() == 6


def test_the_colours_are_those_of_the_system_or_the_switch(open_page: Any) -> None:
    light, dark = open_page(color_scheme="light"), open_page(color_scheme="dark")
    kinds = [("body", "background-color"), ("body", "color"), ("#hosts-chart .bars path", "fill")]
    kinds += [("#hosts-chart .annotation-text", "fill"), ("#steps .swatch", "background-color")]
    in_light = [light.colour(*kind) for kind in kinds]
    in_dark = [dark.colour(*kind) for kind in kinds]
    assert [kind for kind, one, other in zip(kinds, in_light, in_dark, strict=True) if one == other] == []
    switch = light.page.get_by_role("button", name="Dark colours")
    assert switch.get_attribute("aria-pressed") == "false"
    switch.click()
    assert switch.get_attribute("aria-pressed") == "true"
    assert [light.colour(*kind) for kind in kinds] == in_dark
    switch.click()
    assert [light.colour(*kind) for kind in kinds] == in_light
    dark.page.emulate_media(color_scheme="light")
    assert dark.colour(*kinds[0]) == in_light[0]


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance, of what `getComputedStyle` gives."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_reckoned_as_wcag_does() -> None:
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)
    assert contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_bars_stand_out(open_page: Any, scheme: str) -> None:
    """WCAG 2.2, 1.4.3 and 1.4.11: 4.5 to 1 for text, 3 to 1 for what is no text."""
    opened = open_page(color_scheme=scheme)
    card = opened.colour("section", "background-color")
    texts = ["section p", "section th", "section td", "section a.url", ".legend", ".none"]
    low = {text: contrast(opened.colour(text), card) for text in texts}
    assert {text: ratio for text, ratio in low.items() if ratio < 4.5} == {}
    swatches = opened.page.locator(".swatch").evaluate_all(
        "all => [...new Set(all.map(each => getComputedStyle(each).backgroundColor))]"
    )
    assert len(swatches) == 4  # syntax and what is seen first have one colour
    assert [colour for colour in swatches if contrast(colour, card) < 3] == []


def test_it_is_used_by_keys_alone(open_page: Any) -> None:
    opened = open_page()
    page = opened.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the results"
    box = page.locator(".skip").bounding_box()
    assert box["x"] >= 0  # seen once it has the focus
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "ladder"
    search = page.get_by_label("Search in \u201cHosts\u201d")
    search.focus()
    page.keyboard.type("www5")
    page.locator("#hosts .tools [role=status]").get_by_text("11 of 60 rows").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText.trim()") == "Host"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    summary = page.locator("#top details.spellings > summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("#top details.spellings").first.get_attribute("open") is not None


def test_a_screen_reader_is_told_what_a_picture_shows(open_page: Any) -> None:
    page = open_page().page
    names = page.locator("[role=img][aria-label]").evaluate_all("all => all.map(each => each.ariaLabel)")
    assert len(names) == 6
    assert names[0].startswith("Distinct URLs of 48,210 records: 31,004 after the simple rung")
    assert names[2].startswith("Duplicates by host, of all records: shop.example.com: 3,800 of 9,000;")
    headings = page.get_by_role("heading").evaluate_all("all => all.map(each => each.tagName)")
    assert headings == ["H1", *["H2"] * 11]


def test_without_scripts_all_rows_are_there(open_page: Any) -> None:
    opened = open_page(java_script_enabled=False)
    page = opened.page
    assert page.locator("#hosts-table tbody tr:visible").count() == 60
    assert page.locator("figure.chart:visible").count() == 0
    assert page.locator("button:visible, input:visible").count() == 0
    assert opened.said == []


def test_paper_is_white(open_page: Any) -> None:
    opened = open_page(color_scheme="dark")
    page = opened.page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert luminance(opened.colour("section p")) < 0.2
    assert luminance(opened.colour("#hosts-chart .annotation-text", "fill")) < 0.2
    assert page.locator("nav:visible, .pager:visible, .tools:visible, .theme:visible").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert luminance(opened.colour("section p")) > 0.2
    assert page.locator("html").get_attribute("data-theme") is None


def test_links_are_for_the_reader_alone(open_page: Any, files: dict[str, Path]) -> None:
    opened = open_page()
    links = opened.page.locator("a[href^=http]")
    assert links.count() > 50
    kinds = links.evaluate_all("all => [...new Set(all.map(each => `${each.rel} ${each.target}`))]")
    assert kinds == ["noreferrer noopener _blank"]
    links.first.hover()
    opened.page.wait_for_timeout(300)
    assert opened.asked == [files["ordinary"].as_uri()]
