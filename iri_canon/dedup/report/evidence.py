"""What servers and logs showed, and what they held that could not be read, is told with its reason and its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from markupsafe import Markup

from iri_canon.dedup.report import shown
from iri_canon.dedup.report.charts import Bar, Series, bars
from iri_canon.dedup.report.parts import Part
from iri_canon.dedup.report.tables import NONE, Cell, Column, Table, number, share, table_of, text, url

REASONS: Final = {
    "method": "asked by another method than GET or HEAD",
    "location": "not one Location",
    "status": "another status than 301, 302, 307 and 308",
    "temporary": "302 or 307, which are for the moment",
    "final-status": "the final answer is no 2xx",
    "unparseable": "one of the two does not parse",
    "same-key": "both have one key without it",
    "unexplained": "no convention explains it",
    "superseded": "something newer speaks of its source",
    "unfinished": "the logs do not have its final answer",
    "contradicted": "both showed different contents since",
}
"""Why a redirect joins nothing (`iri_canon.equivalence.judge`, and what the logs say besides), in words."""

_JOINED: Final = Cell(Markup("yes"), 1.0)
_APART: Final = Cell(Markup("no"), 0.0)


def redirects(summary: Mapping[str, Any]) -> Part:
    """The redirects and digests that were observed, and what they joined."""
    found = summary["redirects"]
    digests, store = summary.get("digests"), summary.get("store")
    refused = found["refused"]
    told: list[Markup | str] = [
        Markup("{:,} redirects were observed: {:,} joined two spellings of a page, {:,} did not.").format(
            found["observed"], found["joined"], sum(refused.values())
        )
    ]
    if digests:
        told.append(
            Markup("Of {:,} pages a digest is known; {:,} were joined to another by an equal one.").format(
                digests["pages"], digests["joined"]
            )
        )
    if store:
        told.append(
            Markup("Of the store, {:,} pairs and {:,} rules were used.").format(
                store["pairs"], store["rules"]
            )
        )
    tables = []
    if refused:
        ordered = sorted(refused.items(), key=lambda item: (-item[1], item[0]))
        rows = [[text(_reason(reason)), number(count)] for reason, count in ordered]
        columns = [Column("Reason", "wide"), Column("Redirects", "number")]
        tables.append(Table("refused-table", "Why redirects joined nothing", columns, rows))
    if found["examples"]:
        rows = [
            [
                url(row["source"]),
                url(row["target"]),
                text([str(status) for status in row["statuses"]]),
                _JOINED if row["joined"] else _APART,
                text(row["why"] if row["joined"] else _reason(row["why"])),
            ]
            for row in found["examples"]
        ]
        columns = [
            Column("From", "half"),
            Column("To", "half"),
            Column("Status"),
            Column("Joined", "number"),
            Column("Why", "note"),
        ]
        tables.append(Table("redirects-table", "Redirects, some of them", columns, rows))
    return Part("redirects", "What the servers showed", told, tables=tables)


def _reason(reason: object) -> object:
    told = REASONS.get(reason) if isinstance(reason, str) else None
    return f"{reason}: {told}" if told else reason


def rules(summary: Mapping[str, Any]) -> Part:
    """What the redirects and digests of the logs teach about a host."""
    found = summary.get("rules", ())
    if found is None:
        told = "There are too many records to look for rules here: iri-canon learn takes its time for it."
        return Part("rules", "What the logs teach", [told])
    if not found:
        return Part("rules", "What the logs teach", ["Nothing was seen often enough to be a rule of a host."])
    columns = [
        Column("Host", "wide"),
        Column("Section", "note"),
        Column("Kind"),
        Column("State"),
        Column("Support", "number"),
        Column("Contradictions", "number"),
    ]
    rows = [
        [
            text(row["host"]),
            text(row["section"] or "/"),
            text(row["kind"]),
            text(row["state"]),
            number(row["support"]),
            number(row["contradictions"]),
        ]
        for row in found
    ]
    told = "Kinds of spelling that are one page in a section of a host, or are not, as the logs show it."
    return Part("rules", "What the logs teach", [told], tables=[Table("rules-table", "Rules", columns, rows)])


def comparison(summary: Mapping[str, Any]) -> Part | None:
    """What another canonicalizer joins and splits, and which of the two is right where contents are known."""
    found = summary.get("against")
    if not found:
        return None
    joins, other = found["joins"], found["name"]
    named = shown.line(other)
    drawn = [
        Bar("joined by both", [joins["both"], 0, 0], f"{joins['both']:,}"),
        Bar("joined by iri-canon alone", [0, found["only_ours"], 0], f"{found['only_ours']:,}"),
        Bar("joined by the other alone", [0, 0, found["only_theirs"]], f"{found['only_theirs']:,}"),
    ]
    series = [Series("", "records"), Series("", "first"), Series("", "again")]
    tables = [
        Table(
            "joins-table",
            "Pairs of spellings that are joined",
            [Column("By"), Column("Pairs", "number")],
            [
                [text("iri-canon"), number(joins["ours"])],
                [Cell(named), number(joins["theirs"])],
                [text("both"), number(joins["both"])],
                [text("iri-canon alone"), number(found["only_ours"])],
                [Cell(Markup("{} alone").format(named)), number(found["only_theirs"])],
            ],
            data=False,
        )
    ]
    content = found.get("content")
    if content:
        tables.append(_judged(content, named))
        tables.extend(
            table_of(f"content-{by}-table", f"By {by}, where contents are known", content[f"by_{by}"])
            for by in ("rung", "step", "host")
            if content.get(f"by_{by}")
        )
    examples = found.get("examples") or {}
    columns = [Column("One", "half"), Column("Other", "half")]
    ours = [
        [url(row[0]), url(row[1]), text(row[2] if len(row) > 2 else None)]
        for row in examples.get("only_ours") or ()
    ]
    if ours:
        tables.append(
            Table(
                "only-ours-table",
                "Joined by iri-canon alone, some",
                [*columns, Column("Steps", "note")],
                ours,
            )
        )
    theirs = [[url(row[0]), url(row[1])] for row in examples.get("only_theirs") or ()]
    if theirs:
        tables.append(Table("only-theirs-table", "Joined by the other alone, some", columns, theirs))
    note = (
        "Precision: the share of joined pairs whose contents are equal. "
        "Recall: the share of pairs with equal contents that are joined."
        if content
        else "The records have no digests, so it is not known which of the two is right."
    )
    told = "Pairs " + ", ".join(f"{bar.name}: {bar.note}" for bar in drawn)
    return Part(
        "against",
        "Compared with another",
        [Markup("What iri-canon and {} join in these logs.").format(named), note],
        bars("against-chart", told, series, drawn),
        tables,
    )


def _judged(content: Mapping[str, Any], named: Markup) -> Table:
    columns = [
        Column("By"),
        Column("Precision", "number"),
        Column("Recall", "number"),
        Column("Joined, contents differ", "number"),
        Column("Apart, contents equal", "number"),
        Column("Pairs joined", "number"),
    ]
    rows = [
        [
            Cell(name),
            share(each.get("precision")),
            share(each.get("recall")),
            number(each.get("wrong")),
            number(each.get("missed")),
            number(each.get("pairs")),
        ]
        for name, each in ((Markup("iri-canon"), content["ours"]), (named, content["theirs"]))
    ]
    return Table("content-table", "Judged by the contents", columns, rows, data=False)


def files(summary: Mapping[str, Any]) -> Part:
    """What was read, and what could not be."""
    found = summary["files"]
    bad = [(row["file"], reason, count) for row in found for reason, count in row["bad"].items()]
    examples = [example for row in found for example in row.get("examples") or ()]
    columns = [
        Column("File", "wide"),
        Column("Format"),
        Column("Records", "number"),
        Column("Bad", "number"),
        Column("Without URL", "number"),
        Column("Problem", "note"),
    ]
    rows = [
        [
            text(row["file"]),
            text(row["format"]),
            number(row["records"]),
            number(sum(row["bad"].values())),
            number(row["without_url"]),
            text(row["problem"]) if row["problem"] else Cell(NONE),
        ]
        for row in found
    ]
    tables = [Table("files-table", "Files", columns, rows)] if rows else []
    if bad:
        bad.sort(key=lambda row: -row[2])
        columns = [Column("Reason", "wide"), Column("File"), Column("Records", "number")]
        rows = [[text(reason), text(file), number(count)] for file, reason, count in bad]
        tables.append(Table("bad-table", "Bad records by reason", columns, rows))
    if examples:
        rows = [[text(example)] for example in examples]
        tables.append(Table("examples-table", "The first of each reason", [Column("Record", "wide")], rows))
    count = sum(row[2] for row in bad)
    told = Markup("{:,} records could not be read.").format(count) if count else "No record was bad."
    return Part("files", "Files and bad records", [told], tables=tables)


def options(summary: Mapping[str, Any]) -> Part:
    """How the report was made."""
    rows = [
        [text(name.replace("_", " ")), text(value if isinstance(value, list | tuple) else _told(value))]
        for name, value in (summary.get("options") or {}).items()
    ]
    tables = (
        [Table("options-table", "Options", [Column("Option"), Column("Value", "wide")], rows, data=False)]
        if rows
        else ()
    )
    return Part(
        "made",
        "How this was made",
        [Markup("By iri-canon {}.").format(shown.line(summary["version"]))],
        tables=tables,
    )


def _told(value: object) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return None if value is None else str(value)


def problems(summary: Mapping[str, Any]) -> list[Markup]:
    """Why files were not read to their end."""
    return [
        Markup("{}: {}").format(text(row["file"]).shown, text(row["problem"]).shown)
        for row in summary["files"]
        if row["problem"]
    ]
