"""Files as they come: plain, of many members, cut, damaged, empty, of no format."""

import gzip
import io
import sys
import tracemalloc
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace

import pytest

from iri_canon.errors import LogError
from iri_canon.logs import FORMATS, Bad, LogFile, Record
from iri_canon.logs import lines as reading_of_lines
from iri_canon.logs.formats import Format, SiteFormat, detect
from logs.reading import all_of, log, until_it_fails, urls

ROWS = [f'{{"url": "http://h/{number}"}}\n'.encode() for number in range(3)]
OF_EACH = {
    "jsonl": b'{"url": "http://h/a"}',
    "cdx": b"h)/a 20261201061035 http://h/a text/html 200 A - - 1 2 a.warc.gz",
    "cdxj": b'h)/a 20261201061035 {"url": "http://h/a"}',
    "heritrix": b"2026-12-01T06:10:35.000Z 200 9 http://h/a - - text/html #001 20261201061034000+9 sha1:A - -",
    "scrapy-log": b"2026-12-01 06:10:35 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://h/a> (referer: None)",
    "combined": b'::1 - - [01/Dec/2026:07:10:35 +0100] "GET /a HTTP/1.1" 200 9',
    "csv": b"url\nhttp://h/a",
    "sitemap": b"<urlset><url><loc>http://h/a</loc></url></urlset>",
    "urls": b"http://h/a",
}


def urls_until_it_fails(file: LogFile) -> tuple[list[str], str | None]:
    """The URLs of a file, and what was wrong at last."""
    found, wrong = until_it_fails(file)
    return urls(found), wrong


def test_each_format_of_lines_is_here() -> None:
    assert {name for name, known in FORMATS.items() if isinstance(known, Format | SiteFormat)} <= set(OF_EACH)


@pytest.mark.parametrize("format_name", OF_EACH)
def test_a_format_is_told_by_its_lines(tmp_path: Path, format_name: str) -> None:
    file = log(tmp_path, OF_EACH[format_name], "a.txt")
    assert urls(all_of(file)) == ["http://h/a"]
    assert file.format_name == format_name
    named = log(tmp_path, OF_EACH[format_name], "a.txt", format_name)
    assert urls(all_of(named)) == ["http://h/a"]


@pytest.mark.parametrize(("one", "other"), list(permutations(OF_EACH, 2)))
def test_a_wrong_name_makes_no_record(tmp_path: Path, one: str, other: str) -> None:
    found, _ = urls_until_it_fails(log(tmp_path, OF_EACH[one], format_name=other))
    # any line may be in a list of URLs
    assert found == (OF_EACH[one].decode().split("\n") if other == "urls" else [])


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("a.jl", "jsonl"),
        ("a.CDX", "cdx"),
        ("a.cdxj.gz", "cdxj"),
        ("crawl.log", "heritrix"),
        ("a.log", "scrapy-log"),
        ("access.log", "combined"),
        ("a.log.zst", "scrapy-log"),
    ],
)
def test_a_format_is_told_by_the_name_where_no_line_tells(
    tmp_path: Path, name: str, format_name: str
) -> None:
    file = log(tmp_path, b"?\n", name)
    assert urls(all_of(file)) == []
    assert file.format_name == format_name


HEAD = """\
2026-12-01 06:10:34 [scrapy.utils.log] INFO: Scrapy 2.19.0 started (bot: scrapybot)
2026-12-01 06:10:34 [scrapy.utils.log] INFO: Versions:
{'lxml': '6.1.3',
 'Platform': 'Linux-6.18'}
2026-12-01 06:10:34 [scrapy.addons] INFO: Enabled addons:
[]
2026-12-01 06:10:34 [scrapy.crawler] INFO: Overridden settings:
{'RETRY_ENABLED': False}
{"url": "http://h/printed"}
"""


