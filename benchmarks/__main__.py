"""`python -m benchmarks`: where the other libraries are missing, it names what to install and does nothing else."""

from iri_canon.__main__ import missing_libraries_named


def main() -> None:
    """Run the command line; exit with status 2 and two clear lines where a contestant is not installed."""
    with missing_libraries_named(
        ("can_ada", "idna", "matplotlib", "pyarrow", "rich", "scrapy", "typer", "w3lib"),
        "benchmarks: {} is not installed, and it is measured or needed.\n"
        "Install the extra 'bench' (in a clone: pip install '.[bench]').\n",
    ):
        from benchmarks.cli import app

        app(prog_name="python -m benchmarks")


if __name__ == "__main__":
    main()
