"""Exceptions: what may raise, who catches it, and what is skipped."""
