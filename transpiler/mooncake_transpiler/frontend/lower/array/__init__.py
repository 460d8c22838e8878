"""Delayed arrays, whole-array expressions, and reading and writing elements."""
