"""`python -m sample_project` is the command line of `sample_project.cli`, and nothing else."""

from sample_project.cli import main

if __name__ == "__main__":
    main()
