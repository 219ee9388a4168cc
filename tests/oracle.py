"""RFC 3986 5.2, 5.3, 6.2.2 and RFC 3987 3.1, 3.2 word by word: slow, literal, and without a line of the package.

It is an authority on valid IRIs alone (`is_iri_reference`), since the RFCs say nothing of other text.
"""

import re
import stringprep
from typing import NamedTuple

ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DIGIT = "0123456789"
HEXDIG = DIGIT + "ABCDEFabcdef"
UNRESERVED = ALPHA + DIGIT + "-._~"
SUB_DELIMS = "!$&'()*+,;="
# RFC 3987 2.2
UCSCHAR = [(0xA0, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFEF)] + [
    (plane * 0x10000 + (0x1000 if plane == 0xE else 0), plane * 0x10000 + 0xFFFD) for plane in range(1, 0xF)
]
IPRIVATE = [(0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)]


class Parts(NamedTuple):
    """The five components of RFC 3986 3; None is "undefined"."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


# ---------------------------------------------------------------------------------------------- grammar


def _abnf(uchar: str, iprivate: str) -> re.Pattern[str]:
    """RFC 3986 appendix A as one expression (URI-reference); with RFC 3987 2.2's characters, IRI-reference."""
    pct = "%[0-9A-Fa-f]{2}"
    pchar = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@{uchar}]|{pct})"
    pchar_nc = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=@{uchar}]|{pct})"
    segment, segment_nz, segment_nz_nc = f"{pchar}*", f"{pchar}+", f"{pchar_nc}+"
    h16, octet = "[0-9A-Fa-f]{1,4}", "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9])"
    ls32 = rf"(?:{h16}:{h16}|{octet}\.{octet}\.{octet}\.{octet})"
    ipv6 = "|".join(
        [
            f"(?:{h16}:){{6}}{ls32}",
            f"::(?:{h16}:){{5}}{ls32}",
            f"(?:{h16})?::(?:{h16}:){{4}}{ls32}",
            f"(?:(?:{h16}:){{0,1}}{h16})?::(?:{h16}:){{3}}{ls32}",
            f"(?:(?:{h16}:){{0,2}}{h16})?::(?:{h16}:){{2}}{ls32}",
            f"(?:(?:{h16}:){{0,3}}{h16})?::{h16}:{ls32}",
            f"(?:(?:{h16}:){{0,4}}{h16})?::{ls32}",
            f"(?:(?:{h16}:){{0,5}}{h16})?::{h16}",
            f"(?:(?:{h16}:){{0,6}}{h16})?::",
        ]
    )
    future = r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+"
    literal = rf"\[(?:{ipv6}|{future})\]"
    host = rf"(?:{literal}|(?:[A-Za-z0-9\-._~!$&'()*+,;={uchar}]|{pct})*)"
    userinfo = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:{uchar}]|{pct})*"
    authority = rf"(?:{userinfo}@)?{host}(?::[0-9]*)?"
    abempty, absolute = f"(?:/{segment})*", f"/(?:{segment_nz}(?:/{segment})*)?"
    hier = f"(?://{authority}{abempty}|{absolute}|{segment_nz}(?:/{segment})*|)"
    relative = f"(?://{authority}{abempty}|{absolute}|{segment_nz_nc}(?:/{segment})*|)"
    query = rf"(?:\?(?:{pchar}|[/?{iprivate}])*)?"
    fragment = rf"(?:\#(?:{pchar}|[/?])*)?"
    return re.compile(f"(?:[A-Za-z][A-Za-z0-9+\\-.]*:{hier}|{relative}){query}{fragment}")


def _ranges(pairs: list[tuple[int, int]]) -> str:
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in pairs)


URI_REFERENCE = _abnf("", "")
IRI_REFERENCE = _abnf(_ranges(UCSCHAR), _ranges(IPRIVATE))


