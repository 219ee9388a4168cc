"""What changes by itself leaves the text equal; what a reader would miss does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import is_linear

from iri_canon.learning.content import SIZE, TEXT_LIMIT, Content, content_of

HTML = "text/html"


ASKED_AT = 1796126624.0
"""2026-12-01T12:03:44Z."""


def content(body: bytes | str, media_type: str = HTML, charset: str | None = None, url: str = "") -> Content:
    octets = body.encode() if isinstance(body, str) else body
    found = content_of(octets, media_type, charset, url=url, time=ASKED_AT)
    assert found is not None
    return found


def have_one_text(first: str, second: str, media_type: str = HTML) -> bool:
    one, other = content(first, media_type).text, content(second, media_type).text
    assert one is not None
    assert other is not None
    return one == other


# A page, one that differs in what changes by itself, and one that differs in what does not.
TWINS = {
    "csrf-token": (
        '<form><input type=hidden name=csrf value="aab1"><p>Buy 1 for 9.99',
        '<form><input type=hidden name=csrf value="c2d3"><p>Buy 1 for 9.99',
        '<form><input type=hidden name=csrf value="aab1"><p>Buy 1 for 9.95',
    ),
    "nonce": (
        "<script nonce=r4nd0m src=/a.js></script><p>page 1",
        "<script nonce=0th3r src=/a.js></script><p>page 1",
        "<script nonce=r4nd0m src=/a.js></script><p>page 2",
    ),
    "inline-script": (
        "<script>track('a1')</script><p>one",
        "<SCRIPT type='text/javascript'>track('</b>')</script ><p>one",
        "<script>track('a1')</script><p>two",
    ),
    "data-in-a-script": (
        '<div id=app></div><script type="application/json">{"id": 17}</script>Shop',
        '<div id=root></div><script type="application/json">{"id": 17}</script>Shop',
        '<div id=app></div><script type="application/json">{"id": 18}</script>Shop',
    ),
    "state-that-a-script-assigns": (
        '<script nonce=1>window.__STATE__ = {"id": 17}</script>Shop',
        '<script nonce=2>window.__STATE__ = {"id": 17}</script>Shop',
        '<script nonce=1>window.__STATE__ = {"id": 18}</script>Shop',
    ),
    "state-that-a-script-hands-on": (
        '<script nonce=1>self.__next_f.push([1, "17"])</script>Shop',
        '<script nonce=2>self.__next_f.push([1, "17"])</script>Shop',
        '<script nonce=1>self.__next_f.push([1, "18"])</script>Shop',
    ),
    "style": (
        "<style>p > a { color: red }</style><p>one",
        "<style>p > a { color: blue }</style><p>one",
        "<style>p > a { color: red }</style><p>once",
    ),
    "comment": (
        "<!-- <p>built in 0.034 s --><p>one<!--> <!---> ",
        "<!-- <p>built in 0.129 s --!><p>one",
        "<!-- <p>built in 0.034 s --><p>one<!-- --> 0.034",
    ),
    "session-in-a-query": (
        '<a href="/a?sid=1a2b&x">next</a>',
        '<a href="/a?sid=3c4d#x">next</a>',
        '<a href="/b?sid=1a2b&x">next</a>',
    ),
    "session-in-path-parameters": (
        "<a href='/a;jsessionid=1A2B/b'>next</a>",
        "<a href='/a;jsessionid=3C4D/b'>next</a>",
        "<a href='/a;jsessionid=1A2B/c'>next</a>",
    ),
    "cache-buster-of-an-image": (
        '<h1>Cats</h1><img src="/cat.png?1700000001">',
        '<h1>Cats</h1><img src="/cat.png?v=1.2.3">',
        '<h1>Cats</h1><img src="/dog.png?1700000001">',
    ),
    "image-named-in-a-query": (
        '<h1>Cats</h1><img src="/thumb?of=cat&amp;_=1">',
        '<h1>Cats</h1><img src="/thumb?of=cat&amp;">',
        '<h1>Cats</h1><img src="/thumb?of=dog&amp;_=1">',
    ),
    "lazy-image": (
        '<h1>Cats</h1><img class=a src="/dot.gif" data-src="/cat.png" srcset="/cat.png?v=1 1x, /cat2.png?v=1 2x">',
        '<h1>Cats</h1><img class=b src="/dot.gif" data-src="/cat.png" srcset="/cat.png?v=2 1x, /cat2.png?v=2 2x">',
        '<h1>Cats</h1><img class=a src="/dot.gif" data-src="/dog.png" srcset="/cat.png?v=1 1x, /cat2.png?v=1 2x">',
    ),
    "image-named-by-its-hash": (
        '<h1>Cats</h1><img id=1 src="/9f86d081884c7d659a2feaa0c55ad015.jpg">',
        '<h1>Cats</h1><img id=2 src="/9f86d081884c7d659a2feaa0c55ad015.jpg">',
        '<h1>Cats</h1><img id=1 src="/2c26b46b68ffc68ff99b453c1d304134.jpg">',
    ),
    "image-in-the-page": (
        '<h1>Cats</h1><img id=1 src="data:image/gif;base64,R0lG?#a">',
        '<h1>Cats</h1><img id=2 src="data:image/gif;base64,R0lG?#a">',
        '<h1>Cats</h1><img id=1 src="data:image/gif;base64,R0lG?#b">',
    ),
    "scheme-and-www-of-a-link": (
        '<a href="http://www.a.example/b">b</a>',
        '<a href="HTTPS://a.example/b">b</a>',
        '<a href="http://www.b.example/b">b</a>',
    ),
    "class-and-id": (
        '<p class=a id=x1 data-t="1">one <b title="a > b">two</b>',
        '<p class=b id=x2 data-t="2">one <b title="a > b">two</b>',
        '<p class=a id=x1 data-t="1">one <b title="a > c">two</b>',
    ),
    "stray-quote-in-a-tag": (
        '<p class="a""><b>one</b><p class="b"">two',
        '<p class="c""><b>one</b><p class="b"">two',
        '<p class="a""><b>once</b><p class="b"">two',
    ),
    "white-space": ("<p>one\r\n two&nbsp;three</p>", "<p> one two three\n</p>", "<p>one twothree</p>"),
    "cells": ("<td>1</td><td>23</td>", "<td>1</td>\n<td> 23</td>", "<td>12</td><td>3</td>"),
    "alternative-text": (
        "<img width=1 src=/a.png alt='a cat'>",
        "<img width=2 src=/a.png alt='a cat'>",
        "<img width=1 src=/a.png alt='a dog'>",
    ),
    "time-of-day": (
        "generated at 12:03:44",
        "generated at 9:03:45.123",
        "generated at 12:23:44",
    ),
    "time-with-zone": (
        "<p>2026-12-01T13:03:35+01:00 page 7",
        "<p>2026-12-01T12:04:36Z page 7",
        "<p>2026-12-01T13:03:35+01:00 page 8",
    ),
    "http-date": (
        "<p>Tue, 01 Dec 2026 12:03:35 GMT page 7",
        "<p>Wed, 02 Dec 2026 00:03:59 GMT page 7",
        "<p>Tue, 01 Dec 2026 12:03:35 GMT page 8",
    ),
    "written-date": (
        "<p id=1>Today is Tuesday, December 1, 2026. 3 events",
        "<p id=2>Today is Tuesday, December 1, 2026. 3 events",
        "<p id=1>Today is Wednesday, December 2, 2026. 3 events",
    ),
    "date-in-another-language": (
        "<p>Stand: 1. Dezember 2026 12:03, ab 9 Euro",
        "<p>Stand: 01.12.2026 14:04, ab 9 Euro",
        "<p>Stand: 1. März 2026 12:03, ab 9 Euro",
    ),
    "events-of-a-day": (
        "<h1 id=1>2026-12-01</h1><ul><li>Concert",
        "<h1 id=2>2026-12-01</h1><ul><li>Concert",
        "<h1 id=1>2026-12-02</h1><ul><li>Concert",
    ),
    "timetable": (
        "<p>8:05 9:05 10:05 11:05 at 12:03:44",
        "<p>8:05 9:05 10:05 11:05 at 12:03:45",
        "<p>8:05 9:05 10:05 11:04 at 12:03:44",
    ),
    "epoch": (
        "<p>rendered 1796126624 for 12 users",
        "<p>rendered 1796126630 for 12 users",
        "<p>rendered 1796126624 for 13 users",
    ),
    "epoch-in-milliseconds": (
        "<p>1796126624123 a",
        "<p>1796126625124 a",
        "<p>1796126624123 b",
    ),
    "number-as-long-as-an-epoch": ("<p>no. 4796109035", "<p> no. 4796109035", "<p>no. 4796109036"),
    "another-time-of-the-day": (
        "<p id=1>ends at 13:20:00",
        "<p id=2>ends at 13:20:00",
        "<p id=1>ends at 13:25:00",
    ),
    "this-time-of-another-day": (
        "<p id=1>2026-11-24 12:03:44",
        "<p id=2>2026-11-24 12:03:44",
        "<p id=1>2026-11-25 12:03:44",
    ),
    "seconds-of-another-time": ("<p id=1>id 1700000001", "<p id=2>id 1700000001", "<p id=1>id 1700000002"),
    "image-of-style": (
        "<h1>Cats</h1><p style='color: red; background: url(\"/cat.png?v=1\")'><style>a { color: red }</style>",
        "<h1>Cats</h1><p style='color: blue; background: url(/cat.png)'><style>a { color: blue }</style>",
        "<h1>Cats</h1><p style='color: red; background: url(\"/dog.png?v=1\")'><style>a { color: red }</style>",
    ),
    "image-of-a-style-sheet": (
        "<h1>Cats</h1><style nonce=1>p { background: url( /cat.png ) }</style>",
        "<h1>Cats</h1><style nonce=2>p { background: url('/cat.png') }</style>",
        "<h1>Cats</h1><style nonce=1>p { background: url( /dog.png ) }</style>",
    ),
    "uuid": (
        "<p>request 123e4567-e89b-42d3-a456-426614174000 failed: 17",
        "<p>request 00000000-e89b-42d3-a456-426614174000 failed: 17",
        "<p>request 123e4567-e89b-42d3-a456-426614174000 failed: 18",
    ),
    "token": ("<p>ray 8f1c2d3e4a5b6c7d a", "<p>ray 0f1c2d3e4a5b6c7e a", "<p>ray 8f1c2d3e4a5b6c7d b"),
    "product-code": (
        "<p id=1>SKU MTNV2ZD00ABCD12",
        "<p id=2>SKU MTNV2ZD00ABCD12",
        "<p id=1>SKU MTNV2ZD00ABCD13",
    ),
    "long-number": (
        "<p id=1>IBAN 12345678901234567890",
        "<p id=2>IBAN 12345678901234567890",
        "<p id=1>IBAN 12345678901234567891",
    ),
    "long-word": (
        "<p id=1>Donaudampfschifffahrt",
        "<p id=2>Donaudampfschifffahrt",
        "<p id=1>Donaudampfschifffahren",
    ),
    "verse": ("<p id=1>Version 1.2.2024", "<p id=2>Version 1.2.2024", "<p id=1>Version 1.2.3024"),
    "price": ("<p id=1>1,299.00 €", "<p id=2>1,299.00 €", "<p id=1>1,399.00 €"),
    "page-number": ("<b id=1>2</b> of 9", "<b id=2>2</b> of 9", "<b id=1>3</b> of 9"),
    "language": ("<p id=1>Welcome", "<p id=2>Welcome", "<p id=1>Willkommen"),
    "order": (
        "<li id=1><a href=/a>x</a><li><a href=/b>x</a>",
        "<li id=2><a href=/a>x</a><li><a href=/b>x</a>",
        "<li id=1><a href=/b>x</a><li><a href=/a>x</a>",
    ),
    "less-than": ("<p id=1>1 < 2 and 3 > 2 <3", "<p id=2>1 < 2 and 3 > 2 <3", "<p id=1>1 < 2 and 3 > 2 <4"),
}


@pytest.mark.parametrize("name", TWINS)
def test_what_changes_by_itself_is_left_out_and_its_twin_is_not(name: str) -> None:
    page, again, other = TWINS[name]
    assert content(page).body != content(again).body
    assert have_one_text(page, again)
    assert not have_one_text(page, other)


@pytest.mark.parametrize(
    ("media_type", "page", "again", "other"),
    [
        (
            "application/json",
            '{"id": 1,\n"at": "2026-12-01T12:03:35Z"}',
            '{"id": 1, "at": ""}',
            '{"id": 2, "at": ""}',
        ),
        ("text/plain", "a  b", "a b", "a <b>"),
        ("application/rss+xml", "<a b='1'>\n<c/>", "<a b='1'> <c/>", "<a b='2'> <c/>"),
        ("Application/LD+JSON ; charset=x", "[1, 2]", "[1,\t2]", "[1, 3]"),
    ],
)
def test_data_has_the_text_that_it_is(media_type: str, page: str, again: str, other: str) -> None:
    assert have_one_text(page, again, media_type)
    assert not have_one_text(page, other, media_type)


def test_a_token_is_a_name_in_data() -> None:
    first, second = (f'{{"id": "123e4567-e89b-42d3-a456-42661417400{number}"}}' for number in (0, 1))
    assert not have_one_text(first, second, "application/json")
    assert have_one_text(first, second)


def test_a_token_that_the_url_has_is_a_name() -> None:
    first, second = (f"<p>Your file 8f1c2d3e4a5b6c7{end} is ready" for end in "de")
    assert have_one_text(first, second)
    urls = [f"http://a.example/?file=8F1C2D3E4A5B6C7{end}" for end in "DE"]
    assert content(first, url=urls[0]).text != content(second, url=urls[1]).text


LINKS = [
    ('<a href="b">', True),
    ("<A class=x HREF = ./b>", True),
    ("<a href='../b'>", True),
    ("<form method=get action=find>", True),
    ("<iframe src=part.html></iframe>", True),
    ("<area shape=rect href=b>", True),
    ('<a title="a > b" href="b">', True),
    ('<a href="/b">', False),
    ('<a href="?page=2">', False),
    ('<a href="#top">', False),
    ('<a href="">', False),
    ('<a href="http://b.example/c">', False),
    ('<a href="mailto:b">', False),
    ('<a href="//b.example/c">', False),
    ('<img src="b.png"><link rel=stylesheet href="b.css">', False),
    ('<abbr href="b">', False),
]


@pytest.mark.parametrize(("link", "begins_here"), LINKS)
def test_relative_links_begin_where_they_stand(link: str, begins_here: bool) -> None:
    here, below, elsewhere = (
        content(f"<p>one {link} two</a>", url=f"http://a.example/{path}") for path in ("d/a", "d/a/", "d/e")
    )
    assert here.body == below.body
    assert (here.base != below.base) == begins_here
    assert here.base == elsewhere.base


@pytest.mark.parametrize(
    ("link", "other", "same"),
    [
        ("b", "http://a.example/D/a?x", True),
        ("b", "http://a.example//d//a", True),
        ("../b", "http://a.example//d//a", False),
        ("b", "http://a.example/e/a", False),
        ("b", "https://www.a.example/d/index.html", True),
    ],
)
def test_a_link_that_climbs_counts_each_segment(link: str, other: str, same: bool) -> None:
    one, two = (content(f"<a href={link}>one", url=url).base for url in ("http://a.example/d/a", other))
    assert one is not None
    assert (one == two) == same


def test_links_are_found_in_any_encoding() -> None:
    page = "\ufeff<a href=b>one"
    assert content(page.encode("utf-16-le"), url="http://a.example/d/a").base is not None
    assert content(page.encode("utf-16-le").replace(b"b", b"#"), url="http://a.example/d/a").base is None


def test_without_the_time_of_asking_no_stamp_is_left_out() -> None:
    first, second = (b"<p>12:03:44", b"<p>12:03:45")
    shown = [content_of(body, HTML) for body in (first, second)]
    assert shown[0] is not None
    assert shown[1] is not None
    assert shown[0].text != shown[1].text


def test_an_empty_script_is_closed_in_xhtml_alone() -> None:
    first, second = (f"<p>a</p><script src='/a.js'/><p>{word}</p>" for word in "bc")
    assert not have_one_text(first, second, "application/xhtml+xml")
    assert have_one_text(first, second)  # as browsers read it: all that follows is script


@pytest.mark.parametrize(
    "media_type", ["", "image/png", "application/pdf", "application/octet-stream", "text/", "x"]
)
def test_what_is_no_text_has_none(media_type: str) -> None:
    assert content("<p>one", media_type) == Content(content("<p>one").body, None)
    assert content("<p>one").text is not None


@pytest.mark.parametrize(
    "body", [b"<p class=a>", b"<script>one()</script>", b"<!-- one", b"12:03:44 ", b"*-*", b"<p><img>"]
)
def test_where_nothing_is_left_there_is_no_text(body: bytes) -> None:
    assert content(body).text is None
    assert content(body + b"<p>1").text is not None or body.startswith(b"<!--")


@pytest.mark.parametrize("body", [b"", b" ", b"\r\n\t \x0c"])
def test_an_empty_body_is_no_evidence(body: bytes) -> None:
    assert content_of(body, HTML) is None
    assert content_of(body + b"a", HTML) is not None


def test_a_larger_body_has_no_text() -> None:
    largest = b"<p>" + b"a" * (TEXT_LIMIT - 3)
    assert content(largest).text is not None
    assert content(largest + b"a").text is None
    assert content(largest + b"a").body != content(largest + b"b").body


CHARSETS = [
    ("é".encode(), None),
    ("\ufeffé".encode("utf-16-le"), None),
    ("\ufeffé".encode("utf-16-be"), "latin-1"),  # a byte order mark comes first
    ("é".encode("latin-1"), "ISO-8859-1"),
    ("é".encode("latin-1"), '"latin-1"'),
    (b"<meta charset=latin-1>\xe9", None),
    (b"<META http-equiv=Content-Type content='text/html; charset=windows-1252'>\xe9", "unknown"),
    (b"<?xml version='1.0' encoding='latin-1'?>\xe9", "punycode"),
    (b"<meta charset=utf-16>\xc3\xa9", None),  # what can be read as ASCII is not in UTF-16
]


@pytest.mark.parametrize(("body", "charset"), CHARSETS)
def test_one_text_in_any_charset(body: bytes, charset: str | None) -> None:
    assert content(body, charset=charset).text == content("é").text
    assert content(body, charset=charset).text != content("è").text


@pytest.mark.parametrize(
    "charset", [None, "ascii", "utf-8", "shift_jis", "hex", "idna", "undefined", "a\0", "x" * 999]
)
def test_octets_outside_the_charset_stay_apart(charset: str | None) -> None:
    first, second = "привет".encode("koi8-r"), "приезд".encode("koi8-r")
    assert content(first, charset=charset).text != content(second, charset=charset).text


def test_digests_have_their_size() -> None:
    assert [len(digest or b"") for digest in content("a")] == [SIZE, SIZE, 0]


PIECES = st.sampled_from(
    [
        *(
            "<",
            ">",
            "</",
            "/>",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<?",
            "<script",
            "</script",
            "<style>",
            "<a href=",
            "src=",
        ),
        *(
            '"',
            "'",
            "=",
            " ",
            "\n",
            "/",
            ";",
            "?",
            "&",
            "&nbsp;",
            "a",
            "Z",
            "9",
            "12:03:44",
            "2026-12-01",
            "Dec ",
            "1796109035",
        ),
        *("window.a = {", "type=json", "data:", "\xff", "\ud800", "é", "\x00"),
    ]
)
JUNK = st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=30).map("".join)
TYPES = st.sampled_from(
    [HTML, "application/xhtml+xml", "text/plain", "application/json", "image/png", "", ";", "é"]
)
NAMES = st.one_of(
    st.none(),
    st.text(max_size=9),
    st.sampled_from(["utf-8", "utf-16", "utf-32", "big5", "iso2022_jp", "hz", "utf-7"]),
)


@given(
    body=st.one_of(st.binary(max_size=200), JUNK.map(lambda text: text.encode("utf-8", "surrogatepass"))),
    media_type=TYPES,
    charset=NAMES,
)
def test_any_octets_have_a_content_or_none(body: bytes, media_type: str, charset: str | None) -> None:
    found = content_of(body, media_type, charset)
    assert found == content_of(body, media_type, charset)
    assert (found is None) == (not body.strip(b" \t\n\r\x0b\x0c"))


@given(before=JUNK, word=st.text("abcxyz", min_size=1, max_size=9))
def test_text_counts_wherever_text_can_stand(before: str, word: str) -> None:
    # behind whatever ends all that junk may have opened
    page = f"{before}\"'></script></style>--><p>"
    assert (
        content(f"{page}{word}".encode("utf-8", "replace")).text
        != content(f"{page}{word}q".encode("utf-8", "replace")).text
    )


HOSTILE = [
    *(
        "<",
        "<a",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        '<a b="',
        "<a/",
        "</a",
        "<!",
        "<!--",
        "<![CDATA[",
        "<script",
        "<script>",
    ),
    *(
        "<script>a",
        "</script",
        "<style>",
        "url(",
        "<a href=",
        "<a href=/;",
        "<a href='//www.",
        "a b=",
        "=",
        '"',
        "'",
        ";",
        "type=json ",
    ),
    *(
        "<script type",
        "<script>a.b",
        "<script>a[",
        "<img src=a?v=1&",
        "<img src=?_=",
        "<img src='a ",
        "1",
        "12",
        "12:",
        "12:03:44 ",
    ),
    *(
        "12:03:44",
        "2026-",
        "1.",
        "1 ",
        "1. ",
        "Dec ",
        "December 1 ",
        "Tuesday, ",
        "A",
        "a",
        "a1",
        "0123abcd-",
        "&nbsp;",
        "&",
        " ",
        "é",
    ),
]


BEGINNINGS = ["", "<style>", "<p style='", "<p ", "<a href='", "<img src=?", "<script>", "<!--"]


def is_read_in_linear_time(begin: str, unit: str, size: int) -> bool:
    small, large = (begin + unit * (octets // len(unit)) for octets in (size // 4, size))
    url = "http://a.example/a"
    return is_linear(lambda text: content_of(text.encode(), HTML, url=url), small, large)


@pytest.mark.parametrize("begin", BEGINNINGS)
def test_time_is_linear(begin: str) -> None:
    assert [unit for unit in HOSTILE if not is_read_in_linear_time(begin, unit, 10_000)] == []


@pytest.mark.slow
@pytest.mark.parametrize("begin", BEGINNINGS)
def test_much_of_anything_takes_linear_time(begin: str) -> None:
    assert [unit for unit in HOSTILE if not is_read_in_linear_time(begin, unit, 200_000)] == []
