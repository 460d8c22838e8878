"""Calls of functions of the program: how arguments reach parameters, and what comes back."""
