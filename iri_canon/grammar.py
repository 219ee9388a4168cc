r"""RFC 3987 section 2.2 (with RFC 3986 appendix A): each ABNF rule is a named character set or a named pattern.

Sets are the inside of a regular expression's brackets; patterns are whole expressions. Triplets are not part
of the sets, since every rule that allows them allows them for any octet.
"""

from typing import Final

# ALPHA / DIGIT / HEXDIG (RFC 5234 appendix B.1; HEXDIG in both cases, RFC 3986 2.1)
ALPHA: Final = "A-Za-z"
DIGIT: Final = "0-9"
HEXDIG: Final = "0-9A-Fa-f"

# scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
SCHEME: Final = rf"[{ALPHA}][{ALPHA}{DIGIT}+\-.]*+"

# pct-encoded = "%" HEXDIG HEXDIG
PCT_ENCODED: Final = rf"%[{HEXDIG}]{{2}}"

# unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"
UNRESERVED: Final = rf"{ALPHA}{DIGIT}\-._~"

# gen-delims = ":" / "/" / "?" / "#" / "[" / "]" / "@"
GEN_DELIMS: Final = r":/?#\[\]@"

# sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
SUB_DELIMS: Final = "!$&'()*+,;="

# ucschar = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF / %x10000-1FFFD / ... / %xD0000-DFFFD / %xE1000-EFFFD
UCSCHAR: Final = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(plane + (0x1000 if plane == 0xE0000 else 0))}-{chr(plane + 0xFFFD)}"
    for plane in range(0x10000, 0xF0000, 0x10000)
)

# iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD
IPRIVATE: Final = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"

# The characters of each component as a URI has them (RFC 3986 appendix A), triplets aside:
# userinfo = *( unreserved / pct-encoded / sub-delims / ":" )
USERINFO: Final = rf"{UNRESERVED}{SUB_DELIMS}:"
# reg-name = *( unreserved / pct-encoded / sub-delims )
REG_NAME: Final = rf"{UNRESERVED}{SUB_DELIMS}"
# pchar = unreserved / pct-encoded / sub-delims / ":" / "@"; a path is pchars and "/"
PATH: Final = rf"{UNRESERVED}{SUB_DELIMS}:@/"
# query = *( pchar / "/" / "?" ); fragment = *( pchar / "/" / "?" )
QUERY: Final = rf"{PATH}?"
FRAGMENT: Final = QUERY

# The printable US-ASCII characters that no URI may hold and that 3.1 lets a mapping encode:
# "<", ">", '"', space, "{", "}", "|", "\", "^", and "`"
EXCLUDED: Final = r"""<>" {}|\\\^`"""

# C0 controls and space, which surround URLs in the wild and are no part of them; tab, CR and LF, which do not
# count inside either (RFC 3986 appendix C; WHATWG URL 4.4)
C0_OR_SPACE: Final = "".join(map(chr, range(0x21)))
WITHOUT_TAB_OR_NEWLINE: Final = str.maketrans("", "", "\t\r\n")  # for str.translate
# What separates the labels of a name (RFC 3490 3.1, UTS #46 4)
LABEL_SEPARATORS: Final = ".\u3002\uff0e\uff61"

# dec-octet = DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35
DEC_OCTET: Final = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
# IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet
IPV4ADDRESS: Final = rf"{DEC_OCTET}(?:\.{DEC_OCTET}){{3}}"

# h16 = 1*4HEXDIG; ls32 = ( h16 ":" h16 ) / IPv4address
H16: Final = rf"[{HEXDIG}]{{1,4}}"
LS32: Final = rf"(?:{H16}:{H16}|{IPV4ADDRESS})"
# IPv6address: the nine alternatives of RFC 3986 3.2.2, in their order
IPV6ADDRESS: Final = (
    "(?:"
    + "|".join(
        (
            rf"(?:{H16}:){{6}}{LS32}",
            rf"::(?:{H16}:){{5}}{LS32}",
            rf"(?:{H16})?::(?:{H16}:){{4}}{LS32}",
            rf"(?:(?:{H16}:){{0,1}}{H16})?::(?:{H16}:){{3}}{LS32}",
            rf"(?:(?:{H16}:){{0,2}}{H16})?::(?:{H16}:){{2}}{LS32}",
            rf"(?:(?:{H16}:){{0,3}}{H16})?::{H16}:{LS32}",
            rf"(?:(?:{H16}:){{0,4}}{H16})?::{LS32}",
            rf"(?:(?:{H16}:){{0,5}}{H16})?::{H16}",
            rf"(?:(?:{H16}:){{0,6}}{H16})?::",
        )
    )
    + ")"
)
# IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
IPVFUTURE: Final = rf"[vV][{HEXDIG}]++\.[{UNRESERVED}{SUB_DELIMS}:]++"
# ZoneID = 1*( unreserved / pct-encoded ), behind "%25" (RFC 6874 2)
ZONE_ID: Final = rf"(?:[{UNRESERVED}]|{PCT_ENCODED})++"
# IP-literal = "[" ( IPv6address / IPv6addrz / IPvFuture ) "]", wider than RFC 3987 2.2 by the zone: a link-local
# address is no other without it, and RFC 6874 was in force when such URLs were written (RFC 9844 took it back)
IP_LITERAL: Final = rf"\[(?:{IPV6ADDRESS}(?:%25{ZONE_ID})?|{IPVFUTURE})\]"
