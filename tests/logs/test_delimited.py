"""Tables in text (RFC 4180): columns by name, quotes, line breaks in them, and rows that are none."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import is_linear

from iri_canon.logs import Bad, Hop, Record, WithoutUrl, delimited
from iri_canon.logs.lines import lines_of
from iri_canon.logs.records import Outcome
from logs.reading import all_of, log, outcomes, reasons, records, until_it_fails, urls


def read(octets: bytes) -> list[Outcome]:
    return list(delimited.records(lines_of([octets], "a.csv")))


def fields(text: str) -> list[list[str] | str]:
    """The fields of each row, or why it is none; the table has as many columns as its header."""
    found = delimited.rows(lines_of([text.encode("utf-8", "surrogateescape")], "a.csv"))
    return [each.reason if isinstance(each, Bad) else list(each.fields.values()) for each in found]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_columns_are_told_by_their_names(delimiter: str) -> None:
    header = delimiter.join(
        ["mime", "URL", " Fetch_Status ", "content_digest", "redirect", "time", "method", "more"]
    )
    row = delimiter.join(
        ["text/html", "http://h/a", "301", "sha1:A", "/b", "2026-12-01T06:10:35Z", "HEAD", "x"]
    )
    (found,) = records("csv", f"{header}\n{row}\n\n")
    assert (found.url, found.status, found.digest, found.time) == ("http://h/a", 301, "sha1:A", 1796105435.0)
    assert (found.method, found.mime) == ("HEAD", "text/html")
    assert found.hops() == (Hop("http://h/a", "/b", 301),)


@pytest.mark.parametrize(
    ("status", "number"),
    [("200", 200), ("200.0", 200), ("200.5", None), ("", None), ("-", None), ("OK", None)],
)
def test_a_status_is_a_whole_number(status: str, number: int | None) -> None:
    (found,) = records("csv", f"url,status\nhttp://h/,{status}")
    assert found.status == number


def test_an_empty_field_is_none() -> None:
    (found,) = records("csv", "digest,content_digest,status,fetch_status,url\n,sha1:A,,404,http://h/")
    assert (found.digest, found.status) == ("sha1:A", 404)


@pytest.mark.parametrize(
    ("urls_of_chain", "reasons_of_chain", "hops"),
    [
        (
            '["http://h/a", "http://h/b"]',
            '[301, "308"]',
            (("http://h/a", "http://h/b", 301), ("http://h/b", "http://h/c", 308)),
        ),
        ("http://h/a", "301", ()),
        ("http://h/a,http://h/b", "301,308", ()),
        ('["http://h/a"', "[301]", ()),
        ("[" * 100_000, "[301]", ()),
        ("", "", ()),
    ],
)
def test_a_chain_is_a_list_in_json(
    urls_of_chain: str, reasons_of_chain: str, hops: tuple[object, ...]
) -> None:
    quoted = ",".join('"' + value.replace('"', '""') + '"' for value in (urls_of_chain, reasons_of_chain))
    (found,) = records("csv", f"url,redirect_urls,Redirect_Reasons\nhttp://h/c,{quoted}")
    assert found.hops() == hops


def test_of_columns_with_one_name_the_first_counts() -> None:
    assert urls(outcomes("csv", "url,url\nhttp://h/1,http://h/2")) == ["http://h/1"]


@pytest.mark.parametrize("header", ["link,status", "", "\nhttp://h/\n", 'url,"b', '"url', "url extra"])
def test_a_table_without_the_column_is_none(tmp_path: Path, header: str) -> None:
    found, wrong = until_it_fails(log(tmp_path, f"{header}\nhttp://h/,200\n".encode(), format_name="csv"))
    assert (found, wrong) == ([], "the first row names no column url")


def test_a_table_of_one_column_has_a_url_a_line() -> None:
    found = fields('url\nhttp://h/a,b;c\n"http://h/""d"""\nhttp://h/"e"\n"f" g\n')
    assert found == [["http://h/a,b;c"], ['http://h/"d"'], ['http://h/"e"'], "text behind a closing quote"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("a,b,c", ["a", "b", "c"]),
        (",,", ["", "", ""]),
        (" a , b,c ", [" a ", " b", "c "]),  # 2.4: spaces are part of a field
        ('"a","b,c",""', ["a", "b,c", ""]),
        ('"a""b","""","c"""""', ['a"b', '"', 'c""']),
        ('a"b"c,"d",e"', ['a"b"c', "d", 'e"']),
        ('"a\nb",c,d', ["a\nb", "c", "d"]),
        ('"a\r\nb\n\r\n",c,"d\n"', ["a\r\nb\n\r\n", "c", "d\n"]),
        ('"a",\r\x85\u2028,"\x00"', ["a", "\r\x85\u2028", "\x00"]),
        ("\udce9,é,\ufeff", ["\udce9", "é", "\ufeff"]),
        ("a,b", "not as many columns as there should be"),
        ("a,b,c,", "not as many columns as there should be"),
        ('"a" ,b,c', "text behind a closing quote"),
        ('"a""b" c",b,c', "text behind a closing quote"),
        ('a,b,"c', "a quote that is not closed"),
        ('a,b,"c""', "a quote that is not closed"),
    ],
)
def test_a_row(row: str, expected: list[str] | str) -> None:
    assert fields(f"x,y,url\n{row}") == [expected]
    assert fields(f"x,y,url\r\n1,2,3\r\n{row}\r\n")[:2] == [["1", "2", "3"], expected]


