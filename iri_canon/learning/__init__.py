"""A site itself shows which spellings are one page there, and takes it back when it shows otherwise."""
