"""Logs of real crawls: each line is a record, and each count has its reason."""

import gzip
from pathlib import Path

import pytest
from folders import NO_SHARED_FOLDER, shared_folder

from iri_canon.equivalence import open_equivalences, profile
from iri_canon.logs import LogFile, Record
from iri_canon.logs.lessons import Lessons
from logs.reading import all_of

SHARED = shared_folder()
LOGS = Path() if SHARED is None else SHARED / "logs"
pytestmark = pytest.mark.skipif(SHARED is None or not LOGS.is_dir(), reason=NO_SHARED_FOLDER)

MARK = b"\xef\xbb\xbf"
# Lines, and redirects shown.
COUNTS = {
    "heritrix-crawl-42.log.gz": ("heritrix", 157, 17),  # hop paths that end in R
    "heritrix-oldjob-5.log.gz": ("heritrix", 743, 9),
    "heritrix3-crawl.log.gz": ("heritrix", 107, 4),
    "openwayback.cdx.gz": (
        "cdx",
        2144,
        36,
    ),  # column r; the other 645 answers of 301 and 302 do not tell where to
    "pywb_iana.cdx": ("cdx", 171, 0),  # a header and 171 captures
    "pywb_iana.cdxj": ("cdxj", 171, 0),
    "observed_redirects.jsonl": ("jsonl", 40, 9),  # 31 have no location
    "scrapy-excerpts.log": ("scrapy-log", 24, 15),  # 9 lines Crawled
}
# Pairs, and what joins nothing.
LESSONS: dict[str, tuple[int, dict[str, int]]] = {
    # 302 all, but for two of 301: tv.html and livefront.php are other pages than those that led to them
    "heritrix-crawl-42.log.gz": (0, {"temporary": 15, "unexplained": 2}),
    # /mindterm to /mindterm/; one via answered 200: it told another address of itself (Content-Location)
    "heritrix-oldjob-5.log.gz": (1, {"temporary": 7, "status": 1}),
    # /a to /a/; three with such a Content-Location
    "heritrix3-crawl.log.gz": (1, {"status": 3}),
    # three targets that are not in the index
    "openwayback.cdx.gz": (0, {"unfinished": 3}),
    "pywb_iana.cdx": (0, {}),
    "pywb_iana.cdxj": (0, {}),
    "observed_redirects.jsonl": (0, {"unfinished": 9}),
    # excerpts: nine targets are left out
    "scrapy-excerpts.log": (6, {"unfinished": 9}),
}


@pytest.mark.parametrize("name", COUNTS)
def test_every_line_is_a_record(name: str) -> None:
    file = LogFile(str(LOGS / name))
    found = all_of(file)
    assert [str(each) for each in found if not isinstance(each, Record)] == []
    records = [each for each in found if isinstance(each, Record)]
    assert (file.format_name, len(records), sum(len(each.hops()) for each in records)) == COUNTS[name]


@pytest.mark.parametrize("name", LESSONS)
def test_what_they_teach(name: str) -> None:
    lessons = Lessons()
    for each in all_of(LogFile(str(LOGS / name))):
        assert isinstance(each, Record)
        lessons.add(each)
    store = open_equivalences(None, profile())
    taught = lessons.teach(store)
    assert (taught.pairs, dict(taught.refused)) == LESSONS[name]


@pytest.mark.parametrize(
    "name", ["ada_userbait", "apache_semicomplete", "commoncrawl_web_languages", "iri_mixed"]
)
def test_a_list_of_urls_as_found_is_one(name: str) -> None:
    path = LOGS.parent / "urls" / f"{name}.txt.gz"
    file = LogFile(str(path))
    found = all_of(file)
    assert file.format_name == "urls"
    expected = [
        line.strip(b" \t\r") for line in gzip.decompress(path.read_bytes()).removeprefix(MARK).split(b"\n")
    ]
    expected = [line for line in expected if line and not line.startswith(b"#")]
    assert [
        each.url.encode("utf-8", "surrogateescape") for each in found if isinstance(each, Record)
    ] == expected
    assert len(found) == len(expected) > 1000


def test_two_indexes_of_one_archive_teach_the_same() -> None:
    shown = []
    for name in ("pywb_iana.cdx", "pywb_iana.cdxj"):
        found = [each for each in all_of(LogFile(str(LOGS / name))) if isinstance(each, Record)]
        shown.append([(each.url, each.status, each.digest, each.time, each.mime) for each in found])
    assert shown[0] == shown[1]
