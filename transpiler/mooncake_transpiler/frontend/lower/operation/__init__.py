"""Operators, comparisons, subscripts and assignments, of operands of any kind."""
