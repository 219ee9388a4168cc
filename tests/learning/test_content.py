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
    "csrf-field": (
        '<input type=hidden name=csrf value="aab1c2d3"><p>Buy 1 for 9.99',
        '<input type=hidden name=csrf value="c2d3e4f5"><p>Buy 1 for 9.99',
        '<input type=hidden name=csrf value="aab1c2d3"><p>Buy 1 for 9.95',
    ),
    "field-of-another-name": (
        "<!-- 1 --><input type=hidden name=item value=aab1c2d3>",
        "<!-- 2 --><input type=hidden name=item value=aab1c2d3>",
        "<!-- 1 --><input type=hidden name=item value=c2d3e4f5>",
    ),
    "token-that-a-script-has-too": (
        '<meta name="csrf-token" content="c2VjcmV0+/=1"><script>go("c2VjcmV0+/=1", 17)</script>',
        '<meta name="csrf-token" content="bm90IHRoZSE=2"><script>go("bm90IHRoZSE=2", 17)</script>',
        '<meta name="csrf-token" content="c2VjcmV0+/=1"><script>go("c2VjcmV0+/=1", 18)</script>',
    ),
    "token-that-no-field-names": (
        '<!-- 1 --><script>go("4f9a0c20dd8311ab")</script>',
        '<!-- 2 --><script>go("4f9a0c20dd8311ab")</script>',
        '<!-- 1 --><script>go("4f9a0c20dd8311ac")</script>',
    ),
    "nonce": (
        "<script nonce=r4nd0m12 src=/a.js></script><p>page 1",
        "<script nonce=0th3r345 src=/a.js></script><p>page 1",
        "<script nonce=r4nd0m12 src=/b.js></script><p>page 1",
    ),
    "comment": (
        "<!-- built in 0.034 s --><p>one",
        "<!-- built in 0.129 s --><p>one",
        "<!-- built in 0.034 s --><p>two",
    ),
    "comment-with-markup": (
        "<!-- 1 --><!-- <p>one -->",
        "<!-- 2 --><!-- <p>one -->",
        "<!-- 1 --><!-- <p>two -->",
    ),
    "title-that-begins-a-comment": (
        "<!-- 1 --><title>a <!-- b</title><p>one",
        "<!-- 2 --><title>a <!-- b</title><p>one",
        "<!-- 1 --><title>a <!-- b</title><p>two",
    ),
    "title-that-names-a-tag": (
        "<!-- 1 --><title>the <script> tag</title><p>one",
        "<!-- 2 --><title>the <script> tag</title><p>one",
        "<!-- 1 --><title>the <script> tag</title><p>two",
    ),
    "session-in-a-link": (
        '<a href="/a?x&sid=1a2b1a2b1a2b1a2b">next</a>',
        '<a href="/a?x&sid=3c4d3c4d3c4d3c4d">next</a>',
        '<a href="/a?y&sid=1a2b1a2b1a2b1a2b">next</a>',
    ),
    "session-in-path-parameters": (
        "<a href='/a;jsessionid=1A2B1A2B1A2B1A2B/b'>next</a>",
        "<a href='/a;jsessionid=3C4D3C4D3C4D3C4D/b'>next</a>",
        "<a href='/a;jsessionid=1A2B1A2B1A2B1A2B/c'>next</a>",
    ),
    "number-of-a-story-named-as-a-session": (
        "<!-- 1 --><a href=/story?sid=17>one</a>",
        "<!-- 2 --><a href=/story?sid=17>one</a>",
        "<!-- 1 --><a href=/story?sid=18>one</a>",
    ),
    "campaign-in-a-link": (
        "<a href='/a?id=1&amp;utm_source=x'>next</a>",
        "<a href='/a?id=1&amp;utm_source=y'>next</a>",
        "<a href='/a?id=2&amp;utm_source=x'>next</a>",
    ),
    "query-of-a-link": (
        "<!-- 1 --><a href=/view.php?id=17>View</a>",
        "<!-- 2 --><a href=/view.php?id=17>View</a>",
        "<!-- 1 --><a href=/view.php?id=18>View</a>",
    ),
    "path-parameter-and-fragment": (
        "<!-- 1 --><a href='/item;id=1#!/i/1'>View</a>",
        "<!-- 2 --><a href='/item;id=1#!/i/1'>View</a>",
        "<!-- 1 --><a href='/item;id=2#!/i/1'>View</a>",
    ),
    "attribute-of-any-name": (
        "<!-- 1 --><div data-page='{id: 17}'></div>",
        "<!-- 2 --><div data-page='{id: 17}'></div>",
        "<!-- 1 --><div data-page='{id: 18}'></div>",
    ),
    "option": (
        "<!-- 1 --><option value=/item/1>one",
        "<!-- 2 --><option value=/item/1>one",
        "<!-- 1 --><option value=/item/2>one",
    ),
    "script": (
        "<!-- 1 --><script>window.__STATE__ = f(17)</script>",
        "<!-- 2 --><script>window.__STATE__ = f(17)</script>",
        "<!-- 1 --><script>window.__STATE__ = f(18)</script>",
    ),
    "image-named-by-its-hash": (
        '<!-- 1 --><img src="/9f86d081884c7d659a2feaa0c55ad015.jpg">',
        '<!-- 2 --><img src="/9f86d081884c7d659a2feaa0c55ad015.jpg">',
        '<!-- 1 --><img src="/2c26b46b68ffc68ff99b453c1d304134.jpg">',
    ),
    "white-space": ("<p>one\r\n two&nbsp;three</p>", "<p>one two   three</p>", "<p>one twothree</p>"),
    "time-of-day": ("generated at 12:03:44", "generated at 9:03:45.123", "generated at 12:23:44"),
    "time-with-zone": (
        "<p>2026-12-01T13:03:35+01:00 page 7",
        "<p>2026-12-01T13:04:36+01:00 page 7",
        "<p>2026-12-01T13:03:35+01:00 page 8",
    ),
    "http-date": (
        "<p>Tue, 01 Dec 2026 12:03:35 GMT page 7",
        "<p>Tue, 01 Dec 2026 12:03:59 GMT page 7",
        "<p>Tue, 01 Dec 2026 12:03:35 GMT page 8",
    ),
    "written-date": (
        "<!-- 1 -->Today is Tuesday, December 1, 2026. 3 events",
        "<!-- 2 -->Today is Tuesday, December 1, 2026. 3 events",
        "<!-- 1 -->Today is Wednesday, December 2, 2026. 3 events",
    ),
    "date-in-another-language": (
        "<p>Stand: 1. Dezember 2026 12:03, ab 9 Euro",
        "<p>Stand: 1. Dezember 2026 12:04, ab 9 Euro",
        "<p>Stand: 1. März 2026 12:03, ab 9 Euro",
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
    "epoch-in-milliseconds": ("<p>1796126624123 a", "<p>1796126625124 a", "<p>1796126624123 b"),
    "another-time-of-the-day": (
        "<!-- 1 -->ends at 13:20:00",
        "<!-- 2 -->ends at 13:20:00",
        "<!-- 1 -->ends at 13:25:00",
    ),
    "this-time-of-another-day": (
        "<!-- 1 -->2026-11-24 12:03:44",
        "<!-- 2 -->2026-11-24 12:03:44",
        "<!-- 1 -->2026-11-25 12:03:44",
    ),
    "seconds-of-another-time": (
        "<!-- 1 -->id 1700000001",
        "<!-- 2 -->id 1700000001",
        "<!-- 1 -->id 1700000002",
    ),
    "price": ("<!-- 1 -->1,299.00 €", "<!-- 2 -->1,299.00 €", "<!-- 1 -->1,399.00 €"),
    "page-number": ("<!-- 1 -->2 of 9", "<!-- 2 -->2 of 9", "<!-- 1 -->3 of 9"),
    "language": ("<!-- 1 -->Welcome", "<!-- 2 -->Welcome", "<!-- 1 -->Willkommen"),
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
            '{"id": 1, "at": "2026-12-01T12:04:01Z"}',
            '{"id": 2, "at": "2026-12-01T12:03:35Z"}',
        ),
        ("text/plain", "a  b", "a b", "a <b>"),
        ("application/rss+xml", "<a b='1'>\n<c/>", "<a b='1'> <c/>", "<a b='2'> <c/>"),
        ("Application/LD+JSON ; charset=x", "[1, 2]", "[1,\t2]", "[1, 3]"),
    ],
)
def test_data_has_the_text_that_it_is(media_type: str, page: str, again: str, other: str) -> None:
    assert have_one_text(page, again, media_type)
    assert not have_one_text(page, other, media_type)


