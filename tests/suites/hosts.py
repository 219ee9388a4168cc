"""Rows about host names: ToASCII as browsers do it (UTS #46, non-transitional), and its inverse."""

from collections.abc import Iterator

from iri_canon import host
from iri_canon.errors import HostError
from suites.claims import REFUSED, Claim
from suites.reader import Row

#: UTS #46 statuses of what browsers do not check: CheckHyphens (V2, V3), UseSTD3ASCIIRules (U1), VerifyDnsLength
#: (A4, and for toUnicode an empty label, X4_2).
UNCHECKED = {"V2", "V3", "U1", "A4_1", "A4_2", "X4_2"}


def to_ascii(name: str) -> str:
    """The name that is looked up, or that there is none."""
    try:
        return host.to_ascii(name)
    except HostError:
        return REFUSED


def idna_to_ascii(row: Row) -> Iterator[Claim]:
    """ToASCII with the flags of the URL standard."""
    yield Claim("toASCII", to_ascii(row["input"]), row["expected"] if row["expected_valid"] else REFUSED)


def uts46(row: Row) -> Iterator[Claim]:
    """A line of the conformance file: statuses that browsers do not check are no refusal, and listed as that."""
    ours = to_ascii(row["input"])
    theirs = _expected(row, "to_ascii_n")
    yield Claim("toASCII", ours, theirs)
    flags = statuses(row)
    if flags and flags <= UNCHECKED and ours != REFUSED:
        yield Claim("flags", "accepted", REFUSED)
    unicode = REFUSED if ours == REFUSED else host.to_unicode(ours)
    yield Claim("toUnicode", unicode, _expected(row, "to_unicode"))
    transitional = _expected(row, "to_ascii_t")
    if REFUSED not in (theirs, transitional) and theirs != transitional:
        yield Claim("transitional toASCII", ours, transitional, same=False)


def statuses(row: Row) -> set[str]:
    """Why the file refuses a name, for toASCII or toUnicode."""
    return {*row["to_ascii_n_status"], *row["to_unicode_status"]}


def _expected(row: Row, name: str) -> str:
    return str(row[name]) if UNCHECKED.issuperset(row[f"{name}_status"]) else REFUSED