def test_what_a_log_of_scrapy_prints_at_its_head_is_no_feed(tmp_path: Path) -> None:
    file = log(tmp_path, HEAD.encode() + OF_EACH["scrapy-log"], "a.txt")
    assert urls(all_of(file)) == ["http://h/a"]
    assert file.format_name == "scrapy-log"
    # a spider may print before it logs
    file = log(tmp_path, HEAD[HEAD.index("{'lxml") :].encode() + OF_EACH["scrapy-log"], "b.txt")
    assert urls(all_of(file)) == ["http://h/a"]


@pytest.mark.parametrize(
    ("octets", "format_name"),
    [
        (b'\n \r\n{"url": "http://h/a"}\n', "jsonl"),
        (b'[\n{"url": "http://h/a"},\n', "jsonl"),
        (b'[{"url": "http://h/a"}]', "jsonl"),
        (b'{"url": "http://h/a"}\n' + HEAD.encode(), "jsonl"),
        (b'{"url": \n{"url": "http://h/a"}\n', None),
        (b'["url"]\n{"url": "http://h/a"}\n', None),
        (b"{" * 200_000 + b"\n", None),
        (b"2026-12-01 06:10:34 [scrapy.utils.log INFO: Versions:\n", None),
    ],
)
def test_a_feed_begins_with_an_object(tmp_path: Path, octets: bytes, format_name: str | None) -> None:
    file = log(tmp_path, octets, "a.txt")
    _, wrong = urls_until_it_fails(file)
    assert (file.format_name, wrong is None) == (format_name, format_name is not None)


def test_text_of_no_format_is_refused(tmp_path: Path) -> None:
    assert urls_until_it_fails(log(tmp_path, b"h/a\nh/b\n")) == (
        [],
        f"the format is not to be told; name it by --format: {', '.join(FORMATS)}",
    )


@pytest.mark.parametrize(
    ("octets", "name", "format_name"),
    [
        (b"# seeds\n\nhttp://h/a\nh/b\nftp://h/\n", "a.txt", "urls"),
        (b"http://h/a\nh/b\n", "a.txt", None),
        (b"http://h/a 200\nhttp://h/b 200\n", "a.txt", None),
        (b"http://h/a\n", "a.log", "urls"),
        (b"http://h/a,200\n", "a.csv", "csv"),
        (b"url,status\n", "a.txt", "csv"),
        (b"the url\n", "a.txt", None),
        (b"http://h/a\nhttp://h/b\n" + OF_EACH["scrapy-log"], "a.txt", "scrapy-log"),
        (b"http://h/a\nhttp://h/b\nurl,status\n", "a.txt", "urls"),
        (b"\xef\xbb\xbf <?xml version='1.0'?>\n<sitemapindex>", "a.txt", "sitemap"),
        (
            b"<!-- <html> --><!DOCTYPE urlset SYSTEM 'a' [ <!ATTLIST urlset a CDATA #IMPLIED> ]><s:urlset/>",
            "a",
            "sitemap",
        ),
        (b"<html><urlset>", "a.txt", None),
        (b"<!-- <urlset> --><html>", "a.txt", None),
        (b"<urlsets>", "a.txt", None),
    ],
)
def test_what_tells_the_format(tmp_path: Path, octets: bytes, name: str, format_name: str | None) -> None:
    file = log(tmp_path, octets, name)
    until_it_fails(file)
    assert file.format_name == format_name


def test_an_unfinished_line_at_the_end_of_the_head_tells_nothing(tmp_path: Path) -> None:
    filler = b"? " * 500 + b"\n"
    octets = filler * 262 + b'{"url": "http://h/a"}\n'
    file = log(tmp_path, octets)
    assert urls_until_it_fails(file)[0] == []
    assert file.format_name is None


def test_a_line_that_goes_on_tells_nothing() -> None:
    head = b"?\n2026-12-01 06:10:34 [scrapy.core.engine] INFO: Spider op"
    assert detect("a.txt", head, is_whole=False) is None
    assert detect("a.txt", head) == "scrapy-log"


