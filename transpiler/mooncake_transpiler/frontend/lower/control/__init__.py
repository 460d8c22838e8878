"""Statements that say where control goes: `if`, `match`, loops, `try`, `with`, `raise`."""
