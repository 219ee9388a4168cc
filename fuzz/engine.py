"""One target in one process, driven by libFuzzer: `python -m fuzz.engine TARGET [options and folders of libFuzzer]`."""

import sys

import atheris

# What is imported here counts branches. The oracle is worth counting: where the code asks one regular expression, it
# walks character by character, so that its branches show the way into that expression.
with atheris.instrument_imports(include=["iri_canon", "oracle"]):
    from fuzz.targets import TARGETS, run


def main() -> None:
    """Run the target that the command line names until libFuzzer's options end it."""
    program, name, *options = sys.argv
    target = TARGETS[name]
    atheris.Setup([program, *options], lambda data: run(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
