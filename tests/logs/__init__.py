"""Readers of logs, by the formats' own specifications, and what is made of their records."""
