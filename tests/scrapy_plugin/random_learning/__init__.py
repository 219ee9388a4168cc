"""Random sites that know their own truth, crawled with and without learned rules: what is saved, and what is lost."""
