"""The files of a job are those of a clean stop only where nothing that was sent was cut off."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy import Request, Spider
from scrapy.utils.test import get_crawler

from scrapy_plugin import CanonicalDupeFilter
from scrapy_plugin.holding import Link, Waiting, dump, load
from scrapy_plugin.options import Options
from tests.scrapy_plugin.conftest import ROOT, environment

URL = "http://example.com/"

PROGRAM = """
import sys
from scrapy import Request, Spider
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.test import get_crawler
crawler = get_crawler(Spider, {"ADDONS": {"scrapy_plugin.Addon": 500}, "JOBDIR": sys.argv[1]})
if "filter" in sys.argv[2:]:
    duplicates = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
    print(duplicates.request_seen(Request("http://example.com/")))
if "close" in sys.argv[2:]:
    duplicates.close("finished")
"""


def run(folder: Path, *steps: str) -> str:
    """Run a process that makes a filter, asks it, closes it, as far as the steps say; then it just ends."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), *steps],
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_process_that_just_ends_was_cut_off(tmp_path: Path) -> None:
    """As after a second Ctrl-C: what was claimed is free again."""
    assert run(tmp_path, "filter") == "False"
    assert run(tmp_path, "filter") == "False"


def test_process_that_closes_was_not(tmp_path: Path) -> None:
    assert run(tmp_path, "filter", "close") == "False"
    assert run(tmp_path, "filter", "close") == "True"


def test_start_that_did_not_get_as_far_as_the_filter_changes_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "filter", "close") == "False"
    assert run(tmp_path) == ""
    assert run(tmp_path, "filter", "close") == "True"


def test_file_of_another_filter_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "requests.seen").write_bytes(b"")
    CanonicalDupeFilter(Options(job_dir=tmp_path)).close("finished")
    assert "requests.seen" in caplog.text


class Named(Spider):
    name = "named"

    def parse_page(self) -> None:
        """A callback that can be found by its name."""


def test_waiting_requests_are_kept_and_read() -> None:
    spider = Named()
    request = Request(URL, callback=spider.parse_page, meta={"redirect_urls": ["http://example.com/a"]})
    payload = dump(Waiting(request, Link.UNSAFE), [b"s" * 16], spider)
    assert payload is not None
    sources, waiting = load(payload, spider)
    assert sources == [b"s" * 16]
    assert waiting is not None
    assert (waiting.request.url, waiting.request.meta, waiting.link) == (URL, request.meta, Link.UNSAFE)
    assert waiting.request.callback == spider.parse_page
    # A spider that has not this callback any longer.
    sources, waiting = load(payload, Spider(name="other"))
    assert (sources, waiting) == ([b"s" * 16], None)


def test_what_cannot_be_kept_frees_the_urls_that_led_to_it(tmp_path: Path) -> None:
    chain = {"redirect_urls": ["http://example.com/a"]}
    for callback in (None, lambda response: None):
        folder = tmp_path / str(callback is None)
        crawler = get_crawler(Named, {"JOBDIR": str(folder)})
        duplicates = CanonicalDupeFilter(Options(job_dir=folder), crawler)
        for url in ("http://example.com/a", "http://example.com/t"):
            assert not duplicates.request_seen(Request(url))
        assert duplicates.request_seen(Request("http://example.com/t", callback=callback, meta=chain))
        duplicates.close("shutdown")
        reopened = CanonicalDupeFilter(Options(job_dir=folder), crawler)
        # /a is a hop where its redirect is kept, and as new where it is not.
        assert reopened.request_seen(Request("http://example.com/a")) is (callback is None)
        reopened.close("finished")


def test_payload_is_refused_no_further_than_it_is_broken() -> None:
    for inner in (
        b"",
        b"no pickle",
        pickle.dumps(7),
        pickle.dumps({"url": 7}),
        pickle.dumps({"_class": "no.such"}),
    ):
        payload = pickle.dumps(([b"s" * 16], 1, inner))
        assert load(payload, Named()) == ([b"s" * 16], None)


def test_an_empty_queue_that_a_killed_process_left_refuses_no_request(tmp_path: Path) -> None:
    """What Scrapy's queue cannot be opened for is removed, and only that, and only after a cut."""
    queue = tmp_path / "requests.queue" / "127.0.0.1"
    queue.mkdir(parents=True)
    (queue / "0").write_bytes(b"\0\0\0\0")
    (queue / "-1").touch()
    run(tmp_path, "filter", "close")
    run(tmp_path, "filter")
    assert (queue / "-1").exists()
    run(tmp_path, "filter", "close")
    assert [path.name for path in queue.iterdir()] == ["0"]
