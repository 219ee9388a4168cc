"""Coverage-guided fuzzing of the public functions, by atheris; `python -m fuzz` is the command."""

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]

# The oracle lives with the tests, since nothing else needs it.
sys.path.append(str(ROOT / "tests"))
