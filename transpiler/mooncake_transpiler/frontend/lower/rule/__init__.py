"""Calls of functions that have derivative rules: the library's and users'."""
