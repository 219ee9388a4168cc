"""Access logs as Apache and nginx write them: the request line, its escapes, and whose target it is."""

import pytest

from iri_canon.errors import IriError, LogError
from iri_canon.logs import Bad, Record, WithoutUrl, combined
from logs.reading import lines, outcomes, reasons

AGENT = '"http://h/\\"from\\"" "curl/8 (\\\\)"'
TIME = "[01/Dec/2026:07:10:35 +0100]"


def one(text: str, site: str = "http://h/") -> Record | WithoutUrl | Bad:
    (found,) = combined.records(lines(text), site)
    return found


def url(target: str, site: str = "http://h/", who: str = "192.0.2.1 - -", method: str = "GET") -> str | None:
    found = one(f'{who} {TIME} "{method} {target} HTTP/1.1" 200 9 {AGENT}', site)
    assert not isinstance(found, Bad)
    return found.url if isinstance(found, Record) else None


@pytest.mark.parametrize(
    "line",
    [
        f'192.0.2.1 - - {TIME} "GET /a HTTP/1.1" 404 9',
        f'192.0.2.1 - - {TIME} "GET /a HTTP/1.1" 404 - {AGENT}',
        f'2001:db8::1 - john doe {TIME} "GET /a HTTP/2.0" 404 9 {AGENT} "-" 0.012 cache=HIT',
        f'h.example.com - "" {TIME} "GET /a HTTP/1.0" 404 9 {AGENT}',
        f'- ident [x] {TIME} "GET /a" 404 9',
        f'unix: - - {TIME} "GET /a HTTP/1.1" 404 0 "-" "-"',
    ],
)
def test_the_forms_of_a_line(line: str) -> None:
    found = one(line)
    assert isinstance(found, Record)
    assert (found.url, found.status, found.method, found.time) == ("http://h/a", 404, "GET", 1796105435.0)
    assert (found.hops(), found.counts) == ((), True)


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("01/Dec/2026:06:10:35 +0000", 1796105435.0),
        ("01/Dec/2026:11:40:35 +0530", 1796105435.0),
        ("30/Nov/2026:20:10:35 -1000", 1796105435.0),
        ("01/Jan/1970:00:00:00 +0000", 0.0),
        ("31/Dec/2016:23:59:60 +0000", 1483228799.0),
    ],
)
def test_the_time_has_its_zone(time: str, seconds: float) -> None:
    found = one(f'h - - [{time}] "GET / HTTP/1.1" 200 9')
    assert isinstance(found, Record)
    assert found.time == seconds


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/", "http://h/"),
        ("/a?b=/c", "http://h/a?b=/c"),
        ("//i/a", "http://h//i/a"),  # an origin-form always: never resolved
        ("/../a/./b", "http://h/../a/./b"),
        ("/http://i/", "http://h/http://i/"),
        ("http://i/a", "http://i/a"),
        ("HTTPS://I:8443", "HTTPS://I:8443"),
        ("/a b  c", "http://h/a b  c"),
        ("/a HTTPS/1.1", "http://h/a HTTPS/1.1"),
        ("/a#b", "http://h/a#b"),
        ("*", None),
        ("a/b", None),
        ("?a=http://i/", None),
        ("h:443", None),
        ("", None),
    ],
)
def test_the_target_of_a_request(target: str, expected: str | None) -> None:
    assert url(target) == expected


def test_the_authority_of_a_tunnel_is_no_url() -> None:
    assert url("h:443", method="CONNECT") is None
    assert url("http://h/", method="CONNECT") is None
    assert url("http://h/", method="OPTIONS") == "http://h/"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ('/\\"a\\"', 'http://h/"a"'),
        ("/\\\\x20", "http://h/\\x20"),  # once
        ("/\\x20\\t\\n", "http://h/ \t\n"),
        ("/\\xc3\\xa9\\xC3\\xA9", "http://h/éé"),
        ("/\\xe9", "http://h/\udce9"),
        ("/\u00c3\\xa9\\q%5C", "http://h/\u00c3\udca9\\q%5C"),
        ("/é\udce9", "http://h/é\udce9"),
    ],
)
def test_escapes_are_undone_once_into_octets(target: str, expected: str) -> None:
    assert url(target) == expected


@pytest.mark.parametrize("request_line", ["-", "", "GET", "\\x16\\x03\\x01", "/a HTTP/1.1", "GET  HTTP/1.1"])
def test_a_request_without_a_target_has_no_url(request_line: str) -> None:
    assert isinstance(one(f'h - - {TIME} "{request_line}" 408 0 "-" "-"'), WithoutUrl)


