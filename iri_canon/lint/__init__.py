"""Findings say what a careful reader of RFC 3987 would; they never change a key, and no text raises."""

from collections.abc import Collection
from itertools import islice
from typing import Final

from iri_canon.lint.findings import Finding, Severity

__all__ = ["LIMIT", "Finding", "Severity", "lint"]

#: Findings of one rule in one text: what comes after them is not told, so that no text has findings without end.
LIMIT: Final = 16


def lint(text: str, *, rules: Collection[str] | None = None, ignore: Collection[str] = ()) -> list[Finding]:
    """RFC 3987 4, 6.1, 7.5, 8 and what they build on: the findings on an IRI or a relative reference, by offset.

    ``rules`` chooses rules by name (docs/lint.md lists them), ``ignore`` leaves some out. Any text is taken, in time
    linear in its length; at most 16 findings of a rule are given. The text is judged as it is written: where
    characters stand in triplets, the rules on triplets apply, but for hosts, which are judged as they show.

    The rules on scripts and look-alikes need the extra ``lint``. Where it is missing and the text has something for
    them, there is one finding "scripts-unchecked" (INFO) in their place; if ``rules`` names them, `IriError` says
    what to install. Raises `IriError` for an unknown rule, too, and `TypeError` for one text in place of several names.

    >>> for found in lint("http://ab.example:80/%7Ec"):
    ...     print(found.offset, found.component, found.severity.name, found.rule, found.clause)
    18 port INFO default-port RFC 3986 3.2.3
    21 path INFO encoded-unreserved RFC 3986 2.3
    >>> lint("http://ab.example:80/%7Ec", ignore=["default-port", "encoded-unreserved"])
    []
    """
    # The rules compile their patterns when they are imported, and a crawl that needs keys never asks for them.
    from iri_canon.lint.rules import choose
    from iri_canon.lint.subject import Subject

    if not isinstance(text, str):
        raise TypeError(f"lint takes str, not {type(text).__name__}")
    chosen = choose(rules, ignore)
    subject = Subject(text)
    findings = []
    for name, rule in chosen.items():
        for hit in islice(rule.check(subject), LIMIT):
            offset, clause = len(subject.before) + hit.offset, hit.clause or rule.clause
            remedy = hit.remedy or rule.remedy
            finding = Finding(name, hit.component, offset, rule.severity, clause, hit.message, remedy)
            findings.append(finding)
    findings.sort(key=lambda finding: finding.offset)  # which keeps the order of the rules at one offset
    return findings