def test_what_the_url_has_is_no_secret() -> None:
    first, second = (f"<input name=csrf value=8f1c2d3e{end}><p>one" for end in "de")
    assert have_one_text(first, second)
    urls = [f"http://a.example/?csrf=8f1c2d3e{end}" for end in "de"]
    assert content(first, url=urls[0]).text != content(second, url=urls[1]).text


LINKS = [
    ('<a href="b">', True),
    ("<A class=x HREF = ./b>", True),
    ("<a href='../b'>", True),
    ("<form method=get action=find>", True),
    ("<button formaction=find>", True),
    ("<iframe src=part.html></iframe>", True),
    ("<area shape=rect href=b>", True),
    ("<link rel=next href=b>", True),
    ('<use xlink:href="b">', True),
    ('<a title="a > b" href="b">', True),
    ('<a title="1 < 2" href="b">', True),
    ("<a data-x=it's href=b>", True),
    ('<a href="?page=2">', True),
    ('<a href="">', True),
    ('<a href="http:b">', True),
    ('<a href="&#46;&#46;/b">', True),
    ('<a href="/b">', False),
    ('<a href="#top">', False),
    ('<a href="http://b.example/c">', False),
    ('<a href="mailto:b">', False),
    ('<a href="//b.example/c">', False),
    ('<img src="/b.png"><link rel=stylesheet href="/b.css">', False),
    ("<b>", False),
]


