"""Summaries of runs as the engine gives them: one of an ordinary log, an empty one, and a hostile one."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from iri_canon import IriSyntaxError, explain, key
from iri_canon.ladder import Step

EMPTY: dict[str, Any] = {
    "version": "1.0",
    "records": 0,
    "spellings": 0,
    "classes": 0,
    "duplicates": 0,
    "rungs": {"simple": 0, "syntax": 0, "scheme": 0, "protocol": 0},
    "steps": [],
    "hosts": [],
    "sections": [],
    "times": [],
    "bucket": None,
    "top": [],
    "redirects": {"observed": 0, "joined": 0, "refused": {}, "examples": []},
    "digests": {"pages": 0, "joined": 0},
    "store": None,
    "rules": [],
    "files": [],
    "options": {},
    "against": None,
}

#: Text that would do something in HTML, in a script, in a chart, in a link, or to the direction of what is around it.
HOSTILE = (
    "http://h/<script>window.injected=1</script>",
    "http://h/\"><img src=x onerror='window.injected=1'>",
    "http://h/</title></style></textarea></script><script>window.injected=1</script>",
    "http://h/'onmouseover='window.injected=1",
    "http://h/{{7*7}}{% raw %}&lt;b&gt;&amp;",
    "javascript:window.injected=1//http://h/",
    "\x01javascript:window.injected=1",
    "data:text/html,<script>window.injected=1</script>",
    "http://h/\u202egpj.exe",
    "http://h/\u05d0\u05d1/1\u2067\u2069",
    "http://h/\udce9\ud800\x00\x1b[31m",
    "http://user:pass@h.example@evil.example/",
    "http://h.example\\@evil.example/",
    "http://h/" + "a" * 100_000,
    "http://h/" + "\u05d0" * 100_000,
    "http://h/<!--<script>",
    "<b>bold</b><a href='http://evil.example/'>link</a>",
    "$\\href{http://evil.example}{x}$",
    "",
    "\0",
)


@cache
def _explained(url: str) -> list[Step]:
    try:
        return explain(url)
    except IriSyntaxError:
        return []


def page(url: str, *others: str, count: int = 0, rung: str = "scheme") -> dict[str, Any]:
    """A class, as the engine gives it."""
    urls = [url, *others]
    steps = {spelling: _explained(spelling) for spelling in urls}
    return {
        "key": key(url),
        "representative": url,
        "count": count or len(urls),
        "spellings": len(urls),
        "rung": rung,
        "urls": urls,
        "steps": list(dict.fromkeys(step.name for found in steps.values() for step in found)),
        "explanation": [
            {
                "url": spelling,
                "steps": [
                    {
                        "rung": step.rung.name.lower(),
                        "name": step.name,
                        "clause": step.clause,
                        "after": step.after,
                    }
                    for step in found
                ],
            }
            for spelling, found in steps.items()
        ],
    }


def ordinary() -> dict[str, Any]:
    """Of a log of some days, with something in each part."""
    made = copy.deepcopy(EMPTY)
    hosts = [
        {
            "host": f"www{number}.example.com" if number else "shop.example.com",
            "records": 9000 // (number + 1),
            "spellings": 6100 // (number + 1),
            "classes": 5200 // (number + 1),
        }
        for number in range(60)
    ]
    made.update(
        records=48_210,
        spellings=31_004,
        classes=24_318,
        duplicates=48_210 - 24_318,
        rungs={"simple": 31_004, "syntax": 28_411, "scheme": 25_960, "protocol": 24_318},
        steps=[
            row("syntax", "uppercase_triplets", "RFC 3987 5.3.2.1", 4210),
            row("scheme", "remove_default_port", "RFC 3986 6.2.3", 3105),
            row("protocol", "trailing-slash", "redirect", 2700),
            row("syntax", "remove_dot_segments", "RFC 3987 5.3.2.4", 1220),
            row("protocol", "https", "redirect", 980),
            row("scheme", "empty_path_to_slash", "RFC 3986 6.2.3", 410),
            row("protocol", "tracking-params", "equal digests", 120),
        ],
        hosts=hosts,
        sections=[
            {**host, "section": section} for host in hosts[:20] for section in ("", "blog", "b\u00fccher")
        ],
        times=[
            {"from": f"2026-03-{day:02}T{hour:02}:00Z", "records": 900 + 30 * hour, "new": 800 - 25 * hour}
            for day in (1, 2)
            for hour in range(24)
        ],
        bucket="hour",
        top=[
            page(
                "http://shop.example.com/",
                "HTTP://Shop.example.com:80/",
                "http://shop.example.com",
                "http://shop.example.com/a/../",
                count=812,
            ),
            page(
                "http://b\u00fccher.example/%7euser/caf%c3%a9?q=1",
                "http://xn--bcher-kva.example/~user/caf\u00e9?q=1",
                count=120,
            ),
            page(
                "http://example.org/\u05d0\u05d1\u05d2/\u05d3",
                "http://example.org/%D7%90\u05d1\u05d2/\u05d3",
                count=44,
            ),
            page(
                f"http://shop.example.com/list?{'&'.join(f'filter{n}=value{n}' for n in range(30))}", count=31
            ),
            *(
                page(f"http://shop.example.com/item/{n}", f"http://shop.example.com:80/item/{n}")
                for n in range(60)
            ),
        ],
        redirects={
            "observed": 412,
            "joined": 301,
            "refused": {"no convention explains it": 80, "temporary": 25, "final answer is no 2xx": 6},
            "examples": [
                {
                    "source": f"http://shop.example.com/item/{n}",
                    "target": f"http://shop.example.com/item/{n}/" if n % 3 else "https://login.example.com/",
                    "statuses": [301] if n % 2 else [302, 301],
                    "joined": n % 3 > 0,
                    "why": ["trailing-slash"] if n % 3 else "no convention explains it",
                }
                for n in range(12)
            ],
        },
        digests={"pages": 96, "joined": 41},
        store={"pairs": 7, "rules": 2},
        rules=[
            {
                "host": "shop.example.com",
                "section": section,
                "kind": kind,
                "state": state,
                "support": support,
                "contradictions": against,
            }
            for section, kind, state, support, against in (
                ("item", "trailing-slash", "in force", 201, 0),
                ("", "param:utm_source", "proposed", 3, 0),
                ("*", "https", "in force", 60, 0),
                ("blog", "query-order", "retracted", 12, 1),
            )
        ],
        files=[
            {
                "file": "march.jsonl.gz",
                "format": "jsonl",
                "records": 40_000,
                "bad": {"no JSON": 3, "url is no text": 1},
                "without_url": 2,
                "problem": None,
                "examples": ["march.jsonl.gz:17: byte 2048: no JSON"],
            },
            {
                "file": "april.warc.gz",
                "format": "warc",
                "records": 8210,
                "bad": {},
                "without_url": 0,
                "problem": "cut off at byte 40960",
                "examples": [],
            },
        ],
        options={"conventions": ["www", "https"], "store": None, "temporary": False, "memory": "1GB"},
        against={
            "name": "w3lib",
            "joins": {"ours": 9120, "theirs": 8400, "both": 8100},
            "only_ours": 1020,
            "only_theirs": 300,
            "examples": {
                "only_ours": [["http://h:80/", "http://h/", ["remove_default_port"]]],
                "only_theirs": [["http://h/?a=1&b=2", "http://h/?b=2&a=1"]],
            },
            "content": {
                "ours": {"precision": 1.0, "recall": 0.912, "wrong": 0, "missed": 88, "pairs": 1000},
                "theirs": {"precision": 0.981, "recall": 0.85, "wrong": 16, "missed": 150, "pairs": 1000},
                "by_rung": [{"rung": "syntax", "precision": 1.0, "wrong": 0, "pairs": 700}],
                "by_step": [{"step": "remove_default_port", "precision": 1.0, "wrong": 0, "pairs": 300}],
                "by_host": [{"host": "h", "precision": 0.5, "wrong": 8, "pairs": 16}],
            },
        },
    )
    return made


def row(rung: str, step: str, clause: str, records: int) -> dict[str, Any]:
    """What a step did."""
    return {
        "rung": rung,
        "step": step,
        "clause": clause,
        "classes": records // 3,
        "spellings": records // 2,
        "records": records,
    }


def hostile() -> dict[str, Any]:
    """An ordinary one in which every text of the log, of the options and of another's name is hostile."""
    made = ordinary()
    many = [HOSTILE[number % len(HOSTILE)] for number in range(100)]
    made["steps"] = [row("protocol", text, text, 5) for text in many]
    made["hosts"] = [{"host": text, "records": 9, "spellings": 5, "classes": 4} for text in many]
    made["sections"] = [{**each, "section": each["host"]} for each in made["hosts"]]
    made["top"] = [page(text, *HOSTILE, count=25) for text in HOSTILE]
    for example, text in zip(made["redirects"]["examples"], HOSTILE, strict=False):
        example.update(source=text, target=text, why=text)
    made["redirects"]["refused"] = dict.fromkeys(HOSTILE, 3)
    made["rules"] = [
        {"host": text, "section": text, "kind": text, "state": text, "support": 1, "contradictions": 0}
        for text in HOSTILE
    ]
    made["files"] = [
        {
            "file": text,
            "format": text,
            "records": 1,
            "bad": {text: 1},
            "without_url": 0,
            "problem": text,
            "examples": [text],
        }
        for text in HOSTILE
    ]
    made["options"] = {text: [text] for text in HOSTILE}
    made["version"] = HOSTILE[0]
    against = made["against"]
    against["name"] = HOSTILE[0]
    against["examples"] = {
        "only_ours": [[text, text, [text]] for text in HOSTILE],
        "only_theirs": [[text, text] for text in HOSTILE],
    }
    against["content"]["by_host"] = [{"host": text, "pairs": 1} for text in HOSTILE]
    return made
