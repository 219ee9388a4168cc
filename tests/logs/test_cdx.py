"""CDX by the letters of its header (iipc/warc-specifications, "CDX file format"), and CDXJ."""

import pytest

from iri_canon.logs import Hop, Record, WithoutUrl
from logs.reading import outcomes, reasons, records

WHOLE = "org,iana)/ 20140126200624 http://www.iana.org/ text/html {status} OSSA {redirect} - 2258 334 iana.warc.gz"


def whole(status: str = "200", redirect: str = "-") -> str:
    return WHOLE.format(status=status, redirect=redirect)


def only(text: str, format_name: str = "cdx") -> Record:
    (found,) = records(format_name, text)
    return found


@pytest.mark.parametrize("header", ["", " CDX N b a m s k r M S V g\n", "CDX N b a m s k r M S V g\n"])
def test_eleven_columns(header: str) -> None:
    found = only(header + whole())
    assert (found.url, found.status, found.digest, found.mime) == (
        "http://www.iana.org/",
        200,
        "OSSA",
        "text/html",
    )
    assert found.time == 1390766784.0
    assert found.hops() == ()
    assert only(header + whole("301", "/b")).hops() == (Hop("http://www.iana.org/", "/b", 301),)


def test_nine_columns() -> None:
    found = only(
        "org,iana)/ 20140126200624 http://www.iana.org/ text/html 302 OSSA http://iana.org/ 334 iana.arc.gz"
    )
    assert found.hops() == (Hop("http://www.iana.org/", "http://iana.org/", 302),)


def test_a_header_of_wget_in_its_own_order() -> None:
    header = " CDX a b a m s k r M V g u"
    line = "http://h/a 20261201061035 http://h/a text/html 301 A http://h/b - 0 a.warc <urn:uuid:1>"
    assert only(f"{header}\n{line}").hops() == (Hop("http://h/a", "http://h/b", 301),)


def test_the_first_character_of_a_header_delimits() -> None:
    assert [each.url for each in records("cdx", "\tCDX\ta\tb\nhttp://h/a b\t20261201061035")] == [
        "http://h/a b"
    ]
    assert [each.url for each in records("cdx", "CDX|b|a\n20261201061035|http://h/a")] == ["http://h/a"]


def test_a_header_may_come_again() -> None:
    found = records("cdx", " CDX a s\nhttp://h/a 200\n CDX s a\n404 http://h/b\nCDX a\nhttp://h/c\n")
    assert [(each.url, each.status) for each in found] == [
        ("http://h/a", 200),
        ("http://h/b", 404),
        ("http://h/c", None),
    ]


def test_a_revisit_has_no_status_of_its_own() -> None:
    assert only(whole("-")).status is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (whole() + " more", "not as many columns as there should be"),
        (whole(redirect="http://h/a b"), "not as many columns as there should be"),
        ("org,iana)/ 20140126200624", "not as many columns as there should be"),
        (whole().replace(" 2014", " x014", 1), "the date (b) is none"),
        (whole().replace(" 2014", " 014", 1), "the date (b) is none"),
        (whole("2x0"), "the status (s) is no number"),
    ],
)
def test_a_bad_line_costs_itself(text: str, reason: str) -> None:
    found = outcomes("cdx", f"{whole()}\n{text}\n\n{whole()}")
    assert sum(isinstance(each, Record) for each in found) == 2
    assert reasons("cdx", text) == [reason]


def test_a_header_without_urls_makes_all_lines_bad() -> None:
    assert reasons("cdx", " CDX N b\nh)/ 20261201061035") == ["no column has the URL (a)"]


def test_a_capture_without_a_url_is_not_bad() -> None:
    (found,) = outcomes("cdx", " CDX a b\n- 20261201061035")
    assert isinstance(found, WithoutUrl)


def test_cdxj() -> None:
    found = only(
        'h)/ 20261201061035 {"url": "http://h/a", "status": "301", "digest": "A", "redirect": "/b"}', "cdxj"
    )
    assert (found.status, found.digest, found.time) == (301, "A", 1796105435.0)
    assert found.hops() == (Hop("http://h/a", "/b", 301),)


def test_cdxj_tells_of_itself_behind_an_exclamation_mark() -> None:
    text = '!OpenWayback-CDXJ 1.0\n!meta {"a": 1}\nh)/ 20261201061035 {"url": "http://h/a"}'
    assert only(text, "cdxj").url == "http://h/a"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("h)/ 20261201061035", "not as many columns as there should be"),
        ('h)/ soon {"url": "http://h/a"}', "the date is none"),
        ('h)/ 20261201061035 {"url": "http://h/a"', "not JSON"),
        ("h)/ 20261201061035 " + "[" * 100_000, "nested too deeply"),
        ("h)/ 20261201061035 [1]", "not an object"),
    ],
)
def test_a_bad_line_of_cdxj_costs_itself(text: str, reason: str) -> None:
    assert reasons("cdxj", text) == [reason]
