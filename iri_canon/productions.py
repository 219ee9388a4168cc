"""RFC 3987 2.2, RFC 3986 appendix A: each rule of the grammar by its name, and what a whole text has to be for it."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from iri_canon import grammar
from iri_canon.arguments import require
from iri_canon.errors import IriError
from iri_canon.grammar import PCT_ENCODED, SUB_DELIMS


def is_valid(text: str, production: str = "IRI") -> bool:
    """RFC 3987 2.2: whether the rule *production* derives the whole of *text*.

    Any rule of RFC 3987 2.2 or RFC 3986 appendix A, by its name there, case and all: "IRI-reference", "ihost",
    "isegment-nz", "URI", "port" ... To the letter: no zone identifier in an IPv6address, ports of any length,
    private use characters in "iquery" alone. What a scheme demands besides is no matter of the grammar. Raises
    `IriError` for a name that is no rule.

    >>> is_valid("http://example.com/rosé"), is_valid("http://example.com/rosé", "URI"), is_valid("a b")
    (True, False, False)
    >>> is_valid("//example.com/#a", "IRI-reference"), is_valid("[fe80::1%25eth0]", "IP-literal")
    (True, False)
    >>> is_valid("/", "Path")
    Traceback (most recent call last):
    iri_canon.errors.IriError: no rule 'Path' in RFC 3987 2.2 (did you mean path, ipath?); there are: IRI, ...
    """
    require(text, str, "an IRI")
    require(production, str, "a production")
    return _pattern(production).fullmatch(text) is not None


@cache
def rules() -> Mapping[str, str]:
    """RFC 3987 2.2: every rule by its name, in the order of the RFC, as a regular expression for a whole match.

    >>> rules()["IPv4address"].startswith("(?:25[0-5]|"), len(rules())
    (True, 61)
    """
    return MappingProxyType(
        {
            **_twins("IRI", "i", grammar.UCSCHAR, grammar.IPRIVATE),
            "ucschar": f"[{grammar.UCSCHAR}]",
            "iprivate": f"[{grammar.IPRIVATE}]",
            **_twins("URI", "", "", ""),
            **_SHARED,
        }
    )


# The rules that RFC 3987 takes from RFC 3986 as they are; their ABNF stands beside each in `grammar`.
_SHARED = {
    "scheme": grammar.SCHEME,
    # port = *DIGIT
    "port": f"[{grammar.DIGIT}]*+",
    # IP-literal = "[" ( IPv6address / IPvFuture ) "]"
    "IP-literal": rf"\[(?:{grammar.IPV6ADDRESS}|{grammar.IPVFUTURE})\]",
    "IPvFuture": grammar.IPVFUTURE,
    "IPv6address": grammar.IPV6ADDRESS,
    "h16": grammar.H16,
    "ls32": grammar.LS32,
    "IPv4address": grammar.IPV4ADDRESS,
    "dec-octet": grammar.DEC_OCTET,
    "pct-encoded": PCT_ENCODED,
    # reserved = gen-delims / sub-delims
    "reserved": f"[{grammar.GEN_DELIMS}{SUB_DELIMS}]",
    "gen-delims": f"[{grammar.GEN_DELIMS}]",
    "sub-delims": f"[{SUB_DELIMS}]",
}


def _twins(uri: str, i: str, ucschar: str, iprivate: str) -> dict[str, str]:
    """The rules that differ between the RFCs by ucschar, iprivate and their names alone, top down as there.

    Runs are possessive: none has to give back what it took, so that a match takes linear time.
    """
    # iunreserved = ALPHA / DIGIT / "-" / "." / "_" / "~" / ucschar
    iunreserved = f"{grammar.UNRESERVED}{ucschar}"
    # iuserinfo = *( iunreserved / pct-encoded / sub-delims / ":" )
    iuserinfo = f"(?:[{iunreserved}{SUB_DELIMS}:]++|{PCT_ENCODED})*+"
    # ireg-name = *( iunreserved / pct-encoded / sub-delims )
    ireg_name = f"(?:[{iunreserved}{SUB_DELIMS}]++|{PCT_ENCODED})*+"
    # ihost = IP-literal / IPv4address / ireg-name
    ihost = f"(?:{_SHARED['IP-literal']}|{grammar.IPV4ADDRESS}|{ireg_name})"
    # iauthority = [ iuserinfo "@" ] ihost [ ":" port ]
    iauthority = f"(?:{iuserinfo}@)?{ihost}(?::{_SHARED['port']})?"

    # ipchar = iunreserved / pct-encoded / sub-delims / ":" / "@"
    pchars = f"{iunreserved}{SUB_DELIMS}:@"
    ipchar = f"(?:[{pchars}]|{PCT_ENCODED})"
    # isegment = *ipchar
    isegment = f"(?:[{pchars}]++|{PCT_ENCODED})*+"
    # isegment-nz = 1*ipchar
    isegment_nz = f"(?:[{pchars}]++|{PCT_ENCODED})++"
    # isegment-nz-nc = 1*( iunreserved / pct-encoded / sub-delims / "@" )
    isegment_nz_nc = f"(?:[{iunreserved}{SUB_DELIMS}@]++|{PCT_ENCODED})++"
    # ipath-abempty = *( "/" isegment )
    ipath_abempty = f"(?:/{isegment})*+"
    # ipath-absolute = "/" [ isegment-nz *( "/" isegment ) ]
    ipath_absolute = f"/(?:{isegment_nz}{ipath_abempty})?+"
    # ipath-noscheme = isegment-nz-nc *( "/" isegment )
    ipath_noscheme = f"{isegment_nz_nc}{ipath_abempty}"
    # ipath-rootless = isegment-nz *( "/" isegment )
    ipath_rootless = f"{isegment_nz}{ipath_abempty}"
    # ipath-empty = 0<ipchar>
    ipath_empty = ""
    # ipath = ipath-abempty / ipath-absolute / ipath-noscheme / ipath-rootless / ipath-empty
    ipath = f"(?:{ipath_abempty}|{ipath_absolute}|{ipath_noscheme}|{ipath_rootless}|{ipath_empty})"

    # iquery = *( ipchar / iprivate / "/" / "?" )
    iquery = f"(?:[{pchars}{iprivate}/?]++|{PCT_ENCODED})*+"
    # ifragment = *( ipchar / "/" / "?" )
    ifragment = f"(?:[{pchars}/?]++|{PCT_ENCODED})*+"

    # ihier-part = "//" iauthority ipath-abempty / ipath-absolute / ipath-rootless / ipath-empty
    ihier_part = f"(?://{iauthority}{ipath_abempty}|{ipath_absolute}|{ipath_rootless}|{ipath_empty})"
    # irelative-part = "//" iauthority ipath-abempty / ipath-absolute / ipath-noscheme / ipath-empty
    irelative_part = f"(?://{iauthority}{ipath_abempty}|{ipath_absolute}|{ipath_noscheme}|{ipath_empty})"
    # absolute-IRI = scheme ":" ihier-part [ "?" iquery ]
    absolute_iri = rf"{grammar.SCHEME}:{ihier_part}(?:\?{iquery})?"
    # IRI = scheme ":" ihier-part [ "?" iquery ] [ "#" ifragment ]
    iri = f"{absolute_iri}(?:#{ifragment})?"
    # irelative-ref = irelative-part [ "?" iquery ] [ "#" ifragment ]
    irelative_ref = rf"{irelative_part}(?:\?{iquery})?(?:#{ifragment})?"
    # IRI-reference = IRI / irelative-ref
    iri_reference = f"(?:{iri}|{irelative_ref})"

    return {
        uri: iri,
        f"{i}hier-part": ihier_part,
        f"{uri}-reference": iri_reference,
        f"absolute-{uri}": absolute_iri,
        f"{i}relative-ref": irelative_ref,
        f"{i}relative-part": irelative_part,
        f"{i}authority": iauthority,
        f"{i}userinfo": iuserinfo,
        f"{i}host": ihost,
        f"{i}reg-name": ireg_name,
        f"{i}path": ipath,
        f"{i}path-abempty": ipath_abempty,
        f"{i}path-absolute": ipath_absolute,
        f"{i}path-noscheme": ipath_noscheme,
        f"{i}path-rootless": ipath_rootless,
        f"{i}path-empty": ipath_empty,
        f"{i}segment": isegment,
        f"{i}segment-nz": isegment_nz,
        f"{i}segment-nz-nc": isegment_nz_nc,
        f"{i}pchar": ipchar,
        f"{i}query": iquery,
        f"{i}fragment": ifragment,
        f"{i}unreserved": f"[{iunreserved}]",
    }


# The sets of Unicode take a while to compile: each rule waits until it is asked for.
@cache
def _compiled(production: str) -> re.Pattern[str]:
    return re.compile(rules()[production])


def _pattern(production: str) -> re.Pattern[str]:
    if production in rules():
        return _compiled(production)
    from difflib import get_close_matches

    near = dict.fromkeys(name for name in rules() if name.lower() == production.lower())
    near |= dict.fromkeys(get_close_matches(production, rules(), n=3))
    meant = f" (did you mean {', '.join(near)}?)" if near else ""
    raise IriError(f"no rule {production!r} in RFC 3987 2.2{meant}; there are: {', '.join(rules())}")
