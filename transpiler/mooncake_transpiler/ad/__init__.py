"""Automatic differentiation of functions in normal form, which gives functions in normal form."""
