"""`python -m benchmarks`: where the other libraries are missing, it names what to install and does nothing else."""

import sys

_NEEDS = ("ada_url", "can_ada", "idna", "rich", "scrapy", "typer", "w3lib", "yarl")


def main() -> None:
    """Run the command line; exit with status 2 and two clear lines where a contestant is not installed."""
    try:
        from benchmarks.cli import main as measure
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _NEEDS:
            raise
        sys.stderr.write(
            f"benchmarks: {missing.name} is not installed, and it is measured or needed.\n"
            "Install all that is with: pip install 'iri-canon[bench]' (in a clone: pip install '.[bench]')\n"
        )
        sys.exit(2)
    import typer

    typer.run(measure)


if __name__ == "__main__":
    main()
