"""Text becomes a value, the value climbs the ladder of RFC 3987 section 5.3, and the top is a key."""

__version__ = "0.1.0"
