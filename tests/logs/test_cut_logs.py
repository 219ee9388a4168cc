"""Logs that end too early, at every octet of their last record, plain and compressed; and bad ones in the middle."""

import gzip
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from iri_canon.logs import FORMATS, Bad, Record
from iri_canon.logs.formats import Format, SiteFormat, StreamFormat
from logs.reading import log, until_it_fails, urls

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": lambda octets: zstd.compress(octets, options={zstd.CompressionParameter.checksum_flag: 1}),
}
ENTRY = "2026-12-01 06:10:35 [scrapy.core.engine] DEBUG: Crawled"


@dataclass
class Sample:
    """A log of three records: what comes before them, one of them, and what is no record of it."""

    record: str
    bad: str
    reason: str
    head: str = ""
    tail: str = ""
    needed: str = "{record}"
    """Of the last record, what has to be there that it is one."""


SAMPLES = {
    "jsonl": Sample('{{"url": "http://h/{}", "status": 200}}', '{"url": "http://h/', "not JSON"),
    "cdxj": Sample(
        'h)/{0} 20261201061035 {{"url": "http://h/{0}"}}',
        'h)/ 20261201061035 {"url"',
        "not JSON",
        head="!OpenWayback-CDXJ 1.0\n",
    ),
    "cdx": Sample(
        "h)/{0} 20261201061035 http://h/{0} text/html 200 A - - 1 2 a.warc.gz",
        "h)/ 20261201061035 http://h/ text/html 200",
        "not as many columns as there should be",
        head=" CDX N b a m s k r M S V g\n",
        needed="h)/{0} 20261201061035 http://h/{0} text/html 200 A - - 1 2 ",
    ),
    "heritrix": Sample(
        "2026-12-01T06:10:35.000Z 200 9 http://h/{} - - text/html #001 20261201061034000+9 sha1:A - -",
        "2026-12-01T06:10:35.000Z 200 9 http://h/",
        "not as many columns as there should be",
        needed="2026-12-01T06:10:35.000Z 200 9 http://h/{} - - text/html #001 20261201061034000+9 s",
    ),
    "combined": Sample(
        'h - - [01/Dec/2026:07:10:35 +0100] "GET /{} HTTP/1.1" 200 19 "-" "-"',
        'h - - [01/Dec/2026:07:10:35 +0100] "GET /',
        "not of the common nor of the combined form",
        needed='h - - [01/Dec/2026:07:10:35 +0100] "GET /{} HTTP/1.1" 200 1',
    ),
    "scrapy-log": Sample(
        f"{ENTRY} (200) <GET http://h/{{}}> (referer: None)",
        f"{ENTRY} (200) <GET http://h/",
        "no request in a Crawled line",
        head="2026-12-01 06:10:35 [scrapy.core.engine] INFO: Spider opened\n",
        needed=f"{ENTRY} (200) <GET http://h/{{}}> (referer: ",
    ),
    "csv": Sample(
        '200,"http://h/{}",',
        '200,"http://h/"b,',
        "text behind a closing quote",
        head="status,url,mime\n",
    ),
    "sitemap": Sample(
        "<url><loc>http://h/{}</loc></url>",
        "<url><loc>http://h/&a;</loc></url>",
        "a reference to an entity that the file does not declare",
        head='<!DOCTYPE urlset SYSTEM "a"><urlset>\n',
        tail="</urlset>\n",
        needed="<url><loc>http://h/{}</loc>",
    ),
}  # fmt: skip
OF_STREAMS = {name for name in SAMPLES if isinstance(FORMATS[name], StreamFormat)}


def parts(name: str) -> tuple[bytes, bytes]:
    """The first two records with what stands before them, and the third."""
    sample = SAMPLES[name]
    before = sample.head + "".join(f"{sample.record.format(number)}\n" for number in (1, 2))
    return before.encode(), f"{sample.record.format(3)}\n{sample.tail}".encode()


