"""The rules in their order, as data: `lint` walks this table, and docs/lint.md is made from it."""

from collections.abc import Collection
from typing import Final

from iri_canon.errors import IriError
from iri_canon.lint import authority, characters, direction, scheme, scripts, syntax, triplets, unseen
from iri_canon.lint.findings import Rule, Severity

_INFO, _WARNING, _ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR
_INSTALL: Final = "install the extra 'lint' (in a clone: pip install '.[lint]')"

RULES: Final[dict[str, Rule]] = {
    # The text as a whole.
    "not-an-iri": Rule(
        _ERROR,
        "RFC 3987 2.2",
        syntax.not_an_iri,
        "percent-encode what the grammar lacks, or mend the delimiters",
    ),
    "outer-space": Rule(_ERROR, "RFC 3986 appendix C", syntax.outer_space, "strip it"),
    "tab-or-newline": Rule(_WARNING, "RFC 3986 appendix C", syntax.tab_or_newline, "remove it"),
    "backslash": Rule(_ERROR, "WHATWG URL 4.4", syntax.backslash, "write / for a delimiter, %5C for data"),
    "undecoded-reference": Rule(
        _WARNING,
        "RFC 3987 5.2",
        syntax.undecoded_reference,
        "undo the document's references once, before use",
    ),
    "too-long": Rule(
        _WARNING, "Internet Explorer", syntax.too_long, "shorten it, or send the data in a body"
    ),
    "upper-case-scheme": Rule(_INFO, "RFC 3986 3.1", syntax.upper_case_scheme, "write it in lower case"),
    "scheme-authority": Rule(
        _ERROR, "RFC 3987 6.4", syntax.scheme_authority, "keep to the definition of the scheme"
    ),
    "scheme-component": Rule(
        _WARNING, "RFC 3987 6.4", syntax.scheme_component, "keep to the definition of the scheme"
    ),
    "dot-segments": Rule(_INFO, "RFC 3987 5.3.2.4", syntax.dot_segments, "remove them: resolve before use"),
    # Another scheme than was meant, or none.
    "missing-scheme": Rule(
        _WARNING,
        "RFC 3986 4.5",
        scheme.missing_scheme,
        'write the scheme before it, or "./" where a path is meant',
    ),
    "mistyped-scheme": Rule(_WARNING, "RFC 3986 3.1", scheme.mistyped_scheme, "correct the scheme"),
    "host-as-scheme": Rule(_WARNING, "RFC 3986 3.1", scheme.host_as_scheme, "write the scheme before it"),
    "doubled-scheme": Rule(_WARNING, "RFC 3986 3.2", scheme.doubled_scheme, "remove one of them"),
    # Authority.
    "userinfo-like-host": Rule(
        _ERROR, "RFC 3986 7.6", authority.userinfo_like_host, "trust the host behind the last @ alone"
    ),
    "userinfo-in-http": Rule(
        _WARNING, "RFC 9110 4.2.4", authority.userinfo_in_http, "remove it: send credentials in a header"
    ),
    "password": Rule(_WARNING, "RFC 3986 3.2.1", authority.password, "remove it, and change it"),
    "unresolvable-host": Rule(_ERROR, "RFC 3987 5.3.3", authority.unresolvable_host, "correct the host name"),
    "false-a-label": Rule(_WARNING, "RFC 5890 2.3.2.1", authority.false_a_label, "correct the label"),
    "impossible-dns-name": Rule(
        _WARNING, "RFC 1035 2.3.4", authority.impossible_dns_name, "correct the host name"
    ),
    "upper-case-host": Rule(_INFO, "RFC 3987 5.3.2.1", authority.upper_case_host, "write it in lower case"),
    "numeric-ipv4": Rule(
        _WARNING, "RFC 3986 7.4", authority.numeric_ipv4, "write the address in dotted decimal"
    ),
    "no-ipv4-address": Rule(
        _WARNING, "WHATWG URL 3.5", authority.no_ipv4_address, "correct the address: browsers refuse it"
    ),
    "port-out-of-range": Rule(_ERROR, "RFC 9293 3.1", authority.port_out_of_range, "correct the port"),
    "port-zero": Rule(_WARNING, "RFC 6335 6", authority.port_zero, "correct the port"),
    "default-port": Rule(_INFO, "RFC 3986 3.2.3", authority.default_port, "leave it out"),
    "empty-port": Rule(_INFO, "RFC 3986 3.2.3", authority.empty_port, "leave the colon out"),
    "zeros-in-port": Rule(_INFO, "RFC 3986 3.2.3", authority.zeros_in_port, "leave them out"),
    # Characters.
    "not-nfc": Rule(
        _WARNING,
        "RFC 3987 5.3.2.2",
        characters.not_nfc,
        "create names in NFC; never normalise those of others",
    ),
    "not-nfkc": Rule(_INFO, "RFC 3987 7.5", characters.not_nfkc, "create names in NFKC"),
    "width-form": Rule(_WARNING, "RFC 3987 6.1", characters.width_form, "write the ordinary characters"),
    "space-look-alike": Rule(
        _WARNING, "RFC 3987 6.1", characters.space_look_alike, "remove it, or write what was meant"
    ),
    "host-delimiter-look-alike": Rule(
        _ERROR, "RFC 3987 8", characters.host_delimiter_look_alike, "distrust it: the host does not end there"
    ),
    "delimiter-look-alike": Rule(
        _WARNING, "RFC 3987 6.1", characters.delimiter_look_alike, "remove it, or write what was meant"
    ),
    "invisible": Rule(_WARNING, "UTS #39 3.1", unseen.invisible, "remove it"),
    "mojibake": Rule(
        _WARNING, "RFC 3987 8", characters.mojibake, "decode as UTF-8 once, where it was read as Latin-1"
    ),
    "mixed-digits": Rule(_WARNING, "UTS #39 5.3", characters.mixed_digits, "write digits of one script"),
    # Right-to-left text.
    "bidi-formatting": Rule(
        _ERROR, "RFC 3987 4.1", direction.bidi_formatting, "remove it, or percent-encode it"
    ),
    "later-bidi-formatting": Rule(
        _WARNING, "UAX #9 2", direction.later_bidi_formatting, "remove it, or percent-encode it"
    ),
    "bidi-structure": Rule(
        _WARNING,
        "RFC 3987 4.2",
        direction.bidi_structure,
        "keep to one direction, or percent-encode it as a whole",
    ),
    "number-beside-rtl": Rule(
        _INFO,
        "RFC 3987 4.4",
        direction.number_beside_rtl,
        "put the number elsewhere, or percent-encode the other",
    ),
    # Scripts; these need the extra "lint".
    "mixed-scripts-in-host": Rule(
        _WARNING,
        "UTS #39 5.2",
        scripts.mixed_scripts_in_host,
        "distrust it, or write the label in one script",
    ),
    "mixed-scripts": Rule(_WARNING, "RFC 3987 7.5", scripts.mixed_scripts, "write a word in one script"),
    "confusable-host": Rule(
        _WARNING, "UTS #39 4", scripts.confusable_host, "distrust it: compare the A-labels"
    ),
    "confusable-word": Rule(
        _INFO, "RFC 3987 7.5", scripts.confusable_word, "choose a name that looks like no other"
    ),
    "scripts-unchecked": Rule(_INFO, "UTS #39", scripts.unchecked, _INSTALL),
    # Triplets.
    "legacy-octets": Rule(
        _WARNING, "RFC 3987 6.4", triplets.legacy_octets, "encode names as UTF-8; keep what others wrote"
    ),
    "overlong-utf8": Rule(
        _ERROR, "RFC 3987 8", triplets.overlong_utf8, "refuse it: it is made to pass a check"
    ),
    "encoded-surrogate": Rule(
        _ERROR, "RFC 3629 3", triplets.encoded_surrogate, "encode the character as UTF-8"
    ),
    "lost-characters": Rule(
        _WARNING, "RFC 3987 6.4", triplets.lost_characters, "take the IRI from its source again"
    ),
    "encoded-unseen": Rule(_INFO, "RFC 3987 6.1", triplets.encoded_unseen, "remove it, unless it is meant"),
    "double-encoding": Rule(_WARNING, "RFC 3986 2.4", triplets.double_encoding, "encode once"),
    "encoded-nul": Rule(
        _WARNING, "RFC 3986 7.3", triplets.encoded_nul, "refuse it where no raw data is expected"
    ),
    "encoded-control": Rule(_WARNING, "RFC 3986 7.3", triplets.encoded_control, "remove it"),
    "encoded-dot-segment": Rule(
        _WARNING, "RFC 3986 6.2.2.3", triplets.encoded_dot_segment, "decode and remove it before any check"
    ),
    "encoded-slash": Rule(_INFO, "RFC 3986 2.2", triplets.encoded_slash, "avoid it in paths"),
    "lower-case-triplet": Rule(_INFO, "RFC 3986 2.1", triplets.lower_case_triplet, "write it in upper case"),
    "encoded-unreserved": Rule(_INFO, "RFC 3986 2.3", triplets.encoded_unreserved, "decode it"),
}

