"""The lists of URLs: the shared ones where they are, the project's own small one where not."""

import gzip
import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
OWN = Path(__file__).parent / "data" / "urls.txt"


def shared_folder() -> Path | None:
    """IRI_CANON_SHARED, or the folder `shared` beside the checkout, if it has lists of URLs."""
    given = os.environ.get("IRI_CANON_SHARED")
    folder = Path(given) if given else ROOT.parent / "shared"
    return folder if (folder / "urls").is_dir() else None


def url_lists(limit: int | None = None) -> dict[str, list[str]]:
    """The lists by name, each cut off after `limit` lines; octets beyond UTF-8 are kept as surrogates."""
    shared = shared_folder()
    if shared is None:
        return {"own": _lines(OWN.read_bytes(), limit)}
    paths = sorted((shared / "urls").glob("*.txt.gz"))
    return {
        path.name.removesuffix(".txt.gz"): _lines(gzip.decompress(path.read_bytes()), limit) for path in paths
    }


def _lines(octets: bytes, limit: int | None) -> list[str]:
    lines = octets.decode("utf-8", "surrogateescape").split("\n")
    return [line.removesuffix("\r") for line in lines if line][:limit]