def is_uri_reference(text: str) -> bool:
    """Whether RFC 3986 appendix A derives *text*, its port aside, which is no number there."""
    return URI_REFERENCE.fullmatch(text) is not None


def is_iri_reference(text: str) -> bool:
    """Whether RFC 3987 2.2 derives *text*."""
    return IRI_REFERENCE.fullmatch(text) is not None


# ---------------------------------------------------------------------------------------------- 5.2, 5.3


def parse(text: str) -> Parts:
    """RFC 3986 appendix B."""
    match = re.match(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", text, re.DOTALL)
    assert match is not None
    return Parts(match[2], match[4], match[5], match[7], match[9])


def recompose(parts: Parts) -> str:
    """RFC 3986 5.3."""
    result = ""
    if parts.scheme is not None:
        result += parts.scheme + ":"
    if parts.authority is not None:
        result += "//" + parts.authority
    result += parts.path
    if parts.query is not None:
        result += "?" + parts.query
    if parts.fragment is not None:
        result += "#" + parts.fragment
    return result


def remove_dot_segments(path: str) -> str:
    """RFC 3986 5.2.4, steps 2A to 2E."""
    input_buffer, output_buffer = path, ""
    while input_buffer:
        if input_buffer.startswith("../"):  # 2A
            input_buffer = input_buffer[3:]
        elif input_buffer.startswith("./"):
            input_buffer = input_buffer[2:]
        elif input_buffer.startswith("/./"):  # 2B
            input_buffer = "/" + input_buffer[3:]
        elif input_buffer == "/.":
            input_buffer = "/"
        elif input_buffer.startswith("/../"):  # 2C
            input_buffer = "/" + input_buffer[4:]
            output_buffer = output_buffer[: max(output_buffer.rfind("/"), 0)]
        elif input_buffer == "/..":
            input_buffer = "/"
            output_buffer = output_buffer[: max(output_buffer.rfind("/"), 0)]
        elif input_buffer in (".", ".."):  # 2D
            input_buffer = ""
        else:  # 2E
            end = input_buffer.find("/", 1)
            end = len(input_buffer) if end < 0 else end
            output_buffer += input_buffer[:end]
            input_buffer = input_buffer[end:]
    return output_buffer


def merge(base: Parts, path: str) -> str:
    """RFC 3986 5.2.3."""
    if base.authority is not None and base.path == "":
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def transform(base: Parts, reference: Parts, *, strict: bool = True) -> Parts:
    """RFC 3986 5.2.2."""
    scheme, authority, path, query, fragment = reference
    if (
        not strict
        and scheme is not None
        and base.scheme is not None
        and scheme.lower() == base.scheme.lower()
    ):
        scheme = None
    if scheme is not None:
        return Parts(scheme, authority, remove_dot_segments(path), query, fragment)
    if authority is not None:
        return Parts(base.scheme, authority, remove_dot_segments(path), query, fragment)
    if path == "":
        return Parts(base.scheme, base.authority, base.path, base.query if query is None else query, fragment)
    target = remove_dot_segments(path if path.startswith("/") else merge(base, path))
    return Parts(base.scheme, base.authority, target, query, fragment)


def resolve(base: str, reference: str, *, strict: bool = True) -> str:
    """RFC 3986 5.2.2, and 3.3: a path without authority does not begin with "//"."""
    target = transform(parse(base), parse(reference), strict=strict)
    return recompose(target._replace(path=_keep_from_authority(target)))


def _keep_from_authority(parts: Parts) -> str:
    return "/." + parts.path if parts.authority is None and parts.path.startswith("//") else parts.path


# ---------------------------------------------------------------------------------------------- 3.1


def to_uri(iri: str) -> str:
    """RFC 3987 3.1 step 2, character by character."""
    result = ""
    for character in iri:
        code = ord(character)
        if any(low <= code <= high for low, high in UCSCHAR + IPRIVATE) or character in '<>" {}|\\^`':
            for octet in character.encode():  # 2.1, 2.2
                result += f"%{octet:02X}"
        else:
            result += character
    return result


# ---------------------------------------------------------------------------------------------- 3.2

# 6.1 b: "characters excluded in [RFC3491]": what it prohibits (its section 5) or drops (its section 3), by the tables
# of RFC 3454 as the standard library has them. C.3 is iprivate, which 2.2 judges.
IN_RFC_3491 = (
    stringprep.in_table_b1,
    stringprep.in_table_c12,
    stringprep.in_table_c22,
    stringprep.in_table_c4,
    stringprep.in_table_c5,
    stringprep.in_table_c6,
    stringprep.in_table_c7,
    stringprep.in_table_c8,
    stringprep.in_table_c9,
)
# 4.1 with its later kin, and what else 6.1 b names: other widths, look-alikes of space (fillers, Braille) and of
# delimiters, but for those of prose (quotation marks, the percent sign of Arabic ...). No more than these.
ALSO_INAPPROPRIATE = [
    (0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069),
    (0xFF00, 0xFFEF), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFE50, 0xFE6F),
    (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180F, 0x180F), (0x2064, 0x2065), (0x2800, 0x2800), (0x3164, 0x3164),
    (0xFFF0, 0xFFF8), (0x16FE4, 0x16FE4), (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159),
    (0x02F8, 0x02F8), (0x037E, 0x037E), (0x1FEF, 0x1FEF), (0x2024, 0x2025), (0x2035, 0x2035), (0x2044, 0x2044),
    (0x2047, 0x2049), (0x205A, 0x205A), (0x2215, 0x2216), (0x2223, 0x2223), (0x2236, 0x2236), (0x2303, 0x2303),
    (0x337, 0x338), (0x20E5, 0x20E5),
    (0x2329, 0x232A), (0x23D0, 0x23D0), (0x2571, 0x2572), (0x2758, 0x2758), (0x276E, 0x276F), (0x2774, 0x2775),
    (0x27CB, 0x27CB), (0x27CD, 0x27CD), (0x27E6, 0x27E9), (0x29F5, 0x29F5), (0x29F8, 0x29F9), (0x2AFD, 0x2AFD),
    (0x2E2E, 0x2E2E), (0x2E33, 0x2E33), (0xA789, 0xA789),
]  # fmt: skip


