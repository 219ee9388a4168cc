"""Crawl logs are deduplicated by the ladder's keys, in bounded memory, and each merge is told with its reason."""
