"""The way in: where the command line's own libraries are missing, it names them and does nothing else."""

import sys

_NEEDS = ("rich", "typer")


def main() -> None:
    """Run the command line; exit with status 2 and one clear line where typer or rich is not installed."""
    try:
        from iri_canon.cli import app
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _NEEDS:
            raise
        sys.stderr.write(
            f"iri-canon: the command line needs {missing.name}, which the library alone does not install.\n"
            "Install it with: pip install 'iri-canon[cli]'\n"
        )
        sys.exit(2)
    app()


if __name__ == "__main__":
    main()
