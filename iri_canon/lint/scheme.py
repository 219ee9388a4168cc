"""A scheme that is not there, or is another than was meant: RFC 3986 3.1, 3.2 and 4.5.

Such a text is a relative reference or an IRI of an unknown scheme by the grammar, and means another resource than its
author thinks. Names of files look much the same, so these rules ask for more than a dot.
"""

import re
from collections.abc import Iterator
from typing import Final

from iri_canon.lint.findings import Hit, quoted
from iri_canon.lint.subject import Subject

_SCHEME_AS_HOST: Final = re.compile("https?|ftp", re.IGNORECASE)
_DIGITS: Final = re.compile("[0-9]++")
_LABEL: Final = r"[^\W\d_][\w-]*+"
_TOP: Final = r"(?:xn--[\w-]++|[^\W\d_]{2,}+)"
_END: Final = r"(?=/|\Z)"
# "www." and two labels more ("www.html" is a file), or a name under one of the old top-level domains; "org" is what
# files of Emacs end in, and ".NET" is a platform.
_LIKE_A_HOST: Final = re.compile(
    rf"(?i:www[0-9]?\.(?:[\w-]++\.)++{_TOP}\.?){_END}"
    rf"|(?:{_LABEL}\.)++com{_END}"
    rf"|(?:{_LABEL}\.){{2,}}+(?:org|net|edu|gov){_END}"
    rf"|(?:{_LABEL}\.)++(?:org|net|edu|gov)/"
)
# "logo@2x.png" is a picture for fine screens, "name@1.2.3" a version; js, ts and the others end the names of files.
_LIKE_A_MAILBOX: Final = re.compile(
    r"[\w.+-]++@(?![0-9.]++x\.)(?:[\w-]++\.)++"
    r"(?:com|org|net|edu|gov|mil|int|info|biz|example|xn--[\w-]++|(?!js|ts|gz|md|py|sh|so|rb)[^\W\d_]{2})\Z",
    re.IGNORECASE,
)
_WITHOUT_COLON: Final = re.compile("(https?|ftp|wss?)[.,;]?//", re.IGNORECASE)
# No scheme in use is made of these four letters, but for "http" and "https" and "shttp".
_NEARLY_HTTP: Final = re.compile("(?=[hts]*p)(?=[hps]*t)(?:h[htps]{2,6}+|tt[htps]{1,5}+)", re.IGNORECASE)


def missing_scheme(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 4.5: a reference that reads like a host or a mail address, and is a relative path."""
    path = subject.part("path")
    if path is None or subject.part("scheme") or subject.part("host") is not None:
        return
    if match := _LIKE_A_HOST.match(path.text):
        yield Hit("path", path.offset, f"{quoted(match[0].rstrip('/'))} is a relative path here, not a host")
    elif _LIKE_A_MAILBOX.match(path.text):
        yield Hit("path", path.offset, f"{quoted(path.text)} is a relative path here, not a mail address")


def mistyped_scheme(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 3.1: "http" or another scheme without its colon, or an unknown scheme of the letters of "http"."""
    scheme, path = subject.part("scheme"), subject.part("path")
    if scheme and subject.scheme.name == "" and _NEARLY_HTTP.fullmatch(scheme.text):
        meant = "https" if "s" in scheme.text.lower() else "http"
        yield Hit("scheme", 0, f"{quoted(scheme.text)} is no known scheme and looks like {meant!r}")
    match = _WITHOUT_COLON.match(path.text) if path and not scheme and subject.part("host") is None else None
    if path and match:
        yield Hit("path", path.offset, f'no ":" behind {quoted(match[1])}, which begins a relative path here')


def doubled_scheme(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 3.2: a second scheme where the host should be."""
    found, path, port = subject.part("host"), subject.part("path"), subject.part("port")
    if found is None or path is None or (port and port.text) or not path.text.startswith("//"):
        return
    if _SCHEME_AS_HOST.fullmatch(found.text):
        yield Hit("host", found.offset, f"the host is {quoted(found.text)}: a scheme written twice")


def host_as_scheme(subject: Subject) -> Iterator[Hit]:
    """RFC 3986 3.1: a host and its port, which read as a scheme and a path."""
    scheme, path = subject.part("scheme"), subject.part("path")
    if scheme and path and subject.part("host") is None and subject.scheme.name == "":
        port, _, _ = path.text.partition("/")
        if ("." in scheme.text or scheme.text.lower() == "localhost") and _DIGITS.fullmatch(port):
            yield Hit("scheme", 0, f"{quoted(scheme.text)} is the scheme here, not the host")
