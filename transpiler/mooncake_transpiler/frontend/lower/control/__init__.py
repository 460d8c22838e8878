"""Branches and loops, and what variables hold after them."""
