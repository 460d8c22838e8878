"""Exceptions: who catches them, what raises, and values that are not what is needed."""
