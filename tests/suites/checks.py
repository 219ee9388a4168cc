"""Which check a row takes: by its suite, its kind and, for peers' smaller functions, the function's name."""

from suites import browsers, comparing, fingerprints, hosts, peers, references, reports, rfc_examples
from suites.claims import Check, Claim
from suites.reader import Row, function

KINDS: dict[str, Check] = {
    "normalize": comparing.normalize,
    "equivalence": comparing.equivalence,
    "distinct": comparing.distinct,
    "reject": comparing.reject,
    "iri_to_uri": comparing.to_uri,
    "idn_toASCII": comparing.to_uri,
    "uri_to_iri": comparing.to_iri,
    "idn_toUNICODE": comparing.to_iri,
    "resolve": references.resolve,
    "resolve_error": references.resolve_error,
    "relativize": references.relativize,
    "remove_dot_segments": references.remove_dot_segments,
    "valid": references.grammar,
    "parse": references.components,
    "parse_roundtrip": references.parse_roundtrip,
    "idna_toascii": hosts.idna_to_ascii,
    "uts46": hosts.uts46,
    "whatwg_href": browsers.href,
    "whatwg_parse_failure": browsers.parse_failure,
    "percent_encode_with_encoding": browsers.query_in_encoding,
}
#: Kinds that mean something else in one suite.
OF_SUITE: dict[str, dict[str, Check]] = {
    "rfc_examples": rfc_examples.CHECKS,
    "scrapy_fingerprint": {
        "equivalence": fingerprints.equivalence,
        "distinct": fingerprints.distinct,
        "scrapy_fingerprint_sha1": fingerprints.sha1,
        "dupefilter_url": fingerprints.seen,
    },
}


def check_of(suite: str, row: Row) -> Check:
    """The check of a row. Raises `KeyError` for a kind that is known nowhere."""
    kind = row["kind"]
    if suite == "reports":
        return reports.report
    if kind in OF_SUITE.get(suite, {}):
        return OF_SUITE[suite][kind]
    if kind == "equivalence" and function(row) == "normalize_host":
        return peers.host_equivalence
    if kind in ("helper", "check_url") or kind.startswith("predicate_"):
        return peers.helper
    return KINDS[kind]


def claims(suite: str, row: Row) -> list[Claim]:
    """All that a row claims, with our answers."""
    return list(check_of(suite, row)(row))
