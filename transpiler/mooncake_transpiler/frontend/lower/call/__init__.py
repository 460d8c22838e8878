"""Calls: what is called, how arguments reach parameters, and what comes back."""