def _is_legal_utf8(octets: list[int]) -> bool:
    """RFC 3629 4: whether *octets* are one UTF8-char of more than one octet, alternative by alternative."""
    first, second, tails = octets[0], octets[1] if len(octets) > 1 else 0, octets[2:]
    if any(not 0x80 <= tail <= 0xBF for tail in tails):
        return False
    if len(octets) == 2:  # UTF8-2 = %xC2-DF UTF8-tail
        return 0xC2 <= first <= 0xDF and 0x80 <= second <= 0xBF
    if len(octets) == 3:  # UTF8-3
        return (
            (first == 0xE0 and 0xA0 <= second <= 0xBF)
            or (0xE1 <= first <= 0xEC and 0x80 <= second <= 0xBF)
            or (first == 0xED and 0x80 <= second <= 0x9F)
            or (0xEE <= first <= 0xEF and 0x80 <= second <= 0xBF)
        )
    if len(octets) == 4:  # UTF8-4
        return (
            (first == 0xF0 and 0x90 <= second <= 0xBF)
            or (0xF1 <= first <= 0xF3 and 0x80 <= second <= 0xBF)
            or (first == 0xF4 and 0x80 <= second <= 0x8F)
        )
    return False


def _code_point(octets: list[int]) -> int:
    """RFC 3629 3: the bits of the octets put together."""
    code = octets[0] & (0xFF >> (len(octets) + 1))
    for octet in octets[1:]:
        code = code << 6 | octet & 0x3F
    return code


