"""Calls of functions that have derivative rules: the library's, users', and primitives."""
