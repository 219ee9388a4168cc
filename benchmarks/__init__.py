"""Measured side by side, in one process and in turn, or not claimed at all."""
