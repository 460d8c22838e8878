"""Primitives as functions: their pushforwards and pullbacks."""
