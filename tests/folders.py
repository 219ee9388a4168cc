"""Where the checkout is, and the folder of public data beside it."""

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
#: Why a test is skipped that needs that folder, and how it comes to run.
NO_SHARED_FOLDER: Final = (
    "the folder of public data is not part of a clone: put it at ../shared, or name it in IRI_CANON_SHARED"
)


def shared_folder() -> Path | None:
    """``IRI_CANON_SHARED``, or ``../shared`` beside the checkout; None where there is neither."""
    named = os.environ.get("IRI_CANON_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    return folder if folder.is_dir() else None