def test_a_first_line_may_be_long(tmp_path: Path) -> None:
    octets = b'{"body": "' + b"a" * 1_000_000 + b'", "url": "http://h/a"}\n'
    assert urls(all_of(log(tmp_path, octets))) == ["http://h/a"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_in_utf_16_is_refused_by_name(tmp_path: Path, encoding: str) -> None:
    octets = "\ufeffhttp://h/a\n".encode(encoding)
    for format_name in (None, "urls"):
        found = urls_until_it_fails(log(tmp_path, octets, "a.txt", format_name))
        assert found == ([], "text in UTF-16, which is not read; pipe it in as UTF-8")
    xml = "\ufeff<urlset><url><loc>http://h/é</loc></url></urlset>".encode(encoding)
    assert urls(all_of(log(tmp_path, xml, "a.xml"))) == ["http://h/é"]


def test_an_access_log_needs_its_site(tmp_path: Path) -> None:
    path = str(log(tmp_path, OF_EACH["combined"]).path)
    assert urls_until_it_fails(LogFile(path)) == (
        [],
        "an access log does not say of which site it is; dedup is told by --site",
    )
    assert urls_until_it_fails(LogFile(path, site="https://i:8/b")) == (["https://i:8/a"], None)


def test_the_data_of_a_log_in_chunks(tmp_path: Path) -> None:
    with log(tmp_path, gzip.compress(b"".join(ROWS))).chunks() as chunks:
        assert b"".join(chunks) == b"".join(ROWS)
    with log(tmp_path, gzip.compress(b"".join(ROWS))[:-1]).chunks() as chunks:
        assert next(chunks) == b"".join(ROWS)
        with pytest.raises(LogError, match="cut off"):
            next(chunks)


def test_how_far_a_file_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    octets = b"a" * 100_000 + b"\n"
    file = log(tmp_path, octets)
    assert file.position is None
    with file.chunks() as chunks:
        assert file.position == 0
        size = len(next(chunks))
        assert size < len(octets)
        assert file.position == size
        assert size + len(next(chunks)) == len(octets)
        assert file.position == len(octets)
    assert file.position is None
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(octets)))
    stdin = LogFile("-")
    with stdin.chunks() as chunks:
        assert next(chunks)
        assert stdin.position is None


def test_what_told_the_format_is_read_again(tmp_path: Path) -> None:
    file = log(tmp_path, b"".join(ROWS))
    with file.chunks() as chunks:
        assert b"".join(file.recognised(chunks)) == b"".join(ROWS)
    assert (file.format_name, file.is_empty) == ("jsonl", False)


def test_an_empty_file_is_a_log_of_no_records(tmp_path: Path) -> None:
    for octets in (b"", gzip.compress(b"")):
        file = log(tmp_path, octets)
        assert all_of(file) == []
        assert file.is_empty
    file = log(tmp_path, b"\n", "a.log")
    assert all_of(file) == []
    assert not file.is_empty


def test_only_lf_and_crlf_end_a_line_and_the_mark_is_no_text(tmp_path: Path) -> None:
    octets = b'\xef\xbb\xbf{"url": "http://h/1\xc2\x85\xe2\x80\xa8"}\r\n\n{"url": "http://h/2"}\r\r\n{"url": "http://h/3"}'
    found = all_of(log(tmp_path, octets))
    assert urls(found) == ["http://h/1\x85\u2028", "http://h/2", "http://h/3"]
    assert [(each.place.line, each.place.offset) for each in found] == [(1, 0), (3, 32), (4, 56)]


def test_members_follow_each_other_with_zeros_between(tmp_path: Path) -> None:
    one, two, three = map(gzip.compress, ROWS)
    many = gzip.compress(ROWS[0][:7]) + gzip.compress(ROWS[0][7:]) + two + b"\0" * 70_000 + three
    for octets in (one + two + three, many):
        assert urls(all_of(log(tmp_path, octets))) == ["http://h/0", "http://h/1", "http://h/2"]
    assert len(all_of(log(tmp_path, one * 500))) == 500