@pytest.mark.parametrize(("link", "begins_here"), LINKS)
def test_relative_links_begin_where_they_stand(link: str, begins_here: bool) -> None:
    here, below, elsewhere = (
        content(f"<p>one {link} two", url=f"http://a.example/{path}") for path in ("d/a", "d/a/", "d/e")
    )
    assert here.body == below.body
    assert (here.base != below.base) == begins_here
    assert here.base == elsewhere.base


def test_what_is_not_html_may_have_links_of_any_kind() -> None:
    urls = ("http://a.example/d/a", "http://a.example/d/a/")
    here, below = (content('{"next": "b"}', "application/json", url=url) for url in urls)
    assert here.base != below.base


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("http://a.example/D/a?x", True),
        ("http://a.example//d//a", False),
        ("http://a.example/e/a", False),
        ("https://www.a.example/d/index.html", True),
    ],
)
def test_a_base_counts_each_segment(other: str, same: bool) -> None:
    one, two = (content("<a href=b>one", url=url).base for url in ("http://a.example/d/a", other))
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


@pytest.mark.parametrize(
    "media_type", ["", "image/png", "application/pdf", "application/octet-stream", "text/", "x"]
)
def test_what_is_no_text_has_none(media_type: str) -> None:
    assert content("<p>one", media_type) == Content(content("<p>one").body, None)
    assert content("<p>one").text is not None


@pytest.mark.parametrize("body", [b"<!-- one -->", b"12:03:44 ", b"*-*", b"<!-- -->12:03:44"])
def test_where_nothing_is_left_there_is_no_text(body: bytes) -> None:
    assert content(body).text is None
    assert content(body + b"<p>1").text is not None


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
    ("é".encode(), None, "é"),
    ("\ufeffé".encode("utf-16-le"), None, "é"),
    ("\ufeffé".encode("utf-16-be"), "latin-1", "é"),  # a byte order mark comes first
    ("é".encode("latin-1"), "ISO-8859-1", "é"),
    ("é".encode("latin-1"), '"latin-1"', "é"),
    (b"<meta charset=latin-1>\xe9", None, "<meta charset=latin-1>é"),
    (
        b"<META content='text/html; charset=cp1252'>\xe9",
        "unknown",
        "<META content='text/html; charset=cp1252'>é",
    ),
    (b"<?xml encoding='latin-1'?>\xe9", "punycode", "<?xml encoding='latin-1'?>é"),
    (
        b"<meta charset=utf-16>\xc3\xa9",
        None,
        "<meta charset=utf-16>é",
    ),  # what reads as ASCII is not in UTF-16
]


@pytest.mark.parametrize(("body", "charset", "text"), CHARSETS)
def test_one_text_in_any_charset(body: bytes, charset: str | None, text: str) -> None:
    assert content(body, charset=charset).text == content(text, charset="utf-8").text
    assert content(body, charset=charset).text != content(text.replace("é", "è"), charset="utf-8").text


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
