"""Archives are told, and refused with a way out, where the libraries that read them are not there."""

import subprocess
import sys
from io import BytesIO

import pytest

from iri_canon.errors import LogError
from iri_canon.logs.archives import arc_records, warc_records
from logs.archives import arc_document, http, urls, warc_record

DOORS = [
    ("warc", warc_records, warc_record("response", "http://h/a", http())),
    ("arc", arc_records, arc_document("http://h/a", http())),
]


@pytest.mark.parametrize(("name", "records", "octets"), DOORS)
def test_a_missing_library_is_named(
    name: str, records: type, octets: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert urls(records(BytesIO(octets), "a")) == ["http://h/a"]
    for module in ("warcio.statusandheaders", "iri_canon.logs.http_block", f"iri_canon.logs.{name}"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delattr(f"iri_canon.logs.{name}")
    with pytest.raises(LogError, match=rf"^{name.upper()} needs a library: pip install 'iri-canon\[logs\]'$"):
        list(records(BytesIO(octets), "a"))


def test_an_archive_is_told_without_any_library() -> None:
    script = (
        "import sys; from iri_canon.logs.archives import is_arc, is_parquet, is_warc;"
        " print(is_warc(b'WARC/1.0\\r\\n'), is_arc(b'filedesc:'), is_parquet(b'PAR1'),"
        " sorted({'warcio', 'pyarrow', 'duckdb'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stdout.rstrip().split(maxsplit=3) == ["True", "True", "True", "[]"]
