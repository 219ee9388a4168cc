"""`python docs/make_schemes.py` writes docs/schemes.md from the table of schemes."""

import sys
from pathlib import Path

from iri_canon.scheme_table import TABLE, Scheme

PAGE = Path(__file__).parent / "schemes.md"

HEAD = """\
# The schemes

What the scheme rung knows of each scheme (RFC 3987 5.3.3), and what `lint` holds an IRI against (RFC 3987 3.1). The
rows cover the permanent registrations of IANA as of 2022-11-18, those of RFC 9393 (2023), and some that crawls meet
besides; what else was registered since is unknown here. An unknown scheme keeps its ports and its host as they are
written. `register_scheme` adds to the table. This page is made by `docs/make_schemes.py`; a test holds it and the table
together.

* **Authority**: whether `//` and a host belong behind the colon. Where they are forbidden, what looks like a host and a
  port is part of the path, and nothing is dropped from it.
* **Host**: `dns` is a domain name, IDNs become A-labels; `web` reads numbers as IPv4 addresses besides; `opaque` is
  kept as written. A scheme that needs a host stays on the syntax rung without one.
* **Port**: the default port. It goes without saying (RFC 3986 6.2.3) except where it is said to count: a merge needs a
  specification that licenses it.
* **By**: the specification; ports of schemes without one are those of the registry of service names.
"""

COLUMNS = "| scheme | authority | host | port | it lacks | by |\n|---|---|---|---|---|---|\n"

KEPT = """
## Ports that count

With these a default port written out is another identifier.

| scheme | port | because |
|---|---|---|
"""

DEFAULT_HOSTS = """
## Hosts that go without saying

| scheme | an empty host is |
|---|---|
"""


def row(scheme: Scheme) -> str:
    host = scheme.host + (", needed" if scheme.needs_host else "")
    lacks = ", ".join(
        f"{each.component} ({each.clause})" if each.clause != scheme.source else each.component
        for each in scheme.restrictions
    )
    port = scheme.default_port or ""
    if port and scheme.elided_port is None:
        port += " (counts)"
    host = "" if scheme.authority == "forbidden" else host
    return f"| `{scheme.name}` | {scheme.authority} | {host} | {port} | {lacks} | {scheme.source} |\n"


def page() -> str:
    schemes = sorted(TABLE.values(), key=lambda scheme: scheme.name)
    parts = [HEAD, "\n", COLUMNS, *map(row, schemes), KEPT]
    for scheme in schemes:
        if scheme.default_port is not None and scheme.elided_port is None:
            why = scheme.port_counts or "it is part of an opaque path"
            parts.append(f"| `{scheme.name}` | {scheme.default_port} | {why} |\n")
    parts.append(DEFAULT_HOSTS)
    parts += [f"| `{each.name}` | `{each.default_host}` |\n" for each in schemes if each.default_host]
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