@given(st.lists(st.lists(st.text('ab,"\n\r ', max_size=5), min_size=2, max_size=2), max_size=6))
def test_what_is_quoted_is_read_as_it_was_written(table: list[list[str]]) -> None:
    quoted = ["url,b", *(",".join('"' + value.replace('"', '""') + '"' for value in row) for row in table)]
    for end in ("\n", "\r\n"):
        assert fields(end.join(quoted)) == table


def test_rows_have_their_places() -> None:
    octets = (
        b'\xef\xbb\xbf"url",n\r\n"http://h/\r\n1",\r\n\r\nbad\r\nhttp://h/\xc3\xa92,"\xe9\n"\n,x\nhttp://h/3,'
    )
    found = read(octets)
    starts = [octets.index(part) for part in (b'"http', b"bad", b"http://h/\xc3", b",x\n", b"http://h/3")]
    assert [each.place.offset for each in found] == starts
    assert [each.place.line for each in found] == [2, 5, 6, 8, 9]
    assert [type(each) for each in found] == [Record, Bad, Record, WithoutUrl, Record]
    assert urls(found) == ["http://h/\r\n1", "http://h/é2", "http://h/3"]


def test_a_quote_that_nobody_closed_costs_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_MOST_LINES", 10_000)
    rows = "".join(f"http://h/{number},x\n" for number in range(30_000))
    assert fields(f'url,b\n1,"x\n{rows}')[0] == "a quote that is not closed"
    assert len(records("csv", f"url,b\n{rows}")) == 30_000
    found = fields(f'url,b\n1,"x\n{rows}')
    assert len([each for each in found if isinstance(each, list)]) == 30_000
    # another quote seems to close it, but what follows shows that it opens one
    found = fields('url,b\n1,"x\n2,y\n3,"y\nz"\n4,y\n')
    assert found == ["text behind a closing quote", ["2", "y"], ["3", "y\nz"], ["4", "y"]]
    # or that there are too many columns
    found = fields('url,b\n1,"x\n2,y\n3",z,"a\n4,y\n')
    assert found == ["a quote that is not closed", ["2", "y"], "a quote that is not closed", ["4", "y"]]


def test_a_field_that_is_too_long_over_lines_costs_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'url,b\n1,"\n' + "aaaaa\n" * 4 + '"\n2,\n'
    assert fields(text) == [["1", "\n" + "aaaaa\n" * 4], ["2", ""]]
    monkeypatch.setattr(delimited, "LONGEST_LINE", 12)
    assert fields(text)[0] == "a quote that is not closed"
    assert fields(text)[-1] == ["2", ""]


def test_a_line_that_is_too_long_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iri_canon.logs.lines.LONGEST_LINE", 20)
    octets = b"url\nhttp://h/1\n" + b"a" * 21 + b'\n"http://h/2\n' + b"b" * 21 + b'"\nhttp://h/3\n'
    assert [each.reason if isinstance(each, Bad) else each.url for each in read(octets)] == [  # type: ignore[union-attr]
        *(
            "http://h/1",
            "longer than a line may be",
            "a quote that is not closed",
            "longer than a line may be",
        ),
        "http://h/3",
    ]


@pytest.mark.parametrize(
    "unit", ['x","', '"', '""', ',"', '"\n', '"",\n', 'x","\n', 'x,"\n', '"x"\n', ',"\n\n', "\n", '"\r\n']
)
def test_time_is_linear(unit: str) -> None:
    def run(text: str) -> object:
        return list(delimited.rows(lines_of(io.BytesIO(text.encode()), "a.csv")))

    small, large = ("url,b\n" + unit * (size // len(unit)) for size in (40_000, 160_000))
    assert is_linear(run, small, large)


def test_files(tmp_path: Path) -> None:
    for name, delimiter in (("a.csv", ","), ("a.tsv", "\t"), ("a.txt", ";")):
        octets = f"status{delimiter}url\r\n200{delimiter}http://h/a\r\n".encode()
        file = log(tmp_path, octets, name)
        assert urls(all_of(file)) == ["http://h/a"]
        assert file.format_name == "csv"
    assert reasons("csv", "url,a\nhttp://h/") == ["not as many columns as there should be"]


def test_time_is_linear_in_columns() -> None:
    def run(header: str) -> object:
        return list(delimited.rows(lines_of(io.BytesIO(header.encode()), "a.csv")))

    small, large = (",".join(["url", *map(str, range(count))]) for count in (3_000, 12_000))
    assert is_linear(run, small, large)