#: The rules whose data the extra "lint" has.
NEED_DATA: Final = frozenset(("mixed-scripts-in-host", "mixed-scripts", "confusable-host", "confusable-word"))


def choose(rules: Collection[str] | None, ignore: Collection[str]) -> dict[str, Rule]:
    """The rules named, or all, without those to ignore, in the order of the table.

    Raises `IriError` for an unknown name, and where rules are named whose data is not installed; `TypeError` for one
    text in place of several names.
    """
    for given, names in (("rules", rules), ("ignore", ignore)):
        if isinstance(names, str):
            raise TypeError(f"{given} takes several names, not one text")
        for name in names or ():
            if name not in RULES:
                raise IriError(_unknown(name))
    asked = RULES.keys() if rules is None else set(rules)
    needed = sorted(NEED_DATA & asked - set(ignore)) if rules is not None else []
    if needed and not scripts.has_data():
        raise IriError(f"{', '.join(needed)}: no data; {_INSTALL}")
    return {name: rule for name, rule in RULES.items() if name in asked and name not in ignore}


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(name), RULES, n=1)
    told = (
        f"did you mean {near[0]!r}?"
        if near
        else "docs/lint.md and `iri-canon lint --list` name those there are"
    )
    return f"unknown rule {name!r}: {told}"
