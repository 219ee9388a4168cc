"""Lists of URLs: a line is one as it was found, without the blanks around it."""

from pathlib import Path

import pytest

from iri_canon.logs import Record
from logs.reading import all_of, log, outcomes, records, urls


@pytest.mark.parametrize(
    ("line", "url"),
    [
        ("http://h/a", "http://h/a"),
        ("  http://h/a\t \r", "http://h/a"),
        ("http://h/a b", "http://h/a b"),
        ("http://h/#a", "http://h/#a"),
        ("HTTP://H/%7e", "HTTP://H/%7e"),
        ("h/a", "h/a"),
        ("javascript:void(0) # a", "javascript:void(0) # a"),
        ("\u00a0http://h/", "\u00a0http://h/"),
        ("http://h/\udce9\x00", "http://h/\udce9\x00"),
    ],
)
def test_a_line_is_a_url_as_found(line: str, url: str) -> None:
    (found,) = records("urls", line)
    assert (found.url, found.status, found.hops(), found.counts) == (url, None, (), True)


@pytest.mark.parametrize("line", ["", " \t", "#", "# http://h/", "\t#http://h/"])
def test_blank_lines_and_comments_are_nothing(line: str) -> None:
    assert outcomes("urls", line) == []


def test_a_list_as_windows_writes_it(tmp_path: Path) -> None:
    octets = b"\xef\xbb\xbfhttp://h/1\r\n\r\n# a\r\nhttp://h/\xe9\r\n\xef\xbb\xbfhttp://h/3"
    found = all_of(log(tmp_path, octets, "a.txt"))
    # a mark elsewhere is text
    assert urls(found) == ["http://h/1", "http://h/\udce9", "\ufeffhttp://h/3"]
    assert [(each.place.line, each.place.offset) for each in found] == [(1, 0), (4, 22), (5, 34)]
    assert all(isinstance(each, Record) for each in found)
