"""The derivative rules: mathematics only, as typed tables."""
