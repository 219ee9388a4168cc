"""Observed pairs and assumed conventions together: one key for what they join, from wherever one starts."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iri_canon import Ladder, Rung, key


class Pairs:
    """Pairs as they were observed, by source."""

    def __init__(self, pairs: Mapping[str, str]) -> None:
        self.pairs = pairs

    def representative(self, key: str) -> str | None:
        return self.pairs.get(key)


TO_HTTPS = Pairs({"http://h.example/a": "https://h.example/a"})


def test_an_observed_pair_is_one_and_only_that_pair() -> None:
    ladder = Ladder(Rung.PROTOCOL, equivalences=TO_HTTPS)
    assert ladder.key("HTTP://H.example:80/a") == "https://h.example/a"
    assert ladder.key("http://h.example/b") == "http://h.example/b"
    assert ladder.lowest_rung("http://h.example/a", "https://h.example/a") is Rung.PROTOCOL
    assert ladder.lowest_rung("http://h.example/b", "https://h.example/b") is None


def test_what_a_convention_joins_stays_joined_behind_a_pair() -> None:
    ladder = Ladder(Rung.PROTOCOL, ["trailing-slash"], TO_HTTPS)
    assert ladder.key("http://h.example/a/") == ladder.key("http://h.example/a") == "https://h.example/a"
    assert ladder.key("http://h.example/b/") != ladder.key("https://h.example/b/")


def test_pairs_and_conventions_that_contradict_each_other_end() -> None:
    back = Pairs({"https://h.example/": "http://h.example/", "http://h.example/": "https://h.example/"})
    for conventions in ([], ["https"]):
        ladder = Ladder(Rung.PROTOCOL, conventions, back)
        keys = {ladder.key(f"{scheme}://h.example/") for scheme in ("http", "https")}
        assert len(keys) == 1
        assert ladder.key(keys.pop()) == ladder.key("http://h.example/")


def test_a_kept_fragment_stays_with_the_representative() -> None:
    ladder = Ladder(Rung.PROTOCOL, equivalences=TO_HTTPS, keep_fragment=True)
    assert ladder.key("http://h.example/a#!/x") == "https://h.example/a#!/x"
    assert ladder.key("http://h.example/a#!/x") != ladder.key("http://h.example/a#!/y")


URLS = [f"{scheme}://{www}h.example/{path}" for scheme in ("http", "https") for www in ("", "www.")
        for path in ("", "a", "a/", "A", "a?b&a", "a?a&b")]  # fmt: skip


@given(
    pairs=st.dictionaries(st.sampled_from(URLS).map(key), st.sampled_from(URLS).map(key), max_size=8),
    conventions=st.sets(st.sampled_from(["https", "www", "trailing-slash", "path-case", "query-order"])),
    urls=st.tuples(st.sampled_from(URLS), st.sampled_from(URLS)),
)
def test_laws(pairs: dict[str, str], conventions: set[str], urls: tuple[str, str]) -> None:
    ladder = Ladder(Rung.PROTOCOL, sorted(conventions), Pairs(pairs))
    assumed = Ladder(Rung.SCHEME, sorted(conventions))
    for url in urls:
        found = ladder.key(url)
        assert ladder.key(found) == found
        steps = ladder.explain(url)
        assert (steps[-1].after if steps else url) == found
    if assumed.key(urls[0]) == assumed.key(urls[1]):
        assert ladder.key(urls[0]) == ladder.key(urls[1])


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "u8", "utf_8", "utf-16-le"])
def test_octets_of_unicode_are_not_composed(encoding: str) -> None:
    from iri_canon import canonicalize

    assert canonicalize("http://h/e\u0301".encode(encoding), encoding=encoding) == "http://h/e%CC%81"
    assert canonicalize("http://h/e\u0301".encode(encoding), encoding=encoding) != "http://h/%C3%A9"