def is_appropriate(code: int, *, in_query: bool) -> bool:
    """RFC 3987 3.2 step 4: by 2.2, 4.1 and 6.1."""
    allowed = UCSCHAR + IPRIVATE if in_query else UCSCHAR
    return (
        any(low <= code <= high for low, high in allowed)
        and not any(table(chr(code)) for table in IN_RFC_3491)
        and not any(low <= code <= high for low, high in ALSO_INAPPROPRIATE)
    )


def to_iri(uri: str) -> str:
    """RFC 3987 3.2 of a valid URI reference, octet by octet; each value below is an octet."""
    step1 = [ord(character) for character in uri]

    step2: list[int] = []
    position = 0
    while position < len(step1):
        octet, width = step1[position], 1
        if octet == ord("%"):
            converted = int(uri[position + 1 : position + 3], 16)
            if converted >= 0x80 or chr(converted) in UNRESERVED:
                octet, width = converted, 3
        step2.append(octet)
        position += width

    step3: list[int | list[int]] = []  # an octet of ASCII, or the octets of one character
    position = 0
    while position < len(step2):
        width = 1
        if step2[position] < 0x80:
            step3.append(step2[position])
        else:
            sizes = [
                n
                for n in (2, 3, 4)
                if position + n <= len(step2) and _is_legal_utf8(step2[position : position + n])
            ]
            if sizes:
                width = sizes[0]
                step3.append(step2[position : position + width])
            else:
                step3 += [ord(character) for character in f"%{step2[position]:02X}"]
        position += width

    step4: list[int | list[int]] = []
    in_query, in_fragment = False, False
    for item in step3:
        in_fragment = in_fragment or item == ord("#")
        in_query = (in_query or item == ord("?")) and not in_fragment
        if isinstance(item, list) and not is_appropriate(_code_point(item), in_query=in_query):
            step4 += [ord(character) for octet in item for character in f"%{octet:02X}"]
        else:
            step4.append(item)

    return "".join(chr(_code_point(item)) if isinstance(item, list) else chr(item) for item in step4)  # 5


# ---------------------------------------------------------------------------------------------- 6.2.2


def normalise_triplets(text: str) -> str:
    """RFC 3986 6.2.2.1 (digits in upper case) and 6.2.2.2 (unreserved characters), left to right, once."""
    result, position = "", 0
    while position < len(text):
        if text[position] == "%":
            character = chr(int(text[position + 1 : position + 3], 16))
            result += character if character in UNRESERVED else text[position : position + 3].upper()
            position += 3
        else:
            result += text[position]
            position += 1
    return result


def lower_outside_triplets(text: str) -> str:
    """RFC 3986 6.2.2.1: the host in lower case, but not the digits of its triplets."""
    return re.sub("%..|[A-Z]+", lambda match: match[0] if "%" in match[0] else match[0].lower(), text)


def syntax_form(iri: str) -> str:
    """RFC 3987 3.1 and 5.3.2 (RFC 3986 6.2.2) of a valid IRI reference."""
    scheme, authority, path, query, fragment = parse(to_uri(iri))
    if authority is not None:
        userinfo, at, hostport = authority.rpartition("@")
        host, colon, port = hostport, "", ""
        if match := re.fullmatch(r"(.*):([0-9]*)", hostport, re.DOTALL):
            host, colon, port = match[1], ":", match[2]
        authority = normalise_triplets(userinfo) + at
        authority += lower_outside_triplets(normalise_triplets(host)) + colon + port
    path = normalise_triplets(path)
    if path.startswith("/"):
        path = remove_dot_segments(path)
    elif scheme is None and authority is None and ":" in path.partition("/")[0]:
        path = "./" + path  # 4.2
    parts = Parts(
        None if scheme is None else scheme.lower(),
        authority,
        path,
        None if query is None else normalise_triplets(query),
        None if fragment is None else normalise_triplets(fragment),
    )
    return recompose(parts._replace(path=_keep_from_authority(parts)))