def test_each_format_of_lines_and_streams_has_a_sample() -> None:
    kinds = {name for name, known in FORMATS.items() if isinstance(known, Format | SiteFormat)}
    assert kinds - {"urls"} <= set(SAMPLES)  # of a URL that is cut off nothing shows it


@pytest.mark.parametrize("name", SAMPLES)
def test_a_plain_log_cut_at_every_octet(tmp_path: Path, name: str) -> None:
    before, last = parts(name)
    needed = len(SAMPLES[name].needed.format(3, record=SAMPLES[name].record.format(3)))
    for end in range(len(last) + 1):
        found, wrong = until_it_fails(log(tmp_path, before + last[:end], "a.txt"))
        assert urls(found)[:2] == ["http://h/1", "http://h/2"]
        rest = found[2:]
        assert len(rest) <= 1
        is_there = end >= needed
        assert [each.url for each in rest if isinstance(each, Record)] == (["http://h/3"] if is_there else [])
        if name in OF_STREAMS:
            assert (wrong is None) == (end >= len(last) - 1)
        else:
            assert wrong is None
            assert all(each.place.offset == len(before) for each in rest)


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("name", [*SAMPLES, "urls"])
def test_a_compressed_log_cut_at_every_octet(tmp_path: Path, name: str, compression: str) -> None:
    compress = COMPRESSIONS[compression]
    before, last = (b"http://h/1\nhttp://h/2\n", b"http://h/3\n") if name == "urls" else parts(name)
    first, second = compress(before), compress(last)
    for end in range(1, len(second)):
        found, wrong = until_it_fails(log(tmp_path, first + second[:end], "a.txt"))
        assert wrong is not None and wrong.endswith(f"at octet {len(first)} is cut off")
        # a line is one as soon as it has ended, whatever of the sums behind it is missing
        assert urls(found) in (["http://h/1", "http://h/2"], ["http://h/1", "http://h/2", "http://h/3"])
        assert len(urls(found)) == len(found)
    found, wrong = until_it_fails(log(tmp_path, first + second, "a.txt"))
    assert (urls(found), wrong) == (["http://h/1", "http://h/2", "http://h/3"], None)
    # one part alone
    whole = compress(before + last)
    for end in range(5, len(whole)):
        found, wrong = until_it_fails(log(tmp_path, whole[:end], "a.txt"))
        assert wrong is not None and wrong.endswith("at octet 0 is cut off")
        assert urls(found) == [f"http://h/{number}" for number in range(1, len(found) + 1)]


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_compressed_log_damaged_at_every_octet(tmp_path: Path, name: str, compression: str) -> None:
    before, last = parts(name)
    first, second = COMPRESSIONS[compression](before), COMPRESSIONS[compression](last)
    silent = 0
    for place in range(len(second)):
        octets = bytearray(first + second)
        octets[len(first) + place] ^= 0x55
        found, wrong = until_it_fails(log(tmp_path, bytes(octets), "a.txt"))
        assert urls(found)[:2] == ["http://h/1", "http://h/2"]
        silent += wrong is None
    # the time, the system and such in the head of a member can be anything
    assert silent <= (6 if compression == "gzip" else 0)


@pytest.mark.parametrize("name", SAMPLES)
def test_something_bad_in_the_middle_costs_itself(tmp_path: Path, name: str) -> None:
    sample = SAMPLES[name]
    before, last = parts(name)
    found, wrong = until_it_fails(log(tmp_path, before + f"{sample.bad}\n".encode() + last, "a.txt"))
    assert wrong is None
    assert urls(found) == ["http://h/1", "http://h/2", "http://h/3"]
    (bad,) = (each for each in found if isinstance(each, Bad))
    line = before.count(b"\n") + 1
    offset = len(before) + (len("<url>") if name == "sitemap" else 0)
    assert (bad.reason, bad.place.line, bad.place.offset) == (sample.reason, line, offset)
    assert str(bad) == f"{bad.place.file}:{line}: byte {offset}: {sample.reason}"
