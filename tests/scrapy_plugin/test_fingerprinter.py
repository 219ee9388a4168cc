"""What makes two requests one, and what must not."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.settings import BaseSettings
from scrapy.utils.test import get_crawler

from iri_canon.equivalence import Observation
from scrapy_plugin import CanonicalDupeFilter, CanonicalFingerprinter
from scrapy_plugin.options import Options, read

BASE = "http://example.com/a"


def options(**settings: Any) -> Options:
    return read(BaseSettings({f"IRI_CANON_{name.upper()}": value for name, value in settings.items()}))


def fingerprint(request: Request, **settings: Any) -> bytes:
    return CanonicalFingerprinter(options(**settings)).fingerprint(request)


DISTINCT = [
    Request(BASE),
    Request(BASE, method="HEAD"),
    Request(BASE, method="POST"),
    Request(BASE, method="POST", body=b"x"),
    Request(BASE, method="POST", body=b"xy"),
    Request(BASE, body=b"x"),
    Request(BASE + "/"),
    Request(BASE + "?"),
    Request(BASE + "?x"),
    Request("http://example.com/A"),
    Request("https://example.com/a"),
    Request("http://www.example.com/a"),
    # Where one part ends and the next begins must not be open to doubt.
    Request("http://example.com/a0:,0;http://example.com/a"),
    Request(BASE, body=b"0;http://example.com/a"),
    Request(BASE, method="GET0:,0;"),
]


def test_distinct_requests_have_distinct_fingerprints() -> None:
    # Request drops a bare "?", so that two of them are one.
    requests = [request for request in DISTINCT if request is not DISTINCT[7]]
    for one, other in combinations(requests, 2):
        assert fingerprint(one) != fingerprint(other), (one, other)


@pytest.mark.parametrize(
    "url",
    [
        "HTTP://EXAMPLE.COM/a",
        "http://example.com:80/a",
        "http://example.com/%61",
        "http://example.com/b/../a",
        BASE + "#x",
    ],
)
def test_spellings_have_one_fingerprint(url: str) -> None:
    assert fingerprint(Request(url)) == fingerprint(Request(BASE))


def test_fingerprints_are_the_same_in_every_process() -> None:
    assert fingerprint(Request(BASE)).hex() == "5564d7112b38e2c5720a2def78da99c4"


def test_the_urls_text_counts_where_it_is_verbatim() -> None:
    verbatim = {"verbatim_url": True}
    spelling = "http://example.com/%61"
    assert fingerprint(Request(spelling, meta=verbatim)) != fingerprint(Request(BASE, meta=verbatim))
    assert fingerprint(Request(BASE, meta=verbatim)) == fingerprint(Request(BASE))
    assert fingerprint(Request(BASE + "#x", meta=verbatim)) != fingerprint(Request(BASE, meta=verbatim))


def test_fragments() -> None:
    one, other = Request(BASE + "#x"), Request(BASE + "#y")
    assert fingerprint(one) == fingerprint(other)
    assert fingerprint(one, keep_fragments=True) != fingerprint(other, keep_fragments=True)


def test_headers() -> None:
    def asked(**headers: Any) -> Request:
        return Request(BASE, headers={name.replace("_", "-"): value for name, value in headers.items()})

    english, french = asked(accept_language="en"), asked(accept_language="fr")
    assert fingerprint(english) == fingerprint(french)
    chosen = {"headers": ["Accept-Language", "X"]}
    assert fingerprint(english, **chosen) != fingerprint(french, **chosen)
    assert fingerprint(english, **chosen) == fingerprint(asked(ACCEPT_LANGUAGE="en", cookie="y"), **chosen)
    assert fingerprint(english, **chosen) == fingerprint(english, headers="x, accept-language")
    assert fingerprint(asked(x=["a", "b"]), **chosen) != fingerprint(asked(x=["ab"]), **chosen)
    assert fingerprint(asked(x="a"), **chosen) != fingerprint(asked(accept_language="a"), **chosen)


def test_header_that_scrapy_adds_counts_as_being_there() -> None:
    """A redirect copies what middlewares added; a link has it not yet."""
    crawler = get_crawler(
        Spider, {"IRI_CANON_HEADERS": ["Accept-Language", "User-Agent"], "USER_AGENT": "me"}
    )
    same = CanonicalFingerprinter.from_crawler(crawler).fingerprint
    added = {"Accept-Language": "en", "User-Agent": "me"}
    assert same(Request(BASE)) == same(Request(BASE, headers=added))
    assert same(Request(BASE)) != same(Request(BASE, headers={**added, "User-Agent": "you"}))


def test_the_filter_joins_what_is_assumed_and_the_fingerprinter_does_not() -> None:
    assumed = options(conventions=["trailing-slash"])
    seen = CanonicalDupeFilter(assumed).request_seen
    assert not seen(Request(BASE))
    assert seen(Request(BASE + "/"))
    assert not seen(Request(BASE + "/", method="POST"))
    same = CanonicalFingerprinter(assumed).fingerprint
    assert same(Request(BASE)) != same(Request(BASE + "/"))


def test_a_change_of_the_request_is_another_request() -> None:
    """Fingerprints are kept by request: a copy of it with other parts has its own."""
    request = Request(BASE)
    same = CanonicalFingerprinter(Options()).fingerprint
    assert same(request) == same(request.copy())
    assert same(request) != same(request.replace(url=BASE + "/"))
    assert request.meta == {}


def test_a_pair_joins_nothing_of_another_fragment() -> None:
    """With fragments kept, a spelling is spared only for the representative with the same fragment."""
    kept = CanonicalDupeFilter(options(keep_fragments=True))
    pair = Observation("http://example.com/d", "http://example.com/d/", (301,), 200)
    kept._stores.pairs.record(pair)
    assert not kept.request_seen(Request("http://example.com/d/#x"))
    assert not kept.request_seen(Request("http://example.com/d#y"))
    assert kept.request_seen(Request("http://example.com/d#x"))
    # In one direction only.
    other = CanonicalDupeFilter(Options())
    other._stores.pairs.record(pair)
    assert not other.request_seen(Request("http://example.com/d"))
    assert not other.request_seen(Request("http://example.com/d/"))
    assert other.request_seen(Request("http://example.com/d/"))


def test_a_pair_spares_no_post_and_nothing_verbatim() -> None:
    duplicates = CanonicalDupeFilter(Options())
    duplicates._stores.pairs.record(Observation("http://example.com/d", "http://example.com/d/", (301,), 200))
    for one in ({"method": "POST"}, {"body": b"x"}, {"meta": {"verbatim_url": True}}):
        assert not duplicates.request_seen(Request("http://example.com/d/", **one))
        assert not duplicates.request_seen(Request("http://example.com/d", **one))