def test_a_member_that_is_cut_off_gives_all_whole_lines(tmp_path: Path) -> None:
    last = gzip.compress(b"".join(ROWS[1:]))
    before = gzip.compress(ROWS[0])
    for size in range(1, len(last)):
        found, wrong = urls_until_it_fails(log(tmp_path, before + last[:size]))
        assert found[:1] == ["http://h/0"]
        assert found == [f"http://h/{number}" for number in range(len(found))]
        assert wrong == f"the gzip member at octet {len(before)} is cut off"
    assert urls_until_it_fails(log(tmp_path, before + last)) == (
        [f"http://h/{number}" for number in range(3)],
        None,
    )


def test_a_line_that_is_cut_off_is_no_record(tmp_path: Path) -> None:
    # whole as it stands, but it might have gone on
    cut = gzip.compress(b'{"url": "http://h/0"}\n{"url": "http://h/1"}')[:-8]
    found, wrong = urls_until_it_fails(log(tmp_path, cut))
    assert (found, wrong) == (["http://h/0"], "the gzip member at octet 0 is cut off")


@pytest.mark.parametrize("place", [3, 12, -6])
def test_a_damaged_member_is_told_with_its_offset(tmp_path: Path, place: int) -> None:
    before, last = gzip.compress(ROWS[0]), bytearray(gzip.compress(ROWS[1]))
    last[place] ^= 0xFF
    found, wrong = urls_until_it_fails(log(tmp_path, before + bytes(last)))
    assert found[0] == "http://h/0"
    assert wrong == f"the gzip member at octet {len(before)} is damaged"


def test_what_follows_the_last_member_and_is_none_is_told(tmp_path: Path) -> None:
    octets = gzip.compress(ROWS[0])
    assert (
        urls_until_it_fails(log(tmp_path, octets + b"junk"))[1]
        == f"the gzip member at octet {len(octets)} is damaged"
    )


@pytest.mark.parametrize("mark", [b"BZh9", b"\xfd7zXZ\0", b"PK\x03\x04"])
def test_another_compression_is_named(tmp_path: Path, mark: bytes) -> None:
    found, wrong = urls_until_it_fails(log(tmp_path, mark + b"\0" * 9))
    assert found == []
    assert wrong is not None
    assert wrong.startswith("compressed by ")


def test_a_line_that_is_too_long_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_of_lines, "LONGEST_LINE", 100_000)
    for size in (99_970, 200_000):
        long = b'{"url": "http://h/' + b"a" * size + b'"}\n'
        found = all_of(log(tmp_path, ROWS[0] + long + ROWS[1]))
        assert [isinstance(each, Record) for each in found] == [True, size < 100_000, True]
        assert found[-1].place.offset == len(ROWS[0]) + len(long)
    assert isinstance(all_of(log(tmp_path, ROWS[0] + b"a" * 200_000))[1], Bad)


def test_a_bomb_takes_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_of_lines, "LONGEST_LINE", 1000)
    octets = ROWS[0] + b"a" * 50_000_000 + b"\n" + ROWS[1]
    file = log(tmp_path, gzip.compress(octets))
    del octets
    tracemalloc.start()
    try:
        found = all_of(file)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found) == 3
    assert most < 2_000_000


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = SimpleNamespace(buffer=io.BytesIO(gzip.compress(b"".join(ROWS))))
    monkeypatch.setattr(sys, "stdin", stream)
    found = all_of(LogFile("-"))
    assert urls(found) == ["http://h/0", "http://h/1", "http://h/2"]
    assert found[0].place.file == "<stdin>"


def test_a_file_is_only_read(tmp_path: Path) -> None:
    file = log(tmp_path, b"".join(ROWS))
    path = tmp_path / "log"
    path.chmod(0o444)
    before = path.stat()
    assert len(all_of(file)) == 3
    after = path.stat()
    assert (path.read_bytes(), after.st_mtime_ns, after.st_mode) == (
        b"".join(ROWS),
        before.st_mtime_ns,
        before.st_mode,
    )


@pytest.mark.parametrize("name", ["missing", "."])
def test_what_cannot_be_read_is_an_error_of_the_system(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match=r"No such file|Is a directory"):
        all_of(LogFile(str(tmp_path / name)))