def test_without_a_protocol_the_target_goes_to_the_end() -> None:
    found = one(f'h - - {TIME} "GET /a b" 200 9')
    assert isinstance(found, Record) and found.url == "http://h/a b"
    found = one(f'h - - {TIME} "GET /a HTTP/1.1 b" 200 9')
    assert isinstance(found, Record) and found.url == "http://h/a HTTP/1.1 b"


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("i.example:443 192.0.2.1 - -", "https://i.example/a"),
        ("i.example:80 192.0.2.1 - -", "http://i.example/a"),
        ("i.example:8080 192.0.2.1 - -", "ftp://i.example:8080/a"),
        ("i.example 192.0.2.1 - john doe", "ftp://i.example/a"),
        ("[2001:db8::2]:443 2001:db8::1 - -", "https://[2001:db8::2]/a"),
        # the site's own: no virtual host
        ("192.0.2.1 - john doe", "ftp://h/a"),
        ("192.0.2.1 - -", "ftp://h/a"),
        ("2001:db8::1 - - -", "ftp://h/a"),
        ("i.example - - doe", "ftp://h/a"),
        ("i.example ident john doe", "ftp://h/a"),
        ("- 192.0.2.1 - -", "ftp://h/a"),
        ("/i 192.0.2.1 - -", "ftp://h/a"),
    ],
)
def test_a_virtual_host_has_its_own_requests(who: str, expected: str) -> None:
    assert url("/a", site="ftp://h", who=who) == expected
    assert url("http://j/", who=who) == "http://j/"


@pytest.mark.parametrize("status", ["200", "304", "499", "000"])
def test_the_status(status: str) -> None:
    found = one(f'h - - {TIME} "GET / HTTP/1.1" {status} 9')
    assert isinstance(found, Record) and found.status == int(status)
    found = one(f'h - - {TIME} "GET / HTTP/1.1" - 9')
    assert isinstance(found, Record) and found.status is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("http://h/", "not of the common nor of the combined form"),
        (f'h - - {TIME} "GET /"a" HTTP/1.1" 200 9', "not of the common nor of the combined form"),
        (f'h - - {TIME} "GET / HTTP/1.1" 20 9', "not of the common nor of the combined form"),
        (f'h - - {TIME} "GET / HTTP/1.1" 200', "not of the common nor of the combined form"),
        (f'h - - {TIME} "GET / HTTP/1.1\\" 200 9', "not of the common nor of the combined form"),
        ('h - - [01/Dec/2026:07:10:35] "GET / HTTP/1.1" 200 9', "not of the common nor of the combined form"),
        ('h - - [01/Dez/2026:07:10:35 +0100] "GET / HTTP/1.1" 200 9', "the time is none"),
        ('h - - [31/Feb/2026:07:10:35 +0100] "GET / HTTP/1.1" 200 9', "the time is none"),
        (f'h {TIME} "GET / HTTP/1.1" 200 9', "not as many columns as there should be"),
    ],
)
def test_a_bad_line_costs_itself(line: str, reason: str) -> None:
    good = f'h - - {TIME} "GET /a HTTP/1.1" 200 9'
    assert reasons("combined", f"{good}\n{line}\n\n{good}") == [reason]
    assert len(outcomes("combined", f"{good}\n{line}\n\n{good}")) == 3


@pytest.mark.parametrize(
    ("site", "origin"),
    [
        ("http://h", "http://h"),
        ("HTTPS://user@H:8443/a?b#c", "HTTPS://user@H:8443"),
        ("http://[::1]/", "http://[::1]"),
        ("http://bücher.example", "http://bücher.example"),
    ],
)
def test_a_site_is_a_scheme_and_an_authority(site: str, origin: str) -> None:
    assert combined.origin(site) == origin
    assert url("/a", site) == f"{origin}/a"


@pytest.mark.parametrize("site", ["", "h", "h/a", "//h/", "http:///a", "mailto:a@h", "http:", "http://h:x/"])
def test_what_has_none_of_them_is_no_site(site: str) -> None:
    with pytest.raises(IriError):
        combined.origin(site)


def test_the_site_is_required() -> None:
    line = f'h - - {TIME} "GET / HTTP/1.1" 200 9'
    with pytest.raises(LogError, match="--site"):
        list(combined.records(lines(line), None))
    with pytest.raises(LogError, match="'h' is no site"):
        list(combined.records(lines(line), "h"))


def test_a_line_cannot_pass_for_another() -> None:
    forged = f'/\\" 200 9 h - - {TIME} \\"GET /b HTTP/1.1'
    assert url(forged) == f'http://h/" 200 9 h - - {TIME} "GET /b HTTP/1.1'
    found = one(f'h - a] {TIME} "GET /a HTTP/1.1" 200 9 "{TIME}" "{TIME} \\"GET /b HTTP/1.1\\" 200 9"')
    assert isinstance(found, Record) and found.url == "http://h/a"
