"""The way in: where its libraries are missing, or an output, the command line says so in one line and ends."""

import errno
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager


def main() -> None:
    """Run the command line; exit with one clear line and status 2 where typer or rich is not installed.

    Likewise, with status 1, where the output cannot be written: it is closed, or the disk is full.
    """
    with missing_libraries_named(
        ("rich", "typer"),
        "iri-canon: the command line needs {}, which the library alone does not install.\n"
        "Install the extra 'cli' (in a clone: pip install '.[cli]').\n",
    ):
        from iri_canon.cli import app
    try:
        if sys.stdout is None:  # closed by the caller
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        app()
    except OSError as error:
        _give_up(error)


def _give_up(error: OSError) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"iri-canon: {error.filename or 'standard output'}: {error.strerror}\n")
    if sys.stdout is not None:  # what is left in its buffer would fail once more at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)


@contextmanager
def missing_libraries_named(libraries: Collection[str], message: str) -> Iterator[None]:
    """Imports within it that miss one of the *libraries* end the program: *message* with its name, exit status 2."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in libraries:
            raise
        sys.stderr.write(message.format(missing.name))
        sys.exit(2)


if __name__ == "__main__":
    main()
